// Endpoints that fail for days: warned about, disabled, and enabled again. The days pass by moving the first failure back.
import { expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { treatUnhealthy } from '../../src/webhooks/health.ts';
import { freshTenant, order } from '../jobs/matcher.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { useReceiver } from '../support/receiver.ts';
import { DELIVERING, addEndpoint, deliver, makeDue, send } from '../support/webhooks.ts';

const store = useUsance(DELIVERING);
const receiver = useReceiver();
let count = 0;

const daysPass = (id: string, days: number): Promise<unknown> =>
  store.owner.query(
    `update usance.webhook_endpoints set failing_since = failing_since - make_interval(hours => ($2::float8 * 24)::int) where id = $1::uuid`,
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
  await send(store.usance);
  expect(await eventsOf(tenant, 'webhook_endpoint.failing')).toEqual([]);
  await daysPass(id, 0.2);
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
      disablesAt: new Date((failingSince?.getTime() ?? 0) + 5 * 86_400_000).toISOString(),
    },
  });
  expect((await tenant.webhookEndpoint(id)).enabled).toBe(true);
});

test('after five days it is disabled, and its deliveries wait', async () => {
  const { tenant, id, path } = await failing();
  await daysPass(id, 5.01);
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
  await daysPass(id, 6);
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
  await send(store.usance);
  await makeDue(store.owner);
  await send(store.usance);
  expect((await tenant.webhookEndpoint(id)).failingSince).toBeNull();
  await tenant.openAccount({ ref: 'later' });
  await deliver(store.usance);
  await daysPass(id, 4.1);
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
  for (const { id } of [held, free]) await daysPass(id, 5.01);
  const unhealthy = () => treatUnhealthy(store.db, (_id, error) => expect.fail(String(error)));
  await store.owner.transaction(async (tx) => {
    await tx.query('select from usance.webhook_endpoints where id = $1::uuid for update', [held.id]);
    expect(await unhealthy()).toEqual({ warned: 0, disabled: 1, secretsDeleted: 0 });
  });
  expect((await free.tenant.webhookEndpoint(free.id)).enabled).toBe(false);
  expect((await held.tenant.webhookEndpoint(held.id)).enabled).toBe(true);
  expect(await unhealthy()).toEqual({ warned: 0, disabled: 1, secretsDeleted: 0 });
});

test('an endpoint of a test tenant is disabled by real days, at the instant of its clock', async () => {
  const tenant = await store.usance.createTenant({ name: `health-lab-${(count += 1)}`, kind: 'test' });
  await tenant.createTestClock({ name: 'clock', now: '2027-01-01T00:00:00.000Z' });
  const path = `/${(count += 1)}`;
  receiver.answer(path, 500);
  const { id } = await addEndpoint(tenant, { url: receiver.url(path), sendTestEvents: true });
  await tenant.testWebhookEndpoint(id);
  await deliver(store.usance);
  await daysPass(id, 5.01);
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
