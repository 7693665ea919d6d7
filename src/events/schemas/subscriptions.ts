// Events about plans and subscriptions.
import { Type } from 'typebox';
import type { Data } from './define.ts';
import { event } from './define.ts';
import {
  BOB,
  account,
  amount,
  asset,
  change,
  created,
  given,
  id,
  instant,
  integer,
  maybe,
  names,
  nullable,
  object,
  priority,
  reasonIfGiven,
  retry,
  text,
  word,
} from './fields.ts';

const PLAN = {
  name: text('The name of the plan.', 'Pro'),
  price: amount('The price of one period.', '999'),
  period: Type.Union(
    [
      object({
        frequency: word(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'], 'The unit.', 'MONTHLY'),
        every: maybe(integer('So many units.', 1), 'if it was not given: 1'),
      }),
      object({ every_seconds: integer('So many seconds.', 86_400) }),
    ],
    { description: 'From charge to charge: by the calendar, or always so many seconds.' },
  ),
  zone: text('IANA time zone of the calendar.', 'Europe/Berlin'),
  charges: nullable(integer('A number of charges.', 12), 'How many charges there are; null: not limited by number.'),
  months: nullable(integer('A number of months.', 12), 'For how many months; null: not limited by months.'),
  trial_days: integer('Days before the first charge.', 0),
  priority,
  retry,
  after_failure: word(
    ['expire', 'pause'],
    'How the subscription continues after a final failure of a charge.',
    'expire',
  ),
  missed: word(['all', 'last', 'skip'], 'Which of several missed charges are made.', 'last'),
};
const MONTHLY: Data = { period: { frequency: 'MONTHLY' }, months: null, retry: null };

const status = word(
  ['trialing', 'active', 'paused', 'past_due', 'cancelled', 'expired'],
  'The state of the subscription.',
  'active',
);
const moved = change({ status }, { status });
const from = (before: string, after: string): Data => ({ old: { status: before }, new: { status: after } });
const why = maybe(text('The reason given by the caller, or the cause.', 'payment_failed'), 'if there is none');
const planId = id('plan', 'The plan.');
const AGREED = {
  plan_id: planId,
  price: PLAN.price,
  charges: nullable(integer('A number of charges.', 12), 'Approved charges in all; null: open-ended.'),
  approved: nullable(amount('A sum.', '11988'), 'The approved total. Minor units; null: open-ended.'),
};
const cancelAt = instant('The end of the period.', '2026-12-15T09:30:00.000Z');

export const SUBSCRIPTION_EVENTS = {
  'plan.created': event(
    'A plan was created.',
    created({
      ...PLAN,
      ...account('payee_id', 'The account that is paid.', BOB),
      asset,
    }),
    { new: { ...exampleOfPlan(), ...MONTHLY } },
  ),
  'plan.updated': event(
    'A plan changed.',
    {
      changed: names('The fields that the caller gave.', ['price']),
      new: object(given(PLAN), {
        description: 'Their values after the change.',
      }),
    },
    { new: { price: '1299' } },
  ),
  'subscription.cancellation_scheduled': event('A subscription will be cancelled at the end of its period.', {
    cancel_at: cancelAt,
    reason: reasonIfGiven,
  }),
  'subscription.cancellation_withdrawn': event('A scheduled cancellation was withdrawn.', {
    cancel_at: cancelAt,
    reason: reasonIfGiven,
  }),
  'subscription.cancelled': event(
    'A subscription was cancelled.',
    { ...moved, reason: why },
    {
      ...from('active', 'cancelled'),
      reason: 'asked for by the customer',
    },
  ),
  'subscription.charged': event('A charge of a subscription was paid.', {
    charge: integer('The number of the paid charge, from 1.', 3),
    amount: amount('The paid amount.', '999'),
    asset,
    payment_id: id('payment', 'The payment of the charge.'),
  }),
  'subscription.created': event(
    'A subscription was created.',
    {
      ...created({
        status,
        ...AGREED,
        asset,
        trial_ends_at: nullable(instant('The first charge.'), 'When the trial ends; null if there is none.'),
      }),
      imported: maybe(
        object(
          {
            charges: integer('Charges that the other system had made.', 5),
            paid: amount('The amount that was paid there.', '4995'),
            started_at: nullable(
              instant('When it began.'),
              'When the subscription began; null if the import does not say.',
            ),
          },
          { description: 'Its past in another system.' },
        ),
        'unless it was imported',
      ),
    },
    { new: { status: 'active', ...exampleOfAgreement(), asset: 'USD/2', trial_ends_at: null }, imported: undefined },
  ),
  'subscription.expired': event(
    'A subscription ended: a charge failed for good, or its last charge is over.',
    {
      ...moved,
      reason: why,
      charges: AGREED.charges,
      charges_made: integer('Charges that were made.', 12),
      charges_skipped: integer('Charges that were skipped.', 0),
      charges_credited: integer('Charges that credit covered.', 0),
    },
    { ...from('active', 'expired'), reason: 'approval_used_up' },
  ),
  'subscription.past_due': event(
    'A charge failed for good; the subscription waits to be resumed.',
    { ...moved, reason: why },
    from('active', 'past_due'),
  ),
  'subscription.paused': event(
    'A subscription was paused.',
    { ...moved, reason: why },
    {
      ...from('active', 'paused'),
      reason: 'on holiday',
    },
  ),
  'subscription.plan_changed': event(
    'A subscription moved to another plan.',
    {
      old: object({ plan_id: planId, price: PLAN.price }, { description: 'The values before the change.' }),
      new: object(
        {
          version: integer('The version of its terms.', 2),
          ...AGREED,
          credit: amount('The unused part of the running period.', '500'),
          credit_paid: amount('The part of it that was paid, not credited.', '500'),
        },
        { description: 'The values after the change.' },
      ),
      proration: word(['none', 'charge'], 'Whether the change began a new period at once.', 'charge'),
      credit: amount('All open credit.', '500'),
    },
    {
      new: { version: 2, ...exampleOfAgreement(), price: '1299', approved: '15588', credit: '500', credit_paid: '500' },
    },
  ),
  'subscription.resumed': event(
    'A subscription was resumed.',
    { ...moved, reason: reasonIfGiven },
    from('paused', 'active'),
  ),
  'subscription.updated': event(
    'A subscription changed.',
    {
      changed: names('The fields that the caller gave.', ['priority']),
      new: object(given({ priority, retry }), { description: 'Their values after the change, but for `metadata`.' }),
    },
    { new: { priority: 'high' } },
  ),
} as const;

function exampleOfPlan(): Data {
  return {
    name: 'Pro',
    price: '999',
    zone: 'Europe/Berlin',
    charges: 12,
    trial_days: 0,
    priority: 'normal',
    after_failure: 'expire',
    missed: 'last',
    payee_id: BOB,
    payee_ref: 'bob',
    asset: 'USD/2',
  };
}

function exampleOfAgreement(): Data {
  return { plan_id: 'plan_01k9zt6d8qne4h6j9k2m5r7s0t', price: '999', charges: 12, approved: '11988' };
}
