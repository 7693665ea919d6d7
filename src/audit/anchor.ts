// An anchor is the end of a tenant's chain, kept where whoever can change the database cannot reach: a file of JSON lines that
// only grows, carried off by whatever collects files, and the log. Everything up to an anchor is then fixed for good.
import { open, readFile } from 'node:fs/promises';
import type { Database } from '../db/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import { SetupError, isUuid } from '../kernel/index.ts';
import { chainedTenants, readLinkUpTo } from '../events/index.ts';

/** The end of the hash chain of a tenant's audit log. */
export interface Anchor {
  /** The tenant, as a UUID. */
  readonly tenant: Uuid;
  /** The seq of the last ordered event. */
  readonly seq: bigint;
  /** The hash of the link that ends with it, in hexadecimal. */
  readonly hash: string;
  /** When it was read, RFC 3339. */
  readonly at: string;
}

/** After every seq. */
const LAST_SEQ = (1n << 63n) - 1n;

/** The ends of all chains. */
export async function readAnchors(db: Database, now: Date): Promise<Anchor[]> {
  const at = now.toISOString();
  const anchors: Anchor[] = [];
  for (const tenant of await chainedTenants(db)) {
    const end = await readLinkUpTo(db, tenant, LAST_SEQ);
    if (end) anchors.push({ tenant, seq: end.lastSeq, hash: end.hash.toString('hex'), at });
  }
  return anchors;
}

/** Appends, and comes back when it is on the disk. */
export async function appendAnchors(path: string, anchors: readonly Anchor[]): Promise<void> {
  if (anchors.length === 0) return;
  const file = await open(path, 'a+', 0o600);
  try {
    // A crash may have left the last line unfinished. It stays, and ours begins on the next one.
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const begin = size === 0 || buffer.toString() === '\n' ? '' : '\n';
    await file.writeFile(begin + anchors.map((anchor) => `${lineOf(anchor)}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}

export function lineOf({ tenant, seq, hash, at }: Anchor): string {
  return JSON.stringify({ tenant, seq: seq.toString(), hash, at });
}

/** A line without its end was cut off by a crash, and says nothing. Any other that makes no sense is refused. */
export async function loadAnchors(path: string): Promise<Anchor[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new SetupError(`the anchors in ${path} cannot be read: ${error instanceof Error ? error.message : ''}`);
  });
  return text.split('\n').flatMap((line, index) => {
    if (line === '' || (line.startsWith('{"tenant"') && !line.endsWith('}'))) return [];
    return [parse(line) ?? refuseLine(path, index + 1)];
  });
}

function parse(line: string): Anchor | null {
  try {
    const { tenant, seq, hash, at } = JSON.parse(line) as Record<string, unknown>;
    if (typeof tenant !== 'string' || !isUuid(tenant) || typeof at !== 'string') return null;
    if (typeof seq !== 'string' || !/^[1-9][0-9]{0,18}$/.test(seq)) return null;
    return typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) ? { tenant, seq: BigInt(seq), hash, at } : null;
  } catch {
    return null;
  }
}

function refuseLine(path: string, line: number): never {
  throw new SetupError(`${path}:${line} is no anchor: each line is one that "usance audit-events anchor" has written`);
}

/** Anchors: ends of the hash chains, kept outside the database. */
export interface AnchorOptions {
  /** A file to which anchors are appended. Default null: anchors go only to the log. */
  readonly file?: string | null;
  /** The interval in milliseconds, default an hour. */
  readonly everyMs?: number;
  /** Called with each anchor, for the log. Default: none. */
  readonly onAnchor?: (anchor: Anchor) => void;
}

const HOUR_MS = 3_600_000;

/** Anchors the chains whose end is another than before: also the same seq with another hash, after lost commits. */
export function anchorLoop(db: Database, options: AnchorOptions, readNow: () => Promise<Date>): LoopDefinition {
  const { file = null, everyMs = HOUR_MS } = options;
  const known = new Map<Uuid, string>();
  return {
    name: 'anchors',
    pollMs: everyMs,
    async runOnce() {
      const anchors = (await readAnchors(db, await readNow())).filter(
        (anchor) => known.get(anchor.tenant) !== anchor.hash,
      );
      if (file !== null) await appendAnchors(file, anchors);
      for (const anchor of anchors) {
        known.set(anchor.tenant, anchor.hash);
        options.onAnchor?.(anchor);
      }
      return { counts: { anchored: anchors.length } };
    },
  };
}
