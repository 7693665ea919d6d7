// Codes of webhook endpoints and deliveries, as the library refuses them.
import { MOST_ENDPOINTS } from '../../src/webhooks/index.ts';
import { newId } from '../../src/kernel/index.ts';
import type { TestApi } from '../api/api.ts';
import { addExecution } from '../support/jobs.ts';
import { refusalOf } from '../support/refusal.ts';
import type { Cause } from './world.ts';

const PARAMS = { url: 'https://shop.example.com/hooks', eventPattern: 'payment.*' };
const made = async ({ tenant }: TestApi, enabled = true) =>
  (await tenant.createWebhookEndpoint({ ...PARAMS, enabled })).endpoint;

export const OF_WEBHOOKS = {
  WEBHOOK_ENDPOINT_NOT_FOUND: ({ tenant }) => refusalOf(tenant.webhookEndpoint(newId())),
  WEBHOOK_ENDPOINT_DISABLED: async (store) =>
    refusalOf(store.tenant.testWebhookEndpoint((await made(store, false)).id)),
  /** A tenant of its own, so that the others can still create endpoints. */
  async WEBHOOK_ENDPOINTS_TOO_MANY(store) {
    const full = await store.usance.createTenant({ name: 'full-of-endpoints' });
    const { endpoint } = await full.createWebhookEndpoint(PARAMS);
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
    return refusalOf(full.createWebhookEndpoint(PARAMS));
  },
  HEADER_REFUSED: ({ tenant }) => refusalOf(tenant.createWebhookEndpoint({ ...PARAMS, headers: { host: 'x' } })),
  DELIVERY_NOT_FOUND: ({ tenant }) => refusalOf(tenant.delivery(newId())),
  DELIVERY_NOT_REDELIVERABLE: async (store) =>
    refusalOf(store.tenant.redeliver(await addExecution(store.owner, await made(store), 'pending'))),
} satisfies Record<string, Cause>;
