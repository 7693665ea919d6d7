// Edits of a schedule's timing while slots wait: the position never falls behind a slot on record, so no slot is made twice, no visit
// throws, and no check raises a false alarm.
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { verify } from '../../src/ledger/index.ts';
import { RECURRING_CHECKS } from '../../src/schedules/index.ts';
import type { ScheduleEdit } from '../../src/schedules/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR } from '../support/processor.ts';
import { scheduleWorld, stopAll, told } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';

const alarms = async (): Promise<unknown[]> =>
  (await verify(store.db, RECURRING_CHECKS)).flatMap(({ name, offenders }) =>
    offenders.map(({ details }) => [name, details]),
  );

describe('a slot that waits for the payment before it', () => {
  test('is not made again when its zone moves west', async () => {
    const poisoned: unknown[] = [];
    const world = scheduleWorld(store, START, { onPoisoned: (...trouble) => poisoned.push(trouble) });
    const rule = { frequency: 'DAILY', time: '10:00' } as const;
    const { id } = await world.schedule({ rule, zone: 'Asia/Tokyo' });
    world.time.to('2027-03-01T01:00:00Z');
    await world.tick();
    // Unpaid still: the slot of 2 March waits.
    world.time.to('2027-03-02T02:00:00Z');
    await world.tick();
    await world.verbs.editSchedule(id, { zone: 'America/Los_Angeles' });
    expect(await alarms()).toEqual([]);
    await world.processor.drain();
    for (let days = 0; days < 4; days += 1) {
      world.time.advance(DAY);
      await world.tick();
      await world.processor.drain();
    }
    expect(poisoned).toEqual([]);
    const slots = told(await world.verbs.occurrences(id));
    expect(slots).toEqual([
      '2027-03-01T10:00:00 made',
      '2027-03-02T10:00:00 skipped updated',
      '2027-03-03T10:00:00 made late',
      '2027-03-04T10:00:00 made late',
      '2027-03-05T10:00:00 made late',
    ]);
    expect(await alarms()).toEqual([]);
  });

  test('is not made again when business days get another time', async () => {
    const poisoned: unknown[] = [];
    const world = scheduleWorld(store, START, { onPoisoned: (...trouble) => poisoned.push(trouble) });
    const businessDays = { shift: 'next' } as const;
    const { id } = await world.schedule({ rule: { frequency: 'DAILY', time: '09:00' }, businessDays });
    world.time.to('2027-03-05T09:00:00Z');
    await world.tick();
    // Saturday's and Sunday's slots are moved to Monday, and wait for Friday's payment there.
    world.time.to('2027-03-08T10:00:00Z');
    await world.tick();
    await world.verbs.editSchedule(id, { rule: { frequency: 'DAILY', time: '08:00' } });
    expect(await alarms()).toEqual([]);
    await world.processor.drain();
    for (let days = 0; days < 3; days += 1) {
      world.time.advance(DAY);
      await world.tick();
      await world.processor.drain();
    }
    expect(poisoned).toEqual([]);
    expect(await alarms()).toEqual([]);
    const made = (await world.verbs.occurrences(id)).filter(({ status }) => status === 'made');
    expect(new Set(made.map(({ paymentId }) => paymentId)).size).toBe(made.length);
  });

  test('of an allowance is not made again when an end user moves its zone', async () => {
    const tenant = await store.usance.createTenant({ name: 'family', kind: 'test' });
    const { id: clock } = await tenant.createTestClock({ name: 'clock', now: START });
    await tenant.createAsset('USD/2');
    await open(tenant, { mother: 0 });
    await tenant.openAccount({ ref: 'child', guardian: 'mother' });
    const names = { guardian: 'mother', junior: 'child' };
    const order = { amount: 100, asset: 'USD', frequency: 'DAILY', status: 'ON', zone: 'Pacific/Kiritimati' } as const;
    await tenant.createAllowance({ ...names, ...order });
    const advance = async (to: string): Promise<void> => {
      await tenant.advanceTestClock(clock, to);
      const loop = store.usance.loops.find(({ name }) => name === 'clocks');
      while ((await loop?.runOnce())?.more);
      expect(await tenant.testClock(clock)).toMatchObject({ status: 'ready' });
    };
    // Nothing is there to pay it with: the next day's waits for its attempts.
    await advance('2027-03-01T10:10:00Z');
    await advance('2027-03-02T10:10:00Z');
    await tenant.editAllowance('mother', 'child', { zone: 'Pacific/Pago_Pago' });
    await advance('2027-03-09T00:00:00Z');
    expect(await alarms()).toEqual([]);
  });
});

test('a run that is triggered takes no place of a rule that the schedule is edited to', async () => {
  const world = scheduleWorld(store, START);
  const { id } = await world.schedule({ rule: { frequency: 'DAILY', time: '09:00' } });
  world.time.to('2027-03-01T12:00:00Z');
  await world.verbs.triggerSchedule(id, { idempotencyKey: key() });
  await world.processor.drain();
  await world.verbs.editSchedule(id, { zone: 'America/Los_Angeles', rule: { frequency: 'DAILY', time: '12:00' } });
  world.time.to('2027-03-01T20:00:00Z');
  expect(await world.tick()).toMatchObject({ made: 1 });
});

const ZONES = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'];
const RULES = [
  { frequency: 'DAILY', time: '00:00' },
  { frequency: 'DAILY', time: '23:59' },
  { frequency: 'WEEKLY', weekdays: ['MO', 'SA', 'SU'], time: '09:00' },
  { cron: '0 */6 * * *' },
  { cron: '30 2 * * *' },
  { everySeconds: 14_400 },
] as const;
const editOf = fc.oneof(
  fc.constantFrom(...ZONES).map((zone): ScheduleEdit => ({ zone })),
  fc.constantFrom(...RULES).map((rule): ScheduleEdit => ({ rule, businessDays: null })),
  fc.constantFrom('2027-02-01', '2027-03-03', '2027-03-28T02:30:00').map((start): ScheduleEdit => ({ start })),
  fc
    .constantFrom('next', 'previous', 'skip')
    .map((shift): ScheduleEdit => ({ rule: { frequency: 'DAILY', time: '10:00' }, businessDays: { shift } })),
);
const stepOf = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map((hours) => ({ hours })) },
  { weight: 2, arbitrary: editOf.map((edit) => ({ edit })) },
  { weight: 1, arbitrary: fc.constantFrom({ settle: true }, { trigger: true }) },
);

test('random edits between visits never stop a schedule, and pay each slot once at most', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 14 }), async (steps) => {
      const poisoned: unknown[] = [];
      const world = scheduleWorld(store, START, { onPoisoned: (...trouble) => poisoned.push(trouble) });
      const { id, payer } = await world.schedule({ rule: RULES[0], missed: 'all', overlap: 'wait' });
      for (const step of steps) {
        if ('hours' in step) world.time.advance(step.hours * HOUR);
        else if ('edit' in step) await world.verbs.editSchedule(id, step.edit);
        else if ('trigger' in step) await world.verbs.triggerSchedule(id, { idempotencyKey: key() });
        else await world.processor.drain();
        if (!('edit' in step)) await world.tick();
      }
      expect(poisoned).toEqual([]);
      expect(await alarms()).toEqual([]);
      const made = (await world.verbs.occurrences(id, { limit: 1_000 })).filter(({ status }) => status === 'made');
      expect(new Set(made.map(({ slot }) => slot)).size).toBe(made.length);
      expect(await store.tenant.payments({ account: payer }, { limit: 1_000 })).toHaveLength(made.length);
      await world.verbs.cancelSchedule(id);
    }),
    { numRuns: 10 },
  );
});

describe('after more than 100,000 slots were missed', () => {
  const EVERY_MINUTE = { everySeconds: 60 } as const;
  const MISSED_DAYS = 250;

  test.each([
    [{ missed: 'last' }, { made: 1, skipped: MISSED_DAYS * 1_440 - 1 }],
    [{ missed: 'skip' }, { made: 0, skipped: MISSED_DAYS * 1_440 }],
    [
      { missed: 'all', missedCap: 3, overlap: 'allow' },
      { made: 4, skipped: MISSED_DAYS * 1_440 - 4 },
    ],
  ] as const)('%j is one decision', async (policy, expected) => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: EVERY_MINUTE, ...policy });
    world.time.advance(MISSED_DAYS * DAY);
    expect(await world.tick()).toMatchObject(expected);
    const occurrences = await world.verbs.occurrences(id);
    expect(occurrences.filter(({ status }) => status === 'skipped')).toHaveLength(1);
    world.time.advance(60_000);
    await world.processor.drain();
    expect(await world.tick()).toMatchObject({ made: 1, skipped: 0 });
  });

  test('a guard counts all of them', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: EVERY_MINUTE, guardCount: 300_000 });
    const sum = await world.schedule({ rule: EVERY_MINUTE, guardAmount: 100n * 300_000n });
    world.time.advance(MISSED_DAYS * DAY);
    await world.tick();
    for (const each of [id, sum.id]) expect(await world.verbs.schedule(each)).toMatchObject({ status: 'paused' });
  });

  test('an edit passes over all of them', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: EVERY_MINUTE });
    world.time.advance(MISSED_DAYS * DAY);
    await world.verbs.editSchedule(id, { rule: { everySeconds: 120 } });
    expect(await world.verbs.occurrences(id)).toMatchObject([{ status: 'skipped', slots: MISSED_DAYS * 1_440 }]);
  });
});
