// How a subscription ends, and what it says of its charges: those that were made, skipped or covered by credit are all that were approved.
import { describe, expect, test } from 'vitest';
import type { PlanOrder } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR } from '../support/processor.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';
import { eventsOf, scheduleWorld, told } from './world.ts';

const store = useUsance();
const TERMS = { name: 'Club', price: 1_000, asset: 'USD', receiver: 'club' } as const;
const MONTHLY = { ...TERMS, period: { frequency: 'MONTHLY' }, charges: 6, afterFailure: 'pause' } as const;

interface Club extends TestTenant {
  readonly id: string;
  readonly plan: (terms: Partial<PlanOrder>) => Promise<string>;
}

async function club(terms: Partial<PlanOrder> = {}, funds = 100_000): Promise<Club> {
  const own = await testTenant(store.usance);
  await open(own.tenant, { ann: funds, club: 0 });
  const plan = async (other: Partial<PlanOrder>) => (await own.tenant.createPlan({ ...MONTHLY, ...other })).id;
  const order = { plan: await plan(terms), payer: 'ann', idempotencyKey: key() };
  return { ...own, plan, id: (await own.tenant.subscribe(order)).id };
}

const expired = async (id: string): Promise<unknown> => (await eventsOf(store.db, id, 'subscription.expired')).at(-1);

describe('a subscription whose last charge is over', () => {
  test('has used up its approval where every charge was made', async () => {
    const own = await club();
    await advance(store.usance, own, after(200 * DAY));
    const counts = { charges: 6, chargesMade: 6, chargesSkipped: 0, chargesCredited: 0 };
    const ended = { status: 'expired', statusReason: 'approval_used_up', ...counts };
    expect(await own.tenant.subscription(own.id)).toMatchObject(ended);
    expect(await expired(own.id)).toMatchObject({ reason: 'approval_used_up', ...counts });
  });

  test('has ended its term where charges fell in a pause, and each of them is on record', async () => {
    const own = await club();
    await advance(store.usance, own, after(10 * DAY));
    await own.tenant.pauseSubscription(own.id);
    await advance(store.usance, own, after(70 * DAY));
    expect(await own.tenant.subscription(own.id)).toMatchObject({ chargesSkipped: 0 });
    await own.tenant.resumeSubscription(own.id);
    expect(await own.tenant.subscription(own.id)).toMatchObject({ chargesMade: 1, chargesSkipped: 2 });
    expect(told(await own.tenant.occurrences(own.id))).toEqual(['2027-01-01 made', '2027-02-01 skipped inactive 2']);
    expect(await eventsOf(store.db, own.id, 'schedule.occurrence_skipped')).toEqual([
      { slot: '2027-02-01T00:00:00', slots: 2, reason: 'inactive' },
    ]);
    await advance(store.usance, own, after(200 * DAY));
    const counts = { charges: 6, chargesMade: 4, chargesSkipped: 2, chargesCredited: 0 };
    expect(await own.tenant.subscription(own.id)).toMatchObject({
      status: 'expired',
      statusReason: 'term_ended',
      ...counts,
    });
    expect(await expired(own.id)).toMatchObject({ reason: 'term_ended', ...counts });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('has ended its term where credit covered charges', async () => {
    const own = await club({ price: 5_000 });
    await advance(store.usance, own, after(DAY));
    const plan = await own.plan({ charges: 4 });
    await own.tenant.changeSubscriptionPlan(own.id, { plan, proration: 'charge', idempotencyKey: key() });
    await advance(store.usance, own, after(200 * DAY));
    // 4,838 of credit: four charges of 1,000, and nothing is made of them; one charge was made before.
    const counts = { charges: 5, chargesMade: 1, chargesSkipped: 0, chargesCredited: 4 };
    expect(await own.tenant.subscription(own.id)).toMatchObject({
      status: 'expired',
      statusReason: 'term_ended',
      ...counts,
    });
    expect(await expired(own.id)).toMatchObject({ reason: 'term_ended', ...counts });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('counts imported charges as made', async () => {
    const own = await testTenant(store.usance);
    await open(own.tenant, { ann: 100_000, club: 0 });
    await own.tenant.createPlan(MONTHLY);
    async function* lines(): AsyncGenerator<string> {
      yield 'reference,plan,payer,next_due_at,charges_made,status';
      yield await Promise.resolve('old-1,Club,ann,2027-01-10T00:00:00Z,3,PAST_DUE');
    }
    await own.tenant.importSubscriptions({ format: 'csv', open: lines });
    const id = (await own.tenant.subscriptions({ reference: 'old-1' }))[0]?.id ?? '';
    await advance(store.usance, own, after(20 * DAY));
    await own.tenant.resumeSubscription(id);
    await advance(store.usance, own, after(100 * DAY));
    const counts = { charges: 6, chargesMade: 5, chargesSkipped: 1, chargesCredited: 0 };
    expect(await own.tenant.subscription(id)).toMatchObject({
      status: 'expired',
      statusReason: 'term_ended',
      ...counts,
    });
    expect(await expired(id)).toMatchObject({ reason: 'term_ended', ...counts });
  });
});

test('charges that were missed in an outage are counted as skipped', async () => {
  const world = scheduleWorld(store, new Date().toISOString());
  await open(store.tenant, { ann: 100_000, club: 0 });
  const plan = await store.tenant.createPlan({ ...TERMS, period: { everySeconds: 3_600 }, charges: 6 });
  const { id } = await store.tenant.subscribe({ plan: plan.id, payer: 'ann', idempotencyKey: key() });
  await world.processor.drainAfter(HOUR / 10);
  for (const ms of [4 * HOUR, 2_000, HOUR, 2_000, 2_000]) {
    world.time.advance(ms);
    await world.tick();
    await world.processor.drainAfter(1_000);
  }
  const counts = { charges: 6, chargesMade: 3, chargesSkipped: 3, chargesCredited: 0 };
  expect(await store.tenant.subscription(id)).toMatchObject({
    status: 'expired',
    statusReason: 'term_ended',
    ...counts,
  });
});

test('an open-ended subscription counts what it skipped, and a change of plan counts anew', async () => {
  const own = await club({ charges: null });
  await own.tenant.pauseSubscription(own.id);
  await advance(store.usance, own, after(40 * DAY));
  await own.tenant.resumeSubscription(own.id);
  expect(await own.tenant.subscription(own.id)).toMatchObject({ charges: null, chargesMade: 1, chargesSkipped: 1 });
  const plan = await own.plan({ charges: 2 });
  expect(await own.tenant.changeSubscriptionPlan(own.id, { plan, idempotencyKey: key() })).toMatchObject({
    charges: 3,
    chargesMade: 1,
    chargesSkipped: 0,
  });
  await advance(store.usance, own, after(200 * DAY));
  const counts = { charges: 3, chargesMade: 3, chargesSkipped: 0, chargesCredited: 0 };
  expect(await expired(own.id)).toMatchObject({ reason: 'approval_used_up', ...counts });
});
