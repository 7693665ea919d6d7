// Attempts that a person resolved as dead, until a comparison of their wallet shows that they did not land.
import type { Row, Sql, Transaction } from '../db/index.ts';
import { asBigInt, asBoolean, asNumber, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { AttemptKey } from './attempt.ts';

/** An attempt that a person resolved as dead, and what the last comparison of its wallet has shown. */
export interface AwaitedComparison extends AttemptKey {
  readonly chain: string;
  readonly transactionId: string;
  readonly lastValidHeight: bigint;
  readonly asset: string;
  readonly feeAsset: string;
  /** The last comparison was even, but an endpoint has the transaction. */
  readonly isSeen: boolean;
  /** Why its wallet is frozen; null if it is not. */
  readonly frozen: string | null;
}

const SELECT = `select w.tenant_id, w.payment_id, w.number, w.chain, w.seen, a.tx_id, a.last_valid_height::text as last_valid_height, a.asset,
    a.fee_asset, p.frozen_reason
  from usance.payout_awaited_comparisons w
  join usance.payout_attempts a using (tenant_id, payment_id, number)
  join usance.payout_wallets p on p.tenant_id = w.tenant_id and p.chain = w.chain`;

const awaited = (row: Row): AwaitedComparison => ({
  tenantId: asText(row['tenant_id']),
  paymentId: asText(row['payment_id']),
  number: asNumber(row['number']),
  chain: asText(row['chain']),
  transactionId: asText(row['tx_id']),
  lastValidHeight: asBigInt(row['last_valid_height']),
  asset: asText(row['asset']),
  feeAsset: asText(row['fee_asset']),
  isSeen: asBoolean(row['seen']),
  frozen: asTextOrNull(row['frozen_reason']),
});

/** Also makes the comparison of these wallets due, so that the next run of the loop makes it. */
export async function insertAwaited(
  sql: Sql,
  attempts: readonly (AttemptKey & { readonly chain: string })[],
): Promise<void> {
  if (attempts.length === 0) return;
  const chains = attempts.map(({ chain }) => chain);
  const tenants = attempts.map(({ tenantId }) => tenantId);
  await sql.query(
    `insert into usance.payout_awaited_comparisons (tenant_id, payment_id, number, chain)
     select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[])`,
    [tenants, attempts.map(({ paymentId }) => paymentId), attempts.map(({ number }) => number), chains],
  );
  await sql.query(
    `update usance.wallet_checks c set next_at = clock_timestamp()
     from unnest($1::uuid[], $2::text[]) k (tenant_id, chain) where c.tenant_id = k.tenant_id and c.chain = k.chain`,
    [tenants, chains],
  );
}

/**
 * Of these payouts. The caller holds their due rows, and a resolution writes the due row and the awaited comparison in one transaction, so none
 * can be missing here.
 */
export async function readAwaited(
  tx: Transaction,
  payouts: readonly { readonly tenantId: Uuid; readonly id: Uuid }[],
): Promise<AwaitedComparison[]> {
  const rows = await tx.query(
    `${SELECT} where (w.tenant_id, w.payment_id) in (select * from unnest($1::uuid[], $2::uuid[])) order by w.payment_id, w.number`,
    [payouts.map(({ tenantId }) => tenantId), payouts.map(({ id }) => id)],
  );
  return rows.map(awaited);
}

/** Of one wallet. Rides payout_awaited_comparisons_wallet. */
export async function listAwaited(
  tx: Transaction,
  { tenantId, chain }: { readonly tenantId: Uuid; readonly chain: string },
): Promise<AwaitedComparison[]> {
  const rows = await tx.query(
    `${SELECT} where w.tenant_id = $1::uuid and w.chain = $2::text order by w.payment_id, w.number limit 1000`,
    [tenantId, chain],
  );
  return rows.map(awaited);
}

export async function deleteAwaited(sql: Sql, keys: readonly AttemptKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `delete from usance.payout_awaited_comparisons w using unnest($1::uuid[], $2::uuid[], $3::int[]) k (tenant_id, payment_id, number)
     where w.tenant_id = k.tenant_id and w.payment_id = k.payment_id and w.number = k.number`,
    keyColumns(keys),
  );
}

export async function markSeen(sql: Sql, keys: readonly AttemptKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `update usance.payout_awaited_comparisons w set seen = true
     from unnest($1::uuid[], $2::uuid[], $3::int[]) k (tenant_id, payment_id, number)
     where w.tenant_id = k.tenant_id and w.payment_id = k.payment_id and w.number = k.number and not w.seen`,
    keyColumns(keys),
  );
}

const keyColumns = (keys: readonly AttemptKey[]): (Uuid | number)[][] => [
  keys.map(({ tenantId }) => tenantId),
  keys.map(({ paymentId }) => paymentId),
  keys.map(({ number }) => number),
];
