// A payment that a subscription, an allowance or a schedule made belongs to it: whatever verb comes, by whatever way, the payer
// pays no more than was approved, and nothing once the subscription is cancelled.
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import type { Payment } from '../../src/payments/index.ts';
import type { PlanOrder, Subscription } from '../../src/schedules/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance();

const PLAN = {
  name: 'Club',
  price: 1_000,
  asset: 'USD',
  receiver: 'club',
  period: { frequency: 'MONTHLY' },
  charges: 3,
} as const;

interface Member extends TestTenant {
  readonly subscription: Subscription;
  readonly charge: Payment;
}

/** A subscription of three charges of 10.00, the first of which is open. */
async function member(funds = 0, terms: Partial<PlanOrder> = {}): Promise<Member> {
  const own = await testTenant(store.usance);
  const { tenant } = own;
  await open(tenant, { ann: funds, club: 0 });
  const { id } = await tenant.createPlan({ ...PLAN, ...terms });
  const subscription = await tenant.subscribe({ plan: id, payer: 'ann', idempotencyKey: key() });
  const [charge] = await tenant.payments();
  if (!charge) throw new Error('expected a first charge');
  return { ...own, subscription, charge };
}

async function inTransaction(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(store.runtimeUrl);
  await client.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

const fund = (tenant: TenantHandle, amount: number) =>
  tenant.deposit({ account: 'ann', asset: 'USD', amount, idempotencyKey: key() });

describe('the open charge of a subscription', () => {
  test.each([
    ['amount', { amount: 999_900 }],
    ['instant', { executeAt: after(2 * DAY) }],
    ['amount, beside its metadata,', { amount: 1, metadata: { seen: true } }],
  ])('cannot have its %s edited', async (_, edit) => {
    const { tenant, charge } = await member();
    expect(await refusalOf(tenant.editPayment(charge.id, edit))).toBe('PAYMENT_OWNED');
    expect(await tenant.payment(charge.id)).toEqual(charge);
  });

  test('says what to change instead', async () => {
    const { tenant, charge } = await member();
    const refused = tenant.editPayment(charge.id, { amount: 1 });
    await expect(refused).rejects.toThrow(/subscription sub_.*cancel the subscription/);
  });

  test('cannot be edited inside a transaction of the caller’s, or under a key', async () => {
    const { tenant, charge } = await member();
    const edited = inTransaction((client) => tenant.within(client).editPayment(charge.id, { amount: 9 }));
    expect(await refusalOf(edited)).toBe('PAYMENT_OWNED');
    const keyed = tenant.idempotently({ key: key(), fingerprint: 'x' }, async (verbs) => {
      await verbs.editPayment(charge.id, { amount: 9 });
      return null;
    });
    expect(await refusalOf(keyed)).toBe('PAYMENT_OWNED');
  });

  test('may have its metadata edited, be run now, failed and cancelled', async () => {
    const { tenant, charge } = await member();
    expect(await tenant.editPayment(charge.id, { metadata: { seen: true } })).toMatchObject({ amount: 1_000n });
    expect(await tenant.runPaymentNow(charge.id)).toMatchObject({ status: 'scheduled' });
    expect(await tenant.failPayment(charge.id, 'no')).toMatchObject({ status: 'failed' });
    expect(await tenant.retryPayment(charge.id)).toMatchObject({ status: 'scheduled' });
    expect(await tenant.cancelPayment(charge.id)).toMatchObject({ status: 'cancelled' });
  });
});

test('the open credit of an allowance cannot have its amount or instant edited', async () => {
  const own = await testTenant(store.usance);
  const { tenant } = own;
  await open(tenant, { ann: 100 });
  await tenant.openAccount({ ref: 'kid', guardian: 'ann' });
  await tenant.createAllowance({
    guardian: 'ann',
    junior: 'kid',
    asset: 'USD',
    amount: 50,
    frequency: 'DAILY',
    status: 'ON',
  });
  // Nothing is left for the second credit.
  await tenant.withdraw({ account: 'ann', asset: 'USD', amount: 50, idempotencyKey: key() });
  await advance(store.usance, own, after(2 * DAY + HOUR));
  const [credit] = await tenant.payments({ status: 'failed' });
  if (!credit) throw new Error('expected a failed credit');
  await fund(tenant, 50);
  await tenant.suspendAccount('kid', 'a look at it');
  await tenant.retryPayment(credit.id);
  expect(await refusalOf(tenant.editPayment(credit.id, { amount: 5 }))).toBe('PAYMENT_OWNED');
  expect(await refusalOf(tenant.editPayment(credit.id, { executeAt: after(3 * DAY) }))).toBe('PAYMENT_OWNED');
});

test('the open payment of a plain schedule may be edited', async () => {
  const own = await testTenant(store.usance);
  const { tenant } = own;
  await open(tenant, { ann: 0, club: 0 });
  const order = { from: 'ann', to: 'club', asset: 'USD', amount: 100, funding: 'at_execution' } as const;
  await tenant.createSchedule({ ...order, rule: { frequency: 'DAILY' }, retry: LONG, idempotencyKey: key() });
  await advance(store.usance, own, after(DAY));
  const [payment] = await tenant.payments();
  expect(await tenant.editPayment(payment?.id ?? '', { amount: 70 })).toMatchObject({ amount: 70n });
});

const LONG = { maxAttempts: 5, initialDelayMs: DAY, maxDelayMs: DAY } as const;

describe('the failed charge of a subscription', () => {
  /** Its first charge failed, and then there is money. */
  const failed = async (): Promise<Member> => {
    const own = await member();
    await own.tenant.failPayment(own.charge.id, 'a card was lost');
    await fund(own.tenant, 50_000);
    return own;
  };

  type Again = (tenant: TenantHandle, id: string) => Promise<unknown>;
  const WAYS: Readonly<Record<string, Again>> = {
    retry: (tenant, id) => tenant.retryPayment(id),
    'retry of a dead letter': (tenant, id) => tenant.retryDeadLetter(id),
    'retry of all dead letters': async (tenant) => {
      const { refused } = await tenant.retryDeadLetters({});
      for (const { code } of refused) throw Object.assign(new Error(code), { code });
    },
    'retry under a key': (tenant, id) =>
      tenant.idempotently({ key: key(), fingerprint: 'x' }, async (verbs) => {
        await verbs.retryPayment(id);
        return null;
      }),
    'retry inside a transaction of the caller’s': (tenant, id) =>
      inTransaction((client) => tenant.within(client).retryPayment(id)),
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'not refused',
      (error: unknown) => (error as { code: string }).code,
    );
  const reasonOf = async ({ tenant, charge }: Member): Promise<string> => refusedFor(tenant.retryPayment(charge.id));

  test.each(Object.entries(WAYS))('is tried again by a %s', async (_, again) => {
    const { tenant, charge } = await failed();
    await again(tenant, charge.id);
    expect(await tenant.payment(charge.id)).toMatchObject({ status: 'scheduled', attempts: 0 });
  });

  test.each(Object.entries(WAYS))('is not tried again by a %s once the subscription is cancelled', async (_, again) => {
    const own = await failed();
    const { tenant, charge, subscription } = own;
    await tenant.cancelSubscription(subscription.id);
    expect(await codeOf(again(tenant, charge.id))).toBe('PAYMENT_OWNED');
    expect(await reasonOf(own)).toBe('PAYMENT_OWNED/subscription_ended');
    await advance(store.usance, own, after(DAY));
    expect([await tenant.payment(charge.id), await held(tenant, 'club')]).toMatchObject([
      { status: 'failed' },
      [0n, 0n],
    ]);
  });

  test.each(Object.entries(WAYS))('is not tried again by a %s beyond what was approved', async (_, again) => {
    const own = await failed();
    const { tenant, charge, subscription } = own;
    const approve = (amount: number) =>
      store.owner.query(
        `begin; set local session_replication_role = replica;
         update usance.subscriptions set approved = ${amount}, price = ${amount} / charges where schedule_id = '${subscription.id}'; commit`,
      );
    // As if the payer had approved less than one charge.
    await approve(999);
    expect(await codeOf(again(tenant, charge.id))).toBe('SUBSCRIPTION_APPROVAL_EXCEEDED');
    expect(await reasonOf(own)).toBe('SUBSCRIPTION_APPROVAL_EXCEEDED/price');
    await approve(3_000);
  });

  test('and its subscription’s cancelling do not both come through', async () => {
    const { tenant, charge, subscription } = await failed();
    const [retried] = await Promise.all([
      codeOf(tenant.retryPayment(charge.id)),
      tenant.cancelSubscription(subscription.id),
    ]);
    const { status } = await tenant.payment(charge.id);
    expect([retried, status]).toEqual(retried === 'not refused' ? [retried, 'cancelled'] : ['PAYMENT_OWNED', 'failed']);
  });
});

test.each([
  ['is past due', false],
  ['was past due and resumed', true],
])('cancelling a subscription that %s ends a charge that was tried again', async (_, resumed) => {
  const own = await member(0, { afterFailure: 'pause' });
  const { tenant, charge, subscription } = own;
  await tenant.failPayment(charge.id, 'a card was lost');
  await advance(store.usance, own, after(2 * HOUR));
  expect(await tenant.subscription(subscription.id)).toMatchObject({ status: 'past_due' });
  if (resumed) await tenant.resumeSubscription(subscription.id);
  await tenant.retryPayment(charge.id);
  await tenant.cancelSubscription(subscription.id);
  await fund(tenant, 50_000);
  await advance(store.usance, own, after(DAY));
  expect([await tenant.payment(charge.id), await held(tenant, 'club')]).toMatchObject([
    { status: 'cancelled' },
    [0n, 0n],
  ]);
});

test('verify finds a subscription that charged, or is about to charge, more than was approved', async () => {
  const { tenant, charge, subscription } = await member();
  expect(await troubles(store.usance)).toEqual([]);
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.payments set amount = 999900 where id = '${charge.id}'; commit`,
  );
  const found = (await troubles(store.usance)).filter((trouble) => trouble.startsWith('charges-are-approved'));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(subscription.id);
  await tenant.cancelPayment(charge.id);
  expect(await troubles(store.usance)).toEqual([]);
});
