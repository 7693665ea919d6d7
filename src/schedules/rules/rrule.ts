// A recurrence rule as RFC 5545 writes it: one RRULE, with or without its name, and lines of EXDATE after it. What it
// says about days becomes DayTerms; BYHOUR, BYMINUTE and BYSECOND become times of day. Of the RFC these are left out, with
// a refusal that says what to use instead: frequencies below a day (a fixed period or cron), DTSTART (the schedule's
// start), and BYSETPOS over several times of a day.
import { refuse } from '../../kernel/index.ts';
import type { DayTerms, Frequency, WeekdayOf } from './days.ts';
import { FREQUENCIES } from './days.ts';
import type { Local } from './local.ts';
import { DAY, MINUTE, SECOND } from './local.ts';
import type { Zone } from './zone.ts';
import { zoneOf } from './zone.ts';

export interface RecurrenceRule {
  readonly terms: Omit<DayTerms, 'monthEnd'>;
  /** Null: the time of day of the start. */
  readonly times: readonly number[] | null;
  readonly until: Local | null;
  readonly count: number | null;
  readonly excluded: readonly Excluded[];
}

/** A local time, or a whole day. */
export type Excluded = { readonly local: Local } | { readonly day: number };

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const PARTS = [
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'WKST',
  'BYMONTH',
  'BYWEEKNO',
  'BYYEARDAY',
  'BYMONTHDAY',
  'BYDAY',
  'BYSETPOS',
  'BYHOUR',
  'BYMINUTE',
  'BYSECOND',
] as const;
type Part = (typeof PARTS)[number];
const PARAM = 'rule.rrule';

export function parseRrule(text: string, zone: Zone, anchorTime: number): RecurrenceRule {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const rules = lines.filter((line) => !/^EXDATE[;:]/i.test(line));
  const [rule] = rules;
  if (rule === undefined || rules.length > 1) return refuse('RULE_INVALID/rrule_lines', { param: PARAM });
  const parts = partsOf(rule.toUpperCase().replace(/^RRULE:/, ''));
  const frequency = frequencyOf(parts.get('FREQ'));
  const times = timesOf(parts, anchorTime);
  const rrule: RecurrenceRule = {
    terms: {
      frequency,
      every: numberIn(parts, 'INTERVAL', 1, 999) ?? 1,
      weekStart: parts.has('WKST') ? weekdayNamed(parts.get('WKST') ?? '', PARAM) : 0,
      months: numbers(parts, 'BYMONTH', 1, 12),
      weeks: signed(parts, 'BYWEEKNO', 53),
      yearDays: signed(parts, 'BYYEARDAY', 366),
      monthDays: signed(parts, 'BYMONTHDAY', 31),
      weekdays: (parts.get('BYDAY')?.split(',') ?? []).map((text) => parseWeekday(text, PARAM)),
      positions: signed(parts, 'BYSETPOS', 366),
    },
    times,
    until: parts.has('UNTIL') ? momentOf(parts.get('UNTIL') ?? '', zone, 'ends') : null,
    count: numberIn(parts, 'COUNT', 1, 1_000_000) ?? null,
    excluded: lines.filter((line) => /^EXDATE[;:]/i.test(line)).flatMap((line) => excludedBy(line, zone)),
  };
  requireSense(rrule);
  return rrule;
}

function partsOf(text: string): Map<Part, string> {
  const parts = new Map<Part, string>();
  for (const pair of text.split(';')) {
    if (pair === '') refuse('RULE_INVALID/rrule_part_empty', { param: PARAM });
    const [name = '', value = '', ...more] = pair.split('=');
    if (more.length > 0) refuse('RULE_INVALID/rrule_part_syntax', { part: pair, param: PARAM });
    const part =
      PARTS.find((known) => known === name) ?? refuse('RULE_INVALID/rrule_part_unknown', { part: pair, param: PARAM });
    if (parts.has(part)) refuse('RULE_INVALID/rrule_part_twice', { part, param: PARAM });
    parts.set(part, value);
  }
  return parts;
}

function frequencyOf(text: string | undefined): Frequency {
  if (text === 'SECONDLY' || text === 'MINUTELY' || text === 'HOURLY') {
    refuse('RULE_TOO_FREQUENT/frequency_unsupported', { frequency: text, period: 'everySeconds', param: PARAM });
  }
  return (
    FREQUENCIES.find((known) => known === text) ??
    refuse('RULE_INVALID/rrule_frequency', { allowed: FREQUENCIES, param: PARAM })
  );
}

/** What the RFC says may not go together, and what would mean nothing. */
function requireSense({ terms, times, until, count }: RecurrenceRule): void {
  const { frequency, weekdays, weeks, yearDays, monthDays, positions } = terms;
  if (until !== null && count !== null) conflict('UNTIL', 'COUNT');
  if (weeks.length > 0 && frequency !== 'YEARLY') needs('BYWEEKNO', 'FREQ=YEARLY');
  if (yearDays.length > 0 && frequency !== 'YEARLY') needs('BYYEARDAY', 'FREQ=YEARLY');
  if (monthDays.length > 0 && frequency === 'WEEKLY') conflict('BYMONTHDAY', 'FREQ=WEEKLY');
  const numbered = weekdays.some(({ nth }) => nth !== 0);
  if (numbered && (frequency === 'DAILY' || frequency === 'WEEKLY' || weeks.length > 0)) {
    refuse('RULE_INVALID/rrule_numbered_weekday', { param: PARAM });
  }
  const days = weekdays.length + weeks.length + yearDays.length + monthDays.length + terms.months.length;
  if (positions.length > 0 && days === 0) needs('BYSETPOS', 'another BY part to choose from');
  if (positions.length > 0 && (times?.length ?? 1) > 1)
    refuse('RULE_INVALID/rrule_positions_of_times', { param: PARAM });
}

const needs = (part: Part, needed: string): never => refuse('RULE_INVALID/rrule_needs', { part, needed, param: PARAM });
const conflict = (part: Part, other: string): never =>
  refuse('RULE_INVALID/rrule_conflict', { part, other, param: PARAM });

function timesOf(parts: ReadonlyMap<Part, string>, anchor: number): number[] | null {
  if (!parts.has('BYHOUR') && !parts.has('BYMINUTE') && !parts.has('BYSECOND')) return null;
  const or = (list: readonly number[], unit: number, within: number): readonly number[] =>
    list.length > 0 ? list : [Math.floor((anchor % within) / unit)];
  const hours = or(numbers(parts, 'BYHOUR', 0, 23), 60 * MINUTE, DAY);
  const minutes = or(numbers(parts, 'BYMINUTE', 0, 59), MINUTE, 60 * MINUTE);
  const seconds = or(numbers(parts, 'BYSECOND', 0, 59), SECOND, MINUTE);
  return hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => ((h * 60 + m) * 60 + s) * SECOND)));
}

function numbers(parts: ReadonlyMap<Part, string>, part: Part, least: number, most: number): number[] {
  const text = parts.get(part);
  if (text === undefined) return [];
  const found = new Set(
    text.split(',').map((each) => {
      const value = /^[+-]?\d{1,7}$/.test(each) ? Number(each) : NaN;
      return value >= least && value <= most
        ? value
        : refuse('RULE_INVALID/rrule_range', { part, value: each, min: least, max: most, param: PARAM });
    }),
  );
  return [...found].toSorted((a, b) => a - b);
}

function signed(parts: ReadonlyMap<Part, string>, part: Part, most: number): number[] {
  const found = numbers(parts, part, -most, most);
  return found.includes(0) ? refuse('RULE_INVALID/rrule_zero', { part, param: PARAM }) : found;
}

function numberIn(parts: ReadonlyMap<Part, string>, part: Part, least: number, most: number): number | undefined {
  const found = numbers(parts, part, least, most);
  return found.length > 1 ? refuse('RULE_INVALID/rrule_not_one', { part, param: PARAM }) : found[0];
}

/** `FR`, or `2TU` and `-1FR` where weekdays of a month or year are counted. */
export function parseWeekday(text: string, param: string): WeekdayOf {
  const [, nth, name] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
  const weekday = weekdayNamed(name ?? text, param);
  const number = nth === undefined ? 0 : Number(nth);
  if (nth !== undefined && (number === 0 || Math.abs(number) > 53))
    refuse('RULE_INVALID/weekday_number', { value: text, param });
  return { weekday, nth: number };
}

function weekdayNamed(name: string, param: string): number {
  const weekday = WEEKDAYS.indexOf(name);
  return weekday >= 0 ? weekday : refuse('RULE_INVALID/weekday_unknown', { value: name, weekdays: WEEKDAYS, param });
}

const MOMENT = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/;

/** `19971224`, `19971224T090000` or `19971224T090000Z`, in the zone's local time. */
function momentOf(text: string, zone: Zone, date: 'begins' | 'ends'): Local {
  const match = MOMENT.exec(text);
  if (!match) return refuse('RULE_INVALID/rrule_date', { value: text, param: PARAM });
  const [, year, month, day, hour, minute, second, utc] = match;
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  const [shownDate = '', shownTime = ''] = new Date(local).toISOString().split('T');
  const isInCalendar =
    shownDate === `${year}-${month}-${day}` &&
    shownTime.startsWith(`${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`);
  if (!isInCalendar) return refuse('RULE_INVALID/rrule_date_not_in_calendar', { value: text, param: PARAM });
  if (utc) return zone.toLocal(local);
  return hour === undefined && date === 'ends' ? local + DAY - 1 : local;
}

function excludedBy(line: string, zone: Zone): Excluded[] {
  const [, zoneName, list = ''] =
    /^EXDATE(?:;VALUE=DATE(?:-TIME)?|;TZID=([^:;]+))*:(.*)$/i.exec(line) ??
    refuse('RULE_INVALID/rrule_exdate', { line, param: PARAM });
  const named = zoneName === undefined ? zone : zoneOf(zoneName);
  return list
    .toUpperCase()
    .split(',')
    .map((each) => {
      const local = momentOf(each, zone, 'begins');
      // A zone has several names (Europe/Oslo is a link to Europe/Berlin), and the runtime does not know all of them as one. The same
      // clocks at that time are the same moment, whatever the name.
      if (named !== zone && named.toInstant(local).at !== zone.toInstant(local).at)
        refuse('RULE_INVALID/rrule_exdate_zone', {
          value: each,
          zone: zoneName ?? named.name,
          scheduleZone: zone.name,
          param: PARAM,
        });
      return each.includes('T') ? { local } : { day: local / DAY };
    });
}
