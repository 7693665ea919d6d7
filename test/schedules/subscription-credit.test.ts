// Credit of a subscription: granted by a change of plan at once, used by charges that are paid or open, given back by charges that
// end unpaid, and taken back by a refund of the charge that had paid for it.
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { PlanOrder } from '../../src/schedules/index.ts';
import { key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { doneOrWaiting } from '../support/race.ts';
import { refusedFor } from '../support/refusal.ts';
import { START, drive } from '../support/test-clock.ts';
import type { Member } from './member.ts';
import { memberOf } from './member.ts';

const heard: string[] = [];
const store = useUsance({ onStatement: (text) => void heard.push(text) });

/** Half of January is over: half of what was paid is left. */
const HALF = 15.5 * DAY;
/** After the next charge, of 16 February, and its attempts. */
const SECOND = 50 * DAY;
const THIRD = 80 * DAY;

interface Credited extends Member {
  /** The first charge, of 30.00. */
  readonly first: string;
  fund(amount: number): Promise<void>;
  refund(payment: string, amount?: number): Promise<string>;
}

/** 30.00 were paid for January, and in the middle of it the plan became one of 10.00: 5.00 of credit are open. */
async function credited(terms: Partial<PlanOrder> = {}, funds = 1_000_000): Promise<Credited> {
  const own = await memberOf(store.usance, { price: 3_000 }, START, funds);
  await own.to(HALF);
  const first = (await own.now()).lastPaymentId ?? '';
  await own.change(await own.plan({ afterFailure: 'pause', ...terms }), 'charge');
  expect(await own.now()).toMatchObject({ credit: 500n });
  return {
    ...own,
    first,
    fund: async (amount) =>
      void (await own.tenant.deposit({ account: 'ann', asset: 'USD', amount, idempotencyKey: key() })),
    refund: (payment, amount) =>
      refusedFor(
        own.tenant.refundPayment(payment, { ...(amount === undefined ? {} : { amount }), idempotencyKey: key() }),
      ),
  };
}

const lastOf = async (own: Member): Promise<string> => (await own.now()).lastPaymentId ?? '';

describe('a charge that ends unpaid gives its credit back', () => {
  test('where it failed for good', async () => {
    const own = await credited({}, 3_000);
    await own.to(SECOND);
    expect(await own.now()).toMatchObject({ status: 'past_due', credit: 500n });
    await own.fund(10_000);
    await own.tenant.resumeSubscription(own.id);
    await own.to(THIRD);
    expect(await own.charged()).toEqual(['2027-01-01 3000', '2027-02-16 500', '2027-03-16 500']);
    expect(await own.now()).toMatchObject({ credit: 0n, paid: 3_500n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('where it is the first of the dearer plan, and the subscription expired', async () => {
    const own = await memberOf(store.usance, {}, START, 1_000);
    await own.to(HALF);
    await own.change(await own.plan({ price: 9_000, afterFailure: 'expire' }), 'charge');
    expect(await own.now()).toMatchObject({ credit: 0n });
    await own.to(HALF + DAY);
    expect(await own.now()).toMatchObject({ status: 'expired', credit: 500n });
  });

  test.each([
    ['cancelled', (own: Member, id: string) => own.tenant.cancelPayment(id)],
    ['failed by hand', (own: Member, id: string) => own.tenant.failPayment(id, 'a look at it')],
  ] as const)('where it was %s', async (_, end) => {
    const own = await credited({}, 3_000);
    await own.to(46.5 * DAY + MINUTE);
    expect(await own.now()).toMatchObject({ chargesMade: 2, credit: 0n });
    await end(own, await lastOf(own));
    expect(await own.now()).toMatchObject({ credit: 500n });
  });

  test('also after a further change of plan', async () => {
    const own = await credited({}, 3_000);
    await own.to(46.5 * DAY + MINUTE);
    const open = await lastOf(own);
    expect(await own.change(await own.plan({ price: 700, afterFailure: 'pause' }))).toMatchObject({ credit: 0n });
    await own.tenant.failPayment(open, 'a look at it');
    expect(await own.now()).toMatchObject({ credit: 500n });
    await own.fund(10_000);
    await own.to(SECOND);
    await own.tenant.resumeSubscription(own.id);
    await own.to(THIRD);
    expect((await own.charged()).at(-1)).toBe('2027-03-16 200');
    expect(await own.now()).toMatchObject({ credit: 0n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('and is not retried once a later charge has used that credit', async () => {
    const own = await credited({}, 3_000);
    await own.to(SECOND);
    const failed = await lastOf(own);
    await own.fund(10_000);
    await own.tenant.retryPayment(failed);
    expect(await own.now()).toMatchObject({ credit: 0n });
    await own.tenant.failPayment(failed, 'a look at it');
    await own.tenant.resumeSubscription(own.id);
    await own.to(THIRD);
    expect(await own.now()).toMatchObject({ credit: 0n, paid: 3_500n });
    expect(await refusedFor(own.tenant.retryPayment(failed))).toBe('PAYMENT_OWNED/credit_used');
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('a retried dead letter of a subscription', () => {
  /** The charge of 16 February, refused by a limit. */
  async function refused(terms: Partial<PlanOrder> = {}): Promise<Credited & { readonly letter: string }> {
    const own = await credited(terms);
    await own.tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount: 100 });
    await own.to(SECOND);
    const [letter] = await own.tenant.deadLetters({ kind: 'occurrence' });
    expect(letter).toMatchObject({ amount: 500n });
    expect(await own.now()).toMatchObject({ status: 'past_due', credit: 500n });
    await own.tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount: null });
    return { ...own, letter: letter?.id ?? '' };
  }

  test('charges the price less the credit that is open', async () => {
    const own = await refused();
    await own.tenant.retryDeadLetter(own.letter);
    await own.to(SECOND + HOUR);
    expect(await own.charged()).toEqual(['2027-01-01 3000', '2027-02-16 500']);
    expect(await own.now()).toMatchObject({ credit: 0n, paid: 3_500n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('charges the price where a later charge used the credit', async () => {
    const own = await refused();
    await own.tenant.resumeSubscription(own.id);
    await own.to(THIRD);
    await own.tenant.retryDeadLetter(own.letter);
    await own.to(THIRD + HOUR);
    expect(await own.charged()).toEqual(['2027-01-01 3000', '2027-02-16 1000', '2027-03-16 500']);
    expect(await own.now()).toMatchObject({ credit: 0n, paid: 4_500n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('charges the price of its slot, not that of a later plan', async () => {
    const own = await refused();
    await own.tenant.resumeSubscription(own.id);
    await own.change(await own.plan({ price: 7_000 }));
    await own.tenant.retryDeadLetter(own.letter);
    expect((await own.charged()).at(-1)).toBe('2027-02-16 500');
  });

  test('pays nothing where the credit covers all of it', async () => {
    const own = await memberOf(store.usance, { price: 1_000, afterFailure: 'pause', trialDays: 1 });
    await own.tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount: 100 });
    await own.to(2 * DAY);
    const [letter] = await own.tenant.deadLetters({ kind: 'occurrence' });
    await own.tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount: null });
    await own.tenant.resumeSubscription(own.id);
    // February is paid with 90.00 in full, and nearly all of it is left.
    await own.change(await own.plan({ price: 9_000 }));
    await own.to(32 * DAY + HOUR);
    await own.change(await own.plan({ price: 1_000 }), 'charge');
    const { credit } = await own.now();
    expect(credit).toBeGreaterThan(7_900n);
    await own.tenant.retryDeadLetter(letter?.id ?? '');
    expect(await own.now()).toMatchObject({ credit: credit - 1_000n });
    expect(await own.tenant.deadLetters()).toEqual([]);
    expect((await own.tenant.occurrences(own.id, { status: 'skipped' })).map(({ reason }) => reason)).toContain(
      'credit',
    );
    await drive(store.usance);
    const told = (await own.tenant.events({}, { limit: 1_000 })).filter(({ type }) => type.endsWith('_retried'));
    expect(told.map(({ data }) => data)).toMatchObject([{ credited: '1000' }]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is refused where a change of plan ended its period', async () => {
    const own = await refused();
    await own.tenant.resumeSubscription(own.id);
    await own.to(SECOND + HOUR);
    await own.change(await own.plan({ price: 7_000 }), 'charge');
    expect(await refusedFor(own.tenant.retryDeadLetter(own.letter))).toBe('SCHEDULE_OF_SUBSCRIPTION/period_ended');
  });
});

describe('a refund of a charge whose unused part became credit', () => {
  test('returns the used part freely, and beyond it takes the open credit', async () => {
    const own = await credited();
    expect(await own.refund(own.first)).toBe('REFUND_EXCEEDS_PAYMENT/credited');
    expect(await own.refund(own.first, 2_001)).toBe('REFUND_EXCEEDS_PAYMENT/credited');
    expect(await own.refund(own.first, 1_500)).toBe('not refused');
    expect(await own.now()).toMatchObject({ credit: 500n });
    expect(await own.refund(own.first, 200)).toBe('not refused');
    expect(await own.now()).toMatchObject({ credit: 300n });
    expect(await own.refund(own.first, 301)).toBe('REFUND_EXCEEDS_PAYMENT/credited');
    await own.to(SECOND);
    expect(await own.charged()).toEqual(['2027-01-01 3000', '2027-02-16 700']);
    expect(await own.now()).toMatchObject({ credit: 0n });
    expect(await own.refund(own.first, 1)).toBe('REFUND_EXCEEDS_PAYMENT/credited');
    // A charge that became no credit is refunded as any payment.
    expect(await own.refund(await lastOf(own))).toBe('not refused');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is bounded by the open credit also once the subscription is cancelled', async () => {
    const own = await credited();
    await own.tenant.cancelSubscription(own.id);
    expect(await own.refund(own.first, 2_001)).toBe('REFUND_EXCEEDS_PAYMENT/credited');
    expect(await own.refund(own.first, 2_000)).toBe('not refused');
    expect(await own.now()).toMatchObject({ credit: 0n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(['active', 'cancelled'] as const)('takes the credit once where two come at once (%s)', async (status) => {
    const own = await credited();
    if (status === 'cancelled') await own.tenant.cancelSubscription(own.id);
    expect(await own.refund(own.first, 1_500)).toBe('not refused');
    const codes = await Promise.all([own.refund(own.first, 400), own.refund(own.first, 400)]);
    expect(codes.toSorted()).toEqual(['REFUND_EXCEEDS_PAYMENT/credited', 'not refused']);
    expect(await own.now()).toMatchObject({ credit: 100n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(['active', 'cancelled'] as const)('waits for one that is under way (%s)', async (status) => {
    const own = await credited();
    // A second charge that became credit: two payments share what is open.
    await own.to(SECOND);
    const second = await lastOf(own);
    await own.change(await own.plan({ price: 100 }), 'charge');
    const { credit } = await own.now();
    expect(credit).toBeGreaterThan(0n);
    if (status === 'cancelled') await own.tenant.cancelSubscription(own.id);
    expect(await own.refund(own.first, 1_500)).toBe('not refused');
    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    await client.query('begin');
    await own.tenant.within(client).refundPayment(own.first, { amount: Number(credit), idempotencyKey: key() });
    const other = own.refund(second);
    await doneOrWaiting(store.owner, other);
    await client.query('commit');
    await client.end();
    expect(await other).toBe('REFUND_EXCEEDS_PAYMENT/credited');
    expect(await own.now()).toMatchObject({ credit: 0n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('and the change of plan that would credit it wait for each other', async () => {
    const own = await memberOf(store.usance, { price: 3_000 });
    await own.to(HALF);
    const plan = await own.plan({ price: 1_000 });
    const first = await lastOf(own);
    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    await client.query('begin');
    await own.tenant.within(client).refundPayment(first, { idempotencyKey: key() });
    const changed = own.change(plan, 'charge');
    await doneOrWaiting(store.owner, changed);
    await client.query('commit');
    await client.end();
    expect(await changed).toMatchObject({ credit: 0n, chargesMade: 2 });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('counts the credit that was taken off it as value that stays', async () => {
    // 5.00 of 10.00 are left, and 25.00 more are paid; those are refunded, and half of the period is left.
    const own = await memberOf(store.usance);
    await own.to(HALF);
    await own.change(await own.plan({ price: 3_000 }), 'charge');
    await own.to(HALF + HOUR);
    await own.tenant.refundPayment(await lastOf(own), { idempotencyKey: key() });
    await own.to(HALF + HALF);
    expect(await own.change(await own.plan({ price: 100 }), 'charge')).toMatchObject({ credit: 150n });
    expect(await troubles(store.usance)).toEqual([]);
  });
});

test('a change at once is refused while a retried charge of the period is open', async () => {
  const own = await memberOf(store.usance, { afterFailure: 'pause' }, START, 0);
  await own.to(DAY);
  const charge = await lastOf(own);
  await own.tenant.resumeSubscription(own.id);
  await own.tenant.retryPayment(charge);
  await own.to(DAY + MINUTE);
  const plan = await own.plan({ price: 100 });
  expect(await refusedFor(own.change(plan, 'charge'))).toBe('SCHEDULE_STATE_CONFLICT/charge_unpaid');
  await own.tenant.failPayment(charge, 'a look at it');
  await own.change(plan, 'charge');
  // Its period is over: nothing is paid for it any more.
  expect(await refusedFor(own.tenant.retryPayment(charge))).toBe('PAYMENT_OWNED/period_ended');
});

test('open credit is looked for only where a plan was changed', async () => {
  const own = await memberOf(store.usance, { price: 3_000 });
  const looks = async (): Promise<number> => {
    heard.length = 0;
    await own.tenant.subscription(own.id);
    await own.tenant.schedules();
    return heard.filter((text) => text.includes('credit_paid')).length;
  };
  await own.to(HALF);
  expect(await looks()).toBe(0);
  await own.change(await own.plan({}), 'charge');
  expect(await looks()).toBe(2);
  expect(await own.now()).toMatchObject({ credit: 500n });
});
