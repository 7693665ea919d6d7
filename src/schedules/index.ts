export * from './allowances/index.ts';
export type { BackfillOrder } from './by-hand.ts';
export type { Deed as ScheduleDeed, ScheduleEdit } from './change.ts';
export { SCHEDULE_CHECKS } from './checks.ts';
export { ScheduleClaimer } from './claim.ts';
export { createSchedule } from './create.ts';
export { discardOccurrence, replayOccurrences } from './dead-letters.ts';
export { schedulesByClock } from './clock-work.ts';
export * from './forecast/index.ts';
export { schedulerLoop } from './loops.ts';
export type { SchedulerOptions } from './loops.ts';
export { countOccurrenceLetters, listOccurrenceLetters, sumOccurrenceLetters } from './letter-store.ts';
export type { Visited } from './make.ts';
export { pacedCharges, pacesOf } from './pace.ts';
export type { Pace, Paces, SubscriptionCrons } from './pace.ts';
export type { ScheduleOrder } from './order.ts';
export * from './outages/index.ts';
export { RECURRING_CHECKS, recurringVerbs } from './recurring.ts';
export type { RecurringVerbs } from './recurring.ts';
export * from './rules/index.ts';
export * from './subscriptions/index.ts';
export { runDueSchedules } from './scheduler.ts';
export {
  AFTER_FAILURES,
  MAKER,
  MISSED,
  OVERLAPS,
  SCHEDULE_MOVES,
  SCHEDULE_STATUSES,
  SKIP_REASONS,
} from './schedule.ts';
export type { Occurrence, OccurrenceStatus, Schedule, ScheduleStatus } from './schedule.ts';
export { MOST_IN_CALENDAR, MOST_UPCOMING, scheduleVerbs } from './verbs.ts';
export type { CalendarRun, ScheduleVerbs, ScheduleView, UpcomingRun } from './verbs.ts';
