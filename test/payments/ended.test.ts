// What can be done to a payment that is over: refund what was settled, try again what failed.
import { describe, expect, test } from 'vitest';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { HOUR, testProcessor } from '../support/processor.ts';

describe('a payment that is over', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);
  let count = 0;
  /** A payer with 1,000 and fresh payees. */
  const people = async () => {
    const [payer, payee, other] = ['payer', 'payee', 'other'].map((name) => `${name}-${count}`) as [
      string,
      string,
      string,
    ];
    count += 1;
    await open(store.tenant, { [payer]: 1_000, [payee]: 0, [other]: 0 });
    return { payer, payee, other };
  };
  const create = (order: Omit<PaymentOrder, 'asset'>) =>
    store.tenant.createPayment({ asset: 'USD', ...order, idempotencyKey: key() });
  const settled = async (fields: Partial<PaymentOrder> = {}) => {
    const found = await people();
    const { id } = await create({ from: found.payer, to: found.payee, amount: 100, ...fields });
    await testProcessor(store.db).drain();
    return { ...found, id };
  };
  const refund = (id: string, options: { amount?: number; from?: string; reason?: string } = {}) =>
    store.tenant.refundPayment(id, { ...options, idempotencyKey: key() });

  describe('refunded', () => {
    test('whole gives everything back, once', async () => {
      const { id, payer, payee } = await settled();
      const { payment, refunds } = await refund(id, { reason: 'returned' });
      expect(payment).toMatchObject({ status: 'settled', captured: 100n, refunded: 100n });
      expect(refunds).toMatchObject([{ amount: 100n, paymentId: id }]);
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
      expect(await held(store.tenant, payee)).toEqual([0n, 0n]);
      expect((await store.tenant.transfers(payer))[0]).toMatchObject({
        kind: 'refund',
        paymentId: id,
        amount: 100n,
        description: 'returned',
      });
      expect(await refused(() => refund(id))).toBe('REFUND_EXCEEDS_PAYMENT');
      expect(await refused(() => refund(id, { amount: 1 }))).toBe('REFUND_EXCEEDS_PAYMENT');
    });

    test('of what was captured before it failed gives that back, and no more', async () => {
      const { payer, payee } = await people();
      const { id } = await create({ from: payer, to: payee, amount: 100, delay: '1h' });
      await store.tenant.capturePayment(id, { amount: 40, idempotencyKey: key() });
      await store.tenant.failPayment(id, 'the rest is not wanted');
      expect(await refused(() => refund(id, { amount: 41 }))).toBe('REFUND_EXCEEDS_PAYMENT');
      await refund(id, { amount: 30 });
      const { payment } = await refund(id);
      expect(payment).toMatchObject({ status: 'failed', captured: 40n, refunded: 40n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
      // What is left of it can still be tried again.
      expect(await store.tenant.retryPayment(id)).toMatchObject({ status: 'scheduled', refunded: 40n });
      await testProcessor(store.db).drainAfter(HOUR);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 100n, refunded: 40n });
      expect(await held(store.tenant, payer)).toEqual([940n, 0n]);
    });

    test('is stopped by a pause, as everything is that moves money', async () => {
      const { id } = await settled();
      await store.tenant.pause('asset', 'USD', 'the books are being checked');
      expect(await refused(() => refund(id))).toBe('PAUSED');
      await store.tenant.liftPause('asset', 'USD');
      expect(await refund(id)).toMatchObject({ payment: { refunded: 100n } });
    });

    test('in parts never gives back more than was paid', async () => {
      const { id, payer } = await settled();
      await refund(id, { amount: 30 });
      await refund(id, { amount: 30 });
      expect(await refused(() => refund(id, { amount: 41 }))).toBe('REFUND_EXCEEDS_PAYMENT');
      expect(await refund(id)).toMatchObject({ payment: { refunded: 100n }, refunds: [{ amount: 40n }] });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });

    test('after a part of it was captured and the rest cancelled gives back that part', async () => {
      const { payer, payee } = await people();
      const { id } = await create({ from: payer, to: payee, amount: 100, delay: '1h' });
      await store.tenant.capturePayment(id, { amount: 30, idempotencyKey: key() });
      await store.tenant.cancelPayment(id);
      expect(await refused(() => refund(id, { amount: 31 }))).toBe('REFUND_EXCEEDS_PAYMENT');
      expect(await refund(id)).toMatchObject({ payment: { refunded: 30n } });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });

    test('needs the payee to have the funds', async () => {
      const { id, payee } = await settled();
      await store.tenant.withdraw({ account: payee, asset: 'USD', amount: 60, idempotencyKey: key() });
      expect(await refused(() => refund(id))).toBe('FUNDS_INSUFFICIENT');
      expect(await refused(() => refund(id, { amount: 41 }))).toBe('FUNDS_INSUFFICIENT');
      expect(await refund(id, { amount: 40 })).toMatchObject({ payment: { refunded: 40n } });
    });

    test('needs both sides to be active', async () => {
      const { id, payer, payee } = await settled();
      for (const account of [payer, payee]) {
        await store.tenant.suspendAccount(account, 'look into it');
        expect(await refused(() => refund(id))).toBe('ACCOUNT_NOT_ACTIVE');
        await store.tenant.reactivateAccount(account, 'fine');
      }
      expect(await refund(id)).toMatchObject({ payment: { refunded: 100n } });
    });

    test('is refused for nothing, for nobody and for nonsense', async () => {
      const { id, other } = await settled();
      expect(await refused(() => refund(id, { amount: 0 }))).toBe('AMOUNT_NOT_POSITIVE');
      expect(await refused(() => refund(id, { from: 'nobody' }))).toBe('ACCOUNT_NOT_FOUND');
      expect(await refused(() => refund(id, { from: other }))).toBe('LEGS_INVALID');
      expect(await refused(() => refund(id, { reason: '\0' }))).toBe('FIELD_INVALID');
      expect(await refused(() => refund('01a0ffff-0000-7000-8000-000000000000'))).toBe('PAYMENT_NOT_FOUND');
      expect(await refused(() => refund('nonsense'))).toBe('PAYMENT_NOT_FOUND');
    });

    const withLegs = async () => {
      const found = await people();
      const legs = [
        { to: found.payee, amount: 90 },
        { to: found.other, amount: 10 },
      ];
      const { id } = await create({ from: found.payer, legs, amount: 100 });
      await testProcessor(store.db).drain();
      return { ...found, id };
    };

    test('whole takes from every payee its leg', async () => {
      const { id, payer, payee, other } = await withLegs();
      const { refunds } = await refund(id);
      expect(refunds.map(({ amount }) => amount)).toEqual([90n, 10n]);
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
      expect([await held(store.tenant, payee), await held(store.tenant, other)]).toEqual([
        [0n, 0n],
        [0n, 0n],
      ]);
    });

    test('by payee takes no more than its leg, and the whole after it only what is left', async () => {
      const { id, payee, other } = await withLegs();
      expect(await refused(() => refund(id, { amount: 5 }))).toBe('LEGS_INVALID');
      expect(await refused(() => refund(id, { from: other, amount: 11 }))).toBe('REFUND_EXCEEDS_PAYMENT');
      await refund(id, { from: other, amount: 4 });
      expect(await refund(id, { from: other })).toMatchObject({
        payment: { refunded: 10n },
        refunds: [{ amount: 6n }],
      });
      await refund(id, { from: payee, amount: 50 });
      expect(await refund(id)).toMatchObject({ payment: { refunded: 100n }, refunds: [{ amount: 40n }] });
    });

    test('takes from all payees or from none', async () => {
      const { id, other } = await withLegs();
      await store.tenant.withdraw({ account: other, asset: 'USD', amount: 1, idempotencyKey: key() });
      expect(await refused(() => refund(id))).toBe('FUNDS_INSUFFICIENT');
    });

    test('gives back from fees what went to fees', async () => {
      const { payer, payee } = await people();
      const legs = [
        { to: payee, amount: 90 },
        { to: 'fees', amount: 10 },
      ];
      const { id } = await create({ from: payer, legs, amount: 100 });
      await testProcessor(store.db).drain();
      await refund(id);
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });
  });

  describe('retried', () => {
    const failed = async (fields: Partial<PaymentOrder> = {}) => {
      const found = await people();
      const { id } = await create({ from: found.payer, to: found.payee, amount: 100, delay: '1h', ...fields });
      await store.tenant.failPayment(id, 'by mistake');
      return { ...found, id };
    };
    const letterOf = async (id: string) => (await store.tenant.deadLetters()).find((letter) => letter.id === id);

    test('reserves again, leaves the dead letters and is due at its instant', async () => {
      const { id, payer } = await failed();
      expect(await letterOf(id)).toMatchObject({ amount: 100n });
      const retried = await store.tenant.retryPayment(id, { reason: 'try again' });
      expect(retried).toMatchObject({ status: 'scheduled', attempts: 0, released: 0n, endedAt: null });
      expect(await held(store.tenant, payer)).toEqual([900n, 100n]);
      expect(await letterOf(id)).toBeUndefined();
      await testProcessor(store.db).drainAfter(HOUR);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 100n });
      expect(await held(store.tenant, payer)).toEqual([900n, 0n]);
    });

    test('is refused without funds, and stays a dead letter', async () => {
      const { id, payer } = await failed();
      await store.tenant.withdraw({ account: payer, asset: 'USD', amount: 901, idempotencyKey: key() });
      expect(await refused(() => store.tenant.retryPayment(id))).toBe('FUNDS_INSUFFICIENT');
      expect(await letterOf(id)).toBeDefined();
    });

    test('is refused while its payer is suspended', async () => {
      const { id, payer } = await failed();
      await store.tenant.suspendAccount(payer, 'look into it');
      expect(await refused(() => store.tenant.retryPayment(id))).toBe('ACCOUNT_NOT_ACTIVE');
    });

    test('without reserved funds is tried again without asking for them', async () => {
      const { id, payer } = await failed({ funding: 'at_execution' });
      expect(await store.tenant.retryPayment(id)).toMatchObject({ status: 'scheduled' });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });

    test('after a part was captured reserves and pays the rest', async () => {
      const { payer, payee } = await people();
      const { id } = await create({ from: payer, to: payee, amount: 100, delay: '1h' });
      await store.tenant.capturePayment(id, { amount: 30, idempotencyKey: key() });
      expect(await store.tenant.failPayment(id, 'no')).toMatchObject({
        status: 'failed',
        captured: 30n,
        released: 70n,
      });
      expect(await letterOf(id)).toMatchObject({ amount: 70n });
      await store.tenant.retryPayment(id);
      expect(await held(store.tenant, payer)).toEqual([900n, 70n]);
      await testProcessor(store.db).drainAfter(HOUR);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 100n });
      expect(await held(store.tenant, payee)).toEqual([100n, 0n]);
    });

    test('is refused after its expiry: what is still wanted is a new payment', async () => {
      const executeAt = new Date(Date.now() + 30);
      const expiresAt = new Date(Date.now() + HOUR);
      const { payer, payee } = await people();
      const { id } = await create({ from: payer, to: payee, amount: 100, executeAt, expiresAt });
      await store.tenant.failPayment(id, 'no');
      await store.owner.query('alter table usance.payments disable trigger payments_move_legally');
      await store.owner.query(
        `update usance.payments set execute_at = execute_at - interval '1 day', expires_at = expires_at - interval '1 day'
         where id = $1::uuid`,
        [id],
      );
      await store.owner.query('alter table usance.payments enable trigger payments_move_legally');
      expect(await refused(() => store.tenant.retryPayment(id))).toBe('PAYMENT_STATE_CONFLICT');
      expect(await refused(() => store.tenant.retryDeadLetter(id))).toBe('PAYMENT_STATE_CONFLICT');
    });
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
