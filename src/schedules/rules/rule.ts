// A rule as it is given, and what it is inside: which local days, which times of day; or a fixed period. Everything that is
// wrong with one is said here, when it is given, and not on the night it should have run.
import { refuse } from '../../kernel/index.ts';
import { parseCron } from './cron.ts';
import type { DayRule, DayTerms, Frequency } from './days.ts';
import { FREQUENCIES, dayRule } from './days.ts';
import type { Local } from './local.ts';
import { DAY, MINUTE, dayOf, parseTimeOfDay } from './local.ts';
import type { Excluded } from './rrule.ts';
import { parseRrule, parseWeekday } from './rrule.ts';
import type { Zone } from './zone.ts';

export interface CalendarRule {
  readonly frequency: Frequency;
  /** Every nth day, week, month or year, counted from the start; default 1. */
  readonly every?: number;
  /** `MO` … `SU`; of a month or year also `2TU` (second Tuesday) and `-1FR` (last Friday). With YEARLY, those without a number need `months`. */
  readonly weekdays?: readonly string[];
  /** 1 to 31, or `last`. Default: the day of the start. With YEARLY it needs `months`. */
  readonly daysOfMonth?: readonly (number | 'last')[];
  /** 1 to 12. */
  readonly months?: readonly number[];
  /** Local time of day, `09:00`; default: that of the start. */
  readonly time?: string;
}

export type RuleInput =
  | CalendarRule
  | { readonly rrule: string }
  | { readonly cron: string }
  | { readonly everySeconds: number };

const MONTH_ENDS = ['clamp', 'skip'] as const;
export type MonthEnd = (typeof MONTH_ENDS)[number];

/** Slots on local days at times of day; or, of a fixed period, in UTC. */
export type Rule =
  | {
      readonly kind: 'calendar';
      readonly days: DayRule;
      readonly times: readonly number[];
      readonly until: Local | null;
      readonly count: number | null;
      readonly excluded: readonly Excluded[];
    }
  | { readonly kind: 'period'; readonly periodMs: number };

export const LEAST_PERIOD_MS = MINUTE;
const MOST_PERIOD_SECONDS = 10 * 366 * 24 * 3_600;
const MOST_EVERY = 999;

export function parseRule(
  input: RuleInput,
  place: { zone: Zone; anchor: Local; monthEnd: MonthEnd | undefined },
): Rule {
  const { zone, anchor, monthEnd } = place;
  const anchorDay = dayOf(anchor);
  const nothing = { until: null, count: null, excluded: [] };
  const kinds = ['frequency', 'rrule', 'cron', 'everySeconds'].filter((kind) => kind in input);
  if (kinds.length !== 1) wrong('give exactly one of frequency, rrule, cron and everySeconds');
  requireOwnFields(input, kinds[0] ?? '');
  if ('everySeconds' in input) return parsePeriod(input.everySeconds, monthEnd);
  if ('cron' in input) {
    if (monthEnd !== undefined) wrong('monthEnd does not go with cron; L is the last day of the month');
    return { kind: 'calendar', ...parseCron(textOf(input.cron, 'cron'), anchorDay), ...nothing };
  }
  if ('rrule' in input) {
    const { terms, times, ...rest } = parseRrule(textOf(input.rrule, 'rrule'), zone, anchor - anchorDay * DAY);
    requireMonthDays(terms, monthEnd);
    const days = dayRule({ ...terms, monthEnd: monthEnd ?? 'skip' }, anchorDay);
    return { kind: 'calendar', days, times: apart(times ?? [anchor - anchorDay * DAY]), ...rest };
  }
  const terms = parseCalendar(input);
  requireMonthDays(terms, monthEnd);
  const time = input.time === undefined ? anchor - anchorDay * DAY : parseTimeOfDay(input.time, 'rule.time');
  const days = dayRule({ ...terms, monthEnd: monthEnd ?? 'clamp' }, anchorDay);
  return { kind: 'calendar', days, times: [time], ...nothing };
}

/** A field of another kind of rule would be ignored, and the schedule would not run as it reads. */
function requireOwnFields(input: RuleInput, kind: string): void {
  const own = kind === 'frequency' ? ['frequency', 'every', 'weekdays', 'daysOfMonth', 'months', 'time'] : [kind];
  const foreign = Object.entries(input).find(([name, value]) => value !== undefined && !own.includes(name));
  if (foreign) wrong(`${foreign[0]} does not go with ${kind}; leave it out, or say it in ${kind} itself`);
}

/** Only a day of the month can be missing from a month: a rule without one would ignore the policy. */
function requireMonthDays(terms: Omit<DayTerms, 'monthEnd'>, monthEnd: MonthEnd | undefined): void {
  if (monthEnd !== undefined && !MONTH_ENDS.includes(monthEnd)) wrong('monthEnd must be clamp or skip');
  const { frequency, monthDays, weekdays, weeks, yearDays } = terms;
  if (monthEnd === undefined || monthDays.length > 0) return;
  if (frequency === 'DAILY' || frequency === 'WEEKLY')
    wrong(`monthEnd does not go with ${frequency}; it is of rules of months and years`);
  if (weekdays.length + weeks.length + yearDays.length > 0)
    wrong('monthEnd needs days of the month; leave it out of a rule of weekdays, weeks or days of the year');
}

export function parseCalendar(rule: CalendarRule): Omit<DayTerms, 'monthEnd'> {
  const { frequency, every = 1, weekdays = [], daysOfMonth = [], months = [] } = rule;
  if (!FREQUENCIES.includes(frequency)) wrong(`frequency must be one of ${FREQUENCIES.join(', ')}`);
  if (!isWhole(every, 1, MOST_EVERY)) wrong(`every must be a whole number from 1 to ${MOST_EVERY}`);
  const parsed = weekdays.map(parseWeekday);
  const longPeriods = frequency === 'MONTHLY' || frequency === 'YEARLY';
  if (!longPeriods && parsed.some(({ nth }) => nth !== 0))
    wrong('a numbered weekday such as 2TU needs MONTHLY or YEARLY');
  if (!longPeriods && daysOfMonth.length > 0) wrong('daysOfMonth needs MONTHLY or YEARLY');
  if (daysOfMonth.length > 0 && parsed.length > 0) wrong('give weekdays or daysOfMonth, not both');
  requireMonths(frequency, {
    weekdays: parsed.some(({ nth }) => nth === 0),
    daysOfMonth: daysOfMonth.length > 0,
    months,
  });
  if (!daysOfMonth.every((day) => day === 'last' || isWhole(day, 1, 31)))
    wrong('daysOfMonth are numbers from 1 to 31, or "last"');
  if (!months.every((month) => isWhole(month, 1, 12))) wrong('months are numbers from 1 to 12');
  return {
    frequency,
    every,
    weekStart: 0,
    months: months.toSorted((a, b) => a - b),
    weeks: [],
    yearDays: [],
    monthDays: daysOfMonth.map((day) => (day === 'last' ? -1 : day)),
    weekdays: parsed,
    positions: [],
  };
}

/** A day of the month, or a weekday without a number, is one of every month or week: such a rule of years would run 12 or 52 times a year. */
function requireMonths(
  frequency: Frequency,
  given: { readonly weekdays: boolean; readonly daysOfMonth: boolean; readonly months: readonly number[] },
): void {
  if (frequency !== 'YEARLY' || given.months.length > 0) return;
  if (given.daysOfMonth)
    wrong('YEARLY with daysOfMonth needs months, such as [1]; for every month use MONTHLY with daysOfMonth');
  if (given.weekdays)
    wrong(
      'YEARLY with weekdays needs months, or a numbered weekday such as 1MO; for every week use WEEKLY with weekdays',
    );
}

function parsePeriod(seconds: number, monthEnd: MonthEnd | undefined): Rule {
  if (monthEnd !== undefined) wrong('monthEnd does not go with a fixed period');
  if (!isWhole(seconds, 1, MOST_PERIOD_SECONDS))
    wrong('everySeconds must be a whole number of seconds, at most ten years');
  if (seconds * 1_000 < LEAST_PERIOD_MS) tooFrequent();
  return { kind: 'period', periodMs: seconds * 1_000 };
}

/** Ascending, each once, and none less than a minute after another. */
function apart(times: readonly number[]): number[] {
  const sorted = [...new Set(times)].toSorted((a, b) => a - b);
  const [first = 0] = sorted;
  const tooClose = sorted.some((time, index) => (sorted[index + 1] ?? first + DAY) - time < LEAST_PERIOD_MS);
  return tooClose ? tooFrequent() : sorted;
}

function tooFrequent(): never {
  return refuse('RULE_TOO_FREQUENT', 'a schedule runs at most once a minute; take a longer period', { param: 'rule' });
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

function textOf(text: unknown, name: string): string {
  return typeof text === 'string' && text.length <= 2_000
    ? text
    : wrong(`${name} must be text of at most 2,000 characters`);
}

function wrong(what: string): never {
  return refuse('RULE_INVALID', what, { param: 'rule' });
}
