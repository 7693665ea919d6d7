// What can be done to a payment while it waits: edit, extend, cancel, capture, run now, fail.
import { describe, expect, test } from 'vitest';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { pause, liftPause } from '../../src/tenants/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy, refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, MINUTE, testProcessor } from '../support/processor.ts';

describe('a scheduled payment', () => {
  const store = useUsance();
  const processor = () => testProcessor(store.db);
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);
  let count = 0;
  /** A payer with 1,000 and a hold of 100 of it, an hour ahead. */
  const hold = async (fields: Partial<PaymentOrder> = {}) => {
    const payer = `payer-${(count += 1)}`;
    await open(store.tenant, { [payer]: 1_000, ...(count === 1 ? { payee: 0, other: 0 } : {}) });
    const order = { from: payer, to: 'payee', asset: 'USD', amount: 100, delay: '1h', ...fields };
    const { id, executeAt } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    return { payer, id, executeAt };
  };
  const capture = (id: string, amount?: number) =>
    store.tenant.capturePayment(id, { ...(amount ? { amount } : {}), idempotencyKey: key() });

  describe('edited', () => {
    test('to more holds more, to less gives back', async () => {
      const { id, payer } = await hold();
      expect(await store.tenant.editPayment(id, { amount: 300 })).toMatchObject({ amount: 300n, status: 'scheduled' });
      expect(await held(store.tenant, payer)).toEqual([700n, 300n]);
      expect(await store.tenant.editPayment(id, { amount: '40' })).toMatchObject({ amount: 40n });
      expect(await held(store.tenant, payer)).toEqual([960n, 40n]);
      await store.tenant.runPaymentNow(id);
      await processor().drain();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 40n });
      expect(await held(store.tenant, payer)).toEqual([960n, 0n]);
    });

    test('to all that the payer has is allowed, and to one more refused', async () => {
      const { id } = await hold();
      expect(await refused(() => store.tenant.editPayment(id, { amount: 1_001 }))).toBe('FUNDS_INSUFFICIENT');
      expect(await store.tenant.editPayment(id, { amount: 1_000 })).toMatchObject({ amount: 1_000n });
    });

    test('in amount needs no funds where they are looked for at execution', async () => {
      const { id, payer } = await hold({ funding: 'at_execution' });
      await store.tenant.editPayment(id, { amount: 5_000 });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });

    test('in time runs at the new time and not before', async () => {
      const { id } = await hold();
      const executeAt = new Date(Date.now() + 2 * HOUR);
      expect(await store.tenant.editPayment(id, { executeAt: executeAt.toISOString() })).toMatchObject({ executeAt });
      const time = processor();
      await time.drainAfter(90 * MINUTE);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
      await time.drainAfter(31 * MINUTE);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled' });
    });

    test('in metadata keeps everything else', async () => {
      const { id, executeAt } = await hold();
      const edited = await store.tenant.editPayment(id, { metadata: { order: 7 } });
      expect(edited).toMatchObject({ metadata: { order: 7 }, amount: 100n, executeAt });
      expect(await store.tenant.payment(id)).toEqual(edited);
    });

    test.each<[string, object]>([
      ['AMOUNT_NOT_POSITIVE', { amount: 0 }],
      ['AMOUNT_INVALID', { amount: -5 }],
      ['DELAY_OUT_OF_RANGE', { executeAt: new Date(Date.now() + 8 * DAY) }],
      ['DELAY_OUT_OF_RANGE', { executeAt: new Date(Date.now() - HOUR) }],
      ['DELAY_INVALID', { executeAt: 'tomorrow' }],
      ['FIELD_INVALID', { metadata: { text: '\0' } }],
    ])('is refused with %s for %s', async (code, edit) => {
      const { id } = await hold();
      expect(await refused(() => store.tenant.editPayment(id, edit))).toBe(code);
    });

    test('cannot be moved beyond its expiry', async () => {
      const { id } = await hold({ expiresAt: new Date(Date.now() + 2 * HOUR) });
      const executeAt = new Date(Date.now() + 3 * HOUR);
      expect(await refused(() => store.tenant.editPayment(id, { executeAt }))).toBe('EXPIRY_BEFORE_EXECUTION');
    });

    test('keeps its amount once a part was captured', async () => {
      const { id } = await hold();
      await capture(id, 10);
      expect(await refused(() => store.tenant.editPayment(id, { amount: 50 }))).toBe('PAYMENT_STATE_CONFLICT');
      expect(await store.tenant.editPayment(id, { metadata: { a: 1 } })).toMatchObject({ captured: 10n });
    });

    test('keeps its amount when it has legs', async () => {
      const legs = [
        { to: 'payee', amount: 90 },
        { to: 'other', amount: 10 },
      ];
      const payer = (await hold()).payer;
      const order = { from: payer, legs, asset: 'USD', amount: 100, delay: '1h', idempotencyKey: key() };
      const { id } = await store.tenant.createPayment(order);
      expect(await refused(() => store.tenant.editPayment(id, { amount: 50 }))).toBe('LEGS_INVALID');
    });

    test('gets no more from a suspended payer', async () => {
      const { id, payer } = await hold();
      await store.tenant.suspendAccount(payer, 'look into it');
      expect(await refused(() => store.tenant.editPayment(id, { amount: 150 }))).toBe('ACCOUNT_NOT_ACTIVE');
      expect(await store.tenant.editPayment(id, { amount: 50 })).toMatchObject({ amount: 50n });
    });
  });

  describe('extended', () => {
    test('may expire later, sooner, or for the first time', async () => {
      const { id } = await hold();
      for (const hours of [5, 9, 3]) {
        const expiresAt = new Date(Date.now() + hours * HOUR);
        expect(await store.tenant.extendPayment(id, expiresAt)).toMatchObject({ expiresAt });
      }
    });

    test('never expires before it runs', async () => {
      const { id, executeAt } = await hold();
      const extend = (to: Date | string) => refused(() => store.tenant.extendPayment(id, to));
      expect(await extend(executeAt)).toBe('EXPIRY_BEFORE_EXECUTION');
      expect(await extend(new Date(0))).toBe('EXPIRY_BEFORE_EXECUTION');
      expect(await extend('whenever')).toBe('DELAY_INVALID');
    });

    test('after a failed try is tried again up to the new expiry', async () => {
      const expiresAt = new Date(Date.now() + HOUR + 30_000);
      const { id } = await hold({ funding: 'at_execution', amount: 5_000, expiresAt });
      const time = processor();
      await time.drainAfter(HOUR);
      await store.tenant.extendPayment(id, new Date(Date.now() + 9 * HOUR));
      await time.drainAfter(31_000);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 2 });
    });
  });

  describe('cancelled', () => {
    test('gives back everything and is never executed', async () => {
      const { id, payer } = await hold();
      const cancelled = await store.tenant.cancelPayment(id, { reason: 'changed my mind' });
      expect(cancelled).toMatchObject({ status: 'cancelled', captured: 0n, released: 100n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
      await processor().drainAfter(2 * HOUR);
      expect(await store.tenant.payment(id)).toEqual(cancelled);
    });

    test('after a capture ends settled, with its rest given back', async () => {
      const { id, payer } = await hold();
      await capture(id, 30);
      expect(await store.tenant.cancelPayment(id)).toMatchObject({ status: 'settled', captured: 30n, released: 70n });
      expect(await held(store.tenant, payer)).toEqual([970n, 0n]);
    });

    test('works while its payer is suspended and while the tenant is paused: nothing leaves', async () => {
      const { id, payer } = await hold();
      const everything = { tenantId: store.tenant.id, scope: 'tenant', value: '', actor: 'me' } as const;
      await store.db.transaction((tx) => pause(tx, { ...everything, reason: 'test' }));
      await store.tenant.suspendAccount(payer, 'look into it');
      expect(await store.tenant.cancelPayment(id)).toMatchObject({ status: 'cancelled' });
      await store.db.transaction((tx) => liftPause(tx, everything));
    });

    test('without reserved funds releases nothing', async () => {
      const { id, payer } = await hold({ funding: 'at_execution' });
      expect(await store.tenant.cancelPayment(id)).toMatchObject({ status: 'cancelled', released: 0n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    });

    test('needs a reason that can be kept, if one is given', async () => {
      const { id } = await hold();
      for (const reason of ['\0', '\ud800', 'x'.repeat(1_001)])
        expect(await refused(() => store.tenant.cancelPayment(id, { reason }))).toBe('FIELD_INVALID');
    });
  });

  describe('captured', () => {
    test('whole is settled', async () => {
      const { id, payer } = await hold();
      expect(await capture(id)).toMatchObject({ status: 'settled', captured: 100n, captures: 1 });
      await processor().drainAfter(2 * HOUR);
      expect(await held(store.tenant, payer)).toEqual([900n, 0n]);
    });

    test('in parts stays scheduled until the last, which settles it', async () => {
      const { id, payer } = await hold();
      expect(await capture(id, 30)).toMatchObject({ status: 'scheduled', captured: 30n, captures: 1 });
      expect(await capture(id, 30)).toMatchObject({ status: 'scheduled', captured: 60n, captures: 2 });
      expect(await held(store.tenant, payer)).toEqual([900n, 40n]);
      expect(await refused(() => capture(id, 41))).toBe('CAPTURE_EXCEEDS_HOLD');
      expect(await capture(id, 40)).toMatchObject({ status: 'settled', captured: 100n, captures: 3 });
      const transfers = await store.tenant.transfers(payer);
      expect(transfers.filter(({ paymentId }) => paymentId === id).map(({ amount, kind }) => [amount, kind])).toEqual([
        [40n, 'capture'],
        [30n, 'capture'],
        [30n, 'capture'],
      ]);
    });

    test('in part settles its rest at its hour', async () => {
      const { id, payer } = await hold();
      await capture(id, 30);
      await processor().drainAfter(HOUR + 1_000);
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 100n });
      expect(await held(store.tenant, payer)).toEqual([900n, 0n]);
      const [rest] = await store.tenant.transfers(payer);
      expect(rest).toMatchObject({ amount: 70n, kind: 'settlement' });
    });

    test('is refused for nothing, for less, and for what was not reserved', async () => {
      const { id } = await hold();
      expect(await refused(() => store.tenant.capturePayment(id, { amount: 0, idempotencyKey: key() }))).toBe(
        'AMOUNT_NOT_POSITIVE',
      );
      expect(await refused(() => capture(id, 101))).toBe('CAPTURE_EXCEEDS_HOLD');
      const later = await hold({ funding: 'at_execution' });
      expect(await refused(() => capture(later.id))).toBe('PAYMENT_STATE_CONFLICT');
    });

    test('of what was not reserved is refused for that, also while payments are paused', async () => {
      const { id } = await hold({ funding: 'at_execution' });
      await store.tenant.pause('tenant', '', 'test');
      // PAUSED would promise that the same request succeeds later.
      expect(await refused(() => capture(id))).toBe('PAYMENT_STATE_CONFLICT');
      await store.tenant.liftPause('tenant', '');
    });

    test('is refused while its payer is suspended, and while the tenant, asset or rail is paused', async () => {
      const { id, payer } = await hold();
      await store.tenant.suspendAccount(payer, 'look into it');
      expect(await refused(() => capture(id, 1))).toBe('ACCOUNT_NOT_ACTIVE');
      await store.tenant.reactivateAccount(payer, 'fine');
      for (const [scope, value] of [
        ['tenant', ''],
        ['asset', 'USD/2'],
        ['rail', 'ledger'],
      ] as const) {
        const paused = { tenantId: store.tenant.id, scope, value, actor: 'me' };
        await store.db.transaction((tx) => pause(tx, { ...paused, reason: 'test' }));
        expect(await refused(() => capture(id, 1))).toBe('PAUSED');
        await store.db.transaction((tx) => liftPause(tx, paused));
      }
      expect(await capture(id, 1)).toMatchObject({ captured: 1n });
    });
  });

  describe('run now', () => {
    test('is due at once, and its terms stay', async () => {
      const { id, executeAt } = await hold();
      expect(await store.tenant.runPaymentNow(id)).toMatchObject({ status: 'scheduled', executeAt });
      await processor().run();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled' });
    });

    test('by an empty filter is refused, whatever it leaves open', async () => {
      const { id } = await hold({ delay: '100h' });
      for (const filter of [{}, { retries: false }, { account: undefined }, { status: 'scheduled' }])
        expect(
          await refused(() => store.tenant.runPaymentsNow(filter as object, { limit: 1_000 })),
          JSON.stringify(filter),
        ).toBe('FIELD_INVALID');
      await processor().drain();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled' });
    });

    test('takes 1,000, those first that are due first, and says how many remain; retries can be had alone', async () => {
      const { id, payer } = await hold();
      await store.tenant.cancelPayment(id);
      const order = { from: payer, to: 'other', asset: 'USD', amount: 5_000_000, funding: 'at_execution' } as const;
      const orders = Array.from({ length: 1_003 }, (_, n) => ({ ...order, delay: 7_200 - n }));
      await store.tenant.createPayments(orders, { idempotencyKey: key() });
      const { payments, remaining } = await store.tenant.runPaymentsNow({ account: payer }, { dryRun: true });
      expect([payments.length, remaining]).toEqual([1_000, 3]);
      const instants = payments.map(({ executeAt }) => executeAt.getTime());
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
      expect(await store.tenant.runPaymentsNow({ account: payer, retries: true }, { expect: 0 })).toEqual({
        payments: [],
        refused: [],
        found: 0,
        remaining: 0,
      });
      const failing = await store.tenant.createPayment({ ...order, delay: 0, idempotencyKey: key() });
      await processor().run();
      const retried = await store.tenant.runPaymentsNow({ account: payer, retries: true }, { expect: 1 });
      expect(retried.payments.map((payment) => payment.id)).toEqual([failing.id]);
      expect(await store.tenant.runPaymentsNow({ account: payer, charges: true }, { expect: 0 })).toMatchObject({
        payments: [],
      });
    });

    test('by a filter takes what the filter finds, and a dry run only tells', async () => {
      const mine = await hold();
      const another = await hold();
      const order = { from: mine.payer, to: 'other', asset: 'USD', amount: 1, delay: '1h', idempotencyKey: key() };
      const second = await store.tenant.createPayment(order);
      const filter = { account: mine.payer };
      let told: string[] = [];
      const changed = await changedBy(store.owner, store.tenant.id, async () => {
        told = (await store.tenant.runPaymentsNow(filter, { dryRun: true })).payments.map(({ id }) => id);
      });
      expect(changed).toEqual([]);
      expect(told.toSorted()).toEqual([mine.id, second.id].toSorted());
      expect((await store.tenant.runPaymentsNow(filter, { expect: 2 })).payments.map(({ id }) => id)).toEqual(told);
      await processor().drain();
      expect(await store.tenant.payment(mine.id)).toMatchObject({ status: 'settled' });
      expect(await store.tenant.payment(second.id)).toMatchObject({ status: 'settled' });
      expect(await store.tenant.payment(another.id)).toMatchObject({ status: 'scheduled' });
      expect(await store.tenant.runPaymentsNow(filter, { expect: 0 })).toEqual({
        payments: [],
        refused: [],
        found: 0,
        remaining: 0,
      });
      expect(await refused(() => store.tenant.runPaymentsNow({ account: 'nobody' }, { limit: 1 }))).toBe(
        'ACCOUNT_NOT_FOUND',
      );
    });
  });

  describe('failed by hand', () => {
    test('gives back what it held and rests as a dead letter with its reason', async () => {
      const { id, payer } = await hold();
      expect(await store.tenant.failPayment(id, 'the shop is gone')).toMatchObject({
        status: 'failed',
        released: 100n,
        lastCode: 'FAILED_BY_OPERATOR',
        lastDetail: 'the shop is gone',
      });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
      const letters = await store.tenant.deadLetters();
      expect(letters.find((letter) => letter.id === id)).toMatchObject({ amount: 100n, code: 'FAILED_BY_OPERATOR' });
    });

    test('needs a reason', async () => {
      const { id } = await hold();
      for (const reason of ['', '  ', '\0'])
        expect(await refused(() => store.tenant.failPayment(id, reason))).toBe('FIELD_INVALID');
    });
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
