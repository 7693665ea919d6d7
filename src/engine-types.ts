// The engine's surface for HTTP, commands and the library: its options, and the verbs of a tenant. engine.ts puts it together.
import type {
  AccessVerbs,
  Allowed,
  ApiKey,
  KeyUse,
  OnRefused,
  RefusedSignIns,
  SharedSecret,
  SignIn,
} from './access/index.ts';
import type { Anchor, AnchorOptions } from './audit/index.ts';
import type { Database, ForeignTransaction, MigrationReport, StoreFacts, StoreOptions } from './db/index.ts';
import type { Attribution, CallerOrder, Loop, LoopDefinition, LoopObserver, Uuid } from './kernel/index.ts';
import type { CheckResult, DryRun, Freeze, ImportOrder, ImportReport, LedgerVerbs } from './ledger/index.ts';
import type {
  ArchiveOrder,
  ClockVerbs,
  ClocksOptions,
  CronRunVerbs,
  Monitoring,
  OperatingVerbs,
  RetentionOptions,
} from './ops/index.ts';
import type { AnswerWith, OrderBounds, PaymentOrder, PaymentVerbs, ProcessorOptions } from './payments/index.ts';
import type {
  AllowanceOptions,
  RecurringVerbs,
  SchedulerOptions,
  SubscriptionCrons,
  SubscriptionImport,
  SubscriptionImportReport,
} from './schedules/index.ts';
import type { Json, Once, Tenant, TenantOrder } from './tenants/index.ts';

/** Options of `createUsance`. */
export interface UsanceOptions extends StoreOptions {
  /** How far ahead the instant of a hold may be. */
  readonly bounds?: Partial<Omit<OrderBounds, 'approvalWithinMs'>>;
  /** How long a payment awaits the approval of a second person before it expires, in milliseconds; default seven days. */
  readonly approvalWithinMs?: number;
  /** Batches of the loop that executes due payments. */
  readonly processor?: Pick<ProcessorOptions, 'batchSize' | 'lanes' | 'onTried'>;
  /** Bounds of test clocks. */
  readonly clocks?: Pick<ClocksOptions, 'maxSteps'>;
  /** Batches of the loop that makes payments of schedules. */
  readonly scheduler?: Pick<SchedulerOptions, 'batchSize' | 'lanes' | 'onVisited'>;
  /** Attempts of allowance credits. */
  readonly allowances?: AllowanceOptions;
  /** Cron expressions, in UTC: when subscriptions are charged, and when their charges are attempted. Default: when due. */
  readonly subscriptionCrons?: SubscriptionCrons;
  /** How far ahead `account.shortfall_expected` is emitted, in milliseconds; default three days. */
  readonly shortfallHorizonMs?: number;
  /** Creates in one transaction at most, default 256; 1 turns grouping off. */
  readonly maxGroup?: number;
  /**
   * Most executions per second of each live tenant without its own cap (`executionCap.set`), over all processors that are
   * given the same value; default none.
   */
  readonly executionsPerSecond?: number | null;
  /** Fail this many first attempts of every payment, to try out what happens then. Refused where NODE_ENV is production. */
  readonly simulateFailures?: number;
  /** How long metrics are kept in the database, in milliseconds; default two days. */
  readonly metricsRetentionMs?: number;
  /** How often the ends of the audit log's hash chains are written to a file and the log. Default: once an hour, only to the log. */
  readonly anchors?: AnchorOptions;
  /** How long idempotency keys and ended payments are kept. */
  readonly retention?: RetentionOptions;
  /** Callbacks for the runs of the background loops. */
  readonly loops?: LoopObserver;
  /** Record what every loop did in `cron_runs`, one row for each tick, beside the work; default no. */
  readonly recordRuns?: boolean;
  /** The secret that signs tokens of the first tenant's end users, beside the issuers that tenants name. Default: none. */
  readonly jwt?: SharedSecret | null;
  /** The longest time between `iat` and `exp` of an end user's token, in milliseconds; default a day. */
  readonly longestTokenMs?: number;
}

/** What one tenant can do inside one transaction. */
export interface TenantVerbs
  extends LedgerVerbs, PaymentVerbs, RecurringVerbs, OperatingVerbs, CronRunVerbs, AccessVerbs, ClockVerbs {
  readonly id: string;
  readonly name: string;
  /** The account of whoever asks, where that is an end user; everything here is then about that account alone. */
  readonly subject: string | null;
}

/** Verbs under an idempotency key. */
export interface KeyedVerbs {
  /**
   * Runs verbs in one transaction under one idempotency key: the same key and fingerprint again give the first answer,
   * to the byte. Only committed effects are remembered; a refusal is evaluated anew. What one verb is refused, the whole is, also
   * where the work catches it: `within` a transaction of yours each verb is undone by itself.
   */
  idempotently<T extends Json>(request: KeyedRequest, work: (verbs: TenantVerbs) => Promise<T>): Promise<Once<T>>;
  /** Runs verbs in one transaction without a key. What one verb is refused, the whole is. */
  inTransaction<T>(work: (verbs: TenantVerbs) => Promise<T>): Promise<T>;
  /** Like createPayment under `idempotently`, but grouped with whatever else is being created at the moment. */
  createPaymentGrouped(request: KeyedRequest, order: PaymentOrder, answer: AnswerWith): Promise<Once<Json>>;
}

/** The verbs of a tenant, with the one that groups creates. */
export type CreatingVerbs = TenantVerbs & Pick<KeyedVerbs, 'createPaymentGrouped'>;

export interface DryRuns {
  /**
   * Runs verbs in one transaction that is always rolled back: their answer, their postings and the types of their events. A refusal is
   * thrown as without it. Needs no idempotency key, joins no group, and counts in no metric of payments.
   */
  dryRun<T>(work: (verbs: CreatingVerbs) => Promise<T>): Promise<DryRun<T>>;
}

/** Everything one tenant can do. */
export interface TenantHandle extends TenantVerbs, KeyedVerbs, DryRuns {
  /** The same for the same actor, with what is done on record as coming from there. */
  from(origin: Omit<Attribution, 'actor'>): TenantHandle;
  /**
   * The same verbs inside a transaction of yours (a client of pg, or the `sql` of postgres.js's `begin` or `reserve`): they commit
   * or roll back with it. Verbs that are called at once run one after the other, and statements that you send through the same
   * object meanwhile wait for them. A refusal undoes its own verb and leaves the transaction usable. The transaction's isolation
   * level is yours: under a stricter one than `read committed` a verb may throw 40001, and you retry the transaction. Where the tenant
   * has a daily total or an approval threshold, a verb that counts towards it needs `read committed` and throws a SetupError otherwise.
   */
  within(transaction: ForeignTransaction): TenantVerbs & KeyedVerbs & DryRuns;
  importOpeningBalances(order: Omit<ImportOrder, 'tenantId' | 'caller'>): Promise<ImportReport>;
  /**
   * Subscriptions of another system, with their next due date. Every line is checked before anything is written: with a problem nothing
   * is. After a crash run it again; what was imported is skipped.
   */
  importSubscriptions(order: Omit<SubscriptionImport, 'tenantId' | 'caller'>): Promise<SubscriptionImportReport>;
}

export interface KeyedRequest {
  readonly key: string;
  /** Everything that makes the request what it is: method, path, body. */
  readonly fingerprint: string;
}

/** Somebody who showed who he is. */
export interface Authenticated {
  readonly handle: TenantHandle;
  /** Null for an end user, who has no scopes but an account. */
  readonly key: ApiKey | null;
  readonly allowed: Allowed;
  /** How long it stays true at most, in milliseconds; null where there is no end in sight. */
  readonly validForMs: number | null;
  /** The caller's scope of idempotency keys and rate limits, the same for every key of a rotation lineage. */
  readonly scope: string;
  /** As the audit log records it. */
  readonly signIn: Pick<SignIn, 'actor' | 'tenantId' | 'resource' | 'resourceId'>;
}

export interface Engine {
  readonly db: Database;
  readonly store: StoreFacts;
  /** The address of the database in use, with its password; for an embedded server that of its runtime role. */
  readonly databaseUrl: string;
  /** What migrating did at the start, where it was asked for. */
  readonly migrated: MigrationReport | null;
  /** Whether it is well, and what it counts. */
  readonly monitoring: Monitoring;
  createTenant(order: TenantOrder, caller?: CallerOrder): Promise<TenantHandle>;
  tenants(): Promise<Tenant[]>;
  /** Who an API key or a token acts for, and as whom; null, or refused, where it is not to be believed: told, where it is somebody's. `tenant` (id or name): only that tenant's issuers are asked about a token. */
  authenticate(secret: string, onRefused?: OnRefused, tenant?: string): Promise<Authenticated | null>;
  /** Puts on the tenants' records who came in and who was not let in. */
  recordSignIns(accepted: readonly SignIn[], refused: readonly RefusedSignIns[]): Promise<void>;
  /** Notes when keys were used, at most once a minute each; how many were noted. */
  touchApiKeys(uses: readonly KeyUse[]): Promise<number>;
  /** A loop beside the engine's own, observed like them: its runs are in the metrics and in `cron_runs`. The caller starts and stops it. */
  createLoop(definition: LoopDefinition): Loop;
  /** The tenants' own names of some accounts, by id. */
  accountRefs(accounts: readonly { tenantId: Uuid; id: Uuid }[]): Promise<Map<Uuid, string>>;
  /** How long ago a loop last ended well in any process, in milliseconds; null where it never did. */
  loopIdleMs(name: string): Promise<number | null>;
  /** What is due now and since when. */
  backlog(): Promise<{ due: number; oldest: Date | null }>;
  /**
   * By id or name. What is done through the handle is on record for the caller, by default `library`. An actor whose first word is
   * `key`, `user`, `schedule` or `system` (`key:…`) is refused: the engine gives those names.
   */
  tenant(idOrName: string, caller?: CallerOrder): Promise<TenantHandle>;
  /** Every invariant over the whole store, and the chain of the record; against anchors, where there are any. */
  verify(onChecked?: (result: CheckResult) => void, options?: { anchors?: readonly Anchor[] }): Promise<CheckResult[]>;
  /** Where every tenant's chain ends now: to be kept elsewhere. */
  anchors(): Promise<Anchor[]>;
  freezes(options?: { activeOnly?: boolean }): Promise<Freeze[]>;
  /** Archives what ended long enough ago, of every tenant; how many payments. The loop `retention` does the same a slice at a time. */
  archive(order: ArchiveOrder): Promise<number>;
  /** The background loops, by name. */
  readonly loops: readonly Loop[];
  /** Starts them all, or the named ones. */
  start(names?: readonly string[]): void;
  /** Stops the loops, lets what is in flight finish, leaves the database. */
  close(): Promise<void>;
}
