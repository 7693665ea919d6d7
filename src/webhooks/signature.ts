// Signatures of webhooks as Standard Webhooks defines them: HMAC-SHA256 over `<id>.<timestamp>.<body>`, in the headers webhook-id,
// webhook-timestamp and webhook-signature. A receiver verifies with `verifyWebhook` of usance/client, or with any library for Standard
// Webhooks. While a secret is rotated the header has a signature for each secret, and a receiver accepts any of them.
import { createHmac, randomBytes } from 'node:crypto';
import { BrokenInvariant } from '../kernel/index.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const MOST_BYTES = 64;

/** A new secret of an endpoint: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Whether a text is a secret that a caller may bring along: `whsec_` and the base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const [, encoded] = SECRET.exec(text) ?? [];
  return encoded !== undefined && Buffer.from(encoded, 'base64').length <= MOST_BYTES;
}

export interface WebhookToSign {
  /** The same for every attempt: receivers deduplicate by it. It has no dot in it, and neither has a TypeID. */
  readonly id: string;
  /** The instant of this attempt, in real time. */
  readonly sentAt: Date;
  /** Exactly the bytes that are sent. */
  readonly body: string | Buffer;
  /** The current secret first; during a rotation the one before it too. */
  readonly secrets: readonly string[];
}

export interface WebhookSignature {
  readonly 'webhook-id': string;
  /** Whole seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** `v1,<base64>` for each secret, separated by spaces. */
  readonly 'webhook-signature': string;
}

export function signWebhook({ id, sentAt, body, secrets }: WebhookToSign): WebhookSignature {
  const timestamp = Math.floor(sentAt.getTime() / 1_000).toString();
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secretBytes(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/**
 * The hexadecimal HMAC-SHA256 of the body, for receivers that verify only that. The key is the text of the secret, `whsec_` included:
 * such receivers pass it to their HMAC as it is.
 */
export function signBody(secret: string, body: string | Buffer): string {
  secretBytes(secret);
  return createHmac('sha256', secret).update(body).digest('hex');
}

function secretBytes(secret: string): Buffer {
  // The secret stays out of the message.
  if (!isWebhookSecret(secret)) throw new BrokenInvariant('expected the secret of a webhook endpoint to be whsec_…');
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
