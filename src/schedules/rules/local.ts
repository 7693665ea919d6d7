// Local time as a number: the milliseconds that UTC would need to show the same date and time of day. It says nothing
// about an instant until a zone is asked; but days, weeks and months can be counted with it, and it cannot be ambiguous.
import { refuse } from '../../kernel/index.ts';

export type Local = number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

/** Nothing is computed beyond: a rule that has no slot before this has none. */
export const HORIZON: Local = Date.UTC(2200, 0, 1);
const BEGINNING: Local = Date.UTC(1970, 0, 1);

export interface CivilDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Days since 1970-01-01, of a local time. */
export const dayOf = (local: Local): number => Math.floor(local / DAY);

/** 0 is Monday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

export function civilOf(day: number): CivilDay {
  // Years begin in March, so that the leap day comes last and months follow one formula.
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** Takes a month outside 1 to 12 as one of another year. */
export const firstOfMonth = (year: number, month: number): number => Date.UTC(year, month - 1, 1) / DAY;

export const daysInMonth = (year: number, month: number): number =>
  firstOfMonth(year, month + 1) - firstOfMonth(year, month);

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?$/;

/** `2026-01-31`, `2026-01-31T09:00` or `2026-01-31T09:00:00`. A date alone is its first instant, or its last. */
export function parseLocal(text: string, param: string, date: 'begins' | 'ends' = 'begins'): Local {
  const match = typeof text === 'string' ? LOCAL.exec(text) : null;
  const [, year, month, day, hour, minute, second, fraction] = match ?? [];
  const at =
    Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour ?? 0),
      Number(minute ?? 0),
      Number(second ?? 0),
    ) + Number((fraction ?? '0').padEnd(3, '0'));
  const local = hour === undefined && date === 'ends' ? at + DAY - 1 : at;
  // Written anew, a 30th of February or a 25th hour would be another day.
  if (
    !match ||
    formatLocal(at).slice(0, 10) !== text.slice(0, 10) ||
    Number(hour ?? 0) > 23 ||
    Number(minute ?? 0) > 59 ||
    Number(second ?? 0) > 59
  ) {
    return refuse('LOCAL_TIME_INVALID/date', { param });
  }
  if (local < BEGINNING || local >= HORIZON) {
    return refuse('LOCAL_TIME_INVALID/out_of_range', { param });
  }
  return local;
}

export function hasTime(text: string): boolean {
  return text.length > 10;
}

/** `2026-01-31T09:00:00`, with milliseconds where there are any. */
export function formatLocal(local: Local): string {
  if (local !== lastFormatted.local) {
    const text = new Date(local).toISOString();
    lastFormatted = { local, text: text.slice(0, text.endsWith('.000Z') ? -5 : -1) };
  }
  return lastFormatted.text;
}

/** Of a batch of schedules many have the same slot. */
let lastFormatted = { local: 0, text: '1970-01-01T00:00:00' };

/** `09:00` or `09:00:30`, in milliseconds of the day. */
export function parseTimeOfDay(text: string, param: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (!match) return refuse('LOCAL_TIME_INVALID/time_of_day', { param });
  return Number(match[1]) * 60 * MINUTE + Number(match[2]) * MINUTE + Number(match[3] ?? 0) * SECOND;
}

/** How many of ascending days or times are at or before one. */
export function countUpTo(ascending: readonly number[], wanted: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
