// What the store does when the server or the wire fails under it.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Transaction } from '../../src/db/index.ts';
import { CommitUnknown, createPool } from '../../src/db/index.ts';
import { closedPort } from '../support/closed-port.ts';
import { useDatabase } from '../support/database.ts';
import { barrier } from '../support/gate.ts';
import type { Proxy } from '../support/proxy.ts';
import { startProxy } from '../support/proxy.ts';
import { endSessions } from '../support/sessions.ts';

describe('a lost connection', () => {
  const store = useDatabase();
  const table = async (): Promise<void> => {
    await store.owner.query('create table if not exists public.kept (n int primary key)');
    await store.owner.query('grant all on public.kept to public');
    await store.owner.query('truncate public.kept');
  };
  const kept = async (): Promise<unknown[]> =>
    (await store.owner.query('select n from public.kept order by n')).map((row) => row['n']);
  const throughProxy = async (): Promise<{ proxy: Proxy; db: Database }> => {
    const proxy = await startProxy(store.runtimeUrl);
    const db = createPool({ url: proxy.url, maxConnections: 2 });
    onTestFinished(async () => {
      await db.close();
      await proxy.close();
    });
    return { proxy, db };
  };
  const insert = (n: number) => (tx: Transaction) => tx.query('insert into public.kept values ($1::int)', [n]);

  test('after COMMIT was sent means unknown: here it was carried out', async () => {
    await table();
    const { proxy, db } = await throughProxy();
    await db.transaction(insert(1));
    const cut = proxy.cutAtCommit('after');
    await expect(db.transaction(insert(2))).rejects.toBeInstanceOf(CommitUnknown);
    await cut;
    expect(await kept()).toEqual([1, 2]);
    await db.transaction(insert(3));
    expect(await kept()).toEqual([1, 2, 3]);
  });

  test('after COMMIT was sent means unknown: here it never arrived', async () => {
    await table();
    const { proxy, db } = await throughProxy();
    const cut = proxy.cutAtCommit('before');
    await expect(db.transaction(insert(2))).rejects.toBeInstanceOf(CommitUnknown);
    await cut;
    await db.transaction(insert(3));
    expect(await kept()).toEqual([3]);
  });

  test('in the middle of a transaction is an ordinary error: nothing was written', async () => {
    await table();
    const { proxy, db } = await throughProxy();
    const cut = db.transaction(async (tx) => {
      await insert(1)(tx);
      proxy.cutAll();
      await insert(2)(tx);
    });
    await expect(cut).rejects.not.toBeInstanceOf(CommitUnknown);
    await db.transaction(insert(3));
    expect(await kept()).toEqual([3]);
  });

  test('while idle is replaced without anybody noticing', async () => {
    const lost = Promise.withResolvers<Error>();
    const db = createPool({ url: store.runtimeUrl, maxConnections: 1, onConnectionLost: lost.resolve });
    onTestFinished(() => db.close());
    const pid = async (): Promise<unknown> => (await db.query('select pg_backend_pid() as pid'))[0]?.['pid'];
    const first = await pid();
    await store.owner.query('select pg_terminate_backend($1::int)', [Number(first)]);
    expect((await lost.promise).message).toContain('terminating connection');
    expect(await pid()).not.toBe(first);
  });

  test('of a backend killed at work fails that work alone', async () => {
    await table();
    const db = createPool({ url: store.runtimeUrl, maxConnections: 3 });
    onTestFinished(() => db.close());
    const killed = db.transaction(async (tx) => {
      await insert(1)(tx);
      const [row] = await tx.query('select pg_backend_pid() as pid');
      await store.owner.query('select pg_terminate_backend($1::int)', [Number(row?.['pid'])]);
      await insert(2)(tx);
    });
    const others = Promise.all([3, 4, 5].map((n) => db.transaction(insert(n))));
    await expect(killed).rejects.toThrow(/terminat|ECONNRESET|EPIPE/);
    await others;
    await db.transaction(insert(6));
    expect(await kept()).toEqual([3, 4, 5, 6]);
  });

  test('between two statements is reported with its reason', async () => {
    await table();
    const db = createPool({ url: store.runtimeUrl, maxConnections: 1 });
    onTestFinished(() => db.close());
    const killed = db.transaction(async (tx) => {
      const [row] = await tx.query('select pg_backend_pid() as pid');
      await endSessions(store.owner, [Number(row?.['pid'])]);
      // The driver hears of it before it hears of anything that is asked now.
      await store.owner.query('select 1');
      await insert(1)(tx);
    });
    await expect(killed).rejects.toMatchObject({ code: '57P01' });
    await db.transaction(insert(2));
    expect(await kept()).toEqual([2]);
  });

  test('of a commit whose backend was killed first is not taken for a commit', async () => {
    await table();
    const db = createPool({ url: store.runtimeUrl, maxConnections: 1 });
    onTestFinished(() => db.close());
    const killed = db.transaction(async (tx) => {
      await insert(1)(tx);
      const [row] = await tx.query('select pg_backend_pid() as pid');
      await store.owner.query('select pg_terminate_backend($1::int)', [Number(row?.['pid'])]);
    });
    await expect(killed).rejects.toBeInstanceOf(CommitUnknown);
    expect(await kept()).toEqual([]);
  });

  test('a COMMIT that the server refused is no unknown', async () => {
    await store.owner.query(
      'create table public.late (n int, constraint late_once unique (n) deferrable initially deferred)',
    );
    await store.owner.query('grant all on public.late to public');
    const refused = store.db.transaction((tx) => tx.query('insert into public.late values (1), (1)'));
    await expect(refused).rejects.toMatchObject({ code: '23505', constraint: 'late_once' });
  });

  test('two that wait for each other are told apart by trying again', async () => {
    await table();
    await store.owner.query('insert into public.kept values (1), (2)');
    const both = barrier(2);
    let tries = 0;
    const lockBoth = (first: number, second: number): Promise<unknown> =>
      store.db.transaction(async (tx) => {
        tries += 1;
        await tx.query('update public.kept set n = n where n = $1::int', [first]);
        await both();
        await tx.query('update public.kept set n = n where n = $1::int', [second]);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    expect(tries).toBe(3);
  });

  test('a conflict that never ends is given up after a bounded number of tries', async () => {
    let tries = 0;
    const hopeless = store.db.transaction(async (tx) => {
      tries += 1;
      await tx.query(`do $$ begin raise exception 'again' using errcode = 'serialization_failure'; end $$`);
    });
    await expect(hopeless).rejects.toMatchObject({ code: '40001' });
    expect(tries).toBe(5);
  });

  test('a server that is not there is an error, not a wait', async () => {
    const url = Object.assign(new URL(store.runtimeUrl), { port: await closedPort() }).href;
    const db = createPool({ url, connectTimeoutMs: 20_000 });
    await expect(db.transaction(insert(1))).rejects.toThrow('ECONNREFUSED');
    await db.close();
  });
});
