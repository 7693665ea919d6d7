export type { Follower } from './followers.ts';
export { listenerName, openProbed } from './delivery.ts';
export { NOTIFY_EVERY_MS } from './notifier.ts';
export { WAKE_UPS, channelOf, noteSoon, noteWakeUp, readWakeUpNote } from './wake-up.ts';
export type { WakeUp } from './wake-up.ts';
export { createWakeUps } from './wake-ups.ts';
export type { WakeUpMeter, WakeUpOptions, WakeUps } from './wake-ups.ts';
