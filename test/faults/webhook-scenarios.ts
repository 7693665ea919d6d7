// The verbs of webhook endpoints and deliveries, ready to be interrupted. The loop `webhooks` sends what no transaction takes back: test/webhooks interrupts it.
import type { TenantHandle, WebhookEndpoint } from '../../src/engine.ts';
import { orderAll } from '../support/order.ts';
import { addExecution } from '../support/jobs.ts';
import type { Ground, Scenario } from './ground.ts';
import { looked } from './job-scenarios.ts';

const TERMS = { url: 'https://shop.example.com/hooks', eventPattern: 'account.updated' } as const;

async function addEndpoint({ tenant }: Ground): Promise<WebhookEndpoint> {
  return (await tenant.createWebhookEndpoint(TERMS)).endpoint;
}

const withEndpoint =
  (act: (tenant: TenantHandle, endpoint: WebhookEndpoint) => Promise<unknown>) => async (ground: Ground) => {
    const endpoint = await addEndpoint(ground);
    return (tenant: TenantHandle) => act(tenant, endpoint);
  };

export const WEBHOOK_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create a webhook endpoint': looked(
    'createWebhookEndpoint',
    () => Promise.resolve((tenant) => tenant.createWebhookEndpoint({ ...TERMS, headers: { 'x-shop': 'one' } })),
    'webhook_endpoint.created',
    'job.created',
  ),
  'change a webhook endpoint': looked(
    'updateWebhookEndpoint',
    withEndpoint((tenant, { id }) =>
      tenant.updateWebhookEndpoint(id, { enabled: false, headers: { 'x-shop': 'two' } }),
    ),
    'webhook_endpoint.updated',
    'job.updated',
  ),
  'delete a webhook endpoint': looked(
    'deleteWebhookEndpoint',
    withEndpoint((tenant, { id }) => tenant.deleteWebhookEndpoint(id)),
    'webhook_endpoint.deleted',
    'job.deleted',
  ),
  'rotate a webhook secret': looked(
    'rotateWebhookSecret',
    withEndpoint((tenant, { id }) => tenant.rotateWebhookSecret(id)),
    'webhook_endpoint.secret_rotated',
  ),
  'test a webhook endpoint': looked(
    'testWebhookEndpoint',
    withEndpoint((tenant, { id }) => tenant.testWebhookEndpoint(id)),
    'webhook_endpoint.tested',
  ),
  'recover a webhook endpoint': looked(
    'recoverWebhookEndpoint',
    async (ground) => {
      const endpoint = await addEndpoint(ground);
      const job = await ground.tenant.job(endpoint.id);
      const failed = await addExecution(ground.owner, job, 'failed');
      await orderAll(ground.usance.db);
      return async (tenant) => {
        await tenant.recoverWebhookEndpoint(endpoint.id, { since: new Date(Date.now() - 3_600_000) });
        return failed;
      };
    },
    'execution.retried',
    'webhook_endpoint.recovered',
  ),
  'redeliver a delivery': looked(
    'redeliver',
    async (ground) => {
      const endpoint = await addEndpoint(ground);
      const id = await addExecution(ground.owner, await ground.tenant.job(endpoint.id), 'failed');
      return (tenant) => tenant.redeliver(id);
    },
    'execution.retried',
  ),
};
