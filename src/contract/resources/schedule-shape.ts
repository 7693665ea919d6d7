// A schedule in requests and in answers, and the outcome of its slots.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { RuleInput, ScheduleEdit, ScheduleOrder as EngineOrder, ScheduleView, UpcomingRun } from '../../engine.ts';
import {
  AFTER_FAILURES,
  FREQUENCIES,
  MISSED,
  OVERLAPS,
  PRIORITY_NAMES,
  SCHEDULE_STATUSES,
  SHIFTS,
  formatLocal,
  summaryOf,
  zoneOf,
} from '../../engine.ts';
import { shownActor, toTypeId } from '../../kernel/index.ts';
import { accountId, accountKey, durationOf, instantOrNull } from '../wire-format.ts';
import {
  AccountName,
  Amount,
  AmountIn,
  AssetName,
  DelayIn,
  Instant,
  Metadata,
  Reference,
  Whole,
  closed,
  durationShown,
  idOf,
  nullable,
  oneGivenOf,
  oneOf,
  textOrNull,
} from '../schemas.ts';
import { AMOUNT, eitherAmount, requiredAmount } from './amount-input.ts';
import { Leg, PAYOUT, Retry, readLegs, readPayout, readRetry } from './orders.ts';
import { EXPANDS, PAYS_OVER, RetryShown, showPaysOver, showRetry } from './payment-shape.ts';

export const LocalTime = Type.String({
  description: 'Local date and time in the zone of the schedule, without an offset.',
  examples: ['2026-12-31T09:00:00'],
});
export const LocalTimeIn = Type.String({
  description: 'A local date, or date and time, in the zone of the schedule: no offset.',
  maxLength: 30,
  examples: ['2026-12-31', '2026-12-31T09:00'],
});

export const Rule = closed(
  {
    frequency: Type.Optional(oneOf(FREQUENCIES)),
    every: Type.Optional(Whole({ description: 'Every nth day, week, month or year, from the start.', examples: [1] })),
    weekdays: Type.Optional(
      Type.Array(Type.String({ maxLength: 20 }), {
        maxItems: 60,
        description:
          '`MO` … `SU`. In a month or year also `2TU` (the second Tuesday) and `-1FR` (the last Friday). With YEARLY, weekdays without a number require `months`.',
        examples: [['FR']],
      }),
    ),
    days_of_month: Type.Optional(
      Type.Array(Type.Unsafe<number | 'last'>({ anyOf: [Whole(), { const: 'last' }] }), {
        maxItems: 32,
        description: '1 to 31, or `last`. Default: the day of the start. With YEARLY it requires `months`.',
        examples: [[1, 'last']],
      }),
    ),
    months: Type.Optional(Type.Array(Whole(), { maxItems: 12, examples: [[1, 7]] })),
    time: Type.Optional(
      Type.String({
        maxLength: 20,
        description: 'Local time of day. Default: the time of the start.',
        examples: ['09:00'],
      }),
    ),
    rrule: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description:
          'RFC 5545, with EXDATE lines if any. Parts that it omits come from the start: BYWEEKNO without BYDAY uses the weekday of the start.',
        examples: ['FREQ=MONTHLY;BYDAY=-1FR'],
      }),
    ),
    cron: Type.Optional(Type.String({ maxLength: 200, description: 'Five fields.', examples: ['0 9 * * MON-FRI'] })),
    every_seconds: Type.Optional(Whole({ description: 'A fixed period in seconds, at least 60.', examples: [86_400] })),
  },
  { title: 'Rule', description: 'One of `frequency` (with its fields), `rrule`, `cron` and `every_seconds`.' },
);

const BusinessDays = closed(
  {
    shift: oneOf(SHIFTS, { description: 'The direction in which a slot moves that is not on a business day.' }),
    holidays: Type.Optional(
      Type.Array(Type.String({ maxLength: 30 }), { maxItems: 1_000, examples: [['2026-12-25']] }),
    ),
    weekend: Type.Optional(
      Type.Array(Type.String({ maxLength: 20 }), {
        maxItems: 7,
        description: 'Default: SA and SU.',
        examples: [['FR', 'SA']],
      }),
    ),
  },
  { title: 'BusinessDays' },
);

const StepIn = closed({
  from: Type.Integer({ minimum: 2, maximum: 1_000_000_000, description: 'An ordinal: the first slot is 1.' }),
  ...AMOUNT,
});

export const TIMING = {
  rule: Rule,
  zone: Type.String({ maxLength: 64, description: 'IANA name.', examples: ['Europe/Berlin'] }),
  start: Type.String({
    maxLength: 30,
    examples: ['2026-12-31', '2026-12-31T09:00'],
    description:
      'A local date, or date and time, in the zone of the schedule: no offset. Slots are counted from it. Default: the day of creation; ' +
      'for `every_seconds` the time of creation.',
  }),
  until: {
    ...LocalTimeIn,
    description:
      'No run after this local date, or date and time, in the zone of the schedule: no offset. Default: no end.',
  } as typeof LocalTimeIn,
  count: Whole({
    description:
      'The number of the last slot, counted from `start`, or from the first run if `start` was left out. Default: no end.',
    minimum: 1,
  }),
  exclude: Type.Array(LocalTimeIn, { maxItems: 1_000 }),
  month_end: oneOf(['clamp', 'skip'], {
    description: 'A 31st in a shorter month: `clamp` uses its last day, `skip` skips the month.',
  }),
  business_days: BusinessDays,
};

const TERMS = {
  steps: Type.Array(StepIn, { maxItems: 100, description: 'Other amounts from a later slot on.' }),
  funding: oneOf(['reserve', 'at_execution']),
  priority: oneOf(PRIORITY_NAMES),
  retry: Retry,
  metadata: Metadata,
  missed: oneOf(MISSED, {
    description: 'If several slots are due at once: `last` runs the last (default), `skip` none, `all` each of them.',
  }),
  missed_cap: Whole({ description: 'Only for `all`: how many missed slots to run at most.' }),
  missed_window: {
    ...DelayIn,
    description: 'Only for `all`: the age of the oldest missed slot to run.',
  } as typeof DelayIn,
  guard_count: Whole({
    description: 'If more slots than this are due at once, the schedule pauses until a person decides.',
  }),
  guard_amount: {
    ...AmountIn,
    description: 'If the due slots together exceed this amount, the schedule pauses until a person decides.',
  } as typeof AmountIn,
  overlap: oneOf(OVERLAPS, {
    description:
      'If a slot is due before the payment of the previous one has ended: `wait` for it (default), `skip` the slot, or `allow` both.',
  }),
  after_failure: oneOf(AFTER_FAILURES, {
    description: 'After a payment failed for good: `continue` (default), `pause` the schedule, or `expire` it.',
  }),
};

export const ScheduleOrder = closed(
  {
    from: AccountName,
    to: Type.Optional(AccountName),
    legs: Type.Optional(Type.Array(Leg, { minItems: 1, maxItems: 10 })),
    ...PAYOUT,
    asset: Type.Optional(AssetName),
    reference: Type.Optional(Reference),
    ...AMOUNT,
    ...TERMS,
    steps: Type.Optional(TERMS.steps),
    funding: Type.Optional(TERMS.funding),
    priority: Type.Optional(TERMS.priority),
    retry: Type.Optional(TERMS.retry),
    metadata: Type.Optional(TERMS.metadata),
    missed: Type.Optional(TERMS.missed),
    missed_cap: Type.Optional(TERMS.missed_cap),
    missed_window: Type.Optional(TERMS.missed_window),
    guard_count: Type.Optional(TERMS.guard_count),
    guard_amount: Type.Optional(TERMS.guard_amount),
    overlap: Type.Optional(TERMS.overlap),
    after_failure: Type.Optional(TERMS.after_failure),
    ...TIMING,
    zone: Type.Optional(TIMING.zone),
    start: Type.Optional(TIMING.start),
    until: Type.Optional(TIMING.until),
    count: Type.Optional(TIMING.count),
    exclude: Type.Optional(TIMING.exclude),
    month_end: Type.Optional(TIMING.month_end),
    business_days: Type.Optional(TIMING.business_days),
  },
  {
    title: 'ScheduleCreateParams',
    ...oneGivenOf(['to', 'legs', 'destination', 'destinations'], ['amount', 'amount_decimal']),
  },
);

export const ScheduleEditBody = closed(
  {
    ...AMOUNT,
    steps: Type.Optional(nullable(TERMS.steps)),
    funding: Type.Optional(TERMS.funding),
    priority: Type.Optional(TERMS.priority),
    retry: Type.Optional(nullable(TERMS.retry)),
    metadata: Type.Optional(nullable(TERMS.metadata)),
    missed: Type.Optional(TERMS.missed),
    missed_cap: Type.Optional(nullable(TERMS.missed_cap)),
    missed_window: Type.Optional(nullable(TERMS.missed_window)),
    guard_count: Type.Optional(nullable(TERMS.guard_count)),
    guard_amount: Type.Optional(nullable(TERMS.guard_amount)),
    overlap: Type.Optional(TERMS.overlap),
    after_failure: Type.Optional(TERMS.after_failure),
    rule: Type.Optional(TIMING.rule),
    zone: Type.Optional(TIMING.zone),
    start: Type.Optional(TIMING.start),
    until: Type.Optional(nullable(TIMING.until)),
    count: Type.Optional(nullable(TIMING.count)),
    exclude: Type.Optional(nullable(TIMING.exclude)),
    month_end: Type.Optional(nullable(TIMING.month_end)),
    business_days: Type.Optional(nullable(TIMING.business_days)),
  },
  {
    title: 'ScheduleUpdateParams',
    minProperties: 1,
    description: 'Omitted fields stay unchanged; null removes a value.',
  },
);

export const UpcomingShown = closed(
  {
    slot: {
      ...LocalTime,
      description: 'The nominal time of the rule; in UTC for a fixed period.',
    } as typeof LocalTime,
    ordinal: Type.Integer(),
    local: { ...LocalTime, description: 'The local time in the zone when it runs.' } as typeof LocalTime,
    at: Instant,
    amount: Amount,
  },
  { title: 'UpcomingRun' },
);

export const Schedule = closed(
  {
    id: idOf('schedule'),
    status: oneOf(SCHEDULE_STATUSES),
    status_reason: textOrNull(),
    from: idOf('account'),
    to: nullable(idOf('account'), { description: 'Null if there are several payees; see `legs`.' }),
    legs: Type.Array(closed({ to: idOf('account'), amount: Amount }, { 'x-expand': EXPANDS })),
    ...PAYS_OVER,
    asset: Type.String(),
    amount: Amount,
    steps: Type.Array(
      closed({ from: Type.Integer({ description: 'The number of the first run with this amount.' }), amount: Amount }),
    ),
    funding: TERMS.funding,
    priority: TERMS.priority,
    retry: nullable(RetryShown, {
      description: 'Null: the preset `hold`, for payouts `payout`, or for an allowance the values of the deployment.',
    }),
    reference: textOrNull(),
    metadata: nullable(Metadata),
    summary: Type.String({ description: 'When it runs, in words.' }),
    rule: Rule,
    zone: Type.String(),
    start: Type.String(),
    until: textOrNull(),
    count: nullable(Type.Integer()),
    exclude: Type.Array(Type.String()),
    month_end: nullable(TIMING.month_end, { description: 'Null: `clamp`, or `skip` for an RRULE or cron rule.' }),
    business_days: nullable(BusinessDays),
    missed: TERMS.missed,
    missed_cap: nullable(Type.Integer()),
    missed_window: nullable(durationShown('Missed runs older than this are skipped.')),
    guard_count: nullable(Type.Integer()),
    guard_amount: nullable(Amount),
    overlap: TERMS.overlap,
    after_failure: TERMS.after_failure,
    next: nullable(closed({ slot: LocalTime, local: LocalTime, at: Instant }), {
      description: 'Null while it is paused, and after its end.',
    }),
    created_by: Type.String(),
    created_at: Instant,
    updated_at: Instant,
    ended_at: nullable(Instant),
  },
  { title: 'Schedule', 'x-expand': EXPANDS },
);

const NAMES: Readonly<Record<string, string>> = {
  after_failure: 'afterFailure',
  missed_cap: 'missedCap',
  missed_window: 'missedWindow',
  guard_count: 'guardCount',
  guard_amount: 'guardAmount',
  month_end: 'monthEnd',
  business_days: 'businessDays',
  days_of_month: 'daysOfMonth',
  every_seconds: 'everySeconds',
};
const OUTSIDE = Object.fromEntries(Object.entries(NAMES).map(([outside, inside]) => [inside, outside]));

const renamed = (fields: object, names: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value as unknown]));

export function readScheduleOrder(body: Static<typeof ScheduleOrder>, asset: string): EngineOrder {
  const { from, to, legs, rail: _rail, destination: _, destinations: _all, route_priority: _first, ...rest } = body;
  return {
    ...(readEdit(rest, asset) as unknown as EngineOrder),
    from: accountKey(from),
    ...(to === undefined ? {} : { to: accountKey(to) }),
    ...(legs === undefined ? {} : { legs: readLegs(legs, asset) }),
    ...readPayout(body),
    asset,
  };
}

/** The same fields under the names they have inside; `asset` by its full name where an amount is a decimal. */
export function readEdit(body: Static<typeof ScheduleEditBody>, asset: string): ScheduleEdit {
  const { rule, retry, amount: minor, amount_decimal, steps, ...rest } = body;
  const amount = eitherAmount(minor, amount_decimal, asset);
  return {
    ...renamed(rest, NAMES),
    ...(amount === undefined ? {} : { amount }),
    ...(steps === undefined ? {} : { steps: steps && readSteps(steps, asset) }),
    ...(rule === undefined ? {} : { rule: renamed(rule, NAMES) as unknown as RuleInput }),
    ...(retry === undefined ? {} : { retry: retry === null ? null : readRetry(retry) }),
  };
}

function readSteps(steps: readonly Static<typeof StepIn>[], asset: string) {
  return steps.map((step, index) => ({
    from: step.from,
    amount: requiredAmount(step, asset, `steps[${index}].amount`),
  }));
}

export function showSchedule(view: ScheduleView): Static<typeof Schedule> {
  const { timing, legs, next } = view;
  const [only] = legs;
  return {
    id: toTypeId('schedule', view.id),
    status: view.status,
    status_reason: view.statusReason,
    from: accountId(view.payerId),
    to: only && legs.length === 1 ? accountId(only.accountId) : null,
    legs: legs.map((leg) => ({ to: accountId(leg.accountId), amount: leg.amount.toString() })),
    ...showPaysOver(view),
    asset: view.asset,
    amount: view.amount.toString(),
    steps: view.steps.map((step) => ({ from: step.from, amount: step.amount.toString() })),
    funding: view.funding,
    priority: PRIORITY_NAMES[view.priority] ?? 'normal',
    retry: showRetry(view.retry),
    reference: view.reference,
    metadata: view.metadata && { ...view.metadata },
    summary: summaryOf(timing),
    rule: renamed(timing.rule, OUTSIDE),
    zone: timing.zone,
    start: timing.start,
    until: timing.until ?? null,
    count: timing.count ?? null,
    exclude: [...(timing.exclude ?? [])],
    month_end: timing.monthEnd ?? null,
    business_days: (timing.businessDays as Static<typeof BusinessDays> | undefined) ?? null,
    missed: view.missed,
    missed_cap: view.missedCap,
    missed_window: view.missedWindowMs === null ? null : durationOf(view.missedWindowMs),
    guard_count: view.guardCount,
    guard_amount: view.guardAmount?.toString() ?? null,
    overlap: view.overlap,
    after_failure: view.afterFailure,
    next: next && {
      slot: formatLocal(next.local),
      local: formatLocal(zoneOf(timing.zone).toLocal(next.at)),
      at: new Date(next.at).toISOString(),
    },
    created_by: shownActor(view.createdBy),
    created_at: view.createdAt.toISOString(),
    updated_at: view.updatedAt.toISOString(),
    ended_at: instantOrNull(view.endedAt),
  };
}

export function showUpcoming({ slot, ordinal, local, at, amount }: UpcomingRun): Static<typeof UpcomingShown> {
  return { slot, ordinal, local, at: at.toISOString(), amount: amount.toString() };
}
