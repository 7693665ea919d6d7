// What a plan and a subscription say about their charges: priority, retries, a trial, no end.
import { describe, expect, test } from 'vitest';
import type { PlanOrder } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, MINUTE } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { START, advance, after, drive, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const MONTHLY = {
  name: 'Club',
  price: 1_000,
  asset: 'USD',
  receiver: 'club',
  period: { frequency: 'MONTHLY' },
} as const;

interface Club extends TestTenant {
  readonly plan: string;
}

async function club(terms: Partial<PlanOrder> = {}, funds = 100_000): Promise<Club> {
  const own = await testTenant(store.usance);
  await open(own.tenant, { ann: funds, club: 0 });
  const plan = await own.tenant.createPlan({ ...MONTHLY, ...terms });
  return { ...own, plan: plan.id };
}

const order = ({ plan }: Club) => ({ plan, payer: 'ann', idempotencyKey: key() });
const told = async ({ tenant }: Club): Promise<string[]> =>
  (await tenant.events({}, { limit: 1_000 }))
    .filter(({ resource }) => resource === 'subscription')
    .map(({ type, occurredAt }) => `${occurredAt.toISOString().slice(0, 10)} ${type.slice(13)}`);

/** Minutes after the start at which a payment was tried. */
const tried = async ({ tenant }: Club, id: string | null): Promise<number[]> =>
  (await tenant.timeline(id ?? ''))
    .filter(({ type }) => /attempt|failed/.test(type))
    .map(({ at }) => (at.getTime() - Date.parse(START)) / MINUTE);

describe('priority and retries', () => {
  const RETRY = { maxAttempts: 3, initialDelayMs: 5 * MINUTE } as const;

  test('of a plan are those of its charges', async () => {
    const own = await club({ months: 12, priority: 'high', retry: RETRY }, 0);
    expect(await own.tenant.plan(own.plan)).toMatchObject({ priority: 0, retry: RETRY });
    const made = await own.tenant.subscribe(order(own));
    expect(made).toMatchObject({ priority: 0, retry: { ...RETRY, multiplier: 2 } });
    expect(await own.tenant.payment(made.lastPaymentId ?? '')).toMatchObject({ priority: 0, retry: RETRY });
    await advance(store.usance, own, after(DAY));
    expect(await tried(own, made.lastPaymentId)).toEqual([0, 5, 15]);
    expect(await own.tenant.subscription(made.id)).toMatchObject({ status: 'expired' });
  });

  test('are normal and six attempts where nothing is said', async () => {
    const own = await club({ months: 12 });
    expect(await own.tenant.plan(own.plan)).toMatchObject({ priority: 1, retry: null, trialDays: 0 });
    const made = await own.tenant.subscribe(order(own));
    expect(made).toMatchObject({ priority: 1, retry: { maxAttempts: 6, initialDelayMs: MINUTE } });
  });

  test('of a subscription take the place of the plan’s, field by field', async () => {
    const own = await club({ months: 12, priority: 'high', retry: RETRY });
    const made = await own.tenant.subscribe({ ...order(own), priority: 'low', retry: { maxAttempts: 2 } });
    expect(made).toMatchObject({ priority: 2, retry: { ...RETRY, maxAttempts: 2 } });
  });

  test('of a plan can be changed, for later subscriptions', async () => {
    const own = await club({ months: 12 });
    const before = await own.tenant.subscribe(order(own));
    const edited = await own.tenant.editPlan(own.plan, { priority: 'low', retry: RETRY });
    expect(edited).toMatchObject({ priority: 2, retry: RETRY, months: 12, price: 1_000n });
    expect(await own.tenant.subscribe(order(own))).toMatchObject({ priority: 2, retry: RETRY });
    expect(await own.tenant.subscription(before.id)).toMatchObject({ priority: 1, retry: { maxAttempts: 6 } });
    expect(await own.tenant.editPlan(own.plan, { name: 'Other' })).toMatchObject({ priority: 2, retry: RETRY });
    expect(await own.tenant.editPlan(own.plan, { retry: null })).toMatchObject({ retry: null });
  });

  test('of a subscription can be changed, from its next charge on', async () => {
    const own = await club({ months: 12, afterFailure: 'pause' }, 1_000);
    const made = await own.tenant.subscribe({ ...order(own), metadata: { seat: 1 } });
    await advance(store.usance, own, after(MINUTE));
    const edit = { priority: 'high', retry: { maxAttempts: 2 }, metadata: { seat: 2 } } as const;
    expect(await own.tenant.editSubscription(made.id, edit)).toMatchObject({
      priority: 0,
      retry: { maxAttempts: 2, initialDelayMs: MINUTE, multiplier: 2 },
      metadata: { seat: 2 },
      price: 1_000n,
      approved: 12_000n,
    });
    expect(await own.tenant.payment(made.lastPaymentId ?? '')).toMatchObject({
      priority: 1,
      retry: { maxAttempts: 6 },
    });
    await advance(store.usance, own, after(40 * DAY));
    const late = await own.tenant.subscription(made.id);
    expect(late).toMatchObject({ status: 'past_due', chargesMade: 2 });
    expect(await own.tenant.payment(late.lastPaymentId ?? '')).toMatchObject({ attempts: 2, priority: 0 });
    expect(await own.tenant.editSubscription(made.id, { retry: null, metadata: null })).toMatchObject({
      priority: 0,
      retry: { maxAttempts: 6 },
      metadata: null,
    });
    await drive(store.usance);
    expect((await told(own)).filter((line) => line.endsWith('updated'))).toHaveLength(2);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('that are wrong are refused', async () => {
    const own = await club({ months: 12 });
    const { id } = await own.tenant.subscribe(order(own));
    const { tenant } = own;
    const wrong = { maxAttempts: 0 };
    expect(await refusalOf(tenant.createPlan({ ...MONTHLY, months: 1, retry: wrong }))).toBe('RETRY_INVALID');
    expect(await refusalOf(tenant.editPlan(own.plan, { retry: 'seldom' }))).toBe('RETRY_INVALID');
    expect(await refusalOf(tenant.subscribe({ ...order(own), retry: wrong }))).toBe('RETRY_INVALID');
    expect(await refusalOf(tenant.editSubscription(id, { retry: wrong }))).toBe('RETRY_INVALID');
    expect(await refusalOf(tenant.editSubscription(id, { priority: 'top' as 'high' }))).toBe('FIELD_INVALID');
    expect(await refusalOf(tenant.editSubscription('x', {}))).toBe('SUBSCRIPTION_NOT_FOUND');
    await tenant.cancelSubscription(id);
    expect(await refusalOf(tenant.editSubscription(id, { priority: 'low' }))).toBe('SCHEDULE_STATE_CONFLICT');
  });
});

describe('a trial', () => {
  test('charges nothing until it ends, and then as often as was approved', async () => {
    const own = await club({ charges: 3, trialDays: 14 });
    const made = await own.tenant.subscribe(order(own));
    const trialEndsAt = after(14 * DAY);
    expect(made).toMatchObject({
      status: 'trialing',
      trialEndsAt,
      nextDueAt: trialEndsAt,
      chargesMade: 0,
      charges: 3,
      approved: 3_000n,
      lastPaymentId: null,
    });
    expect(await own.tenant.subscriptions({ status: 'trialing' })).toHaveLength(1);
    expect(await own.tenant.subscriptions({ status: 'active' })).toEqual([]);
    await advance(store.usance, own, after(14 * DAY - 1_000));
    expect(await own.tenant.subscription(made.id)).toMatchObject({ status: 'trialing', chargesMade: 0 });
    await advance(store.usance, own, after(14 * DAY + MINUTE));
    expect(await own.tenant.subscription(made.id)).toMatchObject({
      status: 'active',
      chargesPaid: 1,
      nextDueAt: new Date('2027-02-15T00:00:00Z'),
    });
    expect(await own.tenant.subscriptions({ status: 'active' })).toHaveLength(1);
    await advance(store.usance, own, after(120 * DAY));
    expect(await own.tenant.subscription(made.id)).toMatchObject({ status: 'expired', paid: 3_000n });
    expect(await told(own)).toEqual([
      '2027-01-01 created',
      '2027-01-15 charged',
      '2027-02-15 charged',
      '2027-03-15 charged',
      '2027-03-15 expired',
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('costs nothing where it is cancelled', async () => {
    const own = await club({ months: 12, trialDays: 30 });
    const { id } = await own.tenant.subscribe(order(own));
    await own.tenant.cancelSubscription(id);
    await advance(store.usance, own, after(60 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'cancelled', chargesMade: 0, paid: 0n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is as long as the subscription says, where it says so', async () => {
    const own = await club({ months: 12, trialDays: 30 });
    const none = await own.tenant.subscribe({ ...order(own), trialDays: 0 });
    expect(none).toMatchObject({ status: 'active', trialEndsAt: null, chargesMade: 1 });
    const longer = await own.tenant.subscribe({ ...order(own), trialDays: 60 });
    expect(longer).toMatchObject({ status: 'trialing', trialEndsAt: after(60 * DAY) });
    for (const trialDays of [-1, 0.5, 731])
      expect(await refusedFor(own.tenant.subscribe({ ...order(own), trialDays }))).toBe(
        'PLAN_INVALID/not_whole_number',
      );
    expect(await refusedFor(own.tenant.createPlan({ ...MONTHLY, trialDays: 731 }))).toBe(
      'PLAN_INVALID/not_whole_number',
    );
  });
});

describe('a plan without an end', () => {
  test('is charged until it is cancelled, never more than the price at once', async () => {
    const own = await club();
    expect(await own.tenant.plan(own.plan)).toMatchObject({ charges: null, months: null });
    const { id } = await own.tenant.subscribe(order(own));
    expect(await own.tenant.subscription(id)).toMatchObject({ charges: null, approved: null });
    await advance(store.usance, own, after(700 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'active', chargesPaid: 24, paid: 24_000n });
    expect(await own.tenant.upcoming(id, 2)).toHaveLength(2);
    expect(await troubles(store.usance)).toEqual([]);
    await own.tenant.cancelSubscription(id);
    await advance(store.usance, own, after(800 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'cancelled', chargesMade: 24 });
  });

  test('refuses a charge of more than the price, and verify sees one', async () => {
    const own = await club();
    const { id } = await own.tenant.subscribe(order(own));
    const priced = (price: number) =>
      store.owner.query(
        `begin; set local session_replication_role = replica;
         update usance.subscriptions set price = ${price} where schedule_id = '${id}'; commit`,
      );
    // What no program of ours would do: the payer agreed to less.
    await priced(999);
    expect((await troubles(store.usance)).map((line) => line.split(':')[0])).toEqual([
      'charges-are-approved',
      'subscriptions-are-as-agreed',
    ]);
    await advance(store.usance, own, after(32 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'expired', chargesMade: 1 });
    const [letter] = await own.tenant.deadLetters({ kind: 'occurrence' });
    expect(letter).toMatchObject({ scheduleId: id, code: 'SUBSCRIPTION_APPROVAL_EXCEEDED' });
    await priced(1_000);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('comes of taking the duration of a plan away, and goes with a new one', async () => {
    const own = await club({ months: 12 });
    expect(await own.tenant.editPlan(own.plan, { months: null })).toMatchObject({ charges: null, months: null });
    expect(await own.tenant.editPlan(own.plan, { charges: 4 })).toMatchObject({ charges: 4, months: null });
    expect(await own.tenant.editPlan(own.plan, { months: 6 })).toMatchObject({ charges: null, months: 6 });
  });

  test('charges at most once a day', async () => {
    const own = await club();
    const hourly = { ...MONTHLY, period: { everySeconds: 3_600 } };
    expect(await refusedFor(own.tenant.createPlan(hourly))).toBe('PLAN_INVALID/too_often');
    expect(await own.tenant.createPlan({ ...hourly, charges: 5 })).toMatchObject({ charges: 5 });
    expect(await own.tenant.createPlan({ ...hourly, period: { everySeconds: 86_400 } })).toMatchObject({
      months: null,
    });
  });
});
