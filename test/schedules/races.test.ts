// Many at once: schedulers, processors and people. Whatever the order, each slot is dealt with once.
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_BOUNDS } from '../../src/payments/index.ts';
import { schedulerLoop } from '../../src/schedules/index.ts';
import { createEngine } from '../../src/engine.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, frozenTime } from '../support/processor.ts';
import { stopper, runRace } from '../support/race.ts';
import { refusalOf } from '../support/refusal.ts';
import { scheduleWorld, stopAll } from './world.ts';

const store = useUsance({ poolSize: 30 });
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;

describe('twenty schedulers at once', () => {
  test('make each slot once', async () => {
    const world = scheduleWorld(store, START);
    await open(store.tenant, { 'many-payer': 1_000_000, 'many-payee': 0 });
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      const made = await world.verbs.createSchedule({
        from: 'many-payer',
        to: 'many-payee',
        asset: 'USD',
        amount: 1,
        rule: DAILY,
        overlap: 'allow',
        missed: 'all',
        idempotencyKey: key(),
      });
      ids.push(made.id);
    }
    world.time.advance(3 * DAY - HOUR);
    const loops = Array.from({ length: 20 }, () =>
      schedulerLoop(store.db, { readClock: world.time.readClock, bounds: DEFAULT_BOUNDS, batchSize: 7 }),
    );
    const counts = await Promise.all(loops.map((loop) => loop.runOnce(new AbortController().signal, false)));
    const total = counts.reduce((sum, run) => sum + (run.counts['made'] ?? 0), 0);
    await world.tick();
    const made = await Promise.all(ids.map(async (id) => (await world.verbs.occurrences(id)).length));
    expect(made).toEqual(Array(30).fill(3));
    expect(total).toBe(90);
    const [row] = await store.owner.query(
      `select count(*)::int as payments from usance.payments where owner_id is not null`,
    );
    expect(row).toEqual({ payments: 90 });
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('a person and a scheduler', () => {
  /** Every order of a verb's statements and a scheduler's run; the end is one of those that one after the other would have. */
  const race = async (
    act: (verbs: ReturnType<typeof scheduleWorld>['verbs'], id: string) => Promise<unknown>,
    judge: (outcome: { person: string; made: number; status: string }) => void,
  ): Promise<number> => {
    const stop = stopper();
    const slow = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, onStatement: stop.onStatement });
    try {
      return await runRace(store.owner, stop, {
        async arrange() {
          await stopAll(store.tenant);
          const world = scheduleWorld(store, START);
          const { id } = await world.schedule({ rule: DAILY });
          world.time.advance(9 * HOUR);
          // The scheduler is the one that is stopped, at every statement of its batch.
          const loop = schedulerLoop(slow.db, {
            readClock: frozenTime(new Date(Date.parse(START) + 9 * HOUR)).readClock,
            bounds: DEFAULT_BOUNDS,
          });
          return { world, id, loop };
        },
        stopped: ({ loop }) => loop.runOnce(new AbortController().signal, false).then(() => 'ran'),
        other: ({ world, id }) => refusalOf(act(world.verbs, id)),
        async judge({ world, id }, _ran, person) {
          const occurrences = await world.verbs.occurrences(id);
          const { status } = await world.verbs.schedule(id);
          judge({ person, made: occurrences.filter((each) => each.status === 'made').length, status });
        },
      });
    } finally {
      await slow.close();
    }
  };

  test('pausing comes before the slot or after it', async () => {
    const orders = await race(
      (verbs, id) => verbs.pauseSchedule(id),
      ({ person, made, status }) => {
        expect(person).toBe('not refused');
        expect([0, 1]).toContain(made);
        expect(status).toBe('paused');
      },
    );
    expect(orders).toBeGreaterThan(5);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('editing never brings a slot back that was made, nor makes one twice', async () => {
    await race(
      (verbs, id) => verbs.editSchedule(id, { rule: { frequency: 'DAILY', time: '09:30' } }),
      ({ person, made, status }) => {
        expect(person).toBe('not refused');
        expect([0, 1]).toContain(made);
        expect(status).toBe('active');
      },
    );
    expect(await troubles(store.usance)).toEqual([]);
  });
});

test('twenty people who trigger with one key trigger once', async () => {
  const world = scheduleWorld(store, START);
  const { id } = await world.schedule({ rule: DAILY });
  const idempotencyKey = key();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => refusalOf(world.verbs.triggerSchedule(id, { idempotencyKey }))),
  );
  expect(outcomes.filter((code) => code !== 'IDEMPOTENCY_RUNNING')).toContain('not refused');
  expect(await world.verbs.occurrences(id)).toHaveLength(1);
});
