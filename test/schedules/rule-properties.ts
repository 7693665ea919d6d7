// What holds for every rule: slots come in order, none twice and none left out; and what comes next depends on nothing but
// the rule and where it stands.
import { deepEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Refusal } from '../../src/kernel/index.ts';
import type { RuleInput, Slot, TimingInput } from '../../src/schedules/rules/index.ts';
import { Timetable, formatLocal } from '../../src/schedules/rules/index.ts';
import { goOn } from '../../src/schedules/create.ts';
import { naiveDays } from './naive-days.ts';

const DAY = 86_400_000;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Tehran',
  'America/Sao_Paulo',
  'Asia/Kolkata',
);
const start = fc
  .integer({ min: Date.UTC(2004, 0, 1) / 60_000, max: Date.UTC(2040, 0, 1) / 60_000 })
  .map((minute) => formatLocal(minute * 60_000));
const some = <T>(values: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...values], { minLength: 1 });
const every = fc.integer({ min: 1, max: 7 });
const days = fc.array(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const)), {
  minLength: 1,
  maxLength: 4,
});

const calendar: fc.Arbitrary<RuleInput> = fc.oneof(
  fc.record({ frequency: fc.constant('DAILY' as const), every }),
  fc.record({ frequency: fc.constant('DAILY' as const), every, weekdays: some(WEEKDAYS) }),
  fc.record({ frequency: fc.constant('WEEKLY' as const), every }),
  fc.record({ frequency: fc.constant('WEEKLY' as const), every, weekdays: some(WEEKDAYS) }),
  fc.record({ frequency: fc.constant('MONTHLY' as const), every }),
  fc.record({ frequency: fc.constant('MONTHLY' as const), every, daysOfMonth: days }),
  fc.record({ frequency: fc.constant('YEARLY' as const), every: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    frequency: fc.constant('MONTHLY' as const),
    every,
    weekdays: some(['1MO', '2TU', '3FR', '-1SU', '-2WE', '5TH']),
  }),
);
const cron: fc.Arbitrary<RuleInput> = fc
  .tuple(
    fc.constantFrom('0', '30', '*/20', '5,35'),
    fc.constantFrom('*', '2', '1-3', '*/6', '0,23'),
    fc.constantFrom('*', '1', '29-31', 'L', '*/9'),
    fc.constantFrom('*', '3,10', 'FEB', '*/5'),
    fc.constantFrom('*', 'MON-FRI', '0', 'SUN#2', 'FRIL'),
  )
  .map((fields) => ({ cron: fields.join(' ') }));
const period = fc.integer({ min: 60, max: 90 * 86_400 }).map((everySeconds) => ({ everySeconds }));
const business = fc.record({
  shift: fc.constantFrom('skip' as const, 'next' as const, 'previous' as const),
  holidays: fc.array(
    fc.integer({ min: 12_500, max: 25_000 }).map((day) => formatLocal(day * DAY).slice(0, 10)),
    { maxLength: 20 },
  ),
});

/** Of months and years alone: elsewhere it is refused. */
const hasMonthEnd = (rule: object): boolean =>
  'frequency' in rule &&
  (rule.frequency === 'MONTHLY' || rule.frequency === 'YEARLY') &&
  !('weekdays' in rule && Array.isArray(rule.weekdays) && rule.weekdays.length > 0);
const monthEnd = fc.constantFrom('clamp' as const, 'skip' as const);
const timing: fc.Arbitrary<TimingInput & { zone: string; start: string }> = fc
  .oneof(
    fc
      .record({ rule: calendar, zone, start, monthEnd })
      .map(({ monthEnd: policy, ...timing }) => (hasMonthEnd(timing.rule) ? { ...timing, monthEnd: policy } : timing)),
    fc.record({ rule: calendar, zone, start, businessDays: business }),
    fc.record({ rule: fc.oneof(cron, period), zone, start }),
  )
  .filter((given) => everFires(given));

/** Every seventh day from a Thursday, but Sundays only: such a rule is refused. */
function everFires(given: TimingInput & { zone: string; start: string }): boolean {
  try {
    return new Timetable(given).first() !== null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'RULE_NEVER_FIRES') return false;
    throw error;
  }
}

function enumerate(table: Timetable, count: number): Slot[] {
  const found: Slot[] = [];
  for (let slot = table.first(); slot && found.length < count; slot = table.next(slot)) found.push(slot);
  return found;
}

/** At night, when clocks are changed. */
const nightly = fc.record({
  rule: fc.record({
    frequency: fc.constant('DAILY' as const),
    time: fc.integer({ min: 0, max: 4 * 12 }).map((five) => formatLocal(five * 300_000).slice(11, 16)),
  }),
  zone,
  start,
});

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show, asked of nobody but Intl. */
function shownAt(name: string, instant: number): number {
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format =
    formats.get(name) ??
    new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', calendar: 'gregory', ...parts });
  formats.set(name, format);
  const shown = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** Each a fact and its property. */
export const RULE_PROPERTIES: readonly (readonly [string, fc.IRawProperty<unknown>])[] = [
  [
    'slots ascend, their ordinals too, and none runs before the one before it',
    fc.property(timing, (given) => {
      const found = enumerate(new Timetable(given), 80);
      found.forEach((slot, index) => {
        const before = found[index - 1];
        if (!before) return;
        ok(slot.local > before.local);
        ok(slot.ordinal > before.ordinal);
        // Only what is moved to another day may come together with what is there.
        if (given.businessDays) ok(slot.at >= before.at);
        else ok(slot.at > before.at);
      });
    }),
  ],
  [
    'what comes after an instant is what counting from the anchor finds',
    fc.property(timing, fc.nat({ max: 79 }), fc.integer({ min: -3 * DAY, max: 3 * DAY }), (given, nth, around) => {
      const found = enumerate(new Timetable(given), 80);
      const instant = (found[nth % found.length] as Slot).at + around;
      const expected = found.find((slot) => slot.at > instant);
      // Beyond what was enumerated there is nothing to compare with.
      if (expected) deepEqual(new Timetable(given).after(instant), expected);
    }),
  ],
  [
    'a restart in the middle changes nothing',
    fc.property(timing, fc.nat({ max: 30 }), (given, nth) => {
      const found = enumerate(new Timetable(given), 40);
      const at = nth % found.length;
      const kept = JSON.parse(JSON.stringify({ given, slot: found[at] })) as { given: typeof given; slot: Slot };
      deepEqual(new Timetable(kept.given).next(kept.slot), found[at + 1] ?? null);
    }),
  ],
  [
    'an end takes away what is after it and nothing else',
    fc.property(timing, fc.integer({ min: 1, max: 30 }), (given, nth) => {
      const all = enumerate(new Timetable(given), 40);
      const last = all[nth % all.length] as Slot;
      const expected = all.slice(0, (nth % all.length) + 1);
      deepEqual(enumerate(new Timetable({ ...given, count: last.ordinal }), 40), expected);
      if ('everySeconds' in given.rule) return;
      deepEqual(enumerate(new Timetable({ ...given, until: formatLocal(last.local) }), 40), expected);
    }),
  ],
  [
    'the days of a rule, with either policy for the ends of months, are those that going through the calendar finds',
    fc.property(fc.oneof(calendar, cron), start, monthEnd, (rule, from, policy) => {
      const more = hasMonthEnd(rule) ? { monthEnd: policy } : {};
      const given = { rule, zone: 'UTC', start: from, ...more };
      if (!everFires(given)) {
        deepEqual(naiveDays(rule, from, policy, 1_200), []);
        return;
      }
      const table = new Timetable(given);
      const upTo = Date.parse(`${from}Z`) + 1_200 * DAY;
      const found = new Set(table.between(0, upTo, 200_000).map((slot) => Math.floor(slot.local / DAY)));
      const expected = naiveDays(rule, from, policy, 1_200);
      // The last day may lie beyond the time of day that was asked for.
      deepEqual([...found].slice(0, expected.length - 1), expected.slice(0, -1));
      ok(found.size <= expected.length);
    }),
  ],
  [
    'a time that the clocks leave out runs as much later, and one that comes twice at the first of the two',
    fc.property(fc.oneof({ weight: 3, arbitrary: nightly }, fc.record({ rule: cron, zone, start })), (given) => {
      if (!everFires(given)) return;
      for (const { local, at } of enumerate(new Timetable(given), 200)) {
        const gap = shownAt(given.zone, at) - local;
        ok(gap >= 0);
        if (gap > 0) {
          const offset = (instant: number): number => shownAt(given.zone, instant) - instant;
          deepEqual(offset(at) - offset(at - gap), gap);
        } else {
          for (const minutes of [30, 60, 120]) ok(shownAt(given.zone, at - minutes * 60_000) !== local);
        }
      }
    }),
  ],
  [
    'a slot on another day than a business day is moved to the nearest in its direction, or left out',
    fc.property(fc.record({ rule: calendar, start }), business, ({ rule, start: from }, days) => {
      const given = { rule, start: from, zone: 'UTC' };
      if (!everFires(given) || !everFires({ ...given, businessDays: days })) return;
      const isOpen = (day: number): boolean =>
        ![0, 6].includes(new Date(day * DAY).getUTCDay()) &&
        !days.holidays.includes(formatLocal(day * DAY).slice(0, 10));
      const moved = enumerate(new Timetable(given), 60).flatMap(({ local, ordinal }) => {
        const nominal = Math.floor(local / DAY);
        if (days.shift === 'skip') return isOpen(nominal) ? [{ local, ordinal, at: local }] : [];
        let day = nominal;
        while (!isOpen(day)) day += days.shift === 'next' ? 1 : -1;
        return [{ local, ordinal, at: local + (day - nominal) * DAY }];
      });
      deepEqual(enumerate(new Timetable({ ...given, businessDays: days }), moved.length), moved);
    }),
  ],
  [
    'an edit goes on with the first slot of the new rule that lies ahead of now and of the last one made',
    fc.property(timing, timing, fc.nat({ max: 39 }), fc.nat({ max: 5 * DAY }), (old, edited, nth, later) => {
      const found = enumerate(new Timetable(old), 40);
      const passed = found[nth % found.length] as Slot;
      const now = passed.at + later;
      const [before, after] = [new Timetable(old), new Timetable(edited)];
      const { first, position } = goOn(after, { clockId: null, now: new Date(now) }, passed);
      ok(first.local > passed.local && first.at > now);
      deepEqual(after.next(position), first);
      const between = after.between(passed.local + 1, first.local - 1, 100_000);
      deepEqual(
        between.filter(({ at }) => at > now),
        [],
      );
      // And back again: nothing that was made comes once more. A rule that reaches the end of the calendar has no later slot.
      if (!before.after(now, position.local)) return;
      ok(goOn(before, { clockId: null, now: new Date(now) }, position).first.local > passed.local);
    }),
  ],
];
