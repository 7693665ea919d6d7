// The library: the operations of the contract in your process, and in your transaction.
// oxlint-disable-next-line import/no-unassigned-import -- it throws, before anything below is loaded
import './require-node.ts';
export type * from '../client/index.ts';
export { etagOf } from '../client/index.ts';
export type { EnsureAccount, EnsureAsset, EnsureJob } from './ensure.ts';
export type { BalanceImportParams, ImportBalances, ImportSubscriptions, SubscriptionImportParams } from './imports.ts';
export type * from './options.ts';
export type { JobContext, JobProcessor, JobProcessorDefinition } from './processor.ts';
export type {
  Anchor,
  CheckOffender,
  CheckResult,
  ImportProblem,
  ImportReport,
  ImportTotal,
  SubscriptionImportReport,
  SubscriptionTotal,
} from './reports.ts';
export type * from './resources.ts';
export type { SubscribeEvents, SubscribeOptions, Subscription } from './subscribe.ts';
export type { TenantParams, Tenants } from './tenants.ts';
export type { CallerParams, TenantHandle, TenantResources, Usance, VerifyOptions } from './usance.ts';
export { createUsance } from './usance.ts';
export type {
  AnchorOptions,
  BatchOptions,
  ChainSettings,
  ClockOptions,
  EncryptionKeys,
  JobLimits,
  PaymentBounds,
  ObservedPrice,
  RetentionOptions,
  UsanceOptions,
  WebhookLimits,
} from './usance-options.ts';
export type { WaitForClock, WaitOptions } from './wait.ts';
