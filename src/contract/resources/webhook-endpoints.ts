// Webhook endpoints: URLs that get events, signed.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { WebhookEndpointWithSecret } from '../../engine.ts';
import { EXECUTION_STATUSES, parseDelayMs } from '../../engine.ts';
import { fromTypeId, invariant, toTypeId } from '../../kernel/index.ts';
import { idMark, newestFirst, stretch } from '../cursor.ts';
import { route } from '../route.ts';
import { DelayIn, Instant, Reason, closed, idOf, instantIn, listOf, oneOf, pageQuery, textOrNull } from '../schemas.ts';
import { Delivery, EXAMPLE_DELIVERY, listDeliveries } from './delivery-shape.ts';
import { CREATED_AT, EVENT, EXECUTION } from './examples.ts';
import {
  EXAMPLE_ENDPOINT,
  SecretIn,
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointMade,
  WebhookEndpointUpdateParams,
  readEndpointChanges,
  showEndpoint,
} from './webhook-shape.ts';

const Id = closed({ id: idOf('webhookEndpoint') });
const Grace = {
  ...DelayIn,
  description:
    'How long deliveries are signed with both secrets: seconds, `48h`, or an ISO 8601 duration. Default: a day.',
  examples: ['24h'],
} as typeof DelayIn;
const params = { id: EXAMPLE_ENDPOINT.id };
const key = (id: string): string => fromTypeId('webhookEndpoint', id);

const EXAMPLE_MADE = { ...EXAMPLE_ENDPOINT, secret: 'whsec_ZXhhbXBsZS1ub3QtYS1zZWNyZXQtMDAwMDAw' };

type Made = Static<typeof WebhookEndpointMade>;
const showMade = ({ endpoint, secret }: WebhookEndpointWithSecret): Made => ({ ...showEndpoint(endpoint), secret });
/** A secret is not kept under an idempotency key. */
const withoutSecret = (made: Made): Made => ({ ...made, secret: null });

export const webhookEndpointRoutes = {
  'webhookEndpoints.create': route({
    method: 'POST',
    path: '/webhook-endpoints',
    bodyHasSecret: true,
    summary: 'Create a webhook endpoint',
    description:
      'Every later event that matches `event_pattern` is posted to the URL, signed as Standard Webhooks defines it, at least once. Only this ' +
      'response has the secret. A tenant has at most 500 endpoints; each owns a job, which `jobs.list` shows.',
    scope: 'webhooks:write',
    status: 201,
    body: WebhookEndpointCreateParams,
    answer: WebhookEndpointMade,
    example: {
      body: {
        url: EXAMPLE_ENDPOINT.url,
        event_pattern: EXAMPLE_ENDPOINT.event_pattern,
        description: EXAMPLE_ENDPOINT.description,
        headers: { 'x-shop': 'main' },
      },
      answer: EXAMPLE_MADE,
    },
    async handle({ tenant, body }) {
      const { url, event_pattern: eventPattern, secret } = body;
      const terms = { ...readEndpointChanges(body), url, eventPattern };
      return showMade(await tenant.createWebhookEndpoint(secret === undefined ? terms : { ...terms, secret }));
    },
    remembers: withoutSecret,
  }),

  'webhookEndpoints.list': route({
    method: 'GET',
    path: '/webhook-endpoints',
    summary: 'List webhook endpoints',
    description: 'Newest first, without deleted ones.',
    scope: 'webhooks:read',
    query: pageQuery({
      enabled: Type.Optional(
        Type.Boolean({ description: 'Only enabled endpoints, or only disabled ones. Default: all.' }),
      ),
    }),
    answer: listOf(WebhookEndpoint, 'WebhookEndpointList'),
    example: { query: { limit: '20' }, answer: { data: [EXAMPLE_ENDPOINT], next_cursor: null } },
    handle({ tenant, query }) {
      const { enabled } = query;
      const filter = enabled === undefined ? {} : { enabled };
      return newestFirst(query, (range) => tenant.webhookEndpoints(filter, range), showEndpoint);
    },
  }),

  'webhookEndpoints.get': route({
    method: 'GET',
    path: '/webhook-endpoints/{id}',
    summary: 'Get a webhook endpoint',
    scope: 'webhooks:read',
    params: Id,
    answer: WebhookEndpoint,
    example: { params, answer: EXAMPLE_ENDPOINT },
    handle: async (call) => showEndpoint(await call.tenant.webhookEndpoint(key(call.params.id))),
  }),

  'webhookEndpoints.update': route({
    method: 'PATCH',
    path: '/webhook-endpoints/{id}',
    bodyHasSecret: true,
    summary: 'Update, enable or disable a webhook endpoint',
    description:
      'A new URL, header or form of the body applies to attempts that have not begun; a new pattern to events that are not matched yet. An ' +
      'endpoint that is enabled again begins with the next event: `webhookEndpoints.recover` sends what it missed.',
    scope: 'webhooks:write',
    params: Id,
    body: WebhookEndpointUpdateParams,
    answer: WebhookEndpoint,
    example: {
      params,
      body: { enabled: false },
      answer: { ...EXAMPLE_ENDPOINT, enabled: false, disabled_reason: 'caller' },
    },
    handle: async (call) =>
      showEndpoint(await call.tenant.updateWebhookEndpoint(key(call.params.id), readEndpointChanges(call.body))),
  }),

  'webhookEndpoints.delete': route({
    method: 'DELETE',
    path: '/webhook-endpoints/{id}',
    summary: 'Delete a webhook endpoint',
    description:
      'Deliveries that wait are cancelled. Its secret and headers are erased; its deliveries can still be read.',
    scope: 'webhooks:write',
    params: Id,
    answer: WebhookEndpoint,
    example: { params, answer: { ...EXAMPLE_ENDPOINT, header_names: [] } },
    handle: async (call) => showEndpoint(await call.tenant.deleteWebhookEndpoint(key(call.params.id))),
  }),

  'webhookEndpoints.rotateSecret': route({
    method: 'POST',
    path: '/webhook-endpoints/{id}/rotate-secret',
    bodyHasSecret: true,
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Deliveries are signed with both secrets for `grace` longer, by default a day, at most seven days; 0: with the new one only. A second ' +
      'rotation within that time ends the older secret.',
    scope: 'webhooks:write',
    params: Id,
    body: closed({ secret: Type.Optional(SecretIn), grace: Type.Optional(Grace) }),
    answer: WebhookEndpointMade,
    example: {
      params,
      body: { grace: '24h' },
      answer: { ...EXAMPLE_MADE, previous_secret_expires_at: '2026-11-14T09:30:00.000Z' },
    },
    async handle(call) {
      const { secret, grace } = call.body;
      return showMade(
        await call.tenant.rotateWebhookSecret(key(call.params.id), {
          ...(secret === undefined ? {} : { secret }),
          ...(grace === undefined ? {} : { graceMs: parseDelayMs(grace, 'grace') }),
        }),
      );
    },
    remembers: withoutSecret,
  }),

  'webhookEndpoints.test': route({
    method: 'POST',
    path: '/webhook-endpoints/{id}/test',
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Appends `webhook_endpoint.tested`, which is delivered only to this endpoint, whatever its pattern, also in a test tenant. ' +
      '`deliveries.get` shows how it ended.',
    scope: 'webhooks:write',
    params: Id,
    answer: closed(
      {
        event_id: { ...idOf('event'), description: 'The test event.' } as ReturnType<typeof idOf>,
        delivery_id: {
          ...idOf('execution'),
          description: 'Its delivery, which can be read once the event is matched, moments later.',
        } as ReturnType<typeof idOf>,
      },
      { title: 'WebhookEndpointTest' },
    ),
    example: { params, answer: { event_id: EVENT, delivery_id: EXECUTION } },
    async handle(call) {
      const { eventId, deliveryId } = await call.tenant.testWebhookEndpoint(key(call.params.id));
      return { event_id: toTypeId('event', eventId), delivery_id: toTypeId('execution', deliveryId) };
    },
  }),

  'webhookEndpoints.recover': route({
    method: 'POST',
    path: '/webhook-endpoints/{id}/recover',
    summary: 'Send what a webhook endpoint missed',
    description:
      'Retries up to 500 deliveries that failed for good, of events from `since` on. The first page also delivers events that the endpoint ' +
      'missed while it was disabled, and counts them in `missed`. Events from before the endpoint was created and completed deliveries are not ' +
      'sent. Repeat with `cursor` until `next_cursor` is null.',
    scope: 'webhooks:write',
    params: Id,
    body: closed({
      since: instantIn(
        'The first instant whose events are sent, in real time; not in the future. Earlier than the endpoint: since it was created.',
      ),
      cursor: Type.Optional(
        Type.String({ maxLength: 200, description: '`next_cursor` of the response before. Default: the first page.' }),
      ),
      reason: Type.Optional(Reason),
    }),
    answer: closed(
      {
        retried: Type.Integer({ description: 'Failed deliveries that are sent again.' }),
        missed: Type.Integer({
          description:
            'Events that the endpoint missed while it was disabled and gets now. A page after the first has none.',
        }),
        missed_is_at_least: Type.Boolean({
          description:
            'There may be more than `missed`: only the first 20,000 events since `from` were counted. All of them are sent.',
        }),
        from: {
          ...Instant,
          description: 'The first instant whose events are sent: `since`, or when the endpoint was created.',
        } as typeof Instant,
        next_cursor: textOrNull({ description: 'Continue with it; null if there are no more failed deliveries.' }),
      },
      { title: 'WebhookEndpointRecovery' },
    ),
    example: {
      params,
      body: { since: CREATED_AT },
      answer: { retried: 12, missed: 340, missed_is_at_least: false, from: CREATED_AT, next_cursor: null },
    },
    async handle(call) {
      const { since, cursor, reason } = call.body;
      const { data, next_cursor } = await stretch(
        cursor === undefined ? {} : { cursor },
        async (_limit, mark) => {
          const after = idMark(mark);
          const { next, ...page } = await call.tenant.recoverWebhookEndpoint(key(call.params.id), {
            since,
            ...(after === undefined ? {} : { after }),
            ...(reason === undefined ? {} : { reason }),
          });
          return { rows: [page], next };
        },
        (page) => page,
      );
      const [page] = data;
      invariant(page !== undefined, 'one page of a recovery');
      const { retried, missed, missedIsAtLeast, from } = page;
      return { retried, missed, missed_is_at_least: missedIsAtLeast, from: from.toISOString(), next_cursor };
    },
  }),

  'webhookEndpoints.listDeliveries': route({
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries',
    summary: 'List the deliveries of a webhook endpoint',
    description:
      'Newest first, by the instant of the event. Filters scan at most 20,000 deliveries for a page, so a page can be short or empty without ' +
      'being the last: continue with `next_cursor`. `deliveries.list` also has those of deleted endpoints.',
    scope: 'webhooks:read',
    params: Id,
    query: pageQuery({
      status: Type.Optional(
        oneOf(EXECUTION_STATUSES, { description: 'Only deliveries with this status. Default: all.' }),
      ),
    }),
    answer: listOf(Delivery, 'DeliveryList'),
    example: { params, query: { status: 'failed' }, answer: { data: [EXAMPLE_DELIVERY], next_cursor: null } },
    async handle({ tenant, params: { id }, query }) {
      await tenant.webhookEndpoint(key(id));
      return listDeliveries(tenant, query, { endpointId: key(id) });
    },
  }),
};
