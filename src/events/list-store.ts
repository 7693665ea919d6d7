// Events by seq, in two statements: the blocks of a range of seqs, then their events by ranges of ids. The second statement also has the
// least and the greatest id as parameters, so that the planner reads one or two monthly partitions of `events` and not all of them.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Stretch, Uuid } from '../kernel/index.ts';
import { NIL_UUID, eventIdAt, ordinalOf } from '../kernel/index.ts';
import type { EventCursor } from './cursor.ts';
import type { EventRecord } from './event.ts';
import { boundsOf, earliestEventOf } from './id-ranges.ts';
import { likePatterns, patternsOf } from './pattern.ts';

export interface EventFilter {
  /** A pattern of types (pattern.ts). */
  readonly type?: string;
  readonly resource?: string;
  readonly resourceId?: Uuid;
}

export interface SequencedEvent extends EventRecord {
  /** Its number among the events of the tenant, in the order of commits, without gaps. */
  readonly seq: bigint;
  /** The first 8 digits of the hash of its link, for a cursor at this event. */
  readonly hashPrefix: string;
  readonly version: number;
  readonly recordedAt: Date;
}

/** Events that one page scans at most. */
export const SCANNED_EVENTS = 20_000;
/** The first part of a scan is small, because most filters match soon; each further part is larger. */
const FIRST_SCAN = 1_000;
const SCAN_GROWTH = 4;

/** A resource with at most this many events is read as a whole for each page. */
export const RESOURCE_EVENTS = 1_000;

/**
 * Events after a seq, in order. All events of a resource that has few; otherwise a bounded scan, which also bounds the steps over blocks
 * that lack their events. `reached` is where the scan ended, if it ended before the page was full.
 */
export async function listEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter,
  page: { readonly after: bigint; readonly limit: number },
  scanned = SCANNED_EVENTS,
): Promise<Stretch<SequencedEvent, EventCursor>> {
  const { resourceId } = filter;
  if (resourceId !== undefined && !(await hasManyEvents(sql, tenantId, resourceId)))
    return { items: await eventsOfResource(sql, tenantId, filter, page), reached: null };
  const isFiltered = typeLikes(filter.type) !== null || filter.resource !== undefined || resourceId !== undefined;
  const scanEnd = page.after + BigInt(scanned);
  const items: SequencedEvent[] = [];
  let reached: EventCursor = { seq: page.after, hashPrefix: null };
  let scan = isFiltered ? FIRST_SCAN : page.limit;
  while (items.length < page.limit) {
    const missing = page.limit - items.length;
    const upTo = least(reached.seq + BigInt(scan), scanEnd);
    if (upTo <= reached.seq) return { items, reached };
    const blocks = await blocksAfter(sql, tenantId, reached.seq, upTo);
    const last = blocks.at(-1);
    if (!last) return { items, reached: null };
    items.push(...(await eventsIn(sql, tenantId, blocks, { after: reached.seq, upTo }, filter, missing)));
    if (last.lastSeq < upTo) return { items, reached: null };
    reached = { seq: upTo, hashPrefix: last.hashPrefix };
    scan = Math.max(FIRST_SCAN, scan * SCAN_GROWTH);
  }
  return { items, reached: null };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** A block and the seqs that it has. */
export interface BlockRange {
  readonly blockId: Uuid;
  readonly lastSeq: bigint;
  readonly events: number;
  readonly hashPrefix: string;
}

const firstSeq = ({ lastSeq, events }: BlockRange): bigint => lastSeq - BigInt(events) + 1n;

const BLOCK_RANGE = `block_id, last_seq, events, left(encode(hash, 'hex'), 8) as hash_prefix`;

/**
 * The blocks that have a seq in a range, in order: those that end in it, and the next one. Rides event_blocks_seq: the cost is that of
 * the range, however many events the blocks behind it have.
 */
export async function blocksAfter(sql: Sql, tenantId: Uuid, after: bigint, upTo: bigint): Promise<BlockRange[]> {
  const rows = await sql.query(
    `(select ${BLOCK_RANGE} from usance.event_blocks
      where tenant_id = $1::uuid and last_seq > $2::bigint and last_seq < $3::bigint)
     union all
     (select ${BLOCK_RANGE} from usance.event_blocks
      where tenant_id = $1::uuid and last_seq >= $3::bigint order by last_seq limit 1)
     order by last_seq`,
    [tenantId, after, upTo],
  );
  return rows.map(blockRange);
}

/** The block that has a seq; undefined beyond the end. */
export async function blockAt(sql: Sql, tenantId: Uuid, seq: bigint): Promise<BlockRange | undefined> {
  const [row] = await sql.query(
    `select ${BLOCK_RANGE} from usance.event_blocks where tenant_id = $1::uuid and last_seq >= $2::bigint order by last_seq limit 1`,
    [tenantId, seq],
  );
  return row && blockRange(row);
}

/** The cursor of the tenant's newest ordered event; 0 where there is none. */
export async function lastCursorOf(sql: Sql, tenantId: Uuid): Promise<EventCursor> {
  const [row] = await sql.query(
    `select ${BLOCK_RANGE} from usance.event_blocks where tenant_id = $1::uuid order by last_seq desc limit 1`,
    [tenantId],
  );
  if (!row) return { seq: 0n, hashPrefix: null };
  const { lastSeq, hashPrefix } = blockRange(row);
  return { seq: lastSeq, hashPrefix };
}

function blockRange(row: Row): BlockRange {
  return {
    blockId: asText(row['block_id']),
    lastSeq: asBigInt(row['last_seq']),
    events: asNumber(row['events']),
    hashPrefix: asText(row['hash_prefix']),
  };
}

export const COLUMNS_BUT_ID = `e.type, e.version, e.resource, e.resource_id, e.data::text as data, e.actor, e.trace_context, e.occurred_at,
  e.recorded_at`;
const EVENT_COLUMNS = `e.id, ${COLUMNS_BUT_ID}`;

/** The events of a range of seqs that a filter admits, in order. Rides the primary key, one range of ids a block. */
async function eventsIn(
  sql: Sql,
  tenantId: Uuid,
  blocks: readonly BlockRange[],
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
  filter: EventFilter,
  limit: number,
): Promise<SequencedEvent[]> {
  const ranges = blocks.map((block) => {
    const first = firstSeq(block);
    const idOf = (seq: bigint): Uuid => eventIdAt(block.blockId, Number(seq - first));
    return { from: idOf(greatest(first, after + 1n)), to: idOf(least(block.lastSeq, upTo)) };
  });
  const [leastId, greatestId] = boundsOf(ranges);
  const rows = await sql.query(
    `select b.k, e.*
     from unnest($2::uuid[], $3::uuid[]) with ordinality b (from_id, to_id, k)
     cross join lateral (
       select ${EVENT_COLUMNS} from usance.events e
       where e.tenant_id = $1::uuid and e.id >= b.from_id and e.id <= b.to_id and e.id >= $4::uuid and e.id <= $5::uuid
         and ($6::text[] is null or e.type like any ($6::text[])) and ($7::text is null or e.resource = $7::text)
         and ($8::uuid is null or e.resource_id = $8::uuid)
     ) e
     order by b.k, e.id limit $9::int`,
    [
      tenantId,
      ranges.map((range) => range.from),
      ranges.map((range) => range.to),
      leastId,
      greatestId,
      typeLikes(filter.type),
      filter.resource ?? null,
      filter.resourceId ?? null,
      limit,
    ],
  );
  return rows.map((row) => {
    const block = blocks[asNumber(row['k']) - 1] as BlockRange;
    const seq = firstSeq(block) + BigInt(ordinalOf(asText(row['id'])));
    return sequenced(tenantId, row, seq, block.hashPrefix);
  });
}

/** Whether a resource has too many events to be sorted for every page. Rides events_resource. */
async function hasManyEvents(sql: Sql, tenantId: Uuid, resourceId: Uuid): Promise<boolean> {
  const rows = await sql.query(
    `select from usance.events where tenant_id = $1::uuid and resource_id = $2::uuid and id >= $3::uuid offset ${RESOURCE_EVENTS} limit 1`,
    [tenantId, resourceId, earliestEventOf(resourceId)],
  );
  return rows.length > 0;
}

/** Rides events_resource from the instant the resource was made, and the index of blocks. An event that its block does not count was added later, and is not shown. */
async function eventsOfResource(
  sql: Sql,
  tenantId: Uuid,
  { resourceId = NIL_UUID, resource, type }: EventFilter,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<SequencedEvent[]> {
  const rows = await sql.query(
    `select * from (
       select ${EVENT_COLUMNS}, b.last_seq - b.events + 1 + usance.ordinal_of(e.id) as seq, left(encode(b.hash, 'hex'), 8) as hash_prefix
       from usance.events e
       join usance.event_blocks b
         on b.tenant_id = e.tenant_id and b.block_id = usance.block_of(e.id) and usance.ordinal_of(e.id) < b.events
       where e.tenant_id = $1::uuid and e.resource_id = $2::uuid and e.id >= $3::uuid
         and ($4::text[] is null or e.type like any ($4::text[])) and ($5::text is null or e.resource = $5::text)
     ) e
     where seq > $6::bigint order by seq limit $7::int`,
    [tenantId, resourceId, earliestEventOf(resourceId), typeLikes(type), resource ?? null, after, limit],
  );
  return rows.map((row) => sequenced(tenantId, row, asBigInt(row['seq']), asText(row['hash_prefix'])));
}

export function sequenced(tenantId: Uuid, row: Row, seq: bigint, hashPrefix: string): SequencedEvent {
  return {
    tenantId,
    seq,
    hashPrefix,
    id: asText(row['id']),
    type: asText(row['type']),
    version: asNumber(row['version']),
    resource: asText(row['resource']),
    resourceId: asText(row['resource_id']),
    data: asRecord(row['data']),
    actor: asText(row['actor']),
    traceContext: asTextOrNull(row['trace_context']),
    occurredAt: asDate(row['occurred_at']),
    recordedAt: asDate(row['recorded_at']),
  };
}

/** Null: every type. */
const typeLikes = (type: string | undefined): string[] | null =>
  type === undefined || patternsOf(type).includes('*') ? null : likePatterns(type);
