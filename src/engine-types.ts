// The interface of the engine for HTTP, commands and the library: its options, and the verbs of a tenant. engine.ts implements it.
import type {
  AccessVerbs,
  Allowed,
  ApiKey,
  KeyUse,
  OnRefused,
  RefusedSignIns,
  SessionLimits,
  SharedSecret,
  SignIn,
} from './access/index.ts';
import type { Anchor, AnchorOptions } from './audit/index.ts';
import type { Database, ForeignTransaction, MigrationReport, StoreFacts, StoreOptions } from './db/index.ts';
import type { PaymentTexts } from './events/index.ts';
import type { Sessions } from './engine-sessions.ts';
import type { JobOptions, JobVerbs, JobWorker, MatcherSizes, Presenter, RunnableProcessor } from './jobs/index.ts';
import type { Attribution, CallerOrder, Loop, LoopDefinition, LoopObserver, Uuid } from './kernel/index.ts';
import type { CheckResult, DryRun, Freeze, ImportOrder, ImportReport, LedgerVerbs } from './ledger/index.ts';
import type {
  AlertVerbs,
  ArchiveOrder,
  ClockVerbs,
  ClocksOptions,
  CronRunVerbs,
  Monitoring,
  OperatingVerbs,
  RetentionOptions,
} from './ops/index.ts';
import type { NotificationSettings, NotificationVerbs, UnsubscribeVerbs } from './notifications/index.ts';
import type { OutboundOptions } from './outbound/index.ts';
import type { AnswerWith, OrderBounds, PaymentOrder, PaymentVerbs, ProcessorOptions } from './payments/index.ts';
import type { ChooseRoute, FeeTolerance, GuardVerbs, PayoutVerbs, QuoteVerbs, TreasuryVerbs } from './payouts/index.ts';
import type { WakeUps } from './queue/index.ts';
import type { ChainVerbs, PriceSource, Rail, Sandbox, SandboxOptions } from './rails/index.ts';
import type {
  AllowanceOptions,
  RecurringVerbs,
  SchedulerOptions,
  SubscriptionCrons,
  SubscriptionImport,
  SubscriptionImportReport,
} from './schedules/index.ts';
import type { SecretsOptions } from './secrets/index.ts';
import type { Json, Once, Tenant, TenantOrder } from './tenants/index.ts';
import type { WebhookVerbs } from './webhooks/index.ts';

/** Keys that encrypt contacts of accounts, secrets of webhook endpoints and their headers in the database. */
export interface EncryptionOptions extends SecretsOptions {
  /** A file with a key, used outside production if no key is given. Default: `encryption-key` in `dataDir` of an embedded store. */
  readonly keyFile?: string | null;
  /** Whether to make the file if there is none. Default: only for an embedded store. */
  readonly makesKey?: boolean;
  /** Whether to start without a key although stored values are encrypted, for a process that reads none of them. Default false. */
  readonly isOptional?: boolean;
}

/** Chains of payouts, and how their health is measured. */
export interface ChainSetup {
  /** The simulated chain. Refused if NODE_ENV is production. Default false. */
  readonly sandbox?: boolean | Omit<Partial<SandboxOptions>, 'url' | 'schema' | 'production'>;
  /** Adapters of more chains. */
  readonly rails?: readonly Rail[];
  /** Policy for a fee that rises after the choice of a route. Default: half of itself or 0.01 USD, `requote`. */
  readonly feeTolerance?: FeeTolerance;
  /** Prices of the assets in which chains take fees. Asked first. Default: none. */
  readonly prices?: PriceSource;
  /** US dollars for one whole unit, by asset code: where `prices` has none. Default: 1 for the fee asset of the sandbox. */
  readonly fixedPrices?: Readonly<Record<string, number>>;
  /** Between two snapshots of a chain, in milliseconds; default 15,000. A snapshot older than three intervals counts as unhealthy. */
  readonly measureEveryMs?: number;
  /** How long snapshots are kept, in milliseconds; default seven days. */
  readonly keepHealthMs?: number;
}

/** How payouts are executed. */
export interface PayoutsSettings {
  /** Chooses the chain of each attempt. Default: by scores. */
  readonly chooseRoute?: ChooseRoute;
  /** How often a wallet is compared with its chain, in milliseconds; default 60 seconds. */
  readonly reconcileEveryMs?: number;
  /** How often a transaction that is not final is looked at, in milliseconds; default 15 seconds. */
  readonly confirmEveryMs?: number;
  /** Payouts in one transaction; default 100. */
  readonly batchSize?: number;
  /** Calls to chains at the same time; default 16. */
  readonly concurrency?: number;
}

/** Options of `createEngine`. Those of `createUsance` are in src/library/usance-options.ts. */
export interface EngineOptions extends StoreOptions {
  /**
   * The same database for the connection that listens for wake-ups of other processes: the server itself, not a connection pooler in
   * transaction mode. `none`: no such connection, loops and followers of events poll. Default: `databaseUrl`.
   */
  readonly listenUrl?: string | null;
  /** For tests: the longest sleep of every loop, in milliseconds. Default: the interval of each loop. */
  readonly pollMs?: number;
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
  /** Cron expressions in UTC: when subscriptions are visited, and when their charges are attempted. Default: at their own time. */
  readonly subscriptionCrons?: SubscriptionCrons;
  /** How far ahead `account.shortfall_expected` is emitted, in milliseconds; default three days. */
  readonly shortfallHorizonMs?: number;
  /** Maximum number of creates in one transaction, default 256; 1 disables grouping. */
  readonly maxGroup?: number;
  /**
   * Most payments per second of each live tenant without its own cap (`executionCap.set`), over all processors that are
   * given the same value; default none.
   */
  readonly executionsPerSecond?: number | null;
  /** The chains of this process, and how payouts are executed. Default: no chain. */
  readonly payouts?: PayoutsSettings;
  /** Fail this many first attempts of every payment, to try out retries. Refused if NODE_ENV is production. */
  readonly simulateFailures?: number;
  /** How long metrics are kept in the database, in milliseconds; default two days. */
  readonly metricsRetentionMs?: number;
  /** How often the ends of the audit log's hash chains are written to a file and the log. Default: once an hour, only to the log. */
  readonly anchors?: AnchorOptions;
  /** How long idempotency keys, ended payments, executions and the data of own events are kept. */
  readonly retention?: RetentionOptions;
  /** Processors that this process runs. */
  readonly processors?: readonly RunnableProcessor[];
  /** A module that exports processors. It is loaded and run in a child process. */
  readonly processorFile?: string | null;
  /** Limits of the loop `jobs`. */
  readonly jobs?: JobOptions;
  /** Events and executions as processors see them. Default: as they are stored. */
  readonly presenter?: (reads: EventReads) => Presenter;
  /** Chains of payouts. Default: none. */
  readonly chains?: ChainSetup;
  /** The loop `webhooks`. Without a presenter this process delivers nothing. */
  readonly webhooks?: {
    /** Events as the API shows them: the bodies of deliveries. */
    readonly presenter?: (reads: EventReads) => Presenter;
    /** Deliveries that this process sends at the same time, default 100. */
    readonly concurrency?: number;
    /** How long one attempt may take, in milliseconds, for tests; default ten seconds. */
    readonly timeoutMs?: number;
  };
  /** How long no worker may have a processor before executions that were due all that time fail, in milliseconds; default an hour. */
  readonly missingProcessorMs?: number;
  /** Sizes of the matcher, for tests. */
  readonly matcher?: Partial<MatcherSizes>;
  /** Events that applications of one tenant can append a day; default a million, 0: no limit. */
  readonly ownEventsPerDay?: number;
  /** Keys of stored secrets. Without one, nothing that is stored encrypted can be created. */
  readonly encryption?: EncryptionOptions;
  /** Callbacks for the runs of the background loops. */
  readonly loops?: LoopObserver;
  /** Record the runs of every loop in `cron_runs`, one row for each tick, outside the transaction of the work; default no. */
  readonly recordRuns?: boolean;
  /** The secret that signs tokens of the first tenant's end users, beside the issuers that tenants name. Default: none. */
  readonly jwt?: SharedSecret | null;
  /** The longest time between `iat` and `exp` of an end user's token, in milliseconds; default a day. */
  readonly longestTokenMs?: number;
  /** How long a session of the dashboard lasts, without a request and at most. Default: 30 minutes and 12 hours. */
  readonly sessions?: Partial<SessionLimits>;
  /** Connections to destinations that tenants choose, such as the URL of a key set. Default: https to the internet. */
  readonly outbound?: OutboundOptions;
  /** Messages to operators, and the mail server. Default: those of its members. */
  readonly notifications?: NotificationSettings;
}

/** Reads for showing events of many tenants: refs of accounts, and texts of payments. */
export interface EventReads {
  accountRefs(accounts: readonly { tenantId: Uuid; id: Uuid }[]): Promise<Map<Uuid, string>>;
  paymentTexts(payments: readonly { tenantId: Uuid; id: Uuid }[]): Promise<ReadonlyMap<Uuid, PaymentTexts>>;
}

/** The verbs of one tenant inside one transaction. */
export interface TenantVerbs
  extends
    LedgerVerbs,
    PaymentVerbs,
    RecurringVerbs,
    JobVerbs,
    WebhookVerbs,
    NotificationVerbs,
    OperatingVerbs,
    CronRunVerbs,
    AccessVerbs,
    AlertVerbs,
    ClockVerbs,
    ChainVerbs,
    PayoutVerbs,
    QuoteVerbs,
    GuardVerbs,
    TreasuryVerbs {
  readonly id: string;
  readonly name: string;
  /** The account of the caller, if the caller is an end user: every verb is then limited to that account. Null otherwise. */
  readonly subject: string | null;
}

/** Verbs under an idempotency key. */
export interface KeyedVerbs {
  /**
   * Runs verbs in one transaction under one idempotency key: the same key and fingerprint again return the first answer, byte for
   * byte. Only committed effects are stored; a refused request is evaluated again. If any verb is refused, the whole unit of work
   * rolls back, even if your callback catches the error; `within` your own transaction only the refused verb is undone.
   */
  idempotently<T extends Json>(request: KeyedRequest, work: (verbs: TenantVerbs) => Promise<T>): Promise<Once<T>>;
  /** Runs verbs in one transaction without a key. If any verb is refused, the whole unit of work rolls back. */
  inTransaction<T>(work: (verbs: TenantVerbs) => Promise<T>): Promise<T>;
  /** Like createPayment under `idempotently`, but grouped with other creates that arrive at the same time. */
  createPaymentGrouped(request: KeyedRequest, order: PaymentOrder, answer: AnswerWith): Promise<Once<Json>>;
}

/** The verbs of a tenant, including the grouped create. */
export type CreatingVerbs = TenantVerbs & Pick<KeyedVerbs, 'createPaymentGrouped'>;

export interface DryRuns {
  /**
   * Runs verbs in one transaction that is always rolled back: their answer, their postings and the types of their events. A refusal is
   * thrown as without it. Needs no idempotency key, joins no group, and counts in no metric of payments.
   */
  dryRun<T>(work: (verbs: CreatingVerbs) => Promise<T>): Promise<DryRun<T>>;
}

/** All verbs of one tenant. */
export interface TenantHandle extends TenantVerbs, KeyedVerbs, DryRuns {
  /** The same handle for the same actor; its changes are audited with this origin. */
  from(origin: Omit<Attribution, 'actor'>): TenantHandle;
  /**
   * The same verbs inside your own transaction (a client of pg, or the `sql` of postgres.js's `begin` or `reserve`): they commit or
   * roll back with it. Verbs that are called concurrently run one after the other, and statements that you send through the same
   * object meanwhile wait for them. A refusal undoes its own verb and leaves the transaction usable. Your isolation level applies:
   * if it is stricter than `read committed`, a verb may throw 40001, and you retry the transaction. If the tenant has a daily total
   * or an approval threshold, a verb that counts towards it requires `read committed` and throws a SetupError otherwise.
   */
  within(transaction: ForeignTransaction): TenantVerbs & KeyedVerbs & DryRuns;
  importOpeningBalances(order: Omit<ImportOrder, 'tenantId' | 'caller'>): Promise<ImportReport>;
  /**
   * Imports subscriptions of another system with their next due date. Every line is checked before anything is written: if a line
   * has a problem, nothing is written. After a crash run it again; imported lines are skipped.
   */
  importSubscriptions(order: Omit<SubscriptionImport, 'tenantId' | 'caller'>): Promise<SubscriptionImportReport>;
}

/** A tenant that a dry run has created. */
export type NewTenant = TenantVerbs & Pick<TenantHandle, 'importOpeningBalances'>;

export interface KeyedRequest {
  readonly key: string;
  /** The identity of the request: method, path, body. */
  readonly fingerprint: string;
}

/** An authenticated caller. */
export interface Authenticated {
  readonly handle: TenantHandle;
  /** Null for an end user, which has an account instead of scopes. */
  readonly key: ApiKey | null;
  readonly allowed: Allowed;
  /** How long the authentication is valid at most, in milliseconds; null if it does not expire. */
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
  /** The migrations applied at the start; null if none were requested. */
  readonly migrated: MigrationReport | null;
  /** Health and metrics. */
  readonly monitoring: Monitoring;
  /** Links to unsubscribe, which need no sign-in. */
  readonly unsubscribe: UnsubscribeVerbs;
  /** Followers of events wait here between two looks. */
  readonly wakeUps: Pick<WakeUps, 'follow' | 'isListening'>;
  createTenant(order: TenantOrder, caller?: CallerOrder): Promise<TenantHandle>;
  /** Creates a tenant, runs work on it, and rolls everything back. The verbs are valid only in the work. */
  dryRunTenant<T>(
    order: TenantOrder,
    work: (verbs: NewTenant, tenant: Tenant) => Promise<T>,
    caller?: CallerOrder,
  ): Promise<DryRun<T>>;
  tenants(): Promise<Tenant[]>;
  /**
   * Resolves an API key or a JWT to its tenant and actor. Returns null for a key that is unknown, revoked or expired, throws for an
   * invalid token, and calls `onRefused` if the refused credential belongs to a tenant. With `tenant` (id or name), only that
   * tenant's issuers are considered for a token.
   */
  authenticate(secret: string, onRefused?: OnRefused, tenant?: string): Promise<Authenticated | null>;
  /** Sessions of the dashboard. */
  readonly sessions: Sessions;
  /** Records accepted and refused sign-ins in the audit logs of the tenants. */
  recordSignIns(accepted: readonly SignIn[], refused: readonly RefusedSignIns[]): Promise<void>;
  /** Stores when keys were last used, at most once a minute for each key; returns how many were stored. */
  touchApiKeys(uses: readonly KeyUse[]): Promise<number>;
  /**
   * Creates a loop in addition to the engine's loops, observed like them: its runs are in the metrics and in `cron_runs`. The caller
   * starts and stops it.
   */
  createLoop(definition: LoopDefinition): Loop;
  /** The refs of some accounts, by id. */
  accountRefs(accounts: readonly { tenantId: Uuid; id: Uuid }[]): Promise<Map<Uuid, string>>;
  /** How long ago a loop last succeeded in any process, in milliseconds; null if it never did. */
  loopIdleMs(name: string): Promise<number | null>;
  /** The number of due payments, and when the oldest was due. */
  backlog(): Promise<{ due: number; oldest: Date | null }>;
  /**
   * A tenant by id or name. Changes through the handle are audited as made by the caller, by default `library`. An actor whose first
   * word is `key`, `user`, `schedule` or `system` (`key:…`) is refused: only the engine uses those names.
   */
  tenant(idOrName: string, caller?: CallerOrder): Promise<TenantHandle>;
  /** Checks every invariant over the whole store, and the hash chains of the audit log, against anchors if given. */
  verify(onChecked?: (result: CheckResult) => void, options?: { anchors?: readonly Anchor[] }): Promise<CheckResult[]>;
  /** The current head of every tenant's hash chain, to be stored outside the database. */
  anchors(): Promise<Anchor[]>;
  freezes(options?: { activeOnly?: boolean }): Promise<Freeze[]>;
  /** Chains of payouts and their health, which are of no tenant; and the simulated chain, to try out its faults. */
  readonly chains: ChainVerbs & { readonly sandbox: Pick<Sandbox, 'setFaults'> | null };
  /** Archives payments of every tenant that ended long enough ago, and returns their number. The loop `retention` does the same in slices. */
  archive(order: ArchiveOrder): Promise<number>;
  /** The background loops, by name. */
  readonly loops: readonly Loop[];
  /** The processors of this process. */
  readonly jobWorker: Pick<JobWorker, 'add' | 'announce' | 'processors'>;
  /** Starts all loops, or the named ones. */
  start(names?: readonly string[]): void;
  /** Stops the loops, lets running work finish, and closes the database connections. */
  close(): Promise<void>;
}
