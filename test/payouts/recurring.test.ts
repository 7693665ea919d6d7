// Payouts that schedules and subscriptions make: routed when they are due, by the owner's destinations and priority; and the rules of the owner for
// what becomes of them.
import { describe, expect, test } from 'vitest';
import type { Payment, ScheduleOrder } from '../../src/engine.ts';
import { held, key, troubles } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import type { PayoutWorld } from './world.ts';
import { OTHER_PAYEE, PAYEE, USDC, usePayouts } from './world.ts';

const store = usePayouts();
const DAY = 86_400;
/** 2027-01-01, when the clock begins, is a Friday; the first run is at 09:00. */
const FRIDAYS = { frequency: 'WEEKLY', weekdays: ['FR'], time: '09:00' } as const;
const NINE = 9 * 3_600;

const everyFriday = ({ tenant }: PayoutWorld, order: Partial<ScheduleOrder> = {}) =>
  tenant.createSchedule({
    from: 'alice',
    asset: USDC,
    amount: 25_000_000n,
    rail: 'any',
    destinations: { sandbox: PAYEE },
    rule: FRIDAYS,
    ...order,
    idempotencyKey: key(),
  });

const salary = async ({ tenant }: PayoutWorld, afterFailure: 'pause' | 'expire' = 'pause') =>
  tenant.createPlan({
    name: 'Salary',
    asset: USDC,
    price: 40_000_000n,
    receiver: 'world',
    period: { frequency: 'WEEKLY' },
    charges: 4,
    afterFailure,
  });

const paidBy = async ({ tenant }: PayoutWorld, owner: string): Promise<Payment[]> => {
  const all = await tenant.payments({}, { limit: 100 });
  return all.filter((payment) => payment.owner?.id === owner).toReversed();
};
const eventsOf = async ({ tenant }: PayoutWorld, type: string) =>
  (await tenant.events({ type })).map(({ data }) => data);

describe('a schedule of payouts', () => {
  test('pays its destination once for every slot, over the chain that is chosen when the slot is due', async () => {
    const world = await store.world();
    const schedule = await everyFriday(world, { routePriority: 'reliable' });
    expect(schedule).toMatchObject({
      rail: 'any',
      payout: { destinations: { sandbox: PAYEE }, priority: 'reliable', quoteId: null },
    });
    await world.pass(15 * DAY);
    const payouts = await paidBy(world, schedule.id);
    expect(payouts).toMatchObject(
      [0, 1, 2].map(() => ({ status: 'settled', rail: 'any', attempts: 1, retry: null, payout: schedule.payout })),
    );
    expect(await world.landed()).toMatchObject(payouts.map(() => ({ recipient: PAYEE, units: 25_000_000n })));
    const [first] = payouts;
    const { routes } = await world.tenant.payoutRoute(first?.id ?? '');
    expect(routes).toMatchObject([{ cause: 'due', chain: 'sandbox', inputs: { priority: 'reliable' } }]);
    // Not when the schedule was created: at its slot, by the clock of the tenant.
    expect(routes[0]?.chosenAt.getTime()).toBeGreaterThanOrEqual(Date.parse('2027-01-01T09:00:00Z'));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('pauses after a payout whose three attempts have ended without paying, and gives its funds back', async () => {
    const world = await store.world();
    await world.faults({ expire: 1 });
    const schedule = await everyFriday(world, { afterFailure: 'pause' });
    await world.pass(NINE + 900);
    const [failed] = await paidBy(world, schedule.id);
    expect(failed).toMatchObject({ status: 'failed', attempts: 3, lastCode: 'PAYOUT_NOT_LANDED' });
    const attempts = await world.attempts(failed ?? expect.fail('a payout was made'));
    expect(attempts.map(({ state }) => state)).toEqual(['dead', 'dead', 'dead']);
    expect(await world.tenant.schedule(schedule.id)).toMatchObject({ status: 'paused', pausedBy: 'failure' });
    expect(await world.tenant.deadLetters()).toMatchObject([{ kind: 'payment' }]);
    // A replay obeys the schedule, which has nothing against it; the chain takes it now.
    await world.faults({ expire: 0 });
    await world.tenant.retryPayment(failed?.id ?? '');
    await world.pass(60);
    expect(await paidBy(world, schedule.id)).toMatchObject([{ status: 'settled', attempts: 1 }]);
    expect(await world.landed()).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('pays a run that is triggered, and slots of the past that are backfilled', async () => {
    const world = await store.world();
    const schedule = await everyFriday(world, { destinations: { sandbox: OTHER_PAYEE }, missed: 'skip' });
    const run = await world.tenant.triggerSchedule(schedule.id, { idempotencyKey: key() });
    await world.pass(60);
    expect(await world.read({ id: run.paymentId ?? '' })).toMatchObject({ status: 'settled', rail: 'any' });
    await world.tenant.pauseSchedule(schedule.id);
    await world.pass(8 * DAY);
    const range = { start: '2027-01-01', end: '2027-01-08' };
    await world.tenant.resumeSchedule(schedule.id);
    const made = await world.tenant.backfillSchedule(schedule.id, { ...range, idempotencyKey: key() });
    expect(made).toHaveLength(2);
    await world.pass(60);
    expect((await world.landed()).map(({ recipient }) => recipient)).toEqual([OTHER_PAYEE, OTHER_PAYEE, OTHER_PAYEE]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('waits with its next slot while a payout is with its chain, and cancels no payout that is', async () => {
    const world = await store.world();
    const schedule = await everyFriday(world);
    await world.pass(NINE);
    const [sent] = await paidBy(world, schedule.id);
    expect(sent).toMatchObject({ status: 'submitted' });
    await world.tenant.cancelSchedule(schedule.id, { cancelPayment: true });
    expect(await world.tenant.schedule(schedule.id)).toMatchObject({ status: 'cancelled' });
    expect(await paidBy(world, schedule.id)).toMatchObject([{ status: 'submitted' }]);
    await world.pass(30);
    expect(await paidBy(world, schedule.id)).toMatchObject([{ status: 'settled' }]);
    expect(await refusalOf(world.tenant.cancelPayment(sent?.id ?? ''))).toBe('PAYMENT_STATE_CONFLICT');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each([
    [
      'an address of another chain',
      { destinations: { sandbox: '0x52908400098527886E0F7030069857D2E4169EE7' } },
      'DESTINATION_INVALID',
    ],
    ['a chain that is not there', { rail: 'solana', destinations: { solana: PAYEE } }, 'CHAIN_NOT_AVAILABLE'],
    ['a payee', { to: 'alice' }, 'PAYOUT_INVALID'],
    ['a rail without an address', { rail: 'sandbox', destinations: {} }, 'PAYOUT_INVALID'],
    ['an unknown priority', { routePriority: 'cheap' as never }, 'FIELD_INVALID'],
    ['an asset that the chain does not have', { asset: 'USD' }, 'ASSET_NOT_ON_CHAIN'],
  ])('with %s is refused', async (_what, order, code) => {
    const world = await store.world();
    expect(await refusalOf(everyFriday(world, order))).toBe(code);
  });

  test('keeps its rail and its destinations, also in the database', async () => {
    const world = await store.world();
    const { id } = await everyFriday(world);
    const change = (set: string) => store.owner.query(`update usance.schedules set ${set} where id = '${id}'`);
    await expect(change(`payout = jsonb_set(payout, '{destinations,sandbox}', '"${OTHER_PAYEE}"')`)).rejects.toThrow(
      id,
    );
    await expect(change(`rail = 'sandbox'`)).rejects.toThrow(id);
    await expect(change(`rail = 'ledger', payout = null`)).rejects.toThrow(id);
    expect(await world.tenant.editSchedule(id, { amount: 5_000_000n, retry: { maxAttempts: 2 } })).toMatchObject({
      payout: { destinations: { sandbox: PAYEE } },
      amount: 5_000_000n,
      // Fields go over the preset of payouts.
      retry: { maxAttempts: 2, initialDelayMs: 5_000 },
    });
    await world.pass(NINE + 60);
    expect(await paidBy(world, id)).toMatchObject([{ status: 'settled', amount: 5_000_000n }]);
  });
});

describe('a subscription to payouts', () => {
  test('charges its payer when the chain is final, and tells of each charge', async () => {
    const world = await store.world();
    const { id: plan } = await salary(world);
    const order = { plan, payer: 'alice', rail: 'sandbox', destination: PAYEE, idempotencyKey: key() };
    const { id, ...subscribed } = await world.tenant.subscribe(order);
    expect(subscribed).toMatchObject({
      status: 'active',
      rail: 'sandbox',
      payout: { destinations: { sandbox: PAYEE } },
      retry: { maxAttempts: 3, initialDelayMs: 5_000, multiplier: 2 },
    });
    await world.pass(1);
    expect(await world.tenant.subscription(id)).toMatchObject({ chargesMade: 1, chargesPaid: 0 });
    await world.pass(30 * DAY);
    expect(await world.tenant.subscription(id)).toMatchObject({
      status: 'expired',
      chargesPaid: 4,
      paid: 160_000_000n,
    });
    expect(await world.landed()).toMatchObject([1, 2, 3, 4].map(() => ({ recipient: PAYEE, units: 40_000_000n })));
    expect(await eventsOf(world, 'subscription.charged')).toMatchObject([1, 2, 3, 4].map((charge) => ({ charge })));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is past due after a payout that failed for good, and a retry of that charge obeys the subscription', async () => {
    const world = await store.world();
    await world.faults({ expire: 1 });
    const { id: plan } = await salary(world);
    const destinations = { sandbox: PAYEE };
    const { id } = await world.tenant.subscribe({ plan, payer: 'alice', destinations, idempotencyKey: key() });
    await world.pass(900);
    const [charge = expect.fail('a charge was made')] = await paidBy(world, id);
    expect(charge).toMatchObject({ status: 'failed', attempts: 3 });
    expect(await world.tenant.subscription(id)).toMatchObject({ status: 'past_due', chargesPaid: 0 });
    expect(await eventsOf(world, 'subscription.past_due')).toHaveLength(1);
    await world.faults({ expire: 0 });
    await world.tenant.retryPayment(charge.id);
    expect(await refusalOf(world.tenant.editPayment(charge.id, { amount: 1n }))).toBe('PAYMENT_OWNED');
    await world.pass(60);
    expect(await world.tenant.subscription(id)).toMatchObject({ chargesPaid: 1 });
    expect(await eventsOf(world, 'subscription.charged')).toMatchObject([{ charge: 1 }]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('that is cancelled pays what is with its chain and nothing else', async () => {
    const world = await store.world();
    await world.faults({ expire: 1 });
    const { id: plan } = await salary(world);
    const destinations = { sandbox: PAYEE };
    const { id } = await world.tenant.subscribe({ plan, payer: 'alice', destinations, idempotencyKey: key() });
    await world.pass(1);
    const [charge = expect.fail('a charge was made')] = await paidBy(world, id);
    expect(charge).toMatchObject({ status: 'submitted' });
    await world.tenant.cancelSubscription(id);
    expect(await world.tenant.subscription(id)).toMatchObject({ status: 'cancelled' });
    // What was sent cannot land any more; the chain would take another attempt, and there is none.
    await world.faults({ expire: 0 });
    await world.pass(900);
    expect(await world.read(charge)).toMatchObject({ status: 'cancelled', attempts: 1 });
    expect(await world.attempts(charge)).toMatchObject([{ state: 'dead' }]);
    expect(await held(world.tenant, 'alice', USDC)).toEqual([1_000_000_000n, 0n]);
    expect(await world.landed()).toEqual([]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('to a plan that pays an account is refused', async () => {
    const world = await store.world();
    await world.tenant.openAccount({ ref: 'bob' });
    const terms = { name: 'Club', asset: USDC, price: 1n, receiver: 'bob', period: { frequency: 'MONTHLY' } } as const;
    const { id: plan } = await world.tenant.createPlan(terms);
    const destinations = { sandbox: PAYEE };
    const order = { plan, payer: 'alice', destinations, idempotencyKey: key() };
    expect(await refusalOf(world.tenant.subscribe(order))).toBe('PAYOUT_INVALID');
    expect(await world.tenant.subscriptions()).toEqual([]);
  });
});

describe('a payout that waits', () => {
  test('is routed when it is due, by its stored priority, and follows no quote that has expired', async () => {
    const world = await store.world();
    const quote = await world.tenant.createQuote({
      asset: USDC,
      amount: 10_000_000n,
      destinations: { sandbox: PAYEE },
      priority: 'fast',
    });
    const payout = await world.pay({
      rail: 'any',
      destinations: { sandbox: PAYEE },
      routePriority: 'fast',
      delay: '1h',
    });
    expect(quote.chain).toBe('sandbox');
    await world.pass(3_600);
    const { routes } = await world.tenant.payoutRoute(payout.id);
    expect(routes).toMatchObject([{ cause: 'due', quoteId: null, inputs: { priority: 'fast' } }]);
    await world.pass(30);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
  });

  test('expires while it waits, and not once it is with its chain', async () => {
    const world = await store.world();
    const expiresAt = new Date('2027-01-01T01:00:05Z');
    const late = await world.pay({ delay: '1h', expiresAt });
    await world.pass(3_601);
    expect(await world.read(late)).toMatchObject({ status: 'submitted' });
    await world.pass(60);
    expect(await world.read(late)).toMatchObject({ status: 'settled' });
    await world.tenant.pause('rail', 'sandbox', 'the chain is changed');
    const paused = await refusalOf(world.pay());
    expect(paused).toBe('PAUSED');
    await world.tenant.liftPause('rail', 'sandbox');
    const waits = await world.pay({ delay: '1h', expiresAt: new Date('2027-01-01T04:00:00Z') });
    await world.tenant.pause('rail', 'sandbox', 'the chain is changed');
    await world.pass(4 * 3_600);
    expect(await world.read(waits)).toMatchObject({ status: 'expired' });
    expect(await world.attempts(waits)).toEqual([]);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
