// Sends a test event to one endpoint, whatever its pattern, and also in a test tenant. It is delivered as any other event is.
import type { Transaction } from '../db/index.ts';
import type { TenantCaller } from '../jobs/index.ts';
import { executionIdOf } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { shownUrl } from './endpoint.ts';
import { emitEndpointEvent } from './endpoint-events.ts';
import { holdEndpoint } from './update-endpoint.ts';

export interface TestedEndpoint {
  readonly endpointId: Uuid;
  readonly eventId: Uuid;
  /** The delivery to come. It is there as soon as the event is matched, moments after the commit. */
  readonly deliveryId: Uuid;
}

export const TEST_TYPE = 'webhook_endpoint.tested';

export async function testEndpoint(tx: Transaction, clock: Clock, by: TenantCaller, id: Uuid): Promise<TestedEndpoint> {
  const endpoint = await holdEndpoint(tx, by, id);
  if (!endpoint.enabled) refuse('WEBHOOK_ENDPOINT_DISABLED', { endpoint: id });
  const data = { url: shownUrl(endpoint.url) };
  const eventId = await emitEndpointEvent(tx, clock, by.caller, endpoint, 'tested', data);
  return { endpointId: id, eventId, deliveryId: executionIdOf(id, eventId) };
}
