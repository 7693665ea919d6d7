// The order of postings in time. A transfer is posted after its balances are locked, so the lines of a statement are in
// the order in which the balance changed, and a period reported as final never changes. Every race here is forced: a hook
// stops one side at a statement until the other side has committed.
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { LedgerVerbs, Statement } from '../../src/ledger/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const LOCK = 'for no key update of b';
const APPLY = 'with applied as';

describe('postings', () => {
  const store = useUsance({ poolSize: 20 });
  const order = (account: string, amount: number) => ({ account, asset: 'USD', amount, idempotencyKey: key() });

  /** The database's time, in whole milliseconds, once it is past the millisecond of everything that was posted. */
  const now = async (): Promise<Date> => {
    const read = async (): Promise<number> => {
      const [row] = await store.owner.query(
        `select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
      );
      return Number(row?.['ms']);
    };
    const from = await read();
    for (;;) {
      const ms = await read();
      if (ms > from + 1) return new Date(ms - 1);
    }
  };
  const upTo = (ref: string, to: Date, tenant: LedgerVerbs = store.tenant): Promise<Statement> =>
    tenant.statement(ref, { asset: 'USD', from: LONG_AGO, to });

  /** An engine that stops before the first statement with this text. */
  const stoppedAt = async (text: string): Promise<{ engine: Engine; arrived: Promise<void>; go(): void }> => {
    const [arrived, go] = [gate(), gate()];
    let met = false;
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      async onStatement(statement) {
        if (met || !statement.includes(text)) return;
        met = true;
        arrived.open();
        await go.passed;
      },
    });
    onTestFinished(() => engine.close());
    return { engine, arrived: arrived.passed, go: () => go.open() };
  };

  test('a withdrawal that waited for its balance is a line after the deposit that funded it', async () => {
    await open(store.tenant, { waits: 0 });
    const slow = await stoppedAt(LOCK);
    const withdrawal = (await slow.engine.tenant('shop')).withdraw(order('waits', 98));
    await slow.arrived;
    await store.tenant.deposit(order('waits', 100));
    slow.go();
    await withdrawal;

    const { lines, closing } = await upTo('waits', new Date('2090-01-01T00:00:00Z'));
    expect(lines.map(({ signed, balance }) => [signed, balance])).toEqual([
      [100n, 100n],
      [-98n, 2n],
    ]);
    expect(closing).toBe(2n);
    for (const { postedAt } of lines) {
      const at = await store.tenant.balancesAt('waits', postedAt);
      expect(at.totals.every(({ total }) => total >= 0n)).toBe(true);
    }
  });

  test('a final period does not change when a deposit that began within it commits afterwards', async () => {
    await open(store.tenant, { period: 100 });
    const slow = await stoppedAt(LOCK);
    const deposit = (await slow.engine.tenant('shop')).deposit(order('period', 777));
    await slow.arrived;
    const end = await now();
    const before = await upTo('period', end);
    const totalsBefore = await store.tenant.balancesAt('period', new Date(end.getTime() - 1));
    expect([before.closing, before.final, totalsBefore.final]).toEqual([100n, true, true]);
    slow.go();
    await deposit;
    expect(await upTo('period', end)).toEqual(before);
    expect(await store.tenant.balancesAt('period', new Date(end.getTime() - 1))).toEqual(totalsBefore);
  });

  // The processor writes what it foresees before it locks, and decides what `fees` pays under the lock.
  test.each([
    ['holds', ['reserve', 'reserve']],
    ['unreserved payments', ['at_execution', 'at_execution']],
    ['holds and a payment by fees', ['reserve', 'reserve', 'fees']],
  ] as const)('nor when the processor settles %s afterwards', async (title, funding) => {
    const [payer, payee] = ['payer', 'payee'].map((side) => `${side}-${title.replaceAll(' ', '-')}`) as [
      string,
      string,
    ];
    await open(store.tenant, { [payer]: 500, [payee]: 7 });
    await store.tenant.transfer({ from: 'world', to: 'fees', asset: 'USD', amount: 50, idempotencyKey: key() });
    const due = new Date(Date.now() - 1_000);
    for (const kind of funding) {
      const by = kind === 'fees' ? { from: 'fees', funding: 'at_execution' as const } : { from: payer, funding: kind };
      const payment = { ...by, to: payee, asset: 'USD', amount: 50, executeAt: due };
      await store.tenant.createPayment({ ...payment, idempotencyKey: key() });
    }
    const slow = await stoppedAt(funding.length === 3 ? LOCK : APPLY);
    const processor = slow.engine.loops.find(({ name }) => name === 'processor');
    const settled = processor?.runOnce();
    await slow.arrived;
    const end = await now();
    const before = [await upTo(payer, end), await upTo(payee, end)];
    expect(before.map(({ closing, final }) => [closing, final])).toEqual([
      [500n, true],
      [7n, true],
    ]);
    slow.go();
    await settled;
    expect([await upTo(payer, end), await upTo(payee, end)]).toEqual(before);
    const paid = 50n * BigInt(funding.length);
    expect((await upTo(payee, new Date('2090-01-01T00:00:00Z'))).closing).toBe(7n + paid);
  });

  test('a period is not final while an open transaction may still post into it, and is once that has ended', async () => {
    await open(store.tenant, { caller: 100 });
    const client = new pg.Client({ connectionString: store.runtimeUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    await store.tenant.within(client).deposit(order('caller', 5));
    const end = await now();
    expect(await upTo('caller', end)).toMatchObject({ closing: 100n, final: false });
    expect(await upTo('caller', end, store.tenant.within(client))).toMatchObject({ final: false });
    await client.query('commit');
    expect(await upTo('caller', end)).toMatchObject({ closing: 105n, final: true });
  });

  test('nor while the first posting of an asset to the account is under way', async () => {
    await open(store.tenant, { fresh: 0 });
    const client = new pg.Client({ connectionString: store.runtimeUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    await store.tenant.within(client).deposit(order('fresh', 5));
    const end = await now();
    expect(await upTo('fresh', end)).toMatchObject({ closing: 0n, final: false });
    expect(await store.tenant.balancesAt('fresh', end)).toEqual({ totals: [], final: false });
    await client.query('commit');
    expect(await upTo('fresh', end)).toMatchObject({ closing: 5n, final: true });
  });

  test('a period that has not ended is not final, and one of `world` or `fees` never is', async () => {
    await open(store.tenant, { later: 1 });
    const soon = new Date(Date.now() + 3_600_000);
    expect((await upTo('later', soon)).final).toBe(false);
    expect((await upTo('world', await now())).final).toBe(false);
    expect((await upTo('fees', await now())).final).toBe(false);
    expect((await store.tenant.balancesAt('later', soon)).final).toBe(false);
  });

  test('a read-only server still answers, and says that nothing is known to be final', async () => {
    await open(store.tenant, { reader: 100 });
    const name = new URL(store.ownerUrl).pathname.slice(1);
    await store.owner.query(`alter database ${name} set default_transaction_read_only = on`);
    onTestFinished(async () => {
      await store.owner.query(`alter database ${name} reset default_transaction_read_only`);
    });
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false });
    onTestFinished(() => engine.close());
    const tenant = await engine.tenant(store.tenant.id);
    const [from, to] = [new Date(0), new Date()];
    expect(await tenant.statement('reader', { asset: 'USD', from, to })).toMatchObject({ final: false });
    expect(await tenant.balancesAt('reader', to)).toMatchObject({ final: false });
  });

  test('in a test tenant a period is final once its clock has passed it', async () => {
    const tenant = await store.usance.createTenant({ name: 'test-world', kind: 'test' });
    const noon = new Date('2030-01-01T12:00:00Z');
    await tenant.createTestClock({ name: 'clock', now: noon });
    await tenant.createAsset('USD/2');
    await open(tenant, { virtual: 100 });
    await tenant.withdraw(order('virtual', 30));
    const statement = await upTo('virtual', new Date(noon.getTime() + 1), tenant);
    expect(statement.lines.map(({ balance }) => balance)).toEqual([100n, 70n]);
    expect(statement.final).toBe(false);
    expect(await upTo('virtual', noon, tenant)).toMatchObject({ closing: 0n, final: true });
  });

  test('of accounts that pay each other in every way at once, every line is true and every final period stays', async () => {
    const refs = ['one', 'two', 'three'];
    await open(store.tenant, Object.fromEntries(refs.map((ref) => [ref, 100])));
    const engines = await Promise.all(
      [1, 2].map(() => createEngine({ databaseUrl: store.runtimeUrl, poolSize: 10, processor: { batchSize: 5 } })),
    );
    onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.close()))));
    const seen: { ref: string; to: Date; statement: Statement }[] = [];
    const one = async (n: number): Promise<void> => {
      const engine = engines[n % 2] ?? store.usance;
      const tenant = await engine.tenant('shop');
      const [from = '', to = ''] = [refs[n % 3], refs[(n + 1 + (n % 2)) % 3]];
      const amount = 40 + (n % 7) * 10;
      const pay = { from, to, asset: 'USD', amount, idempotencyKey: key() };
      if (n % 4 === 0) await tenant.transfer(pay).catch(() => undefined);
      else if (n % 4 === 1) await tenant.deposit(order(from, amount));
      else if (n % 4 === 2) await tenant.withdraw(order(from, amount)).catch(() => undefined);
      else await tenant.createPayment({ ...pay, executeAt: new Date(Date.now() - 1_000) }).catch(() => undefined);
      if (n % 5 === 0) await engine.loops.find(({ name }) => name === 'processor')?.runOnce();
      const until = await now();
      seen.push({ ref: from, to: until, statement: await upTo(from, until) });
    };
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 12 }, (_, index) => one(round * 12 + index)));
    const final = seen.filter(({ statement }) => statement.final);
    expect(final.length).toBeGreaterThan(60);
    for (const { ref, to, statement } of final) expect(await upTo(ref, to)).toEqual(statement);
    for (const ref of refs) {
      const { lines } = await upTo(ref, new Date('2090-01-01T00:00:00Z'));
      expect(lines.filter(({ balance }) => balance < 0n)).toEqual([]);
    }
    expect(await troubles(store.usance)).toEqual([]);
  });
});
