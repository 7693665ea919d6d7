// Schedules, allowances, outages and dead letters. Rules are in rules.ts, subscriptions in subscriptions.ts.
import { conflict, forbidden, invalid, missing } from './entry.ts';
import { ID } from './example-values.ts';
import { WHOLE_NUMBER } from './sentences.ts';

export const SCHEDULES_ERRORS = {
  STEPS_INVALID: invalid({
    title: 'The amount steps are invalid',
    detail: {
      with_legs: 'a schedule with legs cannot have {param}; leave out either',
      too_many: '{param} can have at most {max} steps',
      not_ascending: WHOLE_NUMBER,
    },
    example: ['with_legs', { param: 'steps' }],
    cause:
      'The list of steps is too long, its `from` numbers do not ascend from 2, or the schedule divides its amount into legs, which have fixed amounts.',
    remedy:
      'Give each step the number of the run it starts with, ascending, the first at least 2: the first run has the number 1 and pays the amount of the schedule.',
  }),
  MISSED_INVALID: invalid({
    title: 'The policy for missed runs is invalid',
    detail: {
      not_with: '{cap:field} and {window:field} go only with {param}: "all"',
      not_whole_number: WHOLE_NUMBER,
      zero: '{param} must be longer than zero',
    },
    example: ['not_with', { cap: 'missedCap', window: 'missedWindow', param: 'missed' }],
    cause: 'A bound of missed runs is out of range, or is given with a policy that does not run several missed runs.',
    remedy: 'Set missed to "all" to use missed_cap and missed_window, or leave both out.',
  }),
  BACKFILL_TOO_LARGE: invalid({
    title: 'The request covers too many runs',
    detail: 'more than {max} unpaid runs are between start and end; request a shorter time',
    example: { param: 'end', max: 100 },
    cause: 'One backfill makes at most 100 payments, and the requested time has more runs that were never paid.',
    remedy: 'Split the time into several requests. A dry run shows the runs of each.',
  }),
  'ALLOWANCE.NOT_GUARDIAN': forbidden({
    title: 'The account is not a guardian of the child',
    detail: {
      not_a_child:
        '"{junior:account}" is not a child of "{guardian:account}"; an account lists its guardians in its field guardians',
      no_longer: 'the payer of this allowance is no longer a guardian of the child; add it to the guardians first',
    },
    example: ['not_a_child', { param: 'junior', junior: 'kim', guardian: 'maria' }],
    cause:
      'The child account does not list the paying account among its guardians. A child that does not exist gets the same response, so that a guardian cannot find out about other children.',
    remedy:
      'Check both accounts. Add the guardian to the field guardians of the child account, and send the request again.',
  }),
  DEAD_LETTER_NOT_FOUND: missing({
    title: 'The tenant has no such dead letter',
    detail: 'there is no dead letter with this id; it may have been retried or discarded',
    cause:
      'The tenant has no dead letter with this id: it was retried or discarded before, or its payment has not failed for good.',
    remedy: 'List the dead letters and use an id from the list.',
  }),
  SCHEDULE_NOT_FOUND: missing({
    title: 'The tenant has no such schedule',
    detail: 'there is no schedule "{schedule:schedule}"',
    example: { schedule: ID },
    cause: 'The tenant of the API key has no schedule with this id.',
    remedy: 'Check the id, and that the API key belongs to the tenant that created the schedule.',
  }),
  OUTAGE_NOT_FOUND: missing({
    title: 'The tenant has no such outage',
    detail: 'there is no outage "{outage:outage}"',
    example: { outage: ID },
    cause: 'The tenant of the API key has no outage with this id.',
    remedy: 'List the outages and use an id from the list.',
  }),
  'ALLOWANCE.NOT_FOUND': missing({
    title: 'The guardian has no allowance for the child',
    detail: '"{guardian:account}" has no allowance for "{junior:account}"',
    example: { guardian: 'maria', junior: 'kim' },
    cause: 'The guardian has not created an allowance for this child, or has deleted it.',
    remedy: 'Create the allowance first, or list the allowances of the guardian.',
  }),
  'ALLOWANCE.ALREADY_EXISTS': conflict({
    title: 'The guardian already has an allowance for the child',
    detail: '"{guardian:account}" already has an allowance for "{junior:account}"; update it, or delete it first',
    example: { param: 'junior', guardian: 'maria', junior: 'kim' },
    cause: 'A guardian has at most one allowance for each child, also while it is OFF.',
    remedy: 'Update the existing allowance, or delete it and create another.',
  }),
  SCHEDULE_STATE_CONFLICT: conflict({
    title: 'The schedule is not in a state that allows this',
    detail: {
      wrong_status: 'the {kind} is {status} and cannot be {verb}; only one that is {allowed:list} can',
      cancellation_scheduled:
        'the subscription is already set to end at {at:instant}; resume it to withdraw the cancellation',
      no_further_charge:
        'the subscription will make no further charge and ends by itself; to go on, create another subscription',
      charge_due: 'a charge of the subscription is due and not made yet; change the plan once it is made',
      charge_unpaid: 'a charge of the subscription is not paid yet; change the plan once it is, or without proration',
      no_running_period: 'no period is running that could be paid in part; change the plan without proration',
      too_many_changes: 'the plan was changed {max} times; cancel the subscription and create another',
    },
    example: ['wrong_status', { kind: 'schedule', status: 'cancelled', verb: 'resumed', allowed: ['paused'] }],
    cause:
      'The status of the schedule, allowance or subscription does not allow the operation: only an active one can be paused, only a paused one resumed, and one that has ended stays ended. A plan cannot be changed while a charge is due or while the subscription is set to end.',
    remedy: 'Read the schedule or subscription and look at its status. Create another one if it has ended.',
  }),
  OUTAGE_STATE_CONFLICT: conflict({
    title: 'The outage is already released or discarded',
    detail: 'outage {outage:outage} is already {status}; the decision cannot be changed',
    example: { outage: ID, status: 'released' },
    cause: 'Another request released or discarded the outage before.',
    remedy: 'Read the outage to see the decision. Runs that were discarded can be backfilled schedule by schedule.',
  }),
};
