// Wallets, and which of their assets were entered in the books.
import type { Row, Sql, Transaction } from '../db/index.ts';
import { asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

export interface Wallet {
  readonly tenantId: Uuid;
  readonly chain: string;
  /** The account in the ledger. */
  readonly accountId: Uuid;
  readonly address: string;
  /** In which the chain takes its fees: `SBX/9`. */
  readonly feeAsset: string;
  /** While frozen, nothing is signed for it. */
  readonly frozen: { readonly at: Date; readonly reason: string } | null;
}

const COLUMNS = 'w.tenant_id, w.chain, w.account_id, w.address, w.fee_asset, w.frozen_at, w.frozen_reason';

function wallet(row: Row): Wallet {
  const at = asDateOrNull(row['frozen_at']);
  return {
    tenantId: asText(row['tenant_id']),
    chain: asText(row['chain']),
    accountId: asText(row['account_id']),
    address: asText(row['address']),
    feeAsset: asText(row['fee_asset']),
    frozen: at && { at, reason: asTextOrNull(row['frozen_reason']) ?? '' },
  };
}

/** `update`: locked against another change of its terms. */
export async function findWallet(
  sql: Sql,
  tenantId: Uuid,
  chain: string,
  lock: 'update' | null = null,
): Promise<Wallet | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.payout_wallets w where w.tenant_id = $1::uuid and w.chain = $2::text
     ${lock === 'update' ? 'for no key update' : ''}`,
    [tenantId, chain],
  );
  return row ? wallet(row) : null;
}

/** Of one tenant, by chain; of all tenants without one. */
export async function listWallets(sql: Sql, tenantId: Uuid | null = null): Promise<Wallet[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.payout_wallets w where $1::uuid is null or w.tenant_id = $1::uuid order by w.tenant_id, w.chain limit 10000`,
    [tenantId],
  );
  return rows.map(wallet);
}

/** Wallets by account, as they are now: whether one is frozen decides about every signature. Locked against a freeze at the same moment. */
export async function readWallets(
  tx: Transaction,
  keys: readonly { readonly tenantId: Uuid; readonly accountId: Uuid }[],
): Promise<Wallet[]> {
  const rows = await tx.query(
    `select ${COLUMNS} from (select distinct k.tenant_id, k.account_id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, account_id)) k
     join usance.payout_wallets w using (tenant_id, account_id) order by w.tenant_id, w.chain for share of w`,
    [keys.map(({ tenantId }) => tenantId), keys.map(({ accountId }) => accountId)],
  );
  return rows.map(wallet);
}

export async function hasOpenedAssets(
  sql: Sql,
  { tenantId, chain }: Wallet,
  assets: readonly string[],
): Promise<boolean> {
  const wanted = new Set(assets);
  const row = only(
    await sql.query(
      `select count(*)::int as n from usance.payout_wallet_assets o
       where o.tenant_id = $1::uuid and o.chain = $2::text and o.asset = any ($3::text[])`,
      [tenantId, chain, [...wanted]],
    ),
  );
  return asNumber(row['n']) === wanted.size;
}

/** One transaction at a time opens a wallet: there is no row to lock before the first one. */
export async function lockWalletOpening(tx: Transaction, tenantId: Uuid, chain: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('payout wallet ' || $1::text || ' ' || $2::text, 0))`, [
    tenantId,
    chain,
  ]);
}

export async function insertWallet(sql: Sql, one: Wallet, now: Date): Promise<void> {
  await sql.query(
    `insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at)
     values ($1::uuid, $2::text, $3::uuid, $4::text, $5::text, $6::timestamptz)`,
    [one.tenantId, one.chain, one.accountId, one.address, one.feeAsset, now],
  );
}

/** False if the asset is in the books already. */
export async function insertWalletAsset(
  sql: Sql,
  { tenantId, chain }: Wallet,
  opening: { readonly asset: string; readonly amount: bigint; readonly height: bigint },
  now: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.payout_wallet_assets (tenant_id, chain, asset, opening, height, opened_at)
     values ($1::uuid, $2::text, $3::text, $4::bigint, $5::numeric, $6::timestamptz)
     on conflict do nothing returning asset`,
    [tenantId, chain, opening.asset, opening.amount, opening.height, now],
  );
  return rows.length > 0;
}
