export { ACTIVE_PAUSES, CLOCKS_OF_TENANTS } from './checks.ts';
export type { Advance, ClockStatus, TestClock } from './clock.ts';
export { CLOCK_MOVES, MAX_ADVANCE_DAYS, MAX_STEPS } from './clock.ts';
export type { Lease } from './clock-store.ts';
export {
  allowWrites,
  areWritesAllowed,
  awaitWrites,
  claimAdvance,
  endAdvance,
  findClock,
  moveClock,
  presentTimes,
  readClocks,
  refuseWrites,
  releaseAdvance,
  tenantOfTimeline,
} from './clock-store.ts';
export * from './create-tenant.ts';
export * from './once.ts';
export * from './pause.ts';
export * from './pauses.ts';
export * from './set-clock.ts';
export type { KeyRecord, KeyScope } from './store.ts';
export {
  deleteKeyRecordsBefore,
  findKeyRecords,
  findFirstTenant,
  findTenant,
  eraseAnswers,
  insertKeyRecords,
  listExecutors,
  listPauses,
  listTenants,
  readExecutionCap,
  pauseOf,
  readPauses,
  setDefaultAsset,
  setExecutionCap,
  giveBackExecutions,
  takeExecutions,
  tryLockKeys,
} from './store.ts';
export type { Tenant, TenantKind } from './tenant.ts';
export * from './timed-work.ts';
