// What people do with a schedule: every verb in every state, and what each leaves behind.
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { SCHEDULE_MOVES } from '../../src/schedules/index.ts';
import { held, key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, SECOND } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import type { ScheduleWorld } from './world.ts';
import { scheduleWorld, stopAll, told } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;

/** Runs what is due, and settles it. */
async function live(world: ScheduleWorld, ms: number): Promise<void> {
  world.time.advance(ms);
  await world.tick();
  await world.processor.drain();
}

const slotsAhead = async (world: ScheduleWorld, id: string, count: number): Promise<string[]> =>
  (await world.verbs.upcoming(id, count)).map(({ slot }) => slot);

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
    ['STEPS_INVALID', { steps: [{ from: 1, amount: 5 }] }],
    [
      'STEPS_INVALID',
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
    ['MISSED_INVALID', { missedCap: 3 }],
    ['MISSED_INVALID', { missed: 'all', missedCap: 0 }],
    ['MISSED_INVALID', { missed: 'all', missedWindow: 0 }],
    ['FIELD_INVALID', { guardCount: 0 }],
    ['AMOUNT_NOT_POSITIVE', { guardAmount: 0 }],
    ['DELAY_INVALID', { missed: 'all', missedWindow: 'long' }],
    ['RETRY_INVALID', { retry: 'forever' }],
    ['RULE_NEVER_FIRES', { start: '2020-01-01', until: '2020-02-01' }],
    ['ZONE_UNKNOWN', { zone: 'Nowhere' }],
    ['RULE_TOO_FREQUENT', { rule: { everySeconds: 1 } }],
  ])('%s: %j', async (code, fields) => {
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
    expect(
      await refusedUnchanged(store.owner, store.tenant.id, () =>
        world.verbs.createSchedule({ ...order, idempotencyKey: key() }),
      ),
    ).toBe(code);
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

describe('pausing', () => {
  test('nothing runs meanwhile, and resuming pays nothing back', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    await live(world, 9 * HOUR);
    await world.verbs.pauseSchedule(id, { reason: 'on holiday' });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'paused', statusReason: 'on holiday', next: null });
    await live(world, 5 * DAY);
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-07T09:00:00']);
    await world.verbs.resumeSchedule(id);
    expect(await world.tick()).toMatchObject({ claimed: 0 });
    await live(world, DAY);
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 made', '2027-03-07T09:00:00 made']);
  });

  test('a schedule whose slots are all past cannot be resumed', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, until: '2027-03-02' });
    await world.verbs.pauseSchedule(id);
    world.time.advance(9 * DAY);
    expect(await refusalOf(world.verbs.resumeSchedule(id))).toBe('RULE_NEVER_FIRES');
  });
});

describe('editing', () => {
  test('never makes a slot at or before the last one made', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    await live(world, 9 * HOUR);
    // Later on the same day, earlier on the same day, and to a zone where it is still the day before.
    await world.verbs.editSchedule(id, { rule: { frequency: 'DAILY', time: '08:00' } });
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-02T08:00:00']);
    await world.verbs.editSchedule(id, { rule: { frequency: 'DAILY', time: '18:00' } });
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-01T18:00:00']);
    await world.verbs.editSchedule(id, { rule: { cron: '0 * * * *' }, zone: 'Pacific/Honolulu' });
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-01T10:00:00']);
    await live(world, 30 * DAY);
    const slots = (await world.verbs.occurrences(id)).map(({ slot }) => slot);
    expect(new Set(slots).size).toBe(slots.length);
  });

  test('changes what comes, and leaves alone what is not named', async () => {
    const world = scheduleWorld(store, START);
    const { id, timing } = await world.schedule({
      rule: DAILY,
      missed: 'all',
      missedCap: 7,
      missedWindow: '48h',
      retry: 'allowance',
    });
    const edited = await world.verbs.editSchedule(id, { amount: 250, overlap: 'skip' });
    expect(edited).toMatchObject({
      amount: 250n,
      overlap: 'skip',
      missed: 'all',
      missedCap: 7,
      missedWindowMs: 48 * HOUR,
      timing,
    });
    expect(edited.retry).toMatchObject({ initialDelayMs: 600_000 });
    const ended = await world.verbs.editSchedule(id, { count: 3, exclude: ['2027-03-02'] });
    expect(await slotsAhead(world, id, 9)).toEqual(['2027-03-01T09:00:00', '2027-03-03T09:00:00']);
    expect(ended.timing).toMatchObject({ count: 3 });
    await world.verbs.editSchedule(id, {
      count: null,
      exclude: null,
      missed: 'last',
      missedCap: null,
      missedWindow: null,
    });
    expect(await slotsAhead(world, id, 4)).toHaveLength(4);
  });

  test('a slot that was due and not made yet is on record', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(10 * HOUR);
    await world.verbs.editSchedule(id, { rule: { frequency: 'WEEKLY' } });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 skipped edited']);
  });

  test('an impossible rule changes nothing', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    const edit = (fields: object) =>
      refusedUnchanged(store.owner, store.tenant.id, () => world.verbs.editSchedule(id, fields));
    expect(await edit({ rule: { cron: '0 0 30 2 *' } })).toBe('RULE_NEVER_FIRES');
    expect(await edit({ until: '2026-01-01' })).toBe('END_BEFORE_START');
    expect(await edit({ amount: 0 })).toBe('AMOUNT_NOT_POSITIVE');
  });
});

describe('cancelling', () => {
  test('stops it for good; with its payment, the retries too', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY }, 0);
    await live(world, 9 * HOUR);
    const [made] = await world.verbs.occurrences(id);
    await world.verbs.cancelSchedule(id, { cancelPayment: true, reason: 'moved out' });
    expect(await store.tenant.payment(made?.paymentId ?? '')).toMatchObject({ status: 'cancelled' });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'cancelled', statusReason: 'moved out' });
    await live(world, 3 * DAY);
    expect(await world.verbs.occurrences(id)).toHaveLength(1);
  });
});

describe('triggering', () => {
  test('pays once more, once a key, and moves no slot', async () => {
    const world = scheduleWorld(store, START);
    const { id, payee } = await world.schedule({ rule: DAILY });
    const ahead = await slotsAhead(world, id, 2);
    const again = { idempotencyKey: key() };
    const first = await world.verbs.triggerSchedule(id, again);
    expect(await world.verbs.triggerSchedule(id, again)).toEqual(first);
    await world.verbs.triggerSchedule(id, { idempotencyKey: key() });
    expect(await slotsAhead(world, id, 2)).toEqual(ahead);
    await world.processor.drain();
    expect(await held(store.tenant, payee)).toEqual([200n, 0n]);
    expect((await world.verbs.occurrences(id)).map(({ kind }) => kind)).toEqual(['trigger', 'trigger']);
  });

  test('takes no slot of the rule, though it comes at that very moment', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(9 * HOUR);
    await world.verbs.triggerSchedule(id, { idempotencyKey: key() });
    expect(await world.tick()).toMatchObject({ made: 1 });
    expect(await world.verbs.occurrences(id)).toHaveLength(2);
  });

  test('a refusal is told, and nothing is left behind', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, funding: 'reserve' }, 0);
    const trigger = () => world.verbs.triggerSchedule(id, { idempotencyKey: key() });
    expect(await refusedUnchanged(store.owner, store.tenant.id, trigger)).toBe('FUNDS_INSUFFICIENT');
  });
});

describe('backfilling', () => {
  test('pays what was skipped, once, and what is left of a run of slots is still on record', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: { frequency: 'DAILY' }, start: '2027-03-02' });
    world.time.to('2027-03-06T12:00:00Z');
    await world.tick();
    const order = { start: '2027-03-02', end: '2027-03-03', idempotencyKey: key() };
    const planned = await world.verbs.backfillSchedule(id, { ...order, dryRun: true, idempotencyKey: key() });
    expect(planned).toHaveLength(2);
    expect(await world.verbs.occurrences(id)).toHaveLength(2);
    const made = await world.verbs.backfillSchedule(id, order);
    expect(await world.verbs.backfillSchedule(id, order)).toEqual(made);
    expect(told(await world.verbs.occurrences(id))).toEqual([
      '2027-03-02 made late',
      '2027-03-03 made late',
      '2027-03-04 skipped missed 2',
      '2027-03-06 made late',
    ]);
    await world.verbs.backfillSchedule(id, { start: '2027-03-01', end: '2027-04-01', idempotencyKey: key() });
    expect(told(await world.verbs.occurrences(id)).map((line) => line.slice(11))).toEqual(Array(5).fill('made late'));
    expect(
      await world.verbs.backfillSchedule(id, { start: '2027-03-01', end: '2027-04-01', idempotencyKey: key() }),
    ).toEqual([]);
  });

  test('reaches behind the day the schedule was made, and never ahead of where it stands', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: { frequency: 'MONTHLY' }, start: '2026-12-01T09:00' });
    const made = await world.verbs.backfillSchedule(id, {
      start: '2026-01-01',
      end: '2028-01-01',
      idempotencyKey: key(),
    });
    expect(made.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-01T09:00:00']);
  });

  test('too much, the wrong way round, or not a date, is refused', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, start: '2026-01-01' });
    const backfill = (start: string, end: string) =>
      refusedUnchanged(store.owner, store.tenant.id, () =>
        world.verbs.backfillSchedule(id, { start, end, idempotencyKey: key() }),
      );
    expect(await backfill('2026-01-01', '2027-01-01')).toBe('BACKFILL_TOO_LARGE');
    expect(await backfill('2026-02-01', '2026-01-01')).toBe('END_BEFORE_START');
    expect(await backfill('yesterday', '2026-01-01')).toBe('LOCAL_TIME_INVALID');
  });
});

describe('an occurrence that failed', () => {
  const failed = async () => {
    const world = scheduleWorld(store, START);
    const made = await world.schedule({ rule: DAILY, funding: 'reserve' }, 0);
    await live(world, 9 * HOUR);
    const [occurrence] = await world.verbs.occurrences(made.id);
    return { world, ...made, occurrence: occurrence?.id ?? '' };
  };
  const letters = async (world: ScheduleWorld, id: string) =>
    (await world.verbs.occurrenceLetters()).filter((letter) => letter.scheduleId === id);

  test('is paid when it is replayed, once', async () => {
    const { world, id, payer, occurrence } = await failed();
    const replay = () => world.verbs.replayOccurrence(occurrence, { reason: 'funds arrived', idempotencyKey: key() });
    expect(await refusedUnchanged(store.owner, store.tenant.id, replay)).toBe('FUNDS_INSUFFICIENT');
    await store.tenant.deposit({ account: payer, asset: 'USD', amount: 500, idempotencyKey: key() });
    expect(await replay()).toMatchObject({ status: 'made', paymentId: expect.any(String) });
    expect(await refusalOf(replay())).toBe('OCCURRENCE_STATE_CONFLICT');
    expect(await letters(world, id)).toEqual([]);
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 made late']);
  });

  test('rests when it is discarded, with the reason on record', async () => {
    const { world, id, occurrence } = await failed();
    await world.verbs.discardOccurrence(occurrence, { reason: 'paid in cash' });
    expect(await letters(world, id)).toEqual([]);
    expect(await refusalOf(world.verbs.discardOccurrence(occurrence, { reason: 'again' }))).toBe(
      'OCCURRENCE_STATE_CONFLICT',
    );
    const rows = await store.owner.query(
      `select data from usance.events where resource_id = $1::uuid and type = 'schedule.occurrence_discarded'`,
      [id],
    );
    expect(rows).toMatchObject([{ data: { reason: 'paid in cash' } }]);
    expect(await refusalOf(world.verbs.discardOccurrence('rubbish', { reason: 'x' }))).toBe('OCCURRENCE_NOT_FOUND');
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
