// The built-in processor `notification`.
//
//   the channel was deleted since the claim        fails for good: there is nothing to send with
//   it was disabled since the claim                given back: the attempt does not count, and waits until it is enabled
//   its key is not here                            given back, and the channel is set aside in this worker for half a minute
//   another transaction has locked it              given back, and the channel is set aside in this worker for a second
//   an event about its own execution               completes without being sent: a broken channel would be told that it is
//   an event of a test tenant                      completes without being sent, unless the channel asks for it
//   otherwise                                      takes a turn of the channel (turn.ts): is sent, waits, or is left to a summary
//
// A worker without an encryption key claims none of them.
import type { Database } from '../db/index.ts';
import type { SequencedEvent } from '../events/index.ts';
import { Circuit, InvocationFailure, InvocationGivenBack, SetAside } from '../jobs/index.ts';
import type { ClaimedExecution, InvocationContext, RecordedEnd, RunnableProcessor } from '../jobs/index.ts';
import { describeError, toTypeId } from '../kernel/index.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow } from '../secrets/index.ts';
import { findTenant } from '../tenants/index.ts';
import { bodyOf } from './bodies.ts';
import { PROCESSOR, SIGNING_SECRET, TARGET, TESTED } from './channel.ts';
import type { StoredChannel } from './channel-store.ts';
import { findChannel } from './channel-store.ts';
import { SUMMARIZED, isAboutItself } from './gather.ts';
import { ownerOf } from './job-owner.ts';
import type { Message } from './message.ts';
import { messageOf } from './message.ts';
import type { Post } from './post.ts';
import { PostFailure, post } from './post.ts';
import type { PostRecord } from './record.ts';
import { recordPosts } from './record.ts';
import type { Counts } from './turn-store.ts';
import { turnsOf } from './take-turns.ts';

export interface NotificationOptions {
  readonly db: Database;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly secrets: Secrets;
  /** The public URL of the dashboard, for links. Null: messages have none. */
  readonly dashboardUrl: string | null;
  /** Messages that the worker sends at the same time. */
  readonly concurrency: number;
  readonly onNotice?: ((line: string) => void) | undefined;
  /** Executions ended in the turn of another one: their events are in the summary. */
  readonly onSummarized?: ((executions: number) => void) | undefined;
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
  const { db, outbound, secrets, dashboardUrl, concurrency, onNotice, onSummarized } = options;
  const circuit = new Circuit({ concurrency, share: SHARE });
  const aside = new SetAside({ nameOf: (id) => `messages of ${toTypeId('notificationChannel', id)}`, onNotice });

  const takeTurn = turnsOf(db, {
    onTrouble: (id, error) =>
      onNotice?.(`messages of ${toTypeId('notificationChannel', id)} take turns one by one: ${describeError(error)}`),
  });

  const decrypt = (channel: StoredChannel): Pick<Post, 'url' | 'secret'> => {
    const { secret, target } = channel;
    if (target === null) return aside.giveBack(channel.id, 'its URL was given up with a lost key; set it again');
    if (secret === null && channel.kind === 'webhook')
      return aside.giveBack(channel.id, 'its secret was given up with a lost key; rotate it');
    return {
      url: secrets.decrypt(target, aboutRow(TARGET, channel)).toString(),
      secret: secret && secrets.decrypt(secret, aboutRow(SIGNING_SECRET, channel)).toString(),
    };
  };

  const notify = async (
    event: SequencedEvent,
    { signal }: InvocationContext,
    { tenantId, jobId: channelId, executionId, clockId, workerId }: ClaimedExecution,
    attach: (record: PostRecord) => void,
  ): Promise<Notified> => {
    const channel = await findChannel(db, tenantId, channelId);
    if (!channel) throw new InvocationFailure('CHANNEL_DELETED', 'the channel was deleted', { permanent: true });
    if (!channel.enabled) throw new InvocationGivenBack('the channel is disabled', false);
    const isTest = event.type === TESTED;
    if (isAboutItself(event, channelId)) return { sent: false };
    if (clockId !== null && !channel.sendTestEvents && !isTest) return { sent: false };
    const hidden = aside.decrypted(channelId, () => decrypt(channel));
    let counts: Counts | null = null;
    if (!isTest) {
      const key = { tenantId, channelId, executionId, eventType: event.type };
      const taken = await takeTurn({ ...key, workerId, isLive: clockId === null });
      if (taken === 'locked') return aside.giveBackForAMoment(channelId, 'another transaction has locked the channel');
      if (taken === 'deleted')
        throw new InvocationFailure('CHANNEL_DELETED', 'the channel was deleted', { permanent: true });
      const { turn, gathered } = taken;
      if (gathered > 0) onSummarized?.(gathered);
      if (turn.kind === 'queued') return SUMMARIZED;
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
      owner: counts ? null : await ownerOf(db, event),
    });
    const sends = { isSummary: counts !== null };
    attach({ ...sends, judged: 'aborted' });
    try {
      const status = await post(outbound, {
        ...hidden,
        kind: channel.kind,
        host: channel.targetHost,
        body: bodyOf(channel.kind, message),
        messageId: toTypeId('execution', executionId),
        pool: channelId,
        signal,
      });
      attach({ ...sends, judged: 'success' });
      return { sent: true, status, ...(counts ? { summary: message.counts } : {}) };
    } catch (error) {
      if (error instanceof PostFailure) attach({ ...sends, judged: error.judged });
      throw error;
    }
  };

  return {
    name: PROCESSOR,
    description: 'Posts messages about events to notification channels.',
    builtIn: true,
    isReady: () => secrets.isEnabled,
    concurrencyPerJob: (jobId) => (aside.has(jobId) ? 0 : circuit.limitOf(jobId)),
    chooseJobs: (jobs) => circuit.choose(jobs),
    reserveJob: (job) => circuit.reserve(job),
    run: (event, _execution, context, claimed) =>
      circuit.run(claimed, context, (attach) => notify(event as SequencedEvent, context, claimed, attach)),
    record: (tx, ends: readonly RecordedEnd[]) => recordPosts(tx, ends),
  };
}
