// A receipt proves what happened to one resource: its events, the digests of the others in their blocks, and the links from an anchor
// down to those blocks. docs/operating/verify-receipt.mjs checks it without this program and without the database.
import type { Sql } from '../db/index.ts';
import type { Link, StoredEvent } from '../events/index.ts';
import { BEGINNING, readBlockEvents, readLinkOf, readLinkUpTo } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { blockOf, ordinalOf, refuse } from '../kernel/index.ts';
import { leafOf } from './check-block.ts';

export interface Receipt {
  readonly format: 'usance receipt 2';
  readonly tenant: Uuid;
  /** The end of the chain that the receipt leads to: compare it with an anchor that was kept outside the database. */
  readonly anchor: { readonly seq: string; readonly hash: string };
  /** In order. */
  readonly events: readonly ReceiptEvent[];
  /** From the anchor down. The hash of each is the anchor, or `previous` or `skipped` of one before it. */
  readonly links: readonly ReceiptLink[];
}

// Names are single words, which are the same over HTTP and in TypeScript, and ids are UUIDs: the hashes cover them.

export interface ReceiptEvent {
  readonly seq: string;
  readonly id: Uuid;
  readonly type: string;
  readonly version: number;
  readonly resource: string;
  /** The id of the resource. */
  readonly subject: Uuid;
  readonly actor: string;
  /** The id of the request. */
  readonly request: string | null;
  /** The W3C traceparent of the request. */
  readonly trace: string | null;
  /** When it happened by the tenant's clock, in microseconds since 1970. */
  readonly occurred: string;
  /** What can be erased, with its salt; or, once erased, the digest of it. */
  readonly details:
    | { readonly salt: string; readonly data: string; readonly ip: string | null; readonly agent: string | null }
    | { readonly erased: string };
}

export interface ReceiptLink {
  readonly number: string;
  /** The seq of its last event. */
  readonly seq: string;
  readonly events: number;
  /** The id of its block. */
  readonly block: Uuid;
  /** When it was appended, in microseconds since 1970. */
  readonly recorded: string;
  readonly digest: string;
  readonly previous: string;
  readonly skipped: string;
  /** The digests of the events of the block, in order, as base64; null where no event of the receipt is among them. */
  readonly leaves: string | null;
}

/** Events in one receipt at most. */
const MOST_EVENTS = 100;

/** `anchorSeq`: the seq of an anchor; default the end of the chain. Events that are not ordered up to there are left out. */
export async function makeReceipt(
  sql: Sql,
  tenantId: Uuid,
  eventIds: readonly Uuid[],
  anchorSeq: bigint | null,
): Promise<Receipt> {
  const end = await readLinkUpTo(sql, tenantId, anchorSeq ?? LAST_SEQ);
  if (!end || (anchorSeq !== null && end.lastSeq !== anchorSeq))
    return refuse('RECEIPT_ANCHOR_UNKNOWN', { param: 'anchor' });
  const blockIds = [...new Set(eventIds.slice(0, MOST_EVENTS).map(blockOf))];
  const found = await Promise.all(blockIds.map((id) => readLinkOf(sql, tenantId, id)));
  const targets = found.filter((link): link is Link => link !== undefined && link.number <= end.number);
  const blocks = new Map<Uuid, StoredEvent[]>();
  for (const link of targets) blocks.set(link.blockId, (await readBlockEvents(sql, [link]))[0] ?? []);
  const path = await linksBetween(sql, end, targets);
  const wanted = new Set(eventIds);
  const events = targets
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
    .flatMap((link) =>
      (blocks.get(link.blockId) ?? []).filter(({ id }) => wanted.has(id)).map((event) => shown(event, link)),
    );
  return {
    format: 'usance receipt 2',
    tenant: tenantId,
    anchor: { seq: end.lastSeq.toString(), hash: end.hash.toString('hex') },
    events,
    links: path.map((step) => ({ ...step, leaves: leavesOf(blocks.get(step.block)) })),
  };
}

const LAST_SEQ = (1n << 63n) - 1n;

function leavesOf(events: readonly StoredEvent[] | undefined): string | null {
  return events ? Buffer.concat(events.map(leafOf)).toString('base64') : null;
}

function shown(event: StoredEvent, link: Link): ReceiptEvent {
  const seq = link.lastSeq - BigInt(link.events) + 1n + BigInt(ordinalOf(event.id));
  return {
    seq: seq.toString(),
    id: event.id,
    type: event.type,
    version: event.version,
    resource: event.resource,
    subject: event.resourceId,
    actor: event.actor,
    request: event.requestId,
    trace: event.traceContext,
    occurred: event.occurredAtUs.toString(),
    details:
      event.salt === null
        ? { erased: event.details?.toString('hex') ?? '' }
        : { salt: event.salt.toString('hex'), data: event.data, ip: event.ip, agent: event.userAgent },
  };
}

/** The links on the way from one down to others, each once, the latest first. */
async function linksBetween(sql: Sql, end: Link, targets: readonly Link[]): Promise<Omit<ReceiptLink, 'leaves'>[]> {
  const known = new Map<bigint, Link>([[end.lastSeq, end]]);
  const linkAt = async (seq: bigint): Promise<Link | null> => {
    if (seq === 0n) return null;
    const link = known.get(seq) ?? (await readLinkUpTo(sql, end.tenantId, seq));
    if (link) known.set(seq, link);
    return link ?? null;
  };
  const steps = new Map<bigint, Omit<ReceiptLink, 'leaves'>>();
  for (const target of targets) {
    for (let at: Link | null = end; at;) {
      const previous: Link | null = await linkAt(at.lastSeq - BigInt(at.events));
      const skipped: Link | null = await linkAt(at.skipSeq);
      steps.set(at.number, {
        number: at.number.toString(),
        seq: at.lastSeq.toString(),
        events: at.events,
        block: at.blockId,
        recorded: at.recordedAtUs.toString(),
        digest: at.digest.toString('hex'),
        previous: (previous ?? BEGINNING).hash.toString('hex'),
        skipped: (skipped ?? BEGINNING).hash.toString('hex'),
      });
      if (at.number <= target.number) break;
      at = (skipped?.number ?? 0n) >= target.number ? skipped : previous;
    }
  }
  return [...steps].toSorted(([a], [b]) => (a > b ? -1 : 1)).map(([, step]) => step);
}
