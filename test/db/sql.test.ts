// The sql port: what goes in as values, what a hook sees, what a failure leaves behind.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Transaction, Value } from '../../src/db/index.ts';
import {
  asDate,
  condense,
  encode,
  only,
  quoteIdentifier,
  schemaRewriter,
  sqlState,
  violatedConstraint,
} from '../../src/db/index.ts';
import { useDatabase } from '../support/database.ts';

const AWKWARD = [
  null,
  'NULL',
  'null',
  '',
  ' ',
  ' padded ',
  'a,b',
  '{braces}',
  'a"quote',
  "it's",
  'back\\slash',
  '\\"',
  'line\nbreak',
  'tab\t',
  'ünïcödé 💶 東京',
  '-5',
  '$1',
  '%',
];

describe('values', () => {
  const store = useDatabase();
  const back = async (cast: string, value: Value): Promise<unknown> =>
    (await store.db.query(`select $1::${cast} as value`, [value]))[0]?.['value'];

  test('an array of any texts arrives as it left', async () => {
    expect(await back('text[]', AWKWARD)).toEqual(AWKWARD);
  });

  test('any text at all arrives as it left, alone and in arrays', async () => {
    const text = fc
      .string({ unit: 'binary' })
      .filter((candidate) => !candidate.includes('\0') && candidate.isWellFormed());
    const texts = fc.array(fc.option(text), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, texts, async (one, many) => {
        const [row] = await store.db.query('select $1::text as one, $2::text[] as many', [one, many]);
        expect(row).toEqual({ one, many });
      }),
    );
  });

  test('numbers, bigints, booleans, instants and ids keep their value in arrays too', async () => {
    const instant = new Date('2026-02-28T23:59:59.999Z');
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const extremes = [-(2n ** 63n), 0n, 2n ** 63n - 1n];
    expect(await back('bigint[]', extremes)).toEqual(extremes.map(String));
    expect(await back('int[]', [1, -1, null])).toEqual([1, -1, null]);
    expect(await back('boolean[]', [true, false, null])).toEqual([true, false, null]);
    expect(await back('timestamptz[]', [instant, null])).toEqual([instant, null]);
    expect(await back('uuid[]', [id])).toEqual([id]);
    expect(await back('text[]', [])).toEqual([]);
    expect(await back('jsonb[]', ['{"a":"\\"\\\\ü"}', null])).toEqual([{ a: '"\\ü' }, null]);
    expect(asDate(await back('timestamptz', instant))).toEqual(instant);
    expect(await back('boolean', false)).toBe(false);
    expect(await back('text', null)).toBeNull();
  });

  test('an instant is read whatever zone the session writes it in, milliseconds cut', () => {
    const written = ['2026-02-28 23:59:59.999999+00', '2026-03-01 05:29:59.999+05:30', '2026-02-28 15:59:59.9999-08'];
    for (const text of written) expect(asDate(text).toISOString()).toBe('2026-02-28T23:59:59.999Z');
    expect(asDate('2026-02-28 23:59:59+00').toISOString()).toBe('2026-02-28T23:59:59.000Z');
    expect(() => asDate('infinity')).toThrow('an instant');
  });

  test('travel as text', () => {
    expect(encode(5n)).toBe('5');
    expect(encode([1, null, 'a b', 'NULL'])).toBe('{1,NULL,"a b","NULL"}');
    expect([encode([]), encode([7]), encode(['x', 'x', 'y'])]).toEqual(['{}', '{7}', '{x,x,y}']);
  });
});

describe('a value that a whole batch shares', () => {
  const store = useDatabase();
  const many = <T>(value: T): T[] => Array.from({ length: 20 }, () => value);

  test('travels once', () => {
    const statement = 'select $1::uuid[], $2::text[] is null, unnest($2::text[]), $3::int';
    expect(condense(statement, [many('a'), many('b'), 7])).toEqual({
      text: 'select array_fill($1::uuid, array[20]), array_fill($2::text, array[20]) is null, unnest(array_fill($2::text, array[20])), $3::int',
      values: ['a', 'b', 7],
    });
  });

  test('is not taken for one that some of it share, nor are a few or none', () => {
    const asItIs = {
      text: 'select $1::int[], $2::int[], $3::int[], $4::text',
      values: [[...many(1), 2], [1, 1], [], 'x'],
    };
    expect(condense(asItIs.text, asItIs.values)).toEqual(asItIs);
  });

  test.each([
    ['text', 'a"b, \\ {NULL}'],
    ['text', ''],
    ['text', null],
    ['bigint', 9_223_372_036_854_775_807n],
    ['boolean', false],
    ['timestamptz', new Date('2026-02-28T23:59:59.999Z')],
    ['jsonb', '{"a": [1, "x"]}'],
    ['uuid', '01a1e04b-ced9-7000-89a0-643fd3df9701'],
  ])('arrives as it was: %s %s', async (type, value) => {
    const texts = `select array_agg(v::text) as v, count(*)::int as n from unnest($1::${type}[]) v`;
    const [shared] = await store.owner.query(texts, [many(value)]);
    const [alone] = await store.owner.query(`select $1::${type}::text as v`, [value]);
    expect(shared).toEqual({ v: many(alone?.['v']), n: 20 });
  });
});

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
      expect.stringMatching(/^begin; set local idle_in_transaction_session_timeout = 10000; select .* as now$/),
      'select 1',
      'savepoint usance_1',
      'select 2',
      'release savepoint usance_1',
      'commit',
    ]);
    await db.transaction((tx) => tx.query('select 1'), { lockTimeoutMs: 250.4 });
    expect(seen.splice(0)[0]).toMatch(/^begin; .*set local lock_timeout = 250/);
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
