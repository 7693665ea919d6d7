export { CHANNEL_KINDS, DEFAULT_PER_MINUTE, PER_MINUTE, TOPIC_NAMES } from './channel.ts';
export type { Channel, ChannelChanges, ChannelKind, ChannelParams, ChannelTest, Topic } from './channel.ts';
export { ENCRYPTED_TARGETS } from './channel-store.ts';
export { notificationProcessor } from './processor.ts';
export type { NotificationOptions } from './processor.ts';
export { notificationVerbs } from './verbs.ts';
export type { NotificationVerbs } from './verbs.ts';
