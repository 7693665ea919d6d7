// Policies, listed addresses, caps, and what was signed by the hour. Most tenants have no row in the first three.
import type { Element, Row, Sql } from '../../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { CLOCKS_OF_TENANTS } from '../../tenants/index.ts';

export interface PayoutPolicy {
  readonly tenantId: Uuid;
  /** Payouts go to listed addresses only. */
  readonly listedOnly: boolean;
  /** How long after it was added (or approved) a new address may be paid, in milliseconds of the tenant's clock. */
  readonly waitMs: number;
  /** A second person approves each new address. */
  readonly secondPerson: boolean;
}

export interface ListedAddress {
  readonly tenantId: Uuid;
  readonly chain: string;
  readonly address: string;
  /** When it may be paid; null while it awaits approval. */
  readonly usableAt: Date | null;
}

export interface PayoutDestination extends ListedAddress {
  readonly id: Uuid;
  readonly label: string | null;
  readonly addedBy: string;
  readonly addedAt: Date;
  readonly approvedBy: string | null;
}

export interface PayoutCap {
  readonly tenantId: Uuid;
  readonly asset: string;
  /** Empty: all chains together. */
  readonly chain: string;
  /** Of one payout. */
  readonly maxAmount: bigint | null;
  /** In any 24 hours. */
  readonly dailyAmount: bigint | null;
}

export interface ChainSpend {
  readonly tenantId: Uuid;
  readonly chain: string;
  readonly asset: string;
  readonly amount: bigint;
}

/** What tenants allow their payouts. */
export interface Guards {
  readonly policies: readonly PayoutPolicy[];
  readonly listed: readonly ListedAddress[];
  readonly caps: readonly PayoutCap[];
}

export type AddressKey = Omit<ListedAddress, 'usableAt'>;

const bigintOrNull = (value: unknown): bigint | null => (value === null ? null : asBigInt(value));

/** `lock`: policies and addresses stay as they are until the transaction ends, and the caps are this transaction's to count. After balances. */
export async function readGuards(
  sql: Sql,
  addresses: readonly (AddressKey & { readonly asset: string })[],
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Guards> {
  const tenants = [...new Set(addresses.map(({ tenantId }) => tenantId))];
  const policies = (
    await sql.query(
      `select tenant_id, listed_only, wait_ms, second_person from usance.payout_policies where tenant_id = any ($1::uuid[])
       order by tenant_id ${lock ? 'for share' : ''}`,
      [tenants],
    )
  ).map(policyOf);
  const strict = new Set(policies.flatMap(({ tenantId, listedOnly }) => (listedOnly ? [tenantId] : [])));
  const asked = addresses.filter(({ tenantId }) => strict.has(tenantId));
  const listed = asked.length === 0 ? [] : await readListed(sql, asked, lock);
  const caps = (
    await sql.query(
      `select c.tenant_id, c.asset, c.chain, c.max_amount, c.daily_amount
       from unnest($1::uuid[], $2::text[]) k (tenant_id, asset)
       join usance.payout_caps c using (tenant_id, asset)
       order by c.tenant_id, c.asset, c.chain ${lock ? 'for no key update of c' : ''}`,
      columnsOf(
        [...new Map(addresses.map((each) => [`${each.tenantId} ${each.asset}`, each])).values()],
        ['tenantId', 'asset'],
      ),
    )
  ).map(capOf);
  return { policies, listed, caps };
}

async function readListed(sql: Sql, addresses: readonly AddressKey[], lock: boolean): Promise<ListedAddress[]> {
  const rows = await sql.query(
    `select d.tenant_id, d.chain, d.address, d.usable_at
     from (select distinct * from unnest($1::uuid[], $2::text[], $3::text[]) k (tenant_id, chain, address)) k
     join usance.payout_destinations d using (tenant_id, chain, address)
     where d.removed_at is null order by d.tenant_id, d.id ${lock ? 'for share of d' : ''}`,
    columnsOf(addresses, ['tenantId', 'chain', 'address']),
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    chain: asText(row['chain']),
    address: asText(row['address']),
    usableAt: asDateOrNull(row['usable_at']),
  }));
}

const columnsOf = <N extends string>(rows: readonly Readonly<Record<N, Element>>[], names: readonly N[]): Element[][] =>
  names.map((name) => rows.map((row) => row[name]));

const policyOf = (row: Row): PayoutPolicy => ({
  tenantId: asText(row['tenant_id']),
  listedOnly: row['listed_only'] === true,
  waitMs: asNumber(row['wait_ms']),
  secondPerson: row['second_person'] === true,
});

const capOf = (row: Row): PayoutCap => ({
  tenantId: asText(row['tenant_id']),
  asset: asText(row['asset']),
  chain: asText(row['chain']),
  maxAmount: bigintOrNull(row['max_amount']),
  dailyAmount: bigintOrNull(row['daily_amount']),
});

/** What was signed of capped assets since an hour, by chain. */
export async function readPayoutSpend(sql: Sql, caps: readonly PayoutCap[], since: Date): Promise<ChainSpend[]> {
  const keys = [...new Map(caps.map((cap) => [`${cap.tenantId} ${cap.asset}`, cap])).values()];
  if (keys.length === 0) return [];
  const rows = await sql.query(
    `select s.tenant_id, s.asset, s.chain, sum(s.amount)::text as amount
     from unnest($1::uuid[], $2::text[]) k (tenant_id, asset) join usance.payout_spend s using (tenant_id, asset)
     where s.hour > $3::timestamptz group by 1, 2, 3`,
    [...columnsOf(keys, ['tenantId', 'asset']), since],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    asset: asText(row['asset']),
    chain: asText(row['chain']),
    amount: asBigInt(row['amount']),
  }));
}

/** An amount, in the hour in which it was signed. */
export interface HourlySpend extends ChainSpend {
  readonly hour: Date;
}

/** Counts what is signed. Under the lock of the wallet's balance, which every commit and every end of an attempt holds. */
export async function addPayoutSpend(sql: Sql, spends: readonly HourlySpend[]): Promise<void> {
  if (spends.length === 0) return;
  await sql.query(
    `insert into usance.payout_spend as s (tenant_id, asset, chain, hour, amount)
     select tenant_id, asset, chain, hour, sum(amount)::bigint
     from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[]) v (tenant_id, asset, chain, hour, amount)
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
     on conflict (tenant_id, asset, chain, hour) do update set amount = s.amount + excluded.amount`,
    columnsOf(spends, ['tenantId', 'asset', 'chain', 'hour', 'amount']),
  );
}

/** Takes back what was counted for attempts that have ended without paying. An hour that has left the window has no row any more, and counts nothing. */
export async function giveBackPayoutSpend(sql: Sql, spends: readonly HourlySpend[]): Promise<void> {
  if (spends.length === 0) return;
  await sql.query(
    `update usance.payout_spend s set amount = s.amount - v.amount
     from (select tenant_id, asset, chain, hour, sum(amount)::bigint as amount
           from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[]) v (tenant_id, asset, chain, hour, amount)
           group by 1, 2, 3, 4) v
     where s.tenant_id = v.tenant_id and s.asset = v.asset and s.chain = v.chain and s.hour = v.hour`,
    columnsOf(spends, ['tenantId', 'asset', 'chain', 'hour', 'amount']),
  );
}

/** Hours of real time that no cap counts any more; returns how many. */
export async function deletePayoutSpendBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.payout_spend where ctid = any (array(
       select s.ctid from usance.payout_spend s
       where s.hour < $1::timestamptz and not exists (select from (${CLOCKS_OF_TENANTS}) c where c.tenant_id = s.tenant_id)
       limit $2::int for update of s skip locked))
     returning 1 as gone`,
    [before, limit],
  );
  return rows.length;
}

export async function findPolicy(sql: Sql, tenantId: Uuid, lock?: 'share' | 'update'): Promise<PayoutPolicy> {
  const [row] = await sql.query(
    `select tenant_id, listed_only, wait_ms, second_person from usance.payout_policies where tenant_id = $1::uuid
     ${lock === undefined ? '' : lock === 'share' ? 'for share' : 'for no key update'}`,
    [tenantId],
  );
  return row ? policyOf(row) : { tenantId, listedOnly: false, waitMs: 0, secondPerson: false };
}

/** Makes the row that changes of the policy wait for. */
export async function ensurePolicy(sql: Sql, tenantId: Uuid, at: Date): Promise<void> {
  await sql.query(
    `insert into usance.payout_policies (tenant_id, updated_at) values ($1::uuid, $2::timestamptz) on conflict do nothing`,
    [tenantId, at],
  );
}

export async function updatePolicy(sql: Sql, policy: PayoutPolicy, at: Date): Promise<void> {
  only(
    await sql.query(
      `update usance.payout_policies set listed_only = $2::boolean, wait_ms = $3::bigint, second_person = $4::boolean,
         updated_at = $5::timestamptz where tenant_id = $1::uuid returning tenant_id`,
      [policy.tenantId, policy.listedOnly, policy.waitMs, policy.secondPerson, at],
    ),
  );
}

const DESTINATION =
  'd.tenant_id, d.id, d.chain, d.address, d.label, d.added_by, d.added_at, d.approved_by, d.usable_at';

const destinationOf = (row: Row): PayoutDestination => ({
  tenantId: asText(row['tenant_id']),
  id: asText(row['id']),
  chain: asText(row['chain']),
  address: asText(row['address']),
  label: asTextOrNull(row['label']),
  addedBy: asText(row['added_by']),
  addedAt: asDate(row['added_at']),
  approvedBy: asTextOrNull(row['approved_by']),
  usableAt: asDateOrNull(row['usable_at']),
});

/** False where the address is listed already. */
export async function insertDestination(sql: Sql, destination: PayoutDestination): Promise<boolean> {
  const { tenantId, id, chain, address, label, addedBy, addedAt, usableAt } = destination;
  const rows = await sql.query(
    `insert into usance.payout_destinations (tenant_id, id, chain, address, label, added_by, added_at, usable_at)
     values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::timestamptz, $8::timestamptz)
     on conflict (tenant_id, chain, address) where removed_at is null do nothing returning id`,
    [tenantId, id, chain, address, label, addedBy, addedAt, usableAt],
  );
  return rows.length === 1;
}

/** One that is listed. */
export async function findDestination(
  sql: Sql,
  { tenantId, id }: { readonly tenantId: Uuid; readonly id: Uuid },
  lock = false,
): Promise<PayoutDestination | null> {
  const [row] = await sql.query(
    `select ${DESTINATION} from usance.payout_destinations d
     where d.tenant_id = $1::uuid and d.id = $2::uuid and d.removed_at is null ${lock ? 'for no key update' : ''}`,
    [tenantId, id],
  );
  return row ? destinationOf(row) : null;
}

/** Newest first; `before` is the id to go on from. */
export async function listDestinations(
  sql: Sql,
  tenantId: Uuid,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<PayoutDestination[]> {
  const rows = await sql.query(
    `select ${DESTINATION} from usance.payout_destinations d
     where d.tenant_id = $1::uuid and d.removed_at is null and ($2::uuid is null or d.id < $2::uuid) order by d.id desc limit $3::int`,
    [tenantId, before, limit],
  );
  return rows.map(destinationOf);
}

export async function countDestinations(sql: Sql, tenantId: Uuid): Promise<number> {
  const row = only(
    await sql.query(
      'select count(*)::int as count from usance.payout_destinations where tenant_id = $1::uuid and removed_at is null',
      [tenantId],
    ),
  );
  return asNumber(row['count']);
}

interface DecidedBy extends Pick<PayoutDestination, 'tenantId' | 'id'> {
  readonly by: string;
  readonly at: Date;
}

export async function approveDestination(sql: Sql, { tenantId, id, by, at }: DecidedBy, usableAt: Date): Promise<void> {
  only(
    await sql.query(
      `update usance.payout_destinations set approved_by = $3::text, approved_at = $4::timestamptz, usable_at = $5::timestamptz
       where tenant_id = $1::uuid and id = $2::uuid and usable_at is null and removed_at is null returning id`,
      [tenantId, id, by, at, usableAt],
    ),
  );
}

export async function removeDestination(sql: Sql, { tenantId, id, by, at }: DecidedBy): Promise<void> {
  only(
    await sql.query(
      `update usance.payout_destinations set removed_by = $3::text, removed_at = $4::timestamptz
       where tenant_id = $1::uuid and id = $2::uuid and removed_at is null returning id`,
      [tenantId, id, by, at],
    ),
  );
}

export async function listCaps(sql: Sql, tenantId: Uuid, limit: number): Promise<PayoutCap[]> {
  const rows = await sql.query(
    `select tenant_id, asset, chain, max_amount, daily_amount from usance.payout_caps
     where tenant_id = $1::uuid order by asset, chain limit $2::int`,
    [tenantId, limit],
  );
  return rows.map(capOf);
}

/** Locks the cap, after making its row where there is none. */
export async function lockCap(
  sql: Sql,
  { tenantId, asset, chain }: Pick<PayoutCap, 'tenantId' | 'asset' | 'chain'>,
  at: Date,
): Promise<PayoutCap> {
  await sql.query(
    `insert into usance.payout_caps (tenant_id, asset, chain, updated_at) values ($1::uuid, $2::text, $3::text, $4::timestamptz)
     on conflict do nothing`,
    [tenantId, asset, chain, at],
  );
  return capOf(
    only(
      await sql.query(
        `select tenant_id, asset, chain, max_amount, daily_amount from usance.payout_caps
         where tenant_id = $1::uuid and asset = $2::text and chain = $3::text for update`,
        [tenantId, asset, chain],
      ),
    ),
  );
}

/** A cap of nothing leaves. */
export async function writeCap(sql: Sql, cap: PayoutCap, at: Date): Promise<void> {
  const key = [cap.tenantId, cap.asset, cap.chain];
  await sql.query(
    `update usance.payout_caps set max_amount = $4::bigint, daily_amount = $5::bigint, updated_at = $6::timestamptz
     where tenant_id = $1::uuid and asset = $2::text and chain = $3::text`,
    [...key, cap.maxAmount, cap.dailyAmount, at],
  );
  await sql.query(
    `delete from usance.payout_caps where tenant_id = $1::uuid and asset = $2::text and chain = $3::text
       and max_amount is null and daily_amount is null`,
    key,
  );
}
