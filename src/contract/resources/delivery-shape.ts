// A delivery and its attempts as they are shown.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type {
  Delivery as EngineDelivery,
  DeliveryAttempt as EngineAttempt,
  DeliveryFilter,
  DeliveryWithAttempts as EngineDeliveryWithAttempts,
  ExecutionStatus,
  TenantVerbs,
} from '../../engine.ts';
import { EXECUTION_STATUSES, FAILURE_CODES, INVOCATION_STATUSES } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import type { Page } from '../cursor.ts';
import { before, stretch } from '../cursor.ts';
import type { PageQuery } from '../schemas.ts';
import { Instant, closed, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { instantOrNull } from '../wire-format.ts';
import { CREATED_AT, EVENT, EXECUTION, INVOCATION, WEBHOOK_ENDPOINT } from './examples.ts';

const CODES = Object.keys(FAILURE_CODES);
const code = (what: string, without: string) =>
  textOrNull({
    description: `${what}: ${CODES.map((each) => `\`${each}\``).join(', ')}; ${without}.`,
    'x-extensible-enum': CODES,
  });

export const Delivery = closed(
  {
    id: { ...idOf('execution'), description: 'The id of its execution.' } as ReturnType<typeof idOf>,
    endpoint_id: { ...idOf('webhookEndpoint'), description: 'The webhook endpoint.' } as ReturnType<typeof idOf>,
    event_id: {
      ...idOf('event'),
      description: 'The event: `webhook-id` of every attempt.',
    } as ReturnType<typeof idOf>,
    seq: Type.Integer({ description: 'The `seq` of the event.' }),
    status: oneOf(EXECUTION_STATUSES, {
      description:
        '`pending`, also between attempts; `running`; ends as `completed`, `failed` (a dead letter) or `cancelled` (its endpoint was deleted).',
    }),
    attempt_number: Type.Integer({ description: 'Attempts so far, the running one included; 0 before the first.' }),
    sent: nullable(Type.Boolean(), {
      description:
        'False: an event of a test tenant, which was recorded and not sent. Null: no attempt has ended, or its record was deleted.',
    }),
    response_status: nullable(Type.Integer(), {
      description: 'The HTTP status of the last response; null if there was none.',
    }),
    started_at: nullable(Instant, { description: 'When the first attempt began. RFC 3339, UTC; null before.' }),
    completed_at: nullable(Instant, { description: 'When it ended. RFC 3339, UTC; null before.' }),
    next_retry_at: nullable(Instant, {
      description: 'When the next attempt is due. RFC 3339, UTC; null unless it is pending.',
    }),
    code: code('Why the last attempt failed', 'null if none failed, or it completed'),
    error: textOrNull({ description: 'The message of the last failed attempt; null if none failed, or it completed.' }),
    created_at: Instant,
  },
  { title: 'Delivery' },
);

export const showDelivery = (delivery: EngineDelivery): Static<typeof Delivery> => ({
  id: toTypeId('execution', delivery.id),
  endpoint_id: toTypeId('webhookEndpoint', delivery.endpointId),
  event_id: toTypeId('event', delivery.eventId),
  seq: Number(delivery.seq),
  status: delivery.status,
  attempt_number: delivery.attemptNumber,
  sent: delivery.sent,
  response_status: delivery.responseStatus,
  started_at: instantOrNull(delivery.startedAt),
  completed_at: instantOrNull(delivery.completedAt),
  next_retry_at: instantOrNull(delivery.nextRetryAt),
  code: delivery.code,
  error: delivery.error,
  created_at: delivery.createdAt.toISOString(),
});

const headersOf = <T extends string | null>(description: string, values: readonly T[]) =>
  Type.Unsafe<Readonly<Record<string, T>>>({
    type: 'object',
    description,
    additionalProperties: { type: values.includes(null as T) ? ['string', 'null'] : 'string' },
    examples: [{ 'content-type': 'application/json' }],
  });

const Request = closed(
  {
    url: Type.String({ description: 'The URL that it was sent to, without its query.' }),
    headers: headersOf<string | null>('By name. Signatures and the values of custom headers are null.', ['', null]),
    bytes: Type.Integer({ description: 'The length of the body.' }),
    digest: textOrNull({ description: 'The SHA-256 of the body, hexadecimal; null after it was deleted.' }),
  },
  { title: 'DeliveryRequest' },
);
const Response = closed(
  {
    status: Type.Integer({ description: 'The HTTP status.' }),
    headers: nullable(headersOf<string>('By name, the first 2 KiB.', ['']), {
      description: 'By name, the first 2 KiB; null after they were deleted.',
    }),
    body: textOrNull({ description: 'The first 4 KiB as text; null after it was deleted.' }),
    truncated: Type.Boolean({ description: 'Whether the body was longer.' }),
  },
  { title: 'DeliveryResponse' },
);
const ms = (description: string) => Type.Number({ description: `${description}, in milliseconds.` });
const Timing = closed(
  {
    dns_ms: ms('Resolving the name; 0 on a connection that was open already'),
    connect_ms: ms('Opening the connection, with TLS; 0 on a connection that was open already'),
    first_byte_ms: ms('From the request to the first byte of the response'),
    total_ms: ms('All of it'),
  },
  { title: 'DeliveryTiming' },
);

const Attempt = closed(
  {
    id: idOf('invocation'),
    number: Type.Integer({ description: 'The number of the attempt, from 1.' }),
    status: oneOf(INVOCATION_STATUSES, { description: '`running`, then `success` or `failed`.' }),
    started_at: { ...Instant, description: 'When the attempt began. RFC 3339, UTC.' } as typeof Instant,
    completed_at: nullable(Instant, { description: 'When the attempt ended. RFC 3339, UTC; null while it runs.' }),
    code: code('Why it failed', 'null unless it failed'),
    error: textOrNull({ description: 'The message of the error; null unless it failed.' }),
    request: nullable(Request, {
      description: 'The request; null if nothing was sent, or its record was deleted.',
    }),
    response: nullable(Response, { description: 'The response; null if there is no complete one.' }),
    timing: nullable(Timing, { description: 'How long it took; null without a response.' }),
    failure: textOrNull({
      description: 'Why there is no complete response, such as `TIMED_OUT` or `TLS_FAILED`; null if there is one.',
    }),
  },
  { title: 'DeliveryAttempt' },
);

const showAttempt = (attempt: EngineAttempt): Static<typeof Attempt> => ({
  id: toTypeId('invocation', attempt.id),
  number: attempt.number,
  status: attempt.status,
  started_at: attempt.startedAt.toISOString(),
  completed_at: instantOrNull(attempt.completedAt),
  code: attempt.code,
  error: attempt.error,
  request: attempt.request && { ...attempt.request, headers: { ...attempt.request.headers } },
  response: attempt.response && { ...attempt.response },
  timing: attempt.timing && {
    dns_ms: attempt.timing.dnsMs,
    connect_ms: attempt.timing.connectMs,
    first_byte_ms: attempt.timing.firstByteMs,
    total_ms: attempt.timing.totalMs,
  },
  failure: attempt.failure,
});

export const DeliveryWithAttempts = closed(
  {
    ...Delivery.properties,
    attempts: Type.Array(Attempt, { description: 'By number, the last 1,000 at most.' }),
  },
  { title: 'DeliveryWithAttempts' },
);

export const showWithAttempts = (delivery: EngineDeliveryWithAttempts): Static<typeof DeliveryWithAttempts> => ({
  ...showDelivery(delivery),
  attempts: delivery.attempts.map(showAttempt),
});

interface DeliveryQuery extends PageQuery {
  readonly status?: ExecutionStatus;
}

export function listDeliveries(
  tenant: TenantVerbs,
  query: DeliveryQuery,
  more: DeliveryFilter,
): Promise<Page<Static<typeof Delivery>>> {
  const filter = query.status === undefined ? more : { ...more, status: query.status };
  return stretch(
    query,
    async (limit, mark) => {
      const { deliveries, next } = await tenant.deliveries(filter, { limit, ...before(mark) });
      return { rows: deliveries, next };
    },
    showDelivery,
  );
}

export const EXAMPLE_DELIVERY = {
  id: EXECUTION,
  endpoint_id: WEBHOOK_ENDPOINT,
  event_id: EVENT,
  seq: 17,
  status: 'failed',
  attempt_number: 10,
  sent: true,
  response_status: 500,
  started_at: CREATED_AT,
  completed_at: '2026-11-16T18:05:35.000Z',
  next_retry_at: null,
  code: 'DELIVERY_REFUSED',
  error: 'the endpoint answered 500',
  created_at: CREATED_AT,
};

export const EXAMPLE_ATTEMPT = {
  id: INVOCATION,
  number: 1,
  status: 'success',
  started_at: CREATED_AT,
  completed_at: CREATED_AT,
  code: null,
  error: null,
  request: {
    url: 'https://shop.example.com/hooks',
    headers: { 'content-type': 'application/json', 'webhook-id': EVENT, 'webhook-signature': null },
    bytes: 412,
    digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  response: { status: 204, headers: { server: 'nginx' }, body: '', truncated: false },
  timing: { dns_ms: 1.5, connect_ms: 21.25, first_byte_ms: 34.5, total_ms: 58 },
  failure: null,
};
