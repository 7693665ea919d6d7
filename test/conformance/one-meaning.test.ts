// One name and one number: what a view says of a payment or an allowance is what HTTP, the timeline and the metrics say of it.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../src/db/index.ts';
import { asDateOrNull } from '../../src/db/index.ts';
import { PAYEE, SANDBOX } from '../payouts/world.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, testProcessor } from '../support/processor.ts';
import { totalOf } from '../support/prometheus.ts';
import { addExecution, addJob } from '../support/jobs.ts';
import { advance, testTenant } from '../support/test-clock.ts';
import { addEndpoint } from '../support/webhooks.ts';

const store = useUsance({
  simulateFailures: 0,
  allowances: { retryDelayMs: 8 * HOUR },
  chains: { sandbox: SANDBOX, measureEveryMs: HOUR },
});
const docs = (text: string, schema = 'usance_docs'): Promise<Row[]> =>
  store.db.transaction(async (tx) => {
    await tx.query(`set local search_path = ${schema}`);
    return tx.query(text);
  });
const create = (fields: object = {}) =>
  store.tenant.createPayment({
    from: 'ann',
    to: 'ben',
    asset: 'USD',
    amount: 100,
    delay: '48h',
    ...fields,
    idempotencyKey: key(),
  });
const counted = async (...names: string[]): Promise<number[]> => {
  const text = await store.usance.monitoring.metrics();
  return names.map((name) => totalOf(text, `payments_${name}_total`) ?? NaN);
};
const holdOf = async (id: string): Promise<Row | undefined> =>
  (await docs(`select * from payment_holds where hold_id = '${id}'`))[0];
const eventsOf = async (id: string): Promise<string[]> =>
  (
    await docs(`select event_type, from_status, to_status from hold_events where hold_id = '${id}' order by event_id`)
  ).map((row) => [row['event_type'], row['from_status'] ?? '-', row['to_status'] ?? '-'].join(' '));

beforeAll(async () => {
  await open(store.tenant, { ann: 100_000, ben: 0, cem: 0, idle: 0, shut: 0 });
});

/** Asks for a second person above 50, and for none afterwards. */
async function withApproval(work: () => Promise<void>): Promise<void> {
  await store.tenant.setLimit({ asset: 'USD', approvalAbove: 50 });
  await work();
  await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });
}

describe('a hold of which 40 of 100 were captured', () => {
  const capture = (id: string) => store.tenant.capturePayment(id, { amount: 40, idempotencyKey: key() });
  const cancel = (id: string): Promise<unknown> => store.tenant.cancelPayment(id, { reason: 'out of stock' });
  const expire = (): Promise<unknown> => testProcessor(store.db).drainAfter(3 * HOUR);
  const soon = () => ({ delay: '1h', expiresAt: new Date(Date.now() + 2 * HOUR) });
  const captured = async (fields: object = {}): Promise<string> => {
    const { id } = await create(fields);
    await capture(id);
    return id;
  };
  /** Approved, captured in part, and then moved, so that it awaits approval anew. */
  const awaiting = async (end: (id: string) => Promise<unknown>): Promise<string> => {
    const made = { id: '' };
    await withApproval(async () => {
      const jo = await store.usance.tenant('shop', { actor: 'cli:jo' });
      const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 100, ...soon(), idempotencyKey: key() };
      made.id = (await jo.createPayment(order)).id;
      await store.tenant.approvePayment(made.id, { termsVersion: 1 });
      await capture(made.id);
      const moved = await jo.editPayment(made.id, { executeAt: new Date(Date.now() + HOUR + MINUTE) });
      expect(moved).toMatchObject({ approval: 'awaited' });
      await end(made.id);
    });
    return made.id;
  };
  const ENDS: Record<string, () => Promise<string>> = {
    async cancelled() {
      const id = await captured();
      await cancel(id);
      return id;
    },
    async expired() {
      const id = await captured({ to: 'idle', ...soon() });
      await store.tenant.suspendAccount('idle', 'asked to');
      await expire();
      return id;
    },
    rejected: () => awaiting((id) => store.tenant.rejectPayment(id, 'too late')),
    'cancelled while it awaits approval': () => awaiting(cancel),
    'expired while it awaits approval': () => awaiting(expire),
  };

  test.each(Object.entries(ENDS))('and then %s is completed in views, HTTP and metrics', async (_, end) => {
    const before = await counted('completed', 'cancelled', 'expired');
    const id = await end();
    const payment = await store.tenant.payment(id);
    expect(payment).toMatchObject({ status: 'settled', amount: 100n, captured: 40n, released: 60n });
    expect(await holdOf(id)).toMatchObject({
      status: 'COMPLETED',
      amount: '100',
      captured: '40',
      released: '60',
      cancelled_at: null,
    });
    expect(asDateOrNull((await holdOf(id))?.['completed_at'])).toEqual(payment.endedAt);
    expect((await eventsOf(id)).slice(-2)).toEqual(['RELEASED PENDING PENDING', 'COMPLETED PENDING COMPLETED']);
    const settled = (await store.tenant.timeline(id)).filter(({ type }) =>
      /settled|cancelled|expired|rejected/.test(type),
    );
    expect(settled.map(({ type }) => type)).toEqual(['payment.settled']);
    // A processor of its own settles what expires, so that this engine counts nothing of it.
    const [done = NaN, ...others] = before;
    const [after, ...rest] = await counted('completed', 'cancelled', 'expired');
    expect(rest).toEqual(others);
    if (settled[0]?.actor !== 'system') expect(after).toBe(done + 1);
    const [paid] = await docs(
      `select details from audit_events where action_type = 'PAYMENT_COMPLETED' and resource_id = '${id}'`,
    );
    expect(paid?.['details']).toMatchObject({ amount: 100, captured: 40 });
  });
});

describe('a failed attempt and an operator who retries', () => {
  test('have the same names in hold_events, the timeline and the metrics', async () => {
    const before = await counted('attempt_failed', 'retried', 'failed');
    const { id } = await create({ delay: '0s', to: 'shut', retry: { maxAttempts: 2 } });
    await store.tenant.suspendAccount('shut', 'asked to');
    await store.usance.loops.find(({ name }) => name === 'processor')?.runOnce();
    expect(await holdOf(id)).toMatchObject({ status: 'PENDING', retry_count: 1 });
    await store.tenant.failPayment(id, 'closed for good');
    await store.tenant.retryPayment(id, { reason: 'reopened' });
    await store.tenant.editPayment(id, { metadata: { note: 1 } });
    expect(await eventsOf(id)).toEqual([
      'CREATED - PENDING',
      'SCHEDULED PENDING PENDING',
      'PROCESSING PENDING PROCESSING',
      'ATTEMPT_FAILED PROCESSING PENDING',
      'RELEASED PENDING PENDING',
      'FAILED PENDING FAILED',
      'RETRIED FAILED PENDING',
      'UPDATED PENDING PENDING',
    ]);
    const named = (type: string): string => type.replace('payment.', '').toUpperCase();
    expect((await store.tenant.timeline(id)).map(({ type }) => named(type))).toEqual(
      (await eventsOf(id))
        .map((line) => line.split(' ')[0] ?? '')
        .filter((name) => !['SCHEDULED', 'PROCESSING', 'RELEASED'].includes(name)),
    );
    expect(await counted('attempt_failed', 'retried', 'failed')).toEqual(before.map((count) => count + 1));
  });

  test('have the states before and after them, as every event has', async () => {
    const { id: part } = await create();
    await store.tenant.capturePayment(part, { amount: 40, idempotencyKey: key() });
    await store.tenant.failPayment(part, 'lost');
    await store.tenant.refundPayment(part, { idempotencyKey: key() });
    await store.tenant.discardDeadLetter(part, 'seen');
    expect((await eventsOf(part)).slice(2)).toEqual([
      'CAPTURED PENDING PENDING',
      'RELEASED PENDING PENDING',
      'FAILED PENDING FAILED',
      'REFUNDED FAILED FAILED',
      'DISCARDED FAILED FAILED',
    ]);
  });

  test('a rejected payment is cancelled in the metrics too', () =>
    withApproval(async () => {
      const jo = await store.usance.tenant('shop', { actor: 'cli:jo' });
      const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 100, idempotencyKey: key() };
      const { id } = await jo.createPayment(order);
      const [before = NaN] = await counted('cancelled');
      await store.tenant.rejectPayment(id, 'no');
      expect(await holdOf(id)).toMatchObject({ status: 'CANCELLED' });
      expect(await counted('cancelled')).toEqual([before + 1]);
    }));
});

test('retry_count is the number of failed attempts that another follows, in both views', async () => {
  const own = await testTenant(store.usance, '2027-01-01T00:00:00Z');
  const { tenant } = own;
  const retry = { maxAttempts: 3 };
  await open(tenant, { rich: 100_000, poor: 0, club: 0, shut: 0 });
  const order = { from: 'rich', to: 'shut', asset: 'USD', amount: 10, retry } as const;
  const make = () => tenant.createPayment({ ...order, idempotencyKey: key() });
  const [waits, isCancelled, isCaptured, isPaid, failed] = [
    await make(),
    await make(),
    await make(),
    await make(),
    await make(),
  ];
  const plan = { name: 'Club', price: 10, asset: 'USD', receiver: 'club', months: 12 } as const;
  const { id: planId } = await tenant.createPlan({ ...plan, period: { frequency: 'MONTHLY' } });
  const charged = await tenant.subscribe({ plan: planId, payer: 'poor', idempotencyKey: key() });
  await tenant.suspendAccount('shut', 'asked to');
  await advance(store.usance, own, '2027-01-01T00:00:30Z');
  const counts = async (): Promise<unknown[]> => {
    const holds = await docs('select hold_id as id, retry_count from payment_holds', 'usance_docs_test');
    const jobs = await docs('select id, retry_count from relayer_jobs', 'usance_docs_test');
    const ids = [waits.id, isCancelled.id, isCaptured.id, isPaid.id, failed.id, charged.lastPaymentId];
    return ids.map((id) => [...holds, ...jobs].find((row) => row['id'] === id)?.['retry_count']);
  };
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 1]);
  await tenant.cancelPayment(isCancelled.id);
  await tenant.failPayment(waits.id, 'by hand');
  await tenant.reactivateAccount('shut', 'back');
  await tenant.capturePayment(isCaptured.id, { idempotencyKey: key() });
  await tenant.runPaymentNow(isPaid.id);
  await advance(store.usance, own, '2027-01-01T00:00:31Z');
  await tenant.suspendAccount('shut', 'again');
  await advance(store.usance, own, '2027-01-01T01:00:00Z');
  expect(await tenant.payment(isPaid.id)).toMatchObject({ status: 'settled' });
  expect(await tenant.payment(failed.id)).toMatchObject({ status: 'failed', attempts: 3 });
  // A cancel, a capture and a fail by hand are no attempts; the attempt that paid or that was the last is no retry.
  expect(await counts()).toEqual([1, 1, 1, 1, 2, 5]);
});

describe('an allowance', () => {
  test('has the last run that was paid and the next slot, in the view as over HTTP', async () => {
    const own = await testTenant(store.usance, '2027-01-01T10:00:00Z');
    const { tenant } = own;
    await tenant.openAccount({ ref: 'mum' });
    await tenant.openAccount({ ref: 'tim', guardian: 'mum' });
    await tenant.deposit({ account: 'mum', asset: 'USD', amount: 500, idempotencyKey: key() });
    const terms = { asset: 'USD', amount: 500, frequency: 'DAILY', status: 'ON' } as const;
    const { id } = await tenant.createAllowance({ guardian: 'mum', junior: 'tim', ...terms });
    const shown = async (): Promise<unknown[]> => {
      const [row] = await docs(
        `select next_run_at, last_run_at from allowance_schedules where id = '${id}'`,
        'usance_docs_test',
      );
      const { nextRunAt, lastRunAt } = await tenant.allowance('mum', 'tim');
      expect([asDateOrNull(row?.['next_run_at']), asDateOrNull(row?.['last_run_at'])]).toEqual([nextRunAt, lastRunAt]);
      return [nextRunAt, lastRunAt].map((at) => at?.toISOString().slice(0, 10) ?? null);
    };
    expect(await shown()).toEqual(['2027-01-02', null]);
    // Paid on the 2nd; from the 3rd on the money is lacking, and the scheduler looks at the open credit meanwhile.
    await advance(store.usance, own, '2027-01-02T00:00:00Z');
    expect(await shown()).toEqual(['2027-01-03', '2027-01-02']);
    await advance(store.usance, own, '2027-01-03T00:05:00Z');
    expect(await shown()).toEqual(['2027-01-04', '2027-01-02']);
    // The slot of the 4th waits for the credit of the 3rd, at which the scheduler looks again every minute.
    await advance(store.usance, own, '2027-01-04T00:05:00Z');
    expect(await shown()).toEqual(['2027-01-04', '2027-01-02']);
    await tenant.editAllowance('mum', 'tim', { frequency: 'WEEKLY' });
    await shown();
    await tenant.deposit({ account: 'mum', asset: 'USD', amount: 500, idempotencyKey: key() });
    await advance(store.usance, own, '2027-01-20T00:05:00Z');
    const [, last] = await shown();
    expect(last).not.toBe('2027-01-02');
    await tenant.editAllowance('mum', 'tim', { status: 'OFF' });
    expect((await shown())[0]).toBeNull();
  });
});

describe('the views show live tenants only', () => {
  const OF_THE_STORE = ['cron_runs', 'system_metrics', 'chain_health_snapshots'];

  test('and those of test tenants are in a schema of their own', async () => {
    const own = await testTenant(store.usance, '2030-01-01T00:00:00Z');
    await open(own.tenant, { rich: 100, poor: 0, club: 0 });
    const plan = { name: 'Club', price: 10, asset: 'USD', receiver: 'club', months: 12 } as const;
    const { id } = await own.tenant.createPlan({ ...plan, period: { frequency: 'MONTHLY' } });
    await own.tenant.subscribe({ plan: id, payer: 'rich', idempotencyKey: key() });
    await own.tenant.openAccount({ ref: 'tim', guardian: 'rich' });
    const terms = { asset: 'USD', amount: 5, frequency: 'DAILY', status: 'ON' } as const;
    await own.tenant.createAllowance({ guardian: 'rich', junior: 'tim', ...terms });
    await own.tenant.createPayment({ from: 'rich', to: 'poor', asset: 'USD', amount: 1, idempotencyKey: key() });
    // Without a snapshot of its health no chain qualifies.
    await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
    await own.tenant.createAsset('USDC/6');
    await own.tenant.deposit({ account: 'rich', asset: 'USDC', amount: 5, idempotencyKey: key() });
    const payout = { from: 'rich', asset: 'USDC', amount: 5, rail: 'sandbox', destination: PAYEE };
    await own.tenant.createPayment({ ...payout, idempotencyKey: key() });
    await advance(store.usance, own, '2030-01-03T00:00:00Z');
    await addExecution(store.owner, await addJob(store.owner, own.tenant), 'completed');
    await addExecution(store.owner, await addEndpoint(own.tenant), 'completed');
    const views = await store.owner.query(
      `select viewname from pg_views where schemaname = 'usance_docs' and viewname <> 'shown_tenants' order by 1`,
    );
    const names = views.map((row) => String(row['viewname'])).filter((name) => !OF_THE_STORE.includes(name));
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) {
      const ofTest = `select count(*)::int as rows from ${name} where tenant_id = '${own.tenant.id}'`;
      expect([name, (await docs(ofTest))[0]?.['rows']]).toEqual([name, 0]);
      expect([name, (await docs(ofTest, 'usance_docs_test'))[0]?.['rows']]).not.toEqual([name, 0]);
      const ofLive = `select count(*)::int as rows from ${name} where tenant_id = '${store.tenant.id}'`;
      expect([name, (await docs(ofLive, 'usance_docs_test'))[0]?.['rows']]).toEqual([name, 0]);
    }
  });
});

test('a payment with legs has no single payee: to_user_id is null, and legs names them', async () => {
  const legs = [
    { to: 'ben', amount: 90 },
    { to: 'cem', amount: 10 },
  ];
  const { id } = await store.tenant.createPayment({
    from: 'ann',
    asset: 'USD',
    amount: 100,
    legs,
    idempotencyKey: key(),
  });
  const [ben, cem] = [await store.tenant.account('ben'), await store.tenant.account('cem')];
  expect(await holdOf(id)).toMatchObject({
    to_user_id: null,
    legs: [
      { account: ben.id, amount: '90' },
      { account: cem.id, amount: '10' },
    ],
  });
  const one = await create();
  expect(await holdOf(one.id)).toMatchObject({ to_user_id: ben.id, legs: null });
  await testProcessor(store.db).drainAfter(MINUTE);
  const [paid] = await docs(
    `select details from audit_events where action_type = 'PAYMENT_COMPLETED' and resource_id = '${id}'`,
  );
  expect(paid?.['details']).toMatchObject({ amount: 100, captured: 100, recipient: null });
});
