// The terms of an endpoint as callers give them. Pattern, description and rate are checked as those of its job.
import type { WebhookRetryPreset } from '../kernel/index.ts';
import { oneOf, refuse } from '../kernel/index.ts';
import { isHeaderValue, isOwnHeader } from '../outbound/index.ts';
import type { Payload, WebhookEndpointChanges } from './endpoint.ts';
import { ENDPOINT_RETRIES, MOST_HEADERS, PAYLOADS } from './endpoint.ts';
import { isWebhookSecret } from './signature.ts';

/** The terms that are the endpoint's own. */
export interface EndpointTerms {
  readonly url: string;
  readonly payload: Payload;
  readonly plainSignature: boolean;
  readonly ordered: boolean;
  readonly retry: WebhookRetryPreset;
  readonly sendTestEvents: boolean;
}

export type CheckUrl = (url: string, param: string) => string;

export function parseTerms(given: Partial<EndpointTerms>, before: EndpointTerms, checkUrl: CheckUrl): EndpointTerms {
  return {
    // A stored URL is not judged again: the settings may have changed, and the request judges it in any case.
    url: given.url === undefined ? before.url : checkUrl(textOf(given.url, 'url'), 'url'),
    payload: oneOf(given.payload ?? before.payload, PAYLOADS, 'payload'),
    plainSignature: flagOf(given.plainSignature ?? before.plainSignature, 'plainSignature'),
    ordered: flagOf(given.ordered ?? before.ordered, 'ordered'),
    retry: oneOf(given.retry ?? before.retry, ENDPOINT_RETRIES, 'retry'),
    sendTestEvents: flagOf(given.sendTestEvents ?? before.sendTestEvents, 'sendTestEvents'),
  };
}

export const DEFAULT_TERMS: EndpointTerms = {
  url: '',
  payload: 'full',
  plainSignature: false,
  ordered: false,
  retry: 'webhook',
  sendTestEvents: false,
};

const textOf = (value: unknown, param: string): string =>
  typeof value === 'string' ? value : refuse('FIELD_INVALID/wrong_type', { param, expected: ['text'] });

const flagOf = (value: unknown, param: string): boolean =>
  typeof value === 'boolean' ? value : refuse('FIELD_INVALID/wrong_type', { param, expected: ['true', 'false'] });

/** Set by every delivery. */
const RESERVED = new Set([
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-type',
  'user-agent',
  'x-usance-signature',
]);
const isReserved = (name: string): boolean => RESERVED.has(name) || name.startsWith('webhook-');

/** Names in lower case; null if there are none. */
export function parseHeaders(given: WebhookEndpointChanges['headers']): Readonly<Record<string, string>> | null {
  const param = 'headers';
  if (given === undefined || given === null) return null;
  if (typeof given !== 'object' || Array.isArray(given))
    return refuse('FIELD_INVALID/wrong_type', { param, expected: ['an object', 'null'] });
  const headers = Object.entries<unknown>(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (headers.length > MOST_HEADERS) refuse('FIELD_INVALID/too_many_items', { param, max: MOST_HEADERS });
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    if (!isOwnHeader(name) || isReserved(name)) refuse('HEADER_REFUSED/name', { param, name: name.slice(0, 100) });
    if (typeof value !== 'string' || !isHeaderValue(value)) refuse('HEADER_REFUSED/value', { param, name });
    if (seen.has(name)) refuse('FIELD_INVALID/duplicate', { param, value: name });
    seen.add(name);
  }
  return headers.length === 0 ? null : (Object.fromEntries(headers) as Record<string, string>);
}

/** Random bytes of this length repeat a few values at most. */
const LEAST_DISTINCT = 12;
const looksRandom = (secret: string): boolean =>
  new Set(Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')).size >= LEAST_DISTINCT;

/** The refusal does not repeat it. */
export function parseSecret(secret: string): string {
  return typeof secret === 'string' && isWebhookSecret(secret) && looksRandom(secret)
    ? secret
    : refuse('FIELD_INVALID/webhook_secret', { param: 'secret' });
}
