// The order of events: everything that commits gets the next numbers, whatever else is open, and no number is given twice.
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Row, Transaction, TransactionOptions, Value } from '../../src/db/index.ts';
import { ensurePartitions } from '../../src/db/index.ts';
import type { Fact } from '../../src/events/index.ts';
import { appendEvents, createSequencer, findEvents, orderEvents } from '../../src/events/index.ts';
import { newBlockId, newId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { gate } from '../support/gate.ts';
import { unchecked } from '../support/event-check.ts';

// Data of its own: how events are stored is tested here, not what they say.
unchecked();

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
  const tell = (...types: string[]): Promise<unknown> =>
    store.db.transaction((tx) => appendEvents(tx, types.map(fact)));
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
  const end = (): Promise<bigint> => store.tenant.lastEventSeq();
  const placedAfter = async (after: bigint): Promise<[number, string][]> => {
    const events = await findEvents(store.db, store.tenant.id, {}, { after, limit: 1_000 });
    return events.map(({ seq, type }) => [Number(seq - after), type]);
  };
  // What opening the tenant told is ordered.
  beforeEach(async () => void (await orderEvents(store.db)));

  test('has no gaps, and is that of commits rather than of appends', async () => {
    const before = await end();
    const commit = await tellSlowly('told.first');
    await tell('told.second', 'told.third');
    await orderEvents(store.db);
    expect(await placedAfter(before)).toEqual([
      [1, 'told.second'],
      [2, 'told.third'],
    ]);
    await commit();
    await orderEvents(store.db);
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
    const sequencer = createSequencer(store.db);
    for (let n = 1; n <= 5; n += 1) {
      await tell(`told.${'abcde'.charAt(n - 1)}`);
      await sequencer.order();
      expect((await placedAfter(before)).length).toBe(n);
    }
    await commit();
    // A take finds what was in progress when the last one looked.
    await sequencer.order();
    expect((await placedAfter(before)).at(-1)).toEqual([6, 'told.late']);
  });

  test('has one number for each event, with twenty sequencers and twenty appenders at once', async () => {
    const before = await end();
    const telling = Array.from({ length: 20 }, async (_, teller) => {
      for (let n = 0; n < 5; n += 1) await tell(`teller_${'abcdefghijklmnopqrst'.charAt(teller)}.told`, 'all.told');
    });
    const placing = Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 10; n += 1) await orderEvents(store.db);
    });
    await Promise.all([...telling, ...placing]);
    await orderEvents(store.db);
    const places = (await placedAfter(before)).map(([place]) => place);
    expect(places).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('keeps the events of one transaction in sequence, also over several calls, savepoints and tenants', async () => {
    const before = await end();
    const other = await store.usance.createTenant({ name: 'another' });
    await orderEvents(store.db);
    await store.db.transaction(async (tx) => {
      await appendEvents(tx, [fact('a.one'), { ...fact('b.one'), tenantId: other.id }, fact('a.two')]);
      await tx
        .savepoint(async (inner) => {
          await appendEvents(inner, [fact('undone.one')]);
          throw new Error('refused');
        })
        .catch(() => undefined);
      await tx.savepoint((inner) => appendEvents(inner, [fact('a.three')]));
      await appendEvents(tx, [fact('a.four')]);
    });
    await orderEvents(store.db);
    expect((await placedAfter(before)).map(([, type]) => type)).toEqual(['a.one', 'a.two', 'a.three', 'a.four']);
    const theirs = await findEvents(store.db, other.id, { type: 'b.*' });
    expect(theirs).toMatchObject([{ seq: await other.lastEventSeq() }]);
  });

  test.each(['in one take', 'in two takes'])(
    'never has an effect before its cause, whatever the ids and transactions say: %s',
    async (takes) => {
      const before = await end();
      const sequencer = createSequencer(store.db);
      await store.db.transaction(async (tx) => {
        // The transaction and the id are the older ones; what they say happens after it has seen the other.
        await tx.query('select pg_current_xact_id()');
        const effect = { ...fact('effect.told'), id: newBlockId() };
        await tell('cause.told');
        if (takes === 'in two takes') await sequencer.order();
        await appendEvents(tx, [effect]);
      });
      await sequencer.order();
      expect((await placedAfter(before)).map(([, type]) => type)).toEqual(['cause.told', 'effect.told']);
    },
  );

  test('has causes before effects under load, with transactions that end late and takes in between', async () => {
    const before = await end();
    const sequencer = createSequencer(store.db, 5);
    const counts = Array.from({ length: 4 }, () => newId());
    await store.owner.query('create table if not exists counted (id uuid primary key, n int not null)');
    await store.owner.query('grant all on counted to public');
    for (const id of counts) await store.owner.query('insert into counted values ($1::uuid, 0)', [id]);
    const writing = new AbortController();
    const writer = async (seed: number): Promise<void> => {
      for (let n = 0; n < 25; n += 1) {
        const id = counts[(seed + n) % counts.length] ?? '';
        await store.db.transaction(async (tx) => {
          const [row] = await tx.query('update counted set n = n + 1 where id = $1::uuid returning n', [id]);
          await appendEvents(tx, [{ ...fact('count.raised'), resourceId: id, data: { n: Number(row?.['n']) } }]);
          await tx.query(`select pg_sleep(${((seed * n) % 4) / 1_000})`);
        });
      }
    };
    const ordering = (async () => {
      while (!writing.signal.aborted) await sequencer.order();
    })();
    await Promise.all(Array.from({ length: 6 }, (_, seed) => writer(seed)));
    writing.abort();
    await ordering;
    await orderAll(store.db);
    const events = await findEvents(
      store.db,
      store.tenant.id,
      { type: 'count.raised' },
      { after: before, limit: 1_000 },
    );
    expect(events).toHaveLength(150);
    for (const id of counts) {
      const seen = events.filter(({ resourceId }) => resourceId === id).map(({ data }) => data['n']);
      expect(seen).toEqual(seen.map((_, index) => index + 1));
    }
  });

  test('starts cold where the order was moved by another process, and after an error', async () => {
    const before = await end();
    const [one, other] = [createSequencer(store.db), createSequencer(store.db)];
    await tell('told.a');
    await one.order();
    const commit = await tellSlowly('told.slow');
    await one.order();
    await commit();
    await tell('told.b');
    await other.order();
    await tell('told.c');
    await one.order();
    expect((await placedAfter(before)).map(([, type]) => type).toSorted()).toEqual([
      'told.a',
      'told.b',
      'told.c',
      'told.slow',
    ]);
  });

  test('that cannot be written for a moment loses nothing', async () => {
    const pool = store.pool({ maxConnections: 1 });
    const sequencer = createSequencer(pool);
    await sequencer.order();
    const before = await end();
    await tell('told.a', 'told.b');
    await pool.query('set default_transaction_read_only = on');
    await expect(sequencer.order()).rejects.toThrow('read-only');
    await pool.query('set default_transaction_read_only = off');
    expect(await sequencer.order()).toMatchObject({ blocks: 1, events: 2 });
    expect((await placedAfter(before)).map(([, type]) => type)).toEqual(['told.a', 'told.b']);
  });

  test('continues only its own chain: a process forgets links that were lost and replaced', async () => {
    const one = createSequencer(store.db);
    await tell('told.a');
    await one.order();
    await tell('told.b');
    await one.order();
    // The last commits are lost in place, and another process orders as many.
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       create temp table lost on commit drop as select block_id from usance.event_blocks order by first_position desc limit 1;
       delete from usance.events where usance.block_of(id) in (select block_id from lost);
       delete from usance.event_blocks where block_id in (select block_id from lost); commit`,
    );
    await tell('told.c');
    await orderEvents(store.db);
    await tell('told.d');
    await one.order();
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('misses nothing after a crash, when the numbers of lost transactions come again', async () => {
    const before = await end();
    /** What the first take sees has 50 transactions that are lost then. */
    let lost = 50n;
    const crashed = overTransactions(store.db, (rows) =>
      rows.map((row) => {
        if (typeof row['snapshot'] !== 'string' || lost === 0n) return row;
        const [xmin, xmax = '', rest = ''] = row['snapshot'].split(':');
        const snapshot = `${xmin}:${BigInt(xmax) + lost}:${rest}`;
        lost = 0n;
        return { ...row, snapshot };
      }),
    );
    const sequencer = createSequencer(crashed);
    await sequencer.order();
    await tell('told.a');
    await sequencer.order();
    expect(await placedAfter(before)).toEqual([[1, 'told.a']]);
  });

  test('costs what is new beside an old snapshot, however many rows have left the inbox', async () => {
    const report = new pg.Client({ connectionString: store.ownerUrl });
    await report.connect();
    onTestFinished(() => report.end());
    await report.query('begin isolation level repeatable read; select count(*) from usance.event_inbox');
    const sequencer = createSequencer(store.db);
    const buffersOfTake = async (): Promise<number> => {
      await tell('told.a');
      const { sql, values } = takeStatement(await snapshotBefore());
      const [row] = await store.owner.query(`explain (analyze, buffers, format json) ${sql}`, values);
      await sequencer.order();
      return buffersOf(row);
    };
    let snapshot = '0:0:';
    const snapshotBefore = async (): Promise<string> => snapshot;
    const remember = async (): Promise<void> => {
      snapshot = String((await store.owner.query('select pg_current_snapshot()::text as s'))[0]?.['s']);
    };
    await sequencer.order();
    await remember();
    const few = await buffersOfTake();
    for (let n = 0; n < 5; n += 1) {
      await store.owner.query(
        `insert into usance.event_inbox (tenant_ids, block_ids, counts, digests, recorded_at)
         select array[$1::uuid], array[usance.block_of(gen_random_uuid())], '{1}', decode(repeat('00', 32), 'hex'), now() from generate_series(1, 4000)`,
        [store.tenant.id],
      );
      await store.owner.query('delete from usance.event_inbox');
    }
    await remember();
    const many = await buffersOfTake();
    expect(many).toBeLessThanOrEqual(few + 40);
  });

  // Leaves an order that is not whole.
  test('goes on in a new partition, with a sequencer that is new each time', async () => {
    await tell('told.a');
    await orderEvents(store.db);
    const size = 2 ** 27;
    const moveEnd = (position: number): Promise<unknown> =>
      store.owner.query(
        `begin; set local session_replication_role = replica;
         update usance.event_blocks set first_position = ${position}
         where first_position = (select max(first_position) from usance.event_blocks); commit`,
      );
    const [made] = await store.owner.query(
      `select count(*)::int as count from pg_inherits where inhparent = 'usance.event_blocks'::regclass`,
    );
    const count = Number(made?.['count']);
    await moveEnd(count * size - 1);
    await tell('told.b');
    expect(await orderEvents(store.db)).toMatchObject({ blocks: 1 });
    // The loop makes them, too, for whatever the sequencers do.
    await moveEnd((count + 3) * size - 1);
    await ensurePartitions(store.db);
    const [ahead] = await store.owner.query(
      `select to_regclass('usance.event_blocks_${count + 3}') is not null as made`,
    );
    expect(ahead).toEqual({ made: true });
  });
});

/** A database whose transactions read something else. */
function overTransactions(db: Database, seen: (rows: Row[]) => Row[]): Database {
  const over = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      get: (target, name) =>
        name === 'query'
          ? async (text: string, values?: readonly Value[]) => seen(await target.query(text, values))
          : (Reflect.get(target, name, target) as unknown),
    });
  return new Proxy(db, {
    get: (target, name) =>
      name === 'transaction'
        ? (work: (tx: Transaction) => Promise<unknown>, options?: TransactionOptions) =>
            target.transaction((tx) => work(over(tx)), options)
        : (Reflect.get(target, name, target) as unknown),
  });
}

/** The rows that a take looks for, as takeInbox selects them. */
function takeStatement(snapshot: string): { sql: string; values: (string | string[])[] } {
  const [, xmax = '0', inProgress = ''] = snapshot.split(':');
  return {
    sql: 'select ctid from usance.event_inbox where xid >= $1::xid8 or xid = any ($2::xid8[]) order by n limit 2000',
    values: [xmax, inProgress === '' ? [] : inProgress.split(',')],
  };
}

function buffersOf(row: Record<string, unknown> | undefined): number {
  const shown = row?.['QUERY PLAN'];
  const plans = (typeof shown === 'string' ? JSON.parse(shown) : shown) as { Plan: Record<string, number> }[];
  const plan = plans[0]?.Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}
