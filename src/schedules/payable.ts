// Whether the chains of a schedule's payouts can pay each of its amounts, and its tenant allows them: asked when it is created, and when an edit changes the amounts.
import type { Sql } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { Refusal } from '../kernel/index.ts';
import type { OrderBounds, ParsedPayout, PayoutTerms } from '../payments/index.ts';
import { checkedPayout, openGuards } from '../payments/index.ts';
import type { Schedule } from './schedule.ts';

interface Payable extends ParsedPayout, Pick<Schedule, 'amount' | 'steps'> {
  readonly tenantId: Uuid;
  readonly asset: string;
}

/**
 * The terms with addresses as their chains write them; null if the schedule pays accounts. Refuses what a chain can never pay, and what a
 * guard would refuse now. Its payments are asked again, each when it is made and when it runs.
 */
export async function payableBy(
  sql: Sql,
  clock: Clock,
  bounds: Pick<OrderBounds, 'payouts' | 'payoutGuards'>,
  schedule: Payable,
): Promise<PayoutTerms | null> {
  const { tenantId, asset, rail, amount, steps } = schedule;
  if (schedule.payout === null) return null;
  const amounts = [amount, ...steps.map((step) => step.amount)];
  const [payout = null] = amounts.map((each) =>
    checkedPayout({ rail, payout: schedule.payout }, { tenantId, asset, amount: each }, bounds),
  );
  const asked = amounts.map((each) => ({ tenantId, asset, amount: each, executeAt: clock.now, payout }));
  const guarded = await openGuards(sql, bounds, asked);
  for (const one of asked) {
    const refused = guarded(one);
    if (refused) throw new Refusal(refused);
  }
  return payout;
}
