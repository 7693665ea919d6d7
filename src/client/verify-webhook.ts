// Verification of webhooks, and of messages of notification channels (Standard Webhooks): HMAC-SHA256 over `<id>.<timestamp>.<body>`. Only Web
// Crypto, so that it runs in Node, in browsers and on edge runtimes. `crypto.subtle.verify` compares in constant time, and every signature is compared
// with every secret.
import { fromWire } from './case.ts';
import type { NotificationMessage } from './notification-message.ts';
import type { AnyEvent } from './own-event.ts';
import type { Event } from './schema.ts';

/** Why a webhook was rejected. */
export type WebhookVerificationReason =
  | 'headers_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_invalid'
  | 'body_invalid';

/** The webhook is not from usance, was changed on its way, or is too old. Answer with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  /** `WebhookVerificationError`. */
  override readonly name = 'WebhookVerificationError';
  /** Why the webhook was rejected. */
  readonly reason: WebhookVerificationReason;

  /** @internal */
  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The headers of a request: `Headers`, or an object such as `request.headers` of Node. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options of `verifyWebhook` and `verifyNotification`. */
export interface VerifyWebhookOptions {
  /** How far the timestamp may be from the present, before or after, in seconds. Default 300. */
  readonly toleranceSeconds?: number;
  /** The present, for tests. Default: the current time. */
  readonly now?: Date;
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
/** A rotation has two. More would let a sender choose how long a verification takes. */
const MOST_SIGNATURES = 10;

/**
 * Verifies a webhook and returns its event. `body` is the body as it was received, before any parsing. During a rotation of the secret pass
 * both secrets. Throws `WebhookVerificationError` for everything that is not a recent webhook signed with one of the secrets, and for a
 * message of a notification channel, which `verifyNotification` verifies.
 */
export async function verifyWebhook<E extends AnyEvent = Event>(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options?: VerifyWebhookOptions,
): Promise<E> {
  const { content } = await verified(body, headers, secret, options);
  if (!isNotification(content)) return content as E;
  throw new WebhookVerificationError(
    'body_invalid',
    'the body is a message of a notification channel: verify it with verifyNotification',
  );
}

/**
 * Verifies a message of a notification channel of the kind `webhook`, and returns it. `body` is the body as it was received, before any
 * parsing; `secret` is that of the channel. Throws `WebhookVerificationError` for everything that is not a recent message signed with it.
 */
export async function verifyNotification(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options?: VerifyWebhookOptions,
): Promise<NotificationMessage> {
  const { id, content } = await verified(body, headers, secret, options);
  if (isNotification(content)) return { ...content, id };
  throw new WebhookVerificationError('body_invalid', 'the body is not a message of a notification channel');
}

/** An event has its type at the top and no `event`. */
const isNotification = (content: object): content is Omit<NotificationMessage, 'id'> =>
  !('type' in content) &&
  'text' in content &&
  typeof content.text === 'string' &&
  'event' in content &&
  typeof content.event === 'object' &&
  content.event !== null;

/** The content and the id of a webhook whose signature matches. */
async function verified(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyWebhookOptions = {},
): Promise<{ readonly id: string; readonly content: object }> {
  const bytes = bytesOf(body);
  const keys = await Promise.all([secret].flat().map(importSecret));
  if (keys.length === 0) throw new TypeError('the verification needs a secret, whsec_…');
  if (!(toleranceSeconds > 0)) throw new TypeError('toleranceSeconds must be positive');
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature');
  requireRecent(timestamp, toleranceSeconds, now);
  const signatures = given
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .slice(0, MOST_SIGNATURES)
    .flatMap((one) => base64(one.slice('v1,'.length)) ?? []);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const matches = await Promise.all(
    keys.flatMap((key) => signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed))),
  );
  if (!matches.includes(true))
    throw new WebhookVerificationError('signature_invalid', 'no signature of the webhook matches the secret');
  return { id, content: contentOf(bytes) };
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  // The signature covers bytes: a body that was parsed and written again has others.
  throw new TypeError('the verification needs the body as it was received, a string or bytes, and not the parsed JSON');
}

async function importSecret(secret: unknown): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' && secret.startsWith(PREFIX) ? base64(secret.slice(PREFIX.length)) : null;
  // The secret stays out of the message.
  if (!bytes || bytes.length === 0) throw new TypeError('the secret of a webhook endpoint is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : fieldOf(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('headers_missing', `the header ${name} is missing`);
}

const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> => typeof headers['get'] === 'function';

/** Some servers keep the case that the sender wrote. A repeated header is ambiguous. */
function fieldOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string): unknown {
  const found = Object.entries(headers).filter(([key, value]) => key.toLowerCase() === name && value !== undefined);
  const values = found.flatMap(([, value]) => value);
  return values.length === 1 ? values[0] : null;
}

function requireRecent(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('timestamp_invalid', 'the header webhook-timestamp must be whole seconds');
  const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
  const apart = `${Math.round(Math.abs(ageSeconds))} s`;
  if (ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError('timestamp_too_old', `the webhook was sent ${apart} ago`);
  // Written so that an invalid date is rejected.
  if (!(-ageSeconds <= toleranceSeconds))
    throw new WebhookVerificationError('timestamp_too_new', `the webhook was sent ${apart} in the future`);
}

function contentOf(bytes: Uint8Array): object {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Reported below.
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return fromWire(parsed) as object;
  throw new WebhookVerificationError('body_invalid', 'the body of the webhook is not a JSON object');
}

/** Null where the text is not base64. */
function base64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
