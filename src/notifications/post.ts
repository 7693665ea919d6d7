// Posts a message, and says of a response whether it was accepted, and whether another attempt makes sense.
import { InvocationFailure } from '../jobs/index.ts';
import type { Outbound, OutboundResponse } from '../outbound/index.ts';
import { OutboundFailure } from '../outbound/index.ts';
import { REQUEST_MS } from './channel.ts';

const MAX_RESPONSE_BYTES = 4_096;
const PERMANENT: ReadonlySet<string> = new Set(['BLOCKED_URL', 'BLOCKED_ADDRESS']);
const TRY_LATER: ReadonlySet<number> = new Set([408, 425, 429]);

export interface Post {
  readonly url: string;
  readonly host: string;
  readonly body: string;
  /** The same for every attempt: a receiver can recognise a message that arrives twice. */
  readonly messageId: string;
  readonly pool: string;
  readonly signal: AbortSignal;
}

/** Throws an InvocationFailure if the message was not accepted. Its text has the host and no more of the URL. */
export async function post(outbound: Outbound, { url, host, body, messageId, pool, signal }: Post): Promise<number> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': messageId };
  const order = { url, method: 'POST', headers, body, timeoutMs: REQUEST_MS, maxResponseBytes: MAX_RESPONSE_BYTES };
  let response: OutboundResponse;
  try {
    response = await outbound.request({ ...order, method: 'POST', pool, signal });
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    throw new InvocationFailure('NOTIFICATION_FAILED', error.message, { permanent: PERMANENT.has(error.code) });
  }
  const { status } = response;
  if (status >= 200 && status < 300) return status;
  const canTryAgain = status >= 500 || TRY_LATER.has(status);
  throw new InvocationFailure('NOTIFICATION_FAILED', `${host} answered ${status}`, {
    permanent: !canTryAgain,
    retryAfterMs: canTryAgain ? retryAfterMs(response.headers['retry-after'], Date.now()) : undefined,
  });
}

/** Seconds, with a fraction as Discord sends them, or a date (RFC 9110). */
export function retryAfterMs(header: string | readonly string[] | undefined, nowMs: number): number | undefined {
  const value = typeof header === 'string' ? header.trim() : '';
  if (/^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) || /^[0-9.-]+$/.test(value) ? undefined : Math.max(0, at - nowMs);
}
