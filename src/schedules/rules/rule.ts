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
const LONGEST_TEXT = 2_000;
const KINDS = ['frequency', 'rrule', 'cron', 'everySeconds'];

export function parseRule(
  input: RuleInput,
  place: { zone: Zone; anchor: Local; monthEnd: MonthEnd | undefined },
): Rule {
  const { zone, anchor, monthEnd } = place;
  const anchorDay = dayOf(anchor);
  const nothing = { until: null, count: null, excluded: [] };
  const given = KINDS.filter((kind) => kind in input);
  if (given.length !== 1) refuse('RULE_INVALID/one_kind', { kinds: KINDS, param: 'rule' });
  requireOwnFields(input, given[0] ?? '');
  if ('everySeconds' in input) return parsePeriod(input.everySeconds, monthEnd);
  if ('cron' in input) {
    if (monthEnd !== undefined) refuse('RULE_INVALID/month_end_with_cron', { param: 'monthEnd' });
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
  if (foreign) refuse('RULE_INVALID/foreign_field', { field: foreign[0], kind, param: 'rule' });
}

/** Only a day of the month can be missing from a month: a rule without one would ignore the policy. */
function requireMonthDays(terms: Omit<DayTerms, 'monthEnd'>, monthEnd: MonthEnd | undefined): void {
  const param = 'monthEnd';
  if (monthEnd !== undefined && !MONTH_ENDS.includes(monthEnd))
    refuse('RULE_INVALID/one_of', { param, allowed: MONTH_ENDS });
  const { frequency, monthDays, weekdays, weeks, yearDays } = terms;
  if (monthEnd === undefined || monthDays.length > 0) return;
  if (frequency === 'DAILY' || frequency === 'WEEKLY')
    refuse('RULE_INVALID/month_end_with_kind', { param, kind: frequency });
  if (weekdays.length + weeks.length + yearDays.length > 0) refuse('RULE_INVALID/month_end_without_days', { param });
}

export function parseCalendar(rule: CalendarRule): Omit<DayTerms, 'monthEnd'> {
  const { frequency, every = 1, weekdays = [], daysOfMonth = [], months = [] } = rule;
  if (!FREQUENCIES.includes(frequency))
    refuse('RULE_INVALID/one_of', { param: 'rule.frequency', allowed: FREQUENCIES });
  requireWhole(every, MOST_EVERY, 'rule.every');
  const parsed = weekdays.map((text) => parseWeekday(text, 'rule.weekdays'));
  const longPeriods = frequency === 'MONTHLY' || frequency === 'YEARLY';
  if (!longPeriods && parsed.some(({ nth }) => nth !== 0))
    refuse('RULE_INVALID/weekday_numbered', { param: 'rule.weekdays' });
  if (!longPeriods && daysOfMonth.length > 0)
    refuse('RULE_INVALID/days_of_month_frequency', { param: 'rule.daysOfMonth' });
  if (daysOfMonth.length > 0 && parsed.length > 0)
    refuse('RULE_INVALID/days_of_month_and_weekdays', { daysOfMonth: 'daysOfMonth', param: 'rule' });
  requireMonths(frequency, {
    weekdays: parsed.some(({ nth }) => nth === 0),
    daysOfMonth: daysOfMonth.length > 0,
    months,
  });
  if (!daysOfMonth.every((day) => day === 'last' || isWhole(day, 1, 31)))
    refuse('RULE_INVALID/days_of_month', { param: 'rule.daysOfMonth' });
  if (!months.every((month) => isWhole(month, 1, 12))) refuse('RULE_INVALID/months', { param: 'rule.months' });
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
    refuse('RULE_INVALID/yearly_days_of_month', { daysOfMonth: 'daysOfMonth', param: 'rule.months' });
  if (given.weekdays) refuse('RULE_INVALID/yearly_weekdays', { param: 'rule.months' });
}

function parsePeriod(seconds: number, monthEnd: MonthEnd | undefined): Rule {
  if (monthEnd !== undefined) refuse('RULE_INVALID/month_end_with_kind', { param: 'monthEnd', kind: 'everySeconds' });
  requireWhole(seconds, MOST_PERIOD_SECONDS, 'rule.everySeconds');
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
  return refuse('RULE_TOO_FREQUENT/period', { param: 'rule' });
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

function requireWhole(value: unknown, max: number, param: string): void {
  if (!isWhole(value, 1, max)) refuse('RULE_INVALID/not_whole_number', { param, min: 1, max });
}

function textOf(text: unknown, name: string): string {
  return typeof text === 'string' && text.length <= LONGEST_TEXT
    ? text
    : refuse('RULE_INVALID/not_text', { param: `rule.${name}`, max: LONGEST_TEXT });
}
