// Options of `createUsance`. The engine has some more, for the commands and for tests.
import type {
  AllowanceOptions,
  EngineOptions,
  NotificationSettings,
  OutboundSettings,
  RunnableProcessor,
  SharedSecret,
  SubscriptionCrons,
} from '../engine.ts';
import type { LoopObserver } from '../kernel/index.ts';
import { SetupError } from '../kernel/index.ts';
import { presenterOf, wirePresenterOf } from './present.ts';
import type { JobProcessorDefinition } from './processor.ts';
import type { Anchor } from './reports.ts';
import { shownAnchor } from './reports.ts';

/** Options of `createUsance`. All of them are optional. */
export interface UsanceOptions {
  /** The connection URL of your PostgreSQL. Default: an embedded server in `dataDir`. */
  readonly databaseUrl?: string | null | undefined;
  /** The same database as the owner of the schema; only migrations use it. Default: `databaseUrl`. */
  readonly ownerUrl?: string | null;
  /**
   * The same database for the connection that listens for wake-ups of other processes: the server itself, not a connection pooler in
   * transaction mode. `none`: no such connection, loops and followers of events poll. Default: `databaseUrl`.
   */
  readonly listenUrl?: string | null;
  /** The folder of the embedded server. Default `.usance`. */
  readonly dataDir?: string;
  /** The schema of the tables. Default `usance`. */
  readonly schema?: string;
  /** Maximum number of connections. Default 10. */
  readonly poolSize?: number;
  /**
   * How long a transaction of the engine may be idle before the server ends it and frees its locks, in milliseconds: the bound on how long a
   * process that was stopped, or whose machine vanished, delays the payments that it was working on. Default 10,000.
   */
  readonly idleLimitMs?: number;
  /** Whether to apply migrations first. Default: true for the embedded server, false for your own. */
  readonly migrate?: boolean;
  /** Called with lines that an operator should see. Default: none. */
  readonly onNotice?: (line: string) => void;
  /** Bounds of new payments. Default: those of its members. */
  readonly bounds?: PaymentBounds;
  /** How long a payment awaits the approval of a second person before it expires, in milliseconds. Default: seven days. */
  readonly approvalWithinMs?: number;
  /** Batches of the loop that executes due payments. Default: those of its members. */
  readonly processor?: BatchOptions;
  /** Batches of the loop that creates the payments of schedules. Default: those of its members. */
  readonly scheduler?: BatchOptions;
  /** Bounds of test clocks. Default: those of its members. */
  readonly clocks?: ClockOptions;
  /** Attempts of allowance credits. Default: those of its members. */
  readonly allowances?: AllowanceOptions;
  /** Cron expressions in UTC for the charges of subscriptions. Default: charges are created and attempted when due. */
  readonly subscriptionCrons?: SubscriptionCrons;
  /** How far ahead `account.shortfall_expected` is emitted, in milliseconds. Default: three days. */
  readonly shortfallHorizonMs?: number;
  /** Maximum number of creates in one transaction; 1 disables grouping. Default 256. */
  readonly maxGroup?: number;
  /**
   * Maximum number of payments per second of each live tenant without its own cap (`executionCap.set`), over all processes that have the
   * same value. Default: none.
   */
  readonly executionsPerSecond?: number | null;
  /** Number of first attempts of every payment that fail, to try out retries. Refused if NODE_ENV is production. Default 0. */
  readonly simulateFailures?: number;
  /** How long metrics are kept in the database, in milliseconds. Default: two days. */
  readonly metricsRetentionMs?: number;
  /** How often, and where, the heads of the audit log's hash chains are written. Default: once an hour, to `onAnchor` only. */
  readonly anchors?: AnchorOptions;
  /** How long idempotency keys, ended payments, executions and the data of own events are kept. Default: those of its members. */
  readonly retention?: RetentionOptions;
  /** The code that jobs run, by name. This process announces it, and runs it once `start` is called. Default: none. */
  readonly processors?: readonly JobProcessorDefinition[];
  /** Limits of the executions that this process runs. Default: those of its members. */
  readonly jobs?: JobLimits;
  /** Limits of the loop `webhooks`. Default: those of its members. */
  readonly webhooks?: WebhookLimits;
  /** How long no worker may have a processor before executions that were due all that time fail, in milliseconds. Default: an hour. */
  readonly missingProcessorMs?: number;
  /** How many events of its own a tenant can append a day (`events.append`); 0: no limit. Default: a million. */
  readonly ownEventsPerDay?: number;
  /** Callbacks for the runs of the background loops. Default: none. */
  readonly loops?: LoopObserver;
  /** Whether to record the runs of every loop in `cron_runs`. Default false. */
  readonly recordRuns?: boolean;
  /** The secret that signs tokens of the first tenant's end users, beside the issuers that tenants name. Default: none. */
  readonly jwt?: SharedSecret | null;
  /** Keys that encrypt contacts of accounts, secrets and headers of webhook endpoints, URLs and secrets of notification channels in the database. Default: those of its members. */
  readonly encryption?: EncryptionKeys;
  /** The longest time between `iat` and `exp` of an end user's token, in milliseconds. Default: a day. */
  readonly longestTokenMs?: number;
  /** Connections to destinations that tenants choose. Default: those of its members. */
  readonly outbound?: OutboundSettings;
  /** Messages to operators, and the mail server. Default: those of its members. */
  readonly notifications?: NotificationSettings;
  /** Chains of payouts. Default: those of its members. */
  readonly chains?: ChainSettings;
}

/** The price of an asset, as a source gave it. */
export interface ObservedPrice {
  /** US dollars for one whole unit. */
  readonly usd: number;
  /** When the source observed it. */
  readonly observedAt: Date;
}

/** Chains of payouts, and how their health is measured. */
export interface ChainSettings {
  /** Whether to use the simulated chain `sandbox`. Refused if NODE_ENV is production. Default false. */
  readonly sandbox?: boolean;
  /**
   * Prices of the assets in which chains take fees, in US dollars for one whole unit: fixed by asset code, or a function that asks a source of yours. They only
   * compare chains. A price counts for five minutes after `observedAt`; a chain without one is not chosen. The function
   * returns null if it has none; one that throws or takes longer than ten seconds has none either. Default: 1 for `SBX`, the fee asset of the sandbox.
   */
  readonly prices?: Readonly<Record<string, number>> | ((assetCode: string) => Promise<ObservedPrice | null>);
  /** Time between two snapshots of the health of a chain, in milliseconds. Older than three intervals, a snapshot counts as unhealthy. Default 15,000. */
  readonly measureEveryMs?: number;
  /** How long snapshots are kept, in milliseconds. Default: seven days. */
  readonly keepHealthMs?: number;
}

/** Keys of values that are stored encrypted. */
export interface EncryptionKeys {
  /**
   * 32 random bytes in base64 or hexadecimal digits, the same in every process. Default: outside production an embedded server has its own, in
   * `dataDir`; otherwise none, and nothing that is stored encrypted can be created.
   */
  readonly key?: string | null | undefined;
  /** The key before, during a rotation: its values are still read, and the loop `encrypt` encrypts them again. Default: none. */
  readonly previousKey?: string | null | undefined;
}

/** Bounds of new payments. */
export interface PaymentBounds {
  /** How far ahead the instant of a payment that reserves funds may be, in milliseconds. Default: seven days. */
  readonly maxHoldDelayMs?: number;
}

/** Batches of a loop. */
export interface BatchOptions {
  /** Payments or schedules in one transaction: 1 to 10,000. Default 1,000. */
  readonly batchSize?: number;
  /** Concurrent batches. Default 2. */
  readonly lanes?: number;
}

/** Limits of the executions that a process runs. */
export interface JobLimits {
  /** Executions that run at the same time, 1 to 10,000. Default 50. */
  readonly concurrency?: number;
  /** Executions of one tenant that run at the same time. Default: `concurrency`. */
  readonly tenantConcurrency?: number;
  /** How long `close` waits for running executions before it aborts them and gives them back, in milliseconds. Default 10,000. */
  readonly drainMs?: number;
}

/** Limits of the deliveries to webhook endpoints that a process sends. */
export interface WebhookLimits {
  /** Deliveries that are sent at the same time, 1 to 10,000. Default 100. */
  readonly concurrency?: number;
}

/** Bounds of test clocks. */
export interface ClockOptions {
  /** Maximum number of steps of one advance. Default 100,000. */
  readonly maxSteps?: number;
}

/** Anchors: heads of the hash chains, stored outside the database. */
export interface AnchorOptions {
  /** A file to which anchors are appended. Default null: none. */
  readonly file?: string | null;
  /** The interval in milliseconds. Default: an hour. */
  readonly everyMs?: number;
  /** Called with each anchor. Default: none. */
  readonly onAnchor?: (anchor: Anchor) => void;
}

/** How long data is kept. */
export interface RetentionOptions {
  /** How long an idempotency key keeps its result, in milliseconds. Afterwards it is a new key. Default: 30 days. */
  readonly idempotencyKeysMs?: number;
  /** How long after its end, and its last refund, a payment is archived, in milliseconds; null: never. Default: two years. */
  readonly paymentsMs?: number | null;
  /** How long executions of jobs are kept after their end, in milliseconds, at least a day; null: for ever. Default: 90 days. */
  readonly executionsMs?: number | null;
  /** How long responses to deliveries are kept, in milliseconds, at least an hour; null: as long as executions. Default: 30 days. */
  readonly deliveryBodiesMs?: number | null;
  /** How long the data of own events (`events.append`) are kept, in milliseconds; then they are erased. Null: for ever. Default null. */
  readonly ownEventsMs?: number | null;
}

export function engineOptions({ anchors, processors, chains, ...options }: UsanceOptions): EngineOptions {
  const running = {
    ...options,
    ...(chains && { chains: chainSetup(chains) }),
    processors: runnable(processors ?? []),
    presenter: presenterOf,
    webhooks: { ...options.webhooks, presenter: wirePresenterOf },
  };
  if (anchors === undefined) return running;
  const { onAnchor, ...where } = anchors;
  return {
    ...running,
    anchors: onAnchor ? { ...where, onAnchor: (anchor) => onAnchor(shownAnchor(anchor)) } : where,
  };
}

/** Prices that are wrong are no prices: the health loop refuses them one by one. */
function chainSetup({ prices, ...chains }: ChainSettings): NonNullable<EngineOptions['chains']> {
  if (prices === undefined) return chains;
  return typeof prices === 'function'
    ? { ...chains, prices: { priceOf: (asset) => prices(asset) } }
    : { ...chains, fixedPrices: prices };
}

/** The types say it; a caller without types can give anything. */
function runnable(processors: readonly JobProcessorDefinition[]): RunnableProcessor[] {
  return processors.map(({ name, description, processor }) => {
    if (typeof processor !== 'function') throw new SetupError(`the processor "${name}" has no function \`processor\``);
    return { name, description, run: processor as (...given: readonly unknown[]) => unknown };
  });
}
