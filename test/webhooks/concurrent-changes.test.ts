// Two changes of an endpoint, or of a channel, at the same time: the second waits for the first, and undoes nothing of it.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { freshTenant } from '../jobs/matcher.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { DELIVERING, addEndpoint } from '../support/webhooks.ts';

const store = useUsance(DELIVERING);

/** Until some transaction of the store waits for a lock. */
async function untilWaiting(): Promise<void> {
  for (;;) {
    const waiting = await store.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return;
    await pause(20);
  }
}

/** The second begins within the transaction of the first, and waits for it. */
async function beside<T>(
  tenant: TenantHandle,
  first: (inside: Parameters<Parameters<TenantHandle['inTransaction']>[0]>[0]) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  let waiting: Promise<T> | undefined;
  await tenant.inTransaction(async (inside) => {
    await first(inside);
    waiting = second();
    waiting.catch(() => undefined);
    await untilWaiting();
  });
  return waiting as Promise<T>;
}

describe('a change of an endpoint that waited for another', () => {
  test('keeps what the other one changed', async () => {
    const tenant = await freshTenant(store.usance);
    const { id } = await addEndpoint(tenant);
    await beside(
      tenant,
      (inside) => inside.updateWebhookEndpoint(id, { ordered: true }),
      () => tenant.updateWebhookEndpoint(id, { description: 'second' }),
    );
    expect(await tenant.webhookEndpoint(id)).toMatchObject({ ordered: true, description: 'second' });
  });

  test('enables it again, without its failures', async () => {
    const tenant = await freshTenant(store.usance);
    const { id } = await addEndpoint(tenant);
    await store.owner.query(
      `update usance.webhook_endpoints set failing_since = now() - interval '6 days', last_failed_at = now(), gone_at = now() where id = $1::uuid`,
      [id],
    );
    await beside(
      tenant,
      (inside) => inside.updateWebhookEndpoint(id, { enabled: false }),
      () => tenant.updateWebhookEndpoint(id, { enabled: true }),
    );
    expect(await tenant.webhookEndpoint(id)).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
  });

  test('refuses a test of one that is disabled by then', async () => {
    const tenant = await freshTenant(store.usance);
    const { id } = await addEndpoint(tenant);
    const refused = await refusalOf(
      beside(
        tenant,
        (inside) => inside.updateWebhookEndpoint(id, { enabled: false }),
        () => tenant.testWebhookEndpoint(id),
      ),
    );
    expect(refused).toBe('WEBHOOK_ENDPOINT_DISABLED');
  });
});

test('a channel that another transaction disables meanwhile is enabled again, with a reason of neither', async () => {
  const tenant = await freshTenant(store.usance);
  const { channel } = await tenant.createNotificationChannel({
    name: 'on call',
    kind: 'slack',
    url: 'https://hooks.slack.com/services/T0/B0/x',
    topics: ['freezes'],
  });
  await beside(
    tenant,
    (inside) => inside.updateNotificationChannel(channel.id, { enabled: false, name: 'first' }),
    () => tenant.updateNotificationChannel(channel.id, { enabled: true }),
  );
  expect(await tenant.notificationChannel(channel.id)).toMatchObject({
    enabled: true,
    disabledReason: null,
    name: 'first',
  });
});
