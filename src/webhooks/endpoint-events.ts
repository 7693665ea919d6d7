// Events about endpoints. They have the URL without its query, and neither headers nor secrets.
import type { Transaction } from '../db/index.ts';
import type { EventVerb } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newBlockId } from '../kernel/index.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { shownUrl } from './endpoint.ts';

/** The fields of an endpoint that its events have. */
export const termsInEvents = (endpoint: WebhookEndpoint): Readonly<Record<string, unknown>> => ({
  url: shownUrl(endpoint.url),
  eventPattern: endpoint.eventPattern,
  description: endpoint.description,
  payload: endpoint.payload,
  headerNames: endpoint.headerNames,
  plainSignature: endpoint.plainSignature,
  ordered: endpoint.ordered,
  retry: endpoint.retry,
  maxPerSecond: endpoint.maxPerSecond,
  sendTestEvents: endpoint.sendTestEvents,
  enabled: endpoint.enabled,
});

/** Returns the id of the event. */
export async function emitEndpointEvent(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { tenantId, id }: Pick<WebhookEndpoint, 'tenantId' | 'id'>,
  what: EventVerb<'webhook_endpoint'>,
  data: Readonly<Record<string, unknown>>,
): Promise<Uuid> {
  const eventId = newBlockId();
  const about = { tenantId, resource: 'webhook_endpoint', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, id: eventId, type: `webhook_endpoint.${what}`, data }]);
  return eventId;
}
