export * from './signature.ts';
export { parseRetryAfter } from './judge.ts';
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryPage,
  DeliveryRequest,
  DeliveryResponse,
  DeliveryTiming,
  DeliveryWithAttempts,
} from './delivery.ts';
export { DISABLED_REASONS, ENCRYPTED_WEBHOOKS, ENDPOINT_RETRIES, MOST_ENDPOINTS, PAYLOADS } from './endpoint.ts';
export type {
  DisabledReason,
  Payload,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointParams,
  WebhookEndpointWithSecret,
} from './endpoint.ts';
export { findEndpointUrl } from './endpoint-store.ts';
export { WEBHOOK_CHECKS } from './checks.ts';
export { webhooksLoop } from './loop.ts';
export type { WebhookLoopOptions } from './loop.ts';
export { readEndpointHealth } from './readings-store.ts';
export type { EndpointReadings } from './readings-store.ts';
export { listTenantsWithEndpoints, readDeliveryRate } from './delivery-rate-store.ts';
export type { DeliveryRate } from './delivery-rate-store.ts';
export { deleteDeliveryBodies, forgetDeliveryAttempts } from './retention-store.ts';
export type { RecoverEndpointParams } from './recover-endpoint.ts';
export type { RotateSecretParams } from './rotate-secret.ts';
export type { TestedEndpoint } from './test-endpoint.ts';
export { webhookVerbs } from './verbs.ts';
export type { EndpointFilter, WebhookVerbs } from './verbs.ts';
