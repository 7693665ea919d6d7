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
  /** The first line of the body of a response that is not 2xx; empty: it has none. */
  readonly says: string;
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
    const tookMs = took();
    const says = response.ok ? '' : await firstLine(response.body);
    // Frees the connection.
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, failure: null, says, tookMs };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return {
      status: null,
      failure: isLate ? `no answer within ${TIMEOUT_MS / 1_000} s` : reasonOf(error),
      says: '',
      tookMs: took(),
    };
  }
}

/** Bytes of a body that are read, and characters of its first line that are printed. */
const MOST_READ = 4_096;
const MOST_PRINTED = 200;

/** Why a receiver refused, in its own words. A body that breaks off, or does not end in time, counts as far as it came. */
async function firstLine(body: Response['body']): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let [text, read] = ['', 0];
  const line = (): string | undefined => /^\s*(\S.*)[\r\n]/.exec(text)?.[1];
  try {
    while (read < MOST_READ && line() === undefined) {
      const { done, value } = await reader.read();
      if (done) break;
      read += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status is known, and is what counts.
  } finally {
    reader.releaseLock();
  }
  const whole = (line() ?? text).trim();
  return whole.length <= MOST_PRINTED ? whole : `${whole.slice(0, MOST_PRINTED)}…`;
}

export const isDelivered = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300;

export function answerText(answer: Answer): string {
  const { status, failure, says, tookMs } = answer;
  const paint = isDelivered(answer) ? green : yellow;
  return `${paint(status === null ? (failure ?? 'no answer') : String(status))}  ${tookMs} ms${says === '' ? '' : `  ${says}`}`;
}
