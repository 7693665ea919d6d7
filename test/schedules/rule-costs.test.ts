// The dearest rules that can be given. Each day up to the horizon is looked at once, in constant time, whatever the rule says:
// so the horizon is the budget, and no rule stops a process.
import { describe, expect, test } from 'vitest';
import type { TimingInput } from '../../src/schedules/rules/index.ts';
import { Timetable, fillTiming } from '../../src/schedules/rules/index.ts';
import { refusedWith } from '../support/refusal.ts';

const NOW = new Date('2026-11-15T09:00:00Z');
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** As many different weekdays of a year as fit into an RRULE. */
const numbered = (length: number): string => {
  const all = Array.from({ length: 53 }, (_, index) => index + 1).flatMap((nth) => [
    ...DAYS.map((day) => `${nth}${day}`),
    ...DAYS.map((day) => `-${nth}${day}`),
  ]);
  let text = '';
  for (const one of all) if (text.length + one.length < length) text += `,${one}`;
  return text.slice(1);
};
const list = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index)).join(',');

/** Years, months, weeks and days, with the longest lists, the earliest start, and what never comes. */
const DEAREST: Record<string, TimingInput> = {
  'every weekday of the year, by number': {
    rule: { rrule: `FREQ=YEARLY;BYDAY=${numbered(1_900)}` },
    start: '1970-01-01',
  },
  'weekdays by number that are never a 31st of February': {
    rule: { rrule: `FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2;BYDAY=${numbered(1_800)}` },
    start: '1970-01-01',
  },
  'one weekday, as often as fits': {
    rule: { rrule: `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYDAY=${Array(600).fill('MO').join(',')}` },
    start: '1970-01-01',
  },
  'days of the year, by position': {
    rule: { rrule: `FREQ=YEARLY;BYYEARDAY=${list(1, 250)};BYSETPOS=${list(1, 200)}` },
    start: '1970-01-01',
  },
  'weeks of the year': {
    rule: { rrule: `FREQ=YEARLY;BYWEEKNO=${list(1, 53)};BYDAY=${DAYS.join(',')}` },
    start: '1970-01-01',
  },
  'every other minute of weekends, and business days only': {
    rule: { cron: '*/2 * * * SAT,SUN' },
    businessDays: { shift: 'skip' },
    start: '2100-01-01',
  },
  'every minute of weekends in cron, in a zone': {
    rule: { cron: '* * * * SAT,SUN' },
    businessDays: { shift: 'skip' },
    zone: 'Europe/Berlin',
    start: '1970-01-01',
  },
  'every minute, a thousand days left out': {
    rule: { everySeconds: 60 },
    start: '2026-01-01',
    exclude: Array.from({ length: 1_000 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)),
    zone: 'America/New_York',
  },
  'every minute of cron, a thousand days left out': {
    rule: { cron: '* * * * *' },
    start: '2026-01-01',
    exclude: Array.from({ length: 1_000 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)),
    zone: 'America/New_York',
  },
  'a month of holidays, every minute': {
    rule: { everySeconds: 60 },
    start: '2026-01-01',
    businessDays: {
      shift: 'skip',
      holidays: Array.from({ length: 29 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)),
    },
  },
  'every week on a Saturday, and business days only': {
    rule: { everySeconds: 604_800 },
    start: '1970-01-03',
    businessDays: { shift: 'skip' },
  },
  'a cron that names all there is': {
    rule: { cron: `${list(0, 59)} ${list(0, 9)} 30 2 MON#5,TUE#5,WED#5,THU#5,FRI#5` },
    start: '1970-01-01',
  },
};

describe('no rule takes more than half a second of the process', () => {
  test.each(Object.entries(DEAREST))('%s', (_name, timing) => {
    const before = process.threadCpuUsage();
    const told = refusedWith(() => {
      const table = new Timetable(fillTiming(timing, NOW));
      let slot = table.after(Date.UTC(2150, 0, 1));
      for (let count = 0; slot && count < 366; count += 1) slot = table.next(slot);
    });
    const { user } = process.threadCpuUsage(before);
    expect(['not refused', 'RULE_NEVER_FIRES']).toContain(told);
    expect(user / 1_000).toBeLessThan(500);
  });
});
