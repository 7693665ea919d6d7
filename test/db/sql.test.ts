// The sql port: what a hook sees, what a failure leaves behind.
import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/index.ts';
import { asDate, only, quoteIdentifier, schemaRewriter, sqlState, violatedConstraint } from '../../src/db/index.ts';
import { useDatabase } from '../support/database.ts';

describe('an SQLSTATE', () => {
  test('is read from a driver’s error, and never from an error of the socket', () => {
    const coded = (code: unknown): Error => Object.assign(new Error('x'), { code });
    expect(sqlState(coded('40P01'))).toBe('40P01');
    expect(sqlState(coded('23505'))).toBe('23505');
    for (const other of ['EPIPE', 'ECONNRESET', 'EPERM', '', 7, undefined])
      expect(sqlState(coded(other))).toBeUndefined();
    expect(sqlState('40P01')).toBeUndefined();
    expect(violatedConstraint(Object.assign(new Error('x'), { constraint: 'a_key' }))).toBe('a_key');
    expect(violatedConstraint(Object.assign(new Error('x'), { constraint_name: 'a_key' }))).toBe('a_key');
    expect(violatedConstraint(new Error('x'))).toBeUndefined();
  });
});

describe('the schema’s name', () => {
  test('is written into statements, and only where a table is named', () => {
    const rewrite = schemaRewriter('other');
    expect(rewrite('select * from usance.balances b, usance.accounts')).toBe(
      'select * from "other".balances b, "other".accounts',
    );
    expect(rewrite('select not_usance.x, usance_docs.y')).toBe('select not_usance.x, usance_docs.y');
    expect(schemaRewriter('usance')('select usance.x')).toBe('select usance.x');
    expect(quoteIdentifier('a"b')).toBe('"a""b"');
  });
});

describe('a transaction', () => {
  const store = useDatabase();
  const table = async (): Promise<void> => {
    await store.owner.query('create table if not exists public.kept (n int primary key)');
    await store.owner.query('grant all on public.kept to public');
    await store.owner.query('truncate public.kept');
  };
  const kept = async (): Promise<unknown[]> =>
    (await store.owner.query('select n from public.kept order by n')).map((row) => row['n']);

  test('shows every statement to the hook, its beginning and end too', async () => {
    await table();
    const seen: string[] = [];
    const db = store.pool({ onStatement: (text) => void seen.push(text) });
    await db.transaction(async (tx) => {
      await tx.query('select 1');
      await tx.savepoint((inner) => inner.query('select 2'));
    });
    expect(seen.splice(0)).toEqual([
      expect.stringMatching(
        /^begin isolation level read committed; set local idle_in_transaction_session_timeout = 10000; select .* as now$/,
      ),
      'select 1',
      'savepoint usance_1',
      'select 2',
      'release savepoint usance_1',
      'commit',
    ]);
    await db.transaction((tx) => tx.query('select 1'), { lockTimeoutMs: 250.4 });
    expect(seen.splice(0)[0]).toMatch(/^begin .*; .*set local lock_timeout = 250/);
    await db.transaction((tx) => tx.query('select 1'), { snapshot: true });
    expect(seen.splice(0)[0]).toMatch(/^begin isolation level repeatable read read only/);
    await expect(db.transaction((tx) => tx.query('select no_such_thing'))).rejects.toThrow('no_such_thing');
    expect(seen.splice(0)).toEqual([expect.stringMatching(/^begin/), 'select no_such_thing', 'rollback']);
    await db.query('select 3');
    expect(seen).toEqual(['select 3']);
  });

  test('knows when it began', async () => {
    const instant = `select date_trunc('milliseconds', clock_timestamp()) as now`;
    const before = asDate(only(await store.db.query(instant))['now']);
    const begunAt = await store.db.transaction((tx) => Promise.resolve(tx.begunAt));
    const after = asDate(only(await store.db.query(instant))['now']);
    expect(begunAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(begunAt?.getTime()).toBeLessThanOrEqual(after.getTime());
  });

  test('sends what does not need an answer in between at once and in order', async () => {
    await table();
    const sent: string[] = [];
    const db = store.pool({ onStatement: (text) => void sent.push(text) });
    const answers = await db.transaction((tx) => {
      const all = tx.together([
        async () => (await tx.query('insert into public.kept values (1) returning n'))[0]?.['n'],
        () => tx.query('select pg_sleep(0.05)'),
        async () => (await tx.query('select count(*)::int as n from public.kept'))[0]?.['n'],
      ]);
      expect(sent).toHaveLength(4);
      return all;
    });
    expect(answers).toEqual([1, [{ pg_sleep: '' }], 1]);
  });

  test('of several statements sent at once fails with what the first that failed says', async () => {
    await table();
    const together = (tx: Transaction): Promise<unknown> =>
      tx.together([
        () => tx.query('insert into public.kept values (1)'),
        async () => {
          const wrong = await tx.query('select 1 / 0');
          return wrong;
        },
        () => tx.query('insert into public.kept values (2)'),
      ]);
    await expect(store.db.transaction(together)).rejects.toMatchObject({ code: '22012' });
    await store.db.transaction(async (tx) => {
      await expect(tx.savepoint(together)).rejects.toMatchObject({ code: '22012' });
      await tx.query('insert into public.kept values (3)');
    });
    expect(await store.owner.query('select n from public.kept')).toEqual([{ n: 3 }]);
  });

  describe('names the statement that failed first', () => {
    const late = async (tx: Transaction): Promise<void> => {
      await tx.query('select 1');
      // Sent after the one that fails, and refused for its sake.
      await tx.query('select 2');
    };
    const fails = (tx: Transaction): Promise<unknown> => tx.query('select 1 / 0');
    test.each<[string, (tx: Transaction) => Promise<unknown>]>([
      ['a step before it', (tx) => tx.together([() => late(tx), () => fails(tx)])],
      [
        'a nested step',
        (tx) => tx.together([() => tx.together([() => late(tx)]), () => tx.together([() => fails(tx)])]),
      ],
      ['steps that nest differently', (tx) => Promise.all([tx.together([() => late(tx)]), late(tx), fails(tx)])],
      [
        'a statement after the error was caught',
        async (tx) => {
          await fails(tx).catch(() => undefined);
          await tx.query('select 3');
        },
      ],
    ])('also when %s is refused for its sake', async (_name, work) => {
      await expect(store.db.transaction(work)).rejects.toMatchObject({ code: '22012' });
      await store.db.transaction(async (tx) => {
        await expect(tx.savepoint(work)).rejects.toMatchObject({ code: '22012' });
        // A failure that was undone is no cause of what fails later.
        await expect(tx.savepoint((inner) => inner.query('select no_such_thing'))).rejects.toMatchObject({
          code: '42703',
        });
      });
    });

    test('so that a deadlock among statements sent ahead is tried again', async () => {
      let tries = 0;
      await store.db.transaction(async (tx) => {
        tries += 1;
        const deadlock = `do $$ begin raise exception 'as if' using errcode = '40P01'; end $$`;
        if (tries < 3) await tx.together([() => late(tx), () => tx.query(deadlock)]);
      });
      expect(tries).toBe(3);
    });
  });

  test('stays usable after a savepoint inside it failed, however deep', async () => {
    await table();
    await store.db.transaction(async (tx) => {
      await tx.query('insert into public.kept values (1)');
      const failed = tx.savepoint(async (inner) => {
        await inner.query('insert into public.kept values (2)');
        await inner.savepoint((deeper) => deeper.query('insert into public.kept values (3)'));
        await expect(inner.savepoint((deeper) => deeper.query('insert into public.kept values (1)'))).rejects.toThrow(
          'duplicate',
        );
        await inner.query('insert into public.kept values (4)');
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await tx.savepoint((inner) => inner.query('insert into public.kept values (5)'));
    });
    expect(await kept()).toEqual([1, 5]);
  });

  test('that fails leaves nothing, and its connection serves the next', async () => {
    await table();
    const db = store.pool({ maxConnections: 1 });
    const pid = async (): Promise<unknown> => (await db.query('select pg_backend_pid() as pid'))[0]?.['pid'];
    const before = await pid();
    const failing = db.transaction(async (tx) => {
      await tx.query('insert into public.kept values (1)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await kept()).toEqual([]);
    expect(await pid()).toBe(before);
  });

  test.each(['rollback', 'commit'])(
    'stopped at its %s is never carried on by the next borrower of the connection',
    async (at) => {
      await table();
      let stopping = true;
      const db = store.pool({
        maxConnections: 1,
        onStatement: (text) => {
          if (stopping && text === at) throw new Error('stopped');
        },
      });
      const stopped = db.transaction(async (tx) => {
        await tx.query('insert into public.kept values (1)');
        if (at === 'rollback') throw new Error('stopped');
      });
      await expect(stopped).rejects.toThrow(/stopped|unknown/);
      stopping = false;
      await db.transaction((tx) => tx.query('insert into public.kept values (2)'));
      expect(await kept()).toEqual([2]);
    },
  );

  test.each(['rolled back', 'committed'])('takes no statement once it was %s', async (end) => {
    await table();
    const db = store.pool({ maxConnections: 1 });
    const late = Promise.withResolvers<Transaction>();
    const done = db.transaction(async (tx) => {
      late.resolve(tx);
      await tx.query('insert into public.kept values (1)');
      if (end === 'rolled back') throw new Error('no');
    });
    const tx = await late.promise;
    await done.catch(() => undefined);
    await expect(tx.query('insert into public.kept values (2)')).rejects.toThrow('the transaction has ended');
    expect(await kept()).toEqual(end === 'rolled back' ? [] : [1]);
  });

  test('gives up a lock after the time it was given, and not before its holder is asked', async () => {
    await table();
    await store.owner.query('insert into public.kept values (1)');
    await store.owner.transaction(async (holder) => {
      await holder.query('select n from public.kept for update');
      const waiting = store.db.transaction((tx) => tx.query('select n from public.kept for update'), {
        lockTimeoutMs: 20,
      });
      await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    });
    // The setting ended with its transaction.
    const [row] = await store.db.query('show lock_timeout');
    expect(row).toEqual({ lock_timeout: '0' });
  });

  test('that is one snapshot sees nothing that happens meanwhile, and writes nothing', async () => {
    await table();
    await store.db.transaction(
      async (tx) => {
        const count = async (): Promise<unknown> =>
          (await tx.query('select count(*)::int as n from public.kept'))[0]?.['n'];
        expect(await count()).toBe(0);
        await store.owner.query('insert into public.kept values (1)');
        expect(await count()).toBe(0);
        await expect(tx.savepoint((inner) => inner.query('insert into public.kept values (2)'))).rejects.toMatchObject({
          code: '25006',
        });
      },
      { snapshot: true },
    );
  });
});
