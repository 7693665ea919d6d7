// Notification channels as an application sees them.
import type { Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import type { PageRange } from '../jobs/index.ts';
import type { Channel, ChannelChanges, ChannelParams, ChannelTest } from './channel.ts';
import type { ChannelContext } from './change-channel.ts';
import { createChannel, deleteChannel, requireChannel, shown, testChannel, updateChannel } from './change-channel.ts';
import { findChannel, listChannels } from './channel-store.ts';

export interface NotificationVerbs {
  createNotificationChannel(params: ChannelParams): Promise<Channel>;
  notificationChannel(id: Uuid): Promise<Channel>;
  /** Newest first. */
  notificationChannels(page?: PageRange): Promise<Channel[]>;
  /** Takes the lock that every change of the channel takes. */
  lockNotificationChannel(id: Uuid): Promise<void>;
  updateNotificationChannel(id: Uuid, changes: ChannelChanges): Promise<Channel>;
  deleteNotificationChannel(id: Uuid): Promise<Channel>;
  /** Sends a message that says it is a test. The execution shows how it ended. */
  testNotificationChannel(id: Uuid): Promise<ChannelTest>;
}

const PAGE = 100;

export function notificationVerbs(
  context: VerbContext,
  { checkUrl }: Pick<ChannelContext, 'checkUrl'>,
): NotificationVerbs {
  const { tenantId, caller, secrets, sql } = context;
  const own: ChannelContext = { tenantId, caller, secrets, checkUrl };
  const none = (channel: Uuid): never => refuse('NOTIFICATION_CHANNEL_NOT_FOUND', { channel });
  const idOf = (id: Uuid): Uuid => (isUuid(id) ? id : none(id));
  return {
    createNotificationChannel: (params) => context.run((tx, clock) => createChannel(tx, clock, own, params)),
    notificationChannel: async (id) => shown((await findChannel(sql, tenantId, idOf(id))) ?? none(id)),
    async notificationChannels({ limit = PAGE, before } = {}) {
      if (before !== undefined && !isUuid(before)) refuse('ID_INVALID/not_a_cursor', { param: 'before' });
      return (await listChannels(sql, tenantId, { limit, before: before ?? null })).map(shown);
    },
    lockNotificationChannel: (id) =>
      context.runUntimed(async (tx) => {
        await requireChannel(tx, own, idOf(id), 'for update');
      }),
    updateNotificationChannel: (id, changes) =>
      context.run((tx, clock) => updateChannel(tx, clock, own, idOf(id), changes)),
    deleteNotificationChannel: (id) => context.run((tx, clock) => deleteChannel(tx, clock, own, idOf(id))),
    testNotificationChannel: (id) => context.run((tx, clock) => testChannel(tx, clock, own, idOf(id))),
  };
}
