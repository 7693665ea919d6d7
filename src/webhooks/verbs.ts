// Webhook endpoints and deliveries as an application sees them.
import type { ExecutionStatus, PageRange } from '../jobs/index.ts';
import { EXECUTION_STATUSES } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid, oneOf, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import type { DeliveryFilter, DeliveryPage, DeliveryWithAttempts } from './delivery.ts';
import type {
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointParams,
  WebhookEndpointWithSecret,
} from './endpoint.ts';
import { findEndpoint, listEndpoints } from './endpoint-store.ts';
import type { CheckUrl } from './parse-endpoint.ts';
import { findDelivery, listDeliveries } from './read-deliveries.ts';
import type { RecoverEndpointParams, RecoveredEndpoint } from './recover-endpoint.ts';
import { recoverEndpoint } from './recover-endpoint.ts';
import { redeliver } from './redeliver.ts';
import type { RotateSecretParams } from './rotate-secret.ts';
import { rotateSecret } from './rotate-secret.ts';
import type { TestedEndpoint } from './test-endpoint.ts';
import { testEndpoint } from './test-endpoint.ts';
import { holdEndpoint, updateEndpoint } from './update-endpoint.ts';

export interface EndpointFilter {
  readonly enabled?: boolean;
}

export interface WebhookVerbs {
  /** The secret is shown this once. Refused without an encryption key. */
  createWebhookEndpoint(params: WebhookEndpointParams): Promise<WebhookEndpointWithSecret>;
  webhookEndpoint(id: Uuid): Promise<WebhookEndpoint>;
  /** Newest first. */
  webhookEndpoints(filter?: EndpointFilter, page?: PageRange): Promise<WebhookEndpoint[]>;
  /** Takes the lock that every change of the endpoint takes. */
  lockWebhookEndpoint(id: Uuid): Promise<void>;
  updateWebhookEndpoint(id: Uuid, changes: WebhookEndpointChanges): Promise<WebhookEndpoint>;
  deleteWebhookEndpoint(id: Uuid): Promise<WebhookEndpoint>;
  /** The secret is shown this once. Until the grace period ends deliveries are signed with both. */
  rotateWebhookSecret(id: Uuid, params?: RotateSecretParams): Promise<WebhookEndpointWithSecret>;
  testWebhookEndpoint(id: Uuid): Promise<TestedEndpoint>;
  /** One page of failed deliveries, and with the first page the events that the endpoint missed while it was disabled. */
  recoverWebhookEndpoint(id: Uuid, params: RecoverEndpointParams): Promise<RecoveredEndpoint>;
  /** Newest first. */
  deliveries(filter?: DeliveryFilter, page?: PageRange): Promise<DeliveryPage>;
  delivery(id: Uuid): Promise<DeliveryWithAttempts>;
  /** A completed or failed one gets all its attempts again. */
  redeliver(id: Uuid, options?: { readonly reason?: string }): Promise<DeliveryWithAttempts>;
}

const PAGE = 100;

export function webhookVerbs(context: VerbContext, { checkUrl }: { readonly checkUrl: CheckUrl }): WebhookVerbs {
  const { tenantId, caller, sql, secrets } = context;
  const by = { tenantId, caller };
  const tools = { secrets, checkUrl };
  const noEndpoint = (endpoint: Uuid): never => refuse('WEBHOOK_ENDPOINT_NOT_FOUND', { endpoint });
  const noDelivery = (delivery: Uuid): never => refuse('DELIVERY_NOT_FOUND', { delivery });
  const endpointId = (id: Uuid): Uuid => (isUuid(id) ? id : noEndpoint(id));
  const deliveryId = (id: Uuid): Uuid => (isUuid(id) ? id : noDelivery(id));
  const rangeOf = ({ limit = PAGE, before }: PageRange) => {
    if (before !== undefined && !isUuid(before)) refuse('ID_INVALID/not_a_cursor', { param: 'before' });
    return { limit, before: before ?? null };
  };

  return {
    createWebhookEndpoint: (params) => context.run((tx, clock) => createEndpoint(tx, clock, by, params, tools)),
    webhookEndpoint: async (id) => (await findEndpoint(sql, tenantId, endpointId(id))) ?? noEndpoint(id),
    webhookEndpoints: async (filter = {}, page = {}) => listEndpoints(sql, tenantId, filter, rangeOf(page)),
    lockWebhookEndpoint: (id) =>
      context.runUntimed(async (tx) => {
        await holdEndpoint(tx, by, endpointId(id));
      }),
    updateWebhookEndpoint: (id, changes) =>
      context.run((tx, clock) => updateEndpoint(tx, clock, by, endpointId(id), changes, tools)),
    deleteWebhookEndpoint: (id) => context.run((tx, clock) => deleteEndpoint(tx, clock, by, endpointId(id))),
    rotateWebhookSecret: (id, params = {}) =>
      context.run((tx, clock) => rotateSecret(tx, clock, by, endpointId(id), params, secrets)),
    testWebhookEndpoint: (id) => context.run((tx, clock) => testEndpoint(tx, clock, by, endpointId(id))),
    recoverWebhookEndpoint: (id, params) =>
      context.run((tx, clock) => recoverEndpoint(tx, clock, by, endpointId(id), params)),
    async deliveries(filter = {}, page = {}) {
      if (filter.status !== undefined) oneOf<ExecutionStatus>(filter.status, EXECUTION_STATUSES, 'status');
      // An id that is none finds nothing, as one of another tenant does.
      const isNone = [filter.endpointId, filter.eventId, filter.resourceId].some(
        (id) => id !== undefined && !isUuid(id),
      );
      const range = rangeOf(page);
      return isNone ? { deliveries: [], next: null } : listDeliveries(sql, tenantId, filter, range);
    },
    delivery: async (id) => (await findDelivery(sql, tenantId, deliveryId(id))) ?? noDelivery(id),
    redeliver: (id, options = {}) =>
      context.run(async (tx, clock) => {
        await redeliver(tx, clock, by, deliveryId(id), options);
        return (await findDelivery(tx, tenantId, id)) ?? noDelivery(id);
      }),
  };
}
