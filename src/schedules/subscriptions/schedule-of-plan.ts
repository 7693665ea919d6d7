// The schedule of a subscription to a plan, for those that subscribe and those that are imported.
import type { RetryPolicy } from '../../kernel/index.ts';
import { parseRetryPolicy } from '../../kernel/index.ts';
import { PRIORITY_NAMES, parsePayout } from '../../payments/index.ts';
import type { RecurringPayout, ScheduleOrder } from '../order.ts';
import type { TimingInput } from '../rules/index.ts';
import type { Plan } from './plan.ts';
import { MOST_CHARGES } from './plan.ts';
import { chargePreset } from './subscription.ts';

interface Subscribed extends RecurringPayout, Pick<ScheduleOrder, 'reference' | 'metadata' | 'priority'> {
  readonly payer: string;
  readonly timing: TimingInput;
  /** Replaces the plan's, as a preset or by fields. */
  readonly retry?: string | Partial<RetryPolicy>;
}

export function scheduleOf(plan: Plan, order: Subscribed): ScheduleOrder {
  const { payer, timing, retry, reference, metadata, priority = PRIORITY_NAMES[plan.priority] } = order;
  const { rail, destination, destinations, routePriority } = order;
  const route = parsePayout(order);
  return {
    from: payer,
    // A payout is paid to `world`, which is the receiver of its plan (subscribe.ts).
    ...(route.payout
      ? {
          ...(rail === undefined ? {} : { rail }),
          ...(destination === undefined ? {} : { destination }),
          ...(destinations === undefined ? {} : { destinations }),
          ...(routePriority === undefined ? {} : { routePriority }),
        }
      : { to: plan.payeeId }),
    asset: plan.asset,
    amount: plan.price,
    ...timing,
    funding: 'at_execution',
    retry: parseRetryPolicy(retry, plan.retry ?? chargePreset(route)),
    ...(priority === undefined ? {} : { priority }),
    // One open charge at a time, also of several that were missed.
    overlap: 'wait',
    missed: plan.missed,
    ...(plan.missed === 'all' ? { missedCap: MOST_CHARGES } : {}),
    afterFailure: plan.afterFailure,
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
