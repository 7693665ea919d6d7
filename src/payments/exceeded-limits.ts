// Which daily limits a payment would exceed now, read without locks. Spend decides under locks; this explains.
import type { Sql } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import { derivedAccount } from '../ledger/index.ts';
import { payerBalance } from './batch.ts';
import type { CountedLimit } from './limits-store.ts';
import type { Payment } from './payment.ts';
import { countsWhenPaid, restOf } from './payment.ts';
import { countsUntil, windowStart } from './spend.ts';
import { readSpend, readTotals } from './spend-store.ts';

export interface ExceededLimit {
  /** The payer's own limit, the tenant's default for every account, or the tenant's total. */
  readonly kind: 'account' | 'default' | 'tenant';
  readonly most: bigint;
  readonly used: bigint;
  /** When enough of the window has passed; null where the payment alone is more than the limit. */
  readonly roomAt: Date | null;
}

interface Bucket {
  readonly hour: Date;
  readonly amount: bigint;
}

/** In the order in which the processor asks them. `limits` are those of the payer and of its tenant. */
export async function exceededLimits(
  sql: Sql,
  clock: Clock,
  payment: Payment,
  limits: readonly CountedLimit[],
): Promise<ExceededLimit[]> {
  const payer = payerBalance(payment);
  const derived = derivedAccount(payer.tenantId, payer.accountId);
  if (!countsWhenPaid(payment) || limits.length === 0 || derived === 'world') return [];
  const own = limits.find(({ accountId }) => accountId !== null);
  const shared = limits.find(({ accountId }) => accountId === null);
  const since = windowStart(clock);
  const sent = await readSpend(sql, [payer], since);
  const total = await readTotals(sql, [payer], since);
  const asked = (kind: ExceededLimit['kind'], most: bigint | null, from: Date | null, buckets: readonly Bucket[]) => {
    const counted = buckets.filter(({ hour }) => from === null || hour >= from);
    return most === null ? [] : (exceeded(kind, most, counted, restOf(payment)) ?? []);
  };
  const ofAccount = (): ExceededLimit | readonly ExceededLimit[] => {
    if (derived) return [];
    if (own && own.dailyAmount !== null) return asked('account', own.dailyAmount, own.dailySince, sent);
    return shared ? asked('default', shared.defaultDailyAmount, shared.defaultDailySince, sent) : [];
  };
  const ofTenant = shared ? asked('tenant', shared.tenantDailyAmount, shared.tenantDailySince, total) : [];
  return [ofAccount(), ofTenant].flat();
}

function exceeded(
  kind: ExceededLimit['kind'],
  most: bigint,
  buckets: readonly Bucket[],
  amount: bigint,
): ExceededLimit | null {
  const used = buckets.reduce((sum, bucket) => sum + bucket.amount, 0n);
  if (used + amount <= most) return null;
  let left = used;
  for (const bucket of buckets.toSorted((a, b) => a.hour.getTime() - b.hour.getTime())) {
    left -= bucket.amount;
    if (left + amount <= most) return { kind, most, used, roomAt: countsUntil(bucket.hour) };
  }
  return { kind, most, used, roomAt: null };
}
