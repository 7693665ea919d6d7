// What the payouts of a tenant did in a window, by chain, for alerts.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { listChainsAhead, readPayoutStates } from '../payments/index.ts';
import { readEndedAttempts } from './samples-store.ts';
import { listWallets } from './wallet-store.ts';

export interface PayoutSamples {
  /** Null: of payouts that failed before a chain was chosen. */
  readonly chain: string | null;
  readonly settled: number;
  /** Failed for good, after an attempt. */
  readonly failed: number;
  /** From the commit of the signed bytes to finality, of the settled ones together. */
  readonly settledMs: bigint;
}

/** Payouts whose last attempt ended in the window: settled, or failed for good. One that is tried again is neither. */
export async function readPayoutSamples(sql: Sql, tenantId: Uuid, since: Date): Promise<PayoutSamples[]> {
  const { paid, unpaid } = await readEndedAttempts(sql, tenantId, since);
  const states = new Map(
    (
      await readPayoutStates(
        sql,
        tenantId,
        unpaid.map(({ paymentId }) => paymentId),
      )
    ).map((one) => [one.id, one]),
  );
  const failed = new Map<string | null, number>();
  for (const { paymentId, chain } of unpaid) {
    const found = states.get(paymentId);
    if (found?.status !== 'failed') continue;
    const of = chain ?? (found.rail === 'any' ? null : found.rail);
    failed.set(of, (failed.get(of) ?? 0) + 1);
  }
  const settled = new Map(paid.map((one) => [one.chain as string | null, one]));
  return [...new Set([...settled.keys(), ...failed.keys()])].map((chain) => ({
    chain,
    settled: settled.get(chain)?.count ?? 0,
    failed: failed.get(chain) ?? 0,
    settledMs: settled.get(chain)?.tookMs ?? 0n,
  }));
}

/** The newest payouts say which chains a tenant is about to use for the first time. */
const NEWEST = 100;

/** Chains on which the tenant has a wallet, or to which one of its newest payouts is on its way. */
export async function listChainsInUse(sql: Sql, tenantId: Uuid): Promise<string[]> {
  const wallets = (await listWallets(sql, tenantId)).map(({ chain }) => chain);
  return [...new Set([...wallets, ...(await listChainsAhead(sql, tenantId, NEWEST))])].toSorted();
}
