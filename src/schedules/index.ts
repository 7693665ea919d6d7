export * from './allowances/index.ts';
export { scheduleBacklog, scheduleBacklogOf } from './backlog-store.ts';
export type { BackfillOrder } from './by-hand.ts';
export type { Deed as ScheduleDeed, ScheduleEdit } from './change.ts';
export { SCHEDULE_CHECKS } from './checks.ts';
export { ScheduleClaimer } from './claim.ts';
export { createSchedule } from './create.ts';
export { discardOccurrence, retryOccurrences } from './dead-letters.ts';
export { schedulesByClock } from './clock-work.ts';
export * from './forecast/index.ts';
export { schedulerLoop } from './loops.ts';
export type { SchedulerOptions } from './loops.ts';
export { forgetTexts } from './forget-texts.ts';
export { makersOfSchedules } from './store.ts';
export { findSchedules } from './list.ts';
export { readOccurrences } from './occurrence-store.ts';
export { readSchedules } from './store.ts';
export {
  countOccurrenceLetters,
  groupOccurrenceLetters,
  listOccurrenceLetters,
  sumOccurrenceLetters,
} from './letter-store.ts';
export type { Visited } from './make.ts';
export { OWNER_RULES, retryRefusal } from './subscriptions/owner-rules.ts';
export { pacedCharges, pacesOf } from './pace.ts';
export type { Pace, Paces, SubscriptionCrons } from './pace.ts';
export type { ScheduleOrder } from './order.ts';
export * from './outages/index.ts';
export { MOST_PREVIEWED } from './preview.ts';
export type { PreviewedRun, SchedulePreview } from './preview.ts';
export { RECURRING_CHECKS, recurringVerbs } from './recurring.ts';
export type { RecurringVerbs } from './recurring.ts';
export * from './rules/index.ts';
export * from './subscriptions/index.ts';
export { runDueSchedules } from './scheduler.ts';
export { AFTER_FAILURES, MISSED, OVERLAPS, SCHEDULE_MOVES, SCHEDULE_STATUSES, SKIP_REASONS } from './schedule.ts';
export type { Occurrence, OccurrenceStatus, Schedule, ScheduleStatus } from './schedule.ts';
export { MOST_IN_CALENDAR, MOST_UPCOMING, scheduleVerbs } from './verbs.ts';
export type { CalendarRun, ScheduleVerbs, ScheduleView, UpcomingRun } from './verbs.ts';
