// Dry runs in the process: the same answers and refusals, in transactions of the caller too, beside real calls, and for end users.
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DryRun, Hold, Payment, TenantHandle, Usance } from '../../src/index.ts';
import { Refusal, createUsance, toTypeId } from '../../src/index.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { troubles } from '../support/books.ts';
import { added, contents, ledgerNow } from '../support/contents.ts';
import { engineOf } from '../../src/library/usance.ts';
import { TEST_KEY, useDatabase } from '../support/database.ts';
import { parseMetrics } from '../support/prometheus.ts';

const database = useDatabase();
const SECRET = 'the-secret-of-the-dry-runs-0123456789';
const world: { usance?: Usance; shop?: TenantHandle } = {};
const shop = (): TenantHandle => world.shop ?? expect.fail('opened in beforeAll');
const usance = (): Usance => world.usance ?? expect.fail('opened in beforeAll');
let keys = 0;
const key = (): { idempotencyKey: string } => ({ idempotencyKey: `key-${(keys += 1)}` });
const ORDER = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 10_00, delay: '48h' } as const;
const DRY = { dryRun: true } as const;

beforeAll(async () => {
  const jwt = { secret: SECRET, audience: 'usance', issuer: null };
  world.usance = await createUsance({
    databaseUrl: database.runtimeUrl,
    encryption: { key: TEST_KEY },
    migrate: false,
    jwt,
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

/** Nothing is stored by the work. */
async function unchanged<T>(work: () => Promise<T>): Promise<T> {
  const before = await contents(database.owner);
  const answer = await work();
  expect(await contents(database.owner)).toEqual(before);
  return answer;
}

test('dryRun among the params, and an unknown option, are refused: the change would be made', async () => {
  const order = { ...ORDER, dryRun: true };
  expect(await refusalOf(shop().payments.create(order, key()))).toMatchObject({
    code: 'FIELD_UNKNOWN',
    reason: 'option',
    param: 'dryRun',
  });
  const misspelt = { ...key(), dryrun: true };
  expect(await refusalOf(shop().payments.create(ORDER, misspelt))).toMatchObject({
    code: 'FIELD_UNKNOWN',
    reason: 'unknown',
    param: 'dryrun',
  });
  expect((await shop().payments.list().page()).data).toEqual([]);
});

test('has the type of its answer, and needs no idempotency key', async () => {
  const run: DryRun<Payment> = await unchanged(() => shop().payments.create(ORDER, DRY));
  expect(run.result).toMatchObject({ status: 'scheduled', amount: '1000' });
  expect(run.postings).toEqual([
    { type: 'reserve', account: run.result.from, accountRef: 'alice', asset: 'USD/2', amount: '1000' },
  ]);
  expect(run.events).toEqual(['payment.created']);
  const payment: Payment = await shop().payments.create(ORDER, key());
  expect(payment.amount).toBe('1000');
});

test('stores no idempotency key: the same key makes the payment afterwards', async () => {
  const own = key();
  await unchanged(() => shop().holds.create(ORDER, { ...DRY, ...own }));
  const made: Hold = await shop().holds.create(ORDER, own);
  expect((await shop().holds.get(made.id)).id).toBe(made.id);
});

test('shows the transfers of a capture: from reserved funds, with fees', async () => {
  const legs = [
    { to: 'bob', amount: 9_70 },
    { to: 'fees', amount: 30 },
  ];
  const { to: _, ...order } = ORDER;
  const payment = await shop().payments.create({ ...order, legs }, key());
  const run = await unchanged(() => shop().payments.capture(payment.id, {}, DRY));
  const transfers = run.postings.filter((posting) => posting.type === 'transfer');
  expect(transfers).toMatchObject([
    { fromRef: 'alice', toRef: 'bob', amount: '970', fromReserved: true, payment: payment.id },
    { fromRef: 'alice', toRef: 'fees', amount: '30', fromReserved: true, payment: payment.id },
  ]);
  const before = await ledgerNow(database.owner);
  await shop().payments.capture(payment.id, {}, key());
  const after = await ledgerNow(database.owner);
  expect(added(before.transfers, after.transfers)).toHaveLength(transfers.length);
});

test('is refused as the real call is', async () => {
  const order = { ...ORDER, amount: 1_000_000_00 };
  const dry = await unchanged(() => refusalOf(shop().payments.create(order, DRY)));
  const real = await refusalOf(shop().payments.create(order, key()));
  expect({ code: dry.code, message: dry.message, param: dry.param }).toEqual({
    code: real.code,
    message: real.message,
    param: real.param,
  });
  const field = await refusalOf(shop().payments.create({ ...ORDER, delay: 'soon' }, DRY));
  expect(field.code).toBe('DELAY_INVALID');
});

test('a dryRun that is no boolean is refused, and nothing is made', async () => {
  const given = { dryRun: 'false' as unknown as true };
  const refusal = await unchanged(() => refusalOf(shop().payments.create(ORDER, given)));
  expect(refusal).toMatchObject({ code: 'FIELD_INVALID', param: 'dryRun' });
});

test('undoes only what a refused payment of a list would have done', async () => {
  const payments = [ORDER, { ...ORDER, amount: 1_000_000_00 }, { ...ORDER, amount: 5_00 }];
  const { result, postings, events } = await unchanged(() => shop().payments.createMany({ payments }, DRY));
  expect(result).toMatchObject({ created: 2, refused: 1 });
  expect(postings.map(({ type, amount }) => `${type} ${amount}`)).toEqual(['reserve 1000', 'reserve 500']);
  expect(events).toEqual(['payment.created', 'payment.created']);
});

test('shows no secret of a key', async () => {
  const run = await unchanged(() => shop().apiKeys.create({ name: 'spare', role: 'viewer' }, DRY));
  expect(run.result.secret).toBeNull();
  expect(run.events).toEqual(['api_key.created']);
});

test('counts in no metric of payments', async () => {
  const created = async (): Promise<number> => {
    const family = parseMetrics(await engineOf(usance()).monitoring.metrics()).get('payments_created_total');
    return family?.samples.reduce((sum, { value }) => sum + value, 0) ?? 0;
  };
  const before = await created();
  await shop().payments.create(ORDER, DRY);
  expect(await created()).toBe(before);
  await shop().payments.create(ORDER, key());
  expect(await created()).toBe(before + 1);
});

describe('in a transaction of the caller', () => {
  test('of pg, it is undone at once, and the transaction goes on', async () => {
    const client = new pg.Client({ connectionString: database.runtimeUrl });
    await client.connect();
    await client.query('begin');
    const mine = shop().within(client);
    const made = await mine.payments.create(ORDER, key());
    const run = await mine.payments.cancel(made.id, {}, DRY);
    expect(run.result.status).toBe('cancelled');
    expect(run.postings).toMatchObject([{ type: 'release', accountRef: 'alice', amount: '1000' }]);
    expect(run.events).toEqual(['payment.cancelled']);
    expect((await refusalOf(mine.payments.create({ ...ORDER, to: 'nobody' }, DRY))).code).toBe('ACCOUNT_NOT_FOUND');
    expect((await mine.payments.get(made.id)).status).toBe('scheduled');
    await client.query('commit');
    await client.end();
    expect((await shop().payments.get(made.id)).status).toBe('scheduled');
  });

  test('of postgres.js, it is undone at once, and the transaction goes on', async () => {
    const sql = postgres(database.runtimeUrl, { max: 1, onnotice: () => undefined });
    const id = await sql.begin(async (transaction) => {
      const mine = shop().within(transaction);
      const made = await mine.payments.create(ORDER, key());
      const run = await mine.payments.cancel(made.id, {}, DRY);
      expect(run.postings).toMatchObject([{ type: 'release', accountRef: 'alice', amount: '1000' }]);
      expect((await refusalOf(mine.payments.create({ ...ORDER, to: 'nobody' }, DRY))).code).toBe('ACCOUNT_NOT_FOUND');
      return made.id;
    });
    await sql.end();
    expect((await shop().payments.get(id)).status).toBe('scheduled');
  });
});

test('twenty at once beside real payments: each answers for itself, and only the real ones are there', async () => {
  await shop().accounts.ensure({ ref: 'carol' });
  await shop().accounts.deposit('carol', { amount: 100_00, asset: 'USD/2' }, key());
  const order = { ...ORDER, from: 'carol', amount: 5_00 };
  const dry = Array.from({ length: 20 }, () => shop().payments.create(order, DRY));
  const real = Array.from({ length: 20 }, () => shop().payments.create(order, key()));
  const [runs, made] = [await Promise.allSettled(dry), await Promise.all(real)];
  // All of carol's money is reserved by the real ones, so a dry run after the last of them is refused.
  for (const run of runs) {
    if (run.status === 'rejected') expect(run.reason).toMatchObject({ code: 'FUNDS_INSUFFICIENT' });
    else expect(run.value.postings).toMatchObject([{ type: 'reserve', accountRef: 'carol', amount: '500' }]);
  }
  const { balances } = await shop().accounts.get('carol');
  expect(balances).toMatchObject([{ available: '0', reserved: '10000' }]);
  const listed: string[] = [];
  for await (const { id } of shop().payments.list({ account: 'carol' })) listed.push(id);
  expect(listed.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  expect(runs.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await troubles(engineOf(usance()))).toEqual([]);
});

test('an end user sees postings of their own account only, and no ref of another', async () => {
  const sub = 'alice';
  const found = await engineOf(usance()).authenticate(
    token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) }),
  );
  const handle = found?.handle ?? expect.fail('the token is valid');
  const alice = toTypeId('account', (await handle.account('alice')).id);
  const run = await unchanged(() =>
    handle.dryRun((verbs) => verbs.createPayment({ ...ORDER, amount: 1_00n, ...key(), delay: '1h' })),
  );
  expect([...run.refs.values()]).toEqual(['alice']);
  expect(run.postings).toMatchObject([{ type: 'reserve', amount: 100n }]);
  const paid = await handle.createPayment({ ...ORDER, amount: 1_00n, ...key(), delay: '1h' });
  const captured = await unchanged(() => handle.dryRun((verbs) => verbs.capturePayment(paid.id, key())));
  expect(captured.postings).toMatchObject([{ type: 'transfer', amount: 100n, fromReserved: true }]);
  expect([...captured.refs.keys()].map((id) => toTypeId('account', id))).toEqual([alice]);
  await expect(handle.dryRun((verbs) => verbs.suspendAccount('bob', 'no'))).rejects.toMatchObject({
    code: 'AUTH_FORBIDDEN',
  });
});
