// A test world, as the tests of an application use it. example.test.ts has one on an embedded server; these share a schema of the test server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestTenant, TestWorld } from '../../src/testing/index.ts';
import { createTestWorld, usanceMatchers } from '../../src/testing/index.ts';
import { contains } from '../../src/testing/contains.ts';
import { useDatabase } from '../support/database.ts';

expect.extend(usanceMatchers);

const store = useDatabase();
const state: { world?: TestWorld } = {};
const world = (): TestWorld => state.world ?? expect.fail('the world exists inside tests only');
const schemas = async (): Promise<number> =>
  (await store.owner.query(`select from pg_namespace where nspname like 'usance\\_test\\_%'`)).length;
/** The sentence of an expectation that fails. */
const complaint = (expectation: Promise<unknown>): Promise<string> =>
  expectation.then(
    () => expect.fail('expected it to fail'),
    (error: Error) => error.message,
  );

/** The tenant that the processor `forward` pays in. */
const forwarding: { tenant?: TestTenant } = {};

beforeAll(async () => {
  state.world = await createTestWorld({
    databaseUrl: store.ownerUrl,
    assets: ['EUR/2', 'USD/2'],
    processors: [
      {
        name: 'forward',
        description: 'Passes a part of each payment on, a day later.',
        async processor(_event, execution) {
          const order = { from: 'bob', to: 'carol', amount: 10, delay: '1d' };
          const made = await forwarding.tenant?.shop.payments.create(order, { idempotencyKey: execution.id });
          return { payment: made?.id };
        },
      },
      {
        name: 'fail',
        description: 'Fails.',
        processor: () => Promise.reject(new Error('the mail server did not answer')),
      },
    ],
  });
});
afterAll(() => state.world?.close());

const pay = (amount: number, delay: string, to = 'bob') =>
  world().shop.payments.create(
    { from: 'alice', to, amount, delay, funding: 'at_execution' },
    { idempotencyKey: `${to} ${amount} ${delay}` },
  );

describe('a test world on a server of your own', () => {
  test('has its own schema, the assets that were named, and a clock that stands still', async () => {
    expect(await schemas()).toBe(3);
    expect(world().clock).toMatchObject({ id: expect.stringMatching(/^clk_/), now: new Date('2027-01-01T00:00:00Z') });
    await world().fund('alice', 10_000n);
    await world().fund('alice', '500', 'USD/2');
    await world().shop.accounts.create({ ref: 'bob' });
    await expect(world()).toHaveBalance('alice', 'EUR', 10_000n);
    await expect(world()).toHaveBalance('alice', 'USD/2', 500);
  });

  test('advances by a duration, to an instant and to the present', async () => {
    await pay(100, '1h');
    await pay(200, '2d');
    await pay(300, '0s');
    const now = await world().runDue();
    expect(now.advance?.events?.byType).toEqual({ 'payment.settled': 1 });
    await world().advance('1h');
    expect(world().clock.now).toEqual(new Date('2027-01-01T01:00:00Z'));
    await world().advance(60);
    expect(world().clock.now).toEqual(new Date('2027-01-01T01:01:00Z'));
    await expect(world()).toHaveBalance('bob', 'EUR', '400');
    await world().advance(new Date('2027-01-10T00:00:00Z'));
    await world().advance('2027-01-11T00:00:00Z');
    await expect(world()).toHaveBalance('bob', 'EUR', 600n);
  });

  test('refuses to go back, and stays where it is', async () => {
    await expect(world().advance('2026-12-31T00:00:00Z')).rejects.toMatchObject({ code: 'CLOCK_BACKWARDS' });
    expect(world().clock.now).toEqual(new Date('2027-01-11T00:00:00Z'));
  });

  test('records events in order, all of them or by type, until it is cleared', async () => {
    const settled = await world().events.list('payment.settled');
    expect(settled.map(({ data }) => (data as { amount: string }).amount)).toEqual(['300', '100', '200']);
    expect(await world().events.types()).toContain('account.created');
    await world().events.clear();
    expect(await world().events.types()).toEqual([]);
    await world().shop.accounts.create({ ref: 'carol' });
    expect(await world().events.types()).toEqual(['account.created']);
  });

  test('has other tenants beside its first one', async () => {
    const other = await world().createTenant({ now: '2030-06-01T00:00:00Z' });
    await other.fund('alice', 5n);
    await other.advance('1d');
    expect(other.clock.now).toEqual(new Date('2030-06-02T00:00:00Z'));
    await expect(other).toHaveBalance('alice', 'USD', 5n);
    await expect(world()).not.toHaveBalance('alice', 'EUR', 5n);
    expect(await other.events.types()).not.toContain('payment.settled');
  });
});

describe('a matcher', () => {
  test('toHaveEmitted compares the named fields of the data, with asymmetric matchers too', async () => {
    await pay(7, '1h', 'carol');
    await world().advance('1h');
    await expect(world()).toHaveEmitted('payment.settled');
    await expect(world()).toHaveEmitted('payment.settled', { amount: 7n, payees: [{ ref: 'carol' }] });
    await expect(world()).toHaveEmitted('payment.settled', { id: expect.stringMatching(/^pay_/) });
    await expect(world()).not.toHaveEmitted('payment.settled', { amount: '8' });
    await expect(world()).not.toHaveEmitted('payment.failed');
  });

  test('toHaveEmitted says which events there were', async () => {
    const missing = await complaint(expect(world()).toHaveEmitted('payment.failed'));
    expect(missing).toMatch(/^expected an event payment\.failed; emitted: .*payment\.settled/);
    const other = await complaint(expect(world()).toHaveEmitted('payment.settled', { amount: '8' }));
    expect(other).toMatch(/^expected an event payment\.settled with \{ amount: '8' \}; those of the type have \{.*'7'/);
    const unwanted = await complaint(expect(world()).not.toHaveEmitted('payment.settled'));
    expect(unwanted).toBe('expected no event payment.settled');
  });

  test('toHaveBalance says what the account has', async () => {
    const wrong = await complaint(expect(world()).toHaveBalance('carol', 'EUR', 8n));
    expect(wrong).toBe('expected account "carol" to have 8 of EUR available; it has 7');
    const unwanted = await complaint(expect(world()).not.toHaveBalance('carol', 'EUR/2', '7'));
    expect(unwanted).toBe('expected account "carol" not to have 7 of EUR/2 available');
  });

  test('of anything else but a world says what it needs', async () => {
    expect(await complaint(expect({}).toHaveBalance('carol', 'EUR', 7n))).toMatch(/^toHaveBalance needs a test world/);
  });
});

describe('jobs of a test world', () => {
  test('run during an advance, and what they do falls due on the way', async () => {
    const tenant = (forwarding.tenant = await world().createTenant());
    const { shop } = tenant;
    const { id } = await shop.jobs.create({ name: 'on', eventPattern: 'payment.settled', processorName: 'forward' });
    await tenant.fund('alice', 100n);
    for (const ref of ['bob', 'carol']) await shop.accounts.create({ ref });
    const order = { from: 'alice', to: 'bob', amount: 50, delay: '1d' };
    await shop.payments.create(order, { idempotencyKey: 'one' });
    await tenant.advance('3d');
    await expect(tenant).toHaveBalance('carol', 'USD', 20n);
    const settled = await tenant.events.list('payment.settled');
    expect(settled).toHaveLength(3);
    for (const event of settled) await expect(tenant).toHaveExecuted('on', event);
    await expect(tenant).toHaveExecuted(id);
    await expect(tenant).not.toHaveExecuted({ id }, 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6');
    const noEvent = { status: 'failed' } as unknown as { readonly id: string };
    await expect(expect(tenant).toHaveExecuted('on', noEvent)).rejects.toThrow('an event or its id');
    const unwanted = await complaint(expect(tenant).not.toHaveExecuted('on'));
    expect(unwanted).toBe('expected job "on" not to have completed an execution');
  });

  test('that fail are said with their error, and their attempts are recorded', async () => {
    const tenant = await world().createTenant();
    const { shop } = tenant;
    await shop.jobs.create({ name: 'mail', eventPattern: 'account.created', processorName: 'fail' });
    expect(await complaint(expect(tenant).toHaveExecuted('mail'))).toMatch(/; it has no execution$/);
    await shop.accounts.create({ ref: 'dora' });
    await tenant.advance('1h');
    expect(await complaint(expect(tenant).toHaveExecuted('mail'))).toBe(
      'expected job "mail" to have completed an execution; its executions: failed, attempt 3, the mail server did not answer',
    );
    const [execution] = await tenant.jobs.executions();
    expect(await tenant.jobs.invocations(execution?.id ?? '')).toHaveLength(3);
    await expect(tenant).toHaveEmitted('execution.failed', { attemptNumber: 3 });
  });
});

describe('a value', () => {
  test.each([
    [{ a: 1, b: { c: [1, 2], d: 4 } }, { b: { c: [1, 2] } }, true],
    [{ a: [1, 2] }, { a: [1] }, false],
    [{ a: '5' }, { a: 5n }, true],
    [{ a: null }, { a: {} }, false],
    [{ a: '2027-01-01T00:00:00.000Z' }, { a: new Date('2027-01-01T00:00:00Z') }, true],
    [{}, { a: undefined }, true],
  ])('%o contains %o: %s', (actual, expected, result) => {
    expect(contains(actual, expected)).toBe(result);
  });
});

test('a closed world leaves no schema behind', async () => {
  await state.world?.close();
  delete state.world;
  expect(await schemas()).toBe(0);
});
