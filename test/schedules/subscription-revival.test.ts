// What becomes of charges that were missed or refused, and how a subscription goes on after them: never beyond what was approved.
import { describe, expect, test } from 'vitest';
import type { PlanOrder, Subscription } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';
import { scheduleWorld } from './world.ts';

const store = useUsance();
const TERMS = { name: 'Club', price: 1_000, asset: 'USD', receiver: 'club' } as const;
const MONTHLY = { ...TERMS, period: { frequency: 'MONTHLY' }, months: 12 } as const;

interface Club extends TestTenant {
  readonly subscription: Subscription;
}

async function club(terms: Partial<PlanOrder> = {}, funds = 100_000): Promise<Club> {
  const own = await testTenant(store.usance);
  await open(own.tenant, { ann: funds, club: 0 });
  const { id } = await own.tenant.createPlan({ ...MONTHLY, ...terms });
  return { ...own, subscription: await own.tenant.subscribe({ plan: id, payer: 'ann', idempotencyKey: key() }) };
}

describe('charges missed in an outage longer than a period', () => {
  test.each([
    ['all', 6],
    ['last', 2],
    ['skip', 1],
  ] as const)('%s of them are made as the plan says', async (missed, expected) => {
    const now = Date.now();
    const world = scheduleWorld(store, new Date(now).toISOString());
    await open(store.tenant, { [`ann-${missed}`]: 100_000, [`club-${missed}`]: 0 });
    const order = { ...TERMS, receiver: `club-${missed}`, period: { everySeconds: 3_600 }, charges: 12, missed };
    const plan = await store.tenant.createPlan(order);
    expect(plan.missed).toBe(missed);
    const { id } = await store.tenant.subscribe({ plan: plan.id, payer: `ann-${missed}`, idempotencyKey: key() });
    await world.processor.drainAfter(HOUR / 10);
    world.time.advance(5 * HOUR);
    for (let visits = 0; visits < 8; visits += 1) {
      await world.tick();
      world.time.advance(2_000);
      await world.processor.drain();
    }
    expect(await store.tenant.subscription(id)).toMatchObject({ chargesMade: expected, status: 'active' });
    await store.tenant.cancelSubscription(id);
  });

  test('a plan says last where it says nothing, and anything else is refused', async () => {
    const own = await club();
    expect(await own.tenant.plan(own.subscription.planId)).toMatchObject({ missed: 'last' });
    expect(await own.tenant.editPlan(own.subscription.planId, { missed: 'all' })).toMatchObject({ missed: 'all' });
    const other = own.tenant.createPlan({ ...MONTHLY, missed: 'some' as 'all' });
    expect(await refusedFor(other)).toBe('PLAN_INVALID/one_of');
  });
});

describe('a charge that was refused before it became a payment', () => {
  /** In the second month the tenant takes no more than 5 at once. */
  async function refused(): Promise<Club & { letter: string }> {
    const own = await club();
    await own.tenant.setLimit({ asset: 'USD', maxAmount: 5 });
    await advance(store.usance, own, after(32 * DAY));
    expect(await own.tenant.subscription(own.subscription.id)).toMatchObject({ status: 'expired', chargesMade: 1 });
    await own.tenant.setLimit({ asset: 'USD', maxAmount: null });
    const [letter] = await own.tenant.deadLetters({ kind: 'occurrence' });
    return { ...own, letter: letter?.id ?? '' };
  }

  test('can be retried, within the approved total', async () => {
    const { letter, ...own } = await refused();
    await own.tenant.retryDeadLetter(letter);
    await advance(store.usance, own, after(33 * DAY));
    expect(await own.tenant.subscription(own.subscription.id)).toMatchObject({ chargesMade: 2, chargesPaid: 2 });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('leaves a subscription that can be cancelled, and is then neither resumed nor charged again', async () => {
    const { letter, ...own } = await refused();
    const { id } = own.subscription;
    const cancelled = await own.tenant.cancelSubscription(id, { reason: 'the payer left' });
    expect(cancelled).toMatchObject({ status: 'cancelled', statusReason: 'the payer left' });
    expect(await refusalOf(own.tenant.resumeSubscription(id))).toBe('SCHEDULE_STATE_CONFLICT');
    expect(await refusalOf(own.tenant.cancelSubscription(id))).toBe('SCHEDULE_STATE_CONFLICT');
    expect(await refusalOf(own.tenant.retryDeadLetter(letter))).not.toBe('not refused');
    await advance(store.usance, own, after(100 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'cancelled', chargesMade: 1 });
    const told = (await own.tenant.events({}, { limit: 1_000 })).map(({ type }) => type);
    expect(told.filter((type) => type === 'subscription.cancelled')).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('does not end the subscription for good: it is resumed with the first charge ahead', async () => {
    const own = await refused();
    const { id } = own.subscription;
    expect(await own.tenant.resumeSubscription(id, { reason: 'the limit was raised' })).toMatchObject({
      status: 'active',
      nextDueAt: new Date('2027-03-01T00:00:00Z'),
      endedAt: null,
    });
    await advance(store.usance, own, after(400 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'expired', chargesMade: 11, chargesPaid: 11 });
    const told = (await own.tenant.events({}, { limit: 1_000 })).map(({ type }) => type);
    expect(told.filter((type) => type === 'subscription.resumed')).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is not charged once the subscription is cancelled', async () => {
    const own = await refused();
    await own.tenant.resumeSubscription(own.subscription.id);
    await own.tenant.cancelSubscription(own.subscription.id);
    expect(await refusedFor(own.tenant.retryDeadLetter(own.letter))).toBe(
      'SCHEDULE_OF_SUBSCRIPTION/subscription_ended',
    );
  });
});

test('a subscription that expired after a failed charge is resumed within its approved total', async () => {
  const own = await club({}, 1_500);
  const { id } = own.subscription;
  await advance(store.usance, own, after(40 * DAY));
  expect(await own.tenant.subscription(id)).toMatchObject({ status: 'expired', chargesMade: 2, chargesPaid: 1 });
  await own.tenant.deposit({ account: 'ann', asset: 'USD', amount: 100_000, idempotencyKey: key() });
  await own.tenant.resumeSubscription(id);
  await advance(store.usance, own, after(400 * DAY));
  expect(await own.tenant.subscription(id)).toMatchObject({ chargesMade: 12, chargesPaid: 11, paid: 11_000n });
  expect(await troubles(store.usance)).toEqual([]);
});

test('a subscription that used up its approval, or was cancelled, is not resumed', async () => {
  const own = await club();
  const { id } = own.subscription;
  await advance(store.usance, own, after(400 * DAY));
  expect(await refusalOf(own.tenant.resumeSubscription(id))).toBe('SCHEDULE_STATE_CONFLICT');
  const other = await club();
  await other.tenant.cancelSubscription(other.subscription.id);
  expect(await refusalOf(other.tenant.resumeSubscription(other.subscription.id))).toBe('SCHEDULE_STATE_CONFLICT');
});

test('an expired schedule that is no subscription stays expired', async () => {
  const own = await testTenant(store.usance);
  await open(own.tenant, { poor: 0, club: 0 });
  const rule = { frequency: 'DAILY' } as const;
  const order = { from: 'poor', to: 'club', asset: 'USD', amount: 1, rule, afterFailure: 'expire' } as const;
  const { id } = await own.tenant.createSchedule({ ...order, idempotencyKey: key() });
  await advance(store.usance, own, after(3 * DAY));
  expect(await own.tenant.schedule(id)).toMatchObject({ status: 'expired' });
  expect(await refusalOf(own.tenant.resumeSchedule(id))).toBe('SCHEDULE_STATE_CONFLICT');
});
