// Deletes endpoints. Nothing is sent from then on: deliveries that wait are cancelled, and an attempt that has not begun to send does not. The
// secret and the headers are deleted at once; the history of deliveries stays.
import type { Transaction } from '../db/index.ts';
import type { TenantCaller } from '../jobs/index.ts';
import { deleteManagedJob } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { shownUrl } from './endpoint.ts';
import { emitEndpointEvent } from './endpoint-events.ts';
import { markEndpointDeleted } from './endpoint-store.ts';
import { holdEndpoint } from './update-endpoint.ts';

export async function deleteEndpoint(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
): Promise<WebhookEndpoint> {
  const endpoint = await holdEndpoint(tx, by, id);
  await deleteManagedJob(tx, clock, by, id);
  await markEndpointDeleted(tx, by.tenantId, id, clock.now);
  await emitEndpointEvent(tx, clock, by.caller, endpoint, 'deleted', { url: shownUrl(endpoint.url) });
  return { ...endpoint, headerNames: [], previousSecretExpiresAt: null, updatedAt: clock.now };
}
