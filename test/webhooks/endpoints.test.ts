// Endpoints: what a tenant can say about them, and what it is told.
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/engine.ts';
import type { TenantHandle, WebhookEndpoint, WebhookEndpointParams } from '../../src/engine.ts';
import { MOST_ENDPOINTS, isWebhookSecret } from '../../src/webhooks/index.ts';
import { asText } from '../../src/db/index.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { freshTenant, matchAll, order } from '../jobs/matcher.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();
const URL_OF = 'https://shop.example.com/hooks?token=s3cret';

const create = (tenant: TenantHandle, params: Partial<WebhookEndpointParams> = {}) =>
  tenant.createWebhookEndpoint({ url: URL_OF, eventPattern: 'payment.*', ...params });

async function withEndpoint(params: Partial<WebhookEndpointParams> = {}) {
  const tenant = await freshTenant(store.usance);
  return { tenant, ...(await create(tenant, params)) };
}

describe('a webhook endpoint', () => {
  test('is created with a secret that is shown once, and owns the job with its id', async () => {
    const { tenant, endpoint, secret } = await withEndpoint();
    expect(isWebhookSecret(secret)).toBe(true);
    expect(endpoint).toMatchObject({
      url: URL_OF,
      eventPattern: 'payment.*',
      payload: 'full',
      headerNames: [],
      ordered: false,
      retry: 'webhook',
      maxPerSecond: null,
      sendTestEvents: false,
      plainSignature: false,
      enabled: true,
      disabledReason: null,
      failingSince: null,
    });
    expect(await tenant.webhookEndpoint(endpoint.id)).toEqual(endpoint);
    expect(await tenant.webhookEndpoints()).toEqual([endpoint]);
    expect(await tenant.job(endpoint.id)).toMatchObject({
      managed: true,
      processorName: 'webhook-delivery',
      name: toTypeId('webhookEndpoint', endpoint.id),
      timeoutMs: 15_000,
    });
    expect(await refusalOf(tenant.updateJob(endpoint.id, { enabled: false }))).toBe('JOB_MANAGED');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('stores its secret and its headers only encrypted, and no event has them or the query of its URL', async () => {
    const { tenant, endpoint, secret } = await withEndpoint({ headers: { 'X-Token': 'letmein' } });
    expect(endpoint.headerNames).toEqual(['x-token']);
    const rotated = await tenant.rotateWebhookSecret(endpoint.id);
    await tenant.updateWebhookEndpoint(endpoint.id, { headers: { 'x-other': 'letmein2' }, url: `${URL_OF}2` });
    await tenant.testWebhookEndpoint(endpoint.id);
    await order(store.usance);
    const events = JSON.stringify(
      (await tenant.events({}, { limit: 100 })).map(({ data }) => data),
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
    const [row] = await store.owner.query(
      `select row_to_json(w)::text as text from usance.webhook_endpoints w where id = $1::uuid`,
      [endpoint.id],
    );
    const bare = (one: string): string => one.slice('whsec_'.length);
    for (const hidden of [bare(secret), bare(rotated.secret), 'letmein']) {
      expect(events).not.toContain(hidden);
      expect(asText(row?.['text'])).not.toContain(hidden);
    }
    expect(events).not.toContain('s3cret');
    expect(events).toContain('https://shop.example.com/hooks');
  });

  test('is refused where its process has no encryption key', async () => {
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      encryption: { isOptional: true },
    });
    try {
      const tenant = await engine.tenant('shop');
      expect(await refusalOf(create(tenant))).toBe('ENCRYPTION_KEY_MISSING');
    } finally {
      await engine.close();
    }
  });

  test.each([
    [{ url: 'http://shop.example.com' }, 'URL_REFUSED'],
    [{ url: 'https://10.0.0.1/' }, 'URL_REFUSED'],
    [{ eventPattern: 'payment.*.x' }, 'EVENT_PATTERN_INVALID'],
    [{ payload: 'fat' as 'full' }, 'FIELD_INVALID'],
    [{ retry: 'hold' as 'webhook' }, 'FIELD_INVALID'],
    [{ ordered: 'yes' as unknown as boolean }, 'FIELD_INVALID'],
    [{ maxPerSecond: 0 }, 'FIELD_INVALID'],
    [{ description: 'x'.repeat(1_001) }, 'FIELD_INVALID'],
    [{ secret: 'whsec_short' }, 'FIELD_INVALID'],
    [{ secret: `whsec_${Buffer.alloc(24).toString('base64')}` }, 'FIELD_INVALID'],
    [{ secret: `whsec_${Buffer.from('abababababababababababab').toString('base64')}` }, 'FIELD_INVALID'],
    [{ headers: { 'Webhook-Id': 'x' } }, 'HEADER_REFUSED'],
    [{ headers: { 'content-type': 'text/plain' } }, 'HEADER_REFUSED'],
    [{ headers: { host: 'other.example.com' } }, 'HEADER_REFUSED'],
    [{ headers: { 'x-a': 'line\r\nbreak' } }, 'HEADER_REFUSED'],
    [{ headers: { 'x-a': '1', 'X-A': '2' } }, 'FIELD_INVALID'],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, ''])) }, 'FIELD_INVALID'],
  ])('with %j is refused', async (params, code) => {
    expect(await refusalOf(create(store.tenant, params))).toBe(code);
  });

  test('is changed with its job, and every change is an event', async () => {
    const { tenant, endpoint } = await withEndpoint();
    const changes = {
      url: 'https://other.example.com/',
      eventPattern: 'payment.settled,payment.failed',
      description: 'orders',
      payload: 'thin',
      ordered: true,
      retry: 'webhook-quick',
      maxPerSecond: 7,
      plainSignature: true,
      sendTestEvents: true,
    } as const;
    const changed = await tenant.updateWebhookEndpoint(endpoint.id, changes);
    expect(changed).toMatchObject(changes);
    expect(await tenant.webhookEndpoint(endpoint.id)).toEqual(changed);
    expect(await tenant.job(endpoint.id)).toMatchObject({
      eventPattern: changes.eventPattern,
      ordered: true,
      maxPerSecond: 7,
      retry: { maxAttempts: 5 },
    });
    expect(await tenant.updateWebhookEndpoint(endpoint.id, changes)).toEqual(changed);
    expect((await tenant.updateWebhookEndpoint(endpoint.id, { maxPerSecond: null })).maxPerSecond).toBeNull();
    await order(store.usance);
    const types = (await tenant.events({ type: 'webhook_endpoint.updated' })).length;
    expect(types).toBe(2);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is disabled and enabled by a caller', async () => {
    const { tenant, endpoint } = await withEndpoint();
    const off = await tenant.updateWebhookEndpoint(endpoint.id, { enabled: false });
    expect(off).toMatchObject({ enabled: false, disabledReason: 'caller' });
    expect(await tenant.webhookEndpoints({ enabled: true })).toEqual([]);
    expect(await refusalOf(tenant.testWebhookEndpoint(endpoint.id))).toBe('WEBHOOK_ENDPOINT_DISABLED');
    expect(await refusalOf(tenant.recoverWebhookEndpoint(endpoint.id, { since: new Date() }))).toBe(
      'WEBHOOK_ENDPOINT_DISABLED',
    );
    const on = await tenant.updateWebhookEndpoint(endpoint.id, { enabled: true });
    expect(on).toMatchObject({ enabled: true, disabledReason: null });
  });

  test('that is deleted is gone, with its secret and headers, and its name can come again', async () => {
    const { tenant, endpoint } = await withEndpoint({ headers: { 'x-a': '1' } });
    await tenant.rotateWebhookSecret(endpoint.id);
    await tenant.deleteWebhookEndpoint(endpoint.id);
    for (const attempt of [
      () => tenant.webhookEndpoint(endpoint.id),
      () => tenant.updateWebhookEndpoint(endpoint.id, {}),
      () => tenant.rotateWebhookSecret(endpoint.id),
      () => tenant.testWebhookEndpoint(endpoint.id),
      () => tenant.deleteWebhookEndpoint(endpoint.id),
    ])
      expect(await refusalOf(attempt())).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    expect(await tenant.webhookEndpoints()).toEqual([]);
    expect(
      await store.owner.query(
        'select from usance.webhook_endpoints where id = $1::uuid and secret is null and previous_secret is null and headers is null',
        [endpoint.id],
      ),
    ).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('that is deleted ends the deliveries that wait, and they say why', async () => {
    const { tenant, endpoint } = await withEndpoint();
    await tenant.testWebhookEndpoint(endpoint.id);
    await order(store.usance);
    await matchAll(store.usance);
    await tenant.deleteWebhookEndpoint(endpoint.id);
    await store.usance.loops.find(({ name }) => name === 'rescuer')?.runOnce();
    const { deliveries } = await tenant.deliveries({ endpointId: endpoint.id });
    expect(deliveries).toMatchObject([{ status: 'cancelled', code: 'ENDPOINT_DELETED' }]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('of another tenant is not found', async () => {
    const { endpoint } = await withEndpoint();
    const stranger = await freshTenant(store.usance);
    expect(await refusalOf(stranger.webhookEndpoint(endpoint.id))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    expect(await refusalOf(stranger.rotateWebhookSecret(endpoint.id))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    expect(await refusalOf(stranger.webhookEndpoint('no-id'))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
  });

  test('takes a secret of the caller, and a rotation keeps the one before for its grace period', async () => {
    const own = `whsec_${Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64')}`;
    const { tenant, endpoint, secret } = await withEndpoint({ secret: own });
    expect(secret).toBe(own);
    const before = Date.now();
    const rotated = await tenant.rotateWebhookSecret(endpoint.id, { graceMs: 3_600_000 });
    const expiresAt = rotated.endpoint.previousSecretExpiresAt?.getTime() ?? 0;
    expect(Math.abs(expiresAt - before - 3_600_000)).toBeLessThan(60_000);
    expect((await tenant.webhookEndpoint(endpoint.id)).previousSecretExpiresAt).toEqual(
      rotated.endpoint.previousSecretExpiresAt,
    );
    const atOnce = await tenant.rotateWebhookSecret(endpoint.id, { graceMs: 0 });
    expect(atOnce.endpoint.previousSecretExpiresAt).toBeNull();
    for (const graceMs of [-1, 0.5, 8 * 86_400_000])
      expect(await refusalOf(tenant.rotateWebhookSecret(endpoint.id, { graceMs }))).toBe('FIELD_INVALID');
  });

  test('in a dry run is shown, and not there afterwards', async () => {
    const tenant = await freshTenant(store.usance);
    const { answer, events } = await dry(tenant);
    expect(answer.url).toBe(URL_OF);
    expect(events).toEqual(expect.arrayContaining(['job.created', 'webhook_endpoint.created']));
    expect(await tenant.webhookEndpoints()).toEqual([]);
  });

  test('is one of a limited number', async () => {
    const { tenant, endpoint } = await withEndpoint();
    await store.owner.query(
      `with made as (
         insert into usance.jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(), 'name', n::text))).*
         from usance.jobs j, generate_series(2, $2::int) n where j.id = $1::uuid returning tenant_id, id)
       insert into usance.webhook_endpoints (tenant_id, id, url, description, payload, secret, plain_signature, retry_preset,
         send_test_events, created_at, updated_at)
       select m.tenant_id, m.id, w.url, '', 'full', w.secret, false, 'webhook', false, now(), now()
       from made m, usance.webhook_endpoints w where w.id = $1::uuid`,
      [endpoint.id, MOST_ENDPOINTS],
    );
    expect(await refusalOf(create(tenant))).toBe('WEBHOOK_ENDPOINTS_TOO_MANY');
    expect(await tenant.webhookEndpoints({}, { limit: 2 })).toHaveLength(2);
  });
});

async function dry(tenant: TenantHandle): Promise<{ answer: WebhookEndpoint; events: readonly string[] }> {
  const done = await tenant.dryRun(
    async (verbs) => (await verbs.createWebhookEndpoint({ url: URL_OF, eventPattern: '*' })).endpoint,
  );
  return { answer: done.result, events: done.events };
}

test('a delivery that is none is not found', async () => {
  for (const id of [newId(), 'no-id']) {
    expect(await refusalOf(store.tenant.delivery(id))).toBe('DELIVERY_NOT_FOUND');
    expect(await refusalOf(store.tenant.redeliver(id))).toBe('DELIVERY_NOT_FOUND');
  }
  expect(await store.tenant.deliveries({ endpointId: newId() })).toEqual({ deliveries: [], next: null });
});
