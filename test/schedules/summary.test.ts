// Every rule in words: the words of each form, and for every rule that they are there, and that rules which run at other times have
// other words.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/index.ts';
import type { RuleInput, Timing, TimingInput } from '../../src/schedules/rules/index.ts';
import { Timetable, fillTiming, periodInWords, summaryOf } from '../../src/schedules/rules/index.ts';

const BERLIN = 'Europe/Berlin';
const NOW = new Date('2026-11-16T12:00:00Z');
const summary = (timing: TimingInput): string => summaryOf(fillTiming(timing, NOW));
const ofRule = (rule: RuleInput, more: Partial<TimingInput> = {}): string => summary({ rule, zone: BERLIN, ...more });
const monthly = (fields: object): RuleInput => ({ frequency: 'MONTHLY', time: '09:00', ...fields });

test.each<[RuleInput, Partial<TimingInput>, string]>([
  [
    monthly({ daysOfMonth: ['last'] }),
    { businessDays: { shift: 'previous' } },
    'last business day of every month, 09:00 Europe/Berlin',
  ],
  [
    monthly({ daysOfMonth: [1] }),
    { businessDays: { shift: 'next' } },
    'first business day of every month, 09:00 Europe/Berlin',
  ],
  [
    monthly({ daysOfMonth: [15] }),
    { businessDays: { shift: 'next', holidays: ['2026-12-25'], weekend: ['FR', 'SA'] } },
    'day 15 of every month, 09:00 Europe/Berlin, moved to the next business day, weekend: Friday and Saturday, holidays: 2026-12-25',
  ],
  [monthly({ daysOfMonth: [1, 15] }), {}, 'days 1 and 15 of every month, 09:00 Europe/Berlin'],
  [monthly({ daysOfMonth: [31] }), {}, 'day 31 (or the last) of every month, 09:00 Europe/Berlin'],
  [
    monthly({ daysOfMonth: [31] }),
    { monthEnd: 'skip' },
    'day 31 (if there is one) of every month, 09:00 Europe/Berlin',
  ],
  [monthly({ weekdays: ['2TU', '-1FR'] }), {}, 'second Tuesday and last Friday of every month, 09:00 Europe/Berlin'],
  [
    monthly({ every: 3 }),
    { start: '2026-11-30' },
    'day 30 (or the last) of every 3 months, 09:00 Europe/Berlin, from 2026-11-30',
  ],
  [monthly({ daysOfMonth: [1], months: [1, 7] }), {}, 'day 1 of January and July, 09:00 Europe/Berlin'],
  [{ frequency: 'DAILY', time: '00:30' }, {}, 'every day, 00:30 Europe/Berlin'],
  [{ frequency: 'DAILY', every: 3, time: '08:00' }, {}, 'every 3 days, 08:00 Europe/Berlin, from 2026-11-16'],
  [
    { frequency: 'WEEKLY', weekdays: ['MO', 'TU', 'WE', 'TH', 'FR'], time: '08:00' },
    {},
    'every Monday to Friday, 08:00 Europe/Berlin',
  ],
  [
    { frequency: 'WEEKLY', every: 2, weekdays: ['FR'], time: '08:00' },
    { start: '2026-11-16' },
    'Friday of every 2 weeks, 08:00 Europe/Berlin, from 2026-11-16',
  ],
  [{ frequency: 'WEEKLY' }, { start: '2026-11-20T17:00' }, 'every Friday, 17:00 Europe/Berlin, from 2026-11-20'],
  [
    { frequency: 'YEARLY', months: [12], daysOfMonth: [25], time: '10:00' },
    {},
    'day 25 of December every year, 10:00 Europe/Berlin',
  ],
  [
    { frequency: 'YEARLY' },
    { start: '2028-02-29T10:00' },
    'day 29 (or the last) of February every year, 10:00 Europe/Berlin, from 2028-02-29',
  ],
  [
    { rrule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=9' },
    { start: '2026-11-16' },
    'last weekday (Monday to Friday) of every month, 09:00 Europe/Berlin, from 2026-11-16',
  ],
  [
    { rrule: 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR;BYHOUR=9;COUNT=3' },
    {},
    'Friday that is day 13 of every month, 09:00 Europe/Berlin, 3 times',
  ],
  [
    { rrule: 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;BYHOUR=9;UNTIL=20301231' },
    {},
    'Monday of week 20 of every year, 09:00 Europe/Berlin, until 2030-12-31',
  ],
  [
    { rrule: 'FREQ=YEARLY;BYYEARDAY=-1;BYHOUR=9\nEXDATE;VALUE=DATE:20271231' },
    {},
    'last day of the year of every year, 09:00 Europe/Berlin, except 2027-12-31',
  ],
  [{ cron: '0 9 * * MON-FRI' }, {}, 'every Monday to Friday, 09:00 Europe/Berlin'],
  [{ cron: '*/15 * * * *' }, {}, 'every day, every 15 minutes (Europe/Berlin)'],
  [{ cron: '0 9-17 L * *' }, {}, 'last day of every month, minute 0 of hours 9 to 17 (Europe/Berlin)'],
  [{ cron: '30 8 13 * FRI' }, {}, 'day 13 of every month and every Friday, 08:30 Europe/Berlin'],
  [
    { cron: '30 8 */2 MAR FRIL' },
    {},
    'last Friday that is days 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 4 more (if there is one) of March, 08:30 Europe/Berlin',
  ],
  [{ everySeconds: 3_600 }, { start: '2026-11-16T09:30' }, 'every hour from 2026-11-16 09:30 Europe/Berlin'],
  [
    { everySeconds: 30 * 86_400 },
    { start: '2026-11-16', count: 1 },
    'every 30 days of 24 hours from 2026-11-16 Europe/Berlin, once',
  ],
  [
    { everySeconds: 90 },
    { start: '2026-11-16', until: '2026-12-31T10:00' },
    'every 90 seconds from 2026-11-16 Europe/Berlin, until 2026-12-31 10:00',
  ],
  [
    { frequency: 'DAILY', time: '08:00' },
    { count: 12, exclude: ['2026-12-25', '2026-12-26T08:00'] },
    'every day, 08:00 Europe/Berlin, 12 times, except 2026-12-25 and 2026-12-26 08:00',
  ],
])('%j %j', (rule, more, words) => {
  expect(ofRule(rule, more)).toBe(words);
});

test('a period of a plan', () => {
  expect(periodInWords({ frequency: 'MONTHLY' })).toBe('every month');
  expect(periodInWords({ frequency: 'WEEKLY', every: 2 })).toBe('every 2 weeks');
  expect(periodInWords({ everySeconds: 2_592_000 })).toBe('every 30 days of 24 hours');
});

test('a rule that cannot be read has a summary all the same', () => {
  expect(summaryOf({ rule: { cron: 'nonsense' }, zone: 'UTC', start: '2026-01-01' })).toBe(
    'a rule that cannot be read',
  );
});

const WEEKDAYS = ['MO', 'TU', 'WE', 'FR', 'SU'];
const some = <T>(values: readonly T[], maxLength: number): fc.Arbitrary<T[]> =>
  fc.subarray([...values], { minLength: 1, maxLength });
const part = (name: string, values: fc.Arbitrary<readonly unknown[]>): fc.Arbitrary<string> =>
  values.map((list) => `;${name}=${list.join(',')}`);
/** Left out more often than not: most parts do not go together. */
const seldom = <T, N>(value: fc.Arbitrary<T>, nothing: N, weight = 3): fc.Arbitrary<T | N> =>
  fc.oneof({ weight, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary: value });
const maybe = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => seldom(text, '');
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
const every = fc.integer({ min: 1, max: 3 });

const frequency: fc.Arbitrary<RuleInput> = fc
  .record({
    frequency: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'MONTHLY' as const, 'YEARLY' as const),
    every: seldom(every, undefined, 1),
    weekdays: seldom(some([...WEEKDAYS, '1MO', '-1FR', '2TU'], 2), undefined, 1),
    daysOfMonth: seldom(some([1, 2, 15, 29, 31, 'last' as const], 2), undefined, 1),
    months: seldom(some([1, 2, 7, 12], 2), undefined, 1),
    time: seldom(fc.constantFrom('09:00', '17:30'), undefined, 1),
  })
  .map((fields) => given(fields) as unknown as RuleInput);
const rrule: fc.Arbitrary<RuleInput> = fc
  .tuple(
    fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY').map((name) => `FREQ=${name}`),
    maybe(every.map((n) => `;INTERVAL=${n}`)),
    maybe(part('BYMONTH', some([1, 2, 12], 2))),
    maybe(part('BYMONTHDAY', some([1, 15, 31, -1, -2], 2))),
    maybe(
      part('BYDAY', fc.oneof(some(WEEKDAYS, 5), some(['1MO', '-1FR'], 2), fc.constant(['MO', 'TU', 'WE', 'TH', 'FR']))),
    ),
    maybe(part('BYWEEKNO', some([1, 20, -1], 2))),
    maybe(part('BYYEARDAY', some([1, 100, -1], 2))),
    maybe(part('BYSETPOS', some([1, 2, -1], 2))),
    maybe(part('BYHOUR', some([9, 17], 2))),
    maybe(fc.constantFrom(';WKST=SU', ';COUNT=5', ';UNTIL=20300101', ';COUNT=1')),
  )
  .map((parts) => ({ rrule: parts.join('') }));
const cron: fc.Arbitrary<RuleInput> = fc
  .tuple(
    fc.constantFrom('0', '30', '*/20', '5,35', '*', '10-14'),
    fc.constantFrom('*', '2', '1-3', '*/6', '0,23', '9-17'),
    fc.constantFrom('*', '1', '29-31', 'L', '*/9', '1-31', '1,L'),
    fc.constantFrom('*', '3,10', 'FEB', '*/5', '1-12'),
    fc.constantFrom('*', 'MON-FRI', '0', 'SUN#2', 'FRIL', '0-6', '*/2'),
  )
  .map((fields) => ({ cron: fields.join(' ') }));
const seconds = fc.constantFrom(60, 90, 3_600, 86_400, 172_800).map((everySeconds) => ({ everySeconds }));
const business = fc.record({
  shift: fc.constantFrom('skip' as const, 'next' as const, 'previous' as const),
  holidays: fc.constantFrom<string[]>([], ['2026-12-25'], ['2027-01-01', '2027-01-04']),
  weekend: fc.constantFrom<string[]>(['SA', 'SU'], ['FR', 'SA'], ['SU']),
});
const timing: fc.Arbitrary<Timing> = fc
  .record({
    rule: fc.oneof(frequency, rrule, cron, seconds),
    zone: fc.constantFrom('UTC', 'America/New_York'),
    start: fc.constantFrom('2026-11-16', '2026-11-30T09:00', '2026-01-31'),
    monthEnd: seldom(fc.constantFrom('clamp' as const, 'skip' as const), undefined, 5),
    count: seldom(fc.constantFrom(1, 7), undefined, 9),
    until: seldom(fc.constantFrom('2027-11-30', '2027-11-30T09:00'), undefined, 9),
    exclude: seldom(fc.constantFrom(['2027-01-31'], ['2026-12-01T09:00']), undefined, 9),
    businessDays: seldom(business, undefined, 5),
  })
  .map((fields) => given(fields) as unknown as Timing);

/** The first slots, or null where the timing is refused. */
function slotsOf(of: Timing): string | null {
  try {
    const table = new Timetable(of);
    const found: number[] = [];
    for (let slot = table.first(); slot && found.length < 60; slot = table.next(slot)) found.push(slot.at);
    return found.join(' ');
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

test('for every rule: a summary of one line; rules that run at other times have other summaries', () => {
  const seen = new Map<string, { slots: string; timing: Timing }>();
  let shared = 0;
  fc.assert(
    fc.property(timing, (each) => {
      const words = summaryOf(each);
      expect(words).toMatch(/^[A-Za-z][^\n]{9,}$/);
      expect(words).not.toMatch(/undefined|NaN|null|  |, ,/);
      const slots = slotsOf(each);
      if (slots === null) return;
      const same = seen.get(words);
      if (same) {
        shared += 1;
        expect(slots, `${words}: ${JSON.stringify(each)} and ${JSON.stringify(same.timing)}`).toBe(same.slots);
      } else seen.set(words, { slots, timing: each });
    }),
    { seed: 5545, numRuns: 3_000, endOnFailure: true },
  );
  expect(seen.size).toBeGreaterThan(500);
  expect(shared).toBeGreaterThan(20);
});
