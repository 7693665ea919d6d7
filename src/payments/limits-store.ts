import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { ACTIVE_PAUSES, Pauses, pauseOf } from '../tenants/index.ts';
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
const dateOrNull = (value: unknown): Date | null => (value === null ? null : asDate(value));

/** A limit, and since when its daily amounts count. */
export interface CountedLimit extends PaymentLimit {
  readonly dailySince: Date | null;
  readonly defaultDailySince: Date | null;
  readonly tenantDailySince: Date | null;
}

/** The limits of some accounts and of their tenants. */
export async function readLimits(sql: Sql, keys: readonly BalanceKey[]): Promise<CountedLimit[]> {
  const rows = await sql.query(
    `select distinct ${COLUMNS}, l.daily_since, l.default_daily_since, l.tenant_daily_since
     from unnest($1::uuid[], $2::uuid[], $3::text[]) k (tenant_id, account_id, asset)
     join usance.payment_limits l on l.tenant_id = k.tenant_id and l.asset = k.asset
       and (l.account_id is null or l.account_id = k.account_id)`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.accountId), keys.map((key) => key.asset)],
  );
  return rows.map((row) => ({
    ...paymentLimit(row),
    dailySince: dateOrNull(row['daily_since']),
    defaultDailySince: dateOrNull(row['default_daily_since']),
    tenantDailySince: dateOrNull(row['tenant_daily_since']),
  }));
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
    `select p.tenant_id, p.scope, p.value, null::text as asset, null::bigint as default_amount, null::timestamptz as since, null::bigint as total
     from (${ACTIVE_PAUSES}) p where p.tenant_id = any ($1::uuid[])
     union all
     select l.tenant_id, null, null, l.asset, l.default_daily_amount, l.default_daily_since, l.tenant_daily_amount
     from usance.payment_limits l
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
        defaultDailySince: dateOrNull(row['since']),
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

/**
 * Returns what the limits were and what they are. A limit that was unset counts from now on; one whose value changes keeps what it has
 * counted, and an account's own limit what the tenant's default has.
 */
export async function writeLimit(
  sql: Sql,
  limit: LimitChange,
  now: Date,
): Promise<{ old: LimitAmounts; new: LimitAmounts }> {
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
           approval_above = case when $13::boolean then excluded.approval_above else l.approval_above end,
           daily_since = case when l.daily_amount is not null then l.daily_since else coalesce((
             select d.default_daily_since from usance.payment_limits d
             where d.tenant_id = l.tenant_id and d.asset = l.asset and d.account_id is null and d.default_daily_amount is not null),
             $14::timestamptz) end,
           default_daily_since = case when l.default_daily_amount is null then $14::timestamptz else l.default_daily_since end,
           tenant_daily_since = case when l.tenant_daily_amount is null then $14::timestamptz else l.tenant_daily_since end
       returning ${AMOUNTS}`,
      [...key, ...amounts.map((amount) => amount ?? null), ...amounts.map((amount) => amount !== undefined), now],
    ),
  );
  await sql.query(`delete from usance.payment_limits where ${same} and coalesce(${AMOUNTS}) is null`, key);
  return { old: amountsOf(old), new: amountsOf(written) };
}
