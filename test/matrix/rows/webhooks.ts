// Webhook endpoints and their deliveries.
import { addExecution } from '../../support/jobs.ts';
import type { Driver } from './driver.ts';

const reason = 'the matrix';
const PARAMS = { url: 'https://shop.example.com/hooks', eventPattern: 'payment.*' };

interface Row {
  readonly id: string;
  readonly user: string;
}

export const WEBHOOK_ENDPOINTS: Driver<'webhook endpoint', Row> = {
  async make(world, cell) {
    const { tenant } = world;
    const { endpoint } = await tenant.createWebhookEndpoint({ ...PARAMS, enabled: cell.state !== 'disabled' });
    if (cell.state === 'deleted') await tenant.deleteWebhookEndpoint(endpoint.id);
    return { id: endpoint.id, user: world.bystander };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    createWebhookEndpoint: { by: (verbs) => verbs.createWebhookEndpoint(PARAMS) },
    updateWebhookEndpoint: { by: (verbs, { id }) => verbs.updateWebhookEndpoint(id, { maxPerSecond: 7 }) },
    deleteWebhookEndpoint: { by: (verbs, { id }) => verbs.deleteWebhookEndpoint(id) },
    rotateWebhookSecret: { by: (verbs, { id }) => verbs.rotateWebhookSecret(id) },
    testWebhookEndpoint: { by: (verbs, { id }) => verbs.testWebhookEndpoint(id) },
    recoverWebhookEndpoint: {
      by: (verbs, { id }) => verbs.recoverWebhookEndpoint(id, { since: new Date(0), reason }),
    },
  },
};

export const DELIVERIES: Driver<'delivery', Row> = {
  async make(world, cell) {
    const { tenant, owner } = world;
    const { endpoint } = await tenant.createWebhookEndpoint(PARAMS);
    const { state } = cell;
    const [status, of] = state.split(', of a ') as ['failed', string | undefined];
    const id = await addExecution(owner, endpoint, status);
    if (of === 'deleted endpoint') await tenant.deleteWebhookEndpoint(endpoint.id);
    if (of === 'disabled endpoint') await tenant.updateWebhookEndpoint(endpoint.id, { enabled: false });
    return { id, user: world.bystander };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    redeliver: { by: (verbs, { id }) => verbs.redeliver(id, { reason }) },
  },
};
