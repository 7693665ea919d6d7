// Schedules are made, found, and moved from state to state: every verb in every state.
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { SCHEDULE_MOVES } from '../../src/schedules/index.ts';
import { key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { HOUR, SECOND } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import type { ScheduleWorld } from './world.ts';
import { live, scheduleWorld, stopAll } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;

test('the moves of a schedule are those of the database', async () => {
  const rows = await store.owner.query(`select from_status, to_status from usance.schedule_moves`);
  const theirs = rows.map((row) => `${String(row['from_status'])} → ${String(row['to_status'])}`);
  const ours = Object.entries(SCHEDULE_MOVES).flatMap(([from, moves]) => moves.map((to) => `${from} → ${to}`));
  expect(theirs.toSorted()).toEqual(ours.toSorted());
});

describe('in each state', () => {
  const VERBS: Readonly<Record<string, (world: ScheduleWorld, id: string) => Promise<unknown>>> = {
    edit: (world, id) => world.verbs.editSchedule(id, { amount: 5 }),
    pause: (world, id) => world.verbs.pauseSchedule(id),
    resume: (world, id) => world.verbs.resumeSchedule(id),
    cancel: (world, id) => world.verbs.cancelSchedule(id),
    trigger: (world, id) => world.verbs.triggerSchedule(id, { idempotencyKey: key() }),
  };
  const ALLOWED: Readonly<Record<string, readonly string[]>> = {
    active: ['edit', 'pause', 'cancel', 'trigger'],
    paused: ['edit', 'resume', 'cancel', 'trigger'],
    completed: [],
    cancelled: [],
    expired: [],
  };
  const bring = async (world: ScheduleWorld, state: string): Promise<string> => {
    const { id } = await world.schedule(
      {
        rule: DAILY,
        ...(state === 'completed' ? { count: 1 } : {}),
        retry: { maxAttempts: 1 },
        afterFailure: 'expire',
      },
      state === 'expired' ? 0 : 1_000,
    );
    if (state === 'paused') await world.verbs.pauseSchedule(id);
    if (state === 'cancelled') await world.verbs.cancelSchedule(id);
    if (state === 'completed' || state === 'expired') {
      await live(world, 9 * HOUR);
      await live(world, 2 * SECOND);
    }
    return id;
  };

  test.each(Object.keys(SCHEDULE_MOVES))('%s', async (state) => {
    for (const [verb, act] of Object.entries(VERBS)) {
      const world = scheduleWorld(store, START);
      const id = await bring(world, state);
      expect(await world.verbs.schedule(id)).toMatchObject({ status: state });
      const outcome = ALLOWED[state]?.includes(verb)
        ? await refusalOf(act(world, id))
        : await refusedUnchanged(store.owner, store.tenant.id, () => act(world, id));
      expect(`${verb}: ${outcome}`).toBe(
        `${verb}: ${ALLOWED[state]?.includes(verb) ? 'not refused' : 'SCHEDULE_STATE_CONFLICT'}`,
      );
    }
  });

  test('and where there is none', async () => {
    const world = scheduleWorld(store, START);
    for (const id of ['0199a2b4-0000-7000-8000-000000000000', 'rubbish']) {
      for (const act of Object.values(VERBS)) expect(await refusalOf(act(world, id))).toBe('SCHEDULE_NOT_FOUND');
      expect(await refusalOf(world.verbs.schedule(id))).toBe('SCHEDULE_NOT_FOUND');
      expect(await refusalOf(world.verbs.occurrences(id))).toBe('SCHEDULE_NOT_FOUND');
      expect(await refusalOf(world.verbs.upcoming(id))).toBe('SCHEDULE_NOT_FOUND');
    }
  });
});

describe('creating', () => {
  test('once a key, whatever is sent again', async () => {
    const world = scheduleWorld(store, START);
    const { payer, payee } = await world.schedule({ rule: DAILY });
    const order = { from: payer, to: payee, asset: 'USD', amount: 5, rule: DAILY, idempotencyKey: key() } as const;
    const first = await world.verbs.createSchedule(order);
    expect(await world.verbs.createSchedule(order)).toEqual(first);
    expect(await refusalOf(world.verbs.createSchedule({ ...order, amount: 6 }))).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('a start in the past is an anchor and pays nothing back', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({
      rule: { frequency: 'MONTHLY' },
      start: '2026-12-31T09:00',
      steps: [{ from: 5, amount: 7 }],
    });
    expect(await world.verbs.upcoming(id, 2)).toMatchObject([
      { slot: '2027-03-31T09:00:00', ordinal: 4, amount: 100n },
      { slot: '2027-04-30T09:00:00', ordinal: 5, amount: 7n },
    ]);
  });

  test.each<[string, object]>([
    ['AMOUNT_NOT_POSITIVE', { amount: 0 }],
    ['AMOUNT_INVALID', { amount: '1.5' }],
    ['STEPS_INVALID/not_ascending', { steps: [{ from: 1, amount: 5 }] }],
    ['STEPS_INVALID/too_many', { steps: Array.from({ length: 101 }, (_, at) => ({ from: at + 2, amount: 5 })) }],
    [
      'STEPS_INVALID/with_legs',
      { to: undefined, legs: [{ to: 'payee-of-refusals', amount: 5 }], steps: [{ from: 2, amount: 5 }] },
    ],
    [
      'STEPS_INVALID/not_ascending',
      {
        steps: [
          { from: 3, amount: 5 },
          { from: 3, amount: 6 },
        ],
      },
    ],
    ['AMOUNT_NOT_POSITIVE', { steps: [{ from: 3, amount: 0 }] }],
    ['ACCOUNT_NOT_FOUND', { to: 'nobody' }],
    ['SELF_TRANSFER', { to: 'payer-of-refusals' }],
    ['ASSET_NOT_FOUND', { asset: 'XYZ' }],
    ['FIELD_INVALID', { overlap: 'sometimes' }],
    ['FIELD_INVALID', { missed: 'never' }],
    ['MISSED_INVALID/not_with', { missedCap: 3 }],
    ['MISSED_INVALID/not_whole_number', { missed: 'all', missedCap: 0 }],
    ['MISSED_INVALID/zero', { missed: 'all', missedWindow: 0 }],
    ['FIELD_INVALID/not_whole_number', { guardCount: 0 }],
    ['AMOUNT_NOT_POSITIVE', { guardAmount: 0 }],
    ['DELAY_INVALID', { missed: 'all', missedWindow: 'long' }],
    ['RETRY_INVALID', { retry: 'forever' }],
    ['RULE_NEVER_FIRES/past', { start: '2020-01-01', until: '2020-02-01' }],
    ['ZONE_UNKNOWN', { zone: 'Nowhere' }],
    ['RULE_TOO_FREQUENT/period', { rule: { everySeconds: 1 } }],
  ])('%s: %j', async (expected, fields) => {
    const world = scheduleWorld(store, START);
    if ((await refusalOf(store.tenant.account('payer-of-refusals'))) !== 'not refused') {
      await store.tenant.openAccount({ ref: 'payer-of-refusals' });
      await store.tenant.openAccount({ ref: 'payee-of-refusals' });
    }
    const order = {
      from: 'payer-of-refusals',
      to: 'payee-of-refusals',
      asset: 'USD',
      amount: 5,
      rule: DAILY,
      ...fields,
    };
    const create = () => world.verbs.createSchedule({ ...order, idempotencyKey: key() });
    expect(await refusedUnchanged(store.owner, store.tenant.id, create)).toBe(expected.split('/')[0]);
    // With its reason, where the row gives one.
    expect(`${await refusedFor(create())}/`).toContain(`${expected}/`);
  });

  test('a reference is unique', async () => {
    const world = scheduleWorld(store, START);
    await world.schedule({ rule: DAILY, reference: 'rent' });
    expect(await refusalOf(world.schedule({ rule: DAILY, reference: 'rent' }))).toBe('REFERENCE_EXISTS');
    expect(await world.verbs.schedules({ reference: 'rent' })).toHaveLength(1);
  });

  test("inside a caller's own transaction it commits or vanishes with it", async () => {
    const world = scheduleWorld(store, START);
    const { payer, payee } = await world.schedule({ rule: DAILY });
    const order = { from: payer, to: payee, asset: 'USD', amount: 5, rule: DAILY } as const;
    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    onTestFinished(() => client.end());
    for (const [reference, end] of [
      ['vanishes', 'rollback'],
      ['stays', 'commit'],
    ] as const) {
      await client.query('begin');
      await store.tenant.within(client).createSchedule({ ...order, reference, idempotencyKey: key() });
      await client.query(end);
    }
    expect(await world.verbs.schedules({ reference: 'stays' })).toHaveLength(1);
    expect(await world.verbs.schedules({ reference: 'vanishes' })).toEqual([]);
  });
});

describe('what comes', () => {
  test('is told in the time of the zone and in UTC', async () => {
    const world = scheduleWorld(store, '2027-03-27T00:00:00Z');
    const { id } = await world.schedule({ rule: { frequency: 'DAILY', time: '02:30' }, zone: 'Europe/Berlin' });
    const shown = await world.verbs.upcoming(id, 2);
    expect(shown.map(({ slot, local, at }) => [slot, local, at.toISOString()])).toEqual([
      ['2027-03-27T02:30:00', '2027-03-27T02:30:00', '2027-03-27T01:30:00.000Z'],
      ['2027-03-28T02:30:00', '2027-03-28T03:30:00', '2027-03-28T01:30:00.000Z'],
    ]);
    expect(await refusalOf(world.verbs.upcoming(id, 0))).toBe('FIELD_INVALID');
    expect(await refusalOf(world.verbs.upcoming(id, 367))).toBe('FIELD_INVALID');
  });

  test('is found by state and by account', async () => {
    const world = scheduleWorld(store, START);
    const { id, payer, payee } = await world.schedule({ rule: DAILY });
    for (const account of [payer, payee]) {
      expect((await world.verbs.schedules({ account })).map((each) => each.id)).toEqual([id]);
      expect(await world.verbs.schedules({ account, status: 'paused' })).toEqual([]);
    }
    expect(await refusalOf(world.verbs.schedules({ account: 'nobody' }))).toBe('ACCOUNT_NOT_FOUND');
  });
});

test('the books add up after all of it', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
