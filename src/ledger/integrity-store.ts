import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asRecord, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID, firstIdAt } from '../kernel/index.ts';
import type { Check } from './checks.ts';

export interface Offender {
  readonly tenantId: Uuid;
  readonly asset: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Up to `limit` offenders, of some accounts or of all (null). Materialized, so that it is planned for reading everything:
 * a limit makes the planner bet on finding offenders soon, and with none to find that bet was quadratic.
 */
export async function findOffenders(
  sql: Sql,
  offenders: string,
  accounts: readonly Uuid[] | null,
  limit: number,
): Promise<Offender[]> {
  const rows = await sql.query(
    `with o as materialized (${offenders}) select tenant_id, asset, details::text as details from o limit $2::int`,
    [accounts, limit],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    asset: asText(row['asset']),
    details: asRecord(row['details']),
  }));
}

export async function countRows(sql: Sql, check: Check): Promise<bigint> {
  return asBigInt(only(await sql.query(check.counted))['rows']);
}

export interface AccountCursor {
  readonly tenantId: Uuid;
  readonly id: Uuid;
}

/** The next accounts in key order. */
export async function nextAccounts(sql: Sql, after: AccountCursor | null, limit: number): Promise<AccountCursor[]> {
  const rows = await sql.query(
    `select tenant_id, id from usance.accounts where (tenant_id, id) > ($1::uuid, $2::uuid) order by tenant_id, id limit $3::int`,
    [after?.tenantId ?? NIL_UUID, after?.id ?? NIL_UUID, limit],
  );
  return rows.map((row) => ({ tenantId: asText(row['tenant_id']), id: asText(row['id']) }));
}

/**
 * Moves the checkpoints of some accounts up to an instant that lies safely back: a transfer's id is made after its
 * balances are locked, by a machine whose clock is assumed to be wrong by less than the distance.
 */
export async function moveCheckpoints(sql: Sql, accounts: readonly Uuid[], upTo: Date): Promise<void> {
  await sql.query(
    `insert into usance.balance_checkpoints (tenant_id, account_id, asset, through, total, checked_at)
     select b.tenant_id, b.account_id, b.asset, $2::uuid,
            coalesce(c.total, 0)
            + coalesce((select sum(t.amount) from usance.transfers t where t.tenant_id = b.tenant_id and t.asset = b.asset
                          and t.credit_account_id = b.account_id and t.id <= $2::uuid
                          and t.id > coalesce(c.through, '${NIL_UUID}'::uuid)), 0)
            - coalesce((select sum(t.amount) from usance.transfers t where t.tenant_id = b.tenant_id and t.asset = b.asset
                          and t.debit_account_id = b.account_id and t.id <= $2::uuid
                          and t.id > coalesce(c.through, '${NIL_UUID}'::uuid)), 0),
            clock_timestamp()
     from usance.balances b left join usance.balance_checkpoints c using (tenant_id, account_id, asset)
     where b.account_id = any ($1::uuid[]) and (c.through is null or c.through < $2::uuid)
     on conflict (tenant_id, account_id, asset)
     do update set through = excluded.through, total = excluded.total, checked_at = excluded.checked_at`,
    [accounts, firstIdAt(upTo)],
  );
}

export interface Freeze {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly asset: string;
  readonly violation: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly frozenAt: Date;
  readonly liftedAt: Date | null;
  readonly liftedBy: string | null;
}

/** Of which nothing may leave. */
export interface Frozen {
  readonly tenantId: Uuid;
  readonly asset: string;
}

export interface UnderLock {
  /** The database's time, in whole milliseconds, rounded down. */
  readonly at: Date;
  readonly frozen: readonly Frozen[];
}

/**
 * Sent right after the statement that locks balances, so that a freeze committed before the lock is seen, and so that `at`
 * is later than every posting to those balances that has committed. A handful of rows at worst.
 */
export async function lookUnderLock(sql: Sql): Promise<UnderLock> {
  const rows = await sql.query(
    `select date_trunc('milliseconds', clock_timestamp()) as at, f.tenant_id, f.asset
     from (values (1)) always (n) left join usance.freezes f on f.lifted_at is null`,
  );
  const frozen = rows.flatMap((row) =>
    row['tenant_id'] === null ? [] : [{ tenantId: asText(row['tenant_id']), asset: asText(row['asset']) }],
  );
  return { at: asDate(rows[0]?.['at']), frozen };
}

/** False when it was frozen already, or is no asset of a tenant's: of that nothing can leave. */
export async function insertFreeze(
  sql: Sql,
  freeze: { id: Uuid; tenantId: Uuid; asset: string; violation: string; details: string },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.freezes (tenant_id, id, asset, violation, details)
     select $1::uuid, $2::uuid, $3::text, $4::text, $5::jsonb
     where exists (select from usance.assets where tenant_id = $1::uuid and asset = $3::text)
     on conflict (tenant_id, asset) where lifted_at is null do nothing returning 1 as frozen`,
    [freeze.tenantId, freeze.id, freeze.asset, freeze.violation, freeze.details],
  );
  return rows.length === 1;
}

export async function liftFreezeRow(
  sql: Sql,
  lift: { tenantId: Uuid; asset: string; actor: string; reason: string },
): Promise<Uuid | null> {
  const [row] = await sql.query(
    `update usance.freezes set lifted_at = clock_timestamp(), lifted_by = $3::text, lift_reason = $4::text
     where tenant_id = $1::uuid and asset = $2::text and lifted_at is null returning id`,
    [lift.tenantId, lift.asset, lift.actor, lift.reason],
  );
  return row ? asText(row['id']) : null;
}

export async function listFreezes(sql: Sql, options: { activeOnly: boolean }): Promise<Freeze[]> {
  const rows = await sql.query(
    `select tenant_id, id, asset, violation, details::text as details, frozen_at, lifted_at, lifted_by
     from usance.freezes where (lifted_at is null or not $1::boolean) order by id`,
    [options.activeOnly],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    asset: asText(row['asset']),
    violation: asText(row['violation']),
    details: asRecord(row['details']),
    frozenAt: asDate(row['frozen_at']),
    liftedAt: asDateOrNull(row['lifted_at']),
    liftedBy: asTextOrNull(row['lifted_by']),
  }));
}
