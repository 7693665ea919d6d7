// A threshold of approval counts cumulatively: what one maker sends from one payer in 24 hours without approval stays within it.
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';

describe('a threshold of approval', () => {
  const store = useUsance({ poolSize: 20 });
  let shops = 0;

  const handleOf = async (secret: string): Promise<TenantHandle> => {
    const found = await store.usance.authenticate(secret);
    if (!found) throw new Error('expected a key that works');
    return found.handle;
  };

  /** A tenant whose payments above 500 need approval. */
  const shop = async () => {
    const name = `shop-${(shops += 1)}`;
    const tenant = await store.usance.createTenant({ name }, { actor: 'cli:ann' });
    await tenant.createAsset('USD/2');
    await open(tenant, { payer: 100_000, other: 100_000, payee: 0 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    const order = (amount: number, fields: Partial<PaymentOrder> = {}): PaymentOrder => {
      return { from: 'payer', to: 'payee', asset: 'USD', amount, delay: '48h', ...fields };
    };
    const create = async (amount: number, fields: Partial<PaymentOrder> = {}, by = tenant) =>
      (await by.createPayment({ ...order(amount, fields), idempotencyKey: key() })).approval;
    return { tenant, order, create, as: (actor: string) => store.usance.tenant(name, { actor }) };
  };

  test('is used up by payments below it, of one payer by one maker', async () => {
    const { create, as } = await shop();
    expect(await create(300)).toBeNull();
    expect(await create(200)).toBeNull();
    expect(await create(1)).toBe('awaited');
    expect(await create(1, { funding: 'at_execution' })).toBe('awaited');
    expect(await create(500, { from: 'other' })).toBeNull();
    expect(await create(500, {}, await as('cli:kim'))).toBeNull();
    expect(await create(1, {}, await as('cli:kim'))).toBe('awaited');
  });

  test('counts what is paid out of funds that are looked for at execution, and payers without a balance', async () => {
    const { create } = await shop();
    expect(await create(500, { funding: 'at_execution' })).toBeNull();
    expect(await create(1)).toBe('awaited');
    expect(await create(500, { from: 'world', to: 'payer', funding: 'at_execution' })).toBeNull();
    expect(await create(1, { from: 'world', to: 'payer', funding: 'at_execution' })).toBe('awaited');
  });

  test('counts within one bulk request, in order; refused payments, and those that need approval, do not count', async () => {
    const { tenant, order } = await shop();
    const orders = [order(400), order(501), order(600_000), order(100), order(1)];
    const answers = await tenant.createPayments(orders, { idempotencyKey: key() });
    expect(answers.map((answer) => ('payment' in answer ? answer.payment.approval : answer.refused.code))).toEqual([
      null,
      'awaited',
      'FUNDS_INSUFFICIENT',
      null,
      'awaited',
    ]);
  });

  test('cannot be used twice by twenty payments at once', async () => {
    const { create } = await shop();
    const fields = (n: number): Partial<PaymentOrder> => (n % 2 === 0 ? {} : { funding: 'at_execution' });
    const approvals = await Promise.all(Array.from({ length: 20 }, (_, n) => create(100, fields(n))));
    expect(approvals.filter((approval) => approval === null)).toHaveLength(5);
  });

  test('counts an edit to more, under the caller who edits', async () => {
    const { tenant, order, as } = await shop();
    const make = async (amount: number) => tenant.createPayment({ ...order(amount), idempotencyKey: key() });
    const [first, second] = [await make(100), await make(300)];
    expect(await tenant.editPayment(first.id, { amount: 200 })).toMatchObject({ approval: null });
    expect(await tenant.editPayment(first.id, { amount: 201 })).toMatchObject({ approval: 'awaited' });
    const other = await as('cli:kim');
    expect(await other.editPayment(second.id, { amount: 500 })).toMatchObject({ approval: null });
    const third = await other.createPayment({ ...order(300), idempotencyKey: key() });
    expect(third.approval).toBeNull();
    expect(await other.editPayment(third.id, { amount: 301 })).toMatchObject({ approval: 'awaited' });
  });

  test('is free again a day later, and stays used when a payment is cancelled', async () => {
    const own = await testTenant(store.usance, '2027-03-01T10:30:00Z');
    const { tenant } = own;
    await open(tenant, { payer: 100_000, payee: 0 });
    await tenant.setLimit({ account: 'payer', asset: 'USD', approvalAbove: 500 });
    const make = () =>
      tenant.createPayment({
        from: 'payer',
        to: 'payee',
        asset: 'USD',
        amount: 500,
        delay: '96h',
        idempotencyKey: key(),
      });
    const first = await make();
    expect(first.approval).toBeNull();
    await tenant.cancelPayment(first.id);
    expect((await make()).approval).toBe('awaited');
    await advance(store.usance, own, '2027-03-02T10:29:59Z');
    expect((await make()).approval).toBe('awaited');
    await advance(store.usance, own, '2027-03-02T11:30:00Z');
    expect((await make()).approval).toBeNull();
  });

  test('counts what a schedule makes under who created it', async () => {
    const own = await testTenant(store.usance, '2027-03-01T00:00:00Z');
    const { tenant } = own;
    await open(tenant, { payer: 100_000, payee: 0 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    await tenant.createSchedule({
      from: 'payer',
      to: 'payee',
      asset: 'USD',
      amount: 200,
      rule: { cron: '0 6,7,8 * * *' },
      idempotencyKey: key(),
    });
    await advance(store.usance, own, '2027-03-01T09:00:00Z');
    const made = await tenant.payments({ from: 'payer' });
    expect(made.map(({ approval }) => approval)).toEqual(['awaited', null, null]);
    const direct = { from: 'payer', to: 'payee', asset: 'USD', amount: 101, idempotencyKey: key() };
    expect(await tenant.createPayment(direct)).toMatchObject({ approval: 'awaited' });
  });

  test('counts what a schedule makes by its rule for everyone who decided its terms', async () => {
    const own = await testTenant(store.usance, '2027-03-01T00:00:00Z');
    const { tenant } = own;
    await open(tenant, { payer: 100_000, payee: 0 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    const [ann, kim, lee] = await Promise.all(
      ['cli:ann', 'cli:kim', 'cli:lee'].map((actor) => store.usance.tenant(tenant.name, { actor })),
    );
    if (!ann || !kim || !lee) throw new Error('expected three handles');
    const order = { from: 'payer', to: 'payee', asset: 'USD' };
    const rule = { cron: '0 6 * * *' };
    const { id } = await ann.createSchedule({ ...order, amount: 200, rule, idempotencyKey: key() });
    await kim.editSchedule(id, { amount: 300 });
    await kim.editSchedule(id, { metadata: { seen: 'by kim' } });
    await lee.editSchedule(id, { metadata: { seen: 'by lee' } });
    await advance(store.usance, own, '2027-03-01T09:00:00Z');
    const pay = async (by: TenantHandle) =>
      (await by.createPayment({ ...order, amount: 201, idempotencyKey: key() })).approval;
    expect([await pay(ann), await pay(kim), await pay(lee)]).toEqual(['awaited', 'awaited', null]);
  });

  describe('counts what a schedule makes under the rotation lineage of its creator', () => {
    const rule = { cron: '0 6 * * *' } as const;
    const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 400 } as const;

    test.each<[how: string, make: (own: TestTenant, first: TenantHandle, second: TenantHandle) => Promise<unknown>]>([
      [
        'by its rule',
        async (own, first) => {
          await first.createSchedule({ ...order, rule, idempotencyKey: key() });
          await advance(store.usance, own, '2027-03-01T07:00:00Z');
        },
      ],
      [
        'by a trigger',
        async (_, first, second) => {
          const { id } = await first.createSchedule({ ...order, rule, idempotencyKey: key() });
          await second.triggerSchedule(id, { idempotencyKey: key() });
        },
      ],
      [
        'by a backfill',
        async (_, first, second) => {
          const { id } = await first.createSchedule({ ...order, rule, start: '2027-02-01', idempotencyKey: key() });
          const days = { start: '2027-02-10T00:00', end: '2027-02-10T12:00' };
          await second.backfillSchedule(id, { ...days, idempotencyKey: key() });
        },
      ],
      [
        'by a subscription',
        async (own, first) => {
          const period = { frequency: 'DAILY', time: '06:00' } as const;
          const terms = { name: 'tea', receiver: 'payee', asset: 'USD', price: 400, period, charges: 3 };
          const plan = await first.createPlan(terms);
          await first.subscribe({ plan: plan.id, payer: 'payer', idempotencyKey: key() });
          await advance(store.usance, own, '2027-03-01T07:00:00Z');
        },
      ],
    ])('%s', async (_, make) => {
      const own = await testTenant(store.usance, '2027-03-01T00:00:00Z');
      const { tenant } = own;
      await open(tenant, { payer: 100_000, payee: 0 });
      await tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
      const made = await tenant.createApiKey({ name: 'first', role: 'admin' });
      // The schedule's creator is the second key of the lineage: its own id is not the lineage's.
      const second = await tenant.rotateApiKey(made.key.id);
      const third = await tenant.rotateApiKey(second.key.id);
      const [creator, next] = [await handleOf(second.secret), await handleOf(third.secret)];
      await make(own, creator, next);
      expect((await tenant.payments({ from: 'payer' })).map(({ approval }) => approval)).toEqual([null]);
      expect(await next.createPayment({ ...order, idempotencyKey: key() })).toMatchObject({ approval: 'awaited' });
    });
  });

  test('counts nothing, and keeps no sums, where there is none', async () => {
    const { tenant, create } = await shop();
    await tenant.setLimit({ asset: 'USD', approvalAbove: null });
    for (let n = 0; n < 3; n += 1) expect(await create(5_000)).toBeNull();
    const sums = await store.owner.query('select from usance.unapproved_spend where tenant_id = $1::uuid', [tenant.id]);
    expect(sums).toEqual([]);
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
