// The public interface of the library. `usance/client` has the same contract over HTTP.
export { createUsance, etagOf } from './library/index.ts';
export type * from './library/index.ts';
export { BulkRefusal } from './engine.ts';
export type {
  AllowanceOptions,
  BulkRefusalError,
  ForeignTransaction,
  PgLike,
  PgResult,
  PostgresJsLike,
  NotificationSettings,
  OutboundSettings,
  SmtpSettings,
  SharedSecret,
  SubscriptionCrons,
} from './engine.ts';
export { CATALOGUE, Refusal, SetupError, fromTypeId, toDecimal, toMinorUnits, toTypeId } from './kernel/index.ts';
export type { Code, Counts, IdKind, LoopObserver, RefusalError, Uuid } from './kernel/index.ts';
