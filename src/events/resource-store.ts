// The events of one resource by id, whether or not they are ordered.
import type { Sql } from '../db/index.ts';
import { asDate, asNumber, asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { EventRecord } from './event.ts';
import { earliestEventOf } from './id-ranges.ts';

/** Whether an event is about a resource. Rides the primary key. */
export async function isEventOf(sql: Sql, tenantId: Uuid, eventId: Uuid, resourceId: Uuid): Promise<boolean> {
  const rows = await sql.query(
    'select from usance.events where tenant_id = $1::uuid and id = $2::uuid and resource_id = $3::uuid',
    [tenantId, eventId, resourceId],
  );
  return rows.length > 0;
}

/** The ids of the newest events of one resource, newest first. Rides events_resource. */
export async function newestEventIdsOf(sql: Sql, tenantId: Uuid, resourceId: Uuid, limit: number): Promise<Uuid[]> {
  const rows = await sql.query(
    `select id from usance.events where tenant_id = $1::uuid and resource_id = $2::uuid and id >= $3::uuid
     order by id desc limit $4::int`,
    [tenantId, resourceId, earliestEventOf(resourceId), limit],
  );
  return rows.map((row) => asText(row['id']));
}

/** The events of one resource, oldest first, from an event on. Leaves out events that were added to a block later. Rides events_resource. */
export async function listEventsOf(
  sql: Sql,
  tenantId: Uuid,
  resourceId: Uuid,
  { limit = 1_000, from = NIL_UUID }: { readonly limit?: number; readonly from?: Uuid | undefined } = {},
): Promise<EventRecord[]> {
  const earliest = earliestEventOf(resourceId);
  const rows = await sql.query(
    `select id, type, version, resource, data::text as data, actor, trace_context, reason, occurred_at from usance.events
     where tenant_id = $1::uuid and resource_id = $2::uuid and id >= $3::uuid
       and (usance.ordinal_of(id) = 0 or not exists (
         select from usance.event_blocks b
         where b.tenant_id = $1::uuid and b.block_id = usance.block_of(id) and b.events <= usance.ordinal_of(id)))
     order by id limit $4::int`,
    [tenantId, resourceId, from > earliest ? from : earliest, limit],
  );
  return rows.map((row) => ({
    tenantId,
    resourceId,
    id: asText(row['id']),
    type: asText(row['type']),
    version: asNumber(row['version']),
    resource: asText(row['resource']),
    data: asRecord(row['data']),
    actor: asText(row['actor']),
    traceContext: asTextOrNull(row['trace_context']),
    reason: asTextOrNull(row['reason']),
    occurredAt: asDate(row['occurred_at']),
  }));
}
