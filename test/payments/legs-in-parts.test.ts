// A hold with legs that is captured in parts: every payee gets its share of what was captured, by the rule of src/payments/shares.ts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsOf, sharesOf } from '../../src/payments/shares.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { testProcessor } from '../support/processor.ts';

const LEGS = fc
  .array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: 1, maxLength: 10 })
  .map((amounts) => amounts.map((amount, n) => ({ accountId: `payee-${n}`, amount })));
const sum = (legs: readonly { amount: bigint }[]): bigint => legs.reduce((total, leg) => total + leg.amount, 0n);

describe('shares of what was captured', () => {
  test('add up, never exceed a leg, never fall, and are the legs in the end', () => {
    const captures = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(LEGS, captures, (legs, fractions) => {
        const amount = sum(legs);
        const got = new Map(legs.map((leg) => [leg.accountId, 0n]));
        let captured = 0n;
        for (const fraction of [...fractions, 1]) {
          const rest = amount - captured;
          const more = fraction === 1 ? rest : (rest * BigInt(Math.floor(fraction * 2 ** 50))) / 2n ** 50n;
          const parts = partsOf(legs, captured, more);
          expect(sum(parts)).toBe(more);
          for (const part of parts) {
            expect(part.amount).toBeGreaterThan(0n);
            got.set(part.accountId, (got.get(part.accountId) ?? 0n) + part.amount);
          }
          captured += more;
          const shares = sharesOf(legs, captured);
          expect(sum(shares)).toBe(captured);
          expect(shares.map((share) => share.amount)).toEqual(legs.map((leg) => got.get(leg.accountId)));
          expect(shares.every((share, n) => share.amount <= (legs[n]?.amount ?? 0n))).toBe(true);
        }
        expect(sharesOf(legs, amount)).toEqual(legs);
      }),
    );
  });

  test.each([
    [[9_700n, 300n], 4_000n, [3_880n, 120n]],
    [[9_700n, 300n], 50n, [49n, 1n]],
    [[1n, 1n, 1n], 1n, [0n, 1n, 0n]],
    [[1n, 1n, 1n], 2n, [1n, 1n, 0n]],
  ])('of legs %s, %s captured is %s', (amounts, captured, expected) => {
    const legs = amounts.map((amount, n) => ({ accountId: `payee-${n}`, amount }));
    expect(sharesOf(legs, captured).map((leg) => leg.amount)).toEqual(expected);
  });
});

describe('a hold with legs', () => {
  const store = useUsance();
  let count = 0;
  const escrow = async () => {
    const [buyer, seller, fee] = [`buyer-${(count += 1)}`, `seller-${count}`, `fee-${count}`];
    await open(store.tenant, { [buyer]: 10_000, [seller]: 0, [fee]: 0 });
    const legs = [
      { to: seller, amount: 9_700 },
      { to: fee, amount: 300 },
    ];
    const order = { from: buyer, legs, asset: 'USD', amount: 10_000, delay: '1h', idempotencyKey: key() };
    const { id } = await store.tenant.createPayment(order);
    const capture = (amount: number) => store.tenant.capturePayment(id, { amount, idempotencyKey: key() });
    const got = async () => [(await held(store.tenant, seller))[0], (await held(store.tenant, fee))[0]];
    return { id, buyer, seller, fee, capture, got };
  };

  test('is captured in part: each payee gets its share, and the rest settles at its time', async () => {
    const { id, capture, got } = await escrow();
    expect(await capture(1_250)).toMatchObject({ status: 'scheduled', captured: 1_250n, captures: 1 });
    expect(await got()).toEqual([1_213n, 37n]);
    expect(await troubles(store.usance)).toEqual([]);
    await capture(1_250);
    expect(await got()).toEqual([2_425n, 75n]);
    await store.tenant.runPaymentNow(id);
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 10_000n });
    expect(await got()).toEqual([9_700n, 300n]);
  });

  test('cancelled after a part is settled with that part, which can be refunded to the last unit', async () => {
    const { id, buyer, seller, capture, got } = await escrow();
    await capture(4_000);
    expect(await store.tenant.cancelPayment(id)).toMatchObject({
      status: 'settled',
      captured: 4_000n,
      released: 6_000n,
    });
    expect(await got()).toEqual([3_880n, 120n]);
    const refund = (order: { amount?: number; from?: string }) =>
      store.tenant.refundPayment(id, { ...order, idempotencyKey: key() });
    await expect(refund({ from: seller, amount: 3_881 })).rejects.toMatchObject({ code: 'REFUND_EXCEEDS_PAYMENT' });
    await refund({ from: seller, amount: 880 });
    await refund({});
    expect(await got()).toEqual([0n, 0n]);
    expect(await held(store.tenant, buyer)).toEqual([10_000n, 0n]);
  });

  test('captured in part appears in a forecast of its payees with the rest', async () => {
    const { capture, seller, fee } = await escrow();
    await capture(1_250);
    const ahead = async (ref: string) => {
      const { lines } = await store.tenant.forecast(ref);
      return lines.map((line) => line.amount);
    };
    expect([await ahead(seller), await ahead(fee)]).toEqual([[8_487n], [263n]]);
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
