// The same rules once more, the slow way: every day is asked by itself, with the platform's Date and no arithmetic of ours.
import type { CalendarRule, RuleInput } from '../../src/schedules/rules/index.ts';

const DAY = 86_400_000;
const NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Days since 1970 on which a rule has slots at or after its start, within so many days. */
export function naiveDays(rule: RuleInput, start: string, monthEnd: 'clamp' | 'skip', count: number): number[] {
  const anchor = new Date(`${start}Z`);
  const matches = 'cron' in rule ? cronMatcher(rule.cron) : calendarMatcher(rule as CalendarRule, anchor, monthEnd);
  const first = Math.floor(anchor.getTime() / DAY);
  const found: number[] = [];
  for (let day = first; day <= first + count; day += 1) {
    const date = new Date(day * DAY);
    const tooEarly = 'cron' in rule && day === first && latestOf(rule.cron) * 60_000 < anchor.getTime() - day * DAY;
    if (matches(date) && !tooEarly) found.push(day);
  }
  return found;
}

const lastOf = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
const months = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();
const monday = (date: Date): number => date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY;

function calendarMatcher(rule: CalendarRule, anchor: Date, monthEnd: 'clamp' | 'skip'): (date: Date) => boolean {
  const { frequency, every = 1, weekdays, daysOfMonth } = rule;
  const startDay = new Date(Math.floor(anchor.getTime() / DAY) * DAY);
  const isOneOf = (date: Date, wanted: readonly (number | 'last')[]): boolean =>
    wanted.some((day) => {
      const last = lastOf(date);
      if (day === 'last') return date.getUTCDate() === last;
      return date.getUTCDate() === day || (monthEnd === 'clamp' && day > last && date.getUTCDate() === last);
    });
  const isWeekday = (date: Date): boolean =>
    (weekdays ?? []).some((text) => {
      if (NAMES[date.getUTCDay()] !== text.slice(-2)) return false;
      const nth = Number(text.slice(0, -2) || 0);
      if (nth === 0) return true;
      const same = [...Array(lastOf(date)).keys()]
        .map((index) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), index + 1)))
        .filter((other) => other.getUTCDay() === date.getUTCDay());
      return same.at(nth > 0 ? nth - 1 : nth)?.getTime() === date.getTime();
    });
  return (date) => {
    switch (frequency) {
      case 'DAILY':
        return ((date.getTime() - startDay.getTime()) / DAY) % every === 0 && (!weekdays || isWeekday(date));
      case 'WEEKLY':
        return (
          ((monday(date) - monday(startDay)) / (7 * DAY)) % every === 0 &&
          (weekdays ? isWeekday(date) : date.getUTCDay() === startDay.getUTCDay())
        );
      case 'MONTHLY':
        if ((months(date) - months(startDay)) % every !== 0) return false;
        return weekdays ? isWeekday(date) : isOneOf(date, daysOfMonth ?? [startDay.getUTCDate()]);
      case 'YEARLY':
        return (
          (date.getUTCFullYear() - startDay.getUTCFullYear()) % every === 0 &&
          date.getUTCMonth() === startDay.getUTCMonth() &&
          isOneOf(date, [startDay.getUTCDate()])
        );
    }
  };
}

/** Only the fields that the properties use. */
const CRON_DAYS: Readonly<Record<string, (date: Date) => boolean>> = {
  '*': () => true,
  '1': (date) => date.getUTCDate() === 1,
  '29-31': (date) => date.getUTCDate() >= 29,
  L: (date) => date.getUTCDate() === lastOf(date),
  '*/9': (date) => [1, 10, 19, 28].includes(date.getUTCDate()),
};
const CRON_MONTHS: Readonly<Record<string, readonly number[]>> = {
  '*': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '3,10': [2, 9],
  FEB: [1],
  '*/5': [0, 5, 10],
};
const CRON_WEEKDAYS: Readonly<Record<string, (date: Date) => boolean>> = {
  '*': () => true,
  'MON-FRI': (date) => date.getUTCDay() >= 1 && date.getUTCDay() <= 5,
  '0': (date) => date.getUTCDay() === 0,
  'SUN#2': (date) => date.getUTCDay() === 0 && date.getUTCDate() >= 8 && date.getUTCDate() <= 14,
  FRIL: (date) => date.getUTCDay() === 5 && date.getUTCDate() + 7 > lastOf(date),
};

function cronMatcher(cron: string): (date: Date) => boolean {
  const [, , day = '', month = '', weekday = ''] = cron.split(' ');
  const either = !day.startsWith('*') && !weekday.startsWith('*');
  return (date) => {
    if (!CRON_MONTHS[month]?.includes(date.getUTCMonth())) return false;
    const byDay = CRON_DAYS[day]?.(date) ?? false;
    const byWeekday = CRON_WEEKDAYS[weekday]?.(date) ?? false;
    return either ? byDay || byWeekday : byDay && byWeekday;
  };
}

/** The last minute of the day that a cron expression names. */
function latestOf(cron: string): number {
  const [minute = '', hour = ''] = cron.split(' ');
  const minutes: Readonly<Record<string, number>> = { '0': 0, '30': 30, '*/20': 40, '5,35': 35 };
  const hours: Readonly<Record<string, number>> = { '*': 23, '2': 2, '1-3': 3, '*/6': 18, '0,23': 23 };
  return (hours[hour] ?? 0) * 60 + (minutes[minute] ?? 0);
}
