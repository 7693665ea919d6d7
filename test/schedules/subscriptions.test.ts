// Subscriptions: a plan, the charges of who agreed to it, and never more than was approved.
import { describe, expect, test } from 'vitest';
import type { PlanOrder, Subscription } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { START, advance, after, drive, testTenant } from '../support/test-clock.ts';

const store = useUsance();

const together = <T>(times: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, work));

interface Club extends TestTenant {
  readonly plan: string;
  subscribe(payer?: string): Promise<Subscription>;
  /** Every event about subscriptions so far, oldest first. */
  told(): Promise<string[]>;
}

async function club(terms: Partial<PlanOrder> = {}, funds = 100_000, now = START): Promise<Club> {
  const own = await testTenant(store.usance, now);
  const { tenant } = own;
  await open(tenant, { ann: funds, club: 0 });
  const order = {
    name: 'Club',
    price: 1_000,
    asset: 'USD',
    receiver: 'club',
    period: { frequency: 'MONTHLY' },
    months: 12,
  };
  const { id } = await tenant.createPlan({ ...order, ...terms } as PlanOrder);
  return {
    ...own,
    plan: id,
    subscribe: (payer = 'ann') => tenant.subscribe({ plan: id, payer, idempotencyKey: key() }),
    async told() {
      const events = await tenant.events({}, { limit: 1_000 });
      const own = events.filter(({ resource }) => resource === 'subscription');
      return own.map(({ type, occurredAt }) => `${occurredAt.toISOString().slice(0, 16)} ${type.slice(13)}`);
    },
  };
}

describe('a new subscriber', () => {
  test('is charged at once, and again one period later', async () => {
    const own = await club();
    const made = await own.subscribe();
    expect(made).toMatchObject({
      status: 'active',
      price: 1_000n,
      charges: 12,
      approved: 12_000n,
      chargesMade: 1,
      chargesPaid: 0,
      nextDueAt: new Date('2027-02-01T00:00:00Z'),
    });
    expect(await own.tenant.payment(made.lastPaymentId ?? '')).toMatchObject({
      status: 'scheduled',
      funding: 'at_execution',
      retry: { maxAttempts: 6 },
    });
    await advance(store.usance, own, after(MINUTE));
    expect(await own.tenant.subscription(made.id)).toMatchObject({ chargesPaid: 1, paid: 1_000n });
    expect(await own.told()).toEqual(['2027-01-01T00:00 created', '2027-01-01T00:00 charged']);
    await advance(store.usance, own, after(31 * DAY));
    expect(await own.tenant.subscription(made.id)).toMatchObject({ chargesMade: 2, chargesPaid: 2 });
  });

  test('is charged as often as was approved, on the last day of shorter months, and then it has expired', async () => {
    const own = await club({}, 100_000, '2027-01-31T10:00:00Z');
    const { id } = await own.subscribe();
    await advance(store.usance, own, '2028-03-01T00:00:00Z');
    expect(await own.tenant.subscription(id)).toMatchObject({
      status: 'expired',
      statusReason: 'approval_used_up',
      chargesMade: 12,
      chargesPaid: 12,
      paid: 12_000n,
      nextDueAt: null,
    });
    const charged = (await own.told()).filter((line) => line.endsWith(' charged')).map((line) => line.slice(0, 10));
    expect(charged.slice(0, 4)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
    expect(charged).toHaveLength(12);
    expect((await own.told()).at(-1)).toContain('expired');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('a fixed period falls into a year as often as it does', async () => {
    const own = await club({ period: { everySeconds: 30 * 86_400 } });
    expect(await own.subscribe()).toMatchObject({ charges: 13, nextDueAt: new Date('2027-01-31T00:00:00Z') });
    const weekly = await own.tenant.createPlan({
      name: 'Weekly',
      price: 1,
      asset: 'USD',
      receiver: 'club',
      period: { frequency: 'WEEKLY', every: 2 },
      zone: 'Europe/Berlin',
      charges: 3,
    });
    const made = await own.tenant.subscribe({ plan: weekly.id, payer: 'ann', idempotencyKey: key() });
    expect(made).toMatchObject({ charges: 3, approved: 3n, nextDueAt: new Date('2027-01-15T00:00:00Z') });
  });

  test('twice with one key is one subscription, also twenty times at once', async () => {
    const own = await club();
    const order = { plan: own.plan, payer: 'ann', idempotencyKey: key() };
    const codes = await together(20, () => refusalOf(own.tenant.subscribe(order)));
    expect(codes.filter((code) => code !== 'not refused' && code !== 'IDEMPOTENCY_RUNNING')).toEqual([]);
    const { id } = await own.tenant.subscribe(order);
    expect((await own.tenant.subscription(id)).chargesMade).toBe(1);
    expect(await own.tenant.subscriptions({ payer: 'ann', status: 'active', plan: own.plan })).toHaveLength(1);
    await drive(store.usance);
  });
});

describe('a charge that fails for good', () => {
  test('is tried six times, after 1, 2, 4, 8 and 16 minutes, and the subscription expires', async () => {
    const own = await club({}, 0);
    const { id, lastPaymentId } = await own.subscribe();
    await advance(store.usance, own, after(DAY));
    const attempts = (await own.tenant.timeline(lastPaymentId ?? '')).filter(({ type }) => /attempt|failed/.test(type));
    expect(attempts.map(({ at }) => (at.getTime() - Date.parse(START)) / MINUTE)).toEqual([0, 1, 3, 7, 15, 31]);
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'expired', statusReason: 'payment_failed' });
    expect((await own.told()).map((line) => line.slice(17))).toEqual(['created', 'expired']);
    await advance(store.usance, own, after(70 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ chargesMade: 1, chargesPaid: 0 });
  });

  test('leaves it past due where the plan says so, until a person lets it go on', async () => {
    const own = await club({ afterFailure: 'pause' }, 1_500);
    const { id } = await own.subscribe();
    await advance(store.usance, own, after(32 * DAY));
    const late = await own.tenant.subscription(id);
    expect(late).toMatchObject({ status: 'past_due', statusReason: 'payment_failed', chargesPaid: 1, chargesMade: 2 });
    await own.tenant.deposit({ account: 'ann', asset: 'USD', amount: 50_000, idempotencyKey: key() });
    // The charge that failed is paid after all, and the next comes at its time.
    await own.tenant.retryPayment(late.lastPaymentId ?? '', { reason: 'has funds now' });
    expect(await own.tenant.resumeSubscription(id)).toMatchObject({
      status: 'active',
      nextDueAt: new Date('2027-03-01T00:00:00Z'),
    });
    await advance(store.usance, own, after(400 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'expired', chargesPaid: 12, paid: 12_000n });
    expect((await own.told()).map((line) => line.slice(17)).slice(0, 5)).toEqual([
      'created',
      'charged',
      'past_due',
      'resumed',
      'charged',
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is the one that an operator gives up on, too', async () => {
    const own = await club({}, 0);
    const { id, lastPaymentId } = await own.subscribe();
    await own.tenant.failPayment(lastPaymentId ?? '', 'the account is wrong');
    await advance(store.usance, own, after(HOUR));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'expired' });
  });
});

describe('cancelling', () => {
  test('ends the open charge with it: nothing is tried again', async () => {
    const own = await club({}, 0);
    const { id, lastPaymentId } = await own.subscribe();
    await advance(store.usance, own, after(2 * MINUTE));
    expect(await own.tenant.payment(lastPaymentId ?? '')).toMatchObject({ status: 'scheduled', attempts: 2 });
    expect(await own.tenant.cancelSubscription(id, { reason: 'too dear' })).toMatchObject({
      status: 'cancelled',
      statusReason: 'too dear',
      nextDueAt: null,
    });
    expect(await own.tenant.payment(lastPaymentId ?? '')).toMatchObject({ status: 'cancelled', attempts: 2 });
    await advance(store.usance, own, after(70 * DAY));
    expect(await own.tenant.subscription(id)).toMatchObject({ status: 'cancelled', chargesMade: 1, chargesPaid: 0 });
    expect((await own.told()).map((line) => line.slice(17))).toEqual(['created', 'cancelled']);
  });

  test('twenty times at once happens once', async () => {
    const own = await club();
    const { id } = await own.subscribe();
    const codes = await together(20, () => refusalOf(own.tenant.cancelSubscription(id)));
    expect(codes.filter((code) => code === 'SCHEDULE_STATE_CONFLICT')).toHaveLength(19);
    await drive(store.usance);
    expect((await own.told()).filter((line) => line.endsWith('cancelled'))).toHaveLength(1);
  });
});

test('a charge beyond what was approved is refused for good, and the subscription expires', async () => {
  const own = await club({ afterFailure: 'pause' });
  const { id } = await own.subscribe();
  // What no program of ours would do: the approval is less than was agreed to.
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.subscriptions set approved = 1999, price = 1999, charges = 1 where schedule_id = '${id}'; commit`,
  );
  await advance(store.usance, own, after(32 * DAY));
  expect(await own.tenant.subscription(id)).toMatchObject({
    status: 'expired',
    statusReason: 'approval_used_up',
    chargesMade: 1,
    paid: 1_000n,
  });
  const [letter] = await own.tenant.deadLetters({ kind: 'occurrence' });
  expect(letter).toMatchObject({ scheduleId: id, code: 'SUBSCRIPTION_APPROVAL_EXCEEDED' });
  const again = own.tenant.retryDeadLetter(letter?.id ?? '');
  expect(await refusedFor(again)).toBe('SUBSCRIPTION_APPROVAL_EXCEEDED/charges');
  await own.tenant.discardDeadLetter(letter?.id ?? '', 'looked at');
  expect((await troubles(store.usance)).map((line) => line.split(':')[0])).toEqual(['subscriptions-are-as-agreed']);
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.subscriptions set approved = 996, price = 83, charges = 12 where schedule_id = '${id}'; commit`,
  );
  expect((await troubles(store.usance)).map((line) => line.split(':')[0])).toEqual([
    'charges-are-approved',
    'subscriptions-are-as-agreed',
  ]);
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.subscriptions set approved = 12000, price = 1000 where schedule_id = '${id}'; commit`,
  );
  expect(await troubles(store.usance)).toEqual([]);
});

test('what was agreed to is not changed: not by the plan, not through the schedule, not in the database', async () => {
  const own = await club();
  const { id } = await own.subscribe();
  await own.tenant.editPlan(own.plan, { price: 5_000, charges: 3 });
  expect(await own.tenant.plan(own.plan)).toMatchObject({ price: 5_000n, charges: 3, months: null });
  await advance(store.usance, own, after(32 * DAY));
  expect(await own.tenant.subscription(id)).toMatchObject({ price: 1_000n, charges: 12, paid: 2_000n });
  expect(await own.subscribe()).toMatchObject({ price: 5_000n, charges: 3, approved: 15_000n });
  for (const work of [
    () => own.tenant.editSchedule(id, { amount: 9_999 }),
    () => own.tenant.pauseSchedule(id),
    () => own.tenant.cancelSchedule(id),
    () => own.tenant.triggerSchedule(id, { idempotencyKey: key() }),
    () => own.tenant.backfillSchedule(id, { start: '2027-01-01', end: '2027-02-01', idempotencyKey: key() }),
  ])
    expect(await refusedFor(work())).toBe('SCHEDULE_OF_SUBSCRIPTION/use_subscription');
  await expect(
    store.owner.query(`update usance.subscriptions set approved = 1 where schedule_id = $1::uuid`, [id]),
  ).rejects.toThrow('append-only');
});

describe('what is refused', () => {
  test.each([
    ['PLAN_INVALID/charges_and_months', { months: 12, charges: 12 }],
    ['PLAN_INVALID/not_whole_number', { months: 0 }],
    ['PLAN_INVALID/wrong_length', { name: '' }],
    ['PLAN_INVALID/too_many_charges', { period: { frequency: 'DAILY' }, months: 60 }],
    ['PLAN_INVALID/one_of', { afterFailure: 'continue' }],
    ['AMOUNT_NOT_POSITIVE', { price: 0 }],
    ['AMOUNT_TOO_LARGE/sum', { price: '9223372036854775807', months: 2 }],
    ['RULE_INVALID/one_of', { period: { frequency: 'SOMETIMES' } }],
    ['RULE_TOO_FREQUENT/period', { period: { everySeconds: 59 } }],
    ['ZONE_UNKNOWN', { zone: 'Mars/Base' }],
    ['ACCOUNT_NOT_FOUND', { receiver: 'nobody' }],
    ['ASSET_NOT_FOUND', { asset: 'XYZ' }],
  ])('%s: a plan with %j', async (expected, terms) => {
    const own = await shared();
    const order = { name: 'P', price: 1, asset: 'USD', receiver: 'club', period: { frequency: 'MONTHLY' }, months: 1 };
    const refused = await refusedFor(own.tenant.createPlan({ ...order, ...terms } as PlanOrder));
    expect(`${refused}/`).toContain(`${expected}/`);
  });

  test('nothing is left of a subscription whose first charge is refused', async () => {
    const own = await shared();
    await own.tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount: 10 });
    expect(await refusalOf(own.subscribe())).toBe('LIMIT_AMOUNT_EXCEEDED');
    expect(await own.tenant.subscriptions()).toEqual([]);
    expect(await own.tenant.schedules()).toEqual([]);
    expect(await refusalOf(own.subscribe('club'))).toBe('SELF_TRANSFER');
    expect(await refusalOf(own.subscribe('nobody'))).toBe('ACCOUNT_NOT_FOUND');
    const unknown = '01999999-9999-7999-9999-999999999999';
    const { tenant } = own;
    expect(await refusalOf(tenant.subscribe({ plan: unknown, payer: 'ann', idempotencyKey: key() }))).toBe(
      'PLAN_NOT_FOUND',
    );
    expect(await refusalOf(tenant.subscription(unknown))).toBe('SUBSCRIPTION_NOT_FOUND');
    expect(await refusalOf(tenant.cancelSubscription('x'))).toBe('SUBSCRIPTION_NOT_FOUND');
    expect(await refusalOf(tenant.editPlan(unknown, { price: 2 }))).toBe('PLAN_NOT_FOUND');
  });

  let made: Promise<Club> | undefined;
  const shared = (): Promise<Club> => (made ??= club());
});
