// What one payment may be at most, and above what a second person has to approve: limits of its payer, of the tenant, or both. Read
// where an amount is named: when a payment is made or edited, and when money is withdrawn.
import type { Transaction } from '../db/index.ts';
import type { Refused, Uuid } from '../kernel/index.ts';
import { refused } from '../kernel/index.ts';
import { payerBalance } from './batch.ts';
import type { PaymentLimit } from './limits-store.ts';
import { readLimits } from './limits-store.ts';
import type { Payment } from './payment.ts';
import { NO_TENANT_LIMITS, TenantLimits } from './tenant-limits.ts';

export interface AmountLimits {
  /** Daily limits set at tenant level. */
  readonly daily: TenantLimits;
  refused(payment: Payer & { readonly amount: bigint }): Refused | null;
  /** Null: nothing of this payer needs approval. */
  thresholdOf(payment: Payer): bigint | null;
}

type Payer = Pick<Payment, 'tenantId' | 'payerId' | 'asset'>;

export async function amountLimits(tx: Transaction, payers: readonly Payer[]): Promise<AmountLimits> {
  const limits = payers.length === 0 ? [] : await readLimits(tx, payers.map(payerBalance));
  const byKey = new Map(limits.map((limit) => [key(limit), limit]));
  const limitsOf = ({ tenantId, asset, payerId }: Payer): PaymentLimit[] =>
    byKey.size === 0
      ? []
      : [payerId, null].flatMap((accountId) => byKey.get(key({ tenantId, accountId, asset })) ?? []);
  return {
    daily: limits.length === 0 ? NO_TENANT_LIMITS : new TenantLimits(limits),
    refused(payment) {
      const { asset, amount } = payment;
      for (const { maxAmount } of limitsOf(payment))
        if (maxAmount !== null && amount > maxAmount)
          return refused('LIMIT_AMOUNT_EXCEEDED', { max: { amount: maxAmount, asset }, amount: { amount, asset } });
      return null;
    },
    thresholdOf(payment) {
      const [first = null, ...others] = limitsOf(payment).flatMap(({ approvalAbove }) => approvalAbove ?? []);
      return others.reduce((least, each) => (least !== null && least < each ? least : each), first);
    },
  };
}

const key = (limit: { tenantId: Uuid; accountId: Uuid | null; asset: string }): string =>
  `${limit.tenantId}${limit.accountId ?? ''}${limit.asset}`;
