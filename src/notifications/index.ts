export {
  CHANNEL_DISABLED_REASONS,
  CHANNEL_KINDS,
  DEFAULT_PER_MINUTE,
  ENCRYPTED_NOTIFICATIONS,
  PER_MINUTE,
  TOPIC_NAMES,
} from './channel.ts';
export type {
  Channel,
  ChannelChanges,
  ChannelDisabledReason,
  ChannelKind,
  ChannelParams,
  ChannelTest,
  ChannelWithSecret,
  Topic,
} from './channel.ts';
export { NOTIFICATION_CHECKS } from './checks.ts';
export { readChannelHealth } from './health-store.ts';
export { notificationsLoop } from './loop.ts';
export type { NotificationLoopOptions } from './loop.ts';
export type { NotificationSettings } from './settings.ts';
export { notificationVerbs } from './verbs.ts';
export type { NotificationVerbs } from './verbs.ts';
