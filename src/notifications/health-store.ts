// The health of channels. The end of an attempt waits for no lock: a channel that a caller's transaction has locked keeps its health until
// its next attempt. Rides notification_channels_failing, which is empty while every channel succeeds.
import type { Sql } from '../db/index.ts';
import { asBoolean, asDate, asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { DISABLED_AFTER_MS } from './channel.ts';

export interface ChannelKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
}

const columns = (keys: readonly ChannelKey[]): [Uuid[], Uuid[]] => [
  keys.map(({ tenantId }) => tenantId),
  keys.map(({ id }) => id),
];

/** At most once a minute for a channel that goes on succeeding. */
export async function noteSuccesses(sql: Sql, keys: readonly ChannelKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `with free as (
       select c.tenant_id, c.id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id)
       join usance.notification_channels c on c.tenant_id = k.tenant_id and c.id = k.id
       where c.failing_since is not null or c.last_success_at is null
         or c.last_success_at < statement_timestamp() - interval '1 minute'
       for no key update of c skip locked)
     update usance.notification_channels c
     set last_success_at = date_trunc('milliseconds', statement_timestamp()), failing_since = null, last_failed_at = null, gone_at = null
     from free where c.tenant_id = free.tenant_id and c.id = free.id`,
    columns(keys),
  );
}

/** The first failure since the last success, and the last one to the minute. */
export async function noteFailures(
  sql: Sql,
  keys: readonly (ChannelKey & { readonly isGone: boolean })[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `with free as (
       select c.tenant_id, c.id, k.gone from unnest($1::uuid[], $2::uuid[], $3::boolean[]) k (tenant_id, id, gone)
       join usance.notification_channels c on c.tenant_id = k.tenant_id and c.id = k.id
       where c.disabled_reason is null and (c.last_failed_at is null
         or c.last_failed_at < statement_timestamp() - interval '1 minute' or k.gone and c.gone_at is null)
       for no key update of c skip locked)
     update usance.notification_channels c
     set failing_since = coalesce(c.failing_since, date_trunc('milliseconds', statement_timestamp())),
         last_failed_at = date_trunc('milliseconds', statement_timestamp()),
         gone_at = case when free.gone then date_trunc('milliseconds', statement_timestamp()) else c.gone_at end
     from free where c.tenant_id = free.tenant_id and c.id = free.id`,
    [...columns(keys), keys.map(({ isGone }) => isGone)],
  );
}

/** Failures without a success span five days: one outage long ago, with nothing to send since, is not enough. */
const IS_OVER = `c.failing_since is not null and c.disabled_reason is null
  and (c.gone_at is not null or c.last_failed_at - c.failing_since >= interval '${DISABLED_AFTER_MS / 1_000} seconds')`;

export interface UnhealthyKey extends ChannelKey {
  readonly failingSince: Date;
}

/** Those that failed longest first, behind the last one of the page before. */
export async function listUnhealthy(sql: Sql, last: UnhealthyKey | null, limit: number): Promise<UnhealthyKey[]> {
  const rows = await sql.query(
    `select c.tenant_id, c.id, c.failing_since from usance.notification_channels c
     where ${IS_OVER} and ($1::timestamptz is null or (c.failing_since, c.id) > ($1::timestamptz, $2::uuid))
     order by c.failing_since, c.id limit $3::int`,
    [last?.failingSince ?? null, last?.id ?? null, limit],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    failingSince: asDate(row['failing_since']),
  }));
}

export interface UnhealthyChannel extends ChannelKey {
  readonly targetHost: string;
  readonly failingSince: Date;
  readonly reason: 'gone' | 'failing';
}

/** Locks it. Null if it has recovered, was changed, or is locked by another transaction. */
export async function lockUnhealthy(sql: Sql, { tenantId, id }: ChannelKey): Promise<UnhealthyChannel | null> {
  const [row] = await sql.query(
    `select c.target_host, c.failing_since, c.gone_at is not null as is_gone from usance.notification_channels c
     where c.tenant_id = $1::uuid and c.id = $2::uuid and ${IS_OVER} for update skip locked`,
    [tenantId, id],
  );
  if (!row) return null;
  return {
    tenantId,
    id,
    targetHost: asText(row['target_host']),
    failingSince: asDate(row['failing_since']),
    reason: asBoolean(row['is_gone']) ? 'gone' : 'failing',
  };
}

export async function markDisabled(sql: Sql, { tenantId, id, reason }: UnhealthyChannel, at: Date): Promise<void> {
  await sql.query(
    `update usance.notification_channels set disabled_reason = $3::text, updated_at = $4::timestamptz
     where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id, reason, at],
  );
}

export interface ChannelReadings {
  /** Failing now, and not disabled yet. */
  readonly failing: number;
  /** Disabled because their messages failed. */
  readonly disabled: number;
}

export async function readChannelHealth(sql: Sql): Promise<ChannelReadings> {
  const row = only(
    await sql.query(
      `select (select count(*)::int from usance.notification_channels where failing_since is not null and disabled_reason is null) as failing,
         (select count(*)::int from usance.notification_channels where disabled_reason in ('gone', 'failing')) as disabled`,
    ),
  );
  return { failing: asNumber(row['failing']), disabled: asNumber(row['disabled']) };
}
