// Measures a tenant. Payouts are measured by the tenant's clock, as they are written; chains and deliveries by real time.
import type { Sql } from '../../db/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import {
  countInReview,
  listChainsInUse,
  readFlooredBalances,
  readLateAttempts,
  readPayoutSamples,
} from '../../payouts/index.ts';
import { readRecentHealth } from '../../rails/index.ts';
import { readDeliveryRate } from '../../webhooks/index.ts';
import type { Measurement } from './alert.ts';
import {
  OTHER_SETTLEMENT_MS,
  SETTLEMENT_MS,
  WINDOW_MS,
  floorOf,
  healthOf,
  reviewOf,
  settlementOf,
  shareOf,
} from './alert.ts';

export async function measure(sql: Sql, tenantId: Uuid, { now }: Clock): Promise<Measurement[]> {
  const payouts = await readPayoutSamples(sql, tenantId, new Date(now.getTime() - WINDOW_MS));
  const late = await readLateAttempts(sql, tenantId, {
    now,
    windowMs: WINDOW_MS,
    thresholdsMs: SETTLEMENT_MS,
    otherwiseMs: OTHER_SETTLEMENT_MS,
  });
  const floors = await readFlooredBalances(sql, tenantId);
  const chains = await readRecentHealth(sql, await listChainsInUse(sql, tenantId), WINDOW_MS);
  const reviews = await countInReview(sql, tenantId);
  const { delivered, attempted } = await readDeliveryRate(sql, tenantId, WINDOW_MS);
  const settling = new Map<string, { totalMs: bigint; count: number }>();
  const add = (chain: string, totalMs: bigint, count: number): void => {
    const before = settling.get(chain) ?? { totalMs: 0n, count: 0 };
    settling.set(chain, { totalMs: before.totalMs + totalMs, count: before.count + count });
  };
  for (const { chain, settled, settledMs } of payouts)
    if (chain !== null && settled > 0) add(chain, settledMs, settled);
  for (const { chain, ageMs, count } of late) add(chain, ageMs, count);
  return [
    ...payouts.map(({ chain, settled, failed }) =>
      shareOf('payout_success', chain, { good: settled, count: settled + failed }),
    ),
    ...[...settling].map(([chain, samples]) => settlementOf(chain, samples)),
    ...floors.map(({ chain, asset, ...amounts }) => floorOf({ chain, asset }, amounts)),
    ...chains.map(healthOf),
    ...reviews.map(reviewOf),
    ...(attempted > 0 ? [shareOf('webhook_delivery', null, { good: delivered, count: attempted })] : []),
  ];
}
