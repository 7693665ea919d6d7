// A webhook endpoint as it is given and shown.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { WebhookEndpoint as EngineEndpoint, WebhookEndpointChanges } from '../../engine.ts';
import { DISABLED_REASONS, ENDPOINT_RETRIES, PAYLOADS } from '../../engine.ts';
import { shownActor, toTypeId } from '../../kernel/index.ts';
import { Instant, closed, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { refusedAs } from '../validate.ts';
import { instantOrNull } from '../wire-format.ts';
import { CREATED_AT, WEBHOOK_ENDPOINT } from './examples.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    'An https URL of the internet. Addresses of private networks and of this machine are refused. Events, logs and notifications show it without its query.',
  examples: ['https://shop.example.com/hooks'],
  ...refusedAs('URL_REFUSED/not_a_url', { max: 2_000 }),
});
const Pattern = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description:
    'The events that it gets: an exact type, `payment.*`, `*.settled` or `*`, or up to 20 of them separated by commas. A pattern with a star matches no event about jobs, executions, deliveries, webhook endpoints and notification channels.',
  examples: ['payment.settled,payment.failed'],
});
const PayloadForm = oneOf(PAYLOADS, {
  description: 'The body: `full` is the event as the API shows it, `thin` the same without `data`.',
});
const Headers = Type.Unsafe<Readonly<Record<string, string>> | null>({
  type: ['object', 'null'],
  description:
    'Headers of every delivery, by name; at most 20. They are stored encrypted, and their values are never shown again. Null: none.',
  additionalProperties: { type: 'string', maxLength: 4_096 },
  maxProperties: 20,
  examples: [{ 'x-shop': 'main' }],
});
const PerSecond = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 100_000,
  description: 'Deliveries that start per second at most, over all workers. Null: no limit.',
});
const Retry = oneOf(ENDPOINT_RETRIES, {
  description:
    '`webhook`: the schedule of Standard Webhooks, 10 attempts within about three days. `webhook-quick`: 5 attempts, 5 seconds apart.',
});
const FLAGS = {
  plain_signature: Type.Boolean({
    description:
      'Whether `x-usance-signature` is sent too: the hexadecimal HMAC-SHA256 of the body under the text of the secret.',
  }),
  ordered: Type.Boolean({
    description:
      'Whether deliveries about one resource are sent one after the other. One that fails holds up the others of its resource until it ends.',
  }),
  send_test_events: Type.Boolean({
    description: 'Whether events of a test tenant are sent. Otherwise they are recorded as deliveries and not sent.',
  }),
  enabled: Type.Boolean({ description: 'Whether it gets events, and deliveries start.' }),
};
export const SecretIn = Type.String({
  maxLength: 100,
  pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$',
  description: 'A secret that you bring: `whsec_` and the base64 of 24 to 64 random bytes. Default: a new one.',
  ...refusedAs('FIELD_INVALID/webhook_secret'),
});

const TERMS = {
  url: Url,
  event_pattern: Pattern,
  description: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'A text for people, at most 1,000 characters.' }),
  ),
  payload: Type.Optional(PayloadForm),
  headers: Type.Optional(Headers),
  plain_signature: Type.Optional(FLAGS.plain_signature),
  ordered: Type.Optional(FLAGS.ordered),
  retry: Type.Optional(Retry),
  max_per_second: Type.Optional(PerSecond),
  send_test_events: Type.Optional(FLAGS.send_test_events),
  enabled: Type.Optional(FLAGS.enabled),
};

export const WebhookEndpointCreateParams = closed(
  { ...TERMS, secret: Type.Optional(SecretIn) },
  { title: 'WebhookEndpointCreateParams' },
);

export const WebhookEndpointUpdateParams = Type.Partial(closed(TERMS), {
  title: 'WebhookEndpointUpdateParams',
  minProperties: 1,
  additionalProperties: false,
});

export const WebhookEndpoint = closed(
  {
    id: idOf('webhookEndpoint'),
    job_id: { ...idOf('job'), description: 'Its job, which `jobs.get` shows.' } as ReturnType<typeof idOf>,
    url: Type.String({
      description: 'The URL that deliveries are sent to.',
      examples: ['https://shop.example.com/hooks'],
    }),
    event_pattern: Type.String({
      description: 'The events that it gets.',
      examples: ['payment.settled,payment.failed'],
    }),
    description: Type.String({ description: 'A text for people; empty if none was given.' }),
    payload: PayloadForm,
    header_names: Type.Array(Type.String(), { description: 'The names of its headers, in lower case.' }),
    ...FLAGS,
    retry: Retry,
    max_per_second: nullable(Type.Integer(), {
      description: 'Deliveries that start per second at most, over all workers; null: no limit.',
    }),
    disabled_reason: nullable(oneOf(DISABLED_REASONS), {
      description:
        '`caller`: by a change. `gone`: it answered 410. `failing`: its failures span five days without a success, `webhook_endpoint.failing` warned at least a day before, and it has failed since. Null while it is enabled.',
    }),
    previous_secret_expires_at: nullable(Instant, {
      description:
        'Until then deliveries are signed with the previous secret too, in real time. RFC 3339, UTC; null if there is none.',
    }),
    last_success_at: nullable(Instant, {
      description: 'When a delivery last succeeded, in real time, to the minute. RFC 3339, UTC; null before the first.',
    }),
    failing_since: nullable(Instant, {
      description:
        'The first failed attempt since the last success, in real time. RFC 3339, UTC; null while it succeeds.',
    }),
    created_by: Type.String(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'WebhookEndpoint' },
);

export const WebhookEndpointMade = closed(
  {
    ...WebhookEndpoint.properties,
    secret: textOrNull({
      description: 'The secret that deliveries are signed with, returned only once: a replayed response has null here.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { title: 'WebhookEndpointMade' },
);

export const showEndpoint = (endpoint: EngineEndpoint): Static<typeof WebhookEndpoint> => ({
  id: toTypeId('webhookEndpoint', endpoint.id),
  job_id: toTypeId('job', endpoint.id),
  url: endpoint.url,
  event_pattern: endpoint.eventPattern,
  description: endpoint.description,
  payload: endpoint.payload,
  header_names: [...endpoint.headerNames],
  plain_signature: endpoint.plainSignature,
  ordered: endpoint.ordered,
  send_test_events: endpoint.sendTestEvents,
  enabled: endpoint.enabled,
  retry: endpoint.retry,
  max_per_second: endpoint.maxPerSecond,
  disabled_reason: endpoint.disabledReason,
  previous_secret_expires_at: instantOrNull(endpoint.previousSecretExpiresAt),
  last_success_at: instantOrNull(endpoint.lastSuccessAt),
  failing_since: instantOrNull(endpoint.failingSince),
  created_by: shownActor(endpoint.createdBy),
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
});

export function readEndpointChanges(body: Static<typeof WebhookEndpointUpdateParams>): WebhookEndpointChanges {
  return {
    ...(body.url === undefined ? {} : { url: body.url }),
    ...(body.event_pattern === undefined ? {} : { eventPattern: body.event_pattern }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.payload === undefined ? {} : { payload: body.payload }),
    ...(body.headers === undefined ? {} : { headers: body.headers }),
    ...(body.plain_signature === undefined ? {} : { plainSignature: body.plain_signature }),
    ...(body.ordered === undefined ? {} : { ordered: body.ordered }),
    ...(body.retry === undefined ? {} : { retry: body.retry }),
    ...(body.max_per_second === undefined ? {} : { maxPerSecond: body.max_per_second }),
    ...(body.send_test_events === undefined ? {} : { sendTestEvents: body.send_test_events }),
    ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
  };
}

export const EXAMPLE_ENDPOINT = {
  id: WEBHOOK_ENDPOINT,
  job_id: WEBHOOK_ENDPOINT.replace('whe_', 'job_'),
  url: 'https://shop.example.com/hooks',
  event_pattern: 'payment.settled,payment.failed',
  description: 'Orders of the shop.',
  payload: 'full',
  header_names: ['x-shop'],
  plain_signature: false,
  ordered: false,
  send_test_events: false,
  enabled: true,
  retry: 'webhook',
  max_per_second: null,
  disabled_reason: null,
  previous_secret_expires_at: null,
  last_success_at: null,
  failing_since: null,
  created_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};
