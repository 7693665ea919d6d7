// Options and environment, validated once and frozen. The table in config-variables.ts is the reference: every variable that the
// program reads is a row there, no other file reads process.env, and .env.example and docs/reference/configuration.md are generated
// from it. The variables that a command requires in production are a column: a processor does not require variables of HTTP.
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { LogLevel, SharedSecret, SmtpConfig } from './config-values.ts';
import {
  MOST_A_DAY,
  MOST_A_MINUTE,
  MOST_IN_A_BATCH,
  archiveAge,
  checkedCron,
  checkedEncryption,
  checkedFormat,
  checkedJwt,
  checkedKey,
  checkedLevel,
  checkedListenUrl,
  checkedMetricsFile,
  checkedOrigin,
  checkedSwitch,
  checkedPrices,
  checkedTolerance,
  checkedProxy,
  checkedPushUrl,
  checkedSchema,
  checkedSessions,
  checkedSmtp,
  checkedUrl,
  checkedWebUrl,
  confirmEvery,
  duration,
  keepAge,
  optionalNumber,
  pathOrNull,
  wholeNumber,
} from './config-values.ts';
import type { Command, Variable, VariableName } from './config-variables.ts';
import { unreadVariables } from './config-unread.ts';
import { VARIABLES } from './config-variables.ts';
import { MAX_EXECUTIONS_PER_SECOND, SetupError } from './kernel/index.ts';

export { VARIABLES } from './config-variables.ts';
export type { Command, Variable, VariableName } from './config-variables.ts';
export { LOG_LEVELS, archiveAge } from './config-values.ts';
export type { LogLevel } from './config-values.ts';

export interface Config {
  readonly production: boolean;
  readonly databaseUrl: string | null;
  /** Only where it is set: see databaseUrl otherwise. */
  readonly ownerUrl: string | null;
  /** Null: databaseUrl. `none`: wake-ups are not listened for. */
  readonly listenUrl: string | null;
  readonly dataDir: string;
  readonly schema: string;
  readonly poolSize: number;
  /** The API that commands over HTTP ask. Null: `host` and `port`. */
  readonly apiUrl: string | null;
  readonly port: number;
  readonly host: string;
  /** Null: no separate port. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly metricsRetentionMs: number;
  /** Null: a one-shot command writes no file. */
  readonly metricsFile: string | null;
  /** Null: a one-shot command pushes nothing. */
  readonly metricsPushUrl: string | null;
  readonly drainMs: number;
  /** The bootstrap key, where an operator chose one. */
  readonly apiKey: string | null;
  /** Null where there is no JWT_SECRET. */
  readonly jwt: SharedSecret | null;
  readonly longestTokenMs: number;
  /** Null where none is set. */
  readonly encryption: { readonly key: string | null; readonly previousKey: string | null };
  readonly sessions: { readonly idleMs: number; readonly lifetimeMs: number };
  readonly rateLimits: { readonly perKey: number; readonly perUser: number; readonly perAddress: number };
  readonly connectionsPerAddress: number;
  readonly streamsPerTenant: number;
  readonly streamsPerKey: number;
  readonly trustedProxies: readonly string[];
  readonly origins: readonly string[];
  readonly maxHoldDelayMs: number;
  readonly approvalWithinMs: number;
  readonly allowances: { readonly maxAttempts: number; readonly retryDelayMs: number };
  readonly batchSize: number;
  readonly shortfallHorizonMs: number;
  /** Null: at their own time. */
  readonly subscriptionCrons: { readonly scheduler: string | null; readonly processor: string | null };
  /** Null: no cap but the tenants' own. */
  readonly executionsPerSecond: number | null;
  readonly simulateFailures: number;
  /** Null: only to the log. */
  readonly anchorFile: string | null;
  readonly anchorEveryMs: number;
  readonly keepIdempotencyKeysMs: number;
  /** Null: never. */
  readonly archivePaymentsMs: number | null;
  /** Null: for ever. */
  readonly keepExecutionsMs: number | null;
  /** Null: as long as executions. */
  readonly keepDeliveryBodiesMs: number | null;
  readonly webhookConcurrency: number;
  readonly missingProcessorMs: number;
  readonly jobs: {
    readonly concurrency: number;
    /** Null: as `concurrency`. */
    readonly tenantConcurrency: number | null;
    readonly memoryMb: number;
  };
  readonly outbound: {
    /** Whether `http:` and loopback addresses are admitted as destinations. */
    readonly loopback: boolean;
    readonly allow: readonly string[];
    /** Null: direct connections. */
    readonly proxy: string | null;
  };
  readonly notifications: {
    /** Null: messages have no links. */
    readonly dashboardUrl: string | null;
    /** Null: no e-mail. */
    readonly smtp: SmtpConfig | null;
  };
  readonly chains: {
    readonly sandbox: boolean;
    readonly measureEveryMs: number;
    /** US dollars for one whole unit, by asset code. */
    readonly fixedPrices: Readonly<Record<string, number>>;
    readonly keepHealthMs: number;
    readonly feeTolerance: { readonly share: number; readonly usd: number; readonly policy: 'requote' | 'fail' };
  };
  readonly payouts: { readonly confirmEveryMs: number };
  readonly keepOwnEventsMs: number | null;
  /** 0: no limit. */
  readonly ownEventsPerDay: number;
  readonly logFormat: 'pretty' | 'json';
  readonly logLevel: LogLevel;
  /** Variables that are set and that nothing reads: mistyped ones, and those of parts that do not exist yet. */
  readonly warnings: readonly string[];
}

/** The environment, with a `.env` file of the working folder under it. */
export function readEnvironment(folder = process.cwd()): NodeJS.ProcessEnv {
  let file: NodeJS.Dict<string> = {};
  try {
    file = parseEnv(readFileSync(resolve(folder, '.env'), 'utf8'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return { ...file, ...process.env };
}

export function isProduction(environment: NodeJS.ProcessEnv = readEnvironment()): boolean {
  return environment['NODE_ENV']?.trim() === 'production';
}

/** Reads the environment of the process, without `.env`: for the library. */
export const runsInProduction = (): boolean => isProduction(process.env);

export function loadConfig(command: Command, environment: NodeJS.ProcessEnv = readEnvironment()): Config {
  const given = (name: VariableName): string | null => environment[name]?.trim() || null;
  const production = isProduction(environment);
  const text = (name: VariableName): string | null => given(name) ?? defaultOf(name, production);
  const perMinute = (name: VariableName): number => wholeNumber(name, text(name), 0, MOST_A_MINUTE);
  const streamsPerTenant = wholeNumber('USANCE_TENANT_STREAMS', text('USANCE_TENANT_STREAMS'), 1, 200);
  const config = Object.freeze({
    production,
    databaseUrl: checkedUrl('DATABASE_URL', text('DATABASE_URL')),
    ownerUrl: checkedUrl('DATABASE_OWNER_URL', text('DATABASE_OWNER_URL')),
    listenUrl: checkedListenUrl('USANCE_LISTEN_URL', text('USANCE_LISTEN_URL')),
    dataDir: resolve(text('USANCE_DATA_DIR') ?? '.usance'),
    schema: checkedSchema(text('USANCE_SCHEMA') ?? 'usance'),
    poolSize: wholeNumber('USANCE_POOL_SIZE', text('USANCE_POOL_SIZE'), 1, 1000),
    apiUrl: text('USANCE_URL'),
    port: wholeNumber('PORT', text('PORT'), 0, 65_535),
    host: text('HOST') ?? '127.0.0.1',
    metricsPort: given('METRICS_PORT') === null ? null : wholeNumber('METRICS_PORT', given('METRICS_PORT'), 0, 65_535),
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    metricsRetentionMs: duration('USANCE_METRICS_RETENTION', text('USANCE_METRICS_RETENTION')),
    metricsFile: checkedMetricsFile('USANCE_METRICS_FILE', text('USANCE_METRICS_FILE')),
    metricsPushUrl: checkedPushUrl('USANCE_METRICS_PUSH_URL', text('USANCE_METRICS_PUSH_URL')),
    drainMs: wholeNumber('USANCE_DRAIN_SECONDS', text('USANCE_DRAIN_SECONDS'), 0, 300) * 1_000,
    apiKey: checkedKey(text('USANCE_API_KEY')),
    jwt: checkedJwt(text('JWT_SECRET'), text('JWT_SECRET_PREVIOUS'), {
      audience: text('JWT_AUDIENCE') ?? 'usance',
      issuer: text('JWT_ISSUER'),
    }),
    encryption: checkedEncryption(text('USANCE_ENCRYPTION_KEY'), text('USANCE_ENCRYPTION_KEY_PREVIOUS'), production),
    longestTokenMs: duration('USANCE_TOKEN_LIFETIME', text('USANCE_TOKEN_LIFETIME')),
    sessions: checkedSessions(
      duration('USANCE_SESSION_IDLE', text('USANCE_SESSION_IDLE')),
      duration('USANCE_SESSION_LIFETIME', text('USANCE_SESSION_LIFETIME')),
    ),
    rateLimits: Object.freeze({
      perKey: perMinute('USANCE_KEY_REQUESTS_PER_MINUTE'),
      perUser: perMinute('USANCE_USER_REQUESTS_PER_MINUTE'),
      perAddress: perMinute('USANCE_ADDRESS_REQUESTS_PER_MINUTE'),
    }),
    connectionsPerAddress: wholeNumber('USANCE_ADDRESS_CONNECTIONS', text('USANCE_ADDRESS_CONNECTIONS'), 0, 10_000),
    streamsPerTenant,
    streamsPerKey: wholeNumber(
      'USANCE_KEY_STREAMS',
      text('USANCE_KEY_STREAMS') ?? String(Math.ceil(streamsPerTenant / 2)),
      1,
      200,
    ),
    trustedProxies: Object.freeze(
      (text('TRUSTED_PROXIES') ?? '').split(',').flatMap((one) => checkedProxy(one.trim())),
    ),
    origins: Object.freeze((text('FRONTEND_URL') ?? '').split(',').flatMap((one) => checkedOrigin(one.trim()))),
    maxHoldDelayMs: duration('USANCE_MAX_HOLD_DELAY', text('USANCE_MAX_HOLD_DELAY')),
    approvalWithinMs: duration('USANCE_APPROVAL_WITHIN', text('USANCE_APPROVAL_WITHIN')),
    allowances: Object.freeze({
      maxAttempts: wholeNumber('ALLOWANCE_MAX_RETRIES', text('ALLOWANCE_MAX_RETRIES'), 1, 100),
      retryDelayMs: wholeNumber('ALLOWANCE_RETRY_DELAY_MS', text('ALLOWANCE_RETRY_DELAY_MS'), 1_000, 86_400_000),
    }),
    batchSize: wholeNumber('USANCE_BATCH_SIZE', text('USANCE_BATCH_SIZE'), 1, MOST_IN_A_BATCH),
    shortfallHorizonMs: duration('USANCE_SHORTFALL_HORIZON', text('USANCE_SHORTFALL_HORIZON')),
    subscriptionCrons: Object.freeze({
      scheduler: checkedCron('SCHEDULER_CRON', text('SCHEDULER_CRON')),
      processor: checkedCron('PROCESSOR_CRON', text('PROCESSOR_CRON')),
    }),
    executionsPerSecond: optionalNumber(
      'USANCE_EXECUTIONS_PER_SECOND',
      text('USANCE_EXECUTIONS_PER_SECOND'),
      1,
      MAX_EXECUTIONS_PER_SECOND,
    ),
    simulateFailures: wholeNumber('USANCE_SIMULATE_FAILURES', text('USANCE_SIMULATE_FAILURES'), 0, 100),
    anchorFile: pathOrNull(text('USANCE_ANCHOR_FILE')),
    keepIdempotencyKeysMs: duration('USANCE_KEEP_IDEMPOTENCY_KEYS', text('USANCE_KEEP_IDEMPOTENCY_KEYS')),
    archivePaymentsMs: archiveAge('USANCE_ARCHIVE_PAYMENTS_AFTER', text('USANCE_ARCHIVE_PAYMENTS_AFTER')),
    keepExecutionsMs: keepAge('USANCE_KEEP_EXECUTIONS', text('USANCE_KEEP_EXECUTIONS')),
    keepDeliveryBodiesMs: keepAge('USANCE_KEEP_DELIVERY_BODIES', text('USANCE_KEEP_DELIVERY_BODIES')),
    webhookConcurrency: wholeNumber('USANCE_WEBHOOK_CONCURRENCY', text('USANCE_WEBHOOK_CONCURRENCY'), 1, 10_000),
    jobs: Object.freeze({
      concurrency: wholeNumber('USANCE_JOB_CONCURRENCY', text('USANCE_JOB_CONCURRENCY'), 1, 10_000),
      tenantConcurrency: optionalNumber(
        'USANCE_JOB_TENANT_CONCURRENCY',
        text('USANCE_JOB_TENANT_CONCURRENCY'),
        1,
        10_000,
      ),
      memoryMb: wholeNumber('USANCE_PROCESSOR_MEMORY_MB', text('USANCE_PROCESSOR_MEMORY_MB'), 64, 1_048_576),
    }),
    missingProcessorMs: duration('USANCE_MISSING_PROCESSOR_AFTER', text('USANCE_MISSING_PROCESSOR_AFTER')),
    keepOwnEventsMs: keepAge('USANCE_KEEP_OWN_EVENTS', text('USANCE_KEEP_OWN_EVENTS')),
    ownEventsPerDay: wholeNumber('USANCE_OWN_EVENTS_PER_DAY', text('USANCE_OWN_EVENTS_PER_DAY'), 0, MOST_A_DAY),
    outbound: Object.freeze({
      loopback: checkedSwitch('USANCE_OUTBOUND_LOOPBACK', text('USANCE_OUTBOUND_LOOPBACK')) ?? command === 'dev',
      allow: Object.freeze(
        (text('USANCE_OUTBOUND_ALLOW') ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
      ),
      proxy: text('USANCE_EGRESS_PROXY'),
    }),
    notifications: Object.freeze({
      dashboardUrl: checkedWebUrl('USANCE_DASHBOARD_URL', text('USANCE_DASHBOARD_URL')),
      smtp: checkedSmtp({
        url: text('USANCE_SMTP_URL'),
        from: text('USANCE_EMAIL_FROM'),
        publicUrl: checkedWebUrl('USANCE_PUBLIC_URL', text('USANCE_PUBLIC_URL')),
        perDay: wholeNumber('USANCE_EMAILS_PER_DAY', text('USANCE_EMAILS_PER_DAY'), 0, MOST_A_DAY),
        production,
      }),
    }),
    chains: Object.freeze({
      // Beside "usance dev", whose store has no address, commands that ask a chain or advance a clock are on its simulated chain.
      sandbox:
        checkedSwitch('USANCE_SANDBOX', text('USANCE_SANDBOX')) ??
        (command === 'dev' || ((command === 'payouts' || command === 'test-clocks') && text('DATABASE_URL') === null)),
      measureEveryMs: wholeNumber('METRICS_INTERVAL_MS', text('METRICS_INTERVAL_MS'), 1_000, 3_600_000),
      fixedPrices: checkedPrices('USANCE_PRICES', text('USANCE_PRICES')),
      keepHealthMs: duration('USANCE_KEEP_CHAIN_HEALTH', text('USANCE_KEEP_CHAIN_HEALTH')),
      feeTolerance: checkedTolerance(text('USANCE_FEE_TOLERANCE'), text('USANCE_FEE_POLICY')),
    }),
    payouts: Object.freeze({
      confirmEveryMs: confirmEvery('USANCE_CONFIRM_EVERY', text('USANCE_CONFIRM_EVERY')),
    }),
    anchorEveryMs: duration('USANCE_ANCHOR_EVERY', text('USANCE_ANCHOR_EVERY')),
    logFormat: checkedFormat(text('LOG_FORMAT') ?? (production ? 'json' : 'pretty')),
    logLevel: checkedLevel(text('LOG_LEVEL')),
    warnings: Object.freeze(unreadVariables(environment)),
  });
  const problems = productionProblems([command], environment);
  if (problems.length > 0) throw new SetupError(problems.join('\n'));
  if (
    !production &&
    (command === 'dev' || command === 'api') &&
    !isLoopback(config.host) &&
    given('USANCE_EXPOSE_DEV') !== '1'
  ) {
    throw new SetupError(
      `HOST=${config.host} outside production opens a demo tenant and its admin key to other machines: set NODE_ENV=production, or USANCE_EXPOSE_DEV=1 if that is what you want`,
    );
  }
  const shared = config.metricsPort !== null && config.metricsPort !== 0 && config.metricsPort === config.port;
  if (shared && (command === 'dev' || command === 'api')) {
    throw new SetupError('METRICS_PORT must not be PORT: leave it unset to see /metrics on PORT from this machine');
  }
  return config;
}

/** A name other than localhost is looked up only when the port is opened, so it counts as reachable. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Everything that keeps commands from starting in this environment where NODE_ENV is production: all of it at once. */
export function productionProblems(
  commands: readonly Command[],
  environment: NodeJS.ProcessEnv = readEnvironment(),
): string[] {
  if (!isProduction(environment)) return [];
  if (commands.includes('dev')) {
    return [
      '"usance dev" and "usance demo" are for trying out; with NODE_ENV=production run "usance api", "usance processor" and "usance worker", which also runs the scheduler',
    ];
  }
  return VARIABLES.flatMap(({ name, ...row }: Variable) => {
    const value = environment[name]?.trim() || null;
    if (value === null) {
      const stopped = commands.filter((command) => row.neededBy?.includes(command));
      const which = stopped.map((command) => `"usance ${command}"`).join(', ');
      return which === '' ? [] : [`${name} is not set, and NODE_ENV=production does not start ${which} without it`];
    }
    if (row.secret && value === row.example)
      return [`${name} is the placeholder of .env.example, which NODE_ENV=production refuses: choose your own`];
    return row.notInProduction && value !== '0' ? [refusedInProduction(name)] : [];
  });
}

interface FitOptions {
  readonly simulateFailures?: number;
  readonly processor?: { readonly batchSize?: number };
  readonly scheduler?: { readonly batchSize?: number };
  readonly ownEventsPerDay?: number;
  readonly retention?: { readonly ownEventsMs?: number | null };
  readonly outbound?: { readonly loopback?: boolean };
  readonly chains?: { readonly sandbox?: unknown };
  readonly notifications?: { readonly smtp?: SmtpConfig | null };
}

/** The library refuses as an option what a command refuses as a variable. It reads the environment of the process, and no `.env`. */
export function requireFitOptions(
  {
    simulateFailures = 0,
    processor = {},
    scheduler = {},
    ownEventsPerDay = 0,
    retention = {},
    outbound = {},
    chains = {},
    notifications: { smtp = null } = {},
  }: FitOptions,
  environment: NodeJS.ProcessEnv = process.env,
): void {
  const development = {
    simulateFailures: simulateFailures !== 0,
    'outbound.loopback': outbound.loopback === true,
    'chains.sandbox': Boolean(chains.sandbox),
  };
  for (const [name, isSet] of Object.entries(development))
    if (isSet && isProduction(environment)) throw new SetupError(refusedInProduction(name));
  for (const [name, { batchSize = 1 }] of Object.entries({ processor, scheduler })) {
    if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MOST_IN_A_BATCH)
      throw new SetupError(`${name}.batchSize must be a whole number from 1 to ${MOST_IN_A_BATCH}`);
  }
  wholeNumber('ownEventsPerDay', String(ownEventsPerDay), 0, MOST_A_DAY);
  if (smtp !== null) {
    const publicUrl = checkedWebUrl('notifications.smtp.publicUrl', smtp.publicUrl);
    wholeNumber('notifications.smtp.perDay', String(smtp.perDay ?? 0), 0, MOST_A_DAY);
    checkedSmtp({ url: smtp.url, from: smtp.from, publicUrl, production: isProduction(environment) });
  }
  // A mistake here erases everything.
  if (!((retention.ownEventsMs ?? 1) > 0)) throw new SetupError('retention.ownEventsMs must be positive, or null');
}

const refusedInProduction = (name: string): string => `${name} is set, which NODE_ENV=production refuses`;

function defaultOf(name: VariableName, production: boolean): string | null {
  const row: Variable | undefined = VARIABLES.find((variable) => variable.name === name);
  return (production ? row?.productionDefault : undefined) ?? row?.default ?? null;
}

/** Variables that npm sets for the script that it runs: not settings of usance, and not set by a user. */
export function npmVariables(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('npm_')));
}
