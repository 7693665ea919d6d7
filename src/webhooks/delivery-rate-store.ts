// How many deliveries of a tenant arrive, for alerts. Rides delivery_attempts_of_tenant: what is in the window, never the history.
import type { Sql } from '../db/index.ts';
import { asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

export interface DeliveryRate {
  /** Deliveries that were attempted in the window. */
  readonly attempted: number;
  /** Of them, those whose last attempt succeeded. */
  readonly delivered: number;
}

/** The newest attempts of a window that are read at most. */
const MOST_ATTEMPTS = 10_000;

/**
 * By the last attempt of each delivery in the window, which is of real time. Disabled and deleted endpoints do not count, and neither do deliveries that
 * are recorded and not sent.
 */
export async function readDeliveryRate(sql: Sql, tenantId: Uuid, windowMs: number): Promise<DeliveryRate> {
  const row = only(
    await sql.query(
      `with recent as materialized (
         select a.execution_id, a.endpoint_id, a.ended_at, a.url, a.failure,
                a.failure is null and a.response_status between 200 and 299 as delivered
         from usance.delivery_attempts a
         where a.tenant_id = $1::uuid and a.ended_at > clock_timestamp() - make_interval(secs => $2::bigint / 1000.0)
         order by a.ended_at desc limit ${MOST_ATTEMPTS}),
       last as (
         select distinct on (execution_id) * from recent where url is not null or failure is not null
         order by execution_id, ended_at desc)
       select count(*)::int as attempted, count(*) filter (where l.delivered)::int as delivered from last l
       where exists (
         select from usance.webhook_endpoints w
         where w.tenant_id = $1::uuid and w.id = l.endpoint_id and w.disabled_reason is null and w.deleted_at is null)`,
      [tenantId, windowMs],
    ),
  );
  return { attempted: asNumber(row['attempted']), delivered: asNumber(row['delivered']) };
}

/** Tenants with a live endpoint: one look at the index for each. */
export async function listTenantsWithEndpoints(sql: Sql): Promise<Uuid[]> {
  const first = (more: string): string =>
    `(select w.tenant_id from usance.webhook_endpoints w where w.deleted_at is null ${more} order by w.tenant_id, w.id limit 1)`;
  const rows = await sql.query(
    `with recursive own as (
       ${first('')}
       union all
       select ${first('and w.tenant_id > own.tenant_id')} from own where own.tenant_id is not null)
     select tenant_id from own where tenant_id is not null`,
  );
  return rows.map((row) => asText(row['tenant_id']));
}
