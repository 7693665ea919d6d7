// Reconciliations of wallets, and what they read of attempts and balances.
import type { Row, Sql, Transaction } from '../../db/index.ts';
import { asBigInt, asDate, asText } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { readBalances } from '../../ledger/index.ts';
import type { SignedTransfer } from '../../rails/index.ts';

export interface WalletOnChain {
  readonly tenantId: Uuid;
  readonly chain: string;
}

/** A wallet that a process has taken to compare it. */
export interface ClaimedWallet extends WalletOnChain {
  /** Each claim and each unfreeze of the wallet counts it up. */
  readonly fence: bigint;
}

/** Wallets whose comparison is due, moved on by an interval; each is taken by one process. */
export async function claimWallets(
  sql: Sql,
  chains: readonly string[],
  intervalMs: number,
  limit: number,
  { now }: { readonly now: boolean },
): Promise<ClaimedWallet[]> {
  await sql.query(
    `insert into usance.wallet_checks (tenant_id, chain) select w.tenant_id, w.chain from usance.payout_wallets w
     where w.chain = any ($1::text[])
       and not exists (select from usance.wallet_checks c where c.tenant_id = w.tenant_id and c.chain = w.chain)
     order by w.tenant_id, w.chain limit $2::int on conflict do nothing`,
    [chains, limit],
  );
  const rows = await sql.query(
    `with due as (
       select c.tenant_id, c.chain from usance.wallet_checks c
       where c.chain = any ($1::text[]) and ($4::boolean or c.next_at <= clock_timestamp())
       order by c.next_at limit $3::int for no key update skip locked)
     update usance.wallet_checks c set next_at = clock_timestamp() + make_interval(secs => $2::bigint / 1000.0), fence = c.fence + 1
     from due where c.tenant_id = due.tenant_id and c.chain = due.chain returning c.tenant_id, c.chain, c.fence`,
    [chains, intervalMs, limit, now],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    chain: asText(row['chain']),
    fence: asBigInt(row['fence']),
  }));
}

/** False if another claim or an unfreeze came since this claim. Until the transaction ends, neither can come: both wait for the row. */
export async function lockClaim(tx: Transaction, { tenantId, chain, fence }: ClaimedWallet): Promise<boolean> {
  const rows = await tx.query(
    `select c.chain from usance.wallet_checks c
     where c.tenant_id = $1::uuid and c.chain = $2::text and c.fence = $3::bigint for no key update`,
    [tenantId, chain, fence],
  );
  return rows.length > 0;
}

/** Wallets that were claimed and not compared: due since now, so that they come before those that were. */
export async function returnWallets(sql: Sql, claims: readonly ClaimedWallet[]): Promise<void> {
  if (claims.length === 0) return;
  await sql.query(
    `with returned as (
       select c.tenant_id, c.chain from usance.wallet_checks c
       join unnest($1::uuid[], $2::text[], $3::bigint[]) k (tenant_id, chain, fence) using (tenant_id, chain)
       where c.fence = k.fence order by c.tenant_id, c.chain for no key update of c)
     update usance.wallet_checks c set next_at = least(c.next_at, clock_timestamp())
     from returned r where c.tenant_id = r.tenant_id and c.chain = r.chain`,
    [claims.map(({ tenantId }) => tenantId), claims.map(({ chain }) => chain), claims.map(({ fence }) => fence)],
  );
}

/**
 * A comparison under way writes nothing any more, and the next one is due at once. Lock order: this row before the wallet's, as a comparison that writes.
 */
export async function overtakeComparison(sql: Sql, { tenantId, chain }: WalletOnChain): Promise<void> {
  await sql.query(
    `update usance.wallet_checks c set fence = c.fence + 1, next_at = clock_timestamp()
     where c.tenant_id = $1::uuid and c.chain = $2::text`,
    [tenantId, chain],
  );
}

/** The assets of a wallet that are in the books, each with what the account holds. */
export async function readBooked(
  tx: Transaction,
  wallet: WalletOnChain & { readonly accountId: Uuid },
): Promise<Map<string, bigint>> {
  const assets = await listWalletAssets(tx, wallet);
  const balances = await readBalances(tx, wallet.tenantId, wallet.accountId);
  const held = (asset: string): bigint => {
    const found = balances.find((balance) => balance.asset === asset);
    return found ? found.available + found.reserved : 0n;
  };
  return new Map(assets.map((asset) => [asset, held(asset)]));
}

async function listWalletAssets(sql: Sql, { tenantId, chain }: WalletOnChain): Promise<string[]> {
  const rows = await sql.query(
    `select o.asset from usance.payout_wallet_assets o where o.tenant_id = $1::uuid and o.chain = $2::text order by o.asset`,
    [tenantId, chain],
  );
  return rows.map((row) => asText(row['asset']));
}

export interface OpenTransfer {
  readonly asset: string;
  readonly amount: bigint;
  readonly feeAsset: string;
  readonly feeLimit: bigint;
  readonly signed: SignedTransfer;
}

/** Sent, and not booked as ended. Rides payout_attempts_wallet. */
export async function listOpenTransfers(
  tx: Transaction,
  { tenantId, walletId }: { readonly tenantId: Uuid; readonly walletId: Uuid },
  limit: number,
): Promise<OpenTransfer[]> {
  const rows = await tx.query(
    `select a.asset, a.amount, a.fee_asset, a.fee_limit, encode(a.signed, 'hex') as signed, a.tx_id, a.last_valid_height::text as last_valid_height
     from usance.payout_attempts a
     where a.tenant_id = $1::uuid and a.wallet_id = $2::uuid and a.ended_at is null and a.state = 'sent' limit $3::int`,
    [tenantId, walletId, limit],
  );
  return rows.map((row) => ({
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    feeAsset: asText(row['fee_asset']),
    feeLimit: asBigInt(row['fee_limit']),
    signed: {
      bytes: Buffer.from(asText(row['signed']), 'hex'),
      transactionId: asText(row['tx_id']),
      lastValidHeight: asBigInt(row['last_valid_height']),
    },
  }));
}

export interface EndedTransfer {
  readonly asset: string;
  /** 0 if it was reverted. */
  readonly amount: bigint;
  readonly feeAsset: string;
  readonly fee: bigint;
}

/** Booked as ended in a block above this one. Rides payout_attempts_height. */
export async function listEndedAbove(
  tx: Transaction,
  { tenantId, walletId }: { readonly tenantId: Uuid; readonly walletId: Uuid },
  height: bigint,
): Promise<EndedTransfer[]> {
  const rows = await tx.query(
    `select a.asset, case when a.state = 'finalized' then a.amount else 0 end as amount, a.fee_asset, coalesce(a.fee, 0) as fee
     from usance.payout_attempts a
     where a.tenant_id = $1::uuid and a.wallet_id = $2::uuid and a.height > $3::numeric and a.ended_at is not null`,
    [tenantId, walletId, String(height)],
  );
  return rows.map((row) => ({
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    feeAsset: asText(row['fee_asset']),
    fee: asBigInt(row['fee']),
  }));
}

export interface Compared {
  readonly asset: string;
  readonly verdict: 'even' | 'open' | 'different' | 'unread';
  /** In minor units of the ledger; null if the chain did not answer. */
  readonly onChain: bigint | null;
  readonly expected: bigint | null;
}

export async function writeCompared(
  sql: Sql,
  { tenantId, chain }: WalletOnChain,
  compared: readonly Compared[],
): Promise<void> {
  await sql.query(
    `insert into usance.wallet_balances_compared as c (tenant_id, chain, asset, verdict, on_chain, expected, checked_at)
     select $1::uuid, $2::text, v.asset, v.verdict, v.on_chain, v.expected, clock_timestamp()
     from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[]) v (asset, verdict, on_chain, expected)
     on conflict (tenant_id, chain, asset) do update set verdict = excluded.verdict, on_chain = excluded.on_chain,
       expected = excluded.expected, checked_at = excluded.checked_at`,
    [
      tenantId,
      chain,
      compared.map(({ asset }) => asset),
      compared.map(({ verdict }) => verdict),
      compared.map(({ onChain }) => onChain),
      compared.map(({ expected }) => expected),
    ],
  );
}

/** False if it was frozen already: the first reason stays. Waits for a commit of signed bytes that has seen the wallet unfrozen. */
export async function freezeWallet(
  sql: Sql,
  { tenantId, chain }: WalletOnChain,
  now: Date,
  reason: string,
): Promise<boolean> {
  const rows = await sql.query(
    `update usance.payout_wallets set frozen_at = $3::timestamptz, frozen_reason = $4::text
     where tenant_id = $1::uuid and chain = $2::text and frozen_at is null returning chain`,
    [tenantId, chain, now, reason],
  );
  return rows.length > 0;
}

/** The account of the wallet; null if it is not frozen. */
export async function unfreezeWallet(sql: Sql, { tenantId, chain }: WalletOnChain): Promise<Uuid | null> {
  const [row] = await sql.query(
    `update usance.payout_wallets set frozen_at = null, frozen_reason = null
     where tenant_id = $1::uuid and chain = $2::text and frozen_at is not null returning account_id`,
    [tenantId, chain],
  );
  return row ? asText(row['account_id']) : null;
}

/** One asset of a wallet, in the books and on the chain. */
export interface ComparedBalance extends Partial<Omit<Compared, 'asset'>> {
  readonly asset: string;
  readonly available: bigint;
  readonly reserved: bigint;
  /** Null: never compared. */
  readonly checkedAt: Date | null;
}

export async function listWalletBalances(
  sql: Sql,
  wallet: WalletOnChain & { readonly accountId: Uuid },
): Promise<ComparedBalance[]> {
  const { tenantId, chain, accountId } = wallet;
  const assets = await listWalletAssets(sql, wallet);
  const balances = new Map((await readBalances(sql, tenantId, accountId)).map((one) => [one.asset, one]));
  const rows = await sql.query(
    `select c.asset, c.verdict, c.on_chain, c.expected, c.checked_at from usance.wallet_balances_compared c
     where c.tenant_id = $1::uuid and c.chain = $2::text`,
    [tenantId, chain],
  );
  const compared = new Map(rows.map((row) => [asText(row['asset']), comparedOf(row)]));
  return assets.map((asset) => ({
    asset,
    available: balances.get(asset)?.available ?? 0n,
    reserved: balances.get(asset)?.reserved ?? 0n,
    checkedAt: null,
    ...compared.get(asset),
  }));
}

const comparedOf = (row: Row): Omit<Compared, 'asset'> & { readonly checkedAt: Date } => ({
  verdict: asText(row['verdict']) as Compared['verdict'],
  onChain: row['on_chain'] === null ? null : asBigInt(row['on_chain']),
  expected: row['expected'] === null ? null : asBigInt(row['expected']),
  checkedAt: asDate(row['checked_at']),
});
