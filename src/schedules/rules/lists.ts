// Lists of numbers, weekdays, dates and times of day in words.
import type { WeekdayOf } from './days.ts';
import { MINUTE, SECOND } from './local.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const MOST_LISTED = 12;

/** "a", "a and b", "a, b and c"; of more than twelve the first twelve. */
export function listed(items: readonly string[]): string {
  const shown =
    items.length > MOST_LISTED ? [...items.slice(0, MOST_LISTED), `${items.length - MOST_LISTED} more`] : [...items];
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/** Three or more in a row are a range: "1 to 5 and 10". */
export function ranges(numbers: readonly number[], name: (value: number) => string = String): string[] {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b);
  const runs: number[][] = [];
  for (const value of sorted) {
    const run = runs.at(-1);
    if (run && run.at(-1) === value - 1) run.push(value);
    else runs.push([value]);
  }
  return runs.flatMap((run) => {
    const [first = 0, last = 0] = [run[0], run.at(-1)];
    return run.length > 2 ? [`${name(first)} to ${name(last)}`] : run.map(name);
  });
}

/** 1 is "first", −1 "last", −2 "second-to-last". */
export function ordinal(n: number): string {
  if (n === -1) return 'last';
  if (n < 0) return `${ordinal(-n)}-to-last`;
  return ORDINALS[n - 1] ?? `${n}${suffixOf(n)}`;
}

function suffixOf(n: number): string {
  if (n % 100 >= 11 && n % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th';
}

/** From the first on, then those that are counted from the end. */
export const ordinals = (numbers: readonly number[]): string[] =>
  [...new Set(numbers)].toSorted((a, b) => Number(a < 0) - Number(b < 0) || a - b).map(ordinal);

export const weekdayName = (weekday: number): string => WEEKDAYS[weekday] ?? '';
export const monthNames = (months: readonly number[]): string =>
  listed(ranges(months, (month) => MONTHS[month - 1] ?? ''));

/** "Monday to Friday", "second Tuesday and last Friday". */
export function weekdayNames(weekdays: readonly WeekdayOf[]): string {
  const plain = weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday);
  const numbered = [...new Set(weekdays.filter(({ nth }) => nth !== 0).map(({ nth }) => nth))]
    .toSorted((a, b) => Number(a < 0) - Number(b < 0) || a - b)
    .flatMap((nth) => {
      const own = weekdays.filter((each) => each.nth === nth).map(({ weekday }) => weekday);
      return [...new Set(own)].toSorted((a, b) => a - b).map((weekday) => `${ordinal(nth)} ${weekdayName(weekday)}`);
    });
  return listed([...ranges(plain, weekdayName), ...numbered]);
}

/** "day 1", "days 1 and 15", "second-to-last day". */
export function dayNumbers(days: readonly number[]): string {
  const [forward, backward] = [days.filter((day) => day > 0), days.filter((day) => day < 0)];
  const numbers = ranges(forward);
  const several = new Set(forward).size > 1;
  return listed([
    ...(numbers.length === 0 ? [] : [`day${several ? 's' : ''} ${listed(numbers)}`]),
    ...ordinals(backward).map((each) => `${each} day`),
  ]);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** "09:00", or "09:00:30". */
export function timeOfDay(ms: number): string {
  const [hour, minute, second] = [
    Math.floor(ms / (60 * MINUTE)),
    Math.floor(ms / MINUTE) % 60,
    Math.floor(ms / SECOND) % 60,
  ];
  return `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`;
}

/** Few times are listed; many are a pattern of minutes and hours. */
export function timesOfDay(times: readonly number[], zone: string): string {
  if (times.length <= MOST_LISTED / 2) return `${listed(times.map(timeOfDay))} ${zone}`;
  const hours = [...new Set(times.map((time) => Math.floor(time / (60 * MINUTE))))];
  const minutes = [...new Set(times.map((time) => Math.floor(time / MINUTE) % 60))].toSorted((a, b) => a - b);
  const second = Math.floor((times[0] ?? 0) / SECOND) % 60;
  const within =
    hours.length === 24 ? 'of every hour' : `of hour${hours.length > 1 ? 's' : ''} ${listed(ranges(hours))}`;
  const at = second === 0 ? '' : `, at second ${second}`;
  return `${minutesIn(minutes, hours.length === 24 ? '' : ` ${within}`, within)}${at} (${zone})`;
}

function minutesIn(minutes: readonly number[], hours: string, within: string): string {
  const step = 60 / minutes.length;
  if (minutes.length === 60) return `every minute${hours}`;
  if (minutes.length > 1 && Number.isInteger(step) && minutes.every((minute, index) => minute === index * step))
    return `every ${step} minutes${hours}`;
  return `minute${minutes.length > 1 ? 's' : ''} ${listed(ranges(minutes))} ${within}`;
}
