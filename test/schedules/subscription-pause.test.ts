// Pausing a subscription, and cancelling it at the end of its period.
import { describe, expect, test } from 'vitest';
import type { PlanOrder, Subscription } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, after, drive, testTenant } from '../support/test-clock.ts';

const store = useUsance();

interface Member extends TestTenant {
  readonly id: string;
  now(): Promise<Subscription>;
  to(ms: number): Promise<void>;
  told(): Promise<string[]>;
}

async function member(terms: Partial<PlanOrder> = {}, funds = 100_000): Promise<Member> {
  const own = await testTenant(store.usance);
  const { tenant } = own;
  await open(tenant, { ann: funds, club: 0 });
  const plan = await tenant.createPlan({
    name: 'Club',
    price: 1_000,
    asset: 'USD',
    receiver: 'club',
    period: { frequency: 'MONTHLY' },
    ...terms,
  });
  const { id } = await tenant.subscribe({ plan: plan.id, payer: 'ann', idempotencyKey: key() });
  return {
    ...own,
    id,
    now: () => tenant.subscription(id),
    to: async (ms) => void (await advance(store.usance, own, after(ms))),
    async told() {
      await drive(store.usance);
      const events = await tenant.events({}, { limit: 1_000 });
      return events
        .filter(({ resource }) => resource === 'subscription')
        .map(({ type, occurredAt }) => `${occurredAt.toISOString().slice(0, 10)} ${type.slice(13)}`);
    },
  };
}

const atEnd = { at: 'period_end', reason: 'moves away' } as const;
const FEBRUARY = new Date('2027-02-01T00:00:00Z');

describe('cancelling at the end of the period', () => {
  test('keeps it active until the next charge would be due, and cancels it instead of charging', async () => {
    const own = await member();
    await own.to(HOUR);
    expect(await own.tenant.cancelSubscription(own.id, atEnd)).toMatchObject({
      status: 'active',
      cancelAt: FEBRUARY,
      nextDueAt: null,
    });
    expect(await own.tenant.upcoming(own.id)).toEqual([]);
    expect(await own.tenant.calendar({ days: 60 })).toEqual([]);
    expect((await own.tenant.forecast('ann', { days: 60 })).lines).toEqual([]);
    await own.to(31 * DAY - 1_000);
    expect(await own.now()).toMatchObject({ status: 'active' });
    await own.to(31 * DAY);
    expect(await own.now()).toMatchObject({
      status: 'cancelled',
      statusReason: 'period_end',
      endedAt: FEBRUARY,
      chargesMade: 1,
      paid: 1_000n,
    });
    await own.to(100 * DAY);
    expect(await own.told()).toEqual([
      '2027-01-01 created',
      '2027-01-01 charged',
      '2027-01-01 cancellation_scheduled',
      '2027-02-01 cancelled',
    ]);
    expect(await refusalOf(own.tenant.resumeSubscription(own.id))).toBe('SCHEDULE_STATE_CONFLICT');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is withdrawn by a resume, and asked for once', async () => {
    const own = await member();
    expect(await refusalOf(own.tenant.resumeSubscription(own.id))).toBe('SCHEDULE_STATE_CONFLICT');
    await own.tenant.cancelSubscription(own.id, atEnd);
    expect(await refusedFor(own.tenant.cancelSubscription(own.id, atEnd))).toBe(
      'SCHEDULE_STATE_CONFLICT/cancellation_scheduled',
    );
    expect(await own.tenant.resumeSubscription(own.id)).toMatchObject({
      status: 'active',
      cancelAt: null,
      nextDueAt: FEBRUARY,
    });
    await own.to(32 * DAY);
    expect(await own.now()).toMatchObject({ status: 'active', chargesPaid: 2 });
    expect(await own.told()).toContain('2027-01-01 cancellation_withdrawn');
  });

  test('of a trial charges nothing at all', async () => {
    const own = await member({ trialDays: 14 });
    expect(await own.tenant.cancelSubscription(own.id, atEnd)).toMatchObject({
      status: 'trialing',
      cancelAt: after(14 * DAY),
    });
    await own.to(60 * DAY);
    expect(await own.now()).toMatchObject({ status: 'cancelled', chargesMade: 0, endedAt: after(14 * DAY) });
  });

  test('waits for a charge that is still tried', async () => {
    const retry = { maxAttempts: 3, initialDelayMs: 50 * MINUTE, multiplier: 1 };
    const own = await member({ retry, period: { everySeconds: 3_600 }, charges: 5 }, 0);
    await own.to(MINUTE);
    await own.tenant.cancelSubscription(own.id, atEnd);
    await own.to(65 * MINUTE);
    expect(await own.now()).toMatchObject({ status: 'active', chargesMade: 1 });
    await own.tenant.deposit({ account: 'ann', asset: 'USD', amount: 5_000, idempotencyKey: key() });
    await own.to(2 * HOUR);
    expect(await own.now()).toMatchObject({ status: 'cancelled', chargesMade: 1, chargesPaid: 1 });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('outlives a charge that failed for good: what is resumed later is cancelled, not charged', async () => {
    const own = await member({ afterFailure: 'pause' }, 0);
    await own.tenant.cancelSubscription(own.id, atEnd);
    await own.to(DAY);
    expect(await own.now()).toMatchObject({ status: 'past_due', cancelAt: FEBRUARY });
    await own.to(40 * DAY);
    await own.tenant.deposit({ account: 'ann', asset: 'USD', amount: 5_000, idempotencyKey: key() });
    await own.tenant.resumeSubscription(own.id);
    await own.to(41 * DAY);
    expect(await own.now()).toMatchObject({ status: 'cancelled', chargesMade: 1, chargesPaid: 0 });
  });

  test('does not hold up a cancel at once', async () => {
    const own = await member();
    await own.tenant.cancelSubscription(own.id, atEnd);
    expect(await own.tenant.cancelSubscription(own.id)).toMatchObject({ status: 'cancelled' });
  });

  test('is refused where no charge is ahead', async () => {
    const own = await member({ charges: 1 });
    expect(await refusedFor(own.tenant.cancelSubscription(own.id, atEnd))).toBe(
      'SCHEDULE_STATE_CONFLICT/no_further_charge',
    );
    expect(await refusedFor(own.tenant.pauseSubscription(own.id))).toBe('SCHEDULE_STATE_CONFLICT/no_further_charge');
  });
});

describe('a pause', () => {
  test('skips the charges that fall in it, which count as charges', async () => {
    const own = await member({ charges: 4 });
    await own.to(DAY);
    expect(await own.tenant.pauseSubscription(own.id, { reason: 'on holiday' })).toMatchObject({
      status: 'paused',
      statusReason: 'on holiday',
      nextDueAt: null,
    });
    expect(await own.tenant.subscriptions({ status: 'paused' })).toHaveLength(1);
    expect(await own.tenant.subscriptions({ status: 'past_due' })).toEqual([]);
    await own.to(70 * DAY);
    expect(await own.now()).toMatchObject({ status: 'paused', chargesMade: 1 });
    expect(await own.tenant.resumeSubscription(own.id)).toMatchObject({
      status: 'active',
      nextDueAt: new Date('2027-04-01T00:00:00Z'),
    });
    await own.to(200 * DAY);
    expect(await own.now()).toMatchObject({ status: 'expired', chargesMade: 2, chargesPaid: 2 });
    expect(await own.told()).toEqual([
      '2027-01-01 created',
      '2027-01-01 charged',
      '2027-01-02 paused',
      '2027-03-12 resumed',
      '2027-04-01 charged',
      '2027-04-01 expired',
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('leaves an open charge as it is, and what became of it is seen on resume', async () => {
    const paid = await member({}, 0);
    await paid.to(30_000);
    await paid.tenant.pauseSubscription(paid.id);
    await paid.tenant.deposit({ account: 'ann', asset: 'USD', amount: 1_000, idempotencyKey: key() });
    await paid.to(DAY);
    expect(await paid.now()).toMatchObject({ status: 'paused', chargesPaid: 1 });
    await paid.tenant.resumeSubscription(paid.id);
    await paid.to(DAY + MINUTE);
    expect(await paid.told()).toEqual([
      '2027-01-01 created',
      '2027-01-01 paused',
      '2027-01-01 charged',
      '2027-01-02 resumed',
    ]);

    const failed = await member({ afterFailure: 'pause' }, 0);
    await failed.to(30_000);
    await failed.tenant.pauseSubscription(failed.id);
    await failed.to(DAY);
    expect(await failed.now()).toMatchObject({ status: 'paused' });
    await failed.tenant.resumeSubscription(failed.id);
    await failed.to(DAY + MINUTE);
    expect(await failed.now()).toMatchObject({ status: 'past_due', statusReason: 'payment_failed' });
    expect(await failed.tenant.resumeSubscription(failed.id)).toMatchObject({ status: 'active' });
    await failed.to(2 * DAY);
    expect(await failed.now()).toMatchObject({ status: 'active', nextDueAt: FEBRUARY });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('of a trial ends with it where it is resumed in time', async () => {
    const own = await member({ trialDays: 14 });
    await own.tenant.pauseSubscription(own.id);
    await own.to(7 * DAY);
    expect(await own.tenant.resumeSubscription(own.id)).toMatchObject({
      status: 'trialing',
      nextDueAt: after(14 * DAY),
    });
    await own.tenant.pauseSubscription(own.id);
    await own.to(20 * DAY);
    expect(await own.tenant.resumeSubscription(own.id)).toMatchObject({ status: 'active', chargesMade: 0 });
  });

  test('that all charges fell in leaves nothing to resume', async () => {
    const own = await member({ charges: 2 });
    await own.to(DAY);
    await own.tenant.pauseSubscription(own.id);
    await own.to(60 * DAY);
    expect(await refusalOf(own.tenant.resumeSubscription(own.id))).toBe('RULE_NEVER_FIRES');
    expect(await own.tenant.cancelSubscription(own.id)).toMatchObject({ status: 'cancelled', chargesMade: 1 });
  });

  test('with a cancellation pending ends when it is resumed after the period', async () => {
    const own = await member();
    await own.tenant.cancelSubscription(own.id, atEnd);
    await own.tenant.pauseSubscription(own.id);
    await own.to(40 * DAY);
    await own.tenant.resumeSubscription(own.id);
    await own.to(40 * DAY + MINUTE);
    expect(await own.now()).toMatchObject({ status: 'cancelled', statusReason: 'period_end', chargesMade: 1 });
  });

  test('twenty times at once happens once', async () => {
    const own = await member();
    const codes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(own.tenant.pauseSubscription(own.id))));
    expect(codes.filter((code) => code === 'SCHEDULE_STATE_CONFLICT')).toHaveLength(19);
    expect((await own.told()).filter((line) => line.endsWith('paused'))).toHaveLength(1);
  });
});
