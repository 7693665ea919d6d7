// Posts a message, and says of a response whether it was accepted, and whether another attempt makes sense.
import { InvocationFailure } from '../jobs/index.ts';
import type { Outbound, OutboundResponse } from '../outbound/index.ts';
import { OutboundFailure } from '../outbound/index.ts';
import { parseRetryAfter, signWebhook } from '../webhooks/index.ts';
import type { ChannelKind } from './channel.ts';
import { REQUEST_MS } from './channel.ts';

const MAX_RESPONSE_BYTES = 4_096;
const PERMANENT: ReadonlySet<string> = new Set(['BLOCKED_URL', 'BLOCKED_ADDRESS']);
const TRY_LATER: ReadonlySet<number> = new Set([408, 425, 429]);
/** The URL exists no longer: Slack and Discord answer 404 for a webhook that was deleted, Slack 410 for an archived channel. */
const GONE: Readonly<Record<ChannelKind, ReadonlySet<number>>> = {
  slack: new Set([404, 410]),
  discord: new Set([404, 410]),
  webhook: new Set([410]),
};

export interface Post {
  readonly kind: ChannelKind;
  readonly url: string;
  readonly host: string;
  readonly body: string;
  /** The same for every attempt: a receiver can recognise a message that arrives twice. */
  readonly messageId: string;
  /** Signs the message; null: the service verifies no signature. */
  readonly secret: string | null;
  readonly pool: string;
  readonly signal: AbortSignal;
}

/** A message that was not accepted. Its text has the host and no more of the URL. */
export class PostFailure extends InvocationFailure {
  /** `aborted`: the worker ended the attempt, which says nothing about the channel. */
  readonly judged: 'failure' | 'gone' | 'aborted';
  constructor(
    judged: PostFailure['judged'],
    message: string,
    hints: ConstructorParameters<typeof InvocationFailure>[2],
  ) {
    super('NOTIFICATION_FAILED', message, hints);
    this.judged = judged;
  }
}

/** Returns the status. Throws a PostFailure if the message was not accepted. */
export async function post(outbound: Pick<Outbound, 'request'>, order: Post): Promise<number> {
  const { kind, url, host, body, messageId, secret, pool, signal } = order;
  let response: OutboundResponse;
  try {
    response = await outbound.request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'usance',
        ...(secret === null ? {} : signWebhook({ id: messageId, sentAt: new Date(), body, secrets: [secret] })),
      },
      body,
      timeoutMs: REQUEST_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      pool,
      signal,
    });
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const judged = error.code === 'ABORTED' ? 'aborted' : 'failure';
    throw new PostFailure(judged, error.message, { permanent: PERMANENT.has(error.code) });
  }
  const { status } = response;
  if (status >= 200 && status < 300) return status;
  const canTryAgain = status >= 500 || TRY_LATER.has(status);
  throw new PostFailure(GONE[kind].has(status) ? 'gone' : 'failure', `${host} answered ${status}`, {
    permanent: !canTryAgain,
    retryAfterMs: canTryAgain ? retryAfterMs(response.headers['retry-after'], new Date()) : undefined,
  });
}

/** Like webhooks, and seconds with a fraction, as Discord sends them. */
export function retryAfterMs(header: string | readonly string[] | undefined, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined;
  const value = header.trim();
  return /^[0-9]{1,9}\.[0-9]{1,6}$/.test(value)
    ? Math.ceil(Number(value) * 1_000)
    : (parseRetryAfter(value, now) ?? undefined);
}
