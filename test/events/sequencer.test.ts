// The order of events: everything that commits gets the next place, whatever else is open, and nobody gets one twice.
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Fact } from '../../src/events/index.ts';
import { appendEvents, findEvents, placeEvents, sequencerLoop } from '../../src/events/index.ts';
import { createLoop, newId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

describe('the order of events', () => {
  const store = useUsance();
  const fact = (type: string): Fact => ({
    tenantId: store.tenant.id,
    type,
    resource: 'thing',
    resourceId: newId(),
    data: {},
    actor: 'system',
    occurredAt: new Date(),
  });
  const tell = (...types: string[]): Promise<void> => store.db.transaction((tx) => appendEvents(tx, types.map(fact)));
  /** Appends, and commits when it is told to. */
  const tellSlowly = async (...types: string[]): Promise<() => Promise<void>> => {
    const [told, commit] = [gate(), gate()];
    const done = store.db.transaction(async (tx) => {
      await appendEvents(tx, types.map(fact));
      told.open();
      await commit.passed;
    });
    await told.passed;
    return () => (commit.open(), done);
  };
  const end = (): Promise<bigint> => store.tenant.lastEventPlace();
  const placedAfter = async (after: bigint): Promise<[number, string][]> => {
    const events = await findEvents(store.db, store.tenant.id, {}, { after, limit: 1_000 });
    return events.map(({ seq, type }) => [Number(seq - after), type]);
  };
  // What opening the tenant told has its places.
  beforeEach(async () => void (await placeEvents(store.db, FIRST)));

  test('is without gaps, and that of commits rather than of telling', async () => {
    const before = await end();
    const commit = await tellSlowly('told.first');
    await tell('told.second', 'told.third');
    await placeEvents(store.db, FIRST);
    expect(await placedAfter(before)).toEqual([
      [1, 'told.second'],
      [2, 'told.third'],
    ]);
    await commit();
    await placeEvents(store.db, FIRST);
    expect((await placedAfter(before)).at(-1)).toEqual([3, 'told.first']);
  });

  test('does not wait for a transaction that is left open, whatever it has seen or written', async () => {
    const before = await end();
    // An old snapshot, as a report or a dump holds one for an hour.
    const report = new pg.Client({ connectionString: store.ownerUrl });
    await report.connect();
    onTestFinished(() => report.end());
    await report.query('begin isolation level repeatable read; select count(*) from usance.event_inbox');
    const commit = await tellSlowly('told.late');
    const sequencer = createLoop(sequencerLoop(store.db));
    for (let n = 1; n <= 5; n += 1) {
      await tell(`told.${'abcde'.charAt(n - 1)}`);
      await sequencer.runOnce();
      expect((await placedAfter(before)).length).toBe(n);
    }
    await commit();
    // A drain goes on where the last one ended; what committed late is found by the next sweep.
    await expect
      .poll(async () => (await sequencer.runOnce(), (await placedAfter(before)).at(-1)))
      .toEqual([6, 'told.late']);
  });

  test('has one place for each, with twenty sequencers at once and twenty who tell', async () => {
    const before = await end();
    const telling = Array.from({ length: 20 }, async (_, teller) => {
      for (let n = 0; n < 5; n += 1) await tell(`teller_${'abcdefghijklmnopqrst'.charAt(teller)}.told`, 'all.told');
    });
    const placing = Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 10; n += 1) await placeEvents(store.db, FIRST);
    });
    await Promise.all([...telling, ...placing]);
    await placeEvents(store.db, FIRST);
    const places = (await placedAfter(before)).map(([place]) => place);
    expect(places).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    expect(await troubles(store.usance)).toEqual([]);
  });
});
