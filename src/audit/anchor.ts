// An anchor is the end of a tenant's chain, kept where an attacker with every right in the database cannot change it: in an append-only
// file of JSON lines, which a log collector ships elsewhere, and in the log. Everything up to an anchor is then fixed for good.
import { open, readFile } from 'node:fs/promises';
import type { Database } from '../db/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import { SetupError, isUuid } from '../kernel/index.ts';
import { MAX_SEQ, chainedTenants, readLinkUpTo } from '../events/index.ts';

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

/** The ends of all chains. */
export async function readAnchors(db: Database, now: Date): Promise<Anchor[]> {
  const at = now.toISOString();
  const anchors: Anchor[] = [];
  for (const tenant of await chainedTenants(db)) {
    const end = await readLinkUpTo(db, tenant, MAX_SEQ);
    if (end) anchors.push({ tenant, seq: end.lastSeq, hash: end.hash.toString('hex'), at });
  }
  return anchors;
}

/** Appends to the file. Resolves when the anchors are on disk. */
export async function appendAnchors(path: string, anchors: readonly Anchor[]): Promise<void> {
  if (anchors.length === 0) return;
  const file = await open(path, 'a+', 0o600);
  try {
    // A crash may have left the last line unfinished. It stays as it is, and a new line begins.
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const begin = size === 0 || buffer.toString() === '\n' ? '' : '\n';
    await file.writeFile(begin + anchors.map((anchor) => `${anchorLine(anchor)}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}

export function anchorLine({ tenant, seq, hash, at }: Anchor): string {
  return JSON.stringify({ tenant, seq: seq.toString(), hash, at });
}

/** Skips a line that a crash cut off. Any other line that is not an anchor is refused. */
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

/** Anchors each chain whose end has changed since the last run. Compares hashes: after lost commits the same seq has another hash. */
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
