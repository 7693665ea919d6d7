// Everything that recurs, as the engine takes it: schedules, and the products that are made of them.
import type { Check, VerbContext } from '../ledger/index.ts';
import type { OrderBounds } from '../payments/index.ts';
import type { AllowanceVerbs } from './allowances/index.ts';
import { ALLOWANCE_CHECKS, allowanceVerbs } from './allowances/index.ts';
import { SCHEDULE_CHECKS } from './checks.ts';
import type { ForecastVerbs } from './forecast/index.ts';
import { forecastVerbs } from './forecast/index.ts';
import type { OutageVerbs } from './outages/index.ts';
import { outageVerbs } from './outages/index.ts';
import type { Paces } from './pace.ts';
import { pacesOf } from './pace.ts';
import type { SubscriptionVerbs } from './subscriptions/index.ts';
import { SUBSCRIPTION_CHECKS, subscriptionVerbs } from './subscriptions/index.ts';
import type { ScheduleVerbs } from './verbs.ts';
import { scheduleVerbs } from './verbs.ts';

export type RecurringVerbs = ScheduleVerbs & OutageVerbs & SubscriptionVerbs & AllowanceVerbs & ForecastVerbs;

export const RECURRING_CHECKS: readonly Check[] = [SCHEDULE_CHECKS, SUBSCRIPTION_CHECKS, ALLOWANCE_CHECKS].flat();

export function recurringVerbs(
  context: VerbContext,
  bounds: OrderBounds,
  options: { readonly paces?: Paces } = {},
): RecurringVerbs {
  return {
    ...scheduleVerbs(context, bounds),
    ...outageVerbs(context),
    ...subscriptionVerbs(context, bounds),
    ...allowanceVerbs(context),
    ...forecastVerbs(context, options.paces ?? pacesOf({})),
  };
}
