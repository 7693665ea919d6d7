// Changes of plan at awkward moments: while charges are overdue, twice in a period, after a dead letter, beyond every bound; and what
// is charged after the end that the payer asked for.
import { describe, expect, test } from 'vitest';
import type { PlanOrder } from '../../src/schedules/index.ts';
import { unusedOf } from '../../src/schedules/subscriptions/proration.ts';
import { key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import { START } from '../support/test-clock.ts';
import type { Member } from './member.ts';
import { memberOf } from './member.ts';

const store = useUsance();
const member = (terms: Partial<PlanOrder> = {}, start = START, funds = 1_000_000): Promise<Member> =>
  memberOf(store.usance, terms, start, funds);

const refuseCharges = (own: Member, maxAmount: number | null) =>
  own.tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount });

const letterOf = async (own: Member): Promise<string> =>
  (await own.tenant.deadLetters({ kind: 'occurrence' }))[0]?.id ?? '';

describe('a charge that is due and not made yet', () => {
  test.each(['none', 'charge'] as const)('keeps its price: a change of plan (%s) waits for it', async (proration) => {
    const own = await member({ missed: 'all', period: { everySeconds: 86_400 } });
    await own.to(HOUR);
    await own.tenant.pause('tenant', '', 'a look at the books');
    await own.to(3 * DAY + HOUR);
    const dearer = await own.plan({ price: 9_000, missed: 'all', period: { everySeconds: 86_400 } });
    expect(await refusedFor(own.change(dearer, proration))).toBe('SCHEDULE_STATE_CONFLICT/charge_due');
    await own.tenant.liftPause('tenant', '');
    await own.to(3 * DAY + 2 * HOUR);
    await own.change(dearer, proration);
    expect((await own.charged()).slice(0, 4).map((line) => line.slice(11))).toEqual(['1000', '1000', '1000', '1000']);
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('a dead letter of earlier terms', () => {
  test('is retried within the number of charges that was approved', async () => {
    const own = await member({ price: 500, afterFailure: 'pause' });
    await own.to(DAY);
    await refuseCharges(own, 100);
    await own.to(32 * DAY);
    const letter = await letterOf(own);
    await refuseCharges(own, null);
    await own.tenant.resumeSubscription(own.id);
    await own.change(await own.plan({ price: 1_000 }));
    await own.to(60 * DAY);
    // Three charges in all: two were made, and two more of the new plan; the credit leaves room in the sum for a fifth.
    expect(await own.change(await own.plan({ price: 3_000, charges: 2 }), 'charge')).toMatchObject({ charges: 4 });
    await own.to(61 * DAY);
    await own.tenant.retryDeadLetter(letter);
    await own.to(200 * DAY);
    expect(await own.now()).toMatchObject({ chargesMade: 4, charges: 4, status: 'expired' });
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('the 31st', () => {
  test('is kept by a change to another period and back, before anything is charged', async () => {
    const own = await member({}, '2027-01-31T00:00:00Z');
    await own.to(HOUR);
    await own.change(await own.plan({ period: { frequency: 'YEARLY' } }));
    await own.change(await own.plan({ price: 700 }));
    await own.to(100 * DAY);
    expect(await own.charged()).toEqual(['2027-01-31 1000', '2027-02-28 700', '2027-03-31 700', '2027-04-30 700']);
  });

  test('of an imported subscription is kept by a change to a plan of the same period', async () => {
    const own = await member({ name: 'Old' }, '2027-02-10T00:00:00Z');
    const row = {
      reference: 'm',
      plan: 'Old',
      payer: 'ann',
      next_due_at: '2027-02-28T00:00:00Z',
      started_at: '2026-12-31T00:00:00Z',
      charges_made: 2,
    };
    async function* lines(): AsyncGenerator<string> {
      yield await Promise.resolve(JSON.stringify(row));
    }
    expect(await own.tenant.importSubscriptions({ format: 'jsonl', open: lines })).toMatchObject({ created: 1 });
    const id = (await own.tenant.subscriptions()).find(({ reference }) => reference === 'm')?.id ?? '';
    const plan = await own.plan({ price: 700 });
    await own.tenant.changeSubscriptionPlan(id, { plan, idempotencyKey: key() });
    await own.to(80 * DAY);
    const made = await own.tenant.occurrences(id, { status: 'made' });
    expect(made.toReversed().map(({ runAt }) => runAt.toISOString().slice(5, 10))).toEqual(['02-28', '03-31', '04-30']);
  });
});

test('a change at once is possible after one to another period that has not begun', async () => {
  const own = await member();
  await own.to(HOUR);
  await own.change(await own.plan({ period: { frequency: 'YEARLY' } }));
  expect(await own.now()).toMatchObject({ nextDueAt: new Date('2027-02-01T00:00:00Z') });
  await own.to(15.5 * DAY);
  await own.change(await own.plan({ price: 3_000 }), 'charge');
  await own.to(60 * DAY);
  expect(await own.charged()).toEqual(['2027-01-01 1000', '2027-01-16 2500', '2027-02-16 3000']);
  expect(await troubles(store.usance)).toEqual([]);
});

test('a change of plan is refused where the approved total, the charges or the changes become too many', async () => {
  const own = await member({ charges: 2, period: { everySeconds: 60 } });
  await own.to(30);
  const most = await own.plan({ price: 9_000_000_000_000_000_000n, charges: 1 });
  // 2⁶³ − 1 is 9,223,372,036,854,775,807, and 1,000 are charged.
  expect(await refusalOf(own.change(most))).toBe('not refused');
  const more = await own.plan({ price: 9_223_372_036_854_775_000n, charges: 1 });
  expect(await refusedFor(own.change(more))).toBe('AMOUNT_TOO_LARGE/sum');
  const changes = `insert into usance.subscription_changes
      (tenant_id, schedule_id, version, plan_id, price, charges, approved, proration, credit, credit_paid, since, created_by, created_at)
    select tenant_id, schedule_id, 1000, plan_id, price, charges, approved, proration, credit, credit_paid, since, created_by, created_at
    from usance.subscription_changes where schedule_id = '${own.id}'`;
  await store.owner.query(changes);
  expect(await refusedFor(own.change(await own.plan({ price: 100 })))).toBe('SCHEDULE_STATE_CONFLICT/too_many_changes');
});

test('a subscription has at most 10,000 charges, also by changes of plan', async () => {
  const own = await member({ charges: 1_000, period: { everySeconds: 60 } });
  await own.to(30);
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     insert into usance.occurrences
       (tenant_id, id, schedule_id, slot, slots, ordinal, kind, status, amount, run_at, payment_id, created_at, updated_at)
     select tenant_id, gen_random_uuid(), schedule_id, slot - n * interval '1 minute', 1, ordinal, kind, status, amount, run_at, payment_id,
            created_at, updated_at
     from usance.occurrences, generate_series(1, 9000) n where schedule_id = '${own.id}'; commit`,
  );
  expect(await refusedFor(own.change(await own.plan({ price: 1, charges: 1_000 })))).toBe(
    'PLAN_INVALID/too_many_charges_in_all',
  );
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     delete from usance.occurrences where schedule_id = '${own.id}' and slot < '2027-01-01'; commit`,
  );
});

describe('after the end of the period at which the payer cancelled', () => {
  /** Cancelled at 1 February; its first charge failed, so it is past due. */
  async function ended(): Promise<Member & { readonly charge: string }> {
    const own = await member({ afterFailure: 'pause' }, START, 0);
    await own.tenant.cancelSubscription(own.id, { at: 'period_end' });
    await own.to(DAY);
    expect(await own.now()).toMatchObject({ status: 'past_due' });
    await own.tenant.deposit({ account: 'ann', asset: 'USD', amount: 10_000, idempotencyKey: key() });
    return { ...own, charge: (await own.now()).lastPaymentId ?? '' };
  }

  test('a failed charge is not retried', async () => {
    const own = await ended();
    await own.to(60 * DAY);
    expect(await refusedFor(own.tenant.retryPayment(own.charge))).toBe('PAYMENT_OWNED/subscription_ended');
    expect(await own.tenant.retryDeadLetters({})).toMatchObject({ retried: [] });
  });

  test('before it, the charge is retried', async () => {
    const own = await ended();
    await own.tenant.retryPayment(own.charge);
    await own.to(DAY + HOUR);
    expect(await own.now()).toMatchObject({ paid: 1_000n });
  });

  test('a charge that was refused is not retried', async () => {
    const own = await member({ afterFailure: 'pause', trialDays: 1 });
    await refuseCharges(own, 100);
    await own.to(2 * DAY);
    const letter = await letterOf(own);
    await refuseCharges(own, null);
    await own.tenant.resumeSubscription(own.id);
    await own.tenant.cancelSubscription(own.id, { at: 'period_end' });
    await own.tenant.pauseSubscription(own.id);
    await own.to(60 * DAY);
    expect(await refusedFor(own.tenant.retryDeadLetter(letter))).toBe('SCHEDULE_OF_SUBSCRIPTION/subscription_ended');
  });
});

test('repeated changes between plans of one price save the payer nothing', () => {
  const [price, length, step] = [10n, 30 * DAY, 1.4 * DAY];
  let [paid, credit] = [price, 0n];
  const changes = 60;
  for (let n = 0; n < changes; n += 1) {
    credit += unusedOf({ value: price, startMs: 0, endMs: length }, step);
    const used = credit < price ? credit : price;
    credit -= used;
    paid += price - used;
  }
  expect(Number(paid)).toBeGreaterThanOrEqual((Number(price) * changes * step) / length);
});

test('a change of plan soon after another waits for its first charge', async () => {
  const own = await member({ price: 3_000 });
  await own.to(15.5 * DAY);
  await own.change(await own.plan({ price: 4_000 }), 'charge');
  const again = await own.plan({ price: 5_000 });
  expect(await refusedFor(own.change(again, 'charge'))).toBe('SCHEDULE_STATE_CONFLICT/charge_unpaid');
  await own.to(15.5 * DAY + MINUTE);
  expect(await refusalOf(own.change(again, 'charge'))).toBe('not refused');
});
