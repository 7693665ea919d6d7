// `subscription.charged`: one for every charge that is paid, in the transaction that settles it, however it came to be paid; numbered
// without a gap over changes of plan and an import, also where two charges of a subscription are settled at once.
import { describe, expect, test } from 'vitest';
import type { PlanOrder, Subscription } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';
import type { ScheduleWorld } from './world.ts';
import { eventsOf, scheduleWorld } from './world.ts';

const store = useUsance();
const TERMS = { name: 'Club', price: 1_000, asset: 'USD', receiver: 'club' } as const;
const MONTHLY = { ...TERMS, period: { frequency: 'MONTHLY' }, months: 12 } as const;

const charged = (id: string): Promise<unknown[]> => eventsOf(store.db, id, 'subscription.charged');
const numbers = async (id: string): Promise<unknown[]> =>
  (await charged(id)).map((data) => (data as { charge: number }).charge);

interface Club extends TestTenant {
  readonly id: string;
  readonly first: string;
}

async function club(terms: Partial<PlanOrder> = {}, funds = 100_000): Promise<Club> {
  const own = await testTenant(store.usance);
  await open(own.tenant, { ann: funds, club: 0 });
  const plan = await own.tenant.createPlan({ ...MONTHLY, ...terms });
  const made = await own.tenant.subscribe({ plan: plan.id, payer: 'ann', idempotencyKey: key() });
  return { ...own, id: made.id, first: made.lastPaymentId ?? '' };
}

const fund = ({ tenant }: TestTenant, amount = 100_000): Promise<unknown> =>
  tenant.deposit({ account: 'ann', asset: 'USD', amount, idempotencyKey: key() });

describe('a charge that is paid', () => {
  test('is told in the transaction that settles it, and no visit is needed', async () => {
    await open(store.tenant, { 'ann-0': 100_000, 'club-0': 0 });
    const plan = await store.tenant.createPlan({ ...MONTHLY, receiver: 'club-0' });
    const order = { plan: plan.id, payer: 'ann-0', idempotencyKey: key() };
    const { id, lastPaymentId: paymentId } = await store.tenant.subscribe(order);
    expect(await charged(id)).toEqual([]);
    await testProcessor(store.db).drain();
    expect(await charged(id)).toEqual([{ charge: 1, amount: '1000', asset: 'USD/2', paymentId }]);
    const rows = await store.owner.query(
      `select type, xmin::text, occurred_at from usance.events
       where resource_id in ($1::uuid, $2::uuid) and type in ('payment.settled', 'subscription.charged') order by id`,
      [id, paymentId],
    );
    expect(rows.map(({ type }) => type)).toEqual(['payment.settled', 'subscription.charged']);
    expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1);
    await store.tenant.cancelSubscription(id);
    expect(await numbers(id)).toEqual([1]);
  });

  test('is told once, also where the subscription is cancelled before the next visit, or visited often', async () => {
    const cancelled = await club();
    await advance(store.usance, cancelled, after(1));
    await cancelled.tenant.cancelSubscription(cancelled.id);
    expect(await numbers(cancelled.id)).toEqual([1]);
    const visited = await club();
    await advance(store.usance, visited, after(70 * DAY));
    expect(await numbers(visited.id)).toEqual([1, 2, 3]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is told when a dead letter is retried and then paid, after its subscription expired', async () => {
    const own = await club({}, 0);
    await advance(store.usance, own, after(DAY));
    expect(await own.tenant.subscription(own.id)).toMatchObject({ status: 'expired' });
    expect(await numbers(own.id)).toEqual([]);
    await fund(own);
    await own.tenant.retryPayment(own.first);
    await advance(store.usance, own, after(2 * DAY));
    expect(await own.tenant.subscription(own.id)).toMatchObject({ status: 'expired', chargesPaid: 1 });
    expect(await charged(own.id)).toMatchObject([{ charge: 1, paymentId: own.first }]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is told when a refused charge is retried, and when an operator runs one now', async () => {
    const own = await club();
    await own.tenant.setLimit({ asset: 'USD', maxAmount: 5 });
    await advance(store.usance, own, after(32 * DAY));
    await own.tenant.setLimit({ asset: 'USD', maxAmount: null });
    const [letter] = await own.tenant.deadLetters({ kind: 'occurrence' });
    await own.tenant.retryDeadLetter(letter?.id ?? '');
    await advance(store.usance, own, after(33 * DAY));
    expect(await numbers(own.id)).toEqual([1, 2]);

    const late = await club({ retry: { maxAttempts: 3, initialDelayMs: HOUR, maxDelayMs: HOUR } });
    await late.tenant.suspendAccount('club', 'for the test');
    await advance(store.usance, late, after(1));
    await late.tenant.reactivateAccount('club', 'for the test');
    await advance(store.usance, late, after(HOUR / 6));
    expect(await numbers(late.id)).toEqual([]);
    await late.tenant.runPaymentNow(late.first);
    await advance(store.usance, late, after(HOUR / 3));
    expect(await numbers(late.id)).toEqual([1]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is paid whole: a part of a charge cannot be captured', async () => {
    const own = await club();
    const part = own.tenant.capturePayment(own.first, { amount: 400, idempotencyKey: key() });
    expect(await refusalOf(part)).toBe('PAYMENT_STATE_CONFLICT');
    await advance(store.usance, own, after(1));
    expect(await charged(own.id)).toMatchObject([{ charge: 1, amount: '1000' }]);
  });
});

describe('the number of a charge', () => {
  test('goes on after a change of plan, also of another period, and counts failed charges when they are paid', async () => {
    const own = await club({}, 2_500);
    await advance(store.usance, own, after(40 * DAY));
    const weekly = { ...TERMS, period: { frequency: 'WEEKLY' }, charges: 5, afterFailure: 'pause' } as const;
    const { id: plan } = await own.tenant.createPlan(weekly);
    await own.tenant.changeSubscriptionPlan(own.id, { plan, idempotencyKey: key() });
    // The third charge is not paid.
    await advance(store.usance, own, after(60 * DAY));
    const { lastPaymentId, status } = await own.tenant.subscription(own.id);
    expect([status, await numbers(own.id)]).toEqual(['past_due', [1, 2]]);
    await fund(own);
    await own.tenant.resumeSubscription(own.id);
    await advance(store.usance, own, after(75 * DAY));
    expect(await numbers(own.id)).toEqual([1, 2, 3, 4]);
    await own.tenant.retryPayment(lastPaymentId ?? '');
    await advance(store.usance, own, after(76 * DAY));
    expect((await charged(own.id)).at(-1)).toMatchObject({ charge: 5, paymentId: lastPaymentId });
    expect(await own.tenant.subscription(own.id)).toMatchObject({ chargesPaid: 5 });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('goes on after the charges that were imported', async () => {
    const own = await testTenant(store.usance);
    await open(own.tenant, { ann: 100_000, club: 0 });
    await own.tenant.createPlan(MONTHLY);
    async function* lines(): AsyncGenerator<string> {
      yield 'reference,plan,payer,next_due_at,charges_made';
      yield await Promise.resolve('old-1,Club,ann,2027-01-10T00:00:00Z,3');
    }
    await own.tenant.importSubscriptions({ format: 'csv', open: lines });
    const [imported] = await own.tenant.subscriptions({ reference: 'old-1' });
    await advance(store.usance, own, after(50 * DAY));
    expect(await numbers(imported?.id ?? '')).toEqual([4, 5]);
    expect(await own.tenant.subscription(imported?.id ?? '')).toMatchObject({ chargesPaid: 5, chargesMade: 5 });
    expect(await troubles(store.usance)).toEqual([]);
  });
});

/** Subscriptions with two charges each that are due at once: the first failed and is retried, the second is new. */
async function twoDue(world: ScheduleWorld, count: number, name: string): Promise<Subscription[]> {
  const { tenant } = store;
  await open(tenant, { [`club-${name}`]: 0 });
  const period = { everySeconds: 3_600 } as const;
  const terms = { ...TERMS, receiver: `club-${name}`, period, charges: 12, afterFailure: 'pause' } as const;
  const plan = await tenant.createPlan({ ...terms, retry: { maxAttempts: 1 } });
  const made: Subscription[] = [];
  for (let n = 0; n < count; n += 1) {
    await open(tenant, { [`${name}-${n}`]: 0 });
    made.push(await tenant.subscribe({ plan: plan.id, payer: `${name}-${n}`, idempotencyKey: key() }));
  }
  await world.processor.drainAfter(HOUR / 10);
  await world.tick();
  for (const { id } of made) await tenant.resumeSubscription(id);
  world.time.advance(HOUR);
  await world.tick();
  for (const [n, { id, lastPaymentId }] of made.entries()) {
    expect(await tenant.subscription(id)).toMatchObject({ chargesMade: 2, chargesPaid: 0 });
    await tenant.deposit({ account: `${name}-${n}`, asset: 'USD', amount: 5_000, idempotencyKey: key() });
    await tenant.retryPayment(lastPaymentId ?? '');
  }
  return made;
}

describe('two charges of one subscription that are paid at once', () => {
  test('have two numbers in one batch', async () => {
    const world = scheduleWorld(store, new Date().toISOString());
    const made = await twoDue(world, 3, 'batch');
    expect(await world.processor.drain()).toMatchObject({ settled: 6 });
    for (const { id } of made) {
      expect(await numbers(id)).toEqual([1, 2]);
      await store.tenant.cancelSubscription(id);
    }
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('have two numbers in several processes', async () => {
    const world = scheduleWorld(store, new Date().toISOString());
    const made = await twoDue(world, 12, 'processes');
    const processors = Array.from({ length: 4 }, () =>
      testProcessor(store.pool(), { time: world.time, batchSize: 2, lanes: 2 }),
    );
    for (let rounds = 0; rounds < 20; rounds += 1) {
      await Promise.all(processors.map((processor) => processor.drain()));
      world.time.advance(2_000);
    }
    for (const { id } of made) {
      expect(await store.tenant.subscription(id)).toMatchObject({ chargesPaid: 2 });
      expect(await numbers(id)).toEqual([1, 2]);
      await store.tenant.cancelSubscription(id);
    }
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('are not waited for: a charge goes back while another process counts its subscription', async () => {
    const world = scheduleWorld(store, new Date().toISOString());
    const [held, free] = await twoDue(world, 2, 'held');
    const statements: string[] = [];
    const processor = testProcessor(store.pool({ onStatement: (text) => void statements.push(text) }), {
      time: world.time,
    });
    await store.owner.transaction(async (tx) => {
      await tx.query('select from usance.subscription_counts where schedule_id = $1::uuid for no key update', [
        held?.id ?? '',
      ]);
      expect(await processor.drain()).toMatchObject({ settled: 2, deferred: 2 });
      // A batch that waited for the lock would be undone and tried again.
      expect(statements).toContain('commit');
      expect(statements).not.toContain('rollback');
    });
    expect(await numbers(held?.id ?? '')).toEqual([]);
    expect(await numbers(free?.id ?? '')).toEqual([1, 2]);
    expect(await world.processor.drainAfter(2_000)).toMatchObject({ settled: 2 });
    expect(await numbers(held?.id ?? '')).toEqual([1, 2]);
    expect(await troubles(store.usance)).toEqual([]);
  });
});

test('a charge whose subscription has no row of counts fails alone, with attempts and a notice', async () => {
  const { tenant } = store;
  await open(tenant, { 'whole-1': 5_000, 'damaged-1': 5_000, 'club-1': 0 });
  const plan = await tenant.createPlan({ ...MONTHLY, receiver: 'club-1', retry: { maxAttempts: 2 } });
  const subscribe = (payer: string) => tenant.subscribe({ plan: plan.id, payer, idempotencyKey: key() });
  const [whole, damaged] = [await subscribe('whole-1'), await subscribe('damaged-1')];
  const table = 'usance.subscription_counts';
  await store.owner.transaction(async (tx) => {
    await tx.query(`alter table ${table} disable trigger subscription_counts_stay`);
    await tx.query(`delete from ${table} where schedule_id = $1::uuid`, [damaged.id]);
    await tx.query(`alter table ${table} enable trigger subscription_counts_stay`);
  });
  const poisoned: string[] = [];
  const processor = testProcessor(store.db, { onPoisoned: (id) => void poisoned.push(id) });
  expect(await processor.drain()).toMatchObject({ settled: 1, failed: 1 });
  expect(await tenant.subscription(whole.id)).toMatchObject({ chargesPaid: 1 });
  expect(poisoned).toEqual([damaged.lastPaymentId]);
  expect(await tenant.payment(damaged.lastPaymentId ?? '')).toMatchObject({ attempts: 1, lastCode: 'UNEXPECTED' });
  await processor.drainAfter(DAY);
  expect(await tenant.payment(damaged.lastPaymentId ?? '')).toMatchObject({ status: 'failed', attempts: 2 });
  await store.owner.query(
    `insert into ${table} (tenant_id, schedule_id, charges_paid) select tenant_id, schedule_id, 0 from usance.subscriptions
     where schedule_id = $1::uuid`,
    [damaged.id],
  );
  for (const { id } of [whole, damaged]) await tenant.cancelSubscription(id);
  expect(await troubles(store.usance)).toEqual([]);
});

test('the number of paid charges only grows', async () => {
  const own = await club();
  await advance(store.usance, own, after(1));
  const change = (statement: string): Promise<unknown> =>
    store.owner.query(`${statement} where schedule_id = $1::uuid`, [own.id]);
  await expect(change('update usance.subscription_counts set charges_paid = 0')).rejects.toThrow(/append-only/);
  await expect(change('update usance.subscription_counts set charges_paid = 1')).rejects.toThrow(/append-only/);
  await expect(change('delete from usance.subscription_counts')).rejects.toThrow(/append-only/);
  expect(await troubles(store.usance)).toEqual([]);
});
