// A webhook endpoint: a URL of a tenant's that gets the events of a pattern. Its job, with the same UUID, has the pattern, the order, the rate
// and the retry policy; the rest is in `webhook_endpoints`.
import type { Uuid, WebhookRetryPreset } from '../kernel/index.ts';
import { WEBHOOK_RETRY_PRESETS } from '../kernel/index.ts';
import type { EncryptedColumn } from '../secrets/index.ts';

export const PAYLOADS = ['full', 'thin'] as const;
/** The body of a delivery: the whole event as the API shows it, or the event without its data. */
export type Payload = (typeof PAYLOADS)[number];

export const ENDPOINT_RETRIES = Object.keys(WEBHOOK_RETRY_PRESETS) as WebhookRetryPreset[];

export const DISABLED_REASONS = ['caller', 'gone', 'failing'] as const;
/** `gone`: it answered 410. `failing`: its failures span five days without a success, a day after the warning. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Endpoints of a tenant at most. */
export const MOST_ENDPOINTS = 500;
export const MOST_HEADERS = 20;
/** How long one attempt may take. */
export const SEND_TIMEOUT_MS = 10_000;
/** The time limit of the job is behind that of the request, so that the request says why it ended. */
export const JOB_TIMEOUT_MS = 15_000;
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const DEFAULT_GRACE_MS = DAY_MS;
export const LONGEST_GRACE_MS = 7 * DAY_MS;
/** An endpoint whose failures without a success span so long is warned about, and then disabled. */
export const WARNED_AFTER_MS = 4 * DAY_MS;
export const DISABLED_AFTER_MS = 5 * DAY_MS;

export interface WebhookEndpoint {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly url: string;
  /** A pattern, or several of them, separated by commas. */
  readonly eventPattern: string;
  readonly description: string;
  readonly payload: Payload;
  /** Names of the custom headers. Their values are not shown. */
  readonly headerNames: readonly string[];
  /** Whether the hexadecimal HMAC-SHA256 of the body is sent too. */
  readonly plainSignature: boolean;
  /** Deliveries about one resource are sent one after the other. */
  readonly ordered: boolean;
  readonly retry: WebhookRetryPreset;
  /** Deliveries that start in one second at most; null: no limit. */
  readonly maxPerSecond: number | null;
  /** Events of a test tenant are sent too. */
  readonly sendTestEvents: boolean;
  readonly enabled: boolean;
  /** Null while it is enabled. */
  readonly disabledReason: DisabledReason | null;
  /** Until then deliveries are signed with the previous secret too; null if there is none. */
  readonly previousSecretExpiresAt: Date | null;
  /** By the server's clock, to the minute. */
  readonly lastSuccessAt: Date | null;
  /** The first failed attempt since the last success; null while it succeeds. */
  readonly failingSince: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookEndpointParams {
  readonly url: string;
  readonly eventPattern: string;
  /** Default: empty. */
  readonly description?: string;
  /** Default `full`. */
  readonly payload?: Payload;
  /** Custom headers of every delivery, by name. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Default false. */
  readonly plainSignature?: boolean;
  /** Default false. */
  readonly ordered?: boolean;
  /** Default `webhook`: the schedule of Standard Webhooks, 10 attempts in three days. `webhook-quick`: 5 attempts, 5 seconds apart. */
  readonly retry?: WebhookRetryPreset;
  /** Default null: no limit. */
  readonly maxPerSecond?: number | null;
  /** Default false. */
  readonly sendTestEvents?: boolean;
  /** Default true. */
  readonly enabled?: boolean;
  /** A secret of your own: `whsec_` and the base64 of 24 to 64 bytes. Default: a new one. */
  readonly secret?: string;
}

export type WebhookEndpointChanges = Partial<Omit<WebhookEndpointParams, 'secret'>>;

/** The secret is shown this once. */
export interface WebhookEndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

const column = (name: string, nouns: string): EncryptedColumn => ({
  table: 'webhook_endpoints',
  column: name,
  keyColumn: `${name}_key`,
  keyIsGenerated: true,
  purpose: `webhook_endpoint.${name}`,
  nouns,
});

export const SECRET = column('secret', 'secrets of webhook endpoints');
export const PREVIOUS_SECRET = column('previous_secret', 'previous secrets of webhook endpoints');
export const HEADERS = column('headers', 'headers of webhook endpoints');
export const ENCRYPTED_WEBHOOKS: readonly EncryptedColumn[] = [SECRET, PREVIOUS_SECRET, HEADERS];

/** The URL without its query and fragment, for events, logs and people: queries often have a token. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
