import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { toJson } from '../kernel/index.ts';
import type { EventRecord } from './event.ts';

/** Event and inbox row in one statement: there is never one without the other. */
export async function insertEvents(sql: Sql, events: readonly EventRecord[]): Promise<void> {
  await sql.query(
    `with appended as (
       insert into usance.events (tenant_id, id, type, resource, resource_id, data, actor, trace_context, occurred_at)
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::jsonb[], $7::text[], $8::text[],
                            $9::timestamptz[])
       returning tenant_id, id
     )
     insert into usance.event_inbox (tenant_id, event_id) select tenant_id, id from appended`,
    [
      events.map((event) => event.tenantId),
      events.map((event) => event.id),
      events.map((event) => event.type),
      events.map((event) => event.resource),
      events.map((event) => event.resourceId),
      events.map((event) => toJson(event.data)),
      events.map((event) => event.actor),
      events.map((event) => event.traceContext ?? null),
      events.map((event) => event.occurredAt),
    ],
  );
}

/** Everything that happened to one resource, oldest first. Rides events_resource. */
export async function listEventsOf(sql: Sql, tenantId: Uuid, resourceId: Uuid, limit = 1000): Promise<EventRecord[]> {
  const rows = await sql.query(
    `select id, type, resource, data::text as data, actor, trace_context, occurred_at from usance.events
     where tenant_id = $1::uuid and resource_id = $2::uuid order by id limit $3::int`,
    [tenantId, resourceId, limit],
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

/** Takes committed inbox rows beyond a mark, in id order. Rides the primary key. */
export async function takeInbox(tx: Sql, after: Uuid, limit: number): Promise<{ tenantId: Uuid; eventId: Uuid }[]> {
  const rows = await tx.query(
    `delete from usance.event_inbox i
     using (select event_id from usance.event_inbox where event_id > $1::uuid order by event_id limit $2::int) k
     where i.event_id = k.event_id
     returning i.tenant_id, i.event_id`,
    [after, limit],
  );
  return rows.map((row) => ({ tenantId: asText(row['tenant_id']), eventId: asText(row['event_id']) }));
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

/** What happened beyond a place in the order, in order. */
export async function listEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter,
  page: { after: bigint; limit: number },
): Promise<SequencedEvent[]> {
  const rows = await sql.query(
    `select o.seq, e.id, e.type, e.resource, e.resource_id, e.data::text as data, e.actor, e.trace_context, e.occurred_at,
            e.recorded_at
     from usance.event_order o join usance.events e on e.tenant_id = o.tenant_id and e.id = o.event_id
     where o.tenant_id = $1::uuid and o.seq > $2::bigint
       and ($3::text is null or e.type like $3::text)
       and ($4::text is null or e.resource = $4::text)
       and ($5::uuid is null or e.resource_id = $5::uuid)
     order by o.seq limit $6::int`,
    [tenantId, page.after, likePattern(filter.type), filter.resource ?? null, filter.resourceId ?? null, page.limit],
  );
  return rows.map((row) => ({
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
  }));
}

function likePattern(type: string | undefined): string | null {
  if (type === undefined || type === '*') return null;
  return type.replaceAll('\\', '\\\\').replaceAll('%', '\\%').replaceAll('_', '\\_').replaceAll('*', '%');
}
