// A subscription that goes over to another plan: from its next charge on, or at once with a credit.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlanOrder } from '../../src/schedules/index.ts';
import { unusedOf } from '../../src/schedules/subscriptions/proration.ts';
import { key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import { START, drive } from '../support/test-clock.ts';
import type { Member } from './member.ts';
import { memberOf } from './member.ts';

const store = useUsance();

const member = (terms: Partial<PlanOrder> = {}, start = START, funds = 1_000_000): Promise<Member> =>
  memberOf(store.usance, terms, start, funds);

describe('without proration', () => {
  test('the new price is charged from the next charge on, on the same day of the month', async () => {
    const own = await member({ charges: 12 }, '2027-01-31T00:00:00Z');
    await own.to(40 * DAY);
    const dearer = await own.plan({ price: 3_000, charges: 2 });
    expect(await own.change(dearer)).toMatchObject({
      planId: dearer,
      price: 3_000n,
      credit: 0n,
      // Two charges so far, and two of the new plan.
      charges: 4,
      approved: 8_000n,
      nextDueAt: new Date('2027-03-31T00:00:00Z'),
    });
    await own.to(200 * DAY);
    expect(await own.charged()).toEqual(['2027-01-31 1000', '2027-02-28 1000', '2027-03-31 3000', '2027-04-30 3000']);
    expect(await own.now()).toMatchObject({ status: 'expired', statusReason: 'approval_used_up', paid: 8_000n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('another period is counted from the next charge', async () => {
    const own = await member();
    await own.to(HOUR);
    await own.change(await own.plan({ price: 300, period: { frequency: 'WEEKLY' } }));
    expect(await own.now()).toMatchObject({
      charges: null,
      approved: null,
      nextDueAt: new Date('2027-02-01T00:00:00Z'),
    });
    await own.to(46 * DAY);
    expect(await own.charged()).toEqual(['2027-01-01 1000', '2027-02-01 300', '2027-02-08 300', '2027-02-15 300']);
    await own.change(await own.plan({ price: 50, charges: 2, period: { everySeconds: 86_400 } }));
    await own.to(60 * DAY);
    expect((await own.charged()).slice(4)).toEqual(['2027-02-22 50', '2027-02-23 50']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('a trial stays one, and ends with a charge of the new plan', async () => {
    const own = await member({ trialDays: 10 });
    expect(await own.change(await own.plan({ price: 700 }))).toMatchObject({ status: 'trialing', price: 700n });
    await own.to(11 * DAY);
    expect(await own.now()).toMatchObject({ status: 'active' });
    expect(await own.charged()).toEqual(['2027-01-11 700']);
  });

  test('an open charge stays what it was, and can still be retried at its price', async () => {
    const own = await member({ afterFailure: 'pause', price: 2_000 }, START, 0);
    await own.change(await own.plan({ price: 500, afterFailure: 'pause' }));
    await own.to(DAY);
    const late = await own.now();
    expect(late).toMatchObject({ status: 'past_due', price: 500n });
    await own.tenant.deposit({ account: 'ann', asset: 'USD', amount: 10_000, idempotencyKey: key() });
    await own.tenant.retryPayment(late.lastPaymentId ?? '', {});
    await own.tenant.resumeSubscription(own.id);
    await own.to(32 * DAY);
    expect(await own.charged()).toEqual(['2027-01-01 2000', '2027-02-01 500']);
    expect(await own.now()).toMatchObject({ paid: 2_500n });
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('at once', () => {
  /** Half of January is over: half of what was paid is left. */
  const HALF = 15.5 * DAY;

  test('the unused part of the period is taken off the first charge of the new plan', async () => {
    const own = await member();
    await own.to(HALF);
    const dearer = await own.plan({ price: 3_000, charges: 3 });
    expect(await own.change(dearer, 'charge')).toMatchObject({
      planId: dearer,
      price: 3_000n,
      credit: 0n,
      charges: 4,
      approved: 10_000n,
      nextDueAt: new Date('2027-02-16T12:00:00Z'),
    });
    await own.to(HALF + MINUTE);
    expect(await own.now()).toMatchObject({ chargesPaid: 2, paid: 3_500n });
    await own.to(120 * DAY);
    expect(await own.charged()).toEqual(['2027-01-01 1000', '2027-01-16 2500', '2027-02-16 3000', '2027-03-16 3000']);
    await drive(store.usance);
    const told = (await own.tenant.events({}, { limit: 1_000 })).filter(({ resource }) => resource === 'subscription');
    expect(told.map(({ type }) => type.slice(13))).toEqual([
      'created',
      'charged',
      'plan_changed',
      'charged',
      'charged',
      'charged',
      'expired',
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('a credit of more than the new price is taken off later charges, and never paid out', async () => {
    const own = await member({ price: 3_000 });
    await own.to(HALF);
    const cheaper = await own.plan({ price: 1_000 });
    expect(await own.change(cheaper, 'charge')).toMatchObject({ credit: 500n, chargesMade: 1 });
    const { lines } = await own.tenant.forecast('ann', { days: 80 });
    expect(lines.map(({ amount }) => amount)).toEqual([-500n, -1_000n]);
    const runs = [await own.tenant.upcoming(own.id, 2), await own.tenant.calendar({ days: 80 })];
    expect(runs.map((each) => each.map(({ amount }) => amount))).toEqual([
      [500n, 1_000n],
      [500n, 1_000n],
    ]);
    await own.to(100 * DAY);
    expect(await own.charged()).toEqual(['2027-01-01 3000', '2027-02-16 500', '2027-03-16 1000']);
    expect(await own.now()).toMatchObject({ credit: 0n, paid: 4_500n });
    expect(await own.tenant.occurrences(own.id, { status: 'skipped' })).toMatchObject([
      { reason: 'credit', amount: 1_000n },
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('there and back again costs the payer nothing that was not used', async () => {
    const own = await member();
    await own.to(HALF);
    const dearer = await own.plan({ price: 3_000 });
    const back = await own.plan({ price: 1_000 });
    await own.change(dearer, 'charge');
    await own.to(HALF + MINUTE);
    await own.change(back, 'charge');
    // 3000 was worth its whole period but a minute; 1000 of it pays for the period that begins.
    const { credit } = await own.now();
    expect(credit).toBeGreaterThan(1_990n);
    expect(credit).toBeLessThanOrEqual(2_000n);
    // Without proration the credit stays.
    expect(await own.change(dearer)).toMatchObject({ credit, price: 3_000n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('a charge that was refunded leaves no credit', async () => {
    const own = await member();
    await own.to(HOUR);
    await own.tenant.refundPayment((await own.now()).lastPaymentId ?? '', { idempotencyKey: key() });
    await own.to(HALF);
    await own.change(await own.plan({ price: 2_000 }), 'charge');
    expect(await own.charged()).toEqual(['2027-01-01 1000', '2027-01-16 2000']);
  });

  test('is refused in a trial: no period runs that was paid', async () => {
    const own = await member({ trialDays: 30 });
    await own.to(DAY);
    expect(await refusedFor(own.change(await own.plan({ price: 2_000 }), 'charge'))).toBe(
      'SCHEDULE_STATE_CONFLICT/no_running_period',
    );
    expect(await own.now()).toMatchObject({ status: 'trialing', chargesMade: 0, price: 1_000n });
  });

  test('nothing is changed where the charge is refused', async () => {
    const own = await member();
    await own.to(HOUR);
    await own.tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount: 1_500 });
    const before = await own.now();
    expect(await refusalOf(own.change(await own.plan({ price: 9_000 }), 'charge'))).toBe('LIMIT_AMOUNT_EXCEEDED');
    expect(await own.now()).toEqual(before);
  });
});

describe('what is refused', () => {
  test('a plan of another receiver or asset, one that is not there, a way that is not known', async () => {
    const own = await member();
    await own.tenant.createAsset('EUR/2');
    for (const terms of [{ receiver: 'other' }, { asset: 'EUR' }])
      expect(await refusedFor(own.change(await own.plan(terms)))).toBe('PLAN_INVALID/other_payee');
    expect(await refusalOf(own.change('01999999-9999-7999-9999-999999999999'))).toBe('PLAN_NOT_FOUND');
    expect(await refusalOf(own.change('x'))).toBe('PLAN_NOT_FOUND');
    expect(await refusalOf(own.change(await own.plan({}), 'refund' as 'none'))).toBe('FIELD_INVALID');
  });

  test('a plan in whose zone the next charge would come before the last one', async () => {
    const daily = { period: { frequency: 'DAILY' } } as const;
    const own = await member({ ...daily, zone: 'Pacific/Kiritimati' });
    await own.to(HOUR);
    const before = await own.now();
    const west = await own.plan({ ...daily, zone: 'Pacific/Niue' });
    expect(await refusedFor(own.change(west))).toBe('PLAN_INVALID/charge_before_last');
    expect(await own.now()).toEqual(before);
  });

  test('a subscription that is not active, is about to end, or has no charge ahead', async () => {
    const own = await member();
    const plan = await own.plan({ price: 5 });
    // The first charge is not paid yet.
    expect(await refusedFor(own.change(plan, 'charge'))).toBe('SCHEDULE_STATE_CONFLICT/charge_unpaid');
    await own.tenant.cancelSubscription(own.id, { at: 'period_end' });
    expect(await refusedFor(own.change(plan))).toBe('SCHEDULE_STATE_CONFLICT/cancellation_scheduled');
    await own.tenant.resumeSubscription(own.id);
    await own.tenant.pauseSubscription(own.id);
    expect(await refusedFor(own.change(plan))).toBe('SCHEDULE_STATE_CONFLICT/wrong_status');
    await own.tenant.cancelSubscription(own.id);
    expect(await refusedFor(own.change(plan))).toBe('SCHEDULE_STATE_CONFLICT/wrong_status');
    const last = await member({ charges: 1 });
    expect(await refusedFor(last.change(await last.plan({})))).toBe('SCHEDULE_STATE_CONFLICT/no_further_charge');
  });

  test('twice with one key is one change; the terms are not rewritten', async () => {
    const own = await member();
    await own.to(HOUR);
    const order = { plan: await own.plan({ price: 2_000 }), proration: 'charge', idempotencyKey: key() } as const;
    const first = await own.tenant.changeSubscriptionPlan(own.id, order);
    expect(await own.tenant.changeSubscriptionPlan(own.id, order)).toEqual(first);
    expect(first.chargesMade).toBe(2);
    await expect(store.owner.query('update usance.subscription_changes set price = 1')).rejects.toThrow('append-only');
  });
});

test('the unused part is the most whole units that the time left is worth', () => {
  const whole = fc.integer({ min: 1, max: 100_000_000 });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), whole, whole, (value, length, gone) => {
      const unused = unusedOf({ value, startMs: 1_000, endMs: 1_000 + length }, 1_000 + gone);
      const [left, all] = [BigInt(Math.max(length - gone, 0)), BigInt(length)];
      expect(unused).toBeGreaterThanOrEqual(0n);
      // As fractions of the period: what is credited is not more than the time left, and one unit more would be.
      expect(unused * all).toBeLessThanOrEqual(value * left);
      expect((unused + 1n) * all).toBeGreaterThan(value * left);
    }),
  );
  expect(unusedOf({ value: 3n, startMs: 0, endMs: 2 }, 1)).toBe(1n);
  expect(unusedOf({ value: 100n, startMs: 0, endMs: 3 }, 1)).toBe(66n);
  expect(unusedOf({ value: 100n, startMs: 0, endMs: 3 }, 4)).toBe(0n);
});
