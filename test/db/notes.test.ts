// What a transaction did is told once it has committed: counters are of what happened, not of what was tried.
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ForeignTransaction, Notes, Transaction } from '../../src/db/index.ts';
import { adoptTransaction, createPool } from '../../src/db/index.ts';
import { useDatabase } from '../support/database.ts';

const store = useDatabase();
const heard: [string, number][] = [];
const onNotes = (notes: Notes): void => void heard.push(...notes);
beforeEach(() => void heard.splice(0));

/** 1 outside, 10 in a savepoint that is kept, 100 in one that is undone, 1,000 in a kept one within the undone. */
const work = async (tx: Transaction): Promise<void> => {
  tx.note('done', 1);
  await tx.savepoint(async (inner) => inner.note('done', 10));
  const undone = tx.savepoint(async (inner) => {
    inner.note('done', 100);
    await inner.savepoint(async (innermost) => innermost.note('done', 1_000));
    throw new Error('undone');
  });
  await undone.catch(() => undefined);
};

describe('a transaction of ours', () => {
  test('is told of after its commit, without what a savepoint undid', async () => {
    const db = createPool({
      url: store.runtimeUrl,
      onNotes,
      onStatement: (text) => {
        if (text === 'commit') expect(heard).toEqual([]);
      },
    });
    await db.transaction(work);
    expect(heard).toEqual([['done', 11]]);
    await db.close();
  });

  test('that is rolled back is not told of', async () => {
    const db = createPool({ url: store.runtimeUrl, onNotes });
    const failing = db.transaction(async (tx) => {
      await work(tx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(heard).toEqual([]);
    await db.close();
  });

  test('whose commit is refused is not told of', async () => {
    const db = createPool({ url: store.ownerUrl, onNotes });
    const refused = db.transaction(async (tx) => {
      await tx.query('create temporary table a (id int primary key deferrable initially deferred) on commit drop');
      await tx.query('insert into a values (1), (1)');
      tx.note('done', 1);
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    expect(heard).toEqual([]);
    await db.close();
  });

  test('that was tried again is told of once', async () => {
    const db = createPool({ url: store.runtimeUrl, onNotes });
    let tries = 0;
    await db.transaction(async (tx) => {
      tx.note('done', 1);
      tries += 1;
      if (tries < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    });
    expect({ tries, heard }).toEqual({ tries: 3, heard: [['done', 1]] });
    await db.close();
  });
});

describe('a caller’s own transaction', () => {
  const client = new pg.Client(store.runtimeUrl);
  const sql = postgres(store.runtimeUrl, { max: 1 });
  afterAll(async () => {
    await client.end();
    await sql.end();
  });
  const within = async (foreign: ForeignTransaction): Promise<void> => {
    const tx = adoptTransaction(foreign, { onNotes });
    await tx.savepoint(work);
    await tx.savepoint(() => Promise.reject(new Error('refused'))).catch(() => undefined);
    await tx.savepoint(async (inner) => inner.note('again', 1));
  };

  test('is told of verb by verb, over pg', async () => {
    await client.connect();
    await client.query('begin');
    await within(client);
    await client.query('commit');
    expect(heard).toEqual([
      ['done', 11],
      ['again', 1],
    ]);
  });

  test('is told of verb by verb, over postgres.js', async () => {
    await sql.begin((inside) => within(inside as unknown as ForeignTransaction));
    expect(heard).toEqual([
      ['done', 11],
      ['again', 1],
    ]);
  });
});

test('connections are counted', async () => {
  const db = createPool({ url: store.runtimeUrl, maxConnections: 1 });
  expect(db.connections()).toEqual({ most: 1, inUse: 0, idle: 0, waiting: 0 });
  const waiting = await db.transaction(async () => {
    const asked = db.query('select 1');
    await expect.poll(() => db.connections()).toEqual({ most: 1, inUse: 1, idle: 0, waiting: 1 });
    return { asked };
  });
  await waiting.asked;
  expect(db.connections()).toEqual({ most: 1, inUse: 0, idle: 1, waiting: 0 });
  await db.close();
});
