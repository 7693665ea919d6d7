export * from './alerts/index.ts';
export { clocksLoop } from './advance-clocks.ts';
export type { ClocksOptions } from './advance-clocks.ts';
export { SEARCH_KINDS, SERIES_PERIODS, sightOf } from './control-room/index.ts';
export type {
  AuditChain,
  ControlRoomVerbs,
  DeadLetterGroup,
  DeadLetterGroups,
  SearchHit,
  SearchSight,
  Series,
  Settings,
} from './control-room/index.ts';
export { OPERATING_CHECKS } from './checks.ts';
export { clockVerbs } from './clock-verbs.ts';
export type { ClockReport, ClockVerbs } from './clock-verbs.ts';
export { LETTER_KINDS } from './dead-letters.ts';
export type { DeadLetter, DeadLetterFilter, DeadLetterVerbs, Discarded, LetterKind, Retried } from './dead-letters.ts';
export * from './doctor.ts';
export { ENCRYPTED_COLUMNS, encryptStored } from './encryption.ts';
export { createMeters, createMonitoring } from './monitoring/index.ts';
export type { Answered, Meters, Monitoring } from './monitoring/index.ts';
export { requireExecutionCap } from './execution-cap.ts';
export type { ExecutionCap } from './execution-cap.ts';
export type { Finding, Level } from './finding.ts';
export { servesUsance } from './machine.ts';
export { noticesTo } from './notices.ts';
export { operatingVerbs } from './tenant-verbs.ts';
export type { OperatingVerbs } from './tenant-verbs.ts';
export { archiveAll, retentionLoop } from './retention.ts';
export type { ArchiveOrder, RetentionOptions } from './retention.ts';
export { cronRunVerbs } from './cron-runs.ts';
export type { CronRunVerbs } from './cron-runs.ts';
export { RUN_STATUSES } from './cron-run-store.ts';
export type { CronRun } from './cron-run-store.ts';
export { JOB_NAMES, LOOP_NAMES } from './loop-names.ts';
export { loopIdleMs } from './loop-store.ts';
export { TickRecorder } from './tick-recorder.ts';
export type { Overview } from './overview.ts';
export { WHY_CODES } from './why/index.ts';
export type { Why, WhyAudience, WhyChange, WhyCode, WhyReason, WhySight, WhyVerbs } from './why/index.ts';
