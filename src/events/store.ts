import type { Sql } from '../db/index.ts';
import { asDate, asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { EventRecord } from './event.ts';
import { eventData } from './event.ts';

/** Event and inbox row in one statement: there is never one without the other. */
export async function insertEvents(sql: Sql, events: readonly EventRecord[]): Promise<void> {
  await sql.query(
    `with appended as (
       insert into usance.events (tenant_id, id, type, resource, resource_id, data, actor, trace_context, occurred_at)
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::jsonb[], $7::text[], $8::text[],
                            $9::timestamptz[])
     )
     insert into usance.event_inbox (tenant_id, event_id) select * from unnest($1::uuid[], $2::uuid[])`,
    [
      events.map((event) => event.tenantId),
      events.map((event) => event.id),
      events.map((event) => event.type),
      events.map((event) => event.resource),
      events.map((event) => event.resourceId),
      events.map((event) => eventData(event.data)),
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
