// Webhook endpoints and deliveries.
import { conflict, invalid, missing, unprocessable } from './entry.ts';
import { ID } from './example-values.ts';

export const WEBHOOKS_ERRORS = {
  WEBHOOK_ENDPOINT_NOT_FOUND: missing({
    title: 'The tenant has no such webhook endpoint',
    detail: 'there is no webhook endpoint "{endpoint:webhookEndpoint}"',
    example: { endpoint: ID },
    cause: 'The tenant of the API key has no webhook endpoint with this id, or the endpoint was deleted.',
    remedy: 'List the webhook endpoints of the tenant, and use an id from the list.',
  }),
  WEBHOOK_ENDPOINT_DISABLED: conflict({
    title: 'The webhook endpoint is disabled',
    detail: 'webhook endpoint {endpoint:webhookEndpoint} is disabled; enable it first',
    example: { endpoint: ID },
    cause:
      'The endpoint was disabled by a caller, because it answered 410, or because its failures without a success span five days, a day after a warning. Nothing is sent to a disabled endpoint.',
    remedy: 'Set `enabled` to true, and send the request again.',
  }),
  WEBHOOK_ENDPOINTS_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of webhook endpoints',
    detail: 'the tenant has {max} webhook endpoints, which is the limit; delete endpoints that are no longer needed',
    example: { max: 500 },
    cause: 'Every event of a tenant is compared with the patterns of all its endpoints, so their number is limited.',
    remedy: 'Delete endpoints that are no longer needed, or give one endpoint several patterns.',
  }),
  HEADER_REFUSED: invalid({
    title: 'A custom header cannot be sent',
    detail: {
      name: '{param} has "{name}", which is not the name of a header that can be set: usance or the connection sets it, or it is malformed',
      value: 'the value of "{name}" in {param} must be at most 4096 visible ASCII characters, spaces and tabs',
    },
    example: ['name', { param: 'headers', name: 'content-type' }],
    cause:
      'Headers of the connection, `content-type`, `user-agent`, `webhook-*` and the plain signature are set by usance. A value has one line.',
    remedy: 'Use another name, such as one that begins with `x-`, or encode the value.',
  }),
  DELIVERY_NOT_FOUND: missing({
    title: 'The tenant has no such delivery',
    detail: 'there is no delivery "{delivery:execution}"',
    example: { delivery: ID },
    cause:
      'The tenant of the API key has no delivery with this id, its retention has ended, or the id is that of an execution of another job.',
    remedy: 'List the deliveries of the webhook endpoint, and use an id from the list.',
  }),
  DELIVERY_NOT_REDELIVERABLE: conflict({
    title: 'The delivery has not ended',
    detail: 'delivery {delivery:execution} is {status}; only a completed or failed delivery can be sent again',
    example: { delivery: ID, status: 'pending' },
    cause: 'The delivery waits for its next attempt, is being sent, or was cancelled because its endpoint was deleted.',
    remedy: 'Read the delivery. If it is pending, wait for `next_retry_at`.',
  }),
};
