// The public interface of the library. `usance/client` has the same contract over HTTP.
export { createUsance, etagOf } from './library/index.ts';
export type * from './library/index.ts';
export type {
  Anchor,
  CheckResult,
  ForeignTransaction,
  ImportReport,
  SubscriptionImportReport,
  UsanceOptions,
} from './engine.ts';
export { CATALOGUE, Refusal, SetupError, fromTypeId, toDecimal, toMinorUnits, toTypeId } from './kernel/index.ts';
export type { Attribution, Caller, CallerOrder, Code, IdKind } from './kernel/index.ts';
export { BulkRefusal } from './engine.ts';
