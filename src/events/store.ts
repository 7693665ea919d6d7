import type { Row, Sql } from '../db/index.ts';
import {
  asBigInt,
  asDate,
  asNumber,
  asRecord,
  asText,
  asTextOrNull,
  only,
  readStretch,
  stretchStatement,
} from '../db/index.ts';
import type { Stretch, Uuid } from '../kernel/index.ts';
import { NIL_UUID, idInstant, newId, toJson } from '../kernel/index.ts';
import type { EventRecord, Fact } from './event.ts';

const insertStatement = (columns: string, types: string): string =>
  `with appended as (
     insert into usance.events (tenant_id, id, type, resource, resource_id, data, actor, trace_context, occurred_at${columns})
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::jsonb[], $7::text[], $8::text[],
                          $9::timestamptz[]${types})
     returning tenant_id, id
   )
   insert into usance.event_inbox (tenant_id, event_id) select tenant_id, id from appended`;

const OF_THE_ENGINE = insertStatement('', '');
const OF_CALLERS = insertStatement(', ip, user_agent, request_id', ', $10::inet[], $11::text[], $12::text[]');

/**
 * Event and inbox row in one statement: there is never one without the other. What the engine does by itself comes from
 * nowhere, and a thousand settlements are spared three columns of nothing.
 */
export async function insertEvents(sql: Sql, facts: readonly Fact[]): Promise<void> {
  const fromSomewhere = facts.some(({ ip, userAgent, requestId }) => ip || userAgent || requestId);
  const origins = fromSomewhere
    ? [
        facts.map((fact) => fact.ip ?? null),
        facts.map((fact) => fact.userAgent ?? null),
        facts.map((fact) => fact.requestId ?? null),
      ]
    : [];
  await sql.query(fromSomewhere ? OF_CALLERS : OF_THE_ENGINE, [
    facts.map((fact) => fact.tenantId),
    facts.map((fact) => fact.id ?? newId()),
    facts.map((fact) => fact.type),
    facts.map((fact) => fact.resource),
    facts.map((fact) => fact.resourceId),
    facts.map((fact) => toJson(fact.data)),
    facts.map((fact) => fact.actor),
    facts.map((fact) => fact.traceContext ?? null),
    facts.map((fact) => fact.occurredAt),
    ...origins,
  ]);
}

/** What happened to one resource, oldest first, from an event on. Rides events_resource. */
export async function listEventsOf(
  sql: Sql,
  tenantId: Uuid,
  resourceId: Uuid,
  { limit = 1_000, from = NIL_UUID }: { readonly limit?: number; readonly from?: Uuid | undefined } = {},
): Promise<EventRecord[]> {
  const rows = await sql.query(
    `select id, type, resource, data::text as data, actor, trace_context, occurred_at from usance.events
     where tenant_id = $1::uuid and resource_id = $2::uuid and id >= $3::uuid order by id limit $4::int`,
    [tenantId, resourceId, from, limit],
  );
  return rows.map((row) => ({
    tenantId,
    resourceId,
    id: asText(row['id']),
    type: asText(row['type']),
    resource: asText(row['resource']),
    data: asRecord(row['data']),
    actor: asText(row['actor']),
    traceContext: asTextOrNull(row['trace_context']),
    occurredAt: asDate(row['occurred_at']),
  }));
}

/** The last place given, if nobody else is the sequencer at the moment; the row stays locked. */
export async function becomeSequencer(tx: Sql): Promise<bigint | null> {
  const [row] = await tx.query('select last_seq from usance.sequencer for update skip locked');
  return row ? asBigInt(row['last_seq']) : null;
}

/** Takes committed inbox rows beyond a mark, in id order, but for some. Rides the primary key. */
export async function takeInbox(
  tx: Sql,
  after: Uuid,
  limit: number,
  except: readonly Uuid[] = [],
): Promise<{ tenantId: Uuid; eventId: Uuid }[]> {
  const but = except.length === 0 ? '' : 'and event_id <> all ($3::uuid[])';
  const rows = await tx.query(
    `delete from usance.event_inbox i
     using (select event_id from usance.event_inbox where event_id > $1::uuid ${but} order by event_id limit $2::int) k
     where i.event_id = k.event_id
     returning i.tenant_id, i.event_id`,
    [after, limit, ...(except.length === 0 ? [] : [except])],
  );
  return rows.map(inboxRow);
}

const inboxRow = (row: Row): { tenantId: Uuid; eventId: Uuid } => ({
  tenantId: asText(row['tenant_id']),
  eventId: asText(row['event_id']),
});

export async function takeFromInbox(tx: Sql, ids: readonly Uuid[]): Promise<{ tenantId: Uuid; eventId: Uuid }[]> {
  const rows = await tx.query(
    'delete from usance.event_inbox where event_id = any ($1::uuid[]) returning tenant_id, event_id',
    [ids],
  );
  return rows.map(inboxRow);
}

export async function listInbox(sql: Sql, after: Uuid, limit: number, except: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await sql.query(
    `select event_id from usance.event_inbox where event_id > $1::uuid and event_id <> all ($3::uuid[])
     order by event_id limit $2::int`,
    [after, limit, except],
  );
  return rows.map((row) => asText(row['event_id']));
}

export async function insertOrder(
  tx: Sql,
  firstSeq: bigint,
  events: readonly { tenantId: Uuid; eventId: Uuid }[],
): Promise<void> {
  await tx.query(
    `with placed as (
       insert into usance.event_order (seq, tenant_id, event_id)
       select $1::bigint + n - 1, tenant_id, event_id
       from unnest($2::uuid[], $3::uuid[]) with ordinality e (tenant_id, event_id, n)
     )
     update usance.sequencer set last_seq = $4::bigint`,
    [
      firstSeq,
      events.map((event) => event.tenantId),
      events.map((event) => event.eventId),
      firstSeq + BigInt(events.length) - 1n,
    ],
  );
}

export interface EventFilter {
  /** Exact, or `payment.*`, or `*.created`. */
  readonly type?: string;
  readonly resource?: string;
  readonly resourceId?: Uuid;
}

export interface SequencedEvent extends EventRecord {
  readonly seq: bigint;
  readonly recordedAt: Date;
}

const COUNTED_UP_TO = 50_000;

export interface Recent {
  readonly lastHour: { readonly settled: number; readonly failed: number };
  readonly lastDay: { readonly settled: number; readonly failed: number };
  /** There were more events in the day than were looked at, the newest first. */
  readonly capped: boolean;
}

/** Payments that settled and failed lately. Ids are of real time: a range of the primary key, from its end. */
export async function countRecent(sql: Sql, tenantId: Uuid): Promise<Recent> {
  const count = (type: string, more = ''): string => `count(*) filter (where type = '${type}'${more})::int`;
  const hour = ` and id >= usance.first_id_at(now() - interval '1 hour')`;
  const row = only(
    await sql.query(
      `select ${count('payment.settled')} as day_settled, ${count('payment.failed')} as day_failed,
              ${count('payment.settled', hour)} as hour_settled,
              ${count('payment.failed', hour)} as hour_failed, count(*) = $2::int as capped
       from (select id, type from usance.events
             where tenant_id = $1::uuid and id >= usance.first_id_at(now() - interval '1 day')
             order by id desc limit $2::int) e`,
      [tenantId, COUNTED_UP_TO],
    ),
  );
  return {
    lastHour: { settled: asNumber(row['hour_settled']), failed: asNumber(row['hour_failed']) },
    lastDay: { settled: asNumber(row['day_settled']), failed: asNumber(row['day_failed']) },
    capped: row['capped'] === true,
  };
}

/** A tenant's events among the oldest that wait for their place, and the oldest of them. Rides the primary key. */
export async function countUnplaced(sql: Sql, tenantId: Uuid): Promise<{ count: number; oldest: Date | null }> {
  const row = only(
    await sql.query(
      `select count(*)::int as count, min(event_id::text) as oldest
       from (select event_id, tenant_id from usance.event_inbox order by event_id limit $2::int) i
       where tenant_id = $1::uuid`,
      [tenantId, COUNTED_UP_TO],
    ),
  );
  const oldest = asTextOrNull(row['oldest']);
  return { count: asNumber(row['count']), oldest: oldest === null ? null : idInstant(oldest) };
}

/** The place of the tenant's newest event that has one; 0 where there is none. Rides event_order_tenant. */
export async function lastPlace(sql: Sql, tenantId: Uuid): Promise<bigint> {
  const [row] = await sql.query(
    'select seq from usance.event_order where tenant_id = $1::uuid order by seq desc limit 1',
    [tenantId],
  );
  return row ? asBigInt(row['seq']) : 0n;
}

/** How many places one question looks through at most. */
export const EVENT_STRETCH = 20_000;

/**
 * What happened beyond a place in the order, in order. Rides event_order_tenant over one stretch; of one resource,
 * events_resource, over everything. `reached` is the place to go on from where the stretch ended before the page was full.
 */
export async function listEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter,
  page: { after: bigint; limit: number },
  stretch = EVENT_STRETCH,
): Promise<Stretch<SequencedEvent, bigint>> {
  const type = likePattern(filter.type);
  const leavesOut = filter.resourceId === undefined && (type !== null || filter.resource !== undefined);
  const inOrder = `select o.seq, o.event_id from usance.event_order o where o.tenant_id = $1::uuid and o.seq > $2::bigint`;
  const among = leavesOut ? `${inOrder} order by o.seq limit ${stretch}` : inOrder;
  const rows = await sql.query(
    stretchStatement({
      page: `select o.seq, e.id, e.type, e.resource, e.resource_id, e.data::text as data, e.actor, e.trace_context, e.occurred_at,
              e.recorded_at
       from (${among}) o join usance.events e on e.tenant_id = $1::uuid and e.id = o.event_id
       where ($3::text is null or e.type like $3::text)
         and ($4::text is null or e.resource = $4::text)
         and ($5::uuid is null or e.resource_id = $5::uuid)
       order by o.seq limit $6::int`,
      limit: '$6::int',
      end: leavesOut ? `select s.seq from (${among}) s order by s.seq offset ${stretch - 1} limit 1` : null,
      order: 'seq',
    }),
    [tenantId, page.after, type, filter.resource ?? null, filter.resourceId ?? null, page.limit],
  );
  return readStretch(rows, (row) => sequenced(tenantId, row), asBigInt);
}

function sequenced(tenantId: Uuid, row: Row): SequencedEvent {
  return {
    tenantId,
    seq: asBigInt(row['seq']),
    id: asText(row['id']),
    type: asText(row['type']),
    resource: asText(row['resource']),
    resourceId: asText(row['resource_id']),
    data: asRecord(row['data']),
    actor: asText(row['actor']),
    traceContext: asTextOrNull(row['trace_context']),
    occurredAt: asDate(row['occurred_at']),
    recordedAt: asDate(row['recorded_at']),
  };
}

export interface EventSpan {
  /** The place of the event it begins after: what to ask for events `after`. */
  readonly afterSeq: bigint;
  /** The place of the last event in it; of the one before, where there is none. */
  readonly lastSeq: bigint;
  readonly count: number;
  readonly byType: Readonly<Record<string, number>>;
  /** By the tenant's clock; null where nothing happened. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

/**
 * Events that a test clock does not cause: sign-ins, API keys, freezes and violations found by the integrity check, archiving. They
 * can fall into an advance by chance, in real time.
 */
const OF_THE_CLOCK = `e.type not like 'sign\\_in.%' and e.resource not in ('api_key', 'asset', 'freeze', 'tenant')`;

/** The events of a tenant's clock between two events; null while either has no place yet. Rides event_order_tenant. */
export async function spanBetween(sql: Sql, tenantId: Uuid, first: Uuid, last: Uuid): Promise<EventSpan | null> {
  const rows = await sql.query(
    `select a.seq as after_seq, w.type, w.count, w.first_at, w.last_at, w.last_seq
     from usance.event_order a
     join usance.event_order b on b.tenant_id = a.tenant_id and b.event_id = $3::uuid
     left join lateral (
       select e.type, count(*)::int as count, min(e.occurred_at) as first_at, max(e.occurred_at) as last_at,
              max(o.seq) as last_seq
       from usance.event_order o join usance.events e on e.tenant_id = o.tenant_id and e.id = o.event_id
       where o.tenant_id = a.tenant_id and o.seq > a.seq and o.seq < b.seq
         and ${OF_THE_CLOCK}
       group by e.type
     ) w on true
     where a.tenant_id = $1::uuid and a.event_id = $2::uuid
     order by w.type`,
    [tenantId, first, last],
  );
  const [row] = rows;
  if (!row) return null;
  const told = rows.filter((type) => type['type'] !== null);
  const at = (name: string): Date[] =>
    told.map((type) => asDate(type[name])).toSorted((one, other) => one.getTime() - other.getTime());
  const afterSeq = asBigInt(row['after_seq']);
  return {
    afterSeq,
    lastSeq: told.map((type) => asBigInt(type['last_seq'])).reduce((a, b) => (a > b ? a : b), afterSeq),
    count: told.reduce((sum, type) => sum + asNumber(type['count']), 0),
    byType: Object.fromEntries(told.map((type) => [asText(type['type']), asNumber(type['count'])])),
    firstAt: at('first_at').at(0) ?? null,
    lastAt: at('last_at').at(-1) ?? null,
  };
}

function likePattern(type: string | undefined): string | null {
  if (type === undefined || type === '*') return null;
  return type.replaceAll('\\', '\\\\').replaceAll('%', '\\%').replaceAll('_', '\\_').replaceAll('*', '%');
}
