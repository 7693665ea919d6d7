// One event to a receiver on a developer's machine, with the headers and the body of a webhook.
import { fetchForOperator, signWebhook } from '../engine.ts';
import { green, yellow } from './screen.ts';
import { UsageError } from './trouble.ts';

export interface Receiver {
  readonly url: URL;
  readonly secret: string;
  /** Ends the request that is under way. */
  readonly stop: AbortSignal;
}

export interface Answer {
  /** Null if there was no response. */
  readonly status: number | null;
  /** The code of the failure; null if there was a response. */
  readonly failure: string | null;
  readonly tookMs: number;
}

/** As long as a delivery to an endpoint may take. */
const TIMEOUT_MS = 10_000;
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost|.+\.localhost)$/;

/** An event names payers and amounts: it leaves this machine only if the caller says so. */
export function readForwardUrl(text: string, anyHost: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--forward must be a URL such as http://localhost:3000/hook');
  if (!anyHost && !LOOPBACK.test(url.hostname))
    throw new UsageError(`${url.hostname} is not this machine: add --any-host to forward events there`);
  return url;
}

export async function forwardEvent(
  { url, secret, stop }: Receiver,
  event: { readonly id: string; readonly type: string },
): Promise<Answer> {
  const body = JSON.stringify(event);
  const startedMs = performance.now();
  const took = (): number => Math.round(performance.now() - startedMs);
  try {
    const response = await fetchForOperator(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signWebhook({ id: event.id, sentAt: new Date(), body, secrets: [secret] }),
      },
      body,
      // A redirect is a failed delivery, as it is for an endpoint.
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    // Frees the connection; a receiver's body is of no use here.
    await response.body?.cancel();
    return { status: response.status, failure: null, tookMs: took() };
  } catch (error) {
    return { status: null, failure: failureOf(error), tookMs: took() };
  }
}

/** fetch keeps the reason in its cause, or in the first of several that were tried. */
function failureOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  const cause = error instanceof Error ? error.cause : null;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : 'no answer';
}

export function answerText({ status, failure, tookMs }: Answer): string {
  if (status === null) return `${yellow(failure ?? 'no answer')}  ${tookMs} ms`;
  return `${status >= 200 && status < 300 ? green(String(status)) : yellow(String(status))}  ${tookMs} ms`;
}
