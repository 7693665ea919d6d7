// The built-in processor `notification`.
//
//   the channel was deleted since the claim        fails for good: there is nothing to send with
//   it was disabled since the claim                given back: the attempt does not count, and waits until it is enabled
//   its key is not here                            given back, and the channel rests in this worker
//   an event about its own execution               completes without being sent: a broken channel would be told that it is
//   an event of a test tenant                      completes without being sent, unless the channel asks for it
//   otherwise                                      takes a turn of the channel (turn.ts): is sent, waits, or is left to a summary
//
// A worker without an encryption key claims none of them.
import type { Database } from '../db/index.ts';
import type { SequencedEvent } from '../events/index.ts';
import { InvocationFailure, InvocationGivenBack } from '../jobs/index.ts';
import type { ClaimedExecution, InvocationContext, RecordedEnd, RunnableProcessor } from '../jobs/index.ts';
import { Refusal, describeError, toTypeId } from '../kernel/index.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow } from '../secrets/index.ts';
import { findTenant } from '../tenants/index.ts';
import { Circuit } from '../webhooks/index.ts';
import { bodyOf } from './bodies.ts';
import { PROCESSOR, SIGNING_SECRET, TARGET, TESTED } from './channel.ts';
import type { StoredChannel } from './channel-store.ts';
import { findChannel } from './channel-store.ts';
import type { Message } from './message.ts';
import { messageOf } from './message.ts';
import type { Post } from './post.ts';
import { PostFailure, post } from './post.ts';
import type { PostRecord } from './record.ts';
import { recordPosts } from './record.ts';
import type { Counts } from './turn-store.ts';
import { takeTurn } from './turn-store.ts';

export interface NotificationOptions {
  readonly db: Database;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly secrets: Secrets;
  /** The public URL of the dashboard, for links. Null: messages have none. */
  readonly dashboardUrl: string | null;
  /** Messages that the worker sends at the same time. */
  readonly concurrency: number;
  readonly onNotice?: ((line: string) => void) | undefined;
}

interface Notified {
  readonly sent: boolean;
  readonly summarized?: boolean;
  readonly status?: number;
  readonly summary?: Message['counts'];
}

/** Messages of one channel that a worker posts at the same time: they take turns in any case. */
const SHARE = 4;

export function notificationProcessor(options: NotificationOptions): RunnableProcessor {
  const { db, outbound, secrets, dashboardUrl, concurrency, onNotice } = options;
  const circuit = new Circuit({ concurrency, share: SHARE });
  const unreadable = new Set<string>();

  /** Null, after a notice, where this process does not have the key. */
  const decrypted = (channel: StoredChannel): Pick<Post, 'url' | 'secret'> | null => {
    try {
      const { secret } = channel;
      return {
        url: secrets.decrypt(channel.target, aboutRow(TARGET, channel)).toString(),
        secret: secret && secrets.decrypt(secret, aboutRow(SIGNING_SECRET, channel)).toString(),
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      circuit.setAside(channel.id);
      if (!unreadable.has(channel.id)) {
        unreadable.add(channel.id);
        onNotice?.(`messages of ${toTypeId('notificationChannel', channel.id)} wait: ${describeError(error)}`);
      }
      return null;
    }
  };

  const notify = async (
    event: SequencedEvent,
    context: InvocationContext,
    { tenantId, jobId: channelId, executionId, clockId }: ClaimedExecution,
  ): Promise<Notified> => {
    const channel = await findChannel(db, tenantId, channelId);
    if (!channel) throw new InvocationFailure('CHANNEL_DELETED', 'the channel was deleted', { permanent: true });
    if (!channel.enabled) throw new InvocationGivenBack('the channel is disabled', false);
    const isTest = event.type === TESTED;
    if (event.type === 'execution.failed' && event.data['jobId'] === channelId) return { sent: false };
    if (clockId !== null && !channel.sendTestEvents && !isTest) return { sent: false };
    const hidden = decrypted(channel);
    if (!hidden) throw new InvocationGivenBack('the key of its channel is not here', false);
    let counts: Counts | null = null;
    if (!isTest) {
      const key = { tenantId, channelId, executionId, eventType: event.type };
      const taken = await db.transaction((tx) => takeTurn(tx, key));
      if (!taken) throw new InvocationFailure('CHANNEL_DELETED', 'the channel was deleted', { permanent: true });
      const { turn } = taken;
      if (turn.kind === 'queued') return { sent: false, summarized: true };
      if (turn.kind === 'wait')
        throw new InvocationFailure('NOTIFICATION_DEFERRED', 'the channel has sent its messages of this minute', {
          retryAfterMs: turn.forMs,
        });
      if (turn.kind === 'summary') ({ counts } = taken);
    }
    const tenant = await findTenant(db, tenantId);
    const message = messageOf(event, counts, {
      tenant: { name: tenant?.name ?? '', isTest: tenant?.kind === 'test' },
      dashboardUrl,
    });
    const sends = { isSummary: counts !== null };
    context.attach({ ...sends, judged: 'aborted' } satisfies PostRecord);
    try {
      const status = await post(outbound, {
        ...hidden,
        kind: channel.kind,
        host: channel.targetHost,
        body: bodyOf(channel.kind, message),
        messageId: toTypeId('execution', executionId),
        pool: channelId,
        signal: context.signal,
      });
      context.attach({ ...sends, judged: 'success' } satisfies PostRecord);
      return { sent: true, status, ...(counts ? { summary: message.counts } : {}) };
    } catch (error) {
      if (error instanceof PostFailure) context.attach({ ...sends, judged: error.judged } satisfies PostRecord);
      throw error;
    }
  };

  return {
    name: PROCESSOR,
    description: 'Posts messages about events to notification channels.',
    builtIn: true,
    isReady: () => secrets.isEnabled,
    concurrencyPerJob: (jobId) => circuit.limitOf(jobId),
    async run(event, _execution, context, claimed) {
      const { jobId } = claimed;
      circuit.began(jobId);
      let outcome: 'success' | 'failure' | 'none' = 'none';
      try {
        const result = await notify(event as SequencedEvent, context, claimed);
        if (result.sent) outcome = 'success';
        return result;
      } catch (error) {
        if (error instanceof PostFailure) outcome = 'failure';
        throw error;
      } finally {
        circuit.ended(jobId, outcome);
      }
    },
    record: (tx, ends: readonly RecordedEnd[]) => recordPosts(tx, ends),
  };
}
