// Endpoints that fail for days: warned about, disabled, and enabled again. The days pass by moving what happened back.
import { expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { healthPasses } from '../../src/webhooks/health.ts';
import { freshTenant, order } from '../jobs/matcher.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { useReceiver } from '../support/receiver.ts';
import { DELIVERING, addEndpoint, deliver, makeDue, send } from '../support/webhooks.ts';

const store = useUsance(DELIVERING);
const receiver = useReceiver();
let count = 0;

/** Nothing is sent meanwhile. */
const daysPass = (id: string, days: number): Promise<unknown> =>
  store.owner.query(
    `update usance.webhook_endpoints
     set failing_since = failing_since - make_interval(hours => ($2::float8 * 24)::int),
         last_failed_at = last_failed_at - make_interval(hours => ($2::float8 * 24)::int),
         warned_at = warned_at - make_interval(hours => ($2::float8 * 24)::int)
     where id = $1::uuid`,
    [id, days],
  );
/** It has failed again just now. */
const failsAgain = (id: string): Promise<unknown> =>
  store.owner.query(`update usance.webhook_endpoints set last_failed_at = now() where id = $1::uuid`, [id]);
/** It has failed for so many days, and was warned about when four were over. */
const failsFor = (id: string, days: number): Promise<unknown> =>
  store.owner.query(
    `update usance.webhook_endpoints
     set failing_since = date_trunc('milliseconds', now()) - make_interval(hours => ($2::float8 * 24)::int), last_failed_at = now(),
         warned_at = now() - make_interval(hours => ($2::float8 * 24)::int - 96)
     where id = $1::uuid`,
    [id, days],
  );
const eventsOf = async (tenant: TenantHandle, type: string) => {
  await order(store.usance);
  return tenant.events({ type });
};

/** An endpoint whose only delivery so far has failed once. */
async function failing(...answers: number[]) {
  const tenant = await freshTenant(store.usance);
  const path = `/${(count += 1)}`;
  receiver.answer(path, ...(answers.length === 0 ? [500] : answers));
  const endpoint = await addEndpoint(tenant, {
    url: `${receiver.url(path)}?token=planted`,
    eventPattern: 'account.created',
  });
  await tenant.openAccount({ ref: `before-${count}` });
  await deliver(store.usance);
  const found = await tenant.webhookEndpoint(endpoint.id);
  expect(found).toMatchObject({ enabled: true, failingSince: expect.any(Date) });
  return { tenant, path, id: endpoint.id };
}

test('an endpoint that fails for four days is warned about, once', async () => {
  const { tenant, id, path } = await failing();
  await daysPass(id, 3.9);
  await failsAgain(id);
  await send(store.usance);
  expect(await eventsOf(tenant, 'webhook_endpoint.failing')).toEqual([]);
  await daysPass(id, 0.2);
  await failsAgain(id);
  expect(await send(store.usance)).toMatchObject({ warned: 1, disabled: 0 });
  expect(await send(store.usance)).toMatchObject({ warned: 0 });
  const { failingSince } = await tenant.webhookEndpoint(id);
  const [event, ...more] = await eventsOf(tenant, 'webhook_endpoint.failing');
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    resourceId: id,
    actor: 'system',
    data: {
      url: receiver.url(path),
      failingSince: failingSince?.toISOString(),
      disablesAt: expect.any(String),
    },
  });
  // A day after the warning, which came a little late.
  const disablesAt = Date.parse(String(event?.data['disablesAt']));
  expect(disablesAt).toBeGreaterThanOrEqual((failingSince?.getTime() ?? 0) + 5 * 86_400_000);
  expect(Math.abs(disablesAt - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect((await tenant.webhookEndpoint(id)).enabled).toBe(true);
});

test('after five days it is disabled, and its deliveries wait', async () => {
  const { tenant, id, path } = await failing();
  await failsFor(id, 5.1);
  expect(await send(store.usance)).toMatchObject({ warned: 0, disabled: 1 });
  expect(await tenant.webhookEndpoint(id)).toMatchObject({ enabled: false, disabledReason: 'failing' });
  expect((await tenant.job(id)).enabled).toBe(false);
  expect(await eventsOf(tenant, 'webhook_endpoint.disabled')).toMatchObject([
    { data: { reason: 'failing', url: receiver.url(path) } },
  ]);
  await tenant.openAccount({ ref: 'meanwhile' });
  await makeDue(store.owner);
  await deliver(store.usance);
  expect(receiver.got(path)).toHaveLength(1);
  expect((await tenant.deliveries({ endpointId: id })).deliveries).toMatchObject([
    { status: 'pending', attemptNumber: 1 },
  ]);
  expect(await send(store.usance)).toMatchObject({ warned: 0, disabled: 0 });
  expect(await troubles(store.usance)).toEqual([]);
});

test('enabled again it begins without its failures, sends what waits, and gets what it missed by recover', async () => {
  const { tenant, id, path } = await failing(500, 200);
  const since = new Date(Date.now() - 60_000);
  await failsFor(id, 6);
  await send(store.usance);
  await tenant.openAccount({ ref: 'missed' });
  await deliver(store.usance);
  expect(await tenant.updateWebhookEndpoint(id, { enabled: true })).toMatchObject({
    enabled: true,
    disabledReason: null,
    failingSince: null,
  });
  await makeDue(store.owner);
  expect(await deliver(store.usance)).toMatchObject({ warned: 0, disabled: 0 });
  expect(receiver.got(path)).toHaveLength(2);
  await tenant.recoverWebhookEndpoint(id, { since });
  await deliver(store.usance);
  const refs = receiver.got(path).map(({ headers }) => headers['webhook-id']);
  expect(new Set(refs).size).toBe(2);
  expect(refs).toHaveLength(3);
  expect(await tenant.webhookEndpoint(id)).toMatchObject({ failingSince: null, lastSuccessAt: expect.any(Date) });
});

test('a success in between begins the days anew, with a warning of its own', async () => {
  const { tenant, id } = await failing(500, 200, 500);
  await daysPass(id, 4.1);
  await failsAgain(id);
  await send(store.usance);
  await makeDue(store.owner);
  await send(store.usance);
  expect((await tenant.webhookEndpoint(id)).failingSince).toBeNull();
  await tenant.openAccount({ ref: 'later' });
  await deliver(store.usance);
  await daysPass(id, 4.1);
  await failsAgain(id);
  await send(store.usance);
  expect(await eventsOf(tenant, 'webhook_endpoint.failing')).toHaveLength(2);
  expect((await tenant.webhookEndpoint(id)).enabled).toBe(true);
});

test('an endpoint that a caller has disabled is neither warned about nor disabled again', async () => {
  const { tenant, id } = await failing();
  await tenant.updateWebhookEndpoint(id, { enabled: false });
  await daysPass(id, 9);
  expect(await send(store.usance)).toMatchObject({ warned: 0, disabled: 0 });
  expect((await tenant.webhookEndpoint(id)).disabledReason).toBe('caller');
});

test('an endpoint that another transaction has locked holds up no other', async () => {
  const [held, free] = [await failing(), await failing()];
  for (const { id } of [held, free]) await failsFor(id, 5.1);
  const unhealthy = healthPasses(store.db, (_id, error) => expect.fail(String(error)));
  await store.owner.transaction(async (tx) => {
    await tx.query('select from usance.webhook_endpoints where id = $1::uuid for update', [held.id]);
    expect(await unhealthy()).toEqual({ warned: 0, disabled: 1, secretsDeleted: 0 });
  });
  expect((await free.tenant.webhookEndpoint(free.id)).enabled).toBe(false);
  expect((await held.tenant.webhookEndpoint(held.id)).enabled).toBe(true);
  expect(await unhealthy()).toEqual({ warned: 0, disabled: 1, secretsDeleted: 0 });
});

test('a job that another transaction has locked is not waited for', async () => {
  const [held, free] = [await failing(), await failing()];
  for (const { id } of [held, free]) await failsFor(id, 5.1);
  const unhealthy = healthPasses(store.db, (_id, error) => expect.fail(String(error)));
  await store.owner.transaction(async (tx) => {
    await tx.query('select from usance.jobs where id = $1::uuid for update', [held.id]);
    expect(await unhealthy()).toMatchObject({ disabled: 1 });
  });
  expect((await free.tenant.webhookEndpoint(free.id)).enabled).toBe(false);
  expect((await held.tenant.webhookEndpoint(held.id)).enabled).toBe(true);
  expect(await unhealthy()).toMatchObject({ disabled: 1 });
});

test('one failure, and then nothing to send for days, neither warns nor disables', async () => {
  const { tenant, id } = await failing();
  await daysPass(id, 30);
  expect(await send(store.usance)).toMatchObject({ warned: 0, disabled: 0 });
  // As after a standstill of usance: it is warned about first, and has a day from then on.
  await failsAgain(id);
  expect(await send(store.usance)).toMatchObject({ warned: 1, disabled: 0 });
  await failsAgain(id);
  expect(await send(store.usance)).toMatchObject({ warned: 0, disabled: 0 });
  await daysPass(id, 2);
  await store.owner.query(`update usance.webhook_endpoints set last_failed_at = warned_at where id = $1::uuid`, [id]);
  expect(await send(store.usance)).toMatchObject({ warned: 0, disabled: 0 });
  await failsAgain(id);
  expect(await send(store.usance)).toMatchObject({ warned: 0, disabled: 1 });
  expect((await tenant.webhookEndpoint(id)).disabledReason).toBe('failing');
});

test('the last failure is noted, and forgotten with a success and with another URL', async () => {
  const { tenant, id } = await failing(500, 500, 200, 500);
  const lastFailure = async () =>
    (
      await store.owner.query(
        'select extract(epoch from last_failed_at)::float8 as at from usance.webhook_endpoints where id = $1::uuid',
        [id],
      )
    )[0]?.['at'];
  await daysPass(id, 1);
  const before = await lastFailure();
  await makeDue(store.owner);
  await send(store.usance);
  expect(Number(await lastFailure())).toBeGreaterThan(Number(before));
  await makeDue(store.owner);
  await send(store.usance);
  expect(await lastFailure()).toBeNull();
  await tenant.openAccount({ ref: `once-more-${id}` });
  await deliver(store.usance);
  expect(await lastFailure()).not.toBeNull();
  await tenant.updateWebhookEndpoint(id, { url: receiver.url('/elsewhere') });
  expect(await lastFailure()).toBeNull();
});

test('an endpoint of a test tenant is disabled by real days, at the instant of its clock', async () => {
  const tenant = await store.usance.createTenant({ name: `health-lab-${(count += 1)}`, kind: 'test' });
  await tenant.createTestClock({ name: 'clock', now: '2027-01-01T00:00:00.000Z' });
  const path = `/${(count += 1)}`;
  receiver.answer(path, 500);
  const { id } = await addEndpoint(tenant, { url: receiver.url(path), sendTestEvents: true });
  await tenant.testWebhookEndpoint(id);
  await deliver(store.usance);
  await failsFor(id, 5.1);
  await send(store.usance);
  const [event] = await eventsOf(tenant, 'webhook_endpoint.disabled');
  expect(event?.occurredAt.toISOString()).toBe('2027-01-01T00:00:00.000Z');
});

test('another URL begins without the failures of the one before', async () => {
  const { tenant, id } = await failing();
  await daysPass(id, 4.1);
  await send(store.usance);
  const path = `/${(count += 1)}`;
  receiver.answer(path, 200);
  expect(await tenant.updateWebhookEndpoint(id, { url: receiver.url(path) })).toMatchObject({ failingSince: null });
  expect(await tenant.webhookEndpoint(id)).toMatchObject({ enabled: true, failingSince: null });
  const unchanged = await failing();
  await tenant.updateWebhookEndpoint(id, { url: receiver.url(path) });
  expect(
    (await unchanged.tenant.updateWebhookEndpoint(unchanged.id, { description: 'same URL' })).failingSince,
  ).toEqual(expect.any(Date));
});

test('a previous secret is deleted when its grace period is over, and not before', async () => {
  const tenant = await freshTenant(store.usance);
  const [over, running] = [await addEndpoint(tenant), await addEndpoint(tenant)];
  for (const { id } of [over, running]) await tenant.rotateWebhookSecret(id);
  await store.owner.query(
    `update usance.webhook_endpoints set previous_secret_expires_at = now() - interval '1 second' where id = $1::uuid`,
    [over.id],
  );
  expect(await send(store.usance)).toMatchObject({ secretsDeleted: 1 });
  const rows = await store.owner.query(
    `select id, previous_secret is null and previous_secret_expires_at is null as deleted, secret is not null as signs
     from usance.webhook_endpoints where tenant_id = $1::uuid order by id`,
    [tenant.id],
  );
  expect(rows).toEqual([
    { id: over.id, deleted: true, signs: true },
    { id: running.id, deleted: false, signs: true },
  ]);
  expect(await send(store.usance)).toMatchObject({ secretsDeleted: 0 });
  expect((await tenant.webhookEndpoint(running.id)).previousSecretExpiresAt).toEqual(expect.any(Date));
});

test('a pass continues behind those that the one before could not treat', async () => {
  await store.owner.query(
    'update usance.webhook_endpoints set failing_since = null, last_failed_at = null, gone_at = null',
  );
  const [held, last] = [await failing(), await failing()];
  await failsFor(held.id, 9);
  await failsFor(last.id, 5.1);
  const copies = await store.owner.query(
    `with made as (
       insert into usance.jobs (tenant_id, id, name, description, event_pattern, processor_name, enabled, retry, timeout_ms, max_concurrency,
         max_per_second, after_seq, backfilled_seq, joined_seq, created_by, created_at, updated_at, managed, ordered)
       select tenant_id, gen_random_uuid(), name || n, description, event_pattern, processor_name, enabled, retry, timeout_ms, max_concurrency,
         max_per_second, after_seq, backfilled_seq, joined_seq, created_by, created_at, updated_at, managed, ordered
       from usance.jobs, generate_series(1, 100) n where id = $1::uuid returning tenant_id, id)
     insert into usance.webhook_endpoints (tenant_id, id, url, description, payload, secret, plain_signature, retry_preset, send_test_events,
       failing_since, last_failed_at, warned_at, created_at, updated_at)
     select m.tenant_id, m.id, w.url, w.description, w.payload, w.secret, false, w.retry_preset, false, w.failing_since, w.last_failed_at,
       w.warned_at, w.created_at, w.updated_at from made m join usance.webhook_endpoints w on w.id = $1::uuid returning id`,
    [held.id],
  );
  const unhealthy = healthPasses(store.db, (_id, error) => expect.fail(String(error)));
  await store.owner.transaction(async (tx) => {
    const ids = JSON.stringify([held.id, ...copies.map(({ id }) => id)]);
    await tx.query(
      'select from usance.webhook_endpoints where id in (select e::uuid from jsonb_array_elements_text($1::jsonb) e) for update',
      [ids],
    );
    expect(await unhealthy()).toMatchObject({ disabled: 0 });
    expect(await unhealthy()).toMatchObject({ disabled: 1 });
  });
  expect((await last.tenant.webhookEndpoint(last.id)).disabledReason).toBe('failing');
});
