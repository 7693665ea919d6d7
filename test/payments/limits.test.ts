// Limits: what one payment may be, for an account or a tenant, and what an account may send in 24 hours.
import { describe, expect, test } from 'vitest';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, testTenant } from '../support/test-clock.ts';

describe('limits', () => {
  const store = useUsance({ poolSize: 20 });
  const create = (from: string, amount: number, fields: Partial<PaymentOrder> = {}) =>
    store.tenant.createPayment({ from, to: 'payee', asset: 'USD', amount, ...fields, idempotencyKey: key() });
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);
  /** Makes an account whose daily limit is 100. */
  const limited = async (ref: string, dailyAmount = 100): Promise<void> => {
    await open(store.tenant, { [ref]: 10_000 });
    await store.tenant.setLimit({ account: ref, asset: 'USD', dailyAmount });
  };
  /** Lets an hour of the account's spending pass. */
  const hoursLater = async (ref: string, hours: number): Promise<void> => {
    const { id } = await store.tenant.account(ref);
    await store.owner.query(
      `with limits as (
         update usance.payment_limits set daily_since = daily_since - make_interval(hours => $2::int) where account_id = $1::uuid)
       update usance.spend_buckets set hour = hour - make_interval(hours => $2::int) where account_id = $1::uuid`,
      [id, hours],
    );
  };

  test("a payment over its account's limit is refused, and so is editing one beyond it", async () => {
    await open(store.tenant, { payee: 0, capped: 1_000, free: 1_000 });
    await store.tenant.setLimit({ account: 'capped', asset: 'USD', maxAmount: 50 });
    expect(await refused(() => create('capped', 51))).toBe('LIMIT_AMOUNT_EXCEEDED');
    expect(await refused(() => create('capped', 51, { funding: 'at_execution' }))).toBe('LIMIT_AMOUNT_EXCEEDED');
    const made = await create('capped', 50, { delay: '1h' });
    expect(await refused(() => store.tenant.editPayment(made.id, { amount: 51 }))).toBe('LIMIT_AMOUNT_EXCEEDED');
    expect(await store.tenant.editPayment(made.id, { amount: 49 })).toMatchObject({ amount: 49n });
    await create('free', 51);
    await store.tenant.setLimit({ account: 'capped', asset: 'USD', maxAmount: null });
    await create('capped', 51);
  });

  test("a payment over its tenant's limit is refused, whoever pays; the smaller limit holds", async () => {
    await open(store.tenant, { 'capped-too': 1_000 });
    await store.tenant.setLimit({ asset: 'USD', maxAmount: 500 });
    await store.tenant.setLimit({ account: 'capped-too', asset: 'USD', maxAmount: 700 });
    expect(await refused(() => create('free', 501))).toBe('LIMIT_AMOUNT_EXCEEDED');
    expect(await refused(() => create('capped-too', 501))).toBe('LIMIT_AMOUNT_EXCEEDED');
    await create('capped-too', 500);
    await store.tenant.setLimit({ asset: 'USD', maxAmount: null });
    expect(await refused(() => create('capped-too', 701))).toBe('LIMIT_AMOUNT_EXCEEDED');
  });

  test('a limit that is not named stays as it was', async () => {
    await limited('both');
    await store.tenant.setLimit({ account: 'both', asset: 'USD', maxAmount: 60 });
    await create('both', 60);
    expect(await refused(() => create('both', 61))).toBe('LIMIT_AMOUNT_EXCEEDED');
    expect(await refused(() => create('both', 50))).toBe('LIMIT_DAILY_EXCEEDED');
    await store.tenant.setLimit({ account: 'both', asset: 'USD', dailyAmount: null });
    await create('both', 50);
    expect(await refused(() => create('both', 61))).toBe('LIMIT_AMOUNT_EXCEEDED');
  });

  test('a limit of nonsense is refused', async () => {
    const set = (limit: Parameters<typeof store.tenant.setLimit>[0]) => refused(() => store.tenant.setLimit(limit));
    expect(await set({ asset: 'USD', dailyAmount: 5 })).toBe('FIELD_INVALID');
    expect(await set({ account: 'fees', asset: 'USD', dailyAmount: 5 })).toBe('ACCOUNT_STATE_CONFLICT');
    expect(await set({ account: 'nobody', asset: 'USD', dailyAmount: 5 })).toBe('ACCOUNT_NOT_FOUND');
    expect(await set({ asset: 'GBP', maxAmount: 5 })).toBe('ASSET_NOT_FOUND');
    expect(await set({ asset: 'USD', maxAmount: 0 })).toBe('AMOUNT_NOT_POSITIVE');
  });

  test('what an account sends in 24 hours is counted when it is reserved', async () => {
    await limited('daily');
    await create('daily', 60, { delay: '48h' });
    await create('daily', 40, { delay: '1h' });
    expect(await refused(() => create('daily', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    await testProcessor(store.db).drain();
    expect(await refused(() => create('daily', 1))).toBe('LIMIT_DAILY_EXCEEDED');
  });

  test('it is counted by the hour, and free again when the hour lies wholly before the last 24', async () => {
    await limited('hourly');
    await create('hourly', 60);
    await hoursLater('hourly', 12);
    await create('hourly', 40);
    expect(await refusalOf(create('hourly', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    await hoursLater('hourly', 12);
    expect(await refusalOf(create('hourly', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    await hoursLater('hourly', 1);
    await create('hourly', 60);
    expect(await refusalOf(create('hourly', 1))).toBe('LIMIT_DAILY_EXCEEDED');
  });

  test('a cancel gives back what was not captured', async () => {
    await limited('giver');
    const whole = await create('giver', 60, { delay: '1h' });
    const part = await create('giver', 40, { delay: '1h' });
    await store.tenant.capturePayment(part.id, { amount: 10, idempotencyKey: key() });
    await store.tenant.cancelPayment(whole.id);
    await store.tenant.cancelPayment(part.id);
    expect(await refused(() => create('giver', 91))).toBe('LIMIT_DAILY_EXCEEDED');
    await create('giver', 90);
  });

  test('what fails or expires was not sent: it is given back, and counted again when it is retried', async () => {
    await limited('unlucky');
    const delay = '1h';
    const failed = await create('unlucky', 60, { delay });
    await store.tenant.failPayment(failed.id, 'for the test');
    const second = await create('unlucky', 100, { delay });
    expect(await refused(() => store.tenant.retryPayment(failed.id))).toBe('LIMIT_DAILY_EXCEEDED');
    await store.tenant.cancelPayment(second.id);
    await store.tenant.retryPayment(failed.id);
    expect(await refused(() => create('unlucky', 41))).toBe('LIMIT_DAILY_EXCEEDED');
    await store.tenant.cancelPayment(failed.id);

    const expiring = await create('unlucky', 100, { delay: 1, expiresAt: new Date(Date.now() + 60_000) });
    await store.tenant.suspendAccount('payee', 'for the test');
    await testProcessor(store.db).drainAfter(120_000);
    await store.tenant.reactivateAccount('payee', 'for the test');
    expect(await store.tenant.payment(expiring.id)).toMatchObject({ status: 'expired' });
    await create('unlucky', 100, { delay });
  });

  test('giving back what was set aside before there was a limit takes nothing off the count', async () => {
    await open(store.tenant, { early: 10_000 });
    const [before, lowered] = [await create('early', 100, { delay: '1h' }), await create('early', 90, { delay: '1h' })];
    await store.tenant.setLimit({ account: 'early', asset: 'USD', dailyAmount: 100 });
    await create('early', 100);
    await store.tenant.cancelPayment(before.id);
    await store.tenant.editPayment(lowered.id, { amount: 1 });
    expect(await refused(() => create('early', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    // Another amount of the limit does not begin a new count.
    await store.tenant.setLimit({ account: 'early', asset: 'USD', dailyAmount: 110 });
    const counted = await create('early', 10, { delay: '1h' });
    await store.tenant.setLimit({ account: 'early', asset: 'USD', dailyAmount: 120 });
    await store.tenant.cancelPayment(counted.id);
    await create('early', 20);
    expect(await refused(() => create('early', 1))).toBe('LIMIT_DAILY_EXCEEDED');
  });

  test('an edit counts the difference', async () => {
    await limited('editor');
    const payment = await create('editor', 50, { delay: '1h' });
    expect(await refused(() => store.tenant.editPayment(payment.id, { amount: 101 }))).toBe('LIMIT_DAILY_EXCEEDED');
    await store.tenant.editPayment(payment.id, { amount: 100 });
    expect(await refused(() => create('editor', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    await store.tenant.editPayment(payment.id, { amount: 30 });
    await create('editor', 70);
    expect(await refused(() => create('editor', 1))).toBe('LIMIT_DAILY_EXCEEDED');
  });

  test('what is given back is taken off where it was counted: when it was retried, or edited to more', async () => {
    const own = await testTenant(store.usance, '2027-03-01T10:30:00Z');
    const { tenant } = own;
    await open(tenant, { payer: 10_000, payee: 0 });
    await tenant.setLimit({ account: 'payer', asset: 'USD', dailyAmount: 100 });
    const make = (amount: number) =>
      tenant.createPayment({ from: 'payer', to: 'payee', asset: 'USD', amount, delay: '96h', idempotencyKey: key() });
    // At the very instant that the limit was set: a test clock stands still.
    await tenant.cancelPayment((await make(100)).id);
    const first = await make(100);
    await tenant.failPayment(first.id, 'for the test');
    await advance(store.usance, own, '2027-03-02T20:30:00Z');
    await tenant.retryPayment(first.id);
    expect(await refusalOf(make(1))).toBe('LIMIT_DAILY_EXCEEDED');
    await tenant.cancelPayment(first.id);
    const edited = await make(60);
    await advance(store.usance, own, '2027-03-02T22:30:00Z');
    await tenant.editPayment(edited.id, { amount: 100 });
    expect(await refusalOf(make(1))).toBe('LIMIT_DAILY_EXCEEDED');
    await tenant.cancelPayment(edited.id);
    await make(100);
    expect(await refusalOf(make(1))).toBe('LIMIT_DAILY_EXCEEDED');
  });

  test('a payment that looks for funds at execution is counted then, and waits for the limit like for funds', async () => {
    await limited('later');
    const [first, second] = [
      await create('later', 70, { funding: 'at_execution', priority: 'high' }),
      await create('later', 70, { funding: 'at_execution' }),
    ];
    const processor = testProcessor(store.db);
    await processor.drain();
    expect(await store.tenant.payment(first.id)).toMatchObject({ status: 'settled' });
    expect(await store.tenant.payment(second.id)).toMatchObject({
      status: 'scheduled',
      attempts: 1,
      lastCode: 'LIMIT_DAILY_EXCEEDED',
    });
    expect(await refused(() => create('later', 31))).toBe('LIMIT_DAILY_EXCEEDED');
    await hoursLater('later', 25);
    await processor.drainAfter(61_000);
    expect(await store.tenant.payment(second.id)).toMatchObject({ status: 'settled', attempts: 2 });
  });

  test('within one bulk request the limit is used up in order', async () => {
    await limited('orderly');
    const orders = [60, 50, 40, 1].map((amount) => ({ from: 'orderly', to: 'payee', asset: 'USD', amount }));
    const answers = await store.tenant.createPayments(orders, { idempotencyKey: key() });
    expect(answers.map((answer) => 'payment' in answer)).toEqual([true, false, true, false]);
  });

  test('twenty at once cannot use the last of a limit twice', async () => {
    await limited('racer');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(create('racer', 30))));
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'LIMIT_DAILY_EXCEEDED')).toHaveLength(17);
    expect(await held(store.tenant, 'racer')).toEqual([9_910n, 90n]);
  });

  test('two processors at once cannot use the last of a limit twice', async () => {
    await limited('raced');
    for (let n = 0; n < 20; n += 1) await create('raced', 30, { funding: 'at_execution' });
    await Promise.all([1, 2, 3].map(() => testProcessor(store.db, { batchSize: 2 }).drain()));
    const paid = await store.tenant.payments({ account: 'raced', status: 'settled' });
    expect(paid).toHaveLength(3);
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
