// Parts of the modules for the commands, the HTTP API and the library, which see no module but the engine.
export { ALGORITHMS, ROLES, SCOPES, allowedTo, allows, csrfOf, isCsrfOf, isScope } from './access/index.ts';
export type * from './access/index.ts';
export { appendAnchors, loadAnchors, typeOfAction } from './audit/index.ts';
export type * from './audit/index.ts';
export { explainUnreachable, patiently, stopEmbedded } from './db/index.ts';
export type { ForeignTransaction, MigrationReport, PgLike, PgResult, PostgresJsLike, StoreFacts } from './db/index.ts';
export * from './events/index.ts';
export * from './jobs/index.ts';
export { isTypeId } from './kernel/index.ts';
export { MOST_BALANCE_POINTS } from './ledger/index.ts';
export type * from './ledger/index.ts';
export {
  ALERT_KIND_NAMES,
  ALERT_STATUSES,
  ALERT_UNITS,
  JOB_NAMES,
  LETTER_KINDS,
  LOOP_NAMES,
  RUN_STATUSES,
  SEARCH_KINDS,
  SERIES_PERIODS,
  WHY_CODES,
  examine,
  servesUsance,
} from './ops/index.ts';
export type * from './ops/index.ts';
export {
  CHANNEL_DISABLED_REASONS,
  CHANNEL_KINDS,
  EMAIL_KIND_NAMES,
  EMAIL_LIMITS,
  EMAIL_OUTCOMES,
  PER_MINUTE,
  TOPIC_NAMES,
  alertSentence,
} from './notifications/index.ts';
export type * from './notifications/index.ts';
export { fetchForOperator } from './outbound/index.ts';
export type * from './outbound/index.ts';
export {
  BulkRefusal,
  PAYMENT_KINDS,
  PRIORITY_NAMES,
  ROUTE_PRIORITIES,
  parseDelayMs,
  parseInstant,
  retryPolicyOf,
} from './payments/index.ts';
export type * from './payments/index.ts';
export { PRIORITIES, explainRoute } from './rails/index.ts';
export type { Chain, ChainVerbs, PriceSource, Rail, StoredRoute, TakenSnapshot } from './rails/index.ts';
export { ATTEMPT_STATES, RESOLUTIONS, ROUTE_CAUSES } from './payouts/index.ts';
export type {
  Attempt as PayoutAttempt,
  CapOrder,
  DestinationOrder,
  FloorOrder,
  ExplainedRoute,
  PayoutCap,
  PayoutDestination,
  PayoutPolicy,
  PayoutRoute,
  PolicyOrder,
  Quote,
  ResolveOrder,
  TreasuryBalance,
  TreasuryWallet,
} from './payouts/index.ts';
export * from './schedules/index.ts';
export { KEY_FILE, newSecretKey, parseSecretKey } from './secrets/index.ts';
export type * from './tenants/index.ts';
export type * from './engine-sessions.ts';
export type * from './engine-types.ts';
export { CHECKS, VERIFIED } from './engine-checks.ts';
export * from './webhooks/index.ts';
