// Amounts as decimal numbers: `amount_decimal` beside `amount` in every request that takes one.
import { beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/contract/index.ts';
import { open, troubles } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('a decimal amount over HTTP', () => {
  const store = useApi();
  beforeAll(async () => {
    await open(store.tenant, { alice: 100_000, bob: 0 });
    await store.tenant.createAsset('ROBUX/0');
    await store.tenant.openAccount({ ref: 'child', kind: 'user', guardian: 'alice' });
  });
  const order = { from: 'alice', to: 'bob', asset: 'USD', delay: '1h' };

  test('is taken by every body that takes an amount or a price', () => {
    const missing = Object.entries(ROUTES).flatMap(([name, route]) =>
      bodiesIn(route.body)
        .filter((fields) => ['amount', 'price'].some((field) => field in fields && !(`${field}_decimal` in fields)))
        .map(() => name),
    );
    // The bound of the outage guard may be null, like a limit's: minor units alone.
    expect(missing).toEqual(['outageGuard.set']);
  });

  test('makes the hold that its minor units make, and both are shown', async () => {
    const hold = await store.send('POST /holds', { body: { ...order, amount_decimal: '10.5' } });
    expect(hold.status, hold.text).toBe(201);
    expect(hold.body).toMatchObject({ amount: '1050', amount_decimal: '10.50', asset: 'USD/2' });
    const captured = await store.send(`POST /holds/${hold.word('id')}/capture`, { body: { amount_decimal: '0.50' } });
    expect(captured.body).toMatchObject({ captured: '50' });
  });

  test('scales a payment, its legs, an edit and a refund by the asset of the payment', async () => {
    const { to: _to, ...rest } = order;
    const legs = [
      { to: 'bob', amount_decimal: '9.70' },
      { to: 'fees', amount: '30' },
    ];
    const paid = await store.send('POST /payments', { body: { ...rest, legs, amount_decimal: '10.00', delay: 0 } });
    expect(paid.body).toMatchObject({ amount: '1000', legs: [{ amount: '970' }, { amount: '30' }] });
    await store.run('processor');
    const refund = { body: { amount_decimal: '0.70', from: 'bob' } };
    const refunded = await store.send(`POST /payments/${paid.word('id')}/refund`, refund);
    expect(refunded.body).toMatchObject({
      payment: { status: 'settled', refunded: '70' },
      refunds: [{ amount: '70' }],
    });

    const one = await store.send('POST /payments', { body: { ...order, asset: 'USD/2', amount_decimal: '3' } });
    const edited = await store.send(`PATCH /payments/${one.word('id')}`, { body: { amount_decimal: '4.25' } });
    expect(edited.body).toMatchObject({ amount: '425', amount_decimal: '4.25' });
  });

  test('is read for each payment of a bulk request', async () => {
    const payments = [
      { ...order, amount_decimal: '1.01' },
      { ...order, asset: 'USD/2', amount_decimal: '1.02' },
      { ...order, amount: '103' },
    ];
    const made = await store.send('POST /payments/bulk', { body: { payments } });
    const ids = [0, 1, 2].map((index) => made.word(`data.${index}.id`));
    const amounts = await Promise.all(ids.map(async (id) => (await store.send(`GET /payments/${id}`)).get('amount')));
    expect(amounts).toEqual(['101', '102', '103']);
    const wrong = await store.send('POST /payments/bulk', {
      body: { payments: [payments[0], { ...order, amount_decimal: '1.001' }] },
    });
    expect(problemIn(wrong)).toMatchObject({ code: 'AMOUNT_INVALID', param: 'payments[1].amount_decimal' });
  });

  test('is taken by deposits, schedules, plans and allowances, and by their edits', async () => {
    const deposit = await store.send('POST /accounts/bob/deposit', { body: { amount_decimal: '0.05', asset: 'USD' } });
    expect(deposit.body).toMatchObject({ amount: '5' });

    const rule = { frequency: 'MONTHLY', time: '09:00' };
    const { delay: _delay, ...schedule } = { ...order, rule, steps: [{ from: 2, amount_decimal: '2.50' }] };
    const made = await store.send('POST /schedules', { body: { ...schedule, amount_decimal: '2.25' } });
    expect(made.body).toMatchObject({ amount: '225', steps: [{ from: 2, amount: '250' }] });
    const body = { amount_decimal: '3', steps: [{ from: 3, amount_decimal: '3.10' }] };
    const edited = await store.send(`PATCH /schedules/${made.word('id')}`, { body });
    expect(edited.body).toMatchObject({ amount: '300', steps: [{ from: 3, amount: '310' }] });

    const plan = { name: 'Premium', asset: 'USD', receiver: 'bob', period: { frequency: 'MONTHLY' }, months: 12 };
    const sold = await store.send('POST /plans', { body: { ...plan, price_decimal: '12.50' } });
    expect(sold.body).toMatchObject({ price: '1250' });
    const dearer = await store.send(`PATCH /plans/${sold.word('id')}`, { body: { price_decimal: '13' } });
    expect(dearer.body).toMatchObject({ price: '1300' });

    const allowance = { asset: 'USD', frequency: 'WEEKLY', status: 'ON' };
    const path = '/guardians/alice/allowances/child';
    const given = await store.send(`POST ${path}`, { body: { ...allowance, amount_decimal: '5.00' } });
    expect(given.body).toMatchObject({ amount: '500', amount_decimal: '5.00' });
    const raised = await store.send(`PATCH ${path}`, { body: { amount_decimal: '6.5' } });
    expect(raised.body).toMatchObject({ amount: '650', amount_decimal: '6.50' });
  });

  test.each([
    ['more decimals than the asset has', { amount_decimal: '1.005' }, 'AMOUNT_INVALID', 'amount_decimal'],
    ['decimals of an asset without', { amount_decimal: '1.0', asset: 'ROBUX' }, 'AMOUNT_INVALID', 'amount_decimal'],
    ['a JSON number', { amount_decimal: 1.5 }, 'AMOUNT_INVALID', 'amount_decimal'],
    ['zero', { amount_decimal: '0.00' }, 'AMOUNT_NOT_POSITIVE', 'amount_decimal'],
    ['too much', { amount_decimal: '92233720368547758.08' }, 'AMOUNT_TOO_LARGE', 'amount_decimal'],
    ['both fields', { amount_decimal: '1.50', amount: '150' }, 'FIELD_INVALID', 'amount_decimal'],
    ['neither field', {}, 'FIELD_INVALID', 'amount'],
    ['an unknown asset', { amount_decimal: '1.50', asset: 'EUR' }, 'ASSET_NOT_FOUND', 'asset'],
    ['another scale', { amount_decimal: '1.505', asset: 'USD/3' }, 'ASSET_NOT_FOUND', 'asset'],
  ])('is refused with %s', async (_what, body, code, param) => {
    for (const path of ['/holds', '/payments']) {
      expect(problemIn(await store.send(`POST ${path}`, { body: { ...order, ...body } }))).toMatchObject({
        code,
        param,
      });
    }
  });

  test('leaves the books in order', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});

/** The fields of a body and of every object inside it. */
function bodiesIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: Record<string, unknown> };
  return [...(properties ? [properties] : []), ...Object.values(schema).flatMap((inner) => bodiesIn(inner))];
}
