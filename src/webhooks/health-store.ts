// Endpoints that fail. Rides webhook_endpoints_failing, which is empty while every endpoint succeeds.
import type { Sql } from '../db/index.ts';
import { asBoolean, asDate, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { DISABLED_AFTER_MS, WARNED_AFTER_MS } from './endpoint.ts';
import type { EndpointKey } from './sending-store.ts';

const ago = (ms: number): string => `clock_timestamp() - interval '${ms / 1_000} seconds'`;
const IS_FAILING = 'w.failing_since is not null and w.disabled_reason is null and w.deleted_at is null';
const IS_OVER = `(w.gone_at is not null or w.failing_since <= ${ago(DISABLED_AFTER_MS)})`;
const IS_TO_WARN = `(w.warned_at is null and w.failing_since <= ${ago(WARNED_AFTER_MS)})`;

export async function listUnhealthy(sql: Sql, limit: number): Promise<EndpointKey[]> {
  const rows = await sql.query(
    `select w.tenant_id, w.id from usance.webhook_endpoints w where ${IS_FAILING} and (${IS_OVER} or ${IS_TO_WARN})
     order by w.failing_since limit $1::int`,
    [limit],
  );
  return rows.map((row) => ({ tenantId: asText(row['tenant_id']), id: asText(row['id']) }));
}

export interface Unhealthy extends EndpointKey {
  readonly url: string;
  readonly failingSince: Date;
  readonly due: 'gone' | 'failing' | 'warning';
}

/** Locks it. Null if it has recovered, was changed, or is locked by another transaction. */
export async function lockUnhealthy(sql: Sql, tenantId: Uuid, id: Uuid): Promise<Unhealthy | null> {
  const [row] = await sql.query(
    `select w.url, w.failing_since, w.gone_at is not null as is_gone, ${IS_OVER} as is_over from usance.webhook_endpoints w
     where w.tenant_id = $1::uuid and w.id = $2::uuid and ${IS_FAILING} and (${IS_OVER} or ${IS_TO_WARN}) for update skip locked`,
    [tenantId, id],
  );
  if (!row) return null;
  const due = asBoolean(row['is_gone']) ? 'gone' : asBoolean(row['is_over']) ? 'failing' : 'warning';
  return { tenantId, id, url: asText(row['url']), failingSince: asDate(row['failing_since']), due };
}

export async function markWarned(sql: Sql, { tenantId, id }: EndpointKey): Promise<void> {
  await sql.query(
    `update usance.webhook_endpoints set warned_at = date_trunc('milliseconds', clock_timestamp())
     where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id],
  );
}

export async function markDisabled(
  sql: Sql,
  { tenantId, id }: EndpointKey,
  reason: 'gone' | 'failing',
  at: Date,
): Promise<void> {
  await sql.query(
    `update usance.webhook_endpoints set disabled_reason = $3::text, updated_at = $4::timestamptz
     where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id, reason, at],
  );
}
