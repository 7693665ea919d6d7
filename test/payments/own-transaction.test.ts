// Payments inside a caller's own transaction, over both drivers that people use: they commit or vanish with whatever else
// is in it, a refusal leaves it usable, and one that is left open holds up nobody but its own payer.
import pg from 'pg';
import postgres from 'postgres';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TenantHandle, TenantVerbs } from '../../src/engine.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy } from '../support/digest.ts';
import { MINUTE, SECOND, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

interface Open {
  /** The tenant's verbs inside the transaction. */
  readonly tenant: TenantVerbs;
  run(text: string): Promise<unknown>;
}

/** Runs the work in a transaction of the driver's own; what it throws rolls back. */
type Driver = (url: string, tenant: TenantHandle, work: (open: Open) => Promise<void>) => Promise<void>;

const DRIVERS: Record<string, Driver> = {
  async pg(url, tenant, work) {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query('begin');
      await work({ tenant: tenant.within(client), run: (text) => client.query(text) });
      await client.query('commit');
    } finally {
      await client.end();
    }
  },
  async 'postgres.js'(url, tenant, work) {
    const sql = postgres(url, { onnotice: () => undefined });
    try {
      await sql.begin(async (tx) => {
        await work({ tenant: tenant.within(tx), run: (text) => tx.unsafe(text) });
      });
    } finally {
      await sql.end();
    }
  },
};

class ChangedMind extends Error {}

describe.each(Object.entries(DRIVERS))('in a transaction of %s', (name, driver) => {
  const store = useUsance();
  const begin = (work: (open: Open) => Promise<void>) => driver(store.runtimeUrl, store.tenant, work);
  const order = (amount: number) => ({ from: 'payer', to: 'payee', asset: 'USD', amount, idempotencyKey: key() });
  const orders = async () => (await store.owner.query('select id from public.orders order by id')).map(({ id }) => id);

  beforeAll(async () => {
    await store.owner.query('create table public.orders (id text primary key)');
    await store.owner.query('grant all on public.orders to public');
    await open(store.tenant, { payer: 100, payee: 0 });
  });

  test('an order and its payment commit together', async () => {
    await begin(async ({ tenant, run }) => {
      await run(`insert into public.orders values ('kept')`);
      await tenant.createPayment({ ...order(10), reference: 'kept' });
      expect(await held(store.tenant, 'payer')).toEqual([100n, 0n]);
    });
    expect(await orders()).toEqual(['kept']);
    expect(await store.tenant.payments({ reference: 'kept' })).toMatchObject([{ status: 'scheduled' }]);
    expect(await held(store.tenant, 'payer')).toEqual([90n, 10n]);
  });

  test('or vanish together', async () => {
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      const undone = begin(async ({ tenant, run }) => {
        await run(`insert into public.orders values ('gone')`);
        const { id } = await tenant.createPayment({ ...order(10), reference: 'gone' });
        await tenant.capturePayment(id, { amount: 5, idempotencyKey: key() });
        expect(await tenant.payment(id)).toMatchObject({ captured: 5n });
        throw new ChangedMind();
      });
      await expect(undone).rejects.toThrow(ChangedMind);
    });
    expect(changed).toEqual([]);
    expect(await orders()).toEqual(['kept']);
  });

  test('a refusal leaves the transaction usable', async () => {
    await begin(async ({ tenant, run }) => {
      expect(await refusalOf(tenant.createPayment(order(1_000)))).toBe('FUNDS_INSUFFICIENT');
      expect(await refusalOf(tenant.createPayment({ ...order(1), reference: 'kept' }))).toBe('REFERENCE_EXISTS');
      expect(await refusalOf(tenant.cancelPayment('nonsense'))).toBe('PAYMENT_NOT_FOUND');
      expect(await refusalOf(tenant.createPayment({ ...order(1), to: 'nul \0' }))).toBe('ACCOUNT_NOT_FOUND');
      await run(`insert into public.orders values ('mended')`);
      await tenant.createPayment({ ...order(20), reference: 'mended' });
    });
    expect(await orders()).toEqual(['kept', 'mended']);
    expect(await held(store.tenant, 'payer')).toEqual([70n, 30n]);
  });

  test('every verb works', async () => {
    let id = '';
    await begin(async ({ tenant }) => {
      ({ id } = await tenant.createPayment({ ...order(20), delay: '1h' }));
      await tenant.editPayment(id, { amount: 30, metadata: { a: 1 } });
      await tenant.extendPayment(id, new Date(Date.now() + 2 * 60 * MINUTE));
      await tenant.capturePayment(id, { amount: 10, idempotencyKey: key() });
      await tenant.failPayment(id, 'no');
      await tenant.retryPayment(id);
      await tenant.runPaymentNow(id);
      await tenant.cancelPayment(id);
      await tenant.refundPayment(id, { amount: 4, idempotencyKey: key() });
      await tenant.createPayments([{ ...order(1) }, { ...order(1_000) }], { idempotencyKey: key() });
    });
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 10n, refunded: 4n });
  });

  test('is not seen by a processor before it commits', async () => {
    const { drain } = testProcessor(store.db);
    await drain();
    await begin(async ({ tenant }) => {
      await tenant.createPayment({ ...order(5), reference: `unseen by ${name}` });
      expect(await drain()).toMatchObject({ claimed: 0 });
    });
    expect(await drain()).toMatchObject({ settled: 1 });
  });

  // Each waits for a lock to time out, so one driver has to do: who holds a row does not matter to who waits for it.
  describe.runIf(name === 'pg')('that is left open', () => {
    const pay = (from: string, to: string, amount = 10, fields: object = {}) =>
      store.tenant.createPayment({ from, to, asset: 'USD', amount, ...fields, idempotencyKey: key() });
    const states = (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await store.tenant.payment(id)).status));

    test.each(['reserve', 'at_execution'] as const)("holds up its payer's %s payment alone", async (funding) => {
      const [x, y, z] = [`x-${funding}`, `y-${funding}`, `z-${funding}`];
      await open(store.tenant, { [x]: 100, [y]: 100, [z]: 100 });
      const processor = testProcessor(store.db);
      const ids = [await pay(x, 'payee', 10, { funding }), await pay(y, 'payee', 10, { funding })].map(({ id }) => id);
      await begin(async ({ tenant }) => {
        await tenant.deposit({ account: x, asset: 'USD', amount: 1, idempotencyKey: key() });
        ids.push((await pay(z, 'payee', 10, { funding })).id);
        await processor.drain();
        expect(await states(ids)).toEqual(['scheduled', 'settled', 'settled']);

        ids.push((await pay(y, 'payee', 10, { funding })).id);
        await processor.drainAfter(SECOND);
        expect(await states(ids)).toEqual(['scheduled', 'settled', 'settled', 'settled']);
      });
      expect(await store.tenant.payment(ids[0] ?? '')).toMatchObject({ attempts: 0, lastCode: null });
      await processor.drainAfter(2 * SECOND);
      expect(await states(ids)).toEqual(['settled', 'settled', 'settled', 'settled']);
    });

    test('holds up only its payee, even one that is being paid for the first time', async () => {
      await open(store.tenant, { newcomer: 0, other: 0, px: 100, py: 100 });
      const processor = testProcessor(store.db);
      const ids: string[] = [];
      await begin(async ({ tenant }) => {
        await tenant.deposit({ account: 'newcomer', asset: 'USD', amount: 1, idempotencyKey: key() });
        for (const [from, to] of [
          ['px', 'newcomer'],
          ['py', 'other'],
        ] as const)
          ids.push((await pay(from, to)).id);
        await processor.drain();
        expect(await states(ids)).toEqual(['scheduled', 'settled']);
      });
      await processor.drainAfter(2 * SECOND);
      expect(await states(ids)).toEqual(['settled', 'settled']);
    });

    test('holds up what is paid out of the fees to its payee, without an attempt counted', async () => {
      await open(store.tenant, { earner: 100, owner: 1 });
      const processor = testProcessor(store.db);
      await pay('earner', 'fees', 50);
      await processor.drain();
      const { id } = await pay('fees', 'owner', 20, { funding: 'at_execution' });
      await begin(async ({ tenant }) => {
        await tenant.deposit({ account: 'owner', asset: 'USD', amount: 1, idempotencyKey: key() });
        await processor.drain();
        await processor.drainAfter(2 * SECOND);
        expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0, lastCode: null });
      });
      await processor.drainAfter(2 * SECOND);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', attempts: 1 });
      expect(await held(store.tenant, 'owner')).toEqual([22n, 0n]);
    });

    test('with a payment cancelled in it holds up only that payment', async () => {
      await open(store.tenant, { ca: 100, cb: 100 });
      const processor = testProcessor(store.db);
      const ids = [(await pay('ca', 'payee')).id, (await pay('cb', 'payee')).id];
      await begin(async ({ tenant }) => {
        await tenant.cancelPayment(ids[0] ?? '');
        await processor.run();
        expect(await states(ids)).toEqual(['scheduled', 'settled']);
      });
      await processor.drain();
      expect(await states(ids)).toEqual(['cancelled', 'settled']);
    });
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('anything else handed in as a transaction', () => {
  const store = useUsance();

  test('is refused in a sentence', async () => {
    expect(() => store.tenant.within({} as pg.Client)).toThrow(/neither a pg client nor a postgres.js transaction/);
    const pool = new pg.Pool({ connectionString: store.runtimeUrl });
    // The database may be dropped while the connection says goodbye.
    pool.on('connect', (client) => client.on('error', () => undefined));
    onTestFinished(() => pool.end());
    expect(store.tenant.within(await pool.connect().then((client) => (client.release(), client)))).toBeDefined();
  });
});
