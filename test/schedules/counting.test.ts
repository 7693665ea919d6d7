// Counting without a start: the first slot that runs is the first.
import { afterEach, expect, test } from 'vitest';
import type { ScheduleOrder } from '../../src/schedules/index.ts';
import { useUsance } from '../support/database.ts';
import { DAY } from '../support/processor.ts';
import { scheduleWorld, slotsAhead, stopAll } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
/** In the middle of a day: its first slot lies in the past. */
const START = '2027-01-31T10:00:30Z';

type Timing = Pick<ScheduleOrder, 'rule'> & Partial<ScheduleOrder>;
const TWELVE: readonly (readonly [string, Timing])[] = [
  ['a month', { rule: { frequency: 'MONTHLY' }, count: 12 }],
  ['a day', { rule: { frequency: 'DAILY' }, count: 12 }],
  ['a weekday', { rule: { frequency: 'WEEKLY', weekdays: ['SU'], time: '09:00' }, count: 12 }],
  ['an RRULE with COUNT', { rule: { rrule: 'FREQ=MONTHLY;COUNT=12' } }],
  ['an RRULE with count', { rule: { rrule: 'FREQ=DAILY;BYHOUR=9,11' }, count: 12 }],
  ['cron', { rule: { cron: '0 0 * * *' }, count: 12 }],
  ['a fixed period', { rule: { everySeconds: 3_600 }, count: 12 }],
  ['a fixed period in a zone', { rule: { everySeconds: 3_600 }, count: 12, zone: 'America/New_York' }],
  ['business days', { rule: { frequency: 'DAILY' }, businessDays: { shift: 'next' }, count: 12 }],
];

test.each(TWELVE)('twelve runs of %s are twelve payments', async (_, timing) => {
  const world = scheduleWorld(store, START);
  const { id } = await world.schedule({ missed: 'all', overlap: 'allow', ...timing });
  expect(await slotsAhead(world, id, 366)).toHaveLength(12);
  world.time.advance(800 * DAY);
  const { made } = await world.tick();
  expect(made).toBe(12);
  expect(await world.verbs.schedule(id)).toMatchObject({ status: 'completed' });
});

test('one run is accepted, and is made', async () => {
  const world = scheduleWorld(store, START);
  for (const rule of [{ frequency: 'MONTHLY' }, { everySeconds: 60 }, { rrule: 'FREQ=DAILY;COUNT=1' }] as const) {
    const { id } = await world.schedule({ rule, ...('rrule' in rule ? {} : { count: 1 }) });
    expect(await slotsAhead(world, id, 366)).toHaveLength(1);
  }
});

test('steps are counted in the same way, and the day of the month stays that of the creation', async () => {
  const world = scheduleWorld(store, START);
  const steps = [{ from: 2, amount: 7 }];
  const { id } = await world.schedule({ rule: { frequency: 'MONTHLY' }, count: 3, steps });
  const runs = await world.verbs.upcoming(id, 366);
  expect(runs.map(({ slot, amount }) => [slot, amount])).toEqual([
    ['2027-02-28T00:00:00', 100n],
    ['2027-03-31T00:00:00', 7n],
    ['2027-04-30T00:00:00', 7n],
  ]);
});

test('a start that is given is counted from, although its slot is past; so is one that an edit gives', async () => {
  const world = scheduleWorld(store, START);
  const given = await world.schedule({ rule: { frequency: 'DAILY' }, count: 12, start: '2027-01-31' });
  expect(await slotsAhead(world, given.id, 366)).toHaveLength(11);
  const { id } = await world.schedule({ rule: { frequency: 'DAILY' }, count: 12 });
  await world.verbs.editSchedule(id, { start: '2027-01-30' });
  expect(await slotsAhead(world, id, 366)).toHaveLength(10);
  await world.verbs.editSchedule(id, { start: null });
  expect(await slotsAhead(world, id, 366)).toHaveLength(12);
});
