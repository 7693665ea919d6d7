// What one payment may be at most: a limit of its payer, a limit of the tenant, or both. Asked where an amount is named,
// when a payment is made and when it is edited.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Refused } from '../ledger/index.ts';
import { payerBalance } from './batch.ts';
import { readLimits } from './limits-store.ts';
import type { Payment } from './payment.ts';

export async function amountLimits(
  tx: Transaction,
  payments: readonly Payment[],
): Promise<(payment: Payment) => Refused | null> {
  const limits = payments.length === 0 ? [] : await readLimits(tx, payments.map(payerBalance));
  const most = new Map(
    limits.flatMap((limit) => (limit.maxAmount === null ? [] : [[key(limit), limit.maxAmount] as const])),
  );
  if (most.size === 0) return () => null;
  return (payment) => {
    const { tenantId, asset, payerId, amount } = payment;
    for (const accountId of [payerId, null]) {
      const limit = most.get(key({ tenantId, accountId, asset }));
      if (limit !== undefined && amount > limit) {
        return { code: 'LIMIT_AMOUNT_EXCEEDED', detail: `one payment of ${asset} may be at most ${limit}` };
      }
    }
    return null;
  };
}

const key = (limit: { tenantId: Uuid; accountId: Uuid | null; asset: string }): string =>
  `${limit.tenantId}${limit.accountId ?? ''}${limit.asset}`;
