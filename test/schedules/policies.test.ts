// What a schedule does when its hour comes, and when several came at once.
import { afterEach, describe, expect, test } from 'vitest';
import { held, key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/processor.ts';
import { eventsOf, scheduleWorld, stopAll, told } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;
const events = (id: string, type: string): Promise<unknown[]> => eventsOf(store.owner, id, type);

describe('a due schedule', () => {
  test('makes its payment when due, not before, and moves on', async () => {
    const world = scheduleWorld(store, START);
    const { id, payer, payee, next } = await world.schedule({ rule: DAILY, zone: 'Europe/Berlin' });
    expect(new Date(next?.at ?? 0).toISOString()).toBe('2027-03-01T08:00:00.000Z');
    world.time.advance(8 * HOUR - 1);
    expect(await world.tick()).toMatchObject({ claimed: 0 });
    world.time.advance(1);
    expect(await world.tick()).toMatchObject({ claimed: 1, made: 1, late: 0 });
    expect(await world.tick()).toMatchObject({ claimed: 0 });
    await world.processor.drain();
    expect(await held(store.tenant, payer)).toEqual([99_900n, 0n]);
    expect(await held(store.tenant, payee)).toEqual([100n, 0n]);
    const [made] = await world.verbs.occurrences(id);
    expect(made).toMatchObject({ status: 'made', ordinal: 1, reason: null, amount: 100n, kind: 'rule' });
    expect(await store.tenant.payment(made?.paymentId ?? '')).toMatchObject({
      status: 'settled',
      createdBy: `schedule:${id}`,
    });
    expect(new Date((await world.verbs.schedule(id)).next?.at ?? 0).toISOString()).toBe('2027-03-02T08:00:00.000Z');
  });

  test('pays what its step says, with its retry, priority and metadata', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({
      rule: DAILY,
      amount: 10,
      steps: [
        { from: 2, amount: 20 },
        { from: 4, amount: 40 },
      ],
      retry: 'allowance',
      priority: 'high',
      metadata: { plan: 'A' },
    });
    for (let day = 0; day < 5; day += 1) {
      world.time.advance(day === 0 ? 9 * HOUR : DAY);
      await world.tick();
      await world.processor.drain();
    }
    const amounts = (await world.verbs.occurrences(id)).map(({ amount }) => amount);
    expect(amounts.toReversed()).toEqual([10n, 20n, 20n, 40n, 40n]);
    const [last] = await world.verbs.occurrences(id);
    expect(await store.tenant.payment(last?.paymentId ?? '')).toMatchObject({
      priority: 0,
      retry: { maxAttempts: 5, initialDelayMs: 10 * MINUTE },
      metadata: { plan: 'A' },
    });
  });

  test('may pay several accounts at once', async () => {
    const world = scheduleWorld(store, START);
    await store.tenant.openAccount({ ref: 'shop-of-legs' });
    const { payer } = await world.schedule({ rule: DAILY }, 1_000);
    const { id } = await world.verbs.createSchedule({
      from: payer,
      legs: [
        { to: 'shop-of-legs', amount: 95 },
        { to: 'fees', amount: 5 },
      ],
      asset: 'USD',
      amount: 100,
      rule: DAILY,
      idempotencyKey: key(),
    });
    world.time.advance(9 * HOUR);
    await world.tick();
    await world.processor.drain();
    expect((await world.verbs.occurrences(id))[0]).toMatchObject({ status: 'made' });
    expect(await held(store.tenant, 'shop-of-legs')).toEqual([95n, 0n]);
  });

  test('is completed after its last slot', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, count: 2 });
    world.time.advance(9 * HOUR);
    await world.tick();
    await world.processor.drain();
    world.time.advance(DAY);
    expect(await world.tick()).toMatchObject({ made: 1, completed: 1 });
    expect(await world.verbs.schedule(id)).toMatchObject({
      status: 'completed',
      next: null,
      endedAt: expect.any(Date),
    });
    expect(await events(id, 'schedule.completed')).toHaveLength(1);
  });

  test('that runs more than a minute late says so', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(9 * HOUR + 2 * MINUTE);
    expect(await world.tick()).toMatchObject({ made: 1, late: 1 });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 made late']);
    expect(await events(id, 'schedule.occurrence_late')).toMatchObject([
      { slot: '2027-03-01T09:00:00', lateByMs: 120_000 },
    ]);
  });
});

describe('slots that were missed', () => {
  /** Five days nobody came: the slots of the 1st to the 5th are due. */
  const missed = async (terms: object) => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: { frequency: 'DAILY' }, start: '2027-03-02', ...terms });
    world.time.to('2027-03-06T12:00:00Z');
    const counts = await world.tick();
    return { world, id, counts };
  };

  test('by default the last alone is run, and the others are one record', async () => {
    const { world, id, counts } = await missed({});
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-02 skipped missed 4', '2027-03-06 made late']);
    expect(counts).toMatchObject({ made: 1, late: 1, skipped: 4 });
    expect(await events(id, 'schedule.occurrence_skipped')).toMatchObject([
      { slot: '2027-03-02T00:00:00', through: '2027-03-05T00:00:00', slots: 4, reason: 'missed' },
    ]);
  });

  test('may all be skipped', async () => {
    const { world, id, counts } = await missed({ missed: 'skip' });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-02 skipped missed 5']);
    expect(counts).toMatchObject({ made: 0, skipped: 5 });
    expect((await world.verbs.upcoming(id, 1))[0]?.slot).toBe('2027-03-07T00:00:00');
  });

  test('one that is only late is run, whatever the policy', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, missed: 'skip' });
    world.time.advance(DAY + 8 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 1, skipped: 0 });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 made late']);
  });

  test('may all be run, one after the other has ended', async () => {
    const { world, id } = await missed({ missed: 'all' });
    for (let round = 0; round < 4; round += 1) {
      await world.processor.drain();
      world.time.advance(2 * SECOND);
      await world.tick();
    }
    expect(told(await world.verbs.occurrences(id))).toEqual(
      ['02', '03', '04', '05', '06'].map((day) => `2027-03-${day} made late`),
    );
  });

  test('may be run within a cap and a window, and what is beyond is on record', async () => {
    const { world, id, counts } = await missed({ missed: 'all', missedCap: 1, missedWindow: '72h', overlap: 'allow' });
    expect(told(await world.verbs.occurrences(id))).toEqual([
      '2027-03-02 skipped outside_window 2',
      '2027-03-04 skipped capped',
      '2027-03-05 made late',
      '2027-03-06 made late',
    ]);
    expect(counts).toMatchObject({ made: 2, late: 2, skipped: 3 });
    expect(await events(id, 'schedule.occurrence_skipped')).toMatchObject([
      { slot: '2027-03-02T00:00:00', slots: 2, reason: 'outside_window' },
      { slot: '2027-03-04T00:00:00', slots: 1, reason: 'capped' },
    ]);
  });

  test('a run of a thousand is one record', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: { everySeconds: 60 }, start: '2027-03-01T00:01' });
    world.time.advance(1_000 * MINUTE);
    expect(await world.tick()).toMatchObject({ made: 1, skipped: 999 });
    const [, run] = await world.verbs.occurrences(id);
    expect(run).toMatchObject({ slots: 999, reason: 'missed' });
  });

  test('slots that were moved to one day miss nothing', async () => {
    const world = scheduleWorld(store, START);
    // 6 and 7 March 2027 are a weekend: both are paid on Monday, with its own.
    const { id } = await world.schedule({
      rule: { frequency: 'DAILY', time: '09:00' },
      start: '2027-03-06',
      businessDays: { shift: 'next' },
      overlap: 'allow',
    });
    world.time.to('2027-03-08T09:00:00Z');
    expect(await world.tick()).toMatchObject({ made: 3, skipped: 0, late: 0 });
    expect(await world.verbs.occurrences(id)).toHaveLength(3);
  });
});

describe('an outage', () => {
  test.each<[string, object]>([
    ['more slots', { guardCount: 3 }],
    ['more money', { guardAmount: 399 }],
  ])('that leaves %s due at once than was foreseen waits for a person', async (_, guard) => {
    const world = scheduleWorld(store, START);
    const order = {
      rule: { frequency: 'DAILY' },
      start: '2027-03-02',
      missed: 'all',
      overlap: 'allow',
      ...guard,
    } as const;
    const { id } = await world.schedule(order);
    world.time.to('2027-03-05T12:00:00Z');
    expect(await world.tick()).toMatchObject({ made: 0, paused: 1 });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'paused', statusReason: 'outage_guard' });
    await world.verbs.resumeSchedule(id);
    await world.verbs.backfillSchedule(id, { start: '2027-03-05', end: '2027-03-05', idempotencyKey: key() });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-05 made late']);
    world.time.advance(DAY);
    expect(await world.tick()).toMatchObject({ made: 1, paused: 0 });
  });
});

test('the books add up after all of it', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
