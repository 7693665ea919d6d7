// The library by resource: the same operations, answers and refusals as over HTTP, in the process and in the caller's transaction.
import pg from 'pg';
import postgres from 'postgres';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { createClient } from '../../src/client/index.ts';
import { OPERATIONS } from '../../src/client/inner.ts';
import type { TenantHandle, Usance, UsanceOptions } from '../../src/index.ts';
import { BulkRefusal, Refusal, SetupError, createUsance, fromTypeId } from '../../src/index.ts';
import { engineOf } from '../../src/library/usance.ts';
import { TEST_KEY, useDatabase } from '../support/database.ts';

const database = useDatabase();
const KEY = 'a-key-for-the-library-and-its-tests';
const world: { usance?: Usance; shop?: TenantHandle } = {};
const shop = (): TenantHandle => world.shop ?? expect.fail('opened in beforeAll');
const usance = (): Usance => world.usance ?? expect.fail('opened in beforeAll');
let keys = 0;
const key = (): { idempotencyKey: string } => ({ idempotencyKey: `key-${(keys += 1)}` });
const ORDER = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 10_00, delay: '48h' } as const;

beforeAll(async () => {
  world.usance = await createUsance({
    databaseUrl: database.runtimeUrl,
    encryption: { key: TEST_KEY },
    migrate: false,
  });
  world.shop = await usance().tenants.ensure({ name: 'shop' });
  await shop().assets.ensure({ asset: 'USD/2', default: true });
  for (const ref of ['alice', 'bob']) await shop().accounts.ensure({ ref });
  await shop().accounts.deposit('alice', { amount: 1_000_00n, asset: 'USD/2' }, key());
});
afterAll(() => world.usance?.close());

const refusalOf = async (call: Promise<unknown>): Promise<Refusal> => {
  const error = await call.then(
    () => expect.fail('not refused'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
};

test('has every operation of the contract, by its resource and name', () => {
  const missing = Object.keys(OPERATIONS).filter((name) => {
    const [resource = '', method = ''] = name.split('.');
    return typeof (shop() as unknown as Record<string, Record<string, unknown>>)[resource]?.[method] !== 'function';
  });
  expect(missing).toEqual([]);
  expect(Object.keys(OPERATIONS).length).toBeGreaterThan(100);
});

test.each([
  [{ databseUrl: 'x' }, 'createUsance has no option "databseUrl"; did you mean "databaseUrl"?'],
  [
    { retention: { paymentMs: 1 } },
    'createUsance has no option "retention.paymentMs"; did you mean "retention.paymentsMs"?',
  ],
  [{ colour: 'red' }, 'createUsance has no option "colour"'],
])('is not opened with the option %o', async (options, message) => {
  const all = { databaseUrl: database.runtimeUrl, migrate: false, ...options } as UsanceOptions;
  await expect(createUsance(all)).rejects.toThrow(new SetupError(message));
});

test('ensure returns what exists', async () => {
  const again = await usance().tenants.ensure({ name: 'shop' });
  expect(again.id).toBe(shop().id);
  const [first, second] = [await shop().accounts.get('alice'), await shop().accounts.ensure({ ref: 'alice' })];
  expect(second.id).toBe(first.id);
  expect(await shop().assets.ensure({ asset: 'USD/2' })).toMatchObject({ asset: 'USD/2' });
  expect((await refusalOf(shop().assets.ensure({ asset: 'USD/3' }))).code).toBe('ASSET_EXISTS');
});

test('ensure refuses a tenant or an account of another kind: a test would move real money', async () => {
  expect((await refusalOf(usance().tenants.ensure({ name: 'shop', kind: 'test' }))).code).toBe('TENANT_EXISTS');
  expect((await refusalOf(shop().accounts.ensure({ ref: 'alice', kind: 'merchant' }))).code).toBe('ACCOUNT_EXISTS');
  expect(await shop().accounts.ensure({ ref: 'alice', kind: 'user' })).toMatchObject({ ref: 'alice' });
});

test('answers are JSON with TypeIDs, texts for amounts and instants, in camelCase', async () => {
  const payment = await shop().payments.create({ ...ORDER, metadata: { my_key: 1, myKey: 2 } }, key());
  expect(payment.id).toMatch(/^pay_/);
  expect(payment.from).toMatch(/^acct_/);
  expect(payment).toMatchObject({ status: 'scheduled', amount: '1000', termsVersion: 1, funding: 'reserve' });
  expect(payment.metadata).toEqual({ my_key: 1, myKey: 2 });
  expect(Date.parse(payment.executeAt) - Date.parse(payment.createdAt)).toBe(48 * 3_600_000);
  expect(JSON.parse(JSON.stringify(payment))).toEqual(payment);
});

test('takes an id as a TypeID or as the UUID of the tables, an amount as bigint, number or text, an instant as Date or text', async () => {
  const executeAt = new Date(Date.now() + 3_600_000);
  const { delay: _, ...order } = ORDER;
  const made = await shop().payments.create({ ...order, amount: 500n, executeAt }, key());
  expect(made).toMatchObject({ amount: '500', executeAt: executeAt.toISOString() });
  expect(await shop().payments.get(fromTypeId('payment', made.id))).toEqual(await shop().payments.get(made.id));
  expect(await shop().payments.create({ ...ORDER, amount: '500' }, key())).toMatchObject({ amount: '500' });
});

test('an order without an amount or a payee is refused, also by the compiler', async () => {
  // @ts-expect-error The amount is missing.
  expect((await refusalOf(shop().holds.create({ from: 'alice', to: 'bob', delay: '1h' }, key()))).param).toBe('amount');
  // @ts-expect-error The payee is missing.
  expect((await refusalOf(shop().holds.create({ from: 'alice', amount: 1, delay: '1h' }, key()))).param).toBe('to');
  // @ts-expect-error The parameters are missing.
  expect((await refusalOf(shop().accounts.deposit('alice', undefined, key()))).code).toBe('FIELD_INVALID');
  const hold = await shop().holds.create({ from: 'alice', toUser: 'bob', amountDecimal: '0.01', delay: '1h' }, key());
  expect(hold.amount).toBe('1');
});

test('a payment is captured in part, cancelled, refunded: an escrow', async () => {
  const before = await shop().accounts.getBalances('bob');
  const payment = await shop().payments.create(ORDER, key());
  expect(await shop().payments.capture(payment.id, { amount: 4_00 }, key())).toMatchObject({ captured: '400' });
  expect(await shop().payments.cancel(payment.id, { reason: 'half was enough' })).toMatchObject({
    status: 'settled',
    released: '600',
  });
  const { payment: refunded } = await shop().payments.refund(payment.id, undefined, key());
  expect(refunded).toMatchObject({ refunded: '400' });
  expect(await shop().accounts.getBalances('bob')).toEqual(before);
});

describe('a refusal', () => {
  test('has its code and names the field as the caller wrote it', async () => {
    const refusal = await refusalOf(shop().payments.create({ ...ORDER, executeAt: 'tomorrow' }, key()));
    expect(refusal).toMatchObject({ code: 'DELAY_INVALID', param: 'executeAt' });
    expect(refusal.message).toContain('executeAt');
    expect(refusal.message).not.toContain('execute_at');
  });

  test('of a field that is not known names it', async () => {
    const order = { ...ORDER, amuont: 1 } as never;
    expect(await refusalOf(shop().payments.create(order, key()))).toMatchObject({
      code: 'FIELD_UNKNOWN',
      param: 'amuont',
    });
  });

  test('says what its code means, and whether a retry can help', async () => {
    const poor = await refusalOf(shop().payments.create({ ...ORDER, amount: 9_999_999_00 }, key()));
    expect(poor).toMatchObject({ code: 'FUNDS_INSUFFICIENT', status: 422, retryable: true, title: expect.any(String) });
    const lost = await refusalOf(shop().payments.get('pay_01k9ztb4n6q8s0v2x4z6b8d0f2'));
    expect(lost).toMatchObject({ code: 'PAYMENT_NOT_FOUND', status: 404, retryable: false });
  });

  test('of a stale or malformed ETag names the option', async () => {
    const { id } = await shop().payments.create(ORDER, key());
    const stale = `"${'A'.repeat(22)}"`;
    expect(await refusalOf(shop().payments.cancel(id, {}, { ifMatch: stale }))).toMatchObject({
      code: 'PRECONDITION_FAILED',
      param: 'ifMatch',
    });
    expect(await refusalOf(shop().payments.cancel(id, {}, { ifMatch: 'x' }))).toMatchObject({
      code: 'PRECONDITION_INVALID',
      param: 'ifMatch',
    });
  });

  test('of many payments, all or none, names each refused one', async () => {
    const payments = [ORDER, { ...ORDER, amount: 9_999_999_00 }, { ...ORDER, to: 'nobody' }];
    const refusal = await refusalOf(shop().payments.createMany({ atomic: true, payments }, key()));
    expect(refusal).toBeInstanceOf(BulkRefusal);
    expect(refusal).toMatchObject({ name: 'BulkRefusal', code: 'FUNDS_INSUFFICIENT', retryable: true });
    expect(refusal.message).toMatch(/^payments\[1\]: /);
    expect(refusal.errors).toEqual([
      { index: 1, code: 'FUNDS_INSUFFICIENT', detail: expect.any(String) },
      { index: 2, code: 'ACCOUNT_NOT_FOUND', param: 'to', detail: expect.stringContaining('nobody') },
    ]);
    expect(JSON.parse(JSON.stringify(refusal.errors))).toEqual(refusal.errors);
  });

  test('for a missing idempotency key is a refusal, not a TypeError', async () => {
    const create = shop().payments.create as (params: object, options?: object) => Promise<unknown>;
    for (const options of [undefined, {}]) {
      expect(await refusalOf(create(ORDER, options))).toMatchObject({
        code: 'IDEMPOTENCY_KEY_MISSING',
        param: 'idempotencyKey',
      });
    }
  });
});

test('the same key gives the first answer again, and another request under it is refused', async () => {
  const options = key();
  const first = await shop().payments.create(ORDER, options);
  expect(await shop().payments.create(ORDER, options)).toEqual(first);
  const other = shop().payments.create({ ...ORDER, amount: 1 }, options);
  expect((await refusalOf(other)).code).toBe('IDEMPOTENCY_MISMATCH');
});

test('a list is a loop over all its pages, or one page', async () => {
  for (let count = 0; count < 5; count += 1) await shop().accounts.ensure({ ref: `page-${count}` });
  const refs: string[] = [];
  for await (const account of shop().accounts.list({ limit: 2 })) refs.push(account.ref);
  expect(refs).toEqual(expect.arrayContaining(['alice', 'bob', 'page-0', 'page-4']));
  const { data, nextCursor } = await shop().accounts.list({ limit: 2 }).page();
  expect(data).toHaveLength(2);
  expect(nextCursor).toEqual(expect.any(String));
});

describe('inside a transaction of the caller', () => {
  const inTransaction = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const client = new pg.Client(database.runtimeUrl);
    await client.connect();
    try {
      await client.query('begin');
      await work(client);
    } finally {
      await client.end();
    }
  };

  test('a payment commits with it', async () => {
    let id = '';
    await inTransaction(async (client) => {
      ({ id } = await shop().within(client).payments.create(ORDER, key()));
      expect((await refusalOf(shop().payments.get(id))).code).toBe('PAYMENT_NOT_FOUND');
      await client.query('commit');
    });
    expect(await shop().payments.get(id)).toMatchObject({ status: 'scheduled' });
  });

  test('and rolls back with it; a refusal leaves the transaction usable; a key is honoured', async () => {
    const options = key();
    await inTransaction(async (client) => {
      const own = shop().within(client);
      const first = await own.payments.create(ORDER, options);
      expect((await refusalOf(own.payments.create({ ...ORDER, amount: 9_999_999_00 }, key()))).code).toBe(
        'FUNDS_INSUFFICIENT',
      );
      expect(await own.payments.create(ORDER, options)).toEqual(first);
      await client.query('rollback');
    });
    const { data } = await shop().payments.list({ account: 'alice', limit: 1 }).page();
    const made = await shop().payments.create(ORDER, options);
    expect(data.map((payment) => payment.id)).not.toContain(made.id);
  });
});

test('dead letters behind those that are refused are reached by the cursor', async () => {
  await shop().accounts.ensure({ ref: 'spent' });
  await shop().accounts.deposit('spent', { amount: 10_00n, asset: 'USD/2' }, key());
  const failed = async (from: string): Promise<string> => {
    const { id } = await shop().payments.create({ ...ORDER, from }, key());
    await shop().payments.fail(id, { reason: 'the payee is gone' });
    return id;
  };
  const stuck = [await failed('spent'), await failed('spent'), await failed('spent')];
  await shop().payments.create({ ...ORDER, from: 'spent' }, key());
  const others = [await failed('alice'), await failed('alice')];
  const params = { filter: { code: 'FAILED_BY_OPERATOR' }, limit: 2 };
  const first = await shop().deadLetters.retryMany(params);
  expect(first).toMatchObject({ retried: [], more: true });
  const second = await shop().deadLetters.retryMany({ ...params, cursor: first.nextCursor ?? '' });
  const third = await shop().deadLetters.retryMany({ ...params, cursor: second.nextCursor ?? '' });
  expect(third).toMatchObject({ more: false, nextCursor: null });
  const parts = [first, second, third];
  expect(parts.flatMap(({ refused }) => refused.map(({ id }) => id))).toEqual(stuck);
  expect(parts.flatMap(({ retried }) => retried)).toEqual(others);
});

test('answers as the HTTP client does, for every read of the tenant', async () => {
  await engineOf(usance())
    .tenant('shop')
    .then((handle) => handle.createApiKey({ name: 'test', role: 'admin', secret: KEY }));
  const api = createApi(engineOf(usance()), { host: '127.0.0.1', port: 0 });
  const { url } = await api.listen();
  try {
    const client = createClient({ url, key: KEY });
    const {
      data: [payment],
    } = await shop().payments.list({ limit: 1 }).page();
    const { id = '' } = payment ?? {};
    expect(await client.payments.get(id)).toEqual(await shop().payments.get(id));
    expect(await client.accounts.get('alice')).toEqual(await shop().accounts.get('alice'));
    expect(await client.payments.list({ status: 'scheduled', limit: 3 }).page()).toEqual(
      await shop().payments.list({ status: 'scheduled', limit: 3 }).page(),
    );
    expect(await client.payments.listTimeline(id).page()).toEqual(await shop().payments.listTimeline(id).page());
    expect(await client.limits.list().page()).toEqual(await shop().limits.list().page());
  } finally {
    await api.close();
  }
});

describe('waiting for a loop', () => {
  test('that no process runs is an error that names usance.start()', { timeout: 30_000 }, async () => {
    const follow = async (): Promise<void> => {
      for await (const _event of shop().events.follow({ after: 0 })) expect.fail('nothing is ordered yet');
    };
    const error = await follow().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SetupError);
    expect((error as Error).message).toContain('usance.start()');
  });

  test('other than the started ones is an error too, of follow and of wait', { timeout: 30_000 }, async () => {
    const other = await createUsance({ databaseUrl: database.runtimeUrl });
    try {
      other.start(['processor']);
      expect(other.started).toBe(true);
      const tenant = await other.tenant('shop');
      const follow = async (): Promise<void> => {
        for await (const _event of tenant.events.follow({ after: 0 })) expect.fail('nothing is ordered yet');
      };
      const yard = await other.tenants.create({ name: 'yard', kind: 'test' });
      const clock = await yard.testClocks.create({ name: 'yard', now: '2027-01-01T00:00:00Z' });
      await yard.testClocks.advance(clock.id, { to: '2027-01-02T00:00:00Z' });
      const [followed, waited] = await Promise.allSettled([follow(), yard.testClocks.wait(clock.id)]);
      for (const outcome of [followed, waited]) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(SetupError) });
      }
    } finally {
      await other.close();
    }
    expect(other.started).toBe(false);
  });

  test('that runs here goes on: events come in order, a test clock arrives', { timeout: 60_000 }, async () => {
    usance().start();
    expect(usance().started).toBe(true);
    const types: string[] = [];
    for await (const event of shop().events.follow({ type: 'payment.*', after: 0 })) {
      types.push(event.type);
      if (types.length === 3) break;
    }
    expect(types[0]).toBe('payment.created');
    const lab = await usance().tenants.create({ name: 'lab', kind: 'test' });
    const clock = await lab.testClocks.create({ name: 'january', now: '2027-01-01T00:00:00Z' });
    expect(await lab.testClocks.advance(clock.id, { to: '2027-01-31T00:00:00Z' })).toMatchObject({
      status: 'advancing',
    });
    expect(await lab.testClocks.wait(clock.id)).toMatchObject({ status: 'ready', now: '2027-01-31T00:00:00.000Z' });
  });
});

test('within a pool says that it needs one client', async () => {
  const pool = new pg.Pool({ connectionString: database.runtimeUrl });
  const sql = postgres(database.runtimeUrl, { max: 1 });
  try {
    for (const whole of [pool, sql]) {
      const call = async () => shop().within(whole).payments.create(ORDER, key());
      await expect(call()).rejects.toThrow(
        /^within needs (one client that is in a transaction|the sql of a transaction)/,
      );
      await expect(call()).rejects.toBeInstanceOf(SetupError);
    }
  } finally {
    await pool.end();
    await sql.end();
  }
});

test('a call after close says so', async () => {
  const closed = await createUsance({ databaseUrl: database.runtimeUrl });
  const tenant = await closed.tenant('shop');
  await closed.close();
  for (const call of [
    () => tenant.payments.create(ORDER, key()),
    () => tenant.accounts.get('alice'),
    () => closed.tenants.list(),
  ])
    await expect(call()).rejects.toThrow('usance was closed: create it again with createUsance()');
});
