// Whether the chains of a schedule's payouts can pay each of its amounts: asked when it is created, and when an edit changes the amounts.
import type { Uuid } from '../kernel/index.ts';
import type { ParsedPayout, PayoutChains, PayoutTerms } from '../payments/index.ts';
import { checkedPayout } from '../payments/index.ts';
import type { Schedule } from './schedule.ts';

interface Payable extends ParsedPayout, Pick<Schedule, 'amount' | 'steps'> {
  readonly tenantId: Uuid;
  readonly asset: string;
}

/** The terms with addresses as their chains write them; null if the schedule pays accounts. Refuses what a chain can never pay. */
export function payableBy(payouts: PayoutChains | undefined, schedule: Payable): PayoutTerms | null {
  const { tenantId, asset, rail, payout, amount, steps } = schedule;
  const [first = null] = [amount, ...steps.map((step) => step.amount)].map((each) =>
    checkedPayout({ rail, payout }, { tenantId, asset, amount: each }, { payouts }),
  );
  return first;
}
