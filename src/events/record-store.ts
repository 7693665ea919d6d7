// Events as the record of who did what: for auditors, newest first, and for whoever seals them, in order.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asRecord, asText, asTextOrNull, only, readStretch, stretchStatement } from '../db/index.ts';
import type { Attribution, Stretch, Uuid } from '../kernel/index.ts';
import { MAX_UUID, firstIdAt, idsWithin } from '../kernel/index.ts';
import type { EventRecord } from './event.ts';

export interface RecordFilter {
  /** Any of these. */
  readonly actors?: readonly string[];
  /** A pattern of LIKE. */
  readonly typeLike?: string;
  readonly resource?: string;
  readonly resourceId?: Uuid;
  readonly requestId?: string;
  /** By the real clock. */
  readonly from?: Date;
  readonly before?: Date;
}

export type RecordedEvent = EventRecord &
  Attribution & {
    readonly recordedAt: Date;
    /** In the order of commits; null until the sequencer has been there. */
    readonly place: bigint | null;
  };

/**
 * How many events one question looks through at most. An index for every filter would be paid for by every payment; a filter that
 * fits little is answered a stretch at a time instead.
 */
export const RECORD_STRETCH = 20_000;

const WITHIN = `tenant_id = $1::uuid and id < $2::uuid and id >= $3::uuid and id < $4::uuid`;

/**
 * What happened and who did it, newest first, placed in the order or not. Rides the primary key backwards, within the
 * ids that the time allows, over one stretch; of one resource, events_resource, over everything. `reached` is the id to go on
 * from where the stretch ended before the page was full.
 */
export async function listRecord(
  sql: Sql,
  tenantId: Uuid,
  filter: RecordFilter,
  page: { limit: number; before: Uuid | null },
): Promise<Stretch<RecordedEvent, Uuid>> {
  const { from, before } = filter;
  const ids = idsWithin(from, before);
  const bounds = [tenantId, page.before ?? MAX_UUID, ids.from, ids.before];
  const among =
    filter.resourceId === undefined
      ? `(select * from usance.events where ${WITHIN} order by id desc limit ${RECORD_STRETCH}) e`
      : `usance.events e`;
  const leavesOut = Object.keys(filter).length > 0 && filter.resourceId === undefined;
  const rows = await sql.query(
    stretchStatement({
      page: `select id, type, resource, resource_id, data::text as data, actor, host(ip) as ip, user_agent, request_id, occurred_at,
              recorded_at, (select o.seq from usance.event_order o where o.event_id = id) as place
       from ${among}
       where ${WITHIN}
         and ($5::timestamptz is null or recorded_at >= $5::timestamptz)
         and ($6::timestamptz is null or recorded_at < $6::timestamptz)
         and ($7::text[] is null or actor = any ($7::text[])) and ($8::text is null or type like $8::text)
         and ($9::text is null or resource = $9::text) and ($10::uuid is null or resource_id = $10::uuid)
         and ($11::text is null or request_id = $11::text)
       order by id desc limit $12::int`,
      limit: '$12::int',
      end: leavesOut
        ? `select id from usance.events where ${WITHIN} order by id desc offset ${RECORD_STRETCH - 1} limit 1`
        : null,
      order: 'id desc',
    }),
    [
      ...bounds,
      from ?? null,
      before ?? null,
      filter.actors ?? null,
      filter.typeLike ?? null,
      filter.resource ?? null,
      filter.resourceId ?? null,
      filter.requestId ?? null,
      page.limit,
    ],
  );
  return readStretch(rows, (row) => recorded(tenantId, row), asText);
}

function recorded(tenantId: Uuid, row: Row): RecordedEvent {
  return {
    tenantId,
    id: asText(row['id']),
    type: asText(row['type']),
    resource: asText(row['resource']),
    resourceId: asText(row['resource_id']),
    data: asRecord(row['data']),
    actor: asText(row['actor']),
    ip: asTextOrNull(row['ip']),
    userAgent: asTextOrNull(row['user_agent']),
    requestId: asTextOrNull(row['request_id']),
    occurredAt: asDate(row['occurred_at']),
    recordedAt: asDate(row['recorded_at']),
    place: row['place'] === null ? null : asBigInt(row['place']),
  };
}

export interface EventsOf {
  readonly tenantId: Uuid;
  readonly resourceId: Uuid;
  readonly butFor: string;
  readonly actor: string;
  readonly since: Date;
}

/**
 * Of one resource, but for one type; and those that an actor caused since an instant. The former ride events_resource; the latter are
 * a scan of the tenant's events since then, for what is seldom done.
 */
export async function idsOfEventsOf(
  sql: Sql,
  { tenantId, resourceId, butFor, actor, since }: EventsOf,
): Promise<Uuid[]> {
  const rows = await sql.query(
    `select id from usance.events where tenant_id = $1::uuid and resource_id = $2::uuid and type <> $3::text
     union
     select id from usance.events where tenant_id = $1::uuid and id >= $5::uuid and actor = $4::text
     order by id`,
    [tenantId, resourceId, butFor, actor, firstIdAt(since)],
  );
  return rows.map((row) => asText(row['id']));
}

/** Those of these events that have a place in the order up to one. */
export async function placedUpTo(sql: Sql, tenantId: Uuid, ids: readonly Uuid[], place: bigint): Promise<Set<Uuid>> {
  const rows = await sql.query(
    `select event_id from usance.event_order where event_id = any ($2::uuid[]) and tenant_id = $1::uuid and seq <= $3::bigint`,
    [tenantId, ids, place],
  );
  return new Set(rows.map((row) => asText(row['event_id'])));
}

/** An event as it is sealed: everything about it, to the microsecond, its data as the text the database gives for it. */
export interface PlacedEvent extends Attribution {
  readonly place: bigint;
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly type: string;
  readonly resource: string;
  readonly resourceId: Uuid;
  readonly data: string;
  readonly traceContext: string | null;
  readonly occurredAtUs: bigint;
  readonly recordedAtUs: bigint;
}

const PLACED = `o.seq, e.tenant_id, e.id, e.type, e.resource, e.resource_id, e.data::text as data, e.actor, host(e.ip) as ip,
  e.user_agent, e.request_id, e.trace_context, (extract(epoch from e.occurred_at) * 1000000)::bigint as occurred_us,
  (extract(epoch from e.recorded_at) * 1000000)::bigint as recorded_us`;

/** The next events of every tenant, in order. */
export async function readPlacedAfter(sql: Sql, after: bigint, limit: number): Promise<PlacedEvent[]> {
  const rows = await sql.query(
    `select ${PLACED} from (select seq, tenant_id, event_id from usance.event_order where seq > $1::bigint order by seq limit $2::int) o
     join usance.events e on e.tenant_id = o.tenant_id and e.id = o.event_id order by o.seq`,
    [after, limit],
  );
  return rows.map(placed);
}

export async function readPlacedAt(sql: Sql, places: readonly bigint[]): Promise<Map<bigint, PlacedEvent>> {
  const rows = await sql.query(
    `select ${PLACED} from unnest($1::bigint[]) k (seq) join usance.event_order o using (seq)
     join usance.events e on e.tenant_id = o.tenant_id and e.id = o.event_id`,
    [places],
  );
  return new Map(rows.map((row) => [asBigInt(row['seq']), placed(row)] as const));
}

function placed(row: Row): PlacedEvent {
  return {
    place: asBigInt(row['seq']),
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    type: asText(row['type']),
    resource: asText(row['resource']),
    resourceId: asText(row['resource_id']),
    data: asText(row['data']),
    actor: asText(row['actor']),
    ip: asTextOrNull(row['ip']),
    userAgent: asTextOrNull(row['user_agent']),
    requestId: asTextOrNull(row['request_id']),
    traceContext: asTextOrNull(row['trace_context']),
    occurredAtUs: asBigInt(row['occurred_us']),
    recordedAtUs: asBigInt(row['recorded_us']),
  };
}

/** How many places a tenant's events have, up to one. */
export async function countPlaced(sql: Sql, tenantId: Uuid, upTo: bigint): Promise<bigint> {
  const row = only(
    await sql.query('select count(*) as n from usance.event_order where tenant_id = $1::uuid and seq <= $2::bigint', [
      tenantId,
      upTo,
    ]),
  );
  return asBigInt(row['n']);
}
