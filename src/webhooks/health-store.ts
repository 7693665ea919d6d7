// Endpoints that fail. Rides webhook_endpoints_failing, which is empty while every endpoint succeeds.
import type { Sql } from '../db/index.ts';
import { asBoolean, asDate, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { DISABLED_AFTER_MS, WARNED_AFTER_MS } from './endpoint.ts';
import type { EndpointKey } from './sending-store.ts';

const ago = (ms: number): string => `clock_timestamp() - interval '${ms / 1_000} seconds'`;
const IS_FAILING = 'w.failing_since is not null and w.disabled_reason is null and w.deleted_at is null';
/** Failures without a success span so long: one failure long ago, with nothing to send since, says little. */
const spans = (ms: number): string => `w.last_failed_at - w.failing_since >= interval '${ms / 1_000} seconds'`;
/** It was warned about in time, and has failed since the warning. */
const IS_OVER = `(w.gone_at is not null or ${spans(DISABLED_AFTER_MS)} and w.warned_at <= ${ago(DISABLED_AFTER_MS - WARNED_AFTER_MS)}
  and w.last_failed_at > w.warned_at)`;
const IS_TO_WARN = `(w.warned_at is null and ${spans(WARNED_AFTER_MS)})`;

export interface UnhealthyKey extends EndpointKey {
  readonly failingSince: Date;
}

/** Those that failed longest first, behind the last one of the page before. */
export async function listUnhealthy(sql: Sql, last: UnhealthyKey | null, limit: number): Promise<UnhealthyKey[]> {
  const rows = await sql.query(
    `select w.tenant_id, w.id, w.failing_since from usance.webhook_endpoints w
     where ${IS_FAILING} and (${IS_OVER} or ${IS_TO_WARN})
       and ($1::timestamptz is null or (w.failing_since, w.id) > ($1::timestamptz, $2::uuid))
     order by w.failing_since, w.id limit $3::int`,
    [last?.failingSince ?? null, last?.id ?? null, limit],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    failingSince: asDate(row['failing_since']),
  }));
}

export interface Unhealthy extends UnhealthyKey {
  readonly url: string;
  /** When it will be disabled, if it is warned about now. */
  readonly disablesAt: Date;
  readonly due: 'gone' | 'failing' | 'warning';
}

/** Locks it. Null if it has recovered, was changed, or is locked by another transaction. */
export async function lockUnhealthy(sql: Sql, tenantId: Uuid, id: Uuid): Promise<Unhealthy | null> {
  const [row] = await sql.query(
    `select w.url, w.failing_since, w.gone_at is not null as is_gone, coalesce(${IS_OVER}, false) as is_over,
       date_trunc('milliseconds', greatest(w.failing_since + interval '${DISABLED_AFTER_MS / 1_000} seconds',
         clock_timestamp() + interval '${(DISABLED_AFTER_MS - WARNED_AFTER_MS) / 1_000} seconds')) as disables_at
     from usance.webhook_endpoints w
     where w.tenant_id = $1::uuid and w.id = $2::uuid and ${IS_FAILING} and (${IS_OVER} or ${IS_TO_WARN}) for update skip locked`,
    [tenantId, id],
  );
  if (!row) return null;
  const due = asBoolean(row['is_gone']) ? 'gone' : asBoolean(row['is_over']) ? 'failing' : 'warning';
  const [failingSince, disablesAt] = [asDate(row['failing_since']), asDate(row['disables_at'])];
  return { tenantId, id, url: asText(row['url']), failingSince, disablesAt, due };
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
