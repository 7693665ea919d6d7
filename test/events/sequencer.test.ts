// The order of events: everything that commits gets the next place, whatever else is open, and nobody gets one twice.
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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
    // Names that no release has: only their order is looked at.
    type: type as Fact['type'],
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

describe('a server in trouble', () => {
  const store = useUsance();
  /** A sequencer on a session of its own, and the events that it set aside. */
  const start = async () => {
    const pool = store.pool({ maxConnections: 1 });
    const aside: string[] = [];
    const loop = sequencerLoop(pool, { onSetAside: (eventId) => void aside.push(eventId) });
    const run = async () => (await loop.runOnce(new AbortController().signal, false)).counts;
    await run();
    await store.tenant.openAccount({ ref: newId() });
    await store.tenant.openAccount({ ref: newId() });
    // The next run is a sweep: events below the mark are found too.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    onTestFinished(() => void vi.restoreAllMocks());
    return { pool, aside, run };
  };

  test('that is read-only for a moment costs no event its place', async () => {
    const { pool, aside, run } = await start();
    await pool.query('set default_transaction_read_only = on');
    await expect(run()).rejects.toThrow('read-only');
    await pool.query('set default_transaction_read_only = off');
    expect(await run()).toEqual({ placed: 2 });
    expect(aside).toEqual([]);
  });

  test('on which no event at all can be placed blames none of them', async () => {
    const { aside, run } = await start();
    await store.owner.query(`create function usance.refuse_places() returns trigger language plpgsql as
      $$ begin raise exception 'no places today'; end $$`);
    await store.owner.query(`create trigger refuse_places before insert on usance.event_order
      for each statement execute function usance.refuse_places()`);
    await expect(run()).rejects.toThrow('no places today');
    await store.owner.query('drop function usance.refuse_places() cascade');
    expect(await run()).toEqual({ placed: 2 });
    expect(aside).toEqual([]);
  });

  test('an event that was set aside is tried again after some minutes', async () => {
    const { aside, run } = await start();
    const [event] = await store.owner.query(
      'select event_id::text as id from usance.event_inbox order by event_id limit 1',
    );
    const id = String(event?.['id']);
    await store.owner.query(`create function usance.refuse_place() returns trigger language plpgsql as
      $$ begin if new.event_id = '${id}' then raise exception 'not this one'; end if; return new; end $$`);
    await store.owner.query(`create trigger refuse_place before insert on usance.event_order
      for each row execute function usance.refuse_place()`);
    await run();
    expect(aside).toEqual([id]);
    await store.owner.query('drop function usance.refuse_place() cascade');
    expect(await run()).toEqual({ placed: 0 });
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6 * 60_000);
    expect(await run()).toEqual({ placed: 1 });
  });
});
