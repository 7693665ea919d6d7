// Webhook endpoints and deliveries in words and as JSON documents, for the commands that show them.
import type { Delivery, DeliveryAttempt, DeliveryWithAttempts, WebhookEndpoint } from '../engine.ts';
import { showIds, shownActor, toTypeId } from '../kernel/index.ts';
import { grouped } from './screen.ts';

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

const WHY_DISABLED = {
  caller: 'disabled',
  gone: 'disabled: it answered 410',
  failing: 'disabled: failures over five days without a success',
};
const stateOf = ({ disabledReason, failingSince }: WebhookEndpoint): string =>
  disabledReason === null ? (failingSince === null ? 'enabled' : 'failing') : WHY_DISABLED[disabledReason];

/** A table with its heading. URLs have no query: it often has a token. */
export const endpointRows = (endpoints: readonly WebhookEndpoint[]): string[][] => [
  ['id', 'url', 'events', 'status'],
  ...endpoints.map((one) => [
    toTypeId('webhookEndpoint', one.id),
    withoutQuery(one.url),
    one.eventPattern,
    stateOf(one),
  ]),
];

export const withoutQuery = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** Pairs of a name and a value. */
export function describeEndpoint(endpoint: WebhookEndpoint): string[][] {
  const { description, headerNames, maxPerSecond, previousSecretExpiresAt: previous } = endpoint;
  const facts: [string, string | null][] = [
    ['endpoint', toTypeId('webhookEndpoint', endpoint.id)],
    ['job', toTypeId('job', endpoint.id)],
    ['url', endpoint.url],
    ['description', description === '' ? null : description],
    ['status', stateOf(endpoint)],
    ['events', `${endpoint.eventPattern}${endpoint.sendTestEvents ? ', also of a test tenant' : ''}`],
    ['body', endpoint.payload === 'full' ? 'the whole event' : 'the event without its data'],
    ['headers', headerNames.length === 0 ? null : headerNames.join(', ')],
    ['plain signature', endpoint.plainSignature ? 'yes' : null],
    ['order', endpoint.ordered ? 'one after the other for each resource' : null],
    ['retry', endpoint.retry],
    ['per second', maxPerSecond === null ? null : `at most ${grouped(maxPerSecond)}`],
    ['signed by two secrets until', instant(previous)],
    ['last success', instant(endpoint.lastSuccessAt) ?? 'none'],
    ['failing since', instant(endpoint.failingSince)],
    ['created', `${endpoint.createdAt.toISOString()} by ${shownActor(endpoint.createdBy)}`],
    ['updated', endpoint.updatedAt.toISOString()],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/** A table with its heading. */
export const deliveryRows = (deliveries: readonly Delivery[], ofAll: boolean): string[][] => [
  ['id', ...(ofAll ? ['endpoint'] : []), 'status', 'attempts', 'answer', 'event', 'ended or due', ''],
  ...deliveries.map((one) => [
    toTypeId('execution', one.id),
    ...(ofAll ? [toTypeId('webhookEndpoint', one.endpointId)] : []),
    one.sent === false ? 'not sent' : one.status,
    String(one.attemptNumber),
    one.responseStatus === null ? '' : String(one.responseStatus),
    toTypeId('event', one.eventId),
    instant(one.completedAt ?? one.nextRetryAt) ?? '',
    one.code ?? '',
  ]),
];

export function describeDelivery(delivery: Delivery): string[][] {
  const { code, error } = delivery;
  const facts: [string, string | null][] = [
    ['delivery', toTypeId('execution', delivery.id)],
    ['endpoint', toTypeId('webhookEndpoint', delivery.endpointId)],
    ['event', `${toTypeId('event', delivery.eventId)}, seq ${delivery.seq}`],
    ['status', delivery.sent === false ? `${delivery.status}, not sent: an event of a test tenant` : delivery.status],
    ['attempts', String(delivery.attemptNumber)],
    ['created', instant(delivery.createdAt)],
    ['ended', instant(delivery.completedAt)],
    ['next attempt at', instant(delivery.nextRetryAt)],
    ['last cause', code === null ? null : `${code}: ${error ?? ''}`],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/** One line for each attempt: "attempt 1  2026-11-15T09:30:00.000Z  120 ms  503  DELIVERY_REFUSED: …". */
export const describeAttempts = (attempts: readonly DeliveryAttempt[]): string[][] =>
  attempts.map((attempt) => [
    `attempt ${attempt.number}`,
    attempt.startedAt.toISOString(),
    attempt.timing === null ? '' : `${grouped(Math.round(attempt.timing.totalMs))} ms`,
    String(attempt.response?.status ?? attempt.failure ?? ''),
    attempt.status === 'running'
      ? 'is running'
      : attempt.code === null
        ? ''
        : `${attempt.code}: ${attempt.error ?? ''}`,
  ]);

/** The fields and names of the library. */
export function endpointDocument({ tenantId: _tenantId, ...endpoint }: WebhookEndpoint): object {
  return {
    ...endpoint,
    id: toTypeId('webhookEndpoint', endpoint.id),
    jobId: toTypeId('job', endpoint.id),
    createdBy: shownActor(endpoint.createdBy),
  };
}

export function deliveryDocument({ tenantId: _tenantId, seq, ...delivery }: Delivery): object {
  return {
    ...(showIds(delivery) as object),
    id: toTypeId('execution', delivery.id),
    endpointId: toTypeId('webhookEndpoint', delivery.endpointId),
    seq: Number(seq),
  };
}

export const attemptsDocument = ({ attempts, ...delivery }: DeliveryWithAttempts): object => ({
  ...deliveryDocument(delivery),
  attempts: attempts.map((attempt) => ({ ...attempt, id: toTypeId('invocation', attempt.id) })),
});
