// Schedules, subscriptions, allowances, outages and dead letters.
import { conflict, forbidden, invalid, missing, unprocessable } from './entry.ts';

export const SCHEDULES_ERRORS = {
  STEPS_INVALID: invalid({ title: 'The amount steps are invalid' }),
  MISSED_INVALID: invalid({ title: 'The policy for missed runs is invalid' }),
  BACKFILL_TOO_LARGE: invalid({ title: 'The request covers too many runs' }),
  PLAN_INVALID: invalid({
    title: 'The terms of the plan are invalid',
    detail: { not_a_period: '{param} must be an object with {frequency:field}, or with {seconds:field}' },
  }),
  'ALLOWANCE.NOT_GUARDIAN': forbidden({ title: 'The account is not a guardian of the child' }),
  DEAD_LETTER_NOT_FOUND: missing({
    title: 'The tenant has no such dead letter',
    detail: 'there is no dead letter "{id:payment}"',
  }),
  SCHEDULE_NOT_FOUND: missing({ title: 'The tenant has no such schedule' }),
  OUTAGE_NOT_FOUND: missing({ title: 'The tenant has no such outage' }),
  PLAN_NOT_FOUND: missing({ title: 'The tenant has no such plan' }),
  SUBSCRIPTION_NOT_FOUND: missing({ title: 'The tenant has no such subscription' }),
  'ALLOWANCE.NOT_FOUND': missing({ title: 'The guardian has no allowance for the child' }),
  'ALLOWANCE.ALREADY_EXISTS': conflict({ title: 'The guardian already has an allowance for the child' }),
  SCHEDULE_STATE_CONFLICT: conflict({ title: 'The schedule is not in a state that allows this' }),
  OUTAGE_STATE_CONFLICT: conflict({ title: 'The outage is already released or discarded' }),
  SCHEDULE_OF_SUBSCRIPTION: conflict({ title: 'The schedule belongs to a subscription' }),
  SUBSCRIPTION_APPROVAL_EXCEEDED: unprocessable({ title: 'The charge exceeds the amount that the payer approved' }),
};
