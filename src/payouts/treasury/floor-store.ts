// Floors of wallets: the least that each is to have available.
import type { Sql } from '../../db/index.ts';
import { asBigInt, asText } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { readBalances } from '../../ledger/index.ts';
import { findWallet } from '../wallet-store.ts';
import type { WalletOnChain } from './store.ts';

export interface Floor {
  readonly chain: string;
  readonly asset: string;
  readonly floor: bigint;
}

export async function listFloors(sql: Sql, tenantId: Uuid, chain: string | null = null): Promise<Floor[]> {
  const rows = await sql.query(
    `select f.chain, f.asset, f.floor from usance.treasury_floors f
     where f.tenant_id = $1::uuid and ($2::text is null or f.chain = $2::text) order by f.chain, f.asset`,
    [tenantId, chain],
  );
  return rows.map((row) => ({
    chain: asText(row['chain']),
    asset: asText(row['asset']),
    floor: asBigInt(row['floor']),
  }));
}

export interface FlooredBalance extends Floor {
  readonly available: bigint;
}

/** What each wallet with a floor has available. */
export async function readFlooredBalances(sql: Sql, tenantId: Uuid): Promise<FlooredBalance[]> {
  const floors = await listFloors(sql, tenantId);
  const found: FlooredBalance[] = [];
  for (const [chain, own] of Map.groupBy(floors, (floor) => floor.chain)) {
    const wallet = await findWallet(sql, tenantId, chain);
    const balances = wallet === null ? [] : await readBalances(sql, tenantId, wallet.accountId);
    const available = new Map(balances.map((balance) => [balance.asset, balance.available]));
    found.push(...own.map((floor) => ({ ...floor, available: available.get(floor.asset) ?? 0n })));
  }
  return found;
}

/** Null removes the floor. */
export async function writeFloor(
  sql: Sql,
  { tenantId, chain }: WalletOnChain,
  asset: string,
  floor: bigint | null,
  now: Date,
): Promise<void> {
  const key = [tenantId, chain, asset];
  if (floor === null) {
    await sql.query(
      `delete from usance.treasury_floors f where f.tenant_id = $1::uuid and f.chain = $2::text and f.asset = $3::text`,
      key,
    );
    return;
  }
  await sql.query(
    `insert into usance.treasury_floors as f (tenant_id, chain, asset, floor, updated_at)
     values ($1::uuid, $2::text, $3::text, $4::bigint, $5::timestamptz)
     on conflict (tenant_id, chain, asset) do update set floor = excluded.floor, updated_at = excluded.updated_at`,
    [...key, floor, now],
  );
}
