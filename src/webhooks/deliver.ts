// The built-in processor `webhook-delivery`.
//
//   the endpoint was deleted since the claim       fails for good: nothing can be sent again
//   it was disabled since the claim                given back: the attempt does not count, and waits until it is enabled
//   it answered 410 meanwhile                      given back, and the endpoint is set aside in this worker for a second: it will be disabled
//   its key is not here                            given back, and the endpoint is set aside in this worker for half a minute
//   an event of a test tenant                      completes without being sent, unless the endpoint asks for it
//   otherwise                                      signed with the secrets of this moment, sent, and judged by the response
//
// A worker without an encryption key has no such processor: deliveries wait for one that has it.
import type { Sql } from '../db/index.ts';
import type { ClaimedExecution, InvocationContext, RunnableProcessor } from '../jobs/index.ts';
import { Circuit, InvocationFailure, InvocationGivenBack, SetAside } from '../jobs/index.ts';
import { toTypeId } from '../kernel/index.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow } from '../secrets/index.ts';
import { HEADERS, PREVIOUS_SECRET, SECRET, SEND_TIMEOUT_MS } from './endpoint.ts';
import { endpointReader } from './endpoint-reader.ts';
import { judgeStatus } from './judge.ts';
import { bodyOf } from './payload.ts';
import type { AttemptRecord } from './record.ts';
import { recordAttempts } from './record.ts';
import type { DeliveryOrder, Exchanged } from './send.ts';
import { requestOf, send } from './send.ts';
import type { SendingEndpoint } from './sending-store.ts';
import { TEST_TYPE } from './test-endpoint.ts';

export interface DeliverOptions {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly outbound: Pick<Outbound, 'request'>;
  /** Deliveries that the worker sends at the same time. */
  readonly concurrency: number;
  /** How long one attempt may take; default ten seconds. */
  readonly timeoutMs?: number | undefined;
  readonly onNotice?: ((line: string) => void) | undefined;
}

/** Deliveries of one endpoint that a worker sends at the same time: a fifth of all, and no more than an endpoint has connections. */
const shareOf = (concurrency: number): number => Math.min(20, Math.max(1, Math.ceil(concurrency / 5)));

export function deliveryProcessor(options: DeliverOptions): RunnableProcessor {
  const { sql, secrets, outbound, concurrency, timeoutMs = SEND_TIMEOUT_MS, onNotice } = options;
  const circuit = new Circuit({ concurrency, share: shareOf(concurrency) });
  const aside = new SetAside({ nameOf: (id) => `deliveries to ${toTypeId('webhookEndpoint', id)}`, onNotice });
  const readEndpoint = endpointReader(sql);

  const decrypt = (endpoint: SendingEndpoint): Pick<DeliveryOrder, 'secrets' | 'headers'> => {
    const { secret, previousSecret, headers } = endpoint;
    const before = previousSecret && secrets.decrypt(previousSecret, aboutRow(PREVIOUS_SECRET, endpoint)).toString();
    if (secret === null) return aside.giveBack(endpoint.id, 'its secret was given up with a lost key; rotate it');
    const current = secrets.decrypt(secret, aboutRow(SECRET, endpoint)).toString();
    const custom = headers && secrets.decrypt(headers, aboutRow(HEADERS, endpoint)).toString();
    return {
      secrets: before === null ? [current] : [current, before],
      headers: custom === null ? {} : headersFor(endpoint.url, custom),
    };
  };

  const deliver = async (
    event: unknown,
    { signal }: InvocationContext,
    claimed: ClaimedExecution,
    attach: (record: AttemptRecord) => void,
  ): Promise<unknown> => {
    const { tenantId, jobId: id } = claimed;
    const endpoint = await readEndpoint({ tenantId, id });
    if (!endpoint) throw new InvocationFailure('ENDPOINT_DELETED', 'the endpoint was deleted', { permanent: true });
    if (!endpoint.enabled) throw new InvocationGivenBack('the endpoint is disabled', false);
    if (endpoint.isGone) return aside.giveBackForAMoment(id, 'the endpoint is gone');
    if (claimed.clockId !== null && !endpoint.sendTestEvents && typeOf(event) !== TEST_TYPE) {
      attach({ endpointId: id, request: null, answer: null, failure: null, judged: 'not_sent' });
      return { sent: false };
    }
    const order: DeliveryOrder = {
      ...aside.decrypted(id, () => decrypt(endpoint)),
      url: endpoint.url,
      pool: id,
      webhookId: toTypeId('event', claimed.eventId),
      body: bodyOf(event, endpoint.payload),
      plainSignature: endpoint.plainSignature,
      sentAt: new Date(),
      timeoutMs,
      signal,
    };
    // Recorded already before it is sent: an attempt that is aborted says what it sent.
    const request = requestOf(order);
    attach({ endpointId: id, request, answer: null, failure: 'ABORTED', judged: 'aborted' });
    return conclude({ endpointId: id, request }, await send(outbound, order), attach);
  };

  return {
    name: 'webhook-delivery',
    description: 'Delivers events to webhook endpoints.',
    builtIn: true,
    concurrencyPerJob: (jobId) => (aside.has(jobId) ? 0 : circuit.limitOf(jobId)),
    chooseJobs: (jobs) => circuit.choose(jobs),
    reserveJob: (job) => circuit.reserve(job),
    run: (event, _execution, context, claimed) =>
      circuit.run(claimed, context, (attach) => deliver(event, context, claimed, attach)),
    record: recordAttempts,
  };
}

/** The stored headers, if they are for the origin of this URL: a URL that was written into the row by itself gets none. */
function headersFor(url: string, stored: string): Readonly<Record<string, string>> {
  const { origin, headers } = JSON.parse(stored) as { origin: string; headers: Record<string, string> };
  return origin === new URL(url).origin ? headers : {};
}

const typeOf = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'type' in event ? event.type : null;

/** Throws if the delivery failed. */
function conclude(
  sent: Pick<AttemptRecord, 'endpointId' | 'request'>,
  { answer, failure }: Exchanged,
  attach: (record: AttemptRecord) => void,
): unknown {
  if (failure) {
    const judged = failure.code === 'ABORTED' ? 'aborted' : 'failure';
    attach({ ...sent, answer: null, failure: failure.code, judged });
    throw new InvocationFailure('DELIVERY_UNANSWERED', failure.message);
  }
  const judged = judgeStatus(answer.status, answer.headers['retry-after'] ?? null, new Date());
  const what = judged.ok ? 'success' : judged.code === 'ENDPOINT_GONE' ? 'gone' : 'failure';
  attach({ ...sent, answer, failure: null, judged: what });
  if (judged.ok) return { status: answer.status };
  throw new InvocationFailure(judged.code, judged.error, judged.hints);
}
