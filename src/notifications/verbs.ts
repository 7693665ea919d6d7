// Notification channels as an application sees them.
import type { PageRange } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import type { ChannelTools } from './change-channel.ts';
import {
  createChannel,
  deleteChannel,
  holdChannel,
  rotateChannelSecret,
  shown,
  testChannel,
  updateChannel,
} from './change-channel.ts';
import type { Channel, ChannelChanges, ChannelParams, ChannelTest, ChannelWithSecret } from './channel.ts';
import type { EmailVerbs } from './email/verbs.ts';
import { emailVerbs } from './email/verbs.ts';
import type { NotificationSettings } from './settings.ts';
import { findChannel, listChannels } from './channel-store.ts';

export interface NotificationVerbs extends EmailVerbs {
  /** The secret of a channel of the kind `webhook` is returned this once. */
  createNotificationChannel(params: ChannelParams): Promise<ChannelWithSecret>;
  notificationChannel(id: Uuid): Promise<Channel>;
  /** Newest first. */
  notificationChannels(page?: PageRange): Promise<Channel[]>;
  /** Takes the lock that every change of the channel takes. */
  lockNotificationChannel(id: Uuid): Promise<void>;
  /** A channel that is enabled again begins with the next event. */
  updateNotificationChannel(id: Uuid, changes: ChannelChanges): Promise<Channel>;
  /** Messages that wait are cancelled. */
  deleteNotificationChannel(id: Uuid): Promise<Channel>;
  /** Of a channel of the kind `webhook`, at once. */
  rotateNotificationSecret(id: Uuid): Promise<ChannelWithSecret>;
  /** Sends a message that says it is a test. The execution shows how it ended. */
  testNotificationChannel(id: Uuid): Promise<ChannelTest>;
}

const PAGE = 100;

export function notificationVerbs(
  context: VerbContext,
  { checkUrl }: Pick<ChannelTools, 'checkUrl'>,
  { smtp = null }: NotificationSettings = {},
): NotificationVerbs {
  const { tenantId, caller, secrets, sql } = context;
  const by = { tenantId, caller };
  const tools: ChannelTools = { secrets, checkUrl };
  const none = (channel: Uuid): never => refuse('NOTIFICATION_CHANNEL_NOT_FOUND', { channel });
  const idOf = (id: Uuid): Uuid => (isUuid(id) ? id : none(id));
  return {
    ...emailVerbs(context, { isConfigured: smtp !== null }),
    createNotificationChannel: (params) => context.run((tx, clock) => createChannel(tx, clock, by, params, tools)),
    notificationChannel: async (id) => shown((await findChannel(sql, tenantId, idOf(id))) ?? none(id)),
    async notificationChannels({ limit = PAGE, before } = {}) {
      if (before !== undefined && !isUuid(before)) refuse('ID_INVALID/not_a_cursor', { param: 'before' });
      return (await listChannels(sql, tenantId, { limit, before: before ?? null })).map(shown);
    },
    lockNotificationChannel: (id) =>
      context.runUntimed(async (tx) => {
        await holdChannel(tx, by, idOf(id));
      }),
    updateNotificationChannel: (id, changes) =>
      context.run((tx, clock) => updateChannel(tx, clock, by, idOf(id), changes, tools)),
    deleteNotificationChannel: (id) => context.run((tx, clock) => deleteChannel(tx, clock, by, idOf(id))),
    rotateNotificationSecret: (id) => context.run((tx, clock) => rotateChannelSecret(tx, clock, by, idOf(id), tools)),
    testNotificationChannel: (id) => context.run((tx, clock) => testChannel(tx, clock, by, idOf(id))),
  };
}
