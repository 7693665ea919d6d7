// What counts in daily limits and approval thresholds: hourly buckets of accounts, tenants and makers. spend.ts and approval-count.ts
// say which locks they are written under.
import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { SetupError } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { CLOCKS_OF_TENANTS } from '../tenants/index.ts';
import type { MakerKey } from './approval-count.ts';
import type { TenantKey } from './tenant-limits.ts';

export interface SpendBucket extends BalanceKey {
  readonly hour: Date;
  readonly amount: bigint;
}

/** What accounts have sent since an hour. */
export async function readSpend(sql: Sql, keys: readonly BalanceKey[], since: Date): Promise<SpendBucket[]> {
  const rows = await sql.query(
    `select b.tenant_id, b.account_id, b.asset, b.hour, b.amount
     from unnest($1::uuid[], $2::uuid[], $3::text[]) k (tenant_id, account_id, asset)
     join usance.spend_buckets b using (tenant_id, account_id, asset)
     where b.hour > $4::timestamptz`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.accountId), keys.map((key) => key.asset), since],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    accountId: asText(row['account_id']),
    asset: asText(row['asset']),
    hour: asDate(row['hour']),
    amount: asBigInt(row['amount']),
  }));
}

/** An amount to count, or to take off again: `at` is the instant it was counted at. */
export interface Spent extends BalanceKey {
  readonly at: Date;
  readonly hour: Date;
  readonly amount: bigint;
}

/**
 * Adds to buckets, or takes from them (a cancel gives back); never below zero. Under the payer's balance lock. A bucket begins with each
 * hour and each limit, the account's own or the default; an amount is in the last one that had begun when it was counted, so that a
 * release finds it whatever limits are set by then. An amount that was counted before the limit was set is not taken off.
 */
export async function addSpend(sql: Sql, spent: readonly Spent[]): Promise<void> {
  await sql.query(
    `with v as (
       select tenant_id, account_id, asset,
         greatest(hour, case when delta > 0 then begun end, (
           select max(b.hour) from usance.spend_buckets b
           where b.tenant_id = v.tenant_id and b.account_id = v.account_id and b.asset = v.asset
             and b.hour between v.hour and v.at)) as hour,
         sum(delta)::bigint as delta
       from (select v.*, coalesce(own.daily_since, d.default_daily_since, '-infinity') as since,
               greatest(own.daily_since, d.default_daily_since) as begun
             from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bigint[])
               v (tenant_id, account_id, asset, at, hour, delta)
             left join usance.payment_limits own on own.tenant_id = v.tenant_id and own.asset = v.asset
               and own.account_id = v.account_id and own.daily_amount is not null
             left join usance.payment_limits d on d.tenant_id = v.tenant_id and d.asset = v.asset
               and d.account_id is null and d.default_daily_amount is not null) v
       where delta > 0 or at >= since
       group by 1, 2, 3, 4)
     insert into usance.spend_buckets as b (tenant_id, account_id, asset, hour, amount)
     select tenant_id, account_id, asset, hour, greatest(delta, 0) from v
     on conflict (tenant_id, account_id, asset, hour) do update
     set amount = greatest(b.amount + (
       select v.delta from v
       where v.tenant_id = b.tenant_id and v.account_id = b.account_id and v.asset = b.asset and v.hour = b.hour), 0)`,
    [
      spent.map((each) => each.tenantId),
      spent.map((each) => each.accountId),
      spent.map((each) => each.asset),
      spent.map((each) => each.at),
      spent.map((each) => each.hour),
      spent.map((each) => each.amount),
    ],
  );
}

const tenantsAndAssets = (keys: readonly TenantKey[]): [Uuid[], string[]] => [
  keys.map((key) => key.tenantId),
  keys.map((key) => key.asset),
];

/** Locks daily totals, after the balances, and returns them. `skipLocked` leaves out those that another transaction holds. */
export async function lockTotals(
  sql: Sql,
  keys: readonly TenantKey[],
  options: { skipLocked?: boolean } = {},
): Promise<(TenantKey & { readonly most: bigint; readonly since: Date | null })[]> {
  const rows = await sql.query(
    `select l.tenant_id, l.asset, l.tenant_daily_amount, l.tenant_daily_since, current_setting('transaction_isolation') as level
     from unnest($1::uuid[], $2::text[]) k (tenant_id, asset)
     join usance.payment_limits l on l.tenant_id = k.tenant_id and l.asset = k.asset
     where l.account_id is null and l.tenant_daily_amount is not null
     order by l.tenant_id, l.asset for no key update of l ${options.skipLocked ? 'skip locked' : ''}`,
    tenantsAndAssets(keys),
  );
  if (rows.some((row) => row['level'] !== 'read committed')) {
    throw new SetupError(
      'the transaction passed to within() must use READ COMMITTED, because this tenant has a daily total',
    );
  }
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    asset: asText(row['asset']),
    most: asBigInt(row['tenant_daily_amount']),
    since: row['tenant_daily_since'] === null ? null : asDate(row['tenant_daily_since']),
  }));
}

export interface TotalBucket extends TenantKey {
  readonly hour: Date;
  readonly amount: bigint;
}

/** What tenants have sent since an hour; exact under their locks. */
export async function readTotals(sql: Sql, keys: readonly TenantKey[], since: Date): Promise<TotalBucket[]> {
  const rows = await sql.query(
    `select b.tenant_id, b.asset, b.hour, b.amount from unnest($1::uuid[], $2::text[]) k (tenant_id, asset)
     join usance.tenant_spend b using (tenant_id, asset) where b.hour > $3::timestamptz`,
    [...tenantsAndAssets(keys), since],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    asset: asText(row['asset']),
    hour: asDate(row['hour']),
    amount: asBigInt(row['amount']),
  }));
}

export type TotalSpent = Omit<Spent, 'accountId'>;

/** The same for tenants. Releases change buckets of a total without its lock: every statement changes them in one order. */
export async function addTotals(sql: Sql, spent: readonly TotalSpent[]): Promise<void> {
  await sql.query(
    `with v as (
       select tenant_id, asset, greatest(hour, since) as hour, sum(delta)::bigint as delta
       from (select v.*, coalesce(l.tenant_daily_since, '-infinity') as since
             from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::bigint[])
               v (tenant_id, asset, at, hour, delta)
             left join usance.payment_limits l on l.tenant_id = v.tenant_id and l.asset = v.asset
               and l.account_id is null and l.tenant_daily_amount is not null) v
       where delta > 0 or at >= since
       group by 1, 2, 3)
     insert into usance.tenant_spend as b (tenant_id, asset, hour, amount)
     select tenant_id, asset, hour, greatest(delta, 0) from v order by tenant_id, asset, hour
     on conflict (tenant_id, asset, hour) do update
     set amount = greatest(b.amount + (
       select v.delta from v where v.tenant_id = b.tenant_id and v.asset = b.asset and v.hour = b.hour), 0)`,
    [
      ...tenantsAndAssets(spent),
      spent.map((each) => each.at),
      spent.map((each) => each.hour),
      spent.map((each) => each.amount),
    ],
  );
}

const makersOf = (keys: readonly MakerKey[]): [Uuid[], Uuid[], string[], string[]] => [
  keys.map((key) => key.tenantId),
  keys.map((key) => key.accountId),
  keys.map((key) => key.asset),
  keys.map((key) => key.maker),
];

/**
 * One transaction at a time counts what a maker sends from a payer. The last lock of a verb, in one order for all. The answer at i:
 * whether the lock of key i was taken; an impatient key goes without where another transaction holds it.
 */
export async function lockMakers(
  sql: Sql,
  keys: readonly (MakerKey & { readonly impatient: boolean })[],
): Promise<boolean[]> {
  const rows = await sql.query(
    `select k.n::int as n, current_setting('transaction_isolation') as level,
       case when k.impatient then pg_try_advisory_xact_lock(k.lock) else pg_advisory_xact_lock(k.lock)::text is not null end as got
     from (select n, impatient, hashtextextended(concat_ws(chr(31), tenant_id, account_id, asset, maker), 13) as lock
           from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::boolean[]) with ordinality
             k (tenant_id, account_id, asset, maker, impatient, n)
           order by lock, impatient) k`,
    [...makersOf(keys), keys.map((key) => key.impatient)],
  );
  if (rows.some((row) => row['level'] !== 'read committed'))
    throw new SetupError(
      'the transaction passed to within() must use READ COMMITTED, because this tenant has an approval threshold',
    );
  const taken = new Set(rows.flatMap((row) => (row['got'] === true ? [Number(row['n']) - 1] : [])));
  return keys.map((_, index) => taken.has(index));
}

/** What makers sent from payers without approval since an hour. */
export async function readUnapproved(
  sql: Sql,
  keys: readonly MakerKey[],
  since: Date,
): Promise<(MakerKey & { readonly amount: bigint })[]> {
  const rows = await sql.query(
    `select b.tenant_id, b.account_id, b.asset, b.maker, sum(b.amount)::text as amount
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) k (tenant_id, account_id, asset, maker)
     join usance.unapproved_spend b using (tenant_id, account_id, asset, maker)
     where b.hour > $5::timestamptz group by 1, 2, 3, 4`,
    [...makersOf(keys), since],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    accountId: asText(row['account_id']),
    asset: asText(row['asset']),
    maker: asText(row['maker']),
    amount: asBigInt(row['amount']),
  }));
}

/** Each key once. */
export async function addUnapproved(
  sql: Sql,
  added: readonly (MakerKey & { readonly amount: bigint })[],
  hour: Date,
): Promise<void> {
  await sql.query(
    `insert into usance.unapproved_spend as b (tenant_id, account_id, asset, maker, hour, amount)
     select tenant_id, account_id, asset, maker, $6::timestamptz, amount
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[]) v (tenant_id, account_id, asset, maker, amount)
     on conflict (tenant_id, account_id, asset, maker, hour) do update set amount = b.amount + excluded.amount`,
    [...makersOf(added), added.map((each) => each.amount), hour],
  );
}

/** Buckets that no limit looks at any more. A test clock may stand in any year: its tenants' are left alone. */
export async function deleteSpendBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  let gone = 0;
  for (const table of ['spend_buckets', 'tenant_spend', 'unapproved_spend']) {
    const rows = await sql.query(
      `delete from usance.${table} where ctid = any (array(
         select b.ctid from usance.${table} b
         where b.hour < $1::timestamptz and not exists (select from (${CLOCKS_OF_TENANTS}) c where c.tenant_id = b.tenant_id)
         limit $2::int for update of b skip locked))
       returning 1 as gone`,
      [before, limit - gone],
    );
    gone += rows.length;
  }
  return gone;
}
