// The built-in processor `webhook-delivery`.
//
//   the endpoint was deleted since the claim       fails for good: nothing can be sent again
//   it was disabled since the claim                given back: the attempt does not count, and waits until it is enabled
//   its key is not here                            given back, and the endpoint rests in this worker
//   an event of a test tenant                      completes without being sent, unless the endpoint asks for it
//   otherwise                                      signed with the secrets of this moment, sent, and judged by the response
//
// A worker without an encryption key has no such processor: deliveries wait for one that has it.
import type { Sql } from '../db/index.ts';
import type { ClaimedExecution, InvocationContext, RunnableProcessor } from '../jobs/index.ts';
import { InvocationFailure, InvocationGivenBack } from '../jobs/index.ts';
import { Refusal, describeError, toTypeId } from '../kernel/index.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow } from '../secrets/index.ts';
import { Circuit } from './circuit.ts';
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
  const readEndpoint = endpointReader(sql);
  const unreadable = new Set<string>();

  /** Null, after a notice, where this process does not have the key. */
  const decrypted = (endpoint: SendingEndpoint): Pick<DeliveryOrder, 'secrets' | 'headers'> | null => {
    try {
      const { secret, previousSecret, headers } = endpoint;
      const before = previousSecret && secrets.decrypt(previousSecret, aboutRow(PREVIOUS_SECRET, endpoint)).toString();
      const current = secrets.decrypt(secret, aboutRow(SECRET, endpoint)).toString();
      const custom = headers === null ? '{}' : secrets.decrypt(headers, aboutRow(HEADERS, endpoint)).toString();
      return {
        secrets: before === null ? [current] : [current, before],
        headers: JSON.parse(custom) as Record<string, string>,
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      circuit.setAside(endpoint.id);
      if (!unreadable.has(endpoint.id)) {
        unreadable.add(endpoint.id);
        onNotice?.(`deliveries to ${toTypeId('webhookEndpoint', endpoint.id)} wait: ${describeError(error)}`);
      }
      return null;
    }
  };

  const deliver = async (event: unknown, context: InvocationContext, claimed: ClaimedExecution): Promise<unknown> => {
    const { tenantId, jobId: id } = claimed;
    const endpoint = await readEndpoint({ tenantId, id });
    if (!endpoint) throw new InvocationFailure('ENDPOINT_DELETED', 'the endpoint was deleted', { permanent: true });
    if (!endpoint.enabled) throw new InvocationGivenBack('the endpoint is disabled', false);
    if (claimed.clockId !== null && !endpoint.sendTestEvents && typeOf(event) !== TEST_TYPE) {
      context.attach({
        endpointId: id,
        request: null,
        answer: null,
        failure: null,
        judged: 'not_sent',
      } satisfies AttemptRecord);
      return { sent: false };
    }
    const hidden = decrypted(endpoint);
    if (!hidden) throw new InvocationGivenBack('the key of its endpoint is not here', false);
    const order: DeliveryOrder = {
      ...hidden,
      url: endpoint.url,
      pool: id,
      webhookId: toTypeId('event', claimed.eventId),
      body: bodyOf(event, endpoint.payload),
      plainSignature: endpoint.plainSignature,
      sentAt: new Date(),
      timeoutMs,
      signal: context.signal,
    };
    return conclude(id, order, context, await sent(id, order, context));
  };

  /** Recorded already before it is sent: an attempt that is aborted says what it sent. */
  const sent = async (id: string, order: DeliveryOrder, context: InvocationContext): Promise<Exchanged> => {
    context.attach({
      endpointId: id,
      request: requestOf(order),
      answer: null,
      failure: 'ABORTED',
      judged: 'aborted',
    } satisfies AttemptRecord);
    return send(outbound, order);
  };

  return {
    name: 'webhook-delivery',
    description: 'Delivers events to webhook endpoints.',
    builtIn: true,
    concurrencyPerJob: (jobId) => circuit.limitOf(jobId),
    async run(event, _execution, context, claimed) {
      const { jobId } = claimed;
      circuit.began(jobId);
      let outcome: 'success' | 'failure' | 'none' = 'none';
      try {
        const result = await deliver(event, context, claimed);
        outcome = 'success';
        return result;
      } catch (error) {
        if (error instanceof InvocationFailure && error.failure !== 'ENDPOINT_DELETED') outcome = 'failure';
        throw error;
      } finally {
        circuit.ended(jobId, outcome);
      }
    },
    record: recordAttempts,
  };
}

const typeOf = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'type' in event ? event.type : null;

/** Throws if the delivery failed. */
function conclude(
  id: string,
  order: DeliveryOrder,
  context: InvocationContext,
  { answer, failure }: Exchanged,
): unknown {
  const request = requestOf(order);
  if (failure) {
    const judged = failure.code === 'ABORTED' ? 'aborted' : 'failure';
    context.attach({ endpointId: id, request, answer: null, failure: failure.code, judged } satisfies AttemptRecord);
    throw new InvocationFailure('DELIVERY_UNANSWERED', failure.message);
  }
  const judged = judgeStatus(answer.status, answer.headers['retry-after'] ?? null, new Date());
  const what = judged.ok ? 'success' : judged.code === 'ENDPOINT_GONE' ? 'gone' : 'failure';
  context.attach({ endpointId: id, request, answer, failure: null, judged: what } satisfies AttemptRecord);
  if (judged.ok) return { status: answer.status };
  throw new InvocationFailure(judged.code, judged.error, judged.hints);
}
