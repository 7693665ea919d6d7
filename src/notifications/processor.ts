// The built-in processor `notification`: takes a turn of the channel, composes the message and posts it.
import type { Database } from '../db/index.ts';
import type { SequencedEvent } from '../events/index.ts';
import { InvocationFailure } from '../jobs/index.ts';
import type { RecordedEnd, RunnableProcessor } from '../jobs/index.ts';
import { toTypeId } from '../kernel/index.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow } from '../secrets/index.ts';
import { findTenant } from '../tenants/index.ts';
import type { Message } from './bodies.ts';
import { bodyOf } from './bodies.ts';
import { PROCESSOR, TESTED } from './channel.ts';
import { ENCRYPTED_TARGETS, findChannel } from './channel-store.ts';
import { post } from './post.ts';
import { idOf, sentenceOf, summaryOf } from './sentence.ts';
import type { Counts } from './turn-store.ts';
import { clearBacklog, takeTurn } from './turn-store.ts';

export interface NotificationOptions {
  readonly db: Database;
  readonly outbound: Outbound;
  readonly secrets: Secrets;
  /** The public URL of the dashboard, for links. Null: messages have none. */
  readonly dashboardUrl: string | null;
}

/** Messages of one channel that a worker posts at once: one that hangs delays its own channel. */
const AT_ONCE = 4;
/** Attached to the attempt that sends a summary, for `record`. */
const SUMMARY = 'summary';

export function notificationProcessor({ db, outbound, secrets, dashboardUrl }: NotificationOptions): RunnableProcessor {
  return {
    name: PROCESSOR,
    description: 'Posts a message about an event to a notification channel.',
    builtIn: true,
    concurrencyPerJob: AT_ONCE,
    async run(given, _execution, { signal, attach }, claimed) {
      const event = given as SequencedEvent;
      const { tenantId, jobId: channelId, executionId } = claimed;
      const channel = await findChannel(db, tenantId, channelId);
      if (!channel) return { outcome: 'channel deleted' };
      // A channel that is broken would otherwise be told that it is.
      if (event.type === 'execution.failed' && event.data['jobId'] === channelId) return { outcome: 'about itself' };
      const key = { tenantId, channelId, executionId, eventType: event.type };
      let counts: Counts | null = null;
      if (event.type !== TESTED) {
        const taken = await db.transaction((tx) => takeTurn(tx, key));
        if (!taken) return { outcome: 'channel deleted' };
        const { turn } = taken;
        if (turn.kind === 'queued') return { outcome: 'left to a summary' };
        if (turn.kind === 'wait')
          throw new InvocationFailure('NOTIFICATION_DEFERRED', 'the channel has sent its messages of this minute', {
            retryAfterMs: turn.forMs,
          });
        if (turn.kind === 'summary') {
          attach(SUMMARY);
          ({ counts } = taken);
        }
      }
      const url = secrets.decrypt(channel.target, aboutRow(ENCRYPTED_TARGETS, channel)).toString();
      const tenant = await findTenant(db, tenantId);
      const status = await post(outbound, {
        url,
        host: channel.targetHost,
        body: bodyOf(
          channel.kind,
          messageOf(event, counts, { name: tenant?.name ?? '', isTest: tenant?.kind === 'test' }, dashboardUrl),
        ),
        messageId: toTypeId('execution', executionId),
        pool: `notification ${channelId}`,
        signal,
      });
      return { outcome: counts ? 'summary sent' : 'sent', status };
    },
    async record(tx, ends: readonly RecordedEnd[]) {
      const sent = ends.filter(({ became, detail }) => became === 'completed' && detail === SUMMARY);
      if (sent.length === 0) return;
      const keys = sent.map(({ claimed: { tenantId, jobId, executionId } }) => ({
        tenantId,
        channelId: jobId,
        executionId,
      }));
      await clearBacklog(tx, keys);
    },
  };
}

function messageOf(
  event: SequencedEvent,
  counts: Counts | null,
  tenant: Message['tenant'],
  dashboardUrl: string | null,
): Message {
  const { id, type, resource, occurredAt } = event;
  const resourceId = idOf(resource, event.resourceId);
  const path = `${resource.replaceAll('_', '-')}s/${encodeURIComponent(resourceId)}`;
  return {
    text: counts ? summaryOf(counts, type) : sentenceOf(event),
    tenant,
    link: dashboardUrl === null || counts ? null : `${dashboardUrl.replace(/\/+$/, '')}/${path}`,
    event: { id: toTypeId('event', id), type, resource, resourceId, occurredAt: occurredAt.toISOString() },
    counts: counts && Object.fromEntries(new Map(counts).set(type, (counts.get(type) ?? 0) + 1)),
  };
}
