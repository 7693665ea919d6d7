// Shared by every command: the screen, the configuration, the store and the exit code. A command opens the store of the data folder
// together with other running programs, and leaves it; the last program stops the embedded server. So an interrupted command must
// leave properly too: the first Ctrl-C asks it to stop, the second ends it at once.
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command, Config } from '../config.ts';
import { loadConfig } from '../config.ts';
import type { Anchor, Engine, EngineOptions } from '../engine.ts';
import { KEY_FILE, createEngine } from '../engine.ts';
import type { Caller } from '../kernel/index.ts';
import { SetupError, callerOf } from '../kernel/index.ts';
import { nameChosenTenant } from './chosen-tenant.ts';
import { pushMetrics } from './push-metrics.ts';
import type { Screen } from './screen.ts';
import { createScreen } from './screen.ts';
import { EXIT, report } from './trouble.ts';

export interface CommonOptions {
  readonly json?: boolean;
}

/** Returns the exit code. */
export type Action = (screen: Screen, config: Config) => Promise<number>;

export async function run(command: Command, options: CommonOptions, action: Action): Promise<void> {
  const screen = createScreen(options.json === true);
  let config: Config | null = null;
  try {
    config = loadConfig(command);
    if (command !== 'doctor') for (const warning of config.warnings) screen.notice(`usance: ${warning}`);
    process.exitCode = await action(screen, config);
  } catch (error) {
    process.exitCode = report(error, screen, config);
  }
}

/** A module of processors, from the commands with `--processors`. The others do not load the library. */
export type ProcessorModule = Pick<EngineOptions, 'presenter'> & { readonly processorFile: string };

export interface StoreOptions extends Pick<EngineOptions, 'migrate' | 'loops' | 'processor' | 'scheduler'> {
  /** Called with the anchors that a loop writes. */
  readonly onAnchor?: (anchor: Anchor) => void;
  /** Refuse a folder without a store, so that a command that only reads does not create one. */
  readonly existing?: boolean;
  /** Set by commands that can be the first: they migrate an embedded store. Your own database is migrated with "usance migrate". */
  readonly resident?: boolean;
  /** Set by commands that read contacts or secrets: they do not start without the key of stored ones. Payments move without it. */
  readonly readsSecrets?: boolean;
  /** Set by "usance dev": makes an encryption key in the data folder for a database of your own too. */
  readonly makesKey?: boolean;
  /** A module that exports processors, for the loop `jobs`, and how they see events. It runs in a child process. */
  readonly processors?: ProcessorModule | undefined;
  /** Events as the library shows them, for processors in this process. A module of processors brings its own. */
  readonly presenter?: NonNullable<EngineOptions['presenter']>;
  /** Events as the API shows them, for the commands that run the loop `webhooks`. The others do not load the library. */
  readonly webhookPresenter?: NonNullable<EngineOptions['webhooks']>['presenter'];
  /** The name of a one-shot command: subscription crons do not delay it, and it pushes its metrics when it ends. */
  readonly once?: 'scheduler' | 'processor' | 'worker';
}

/** `stop` is aborted when the command is asked to stop. */
export async function withUsance<T>(
  screen: Screen,
  config: Config,
  options: StoreOptions,
  work: (engine: Engine, stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const { databaseUrl, ownerUrl, listenUrl, dataDir, schema, poolSize } = config;
  if (databaseUrl === null && ownerUrl !== null) {
    throw new SetupError('DATABASE_OWNER_URL is set, but DATABASE_URL is not: set both, or only DATABASE_URL');
  }
  if (databaseUrl === null && options.existing && !existsSync(dataDir)) {
    throw new SetupError(
      `there is no store in ${dataDir}: create one with "usance dev" or "usance migrate" (or set USANCE_DATA_DIR or DATABASE_URL)`,
    );
  }
  const stop = stopSignal(screen);
  const engine = await createEngine({
    databaseUrl,
    ownerUrl,
    listenUrl,
    dataDir,
    schema,
    poolSize,
    migrate: options.migrate ?? (options.resident === true && databaseUrl === null),
    bounds: { maxHoldDelayMs: config.maxHoldDelayMs },
    approvalWithinMs: config.approvalWithinMs,
    executionsPerSecond: config.executionsPerSecond,
    simulateFailures: config.simulateFailures,
    allowances: config.allowances,
    shortfallHorizonMs: config.shortfallHorizonMs,
    metricsRetentionMs: config.metricsRetentionMs,
    jwt: config.jwt,
    encryption: {
      ...config.encryption,
      // Beside an embedded store; for a database of your own only "usance dev" makes it.
      keyFile: config.production ? null : join(dataDir, KEY_FILE),
      makesKey: databaseUrl === null || options.makesKey === true,
      isOptional: options.readsSecrets !== true,
    },
    longestTokenMs: config.longestTokenMs,
    sessions: config.sessions,
    outbound: config.outbound,
    notifications: config.notifications,
    chains: config.chains,
    retention: {
      idempotencyKeysMs: config.keepIdempotencyKeysMs,
      paymentsMs: config.archivePaymentsMs,
      executionsMs: config.keepExecutionsMs,
      deliveryBodiesMs: config.keepDeliveryBodiesMs,
      ownEventsMs: config.keepOwnEventsMs,
    },
    ownEventsPerDay: config.ownEventsPerDay,
    missingProcessorMs: config.missingProcessorMs,
    ...(options.presenter ? { presenter: options.presenter } : {}),
    ...(options.processors && { ...options.processors, processorFile: resolve(options.processors.processorFile) }),
    webhooks: {
      concurrency: config.webhookConcurrency,
      ...(options.webhookPresenter ? { presenter: options.webhookPresenter } : {}),
    },
    jobs: {
      concurrency: config.jobs.concurrency,
      memoryMb: config.jobs.memoryMb,
      ...(config.jobs.tenantConcurrency === null ? {} : { tenantConcurrency: config.jobs.tenantConcurrency }),
    },
    payouts: config.payouts,
    anchors: {
      file: config.anchorFile,
      everyMs: config.anchorEveryMs,
      ...(options.onAnchor ? { onAnchor: options.onAnchor } : {}),
    },
    recordRuns: options.resident === true || options.migrate === true,
    onNotice: screen.notice,
    ...(options.once ? {} : { subscriptionCrons: config.subscriptionCrons }),
    processor: { batchSize: config.batchSize, ...options.processor },
    scheduler: { batchSize: config.batchSize, ...options.scheduler },
    ...(options.loops ? { loops: options.loops } : {}),
  });
  try {
    return await work(engine, stop);
  } catch (error) {
    nameChosenTenant(engine, error);
    throw error;
  } finally {
    if (options.once) await pushMetrics(screen, config, options.once, engine);
    await engine.close();
  }
}

/** npm passes a signal on to its script although the terminal has sent it there too: one Ctrl-C arrives as two. */
const ONE_PRESS_MS = 500;

/** Aborted when the command is asked to stop. Called once in a process. */
export function stopSignal(screen: Screen): AbortSignal {
  const controller = new AbortController();
  let askedMs: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (askedMs === null) {
        askedMs = performance.now();
        controller.abort();
      } else if (signal === 'SIGINT' && performance.now() - askedMs > ONE_PRESS_MS) {
        screen.notice('usance: ended at once; nothing acknowledged is lost');
        process.exit(EXIT.interrupted);
      }
    });
  }
  return controller.signal;
}

/** The actor in the audit log for changes of a command. */
export function commandCaller(): Caller {
  return callerOf({ actor: `cli:${loginName()}` });
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
