// Events by their id, ordered or not: those of one resource, and how payments ended lately.
import type { Sql } from '../db/index.ts';
import { asDate, asNumber, asRecord, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { EventRecord } from './event.ts';
import { earliestEventOf } from './list-store.ts';

/** What happened to one resource, oldest first, from an event on. Rides events_resource. Not what was added to a block later. */
export async function listEventsOf(
  sql: Sql,
  tenantId: Uuid,
  resourceId: Uuid,
  { limit = 1_000, from = NIL_UUID }: { readonly limit?: number; readonly from?: Uuid | undefined } = {},
): Promise<EventRecord[]> {
  const earliest = earliestEventOf(resourceId);
  const rows = await sql.query(
    `select id, type, resource, data::text as data, actor, trace_context, occurred_at from usance.events
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
    resource: asText(row['resource']),
    data: asRecord(row['data']),
    actor: asText(row['actor']),
    traceContext: asTextOrNull(row['trace_context']),
    occurredAt: asDate(row['occurred_at']),
  }));
}

const COUNTED_UP_TO = 50_000;

export interface Recent {
  readonly lastHour: { readonly settled: number; readonly failed: number };
  readonly lastDay: { readonly settled: number; readonly failed: number };
  /** The day had more events than are counted, the newest first. */
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
