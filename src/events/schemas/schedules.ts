// Events about schedules, allowances and outages.
import { Type } from 'typebox';
import type { Data } from './define.ts';
import { event } from './define.ts';
import {
  BOB,
  account,
  amount,
  anyObject,
  asset,
  change,
  code,
  created,
  detail,
  given,
  id,
  instant,
  integer,
  list,
  local,
  maybe,
  names,
  nullable,
  object,
  priority,
  reason,
  reasonIfGiven,
  retry,
  text,
  word,
} from './fields.ts';

const status = word(['active', 'paused', 'completed', 'cancelled', 'expired'], 'The state of the schedule.', 'active');
const why = maybe(text('The reason given by the caller, or the cause.', 'payment_failed'), 'if there is none');
const cancelPayment = maybe(
  Type.Boolean({ description: 'Whether its open payment was to be cancelled too.', examples: [true] }),
  'if the caller did not say',
);
const moved = { ...change({ status }, { status }), reason: why };
const byCaller = { ...change({ status }, { status }), reason: reasonIfGiven, cancel_payment: cancelPayment };
const from = (before: string, after: string): Data => ({ old: { status: before }, new: { status: after } });
const slot = local('The slot.');
const payment = id('payment', 'The payment of the slot.');

/** Terms of a schedule that a caller may change; an event has those that were given. */
const TERMS = {
  amount: amount('The amount of each payment.'),
  steps: list(
    object({
      from: integer('From this run on, counted from 1.', 4),
      amount: amount('The amount from then on.', '12000'),
    }),
    'Other amounts from a run on.',
  ),
  funding: word(['reserve', 'at_execution'], 'When funds are taken.', 'at_execution'),
  priority,
  retry,
  missed: word(['last', 'skip', 'all'], 'Which of several missed runs are made.', 'last'),
  missed_cap: nullable(integer('A number of runs.', 100), 'How many missed runs are made at most; null: not limited.'),
  missed_window: nullable(text('A duration.', 'PT172800S'), 'How old a missed run may be. ISO 8601; null: any age.'),
  guard_count: nullable(
    integer('A number of runs.', 3),
    'More runs due at once pause the schedule; null: no such bound.',
  ),
  guard_amount: nullable(
    amount('An amount.'),
    'A larger sum due at once pauses the schedule. Minor units; null: no such bound.',
  ),
  overlap: word(['wait', 'skip', 'allow'], 'How a run is handled whose predecessor is not finished.', 'wait'),
  after_failure: word(['continue', 'pause', 'expire'], 'How the schedule continues after a final failure.', 'continue'),
  rule: anyObject('The rule, as in `Schedule`.', { frequency: 'MONTHLY', days_of_month: [15] }, 'keys'),
  zone: text('IANA time zone.', 'Europe/Berlin'),
  start: text('The local date, or date and time, that the rule is counted from.', '2026-11-15T09:30:00'),
  until: nullable(text('A local date, or date and time.', '2027-11-15'), 'No run after this; null: no end.'),
  count: nullable(integer('A number of runs.', 12), 'No run after this many; null: no end.'),
  exclude: nullable(
    list(text('A local date, or date and time.', '2026-12-25'), 'Dates.'),
    'Dates without a run; null: none.',
  ),
  month_end: nullable(
    word(['clamp', 'skip'], 'A policy.', 'clamp'),
    'How the 31st is handled in a shorter month; null: the default of the rule.',
  ),
  business_days: nullable(
    object({
      shift: word(['skip', 'next', 'previous'], 'The direction in which a run on another day moves.', 'next'),
      holidays: maybe(list(text('A date.', '2026-12-25'), 'Dates.'), 'if it was not given: none'),
      weekend: maybe(
        list(text('A weekday.', 'SA'), 'Weekdays without runs.'),
        'if it was not given: Saturday and Sunday',
      ),
    }),
    'The days on which it runs; null: all.',
  ),
};

const FAMILY = {
  ...account('guardian_id', 'The account that pays.'),
  ...account('junior_id', 'The account that is paid.', BOB),
};
const onOff = word(['ON', 'OFF'], 'Whether it pays.', 'ON');
const frequency = word(['DAILY', 'WEEKLY', 'MONTHLY'], 'How often it pays.', 'WEEKLY');
const credit = amount('The amount of each credit.', '500');

const overdue = list(
  object({
    asset,
    count: integer('How many schedules.', 120),
    amount: amount('The sum of their payments.', '1200000'),
  }),
  'The overdue schedules, by asset.',
);
const outage = word(['waiting', 'released', 'discarded'], 'The state of the outage.', 'waiting');
const decided = { ...change({ status: outage }, { status: outage }), overdue };
const guard = object(
  {
    count: nullable(
      integer('A number of schedules.', 100),
      'How many schedules may be overdue at once; null: any number.',
    ),
    amounts: list(object({ asset, amount: amount('A sum.') }), 'How much of an asset may be overdue at once.'),
  },
  { title: 'EventOutageGuard', description: 'The outage guard.' },
);

export const SCHEDULE_EVENTS = {
  'allowance.created': event('An allowance was created.', {
    ...FAMILY,
    ...created({ status: onOff, amount: credit, asset, frequency }),
  }),
  'allowance.deleted': event('An allowance was deleted.', {
    ...FAMILY,
    old: object({ status: onOff }, { description: 'The values before the change.' }),
  }),
  'allowance.updated': event(
    'The amount, frequency or status of an allowance changed.',
    {
      ...FAMILY,
      changed: names('The fields that the caller gave.', ['amount']),
      ...change(
        { status: onOff },
        {
          status: onOff,
          ...given({ amount: credit, frequency, zone: TERMS.zone, retry }),
        },
      ),
      reason: maybe(
        word(['guardian_removed'], 'Why the engine turned it OFF.', 'guardian_removed'),
        'if a caller changed it',
      ),
    },
    { new: { status: 'ON', amount: '600' }, reason: undefined },
  ),
  'outage.discarded': event(
    'The payments that an outage held back were discarded.',
    { ...decided, reason },
    {
      ...from('waiting', 'discarded'),
      reason: 'paid by hand meanwhile',
    },
  ),
  'outage.held': event('The outage guard held back the payments that became due during an outage.', {
    since: instant('When the first of them was due.'),
    through: instant('When it was noticed; everything due by then waits.'),
    overdue,
  }),
  'outage.released': event(
    'The payments that an outage held back were released.',
    { ...decided, reason: reasonIfGiven },
    from('waiting', 'released'),
  ),
  'outage_guard.set': event(
    'The outage guard of the tenant was set.',
    change({ outage_guard: guard }, { outage_guard: guard }),
    { old: { outage_guard: { count: null, amounts: [] } } },
  ),
  'schedule.backfilled': event('Past slots of a schedule were made up for.', {
    start: text('The first local date, or date and time.', '2026-09-01'),
    end: text('The last one.', '2026-10-31'),
    slots: integer('How many payments were created.', 2),
  }),
  'schedule.cancelled': event(
    'A schedule was cancelled.',
    { ...byCaller, reason: why },
    { ...from('active', 'cancelled'), reason: 'moved away' },
  ),
  'schedule.completed': event('A schedule reached its end.', moved, {
    ...from('active', 'completed'),
    reason: undefined,
  }),
  'schedule.created': event(
    'A schedule was created.',
    created({
      status,
      rail: text('How its payments move: `ledger`, or for payouts a chain or `any`.', 'ledger'),
      amount: TERMS.amount,
      asset,
      first_run_at: instant('When it first runs.'),
    }),
  ),
  'schedule.expired': event('A schedule ended because a payment failed for good.', moved, from('active', 'expired')),
  'schedule.occurrence_discarded': event('An occurrence that failed was discarded.', {
    slot,
    asset,
    amount: nullable(amount('The amount of the slot.'), 'The amount of the slot. Minor units.'),
    code: nullable(code, 'The code of the failure.'),
    reason,
  }),
  'schedule.occurrence_failed': event('A slot of a schedule could not become a payment: it is a dead letter.', {
    slot,
    amount: amount('The amount of the slot.'),
    code,
    detail,
  }),
  'schedule.occurrence_late': event('A slot of a schedule became a payment late.', {
    slot,
    late_by_ms: integer('Milliseconds.', 90_000),
    payment_id: payment,
  }),
  'schedule.occurrence_retried': event(
    'An occurrence that failed became a payment.',
    {
      slot,
      payment_id: maybe(payment, 'if a credit covered it'),
      credited: maybe(amount('The credit that covered it.'), 'if there is a payment'),
      reason: reasonIfGiven,
    },
    { credited: undefined },
  ),
  'schedule.occurrence_skipped': event(
    'Slots of a schedule were skipped.',
    {
      slot: local('The first slot.'),
      through: maybe(local('The last slot.'), 'if there is one slot'),
      slots: integer('How many.', 1),
      reason: word(
        ['missed', 'capped', 'outside_window', 'overlap', 'updated', 'outage', 'credit', 'inactive'],
        'Why they were skipped.',
        'overlap',
      ),
      amount: maybe(amount('The credit that covered it.'), 'unless the reason is `credit`'),
    },
    { through: undefined, amount: undefined },
  ),
  'schedule.paused': event('A schedule was paused.', { ...byCaller, reason: why }, from('active', 'paused')),
  'schedule.resumed': event(
    'A schedule was resumed.',
    { ...change({ status }, { status }), reason: reasonIfGiven },
    from('paused', 'active'),
  ),
  'schedule.triggered': event('A schedule was triggered outside its rule.', {
    slot,
    amount: amount('The amount of the payment.'),
    payment_id: nullable(payment, 'The payment.'),
  }),
  'schedule.updated': event(
    'A schedule changed.',
    {
      changed: names('The fields that the caller gave.', ['amount']),
      new: object(given(TERMS), { description: 'Their values after the change, but for `metadata`.' }),
    },
    { new: { amount: '12000' } },
  ),
} as const;
