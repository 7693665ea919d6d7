// The webhook endpoints of the demo world: one that works and one that does not. Their receiver is in the process of `usance dev` and ends with
// it, so a later process opens it on the port of the stored URLs, or gives the endpoints its own.
import type { TenantHandle, WebhookEndpoint } from '../../engine.ts';
import { Refusal } from '../../kernel/index.ts';
import type { Receiver } from './receiver.ts';
import { isOfReceiver, openReceiver } from './receiver.ts';
import type { Stage } from './stage.ts';

// The descriptions identify the endpoints for a later start: they do not change.
const STOREFRONT = 'Storefront: answers as long as this process runs';
const WAREHOUSE = 'Warehouse: out of order';
/** An operator may have created more. */
const READ = 100;

/** None if this process may not connect to this machine. */
export async function createEndpoints({ shop }: Stage, receiver: Receiver): Promise<void> {
  const known = new Set<string>();
  for await (const { description } of shop.webhookEndpoints.list()) known.add(description);
  const create = async (description: string, eventPattern: string): Promise<void> => {
    if (known.has(description)) return;
    await shop.webhookEndpoints.create({
      description,
      url: urlOf(receiver, description),
      eventPattern,
      retry: 'webhook-quick',
      sendTestEvents: true,
    });
  };
  await unlessRefused(async () => {
    await create(STOREFRONT, 'payment.*');
    await create(WAREHOUSE, 'payment.failed,payment.cancelled');
  });
}

/** The receiver of this process. The endpoints of an earlier one are sent to it from now on. */
export async function reopenReceiver(tenant: TenantHandle): Promise<Receiver> {
  const [first] = await endpointsOf(tenant);
  const receiver = await openReceiver(first ? Number(new URL(first.url).port) : 0);
  await pointEndpoints(tenant, receiver);
  return receiver;
}

/** Gives the endpoints of an earlier receiver the URLs of this one. */
export async function pointEndpoints(tenant: TenantHandle, receiver: Receiver): Promise<void> {
  await unlessRefused(async () => {
    for (const { id, url, description } of await endpointsOf(tenant)) {
      const to = urlOf(receiver, description);
      if (url !== to) await tenant.updateWebhookEndpoint(id, { url: to });
    }
  });
}

/** Those of the demo world whose URL is that of a receiver. */
async function endpointsOf(tenant: TenantHandle): Promise<WebhookEndpoint[]> {
  const found = await tenant.webhookEndpoints({}, { limit: READ });
  return found.filter(({ description, url }) => [STOREFRONT, WAREHOUSE].includes(description) && isOfReceiver(url));
}

const urlOf = ({ url, brokenUrl }: Receiver, description: string): string =>
  description === WAREHOUSE ? brokenUrl : url;

async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal && ['URL_REFUSED', 'ENCRYPTION_KEY_MISSING'].includes(error.code))) throw error;
  }
}
