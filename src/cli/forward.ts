// One event to a receiver on a developer's machine, with the headers and the body of a webhook.
import { fetchForOperator, signWebhook } from '../engine.ts';
import { isThisMachine, readUrl, reasonOf } from './remote.ts';
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

/** An event names payers and amounts: it leaves this machine only if the caller says so. */
export function readForwardUrl(text: string, anyHost: boolean): URL {
  const url = readUrl('--forward', text, 'http://localhost:3000/hook');
  if (!anyHost && !isThisMachine(url))
    throw new UsageError(`${url.hostname} is not this machine: add --any-host to forward events there`);
  return url;
}

/** `body` is the event as the API wrote it. */
export async function forwardEvent({ url, secret, stop }: Receiver, id: string, body: string): Promise<Answer> {
  const startedMs = performance.now();
  const took = (): number => Math.round(performance.now() - startedMs);
  try {
    const response = await fetchForOperator(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'usance',
        ...signWebhook({ id, sentAt: new Date(), body, secrets: [secret] }),
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
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return {
      status: null,
      failure: isLate ? `no answer within ${TIMEOUT_MS / 1_000} s` : reasonOf(error),
      tookMs: took(),
    };
  }
}

export const isDelivered = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300;

export function answerText(answer: Answer): string {
  const { status, failure, tookMs } = answer;
  const paint = isDelivered(answer) ? green : yellow;
  return `${paint(status === null ? (failure ?? 'no answer') : String(status))}  ${tookMs} ms`;
}
