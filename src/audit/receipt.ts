// A receipt proves events of one resource. It has the events, the Merkle proof from each to the digest of its block, and the links from an
// anchor down to those blocks. docs/operating/verify-receipt.mjs checks it without this program and without the database. It proves that
// its events happened, not that there were no others.
import type { Sql } from '../db/index.ts';
import type { Link, StoredEvent } from '../events/index.ts';
import { BEGINNING, MAX_SEQ, newestOf, proofsOf, readLeaves, readLinkUpTo, readStoredEvents } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { ordinalOf, refuse } from '../kernel/index.ts';

export interface Receipt {
  /** 4 if an event has a reason: a checker that knows only 3 does not know how its details are hashed. */
  readonly format: 'usance receipt 3' | 'usance receipt 4';
  readonly tenant: Uuid;
  /** The end of the chain that the receipt leads to: compare it with an anchor that was kept outside the database. */
  readonly anchor: { readonly seq: string; readonly hash: string };
  /** Events of the resource up to the anchor. */
  readonly total: number;
  /** The earliest of them, which are left out: a receipt has at most 100, of blocks with at most 100,000 events in all. */
  readonly omitted: number;
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
  /** When it happened by the tenant's clock, in microseconds since 1970. */
  readonly occurred: string;
  /** The erasable fields with their salt; once erased, their digest. */
  readonly details: ReceiptDetails | { readonly erased: string };
  /** The digests beside the way from this event to the digest of its block, lowest first. */
  readonly proof: readonly string[];
}

export interface ReceiptDetails {
  readonly salt: string;
  readonly data: string;
  readonly ip: string | null;
  readonly agent: string | null;
  /** The id of the request. */
  readonly request: string | null;
  /** The W3C traceparent of the request. */
  readonly trace: string | null;
  /** The reason that the caller gave with the request. */
  readonly reason: string | null;
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
}

/** Events in one receipt at most. */
const MOST_EVENTS = 100;
/** Events in the blocks of a receipt at most, because all of them are read and hashed. The newest block is always read. */
const MOST_HASHED = 100_000;

/** `anchorSeq`: the seq of an anchor; default the end of the chain. Events that are not ordered up to there are left out. */
export async function makeReceipt(
  sql: Sql,
  tenantId: Uuid,
  resourceId: Uuid,
  anchorSeq: bigint | null,
): Promise<Receipt> {
  const end = await readLinkUpTo(sql, tenantId, anchorSeq ?? MAX_SEQ);
  if (!end || (anchorSeq !== null && end.lastSeq !== anchorSeq))
    return refuse('RECEIPT_ANCHOR_UNKNOWN/unknown', { param: 'anchor' });
  const upTo = end.lastSeq;
  const newest = await newestOf(sql, tenantId, resourceId, { upTo, limit: MOST_EVENTS });
  if (newest.total === 0) refuse('RECEIPT_ANCHOR_UNKNOWN/too_early', { seq: upTo.toString() });
  const blocks = [...Map.groupBy(newest.events, ({ link }) => link.blockId).values()];
  const events: ReceiptEvent[] = [];
  const targets: Link[] = [];
  let hashed = 0;
  // The latest block first, because the earliest events are the ones to leave out. One block at a time: only its proofs stay in memory.
  for (const block of blocks.toReversed()) {
    const [first] = block;
    if (!first) continue;
    const { link } = first;
    hashed += link.events;
    if (targets.length > 0 && hashed > MOST_HASHED) break;
    const ids = block.map(({ id }) => id);
    const proofs = proofsOf(await readLeaves(sql, link), ids.map(ordinalOf));
    const stored = await readStoredEvents(sql, tenantId, ids);
    events.unshift(...stored.map((event, n) => receiptEvent(event, link, proofs[n] ?? [])));
    targets.push(link);
  }
  return {
    format: events.some(hasReason) ? 'usance receipt 4' : 'usance receipt 3',
    tenant: tenantId,
    anchor: { seq: upTo.toString(), hash: end.hash.toString('hex') },
    total: newest.total,
    omitted: newest.total - events.length,
    events,
    links: await linksBetween(sql, end, targets),
  };
}

const hasReason = ({ details }: ReceiptEvent): boolean => 'reason' in details && details.reason !== null;

function receiptEvent(event: StoredEvent, link: Link, proof: readonly Buffer[]): ReceiptEvent {
  const seq = link.lastSeq - BigInt(link.events) + 1n + BigInt(ordinalOf(event.id));
  const { salt, data, ip, userAgent: agent, requestId: request, traceContext: trace, reason } = event;
  return {
    seq: seq.toString(),
    id: event.id,
    type: event.type,
    version: event.version,
    resource: event.resource,
    subject: event.resourceId,
    actor: event.actor,
    occurred: event.occurredAtUs.toString(),
    details:
      salt === null
        ? { erased: event.details?.toString('hex') ?? '' }
        : { salt: salt.toString('hex'), data, ip, agent, request, trace, reason },
    proof: proof.map((digest) => digest.toString('hex')),
  };
}

/** The links on the shortest way from one down to others, each once, the latest first. A step skips as far as the target allows. */
async function linksBetween(sql: Sql, end: Link, targets: readonly Link[]): Promise<ReceiptLink[]> {
  const known = new Map<bigint, Link>([[end.lastSeq, end]]);
  const linkAt = async (seq: bigint): Promise<Link | null> => {
    if (seq === 0n) return null;
    const link = known.get(seq) ?? (await readLinkUpTo(sql, end.tenantId, seq));
    if (link) known.set(seq, link);
    return link ?? null;
  };
  const steps = new Map<bigint, ReceiptLink>();
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
