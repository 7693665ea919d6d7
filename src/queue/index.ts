export type { Follower } from './followers.ts';
export { listenerName, openProbed } from './probe.ts';
export { NOTIFY_EVERY_MS } from './notifier.ts';
export { WAKE_UPS, channelOf, noteDueSoon, noteWakeUp, readWakeUpNote } from './wake-up-kinds.ts';
export type { WakeUp } from './wake-up-kinds.ts';
export { createWakeUps } from './wake-ups.ts';
export type { WakeUpMeter, WakeUpOptions, WakeUps } from './wake-ups.ts';
