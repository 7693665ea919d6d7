// Calls that a caller sends at once on one transaction of its own. They run one after the other in the order of the calls,
// with the caller's statements in between, so a refusal undoes its own verb and nothing else.
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ForeignTransaction, Sql } from '../../src/db/index.ts';
import { adoptTransaction } from '../../src/db/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import type { Driver } from '../support/drivers.ts';
import { DRIVERS, Undo } from '../support/drivers.ts';
import { withinSuite } from './within-suite.ts';
import type { Ground } from './within-verbs.ts';
import { REFUSED, prepareGround } from './within-verbs.ts';

describe.each(DRIVERS)('on one transaction of $name', (driver) => {
  const store = useUsance();
  let caller: Awaited<ReturnType<Driver['open']>>;
  let ground: Ground;
  beforeAll(async () => {
    await store.owner.query('create table public.orders (n int primary key)');
    ground = await prepareGround(store.tenant, async () => {
      await store.usance.loops.find(({ name }) => name === 'processor')?.runOnce();
    });
    caller = await driver.open(store.ownerUrl);
  });
  afterAll(() => caller.close());

  const withdrawals = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      account: 'low',
      asset: 'USD',
      amount: 100,
      idempotencyKey: `${driver.name} ${n}`,
    }));

  test('twelve withdrawals of the whole balance at once: one is paid', async () => {
    await store.tenant.deposit({ account: 'low', asset: 'USD', amount: 100, idempotencyKey: 'low' });
    await caller.transaction(async (tx) => {
      const answers = await Promise.allSettled(
        withdrawals(12).map((order, n) =>
          // Half of them through a handle of their own.
          (n % 2 === 0 ? store.tenant : store.tenant.from({ ip: '::1', userAgent: null, requestId: null }))
            .within(tx)
            .withdraw(order),
        ),
      );
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
    expect(await store.tenant.balances('low')).toMatchObject([{ available: 0n, reserved: 0n }]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(Object.entries(REFUSED))(
    'a refused %s leaves the statements that were sent beside it',
    async (name, verb) => {
      const found = await rolledBack(caller, async (tx, run) => {
        const mine = store.tenant.within(tx);
        const sent = [run('insert into public.orders values (1)'), refused(verb(mine, ground, `${name} 1`))];
        // While the verb runs, at different moments of it.
        for (let n = 2; n < 12; n += 1) {
          sent.push(run(`insert into public.orders values (${n})`));
          await sqlIdle();
        }
        sent.push(refused(verb(mine, ground, `${name} 2`)), run('insert into public.orders values (12)'));
        await Promise.all(sent);
        return sqlOf(tx).query('select count(*)::int as orders from public.orders');
      });
      expect(found).toEqual([{ orders: 12 }]);
    },
  );

  test('a commit that did not wait for a verb comes after it', async () => {
    let verb: Promise<unknown> = Promise.resolve();
    await caller.transaction(async (tx) => {
      verb = store.tenant.within(tx).deposit({
        account: 'cem',
        asset: 'USD',
        amount: 7,
        idempotencyKey: 'not waited for',
      });
      // Only what is sent in the same moment counts: the driver's own commit comes next.
      await sqlIdle();
    });
    await verb;
    expect(await store.tenant.balances('cem')).toMatchObject([{ available: 7n }]);
  });
});

withinSuite('sample');

describe('the driver of the caller', () => {
  const store = useUsance();
  beforeAll(async () => {
    await store.owner.query('create table public.orders (n int primary key)');
    await store.tenant.openAccount({ ref: 'ann' });
  });
  const order = { account: 'ann', asset: 'USD', amount: 1_000_000, idempotencyKey: 'refused' };
  const orders = async (above: number): Promise<unknown> =>
    (await store.owner.query(`select array_agg(n order by n) as n from public.orders where n > ${above}`))[0]?.['n'];

  test('pg: every form of query waits for its turn, and the client is left as it was', async () => {
    const client = new pg.Client(store.ownerUrl);
    await client.connect();
    await client.query('begin');
    const called = Promise.withResolvers<unknown>();
    const submitted = Promise.withResolvers<unknown>();
    const verb = refused(store.tenant.within(client).withdraw(order));
    const insert = 'insert into public.orders values ($1)';
    const query = new pg.Query(insert, [4]);
    await sqlIdle();
    query.on('end', submitted.resolve);
    const sent = [
      client.query(insert, [1]),
      client.query({ text: insert, values: [2] }),
      called.promise,
      submitted.promise,
    ];
    client.query(insert, [3], (error, result) => (error ? called.reject(error) : called.resolve(result)));
    expect(client.query(query)).toBe(query);
    await Promise.all([verb, ...sent]);
    await client.query('commit');
    expect(await orders(0)).toEqual([1, 2, 3, 4]);
    expect(Object.hasOwn(client, 'query')).toBe(false);
    await client.end();
  });

  test('pg: a query that the driver throws at is thrown to the caller, and holds nothing back', async () => {
    const client = new pg.Client({ connectionString: store.runtimeUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    const verb = store.tenant.within(client).openAccount({ ref: newId() });
    const query = client.query.bind(client) as unknown as (text: undefined, done: () => void) => void;
    expect(() => query(undefined, () => undefined)).toThrow('null or undefined query');
    await verb;
    await client.query('rollback');
  });

  test('postgres.js: the outer transaction waits for a verb in a savepoint of it', async () => {
    const sql = postgres(store.ownerUrl, { max: 1, onnotice: () => undefined });
    await sql.begin(async (tx) => {
      await tx.savepoint(async (inner) => {
        const verb = refused(store.tenant.within(inner).withdraw(order));
        const sent = [tx`insert into public.orders values (${11})`, inner`insert into public.orders values (${12})`];
        const other = refused(store.tenant.within(tx).withdraw(order));
        const own = inner.savepoint((deep) => deep`insert into public.orders values (${13})`);
        await Promise.all([verb, ...sent, other, own, tx.unsafe('insert into public.orders values (14)')]);
      });
    });
    expect(await orders(10)).toEqual([11, 12, 13, 14]);
    await sql.end();
  });

  test('an object whose query cannot be held back is refused before anything is sent', async () => {
    const sent: string[] = [];
    const frozen = Object.freeze({
      query: (text: string) => {
        sent.push(text);
        return Promise.resolve({ rows: [] });
      },
    });
    await expect(store.tenant.within(frozen).withdraw(order)).rejects.toThrow('cannot be held back');
    expect(sent).toEqual([]);
  });
});

describe('under one idempotency key', () => {
  const store = useUsance();
  const request = (key: string) => ({ key, fingerprint: key });
  const take = (idempotencyKey: string) => ({ from: 'ann', to: 'ben', asset: 'USD', amount: 60, idempotencyKey });
  beforeAll(async () => {
    for (const ref of ['ann', 'ben', 'loose']) await store.tenant.openAccount({ ref });
    await store.tenant.deposit({ account: 'ann', asset: 'USD', amount: 150, idempotencyKey: 'seed' });
  });

  test('verbs at once run one after the other', async () => {
    await store.tenant.idempotently(request('two'), async (verbs) => {
      await Promise.all([verbs.transfer(take('1')), verbs.transfer(take('2'))]);
      return null;
    });
    expect(await store.tenant.balances('ann')).toMatchObject([{ available: 30n }]);
  });

  test('the whole is refused if one of several at once is, and nothing runs on afterwards', async () => {
    const [before] = await store.tenant.balances('ben');
    const more = store.tenant.idempotently(request('more'), async (verbs) => {
      await Promise.all([
        verbs.transfer({ ...take('3'), amount: 1_000 }),
        verbs.deposit({ account: 'ben', asset: 'USD', amount: 1, idempotencyKey: '4' }),
        verbs.openAccount({ ref: 'cem' }),
      ]);
      return null;
    });
    expect(await refused(more)).toBe('FUNDS_INSUFFICIENT');
    expect((await store.tenant.balances('ben'))[0]).toEqual(before);
    expect(await refused(store.tenant.account('cem'))).toBe('ACCOUNT_NOT_FOUND');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('a verb that the work does not wait for still belongs to it', async () => {
    await store.tenant.idempotently(request('loose'), async (verbs) => {
      void verbs.deposit({ account: 'loose', asset: 'USD', amount: 5, idempotencyKey: '5' });
      return Promise.resolve(null);
    });
    expect(await store.tenant.balances('loose')).toMatchObject([{ available: 5n }]);
  });
});

const sqlIdle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'failed'),
  );

function sqlOf(tx: ForeignTransaction): Sql {
  return adoptTransaction(tx);
}

async function rolledBack<T>(
  caller: Awaited<ReturnType<Driver['open']>>,
  work: (tx: ForeignTransaction, run: (text: string) => Promise<unknown>) => Promise<T>,
): Promise<T | undefined> {
  const found: { it?: T } = {};
  await caller.transaction(async (tx, run) => {
    found.it = await work(tx, run);
    throw new Undo();
  });
  return found.it;
}
