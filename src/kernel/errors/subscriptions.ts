// Plans and subscriptions.
import { conflict, invalid, missing, unprocessable } from './entry.ts';
import { ID, usd } from './example-values.ts';
import { ONE_OF, WHOLE_NUMBER } from './sentences.ts';

export const SUBSCRIPTIONS_ERRORS = {
  PLAN_INVALID: invalid({
    title: 'The terms of the plan are invalid',
    detail: {
      wrong_length: '{param} must have {min} to {max} characters',
      not_whole_number: WHOLE_NUMBER,
      one_of: ONE_OF,
      not_a_period: '{param} must be an object with {frequency:field}, or with {seconds:field}',
      charges_and_months: 'give either charges or months, not both',
      too_often: 'a plan without charges or months charges at most once a day; use a longer period, or give it an end',
      too_many_charges: '{param} gives {charges} charges; a plan has at most {max}',
      too_far: '{param} reaches beyond the year 2199',
      other_payee:
        'the plan charges another asset, or pays another receiver; cancel the subscription and create another',
      too_many_charges_in_all: 'the change would make {charges} charges; a subscription has at most {max}',
      charge_before_last: 'in the time zone of the plan, the next charge would come before the last one',
    },
    example: ['wrong_length', { param: 'name', min: 1, max: 200 }],
    cause:
      'A term of the plan is out of range, or contradicts another. When a subscription changes its plan: the new plan charges another asset, pays another receiver, or does not fit the charges that were made.',
    remedy:
      'Correct the field that param names. To move to a plan with another asset or receiver, create another subscription.',
  }),
  PLAN_NOT_FOUND: missing({
    title: 'The tenant has no such plan',
    detail: 'there is no plan "{plan:plan}"',
    example: { plan: ID },
    cause: 'The tenant of the API key has no plan with this id.',
    remedy: 'List the plans and use an id from the list, or create the plan first.',
  }),
  SUBSCRIPTION_NOT_FOUND: missing({
    title: 'The tenant has no such subscription',
    detail: 'there is no subscription "{subscription:subscription}"',
    example: { subscription: ID },
    cause: 'The tenant of the API key has no subscription with this id.',
    remedy: 'Check the id, and that the API key belongs to the tenant that created the subscription.',
  }),
  SCHEDULE_OF_SUBSCRIPTION: conflict({
    title: 'The schedule belongs to a subscription',
    detail: {
      use_subscription:
        'the schedule belongs to subscription {subscription:subscription} and cannot be {verb}; cancel the subscription, or change its plan',
      subscription_ended:
        'subscription {subscription:subscription} is cancelled, or its end has passed, so the charge is not made; discard the dead letter',
      period_ended:
        'the plan of subscription {subscription:subscription} was changed before the period of the charge was over, so the charge is not made; discard the dead letter',
    },
    example: ['use_subscription', { subscription: ID, verb: 'paused' }],
    cause:
      'Every subscription has a schedule, which only the subscription can change. Its failed charges can be retried only while the subscription and the period of the charge last.',
    remedy: 'Use the operations of the subscription. Discard a dead letter that cannot be retried.',
  }),
  SUBSCRIPTION_APPROVAL_EXCEEDED: unprocessable({
    title: 'The charge exceeds the amount that the payer approved',
    detail: {
      price: 'the payer approved {price:amount} for each charge; this charge is {amount:amount}',
      charges: 'the payer approved {charges} charges, and {made} were made',
      total:
        'the payer approved {approved:amount} in all and {made:amount} is charged; {amount:amount} more would exceed it',
    },
    example: ['price', { price: usd(1_000n), amount: usd(1_200n) }],
    cause:
      'By subscribing, the payer approves a price, and with a plan that ends also a number of charges and a total. A charge, a retry or a resumed subscription would exceed one of them.',
    remedy: 'Let the payer subscribe again. A change of plan replaces the approved price, charges and total.',
  }),
};
