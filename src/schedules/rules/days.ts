// Which local days a rule falls on. Time is cut into periods (days, weeks, months, years) counted from the anchor's;
// every nth of them is expanded into its days by itself, so that any day can be asked for without walking there from the
// anchor, and no answer depends on the one before.
import type { CivilDay } from './local.ts';
import { HORIZON, civilOf, countUpTo, dayOf, daysInMonth, firstOfMonth, weekdayOf } from './local.ts';

export interface DayRule {
  /** The first day it falls on that is not before `from`, or null when there is none; days after `last` are not looked for. */
  next(from: number, last?: number): number | null;
}

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Monday is 0. `nth` counts from the beginning of the month or year, or from its end where negative; 0 is every one. */
export interface WeekdayOf {
  readonly weekday: number;
  readonly nth: number;
}

/** Empty lists say nothing. Days, weeks and positions below zero count from the end. */
export interface DayTerms {
  readonly frequency: Frequency;
  readonly every: number;
  readonly weekStart: number;
  readonly months: readonly number[];
  readonly weeks: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly weekdays: readonly WeekdayOf[];
  readonly positions: readonly number[];
  /** What becomes of a 31st in a month that has none. */
  readonly monthEnd: 'clamp' | 'skip';
}

const LAST_DAY = dayOf(HORIZON);

/**
 * The terms as they are asked: every list a set, so that a day costs the same whatever the rule names. Only so is the horizon a
 * bound of the time that a rule takes.
 */
interface DayChecks {
  readonly frequency: Frequency;
  readonly weekStart: number;
  readonly monthEnd: 'clamp' | 'skip';
  readonly months: ReadonlySet<number>;
  readonly weeks: ReadonlySet<number>;
  readonly yearDays: ReadonlySet<number>;
  readonly monthDays: readonly number[];
  readonly weekdays: WeekdaySet | null;
  readonly positions: ReadonlySet<number>;
}

export function dayRule(terms: DayTerms, anchor: number): DayRule {
  const { every, ...full } = withDefaults(terms, civilOf(anchor), weekdayOf(anchor));
  const checks: DayChecks = {
    ...full,
    months: new Set(full.months),
    weeks: new Set(full.weeks),
    yearDays: new Set(full.yearDays),
    monthDays: [...new Set(full.monthDays)],
    weekdays: full.weekdays.length === 0 ? null : weekdaySet(full.weekdays),
    positions: new Set(full.positions),
  };
  const { indexOf, startOf } = PERIODS[full.frequency](full.weekStart);
  const anchorIndex = indexOf(anchor);
  return {
    next(wanted, last = LAST_DAY) {
      const from = Math.max(wanted, anchor);
      const passed = Math.ceil((indexOf(from) - anchorIndex) / every);
      for (let index = anchorIndex + passed * every; ; index += every) {
        const begins = startOf(index);
        if (begins >= LAST_DAY || begins > last) return null;
        const days = expanded(checks, begins);
        const found = days[countUpTo(days, from - 1)];
        if (found !== undefined) return found;
      }
    },
  };
}

/** The days of the period asked for last: the next question is mostly about the same period, and a year is not expanded for each of its days. */
let asked: { readonly checks: DayChecks | null; readonly begins: number; readonly days: readonly number[] } = {
  checks: null,
  begins: 0,
  days: [],
};

function expanded(checks: DayChecks, begins: number): readonly number[] {
  if (asked.checks !== checks || asked.begins !== begins) {
    asked = { checks, begins, days: atPositions(daysOf(checks, begins), checks.positions) };
  }
  return asked.days;
}

/** The days of a period, in order. */
function daysOf(terms: DayChecks, begins: number): readonly number[] {
  if (terms.frequency === 'DAILY') return isDay(terms, begins) ? [begins] : [];
  if (terms.frequency === 'WEEKLY') return range(begins, begins + 7).filter((day) => isDay(terms, day));
  const { year, month } = civilOf(begins);
  if (terms.frequency === 'MONTHLY') return daysInOne(terms, year, month);
  return range(1, 13).flatMap((each) => daysInOne(terms, year, each));
}

/** A rule that does not say which days takes them from its anchor. */
export function withDefaults(terms: DayTerms, anchor: CivilDay, weekday: number): DayTerms {
  const { weeks, yearDays, monthDays, weekdays, months } = terms;
  if (yearDays.length + monthDays.length + weekdays.length > 0) return terms;
  // Of a numbered week too: one day of it, not seven.
  if (terms.frequency === 'WEEKLY' || weeks.length > 0) return { ...terms, weekdays: [{ weekday, nth: 0 }] };
  if (terms.frequency === 'MONTHLY') return { ...terms, monthDays: [anchor.day] };
  if (terms.frequency === 'DAILY') return terms;
  return { ...terms, months: months.length > 0 ? months : [anchor.month], monthDays: [anchor.day] };
}

interface Periods {
  indexOf(day: number): number;
  /** The first day of a period. */
  startOf(index: number): number;
}

const PERIODS: Readonly<Record<Frequency, (weekStart: number) => Periods>> = {
  DAILY: () => ({ indexOf: (day) => day, startOf: (index) => index }),
  WEEKLY: (weekStart) => {
    // 1970-01-01 was a Thursday.
    const firstWeek = weekStart - 3;
    return { indexOf: (day) => Math.floor((day - firstWeek) / 7), startOf: (index) => firstWeek + index * 7 };
  },
  MONTHLY: () => ({
    indexOf: (day) => {
      const { year, month } = civilOf(day);
      return year * 12 + month - 1;
    },
    startOf: (index) => firstOfMonth(Math.floor(index / 12), (index % 12) + 1),
  }),
  YEARLY: () => ({ indexOf: (day) => civilOf(day).year, startOf: (index) => firstOfMonth(index, 1) }),
};

/** Whether a day by itself satisfies the terms; weekdays have no numbers here. */
function isDay({ months, monthDays, weekdays, monthEnd }: DayChecks, day: number): boolean {
  if (weekdays !== null && weekdays[weekdayOf(day)] === undefined) return false;
  if (months.size + monthDays.length === 0) return true;
  const { year, month, day: dayOfMonth } = civilOf(day);
  if (months.size > 0 && !months.has(month)) return false;
  return monthDays.length === 0 || monthDaysOf(monthDays, daysInMonth(year, month), monthEnd).includes(dayOfMonth);
}

/** The days of one month that satisfy the terms. */
function daysInOne(terms: DayChecks, year: number, month: number): number[] {
  const { months, weeks, yearDays, monthDays, weekdays, weekStart } = terms;
  if (months.size > 0 && !months.has(month)) return [];
  const first = firstOfMonth(year, month);
  const length = daysInMonth(year, month);
  const named = monthDays.length > 0 ? monthDaysOf(monthDays, length, terms.monthEnd) : range(1, length + 1);
  let days = named.map((each) => first + each - 1);
  if (weekdays !== null) {
    const ofYear = terms.frequency === 'YEARLY' && months.size === 0;
    const begins = ofYear ? firstOfMonth(year, 1) : first;
    const lasts = ofYear ? daysInYear(year) : length;
    days = days.filter((day) => isWeekday(day, day - begins, lasts, weekdays));
  }
  if (yearDays.size > 0) {
    days = days.filter((day) => counts(day - firstOfMonth(year, 1), daysInYear(year), yearDays));
  }
  return weeks.size > 0 ? days.filter((day) => isInWeeks(day, year, weekStart, weeks)) : days;
}

/** Ascending, each once: two that are clamped to one day are one. */
function monthDaysOf(wanted: readonly number[], length: number, monthEnd: 'clamp' | 'skip'): number[] {
  const days = wanted.map((each) =>
    each < 0 ? length + 1 + each : monthEnd === 'clamp' ? Math.min(each, length) : each,
  );
  if (days.length === 1) return days[0] !== undefined && days[0] >= 1 && days[0] <= length ? days : [];
  return [...new Set(days)].filter((day) => day >= 1 && day <= length).toSorted((a, b) => a - b);
}

const daysInYear = (year: number): number => firstOfMonth(year + 1, 1) - firstOfMonth(year, 1);

/** By weekday: which of them are wanted, counted from the beginning or, below zero, from the end; 0 is every one. */
export type WeekdaySet = readonly (ReadonlySet<number> | undefined)[];

export function weekdaySet(wanted: readonly WeekdayOf[]): WeekdaySet {
  const byWeekday: Set<number>[] = [];
  for (const { weekday, nth } of wanted) (byWeekday[weekday] ??= new Set()).add(nth);
  return byWeekday;
}

/** Whether a day is one of the wanted weekdays of a month or year of `length` days, `offset` days after its first. */
export function isWeekday(day: number, offset: number, length: number, wanted: WeekdaySet): boolean {
  const nths = wanted[weekdayOf(day)];
  if (nths === undefined) return false;
  return nths.has(0) || nths.has(Math.floor(offset / 7) + 1) || nths.has(-Math.floor((length - 1 - offset) / 7) - 1);
}

/** Whether the item at `offset` of `length` is one of those counted from 1, or from −1 backwards. */
function counts(offset: number, length: number, wanted: ReadonlySet<number>): boolean {
  return wanted.has(offset + 1) || wanted.has(offset - length);
}

/** Weeks are numbered from the first that has four days in the year. */
function isInWeeks(day: number, year: number, weekStart: number, wanted: ReadonlySet<number>): boolean {
  const begins = (of: number): number => {
    const fourth = firstOfMonth(of, 1) + 3;
    return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
  };
  const own = day < begins(year) ? year - 1 : day >= begins(year + 1) ? year + 1 : year;
  return counts(Math.floor((day - begins(own)) / 7), (begins(own + 1) - begins(own)) / 7, wanted);
}

function atPositions(days: readonly number[], positions: ReadonlySet<number>): readonly number[] {
  return positions.size === 0 ? days : days.filter((_, index) => counts(index, days.length, positions));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
