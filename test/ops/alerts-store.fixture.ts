// Rows that alerts are measured by, written by the owner of the database: attempts at payouts, deliveries, snapshots of a chain, a wallet.
import type { Database } from '../../src/db/index.ts';
import type { Engine, TenantHandle } from '../../src/engine.ts';
import type { Uuid } from '../../src/kernel/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { walletKey } from '../../src/rails/index.ts';
import { key } from '../support/books.ts';

export interface AlertStore {
  readonly usance: Engine;
  readonly owner: Database;
}

/** Past every trigger and foreign key; checks still apply. */
export const plant = (owner: Database, text: string, values: Parameters<Database['query']>[1] = []): Promise<void> =>
  owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(text, values);
  });

/** A failed payout of the tenant, which others are copied from. */
export async function failedPayout(tenant: TenantHandle, rail = 'sandbox'): Promise<Uuid> {
  await tenant.createAsset('USDC/6');
  await tenant.openAccount({ ref: `payer-${rail}` });
  const terms = { asset: 'USDC/6', amount: 1_000_000n, funding: 'at_execution', delay: '1h' } as const;
  const { id } = await tenant.createPayment({
    ...terms,
    from: `payer-${rail}`,
    rail,
    destinations: { sandbox: walletKey('payee').address },
    idempotencyKey: key(),
  });
  await tenant.failPayment(id, 'copied by a test');
  return id;
}

export interface Attempts {
  readonly chain?: string;
  readonly settled?: number;
  readonly failed?: number;
  /** From the signed bytes to the end. */
  readonly tookMs?: number;
  /** How long ago they ended. */
  readonly endedMsAgo?: number;
  /** Default: the database's. */
  readonly now?: Date;
}

/** Payouts with one attempt each: finalized, or dead with a payment that failed. */
export async function addAttempts(
  { owner }: AlertStore,
  { tenantId, failed: copied }: { readonly tenantId: Uuid; readonly failed: Uuid },
  { chain = 'sandbox', settled = 0, failed = 0, tookMs = 10_000, endedMsAgo = 0, now }: Attempts,
): Promise<void> {
  const ids = Array.from({ length: settled + failed }, () => newId());
  await plant(
    owner,
    `insert into usance.payments select (jsonb_populate_record(p, jsonb_build_object('id', v.id))).*
     from usance.payments p cross join unnest($3::uuid[]) v (id) where p.tenant_id = $1::uuid and p.id = $2::uuid`,
    [tenantId, copied, ids.slice(settled)],
  );
  await plant(
    owner,
    `insert into usance.payout_attempts (tenant_id, payment_id, number, id, state, payer_id, asset, amount, chain, address, wallet_id, fee_asset,
       fee_limit, tx_id, signed, last_valid_height, fee, height, claimed_at, sent_at, ended_at, outflow_id)
     select $1::uuid, v.id, 1, v.id, case when v.at <= $3::int then 'finalized' else 'dead' end, $1::uuid, 'USDC/6', 1, $4::text, 'a', $1::uuid,
       'SBX/9', 0, v.id::text, '\\x00', 1, case when v.at <= $3::int then 0 end, 1, t.ended - make_interval(secs => $5::float8 / 1000),
       t.ended - make_interval(secs => $5::float8 / 1000), t.ended, case when v.at <= $3::int then v.id end
     from unnest($2::uuid[]) with ordinality v (id, at)
     cross join (select coalesce($7::timestamptz, clock_timestamp()) - make_interval(secs => $6::float8 / 1000) as ended) t`,
    [tenantId, ids, settled, chain, tookMs, endedMsAgo, now ?? null],
  );
}

/** Attempts that are sent and have not ended. */
export async function addSent(
  { owner }: AlertStore,
  tenantId: Uuid,
  {
    chain = 'sandbox',
    count,
    sentMsAgo,
    inReview = false,
    isDead = false,
  }: { chain?: string; count: number; sentMsAgo: number; inReview?: boolean; isDead?: boolean },
): Promise<Uuid[]> {
  const ids = Array.from({ length: count }, () => newId());
  await plant(
    owner,
    `insert into usance.payout_attempts (tenant_id, payment_id, number, id, state, check_at, payer_id, asset, amount, chain, address, wallet_id,
       fee_asset, fee_limit, tx_id, signed, last_valid_height, claimed_at, sent_at, reviewed_at)
     select $1::uuid, v, 1, v, 'sent', 'infinity', $1::uuid, 'USDC/6', 1, $3::text, 'a', $1::uuid, 'SBX/9', 0, v::text, '\\x00', 1,
       t.sent, t.sent, case when $5::boolean then clock_timestamp() end
     from unnest($2::uuid[]) v
     cross join (select clock_timestamp() - make_interval(secs => $4::float8 / 1000) as sent) t`,
    [tenantId, ids, chain, sentMsAgo, inReview],
  );
  if (isDead) await endSent(owner, ids, 0);
  return ids;
}

/** The chain has decided. */
export const endSent = (owner: Database, ids: readonly Uuid[], endedMsAgo = 60 * 60_000): Promise<void> =>
  plant(
    owner,
    `update usance.payout_attempts set state = 'dead', ended_at = clock_timestamp() - make_interval(secs => $2::float8 / 1000), check_at = null
     where id = any ($1::uuid[])`,
    [ids, endedMsAgo],
  );

export interface Deliveries {
  readonly delivered?: number;
  readonly failed?: number;
  readonly endedMsAgo?: number;
  /** Attempts of each delivery. */
  readonly attempts?: readonly boolean[];
}

export async function addDeliveries(
  { owner }: AlertStore,
  { tenantId, endpointId }: { readonly tenantId: Uuid; readonly endpointId: Uuid },
  { delivered = 0, failed = 0, endedMsAgo = 0 }: Deliveries,
): Promise<Uuid[]> {
  const ids = Array.from({ length: delivered + failed }, () => newId());
  await addDeliveryAttempts({ owner }, { tenantId, endpointId }, ids, { delivered, endedMsAgo });
  return ids;
}

/** One attempt of each of these deliveries. */
export const addDeliveryAttempts = (
  { owner }: Pick<AlertStore, 'owner'>,
  { tenantId, endpointId }: { readonly tenantId: Uuid; readonly endpointId: Uuid },
  executions: readonly Uuid[],
  { delivered, endedMsAgo = 0 }: { readonly delivered: number; readonly endedMsAgo?: number },
): Promise<void> =>
  plant(
    owner,
    `insert into usance.delivery_attempts (tenant_id, id, execution_id, endpoint_id, attempt, ended_at, url, response_status, failure)
     select $1::uuid, v.id, v.execution, $3::uuid, 1, clock_timestamp() - make_interval(secs => $6::float8 / 1000), 'https://shop.example.com',
       case when v.at <= $5::int then 204 end, case when v.at > $5::int then 'TIMEOUT' end
     from unnest($2::uuid[], $4::uuid[]) with ordinality v (id, execution, at)`,
    [tenantId, executions.map(() => newId()), endpointId, executions, delivered, endedMsAgo],
  );

/** Snapshots of a chain, one a second, the newest first. */
export async function setHealth(
  owner: Database,
  chain: string,
  newestFirst: readonly ('healthy' | 'degraded' | 'unhealthy')[],
  { newestMsAgo = 0 }: { readonly newestMsAgo?: number } = {},
): Promise<void> {
  await plant(owner, 'delete from usance.chain_health_snapshots where chain = $1::text', [chain]);
  await plant(
    owner,
    `insert into usance.chains (name, assets, interval_ms) values ($1::text, '[]', 15000) on conflict (name) do update set interval_ms = 15000`,
    [chain],
  );
  await plant(
    owner,
    `insert into usance.chain_health_snapshots (id, chain, status, avg_confirmation_seconds, rpc_error_rate, p95_latency_ms, congestion_score, taken_at)
     select v.id, $1::text, v.status, 1, 0, 1, 0, clock_timestamp() - make_interval(secs => $4::float8 / 1000 + v.at - 1)
     from unnest($2::uuid[], $3::text[]) with ordinality v (id, status, at)`,
    [chain, newestFirst.map(() => newId()), newestFirst, newestMsAgo],
  );
}

/** A wallet whose account holds this much of an asset. */
export async function addWallet(
  { owner }: AlertStore,
  tenant: TenantHandle,
  { chain, asset, holds }: { readonly chain: string; readonly asset: string; readonly holds: bigint },
): Promise<void> {
  const { id } = await tenant.openAccount({ ref: `holder-${chain}` });
  await tenant.createAsset(asset);
  await tenant.deposit({ account: `holder-${chain}`, asset, amount: holds, idempotencyKey: key() });
  await plant(
    owner,
    `with wallet as (insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at)
       values ($1::uuid, $2::text, $3::uuid, 'address', 'GAS/9', now()) returning tenant_id, chain)
     insert into usance.payout_wallet_assets (tenant_id, chain, asset, opening, height, opened_at)
     select tenant_id, chain, $4::text, 0, 0, now() from wallet`,
    [tenant.id, chain, id, asset],
  );
}
