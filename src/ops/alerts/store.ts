// Alerts, and when tenants are checked. A check holds the tenant's row of alert_checks and skips a row that is held, so a crossing has one writer and nothing
// waits; the unique index alerts_open says the same again.
import type { Row, Sql, Transaction } from '../../db/index.ts';
import { asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { Alert, AlertKind } from './alert.ts';
import { ALERT_KINDS, windowOf } from './alert.ts';

/** Adds tenants that are not checked yet. Writes nothing if there are none. */
export async function enrollTenants(sql: Sql, tenantIds: readonly Uuid[]): Promise<void> {
  if (tenantIds.length === 0) return;
  await sql.query(
    `insert into usance.alert_checks (tenant_id)
     select t.id from unnest($1::uuid[]) t (id)
     where not exists (select from usance.alert_checks c where c.tenant_id = t.id)
     order by t.id on conflict do nothing`,
    [tenantIds],
  );
}

export interface ClaimOptions {
  readonly everyMs: number;
  readonly limit: number;
  /** Also those that are due later, up to an interval after this instant. */
  readonly until: Date | null;
}

/** Tenants whose check is due, moved on by an interval; of several processes, one takes each. Rides alert_checks_next. */
export async function claimTenants(sql: Sql, { everyMs, limit, until }: ClaimOptions): Promise<Uuid[]> {
  const rows = await sql.query(
    `with due as (
       select c.tenant_id from usance.alert_checks c
       where c.next_at <= coalesce($3::timestamptz + make_interval(secs => $2::bigint / 1000.0), clock_timestamp())
       order by c.next_at limit $1::int for no key update skip locked)
     update usance.alert_checks c set next_at = clock_timestamp() + make_interval(secs => $2::bigint / 1000.0)
     from due where c.tenant_id = due.tenant_id returning c.tenant_id`,
    [limit, everyMs, until],
  );
  return rows.map((row) => asText(row['tenant_id']));
}

/** False if another process checks the tenant now. Bounds how long a statement of this check may take. */
export async function beginCheck(tx: Transaction, tenantId: Uuid, statementMs: number): Promise<boolean> {
  await tx.query(`select set_config('statement_timeout', $1::text, true)`, [String(statementMs)]);
  const rows = await tx.query(
    `select from usance.alert_checks c where c.tenant_id = $1::uuid for no key update skip locked`,
    [tenantId],
  );
  return rows.length > 0;
}

/** A tenant whose check failed is checked later than the others. */
export async function postponeCheck(sql: Sql, tenantId: Uuid, forMs: number): Promise<void> {
  await sql.query(
    `with free as (
       select c.tenant_id from usance.alert_checks c where c.tenant_id = $1::uuid for no key update skip locked)
     update usance.alert_checks c set next_at = clock_timestamp() + make_interval(secs => $2::bigint / 1000.0)
     from free where c.tenant_id = free.tenant_id`,
    [tenantId, forMs],
  );
}

const COLUMNS = `a.id, a.kind, a.chain, a.asset, a.value::text as value, a.threshold::text as threshold, a.count, a.raised_at, a.cleared_at,
  a.cleared_value::text as cleared_value`;

const named = (value: Row[string]): string | null => {
  const text = asText(value);
  return text === '' ? null : text;
};

function alert(row: Row): Alert {
  const kind = asText(row['kind']) as AlertKind;
  return {
    id: asText(row['id']),
    kind,
    chain: named(row['chain']),
    asset: named(row['asset']),
    unit: ALERT_KINDS[kind],
    value: asText(row['value']),
    threshold: asText(row['threshold']),
    count: asNumber(row['count']),
    windowMs: windowOf(kind),
    raisedAt: asDate(row['raised_at']),
    clearedAt: asDateOrNull(row['cleared_at']),
    clearedValue: asTextOrNull(row['cleared_value']),
  };
}

/** Rides alerts_open. */
export async function listOpenAlerts(sql: Sql, tenantId: Uuid, limit: number): Promise<Alert[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.alerts a where a.tenant_id = $1::uuid and a.cleared_at is null order by a.id desc limit $2::int`,
    [tenantId, limit],
  );
  return rows.map(alert);
}

/** The ids of those that were not open already. */
export async function insertAlerts(sql: Sql, tenantId: Uuid, alerts: readonly Alert[]): Promise<Set<Uuid>> {
  const rows = await sql.query(
    `insert into usance.alerts (tenant_id, id, kind, chain, asset, value, threshold, count, raised_at)
     select $1::uuid, v.* from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::numeric[], $8::int[], $9::timestamptz[]) v
     on conflict (tenant_id, kind, chain, asset) where cleared_at is null do nothing returning id`,
    [
      tenantId,
      alerts.map(({ id }) => id),
      alerts.map(({ kind }) => kind),
      alerts.map(({ chain }) => chain ?? ''),
      alerts.map(({ asset }) => asset ?? ''),
      alerts.map(({ value }) => value),
      alerts.map(({ threshold }) => threshold),
      alerts.map(({ count }) => count),
      alerts.map(({ raisedAt }) => raisedAt),
    ],
  );
  return new Set(rows.map((row) => asText(row['id'])));
}

/** The ids of those that were open. */
export async function clearAlerts(
  sql: Sql,
  tenantId: Uuid,
  cleared: readonly { readonly id: Uuid; readonly value: string | null }[],
  now: Date,
): Promise<Set<Uuid>> {
  const rows = await sql.query(
    `update usance.alerts a set cleared_at = greatest($4::timestamptz, a.raised_at), cleared_value = v.value, ended_at = clock_timestamp()
     from unnest($2::uuid[], $3::numeric[]) v (id, value)
     where a.tenant_id = $1::uuid and a.id = v.id and a.cleared_at is null returning a.id`,
    [tenantId, cleared.map(({ id }) => id), cleared.map(({ value }) => value), now],
  );
  return new Set(rows.map((row) => asText(row['id'])));
}

export interface AlertRange {
  readonly status: 'open' | 'cleared' | null;
  readonly kind: AlertKind | null;
  readonly limit: number;
  readonly before: Uuid | null;
}

/** Newest first. */
export async function listAlerts(
  sql: Sql,
  tenantId: Uuid,
  { status, kind, limit, before }: AlertRange,
): Promise<Alert[]> {
  const state = status === null ? '' : `and a.cleared_at is ${status === 'open' ? 'null' : 'not null'}`;
  const rows = await sql.query(
    `select ${COLUMNS} from usance.alerts a
     where a.tenant_id = $1::uuid and ($2::uuid is null or a.id < $2::uuid) and ($3::text is null or a.kind = $3::text) ${state}
     order by a.id desc limit $4::int`,
    [tenantId, before, kind, limit],
  );
  return rows.map(alert);
}

/** Open alerts of all tenants, counted up to a bound; for metrics. Rides alerts_open. */
export async function countOpenAlerts(sql: Sql, most: number): Promise<number> {
  const row = only(
    await sql.query(
      `select count(*)::int as count from (select from usance.alerts a where a.cleared_at is null limit $1::int) o`,
      [most],
    ),
  );
  return asNumber(row['count']);
}

/** Rides alerts_ended. */
export async function deleteClearedAlerts(sql: Sql, keptMs: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.alerts d using (
       select a.tenant_id, a.id from usance.alerts a
       where a.ended_at < clock_timestamp() - make_interval(secs => $1::bigint / 1000.0)
       order by a.ended_at limit $2::int for update skip locked) old
     where d.tenant_id = old.tenant_id and d.id = old.id returning d.id`,
    [keptMs, limit],
  );
  return rows.length;
}
