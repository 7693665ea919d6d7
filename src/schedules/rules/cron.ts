// Five fields: minute, hour, day of month, month, day of week. Lists, ranges, steps, names; `L` is the last day of the
// month, `FRI#2` its second Friday, `FRIL` its last. Where both days are restricted a day that satisfies either will do,
// as everywhere since the first cron; a field that begins with `*` (also `*/2`) restricts in the other sense: both must hold.
import { refuse } from '../../kernel/index.ts';
import type { DayRule, WeekdayOf } from './days.ts';
import { isWeekday, weekdaySet } from './days.ts';
import { HORIZON, MINUTE, civilOf, dayOf, daysInMonth, firstOfMonth } from './local.ts';

export interface Cron {
  readonly days: DayRule;
  /** Times of day, in milliseconds, ascending. */
  readonly times: readonly number[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MINUTES: Field = { name: 'minute', least: 0, most: 59 };
const HOURS: Field = { name: 'hour', least: 0, most: 23 };
const MONTH_DAYS: Field = { name: 'day of month', least: 1, most: 31 };
const MONTH: Field = { name: 'month', least: 1, most: 12, names: MONTHS };
/** 7 is Sunday too. */
const WEEK_DAYS: Field = { name: 'day of week', least: 0, most: 7, names: WEEKDAYS };

const LAST_DAY = dayOf(HORIZON);
const PARAM = 'rule.cron';

/** What the five fields say. */
export interface CronFields {
  readonly times: readonly number[];
  readonly monthDays: readonly number[];
  /** `L`: the last day of the month. */
  readonly hasLast: boolean;
  readonly months: readonly number[];
  readonly weekdays: readonly WeekdayOf[];
  /** A day that satisfies one of the two fields of days will do; otherwise both must hold. */
  readonly either: boolean;
}

export function parseCron(text: string, anchor: number): Cron {
  const fields = readCron(text);
  return { days: cronDays(fields, anchor), times: fields.times };
}

export function readCron(text: string): CronFields {
  const fields = text.trim().toUpperCase().split(/\s+/);
  if (fields.length !== 5) {
    refuse('RULE_INVALID/cron_fields', { count: fields.length, param: PARAM });
  }
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = fields;
  const minutes = values(minute, MINUTES);
  const times = values(hour, HOURS).flatMap((each) => minutes.map((some) => (each * 60 + some) * MINUTE));
  const parts = dayOfMonth.split(',');
  return {
    times,
    monthDays: values(parts.filter((part) => part !== 'L').join(',') || null, MONTH_DAYS),
    hasLast: parts.includes('L'),
    months: values(month, MONTH),
    weekdays: dayOfWeek.split(',').flatMap(weekdaysOf),
    either: !dayOfMonth.startsWith('*') && !dayOfWeek.startsWith('*'),
  };
}

function cronDays(fields: CronFields, anchor: number): DayRule {
  const { hasLast, either } = fields;
  const [monthDays, months] = [new Set(fields.monthDays), new Set(fields.months)];
  const weekdays = weekdaySet(fields.weekdays);
  const matches = (day: number, first: number, length: number): boolean => {
    const offset = day - first;
    const byMonthDay = monthDays.has(offset + 1) || (hasLast && offset + 1 === length);
    const byWeekday = isWeekday(day, offset, length, weekdays);
    return either ? byMonthDay || byWeekday : byMonthDay && byWeekday;
  };
  return {
    next(wanted, last = LAST_DAY) {
      for (let day = Math.max(wanted, anchor); day < LAST_DAY && day <= last;) {
        const { year, month } = civilOf(day);
        const first = firstOfMonth(year, month);
        const length = daysInMonth(year, month);
        if (months.has(month)) {
          for (; day < first + length; day += 1) if (matches(day, first, length)) return day;
        }
        day = first + length;
      }
      return null;
    },
  };
}

function weekdaysOf(part: string): WeekdayOf[] {
  const [, name, nth] = /^([A-Z0-7]+?)(#[1-5]|L)$/.exec(part) ?? [];
  const days = values(name ?? part, WEEK_DAYS).map((day) => ({ weekday: (day + 6) % 7, nth: 0 }));
  if (nth === undefined) return days;
  return days.map(({ weekday }) => ({ weekday, nth: nth === 'L' ? -1 : Number(nth.slice(1)) }));
}

/** Every value of a list, ascending, each once. */
function values(text: string | null, field: Field): number[] {
  if (text === null) return [];
  const found = new Set(text.split(',').flatMap((part) => valuesOfPart(part, field)));
  return [...found].toSorted((a, b) => a - b);
}

function valuesOfPart(part: string, field: Field): number[] {
  const match = /^(?:(\*)|([A-Z0-9]+)(?:-([A-Z0-9]+))?)(?:\/(\d{1,2}))?$/.exec(part);
  const about = { part: field.name, value: part, param: PARAM };
  if (!match) return refuse('RULE_INVALID/cron_syntax', about);
  const [, all, from, to, step] = match;
  const first = all ? field.least : valueOf(from ?? '', field);
  // A step alone goes on to the end: 5/15 is 5-59/15.
  const end = all || (to === undefined && step !== undefined) ? field.most : valueOf(to ?? from ?? '', field);
  const last = all && field === WEEK_DAYS ? 6 : end;
  if (last < first) return refuse('RULE_INVALID/cron_backwards', about);
  const stride = Number(step ?? 1);
  if (stride < 1) return refuse('RULE_INVALID/cron_step', about);
  return Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, index) => first + index * stride);
}

function valueOf(text: string, field: Field): number {
  const named = field.names?.indexOf(text.slice(0, 3)) ?? -1;
  if (named >= 0 && text.length === 3) return named + (field === MONTH ? 1 : 0);
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  if (value >= field.least && value <= field.most) return value;
  const { name: part, least: min, most: max } = field;
  return refuse('RULE_INVALID/cron_range', { part, value: text, min, max, param: PARAM });
}
