// A rule in words: "last business day of every month, 09:00 Europe/Berlin". Pure, over every form of a rule.
import { Refusal } from '../../kernel/index.ts';
import type { BusinessDaysInput } from './business-days.ts';
import type { CronFields } from './cron.ts';
import { readCron } from './cron.ts';
import type { DayTerms } from './days.ts';
import { withDefaults } from './days.ts';
import { dayNumbers, listed, monthNames, ordinals, timeOfDay, timesOfDay, weekdayName, weekdayNames } from './lists.ts';
import type { Local } from './local.ts';
import { DAY, civilOf, dayOf, formatLocal, hasTime, parseLocal, parseTimeOfDay, weekdayOf } from './local.ts';
import type { Excluded } from './rrule.ts';
import { parseRrule, parseWeekday } from './rrule.ts';
import { parseCalendar } from './rule.ts';
import type { Timing } from './timetable.ts';
import { zoneOf } from './zone.ts';

interface Words {
  readonly days: string;
  readonly times: readonly number[];
  /** Counted from the start in steps of more than one: another start runs on other days. */
  readonly byStart: boolean;
  readonly until?: Local | null;
  readonly count?: number | null;
  readonly excluded?: readonly Excluded[];
}

/** Never empty, never throws: a timing that cannot be read is said to be so. */
export function summaryOf(timing: Timing): string {
  try {
    return 'everySeconds' in timing.rule ? periodSummary(timing, timing.rule.everySeconds) : calendarSummary(timing);
  } catch (error) {
    if (error instanceof Refusal) return 'a rule that cannot be read';
    throw error;
  }
}

/** "every month", "every 2 weeks", "every 30 days of 24 hours". */
export function periodInWords(period: PeriodInput): string {
  if ('everySeconds' in period) return everySeconds(period.everySeconds);
  const { frequency, every = 1 } = period;
  return interval(every, UNITS[frequency]);
}

export type PeriodInput =
  | { readonly frequency: DayTerms['frequency']; readonly every?: number }
  | { readonly everySeconds: number };

const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;

const interval = (every: number, unit: string): string => (every === 1 ? `every ${unit}` : `every ${every} ${unit}s`);

function everySeconds(seconds: number): string {
  if (seconds % 86_400 === 0 && seconds > 86_400) return `every ${seconds / 86_400} days of 24 hours`;
  if (seconds % 3_600 === 0) return interval(seconds / 3_600, 'hour');
  return seconds % 60 === 0 ? interval(seconds / 60, 'minute') : interval(seconds, 'second');
}

function periodSummary(timing: Timing, seconds: number): string {
  const from = `${everySeconds(seconds)} from ${written(timing.start)} ${timing.zone}`;
  return [from, ...endWords(timing, {}), ...exceptWords(timing, []), ...businessWords(timing.businessDays)].join(', ');
}

function calendarSummary(timing: Timing): string {
  const start = parseLocal(timing.start, 'start');
  const words = wordsOf(timing, start);
  return [
    words.days,
    timesOfDay(words.times, timing.zone),
    ...fromWords(timing, start, words),
    ...endWords(timing, words),
    ...exceptWords(timing, words.excluded ?? []),
    ...businessWords(timing.businessDays, words.days.includes(' business day')),
  ].join(', ');
}

function wordsOf(timing: Timing, start: Local): Words {
  const { rule, monthEnd, businessDays } = timing;
  const anchorDay = dayOf(start);
  const startTime = start - anchorDay * DAY;
  const filled = (terms: Omit<DayTerms, 'monthEnd'>, byDefault: 'clamp' | 'skip'): DayTerms =>
    withDefaults({ ...terms, monthEnd: monthEnd ?? byDefault }, civilOf(anchorDay), weekdayOf(anchorDay));
  if ('cron' in rule) {
    const cron = readCron(rule.cron);
    return { days: cronDays(cron), times: cron.times, byStart: false };
  }
  if ('rrule' in rule) {
    const { terms, times, ...rest } = parseRrule(rule.rrule, zoneOf(timing.zone), startTime);
    const days = daysInWords(filled(terms, 'skip'), businessDays);
    return { days, times: times ?? [startTime], byStart: terms.every > 1, ...rest };
  }
  if (!('frequency' in rule)) return { days: '', times: [], byStart: false };
  const terms = filled(parseCalendar(rule), 'clamp');
  const time = rule.time === undefined ? startTime : parseTimeOfDay(rule.time, 'rule.time');
  return { days: daysInWords(terms, businessDays), times: [time], byStart: terms.every > 1 };
}

function daysInWords(terms: DayTerms, business: BusinessDaysInput | undefined): string {
  const chosen = chosenDays(terms, business);
  const of = ofPeriod(terms);
  const days = terms.positions.length === 0 ? chosen : positioned(terms, chosen);
  const weeks =
    terms.weekStart !== 0 && (terms.every > 1 || terms.weeks.length + terms.positions.length > 0)
      ? ` (weeks start on ${weekdayName(terms.weekStart)})`
      : '';
  return `${of(days)}${weeks}`;
}

/** The days that the lists of a rule name together; empty for every day. */
function chosenDays(terms: DayTerms, business: BusinessDaysInput | undefined): string {
  const { weekdays, monthDays, yearDays, weeks } = terms;
  const edge =
    weekdays.length === 0 && yearDays.length === 0 && weeks.length === 0 ? businessEdge(terms, business) : null;
  const parts = [
    weekdays.length > 0 ? weekdayNames(weekdays) : '',
    edge ?? (monthDays.length > 0 ? `${dayNumbers(monthDays)}${shorterMonths(terms)}` : ''),
    yearDays.length > 0 ? `${dayNumbers(yearDays)} of the year` : '',
  ].filter((part) => part !== '');
  const inWeeks = weeks.length > 0 ? ` of ${weekNumbers(weeks)}` : '';
  return `${parts.join(' that is ')}${inWeeks}`;
}

const weekNumbers = (weeks: readonly number[]): string =>
  dayNumbers(weeks).replaceAll(/\bday(s?)\b/g, (_, s: string) => `week${s}`);

/** The last day, moved back to a business day, is the last business day. */
function businessEdge({ monthDays, positions }: DayTerms, business: BusinessDaysInput | undefined): string | null {
  if (monthDays.length !== 1 || positions.length > 0) return null;
  if (monthDays[0] === -1 && business?.shift === 'previous') return 'last business day';
  return monthDays[0] === 1 && business?.shift === 'next' ? 'first business day' : null;
}

function shorterMonths({ monthDays, monthEnd }: Pick<DayTerms, 'monthDays' | 'monthEnd'>): string {
  if (!monthDays.some((day) => day > 28)) return '';
  return monthEnd === 'clamp' ? ' (or the last)' : ' (if there is one)';
}

function positioned({ positions, weekdays, monthDays, yearDays, weeks }: DayTerms, chosen: string): string {
  const which = listed(ordinals(positions));
  const others = monthDays.length + yearDays.length + weeks.length;
  const plain = weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday);
  const isWorkweek =
    others === 0 && weekdays.length === 5 && new Set(plain).size === 5 && !plain.some((day) => day > 4);
  if (isWorkweek) return `${which} weekday (Monday to Friday)`;
  return `${which} of ${chosen === '' ? 'the days' : chosen}`;
}

/** Where the days are: of a month, a week, a year. */
function ofPeriod(terms: DayTerms): (days: string) => string {
  const { frequency, every, months, monthDays, weekdays, positions } = terms;
  const each = interval(every, UNITS[frequency]);
  const inMonths = months.length > 0 ? ` in ${monthNames(months)}` : '';
  const plain = positions.length === 0 && weekdays.length > 0 && weekdays.every(({ nth }) => nth === 0);
  if (frequency === 'DAILY')
    return (days) => (days === '' ? `${each}${inMonths}` : `${each} that is ${days}${inMonths}`);
  if (frequency === 'WEEKLY') {
    return (days) => (every === 1 && plain ? `every ${days}${inMonths}` : `${days} of ${each}${inMonths}`);
  }
  if (frequency === 'MONTHLY') {
    const of = months.length > 0 ? `${monthNames(months)}${every === 1 ? '' : `, ${each}`}` : each;
    return (days) =>
      plain && monthDays.length === 0 && months.length === 0 && every === 1 ? `every ${days}` : `${days} of ${of}`;
  }
  const ofMonths = months.length > 0 ? ` of ${monthNames(months)}` : monthDays.length > 0 ? ' of every month' : '';
  return (days) =>
    ofMonths === ''
      ? `${days === '' ? 'every day' : days} of ${each}`
      : `${days === '' ? 'every day' : days}${ofMonths} ${each}`;
}

function cronDays({ monthDays, hasLast, months, weekdays, either }: CronFields): string {
  const allMonthDays = monthDays.length === 31;
  const allWeekdays = new Set(weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday)).size === 7;
  const inMonths = months.length === 12 ? '' : ` in ${monthNames(months)}`;
  const of = months.length === 12 ? 'every month' : monthNames(months);
  const numbers = [...monthDays, ...(hasLast ? [-1] : [])];
  const byNumber = `${dayNumbers(numbers)}${shorterMonths({ monthDays, monthEnd: 'skip' })}`;
  const isPlain = weekdays.every(({ nth }) => nth === 0);
  const byWeekday = isPlain ? `every ${weekdayNames(weekdays)}${inMonths}` : `${weekdayNames(weekdays)} of ${of}`;
  if (either ? allMonthDays || allWeekdays : allMonthDays && allWeekdays) return `every day${inMonths}`;
  if (either) return `${byNumber} of ${of} and ${byWeekday}`;
  if (allMonthDays) return byWeekday;
  return allWeekdays ? `${byNumber} of ${of}` : `${weekdayNames(weekdays)} that is ${byNumber} of ${of}`;
}

/** `2026-11-30 09:00`. */
function written(text: string): string {
  const [date = '', time] = text.split('T');
  return time === undefined ? date : `${date} ${time.replace(/:00$/, (end) => (time.length > 5 ? '' : end))}`;
}

/** The start where it was given, or where the days are counted from it. */
function fromWords(timing: Timing, start: Local, { times, byStart }: Words): string[] {
  if (timing.countedFrom !== undefined && !byStart) return [];
  const time = start - dayOf(start) * DAY;
  const isPlain = time === 0 || (times.length === 1 && times[0] === time);
  const date = formatLocal(start).slice(0, 10);
  return [`from ${date}${isPlain ? '' : ` ${timeOfDay(time)}`}`];
}

function endWords(timing: Timing, own: { readonly until?: Local | null; readonly count?: number | null }): string[] {
  const count = timing.count ?? own.count ?? null;
  const until = timing.until === undefined ? untilText(own.until ?? null) : written(timing.until);
  return [
    ...(until === null ? [] : [`until ${until}`]),
    ...(count === null ? [] : [count === 1 ? 'once' : `${count} times`]),
  ];
}

function untilText(until: Local | null): string | null {
  if (until === null) return null;
  const isWholeDay = until % DAY === DAY - 1;
  return written(isWholeDay ? formatLocal(until).slice(0, 10) : formatLocal(until));
}

function exceptWords({ exclude = [] }: Timing, own: readonly Excluded[]): string[] {
  const dates = [
    ...exclude.map((text) => (hasTime(text) ? formatLocal(parseLocal(text, 'exclude')) : text)),
    ...own.map((each) => ('local' in each ? formatLocal(each.local) : formatLocal(each.day * DAY).slice(0, 10))),
  ];
  return dates.length === 0 ? [] : [`except ${datesInWords(dates, 'date')}`];
}

const MOST_DATES = 5;

function datesInWords(dates: readonly string[], noun: string): string {
  const sorted = [...new Set(dates)].toSorted();
  if (sorted.length <= MOST_DATES) return listed(sorted.map(written));
  return `${sorted.length} ${noun}s from ${written(sorted[0] ?? '')} to ${written(sorted.at(-1) ?? '')}`;
}

const SHIFTED = {
  skip: 'only on business days',
  next: 'moved to the next business day',
  previous: 'moved to the previous business day',
} as const;

function businessWords(business: BusinessDaysInput | undefined, isSaid = false): string[] {
  if (!business) return [];
  const { shift, holidays = [], weekend } = business;
  const days = weekend?.map((name) => parseWeekday(name, 'businessDays.weekend').weekday).toSorted((a, b) => a - b);
  const isUsual = !days || (new Set(days).size === 2 && days.includes(5) && days.includes(6));
  const names = days && days.length > 0 ? weekdayNames(days.map((weekday) => ({ weekday, nth: 0 }))) : 'none';
  return [
    ...(isSaid ? [] : [SHIFTED[shift]]),
    ...(isUsual ? [] : [`weekend: ${names}`]),
    ...(holidays.length === 0
      ? []
      : [
          `holidays: ${datesInWords(
            holidays.map((each) => each.slice(0, 10)),
            'day',
          )}`,
        ]),
  ];
}
