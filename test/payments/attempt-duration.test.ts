// How long an attempt took, and what kind of payment it was of: in the story of the payment, in the views and in the metrics.
import { beforeAll, expect, test } from 'vitest';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { valueOf } from '../support/prometheus.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance();
beforeAll(() => open(store.tenant, { alice: 100_000, bob: 0, shut: 0, kid: 0 }));

const run = (name: string) => store.usance.loops.find((loop) => loop.name === name)?.runOnce();
const pay = (more: object = {}) =>
  store.tenant.createPayment({
    from: 'alice',
    to: 'bob',
    asset: 'USD/2',
    amount: 100,
    delay: '0s',
    ...more,
    idempotencyKey: key(),
  });
/** So that its first date is today. */
const madeADayAgo = (id: string) =>
  store.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.schedules set timing = jsonb_set(timing, '{start}',
       to_jsonb(to_char((timing ->> 'start')::timestamp - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS'))) where id = '${id}';
     update usance.schedule_due set due_at = clock_timestamp() - interval '1 ms', passed_slot = passed_slot - interval '1 day'
     where schedule_id = '${id}'; commit`,
  );
const durations = async (id: string): Promise<Record<string, number | null>> =>
  Object.fromEntries((await store.tenant.timeline(id)).map(({ type, durationMs }) => [type, durationMs]));

test('every attempt has its duration, whatever its outcome, and no other event has one', async () => {
  const settled = [await pay(), await pay(), await pay({ funding: 'at_execution' })];
  const again = await pay({ to: 'shut', retry: { maxAttempts: 2 } });
  const failed = await pay({ to: 'shut', retry: { maxAttempts: 1 } });
  await store.tenant.suspendAccount('shut', 'asked to');
  await run('processor');
  const took = await Promise.all(settled.map(async ({ id }) => (await durations(id))['payment.settled']));
  for (const ms of took) expect(ms).toSatisfy((value) => Number.isSafeInteger(value) && Number(value) >= 0);
  expect(await durations(again.id)).toEqual({
    'payment.created': null,
    'payment.attempt_failed': expect.any(Number) as unknown,
  });
  expect(await durations(failed.id)).toEqual({
    'payment.created': null,
    'payment.failed': expect.any(Number) as unknown,
  });
  await store.tenant.failPayment(again.id, 'not wanted any more');
  expect((await durations(again.id))['payment.failed']).toBe(null);
});

test('by a test clock an attempt takes no time, so that two advances tell the same', async () => {
  const world = await testTenant(store.usance);
  await open(world.tenant, { alice: 1_000, bob: 0 });
  const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 100, delay: '1h', idempotencyKey: key() };
  const { id } = await world.tenant.createPayment(order);
  await advance(store.usance, world, after(2 * 3_600_000));
  expect((await world.tenant.timeline(id)).at(-1)).toMatchObject({ type: 'payment.settled', durationMs: 0 });
});

test('payments and their attempts are counted by kind: hold, charge, allowance, schedule and payment', async () => {
  const KINDS = ['hold', 'charge', 'allowance', 'schedule', 'payment'];
  const counts = async (name: string): Promise<number[]> => {
    const text = await store.usance.monitoring.metrics();
    return KINDS.map((kind) => valueOf(text, name, { kind }) ?? NaN);
  };
  const NAMES = ['payments_created_total', 'payments_completed_total', 'usance_attempt_seconds_count'];
  while ((await run('processor'))?.counts['claimed']);
  // A histogram has no series before its first value.
  const before = await Promise.all(NAMES.map(async (name) => (await counts(name)).map((count) => count || 0)));
  await pay();
  await pay({ funding: 'at_execution' });
  const terms = { name: 'Club', price: 100, asset: 'USD', receiver: 'bob', charges: 12 } as const;
  const plan = await store.tenant.createPlan({ ...terms, period: { everySeconds: 86_400 } });
  await store.tenant.subscribe({ plan: plan.id, payer: 'alice', idempotencyKey: key() });
  const start = new Date(Date.now() + 60_000).toISOString().slice(0, 19);
  const schedule = await store.tenant.createSchedule({
    from: 'alice',
    to: 'bob',
    asset: 'USD/2',
    amount: 100,
    rule: { everySeconds: 86_400 },
    start,
    idempotencyKey: key(),
  });
  await store.tenant.triggerSchedule(schedule.id, { idempotencyKey: key() });
  await store.tenant.openAccount({ ref: 'tim', guardian: 'alice' });
  const daily = {
    guardian: 'alice',
    junior: 'tim',
    asset: 'USD',
    amount: 100,
    frequency: 'DAILY',
    status: 'ON',
  } as const;
  await madeADayAgo((await store.tenant.createAllowance(daily)).id);
  await run('scheduler');
  while ((await run('processor'))?.counts['claimed']);
  const now = await Promise.all(NAMES.map(counts));
  const added = now.map((row, at) => row.map((count, kind) => (count || 0) - (before[at]?.[kind] ?? NaN)));
  expect(added).toEqual(NAMES.map(() => [1, 1, 1, 1, 1]));
});

test('the views have the duration of each attempt, and of the last attempt of a job', async () => {
  const { id } = await pay();
  await run('processor');
  const took = (await durations(id))['payment.settled'];
  expect(
    await store.db.query(
      `select event_type, duration_ms from usance_docs.hold_events where hold_id = '${id}' order by event_id`,
    ),
  ).toEqual([
    { event_type: 'CREATED', duration_ms: null },
    { event_type: 'SCHEDULED', duration_ms: null },
    { event_type: 'PROCESSING', duration_ms: null },
    { event_type: 'COMPLETED', duration_ms: took },
  ]);
  const jobs = await store.db.query('select status, duration_ms from usance_docs.relayer_jobs');
  expect(jobs).toEqual([{ status: 'SUCCESS', duration_ms: expect.any(Number) as unknown }]);
});
