import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { CLOCKS_OF_TENANTS } from '../tenants/index.ts';

export interface PaymentLimit {
  readonly tenantId: Uuid;
  /** Null: of every account of the tenant. */
  readonly accountId: Uuid | null;
  readonly asset: string;
  readonly maxAmount: bigint | null;
  readonly dailyAmount: bigint | null;
  /** Since when a day's payments are counted. */
  readonly dailySince: Date | null;
  /** One payment of more waits for a second person. */
  readonly approvalAbove: bigint | null;
}

const COLUMNS = 'l.tenant_id, l.account_id, l.asset, l.max_amount, l.daily_amount, l.daily_since, l.approval_above';

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
    dailySince: asDateOrNull(row['daily_since']),
    approvalAbove: bigintOrNull(row['approval_above']),
  };
}

export interface LimitChange extends Pick<PaymentLimit, 'tenantId' | 'accountId' | 'asset'> {
  /** Null removes it, undefined leaves it as it is. */
  readonly maxAmount: bigint | null | undefined;
  readonly dailyAmount: bigint | null | undefined;
  readonly approvalAbove: bigint | null | undefined;
  /** When a daily limit that is new begins to count. */
  readonly since: Date;
}

type Limits = Pick<PaymentLimit, 'maxAmount' | 'dailyAmount' | 'approvalAbove'>;

const limitsOf = (row: Row | undefined): Limits => ({
  maxAmount: bigintOrNull(row?.['max_amount'] ?? null),
  dailyAmount: bigintOrNull(row?.['daily_amount'] ?? null),
  approvalAbove: bigintOrNull(row?.['approval_above'] ?? null),
});

/** Returns what the limits were and what they are. */
export async function writeLimit(sql: Sql, limit: LimitChange): Promise<{ old: Limits; new: Limits }> {
  const { maxAmount, dailyAmount, approvalAbove } = limit;
  const key = [limit.tenantId, limit.accountId, limit.asset];
  const same = 'tenant_id = $1::uuid and account_id is not distinct from $2::uuid and asset = $3::text';
  // A statement of its own: within the one below it would be read after the change.
  const [old] = await sql.query(
    `select max_amount, daily_amount, approval_above from usance.payment_limits where ${same} for update`,
    key,
  );
  const written = only(
    await sql.query(
      `insert into usance.payment_limits as l
         (tenant_id, account_id, asset, max_amount, daily_amount, approval_above, daily_since)
       values ($1::uuid, $2::uuid, $3::text, $4::bigint, $5::bigint, $6::bigint,
               case when $5::bigint is not null then $10::timestamptz end)
       on conflict (tenant_id, asset, account_id) do update
       set max_amount = case when $7::boolean then excluded.max_amount else l.max_amount end,
           daily_amount = case when $8::boolean then excluded.daily_amount else l.daily_amount end,
           daily_since = case when not $8::boolean then l.daily_since
                              when excluded.daily_amount is not null then coalesce(l.daily_since, excluded.daily_since) end,
           approval_above = case when $9::boolean then excluded.approval_above else l.approval_above end
       returning max_amount, daily_amount, approval_above`,
      [
        ...key,
        maxAmount ?? null,
        dailyAmount ?? null,
        approvalAbove ?? null,
        maxAmount !== undefined,
        dailyAmount !== undefined,
        approvalAbove !== undefined,
        limit.since,
      ],
    ),
  );
  await sql.query(
    `delete from usance.payment_limits
     where ${same} and max_amount is null and daily_amount is null and approval_above is null`,
    key,
  );
  return { old: limitsOf(old), new: limitsOf(written) };
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

/** Buckets that no limit looks at any more. A test clock may stand in any year: its tenants' are left alone. */
export async function deleteSpendBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.spend_buckets where ctid = any (array(
       select b.ctid from usance.spend_buckets b
       where b.hour < $1::timestamptz and not exists (select from (${CLOCKS_OF_TENANTS}) c where c.tenant_id = b.tenant_id)
       limit $2::int for update of b skip locked))
     returning 1 as gone`,
    [before, limit],
  );
  return rows.length;
}
