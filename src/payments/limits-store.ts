import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { SetupError } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { ACTIVE_PAUSES, CLOCKS_OF_TENANTS, Pauses, pauseOf } from '../tenants/index.ts';
import type { MakerKey } from './approval-count.ts';
import type { TenantKey } from './tenant-limits.ts';
import { TenantLimits } from './tenant-limits.ts';

export interface PaymentLimit {
  readonly tenantId: Uuid;
  /** Null: of the tenant. */
  readonly accountId: Uuid | null;
  readonly asset: string;
  /** What one payment may be at most. */
  readonly maxAmount: bigint | null;
  /** What the account may send in 24 hours. */
  readonly dailyAmount: bigint | null;
  /** Of a tenant: what each account may send in 24 hours that has no `dailyAmount`. */
  readonly defaultDailyAmount: bigint | null;
  /** Of a tenant: what all its accounts may send together in 24 hours. */
  readonly tenantDailyAmount: bigint | null;
  /** A payment needs approval when it, plus what the same caller sent from this payer unapproved in 24 hours, exceeds this. */
  readonly approvalAbove: bigint | null;
}

const COLUMNS = `l.tenant_id, l.account_id, l.asset, l.max_amount, l.daily_amount, l.default_daily_amount, l.tenant_daily_amount,
  l.approval_above`;

const bigintOrNull = (value: unknown): bigint | null => (value === null ? null : asBigInt(value));

/** The limits of some accounts and of their tenants. */
export async function readLimits(sql: Sql, keys: readonly BalanceKey[]): Promise<PaymentLimit[]> {
  const rows = await sql.query(
    `select distinct ${COLUMNS}
     from unnest($1::uuid[], $2::uuid[], $3::text[]) k (tenant_id, account_id, asset)
     join usance.payment_limits l on l.tenant_id = k.tenant_id and l.asset = k.asset
       and (l.account_id is null or l.account_id = k.account_id)`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.accountId), keys.map((key) => key.asset)],
  );
  return rows.map(paymentLimit);
}

/**
 * What tenants say of payments that are due: what is paused, and their daily limits. One statement of two index scans, both empty for
 * nearly every tenant (pauses_one_at_a_time, payment_limits_of_tenants).
 */
export async function readTenantRules(
  sql: Sql,
  tenants: readonly Uuid[],
): Promise<{ pauses: Pauses; limits: TenantLimits }> {
  const rows = await sql.query(
    `select p.tenant_id, p.scope, p.value, null::text as asset, null::bigint as default_amount, null::bigint as total
     from (${ACTIVE_PAUSES}) p where p.tenant_id = any ($1::uuid[])
     union all
     select l.tenant_id, null, null, l.asset, l.default_daily_amount, l.tenant_daily_amount from usance.payment_limits l
     where l.tenant_id = any ($1::uuid[]) and (l.default_daily_amount is not null or l.tenant_daily_amount is not null)`,
    [tenants],
  );
  const [paused, limited] = [rows.filter((row) => row['scope'] !== null), rows.filter((row) => row['scope'] === null)];
  return {
    pauses: new Pauses(paused.map(pauseOf)),
    limits: new TenantLimits(
      limited.map((row) => ({
        tenantId: asText(row['tenant_id']),
        asset: asText(row['asset']),
        defaultDailyAmount: bigintOrNull(row['default_amount']),
        tenantDailyAmount: bigintOrNull(row['total']),
      })),
    ),
  };
}

/** Every limit of a tenant: its own first, then of its accounts. */
export async function listLimits(sql: Sql, tenantId: Uuid, limit: number): Promise<PaymentLimit[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.payment_limits l
     where l.tenant_id = $1::uuid order by l.account_id nulls first, l.asset limit $2::int`,
    [tenantId, limit],
  );
  return rows.map(paymentLimit);
}

function paymentLimit(row: Row): PaymentLimit {
  return {
    tenantId: asText(row['tenant_id']),
    accountId: row['account_id'] === null ? null : asText(row['account_id']),
    asset: asText(row['asset']),
    maxAmount: bigintOrNull(row['max_amount']),
    dailyAmount: bigintOrNull(row['daily_amount']),
    defaultDailyAmount: bigintOrNull(row['default_daily_amount']),
    tenantDailyAmount: bigintOrNull(row['tenant_daily_amount']),
    approvalAbove: bigintOrNull(row['approval_above']),
  };
}

export type LimitAmounts = Pick<
  PaymentLimit,
  'maxAmount' | 'dailyAmount' | 'defaultDailyAmount' | 'tenantDailyAmount' | 'approvalAbove'
>;

/** Null removes a limit, undefined leaves it as it is. */
export type LimitChange = Pick<PaymentLimit, 'tenantId' | 'accountId' | 'asset'> & {
  readonly [K in keyof LimitAmounts]: LimitAmounts[K] | undefined;
};

const amountsOf = (row: Row | undefined): LimitAmounts => ({
  maxAmount: bigintOrNull(row?.['max_amount'] ?? null),
  dailyAmount: bigintOrNull(row?.['daily_amount'] ?? null),
  defaultDailyAmount: bigintOrNull(row?.['default_daily_amount'] ?? null),
  tenantDailyAmount: bigintOrNull(row?.['tenant_daily_amount'] ?? null),
  approvalAbove: bigintOrNull(row?.['approval_above'] ?? null),
});

const AMOUNTS = 'max_amount, daily_amount, default_daily_amount, tenant_daily_amount, approval_above';

/** Returns what the limits were and what they are. */
export async function writeLimit(sql: Sql, limit: LimitChange): Promise<{ old: LimitAmounts; new: LimitAmounts }> {
  const amounts = [
    limit.maxAmount,
    limit.dailyAmount,
    limit.defaultDailyAmount,
    limit.tenantDailyAmount,
    limit.approvalAbove,
  ];
  const key = [limit.tenantId, limit.accountId, limit.asset];
  const same = 'tenant_id = $1::uuid and account_id is not distinct from $2::uuid and asset = $3::text';
  // A first limit has no row yet that two changes at once could wait for: both would say that there was none before.
  await sql.query(
    `insert into usance.payment_limits (tenant_id, account_id, asset) values ($1::uuid, $2::uuid, $3::text)
     on conflict (tenant_id, asset, account_id) do nothing`,
    key,
  );
  // A statement of its own: within the one below it would be read after the change.
  const [old] = await sql.query(`select ${AMOUNTS} from usance.payment_limits where ${same} for update`, key);
  const written = only(
    await sql.query(
      `insert into usance.payment_limits as l (tenant_id, account_id, asset, ${AMOUNTS})
       values ($1::uuid, $2::uuid, $3::text, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::bigint)
       on conflict (tenant_id, asset, account_id) do update
       set max_amount = case when $9::boolean then excluded.max_amount else l.max_amount end,
           daily_amount = case when $10::boolean then excluded.daily_amount else l.daily_amount end,
           default_daily_amount = case when $11::boolean then excluded.default_daily_amount else l.default_daily_amount end,
           tenant_daily_amount = case when $12::boolean then excluded.tenant_daily_amount else l.tenant_daily_amount end,
           approval_above = case when $13::boolean then excluded.approval_above else l.approval_above end
       returning ${AMOUNTS}`,
      [...key, ...amounts.map((amount) => amount ?? null), ...amounts.map((amount) => amount !== undefined)],
    ),
  );
  await sql.query(`delete from usance.payment_limits where ${same} and coalesce(${AMOUNTS}) is null`, key);
  return { old: amountsOf(old), new: amountsOf(written) };
}

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

/** Adds to buckets, or takes from them (a cancel gives back); never below zero. Under the payer's balance lock. */
export async function addSpend(sql: Sql, buckets: readonly SpendBucket[]): Promise<void> {
  await sql.query(
    `insert into usance.spend_buckets as b (tenant_id, account_id, asset, hour, amount)
     select tenant_id, account_id, asset, hour, greatest(delta, 0)
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::bigint[]) v (tenant_id, account_id, asset, hour, delta)
     on conflict (tenant_id, account_id, asset, hour) do update
     set amount = greatest(b.amount + (
       select v.delta from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::bigint[])
         v (tenant_id, account_id, asset, hour, delta)
       where v.tenant_id = b.tenant_id and v.account_id = b.account_id and v.asset = b.asset and v.hour = b.hour), 0)`,
    [
      buckets.map((bucket) => bucket.tenantId),
      buckets.map((bucket) => bucket.accountId),
      buckets.map((bucket) => bucket.asset),
      buckets.map((bucket) => bucket.hour),
      buckets.map((bucket) => bucket.amount),
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
): Promise<(TenantKey & { readonly most: bigint })[]> {
  const rows = await sql.query(
    `select l.tenant_id, l.asset, l.tenant_daily_amount, current_setting('transaction_isolation') as level
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

/** Adds to buckets of tenants, or takes from them, in the order given; never below zero. */
export async function addTotals(sql: Sql, buckets: readonly TotalBucket[]): Promise<void> {
  await sql.query(
    `insert into usance.tenant_spend as b (tenant_id, asset, hour, amount)
     select tenant_id, asset, hour, greatest(delta, 0)
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bigint[]) with ordinality v (tenant_id, asset, hour, delta, n)
     order by n
     on conflict (tenant_id, asset, hour) do update
     set amount = greatest(b.amount + (
       select v.delta from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bigint[]) v (tenant_id, asset, hour, delta)
       where v.tenant_id = b.tenant_id and v.asset = b.asset and v.hour = b.hour), 0)`,
    [...tenantsAndAssets(buckets), buckets.map((bucket) => bucket.hour), buckets.map((bucket) => bucket.amount)],
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
