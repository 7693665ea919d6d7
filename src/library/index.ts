// The library: the operations of the contract in your process, and in your transaction.
export type * from '../client/index.ts';
export { etagOf } from '../client/index.ts';
export type { FollowEvents } from './follow.ts';
export type { DryRunOptions, KeyOptions, RequiredKey } from './options.ts';
export type * from './resources.ts';
export type { Tenant, TenantParams, TenantResources, Usance, VerifyOptions } from './usance.ts';
export { createUsance } from './usance.ts';
export type { WaitForClock, WaitOptions } from './wait.ts';
