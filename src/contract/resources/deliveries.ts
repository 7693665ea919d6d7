// Deliveries: events on their way to webhook endpoints, with every attempt.
import { Type } from 'typebox';
import { EXECUTION_STATUSES } from '../../engine.ts';
import { fromTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { resourceKey } from '../wire-format.ts';
import { Reason, closed, idOf, listOf, oneOf, pageQuery } from '../schemas.ts';
import {
  Delivery,
  DeliveryWithAttempts,
  EXAMPLE_ATTEMPT,
  EXAMPLE_DELIVERY,
  listDeliveries,
  showWithAttempts,
} from './delivery-shape.ts';
import { CREATED_AT, EXECUTION, HOLD } from './examples.ts';

const Id = closed({ id: idOf('execution') });
const params = { id: EXECUTION };
const COMPLETED = {
  ...EXAMPLE_DELIVERY,
  status: 'completed',
  attempt_number: 1,
  response_status: 204,
  completed_at: CREATED_AT,
  code: null,
  error: null,
  attempts: [EXAMPLE_ATTEMPT],
};

export const deliveryRoutes = {
  'deliveries.list': route({
    method: 'GET',
    path: '/deliveries',
    summary: 'List deliveries',
    description:
      'Deliveries to all webhook endpoints, newest first, by the instant of the event. A page can be short or empty without being the last: continue with ' +
      '`next_cursor`.',
    scope: 'webhooks:read',
    query: pageQuery({
      endpoint_id: Type.Optional({
        ...idOf('webhookEndpoint'),
        description: 'Only deliveries to this endpoint, also after it was deleted. Default: all.',
      } as ReturnType<typeof idOf>),
      status: Type.Optional(
        oneOf(EXECUTION_STATUSES, { description: 'Only deliveries with this status. Default: all.' }),
      ),
      event_id: Type.Optional({
        ...idOf('event'),
        description: 'Only deliveries of this event. Default: all.',
      } as ReturnType<typeof idOf>),
      resource_id: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'Only deliveries of events about this resource, such as a payment: its newest 100 events, fewer for a tenant with more than 200 webhook endpoints, deleted ones included. Default: all.',
          examples: [HOLD],
          'x-id': 'payment',
        }),
      ),
    }),
    answer: listOf(Delivery, 'DeliveryList'),
    example: { query: { status: 'failed' }, answer: { data: [EXAMPLE_DELIVERY], next_cursor: null } },
    handle({ tenant, query }) {
      const { endpoint_id, event_id, resource_id } = query;
      return listDeliveries(tenant, query, {
        ...(endpoint_id === undefined ? {} : { endpointId: fromTypeId('webhookEndpoint', endpoint_id, 'endpoint_id') }),
        ...(event_id === undefined ? {} : { eventId: fromTypeId('event', event_id, 'event_id') }),
        ...(resource_id === undefined ? {} : { resourceId: resourceKey(tenant.id, undefined, resource_id) }),
      });
    },
  }),

  'deliveries.get': route({
    method: 'GET',
    path: '/deliveries/{id}',
    summary: 'Get a delivery with its attempts',
    description:
      'Requests, responses and timing of attempts are kept as long as executions; bodies and headers of responses 30 days, unless configured otherwise.',
    scope: 'webhooks:read',
    params: Id,
    answer: DeliveryWithAttempts,
    example: { params, answer: COMPLETED },
    handle: async (call) => showWithAttempts(await call.tenant.delivery(fromTypeId('execution', call.params.id))),
  }),

  'deliveries.redeliver': route({
    method: 'POST',
    path: '/deliveries/{id}/redeliver',
    summary: 'Send a delivery again',
    description:
      'A completed or failed delivery gets all its attempts again and is due at once, with the same `webhook-id`.',
    scope: 'webhooks:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: DeliveryWithAttempts,
    example: {
      params,
      body: { reason: 'the receiver lost it' },
      answer: { ...COMPLETED, status: 'pending', completed_at: null, next_retry_at: CREATED_AT },
    },
    handle: async (call) =>
      showWithAttempts(await call.tenant.redeliver(fromTypeId('execution', call.params.id), call.body)),
  }),
};
