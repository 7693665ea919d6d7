// One request of a delivery, and what is recorded about it: neither secrets nor signatures, and no value of a custom header.
import { createHash } from 'node:crypto';
import type { Outbound } from '../outbound/index.ts';
import { OutboundFailure } from '../outbound/index.ts';
import type { DeliveryTiming } from './delivery.ts';
import { shownUrl } from './endpoint.ts';
import { signBody, signWebhook } from './signature.ts';

export interface DeliveryOrder {
  readonly url: string;
  /** The name of the pool of connections. */
  readonly pool: string;
  readonly webhookId: string;
  readonly body: string;
  /** The current secret first. */
  readonly secrets: readonly [string, ...string[]];
  readonly headers: Readonly<Record<string, string>>;
  readonly plainSignature: boolean;
  readonly sentAt: Date;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SentRequest {
  /** Without its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly bytes: number;
  readonly digest: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly truncated: boolean;
  readonly timing: DeliveryTiming;
}

export type Exchanged =
  | { readonly answer: Answer; readonly failure?: never }
  | { readonly answer?: never; readonly failure: OutboundFailure };

/** Beyond this the rest of a response is not read, and its connection not used again. */
const MOST_READ = 64 * 1024;
const MOST_KEPT = 4 * 1024;
const MOST_HEADERS_KEPT = 2 * 1024;
/** Responses can set cookies, which are credentials. */
const NOT_KEPT = new Set(['set-cookie', 'authorization', 'proxy-authenticate', 'www-authenticate']);
export const PLAIN_SIGNATURE = 'x-usance-signature';

export function requestOf({ url, webhookId, body, headers, plainSignature, sentAt }: DeliveryOrder): SentRequest {
  const bytes = Buffer.byteLength(body);
  return {
    url: shownUrl(url),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'usance',
      'webhook-id': webhookId,
      'webhook-timestamp': Math.floor(sentAt.getTime() / 1_000).toString(),
      'webhook-signature': null,
      ...(plainSignature ? { [PLAIN_SIGNATURE]: null } : {}),
      ...Object.fromEntries(Object.keys(headers).map((name) => [name, null])),
    },
    bytes,
    digest: createHash('sha256').update(body).digest(),
  };
}

export async function send(outbound: Pick<Outbound, 'request'>, order: DeliveryOrder): Promise<Exchanged> {
  const { url, pool, webhookId, body, secrets, headers, plainSignature, sentAt, timeoutMs, signal } = order;
  try {
    const response = await outbound.request({
      url,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'usance',
        ...signWebhook({ id: webhookId, sentAt, body, secrets }),
        ...(plainSignature ? { [PLAIN_SIGNATURE]: signBody(secrets[0], body) } : {}),
      },
      body,
      timeoutMs,
      maxResponseBytes: MOST_READ,
      signal,
      pool,
    });
    const kept = response.body.subarray(0, MOST_KEPT);
    return {
      answer: {
        status: response.status,
        headers: keptHeaders(response.headers),
        // PostgreSQL stores no NUL.
        body: kept.toString('utf8').replaceAll('\0', '\u{FFFD}'),
        truncated: response.truncated || kept.length < response.body.length,
        timing: response.timing,
      },
    };
  } catch (error) {
    if (error instanceof OutboundFailure) return { failure: error };
    throw error;
  }
}

/** The first of them, up to a bound; `retry-after` before all others, because the next attempt obeys it. */
function keptHeaders(given: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  let length = 0;
  for (const [name, value] of Object.entries({ 'retry-after': given['retry-after'], ...given })) {
    if (value === undefined || NOT_KEPT.has(name)) continue;
    const text = (typeof value === 'string' ? value : value.join(', ')).replaceAll(/[^\t -~]/g, '?');
    length += name.length + text.length;
    if (length > MOST_HEADERS_KEPT) break;
    kept[name] = text;
  }
  return kept;
}
