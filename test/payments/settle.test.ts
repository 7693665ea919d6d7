// What becomes of a payment when its hour has come.
import { describe, expect, test } from 'vitest';
import { RETRY_PRESETS, delayAfterAttempt } from '../../src/kernel/index.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { freeze, held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, SECOND, frozenTime, testProcessor } from '../support/processor.ts';

describe('a due payment', () => {
  const store = useUsance();
  const create = (order: Omit<PaymentOrder, 'asset'>) =>
    store.tenant.createPayment({ asset: 'USD', ...order, idempotencyKey: key() });
  let count = 0;
  const people = async (funds = 1_000) => {
    const [payer, payee] = [`payer-${(count += 1)}`, `payee-${count}`];
    await open(store.tenant, { [payer]: funds, [payee]: 0 });
    return { payer, payee };
  };
  const underfunded = async (fields: Partial<PaymentOrder> = {}) => {
    const { payer, payee } = await people(50);
    const { id } = await create({ from: payer, to: payee, amount: 100, funding: 'at_execution', ...fields });
    return { payer, payee, id };
  };
  const letterOf = async (id: string) => (await store.tenant.deadLetters()).find((letter) => letter.id === id);

  describe.each(Object.entries(RETRY_PRESETS))('with the retry preset %s', (preset, policy) => {
    test('is tried at the times the preset says, and then given up', async () => {
      const { id } = await underfunded({ retry: preset });
      const { executeAt } = await store.tenant.payment(id);
      const processor = testProcessor(store.db, { time: frozenTime(executeAt) });
      for (let attempt = 1; attempt <= policy.maxAttempts; attempt += 1) {
        await processor.drain();
        const delayMs = delayAfterAttempt(policy, attempt);
        const payment = await store.tenant.payment(id);
        expect(payment.attempts).toBe(attempt);
        if (delayMs === null) break;
        const last = (await store.tenant.timeline(id)).at(-1);
        expect(last).toMatchObject({ type: 'payment.attempt_failed', cause: /^FUNDS_INSUFFICIENT: / });
        await processor.drainAfter(delayMs - 1);
        expect(await store.tenant.payment(id), 'not a millisecond early').toEqual(payment);
        processor.advance(1);
      }
      expect(await store.tenant.payment(id)).toMatchObject({
        status: 'failed',
        attempts: policy.maxAttempts,
        lastCode: 'FUNDS_INSUFFICIENT',
      });
      expect(await letterOf(id)).toMatchObject({ amount: 100n, code: 'FUNDS_INSUFFICIENT' });
    });
  });

  test('with a policy of its own is tried by that policy', async () => {
    const retry = { maxAttempts: 3, initialDelayMs: 7_000, multiplier: 3, maxDelayMs: 10_000 };
    const { id } = await underfunded({ retry });
    const processor = testProcessor(store.db);
    await processor.drain();
    await processor.drainAfter(7 * SECOND);
    await processor.drainAfter(10 * SECOND);
    const waits = (await store.tenant.timeline(id))
      .filter(({ type }) => type === 'payment.attempt_failed')
      .map(({ data, at }) => Date.parse(String(data['nextAttemptAt'])) - at.getTime());
    expect(waits).toEqual([7_000, 10_000]);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'failed', attempts: 3 });
  });

  test('gives back what it reserved when it is given up', async () => {
    const { payer, payee } = await people();
    const { id } = await create({ from: payer, to: payee, amount: 100, retry: { maxAttempts: 2 } });
    await store.tenant.suspendAccount(payee, 'look into it');
    const processor = testProcessor(store.db);
    await processor.drain();
    await processor.drainAfter(MINUTE);
    expect(await store.tenant.payment(id)).toMatchObject({
      status: 'failed',
      attempts: 2,
      released: 100n,
      lastCode: 'ACCOUNT_NOT_ACTIVE',
    });
    expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    expect(await letterOf(id)).toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE' });
  });

  test('whose account is suspended settles when it is active again', async () => {
    for (const side of ['payer', 'payee'] as const) {
      const found = await people();
      const { id } = await create({ from: found.payer, to: found.payee, amount: 100 });
      await store.tenant.suspendAccount(found[side], 'look into it');
      const processor = testProcessor(store.db);
      await processor.drain();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 1 });
      expect(await held(store.tenant, found.payer)).toEqual([900n, 100n]);
      await store.tenant.reactivateAccount(found[side], 'fine');
      await processor.drainAfter(MINUTE);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', attempts: 2, lastCode: null });
    }
  });

  test('to or from a closed account fails for good at its first try', async () => {
    const { payer, payee } = await people();
    const { id } = await create({ from: payer, to: payee, amount: 100 });
    await store.tenant.closeAccount(payee, 'gone');
    const { payer: leaver, payee: other } = await people(0);
    const { id: second } = await create({ from: leaver, to: other, amount: 1, funding: 'at_execution' });
    await store.tenant.closeAccount(leaver, 'gone');
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'failed', attempts: 1, released: 100n });
    expect(await store.tenant.payment(second)).toMatchObject({ status: 'failed', attempts: 1 });
    expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
  });

  test.each([
    ['tenant', ''],
    ['asset', 'USD/2'],
    ['rail', 'ledger'],
  ] as const)('waits while its %s is paused, and no attempt is counted', async (scope, value) => {
    const { payer, payee } = await people();
    const { id } = await create({ from: payer, to: payee, amount: 100, expiresAt: new Date(Date.now() + HOUR) });
    await store.tenant.pause(scope, value, 'an incident');
    const processor = testProcessor(store.db);
    for (let n = 0; n < 8; n += 1) await processor.drainAfter(16 * SECOND);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
    await store.tenant.liftPause(scope, value);
    await processor.drainAfter(16 * SECOND);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', attempts: 1 });
  });

  test('waits while its asset is frozen, and no attempt is counted', async () => {
    await store.tenant.createAsset('ICE/0');
    await open(store.tenant, { 'ice-a': 100, 'ice-b': 0 }, 'ICE/0');
    const ids: string[] = [];
    for (const funding of ['reserve', 'at_execution'] as const)
      for (let n = 0; n < 2; n += 1)
        ids.push((await create({ from: 'ice-a', to: 'ice-b', amount: 10, asset: 'ICE', funding } as PaymentOrder)).id);
    await freeze(store.owner, store.tenant.id, 'ICE/0');
    const processor = testProcessor(store.db);
    for (let n = 0; n < 3; n += 1) await processor.drainAfter(16 * SECOND);
    for (const id of ids) expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
    await store.tenant.unfreeze('ICE', 'counted again');
    await processor.drainAfter(16 * SECOND);
    for (const id of ids) expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', attempts: 1 });
  });

  test('fails its first attempts where failures are simulated', async () => {
    const { payer, payee } = await people();
    const { id } = await create({ from: payer, to: payee, amount: 100 });
    const processor = testProcessor(store.db, { simulateFailures: 2 });
    await processor.drain();
    expect(await store.tenant.payment(id)).toMatchObject({ attempts: 1, lastCode: 'SIMULATED_FAILURE' });
    await processor.drainAfter(MINUTE);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 2 });
    await processor.drainAfter(2 * MINUTE);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', attempts: 3 });
  });

  test('never runs into a full balance: it waits and is given up like any other', async () => {
    const { payer, payee } = await people();
    const max = 2n ** 63n - 1n;
    await store.tenant.deposit({ account: payee, asset: 'USD', amount: max - 50n, idempotencyKey: key() });
    const small = await create({ from: payer, to: payee, amount: 40 });
    const large = await create({ from: payer, to: payee, amount: 100, retry: { maxAttempts: 1 } });
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(small.id)).toMatchObject({ status: 'settled' });
    expect(await store.tenant.payment(large.id)).toMatchObject({ status: 'failed', lastCode: 'BALANCE_OVERFLOW' });
    await store.tenant.withdraw({ account: payee, asset: 'USD', amount: max - 50n, idempotencyKey: key() });
  });

  test('of two that no balance could hold together is one settled, and the other waits', async () => {
    const max = 2n ** 63n - 1n;
    await open(store.tenant, { 'rich-1': max, 'rich-2': max, 'rich-payee': 0 });
    const made = [
      await create({ from: 'rich-1', to: 'rich-payee', amount: max }),
      await create({ from: 'rich-2', to: 'rich-payee', amount: max }),
    ];
    await testProcessor(store.db).drain();
    const [first, second] = await Promise.all(made.map(({ id }) => store.tenant.payment(id)));
    expect(first).toMatchObject({ status: 'settled', captured: max });
    expect(second).toMatchObject({ status: 'scheduled', attempts: 1, lastCode: 'BALANCE_OVERFLOW' });
    expect(await held(store.tenant, 'rich-payee')).toEqual([max, 0n]);
  });

  describe('with an expiry', () => {
    const expiring = (inMs: number) => ({ delay: 60, expiresAt: new Date(Date.now() + inMs) });

    test('is not tried any more when its time was missed by all processors', async () => {
      const { payer, payee } = await people();
      const { id } = await create({ from: payer, to: payee, amount: 100, ...expiring(2 * MINUTE) });
      await testProcessor(store.db).drainAfter(HOUR);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired', attempts: 0, captured: 0n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });

    test('expires at its instant after a failed try, although it could be paid by then', async () => {
      const { id, payer } = await underfunded({ ...expiring(90 * SECOND), delay: 1 });
      const processor = testProcessor(store.db);
      await processor.drainAfter(SECOND);
      await processor.drainAfter(MINUTE);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 2 });
      processor.advance(31 * SECOND);
      await store.tenant.deposit({ account: payer, asset: 'USD', amount: 100, idempotencyKey: key() });
      await processor.drain();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired', attempts: 2, captured: 0n });
      expect(await held(store.tenant, payer)).toEqual([150n, 0n]);
    });

    test('gives back what it reserved when it expires', async () => {
      const { payer, payee } = await people();
      const { id } = await create({ from: payer, to: payee, amount: 100, ...expiring(3 * MINUTE) });
      await store.tenant.suspendAccount(payee, 'look into it');
      const processor = testProcessor(store.db);
      await processor.drainAfter(MINUTE);
      expect(await held(store.tenant, payer)).toEqual([900n, 100n]);
      await processor.drainAfter(2 * MINUTE);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired', released: 100n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });

    test('ends settled when a part of it was captured', async () => {
      const { payer, payee } = await people();
      const { id } = await create({ from: payer, to: payee, amount: 100, ...expiring(3 * MINUTE) });
      await store.tenant.capturePayment(id, { amount: 30, idempotencyKey: key() });
      await store.tenant.suspendAccount(payee, 'look into it');
      const processor = testProcessor(store.db);
      await processor.drainAfter(MINUTE);
      await processor.drainAfter(2 * MINUTE);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 30n, released: 70n });
      expect(await held(store.tenant, payer)).toEqual([970n, 0n]);
    });
  });

  describe.each([2, 10])('with %d legs', (size) => {
    const withLegs = async (funding: 'reserve' | 'at_execution') => {
      const { payer } = await people();
      const payees = Array.from({ length: size }, (_, n) => `leg-${count}-${n}`);
      await open(store.tenant, Object.fromEntries(payees.map((ref) => [ref, 0])));
      const legs = payees.map((to, n) => ({ to, amount: n + 1 }));
      const amount = legs.reduce((sum, leg) => sum + leg.amount, 0);
      const { id } = await create({ from: payer, legs, amount, funding });
      const paid = () => Promise.all(payees.map(async (ref) => (await held(store.tenant, ref))[0]));
      return { payer, payees, id, amount, paid, legs };
    };

    test.each(['reserve', 'at_execution'] as const)('pays all of them together (%s)', async (funding) => {
      const { id, paid, legs } = await withLegs(funding);
      await testProcessor(store.db).drain();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled' });
      expect(await paid()).toEqual(legs.map((leg) => BigInt(leg.amount)));
    });

    test.each(['reserve', 'at_execution'] as const)('pays none while one is suspended (%s)', async (funding) => {
      const { id, payer, payees, paid, legs, amount } = await withLegs(funding);
      const last = payees.at(-1) ?? '';
      await store.tenant.suspendAccount(last, 'look into it');
      const processor = testProcessor(store.db);
      await processor.drain();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 1, captured: 0n });
      expect(await paid()).toEqual(legs.map(() => 0n));
      const reserved = funding === 'reserve' ? BigInt(amount) : 0n;
      expect(await held(store.tenant, payer)).toEqual([1_000n - reserved, reserved]);
      await store.tenant.reactivateAccount(last, 'fine');
      await processor.drainAfter(MINUTE);
      expect(await paid()).toEqual(legs.map((leg) => BigInt(leg.amount)));
    });
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
