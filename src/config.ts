// Options and environment, validated once and frozen. This table is the reference of variables: every variable the
// program reads is a row here, nothing else in the project looks at process.env, and .env.example and
// docs/reference/configuration.md are written from it. What a command needs in production is a column: a processor is not
// held up by what only HTTP wants.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { LogLevel, SharedSecret } from './config-values.ts';
import {
  MOST_A_MINUTE,
  archiveAge,
  checkedFormat,
  checkedJwt,
  checkedKey,
  checkedLevel,
  checkedOrigin,
  checkedProxy,
  checkedSchema,
  checkedUrl,
  duration,
  pathOrNull,
  wholeNumber,
} from './config-values.ts';
import { SetupError } from './kernel/index.ts';

/** The commands that open a store. `doctor` is not among them: it has to come up to say what is missing. */
const ON_A_STORE = [
  'api',
  'processor',
  'scheduler',
  'upcoming',
  'worker',
  'verify',
  'import',
  'freezes',
  'payments',
  'dlq',
  'outages',
  'keys',
  'clocks',
  'audit',
  'archive',
] as const;
export type Command = (typeof ON_A_STORE)[number] | 'dev' | 'migrate' | 'doctor';

export interface Variable {
  readonly name: string;
  /** Who reads it. */
  readonly for: string;
  readonly default: string | null;
  readonly says: string;
  /** Commands that do not start without it where NODE_ENV is production. */
  readonly neededBy?: readonly Command[];
  /** No command starts with it where NODE_ENV is production. */
  readonly notInProduction?: true;
  /** What somebody might write, where the default does not show it. */
  readonly example?: string;
}

export const VARIABLES = [
  {
    name: 'NODE_ENV',
    for: 'every command',
    default: 'development',
    says: '"production" refuses what is only fit for trying out, logs JSON, and makes "npm start" the API alone.',
    example: 'production',
  },
  {
    name: 'DATABASE_URL',
    for: 'every command',
    default: null,
    says: 'Your own PostgreSQL, 15 or newer. Unset: an embedded server in USANCE_DATA_DIR.',
    neededBy: ON_A_STORE,
    example: 'postgres://usance_app:password@localhost:5432/app',
  },
  {
    name: 'DATABASE_OWNER_URL',
    for: 'migrate',
    default: null,
    says: 'The same database as the owner of the schema, so that DATABASE_URL can be a role that cannot rewrite history. Unset: DATABASE_URL.',
    example: 'postgres://usance_owner:password@localhost:5432/app',
  },
  {
    name: 'USANCE_DATA_DIR',
    for: 'the embedded server',
    default: '.usance',
    says: 'Folder of the embedded server: its data, password and log, and the API key that "usance dev" made.',
  },
  {
    name: 'USANCE_SCHEMA',
    for: 'every command',
    default: 'usance',
    says: 'Schema that holds everything. One database can hold several.',
  },
  {
    name: 'USANCE_POOL_SIZE',
    for: 'every command',
    default: '10',
    says: 'Connections at most per process.',
  },
  {
    name: 'PORT',
    for: 'dev, api, doctor',
    default: '3001',
    says: 'Port of HTTP. 0: any that is free.',
  },
  {
    name: 'HOST',
    for: 'dev, api, doctor',
    default: '127.0.0.1',
    says: 'Address the port is opened on. 0.0.0.0: every address of this machine.',
  },
  {
    name: 'METRICS_PORT',
    for: 'dev, api, scheduler, processor, worker, doctor',
    default: null,
    says: 'Port of /health, /ready and /metrics, asked without a key. Unset: a scheduler, processor or worker serves none; dev and api show /metrics on PORT to this machine alone, and in production to nobody. 0: any that is free.',
    example: '9464',
  },
  {
    name: 'METRICS_HOST',
    for: 'dev, api, scheduler, processor, worker, doctor',
    default: null,
    says: 'Address METRICS_PORT is opened on. Unset: HOST.',
    example: '0.0.0.0',
  },
  {
    name: 'USANCE_METRICS_RETENTION',
    for: 'dev, api, scheduler, processor, worker',
    default: '2d',
    says: 'How long the table system_metrics keeps what was counted: 12h, 7d, P7D.',
  },
  {
    name: 'USANCE_DRAIN_SECONDS',
    for: 'dev, api, scheduler, processor, worker',
    default: '0',
    says: 'Asked to stop, how long /ready is red before nothing new is accepted or begun. A load balancer needs a few seconds to notice.',
  },
  {
    name: 'USANCE_API_KEY',
    for: 'dev, api',
    default: null,
    says: 'An API key of your choice for the first tenant, 24 to 200 printable characters. Unset: "usance dev" makes one and keeps it in USANCE_DATA_DIR.',
    example: 'choose-24-or-more-characters',
  },
  {
    name: 'JWT_SECRET',
    for: 'dev, api',
    default: null,
    says: 'Signs tokens of the first tenant’s end users (HS256), at least 32 characters. Unset: only issuers that tenants name are believed.',
    neededBy: ['api'],
    example: 'choose-32-or-more-random-characters',
  },
  {
    name: 'JWT_AUDIENCE',
    for: 'dev, api',
    default: 'usance',
    says: 'What has to be among `aud` of a token signed with JWT_SECRET: one made for something else is refused.',
  },
  {
    name: 'JWT_ISSUER',
    for: 'dev, api',
    default: null,
    says: 'What has to be `iss` of a token signed with JWT_SECRET. Unset: it is not asked for.',
    example: 'https://login.example.com/',
  },
  {
    name: 'USANCE_KEY_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '60000',
    says: 'Requests a minute of one API key, counted by each process for itself. 0: no limit.',
  },
  {
    name: 'USANCE_USER_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '300',
    says: 'Requests a minute of one end user, counted by each process for itself. 0: no limit.',
  },
  {
    name: 'USANCE_ADDRESS_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '600',
    says: 'Requests a minute from one address without a key or token that is good, counted by each process for itself; IPv6 by networks of 64 bits. 0: no limit.',
  },
  {
    name: 'TRUSTED_PROXIES',
    for: 'dev, api',
    default: null,
    says: 'Addresses and networks of your own proxies, with commas between: the address of a request is then the last in X-Forwarded-For that is none of them. Unset: the other end of the connection.',
    example: '10.0.0.0/8, 127.0.0.1',
  },
  {
    name: 'FRONTEND_URL',
    for: 'dev, api',
    default: null,
    says: 'Origins whose pages may ask from a browser, with commas between. Unset: none may.',
    example: 'https://app.example.com',
  },
  {
    name: 'USANCE_MAX_HOLD_DELAY',
    for: 'dev, api',
    default: '7d',
    says: 'How far ahead a payment that reserves its funds may lie: 48h, 7d, P7D.',
  },
  {
    name: 'ALLOWANCE_MAX_RETRIES',
    for: 'dev, api',
    default: '5',
    says: 'How often an allowance is tried in all before it is a dead letter, the first time included: 1 to 100. Allowances that are made keep it.',
  },
  {
    name: 'ALLOWANCE_RETRY_DELAY_MS',
    for: 'dev, api',
    default: '600000',
    says: 'Milliseconds from a failed try to the next, from a minute (60000) to a day (86400000).',
  },
  {
    name: 'USANCE_SIMULATE_FAILURES',
    for: 'dev, processor, worker',
    default: '0',
    says: 'Fail this many first attempts of every payment, to see retries at work.',
    notInProduction: true,
  },
  {
    name: 'USANCE_ANCHOR_FILE',
    for: 'dev, worker, audit',
    default: null,
    says: 'File to which the ends of the chains of the record are appended. Kept where the database’s owner cannot change it, it shows any change of the record: "usance verify --anchor". Unset: they are logged only.',
    example: '/var/log/usance/anchors.jsonl',
  },
  {
    name: 'USANCE_ANCHOR_EVERY',
    for: 'dev, worker',
    default: '1h',
    says: 'How often: 10m, 1h, P1D. What was recorded since the last time can be changed without an anchor to show it.',
  },
  {
    name: 'USANCE_KEEP_IDEMPOTENCY_KEYS',
    for: 'dev, worker',
    default: '30d',
    says: 'How long an idempotency key remembers its answer. Afterwards the same key is a new one.',
  },
  {
    name: 'USANCE_ARCHIVE_PAYMENTS_AFTER',
    for: 'dev, worker, archive',
    default: '730d',
    says: 'How long after its end, and its last refund, a payment is archived: 365d, P365D; at least a day. It is found as before. never: none is.',
  },
  {
    name: 'LOG_FORMAT',
    for: 'dev, api, scheduler, processor, worker',
    default: null,
    says: 'How the lines of a running command look: pretty, or json, one object a line. Unset: json in production, pretty elsewhere.',
    example: 'json',
  },
  {
    name: 'LOG_LEVEL',
    for: 'dev, api, scheduler, processor, worker',
    default: 'info',
    says: 'The least that is worth a line: debug, info (every request and every batch), warn or error.',
  },
] as const satisfies readonly Variable[];

export { LOG_LEVELS, archiveAge } from './config-values.ts';
export type { LogLevel } from './config-values.ts';

export type VariableName = (typeof VARIABLES)[number]['name'];

export interface Config {
  readonly production: boolean;
  readonly databaseUrl: string | null;
  /** Only where it is set: see databaseUrl otherwise. */
  readonly ownerUrl: string | null;
  readonly dataDir: string;
  readonly schema: string;
  readonly poolSize: number;
  readonly port: number;
  readonly host: string;
  /** Null: no port of its own. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly metricsRetentionMs: number;
  readonly drainMs: number;
  /** The bootstrap key, where an operator chose one. */
  readonly apiKey: string | null;
  /** Null where there is no JWT_SECRET. */
  readonly jwt: SharedSecret | null;
  readonly rateLimits: { readonly perKey: number; readonly perUser: number; readonly perAddress: number };
  readonly trustedProxies: readonly string[];
  readonly origins: readonly string[];
  readonly maxHoldDelayMs: number;
  readonly allowances: { readonly maxAttempts: number; readonly retryDelayMs: number };
  readonly simulateFailures: number;
  /** Null: to the log alone. */
  readonly anchorFile: string | null;
  readonly anchorEveryMs: number;
  readonly keepIdempotencyKeysMs: number;
  /** Null: never. */
  readonly archivePaymentsMs: number | null;
  readonly logFormat: 'pretty' | 'json';
  readonly logLevel: LogLevel;
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

export function loadConfig(command: Command, environment: NodeJS.ProcessEnv = readEnvironment()): Config {
  const given = (name: VariableName): string | null => environment[name]?.trim() || null;
  const text = (name: VariableName): string | null => given(name) ?? rowOf(name).default;
  const perMinute = (name: VariableName): number => wholeNumber(name, text(name), 0, MOST_A_MINUTE);
  const production = isProduction(environment);
  const config = Object.freeze({
    production,
    databaseUrl: checkedUrl('DATABASE_URL', text('DATABASE_URL')),
    ownerUrl: checkedUrl('DATABASE_OWNER_URL', text('DATABASE_OWNER_URL')),
    dataDir: resolve(text('USANCE_DATA_DIR') ?? '.usance'),
    schema: checkedSchema(text('USANCE_SCHEMA') ?? 'usance'),
    poolSize: wholeNumber('USANCE_POOL_SIZE', text('USANCE_POOL_SIZE'), 1, 1000),
    port: wholeNumber('PORT', text('PORT'), 0, 65_535),
    host: text('HOST') ?? '127.0.0.1',
    metricsPort: given('METRICS_PORT') === null ? null : wholeNumber('METRICS_PORT', given('METRICS_PORT'), 0, 65_535),
    metricsHost: text('METRICS_HOST') ?? text('HOST') ?? '127.0.0.1',
    metricsRetentionMs: duration('USANCE_METRICS_RETENTION', text('USANCE_METRICS_RETENTION')),
    drainMs: wholeNumber('USANCE_DRAIN_SECONDS', text('USANCE_DRAIN_SECONDS'), 0, 300) * 1_000,
    apiKey: checkedKey(text('USANCE_API_KEY')),
    jwt: checkedJwt(text('JWT_SECRET'), text('JWT_AUDIENCE') ?? 'usance', text('JWT_ISSUER')),
    rateLimits: Object.freeze({
      perKey: perMinute('USANCE_KEY_REQUESTS_PER_MINUTE'),
      perUser: perMinute('USANCE_USER_REQUESTS_PER_MINUTE'),
      perAddress: perMinute('USANCE_ADDRESS_REQUESTS_PER_MINUTE'),
    }),
    trustedProxies: Object.freeze(
      (text('TRUSTED_PROXIES') ?? '').split(',').flatMap((one) => checkedProxy(one.trim())),
    ),
    origins: Object.freeze((text('FRONTEND_URL') ?? '').split(',').flatMap((one) => checkedOrigin(one.trim()))),
    maxHoldDelayMs: duration('USANCE_MAX_HOLD_DELAY', text('USANCE_MAX_HOLD_DELAY')),
    allowances: Object.freeze({
      maxAttempts: wholeNumber('ALLOWANCE_MAX_RETRIES', text('ALLOWANCE_MAX_RETRIES'), 1, 100),
      retryDelayMs: wholeNumber('ALLOWANCE_RETRY_DELAY_MS', text('ALLOWANCE_RETRY_DELAY_MS'), 60_000, 86_400_000),
    }),
    simulateFailures: wholeNumber('USANCE_SIMULATE_FAILURES', text('USANCE_SIMULATE_FAILURES'), 0, 100),
    anchorFile: pathOrNull(text('USANCE_ANCHOR_FILE')),
    keepIdempotencyKeysMs: duration('USANCE_KEEP_IDEMPOTENCY_KEYS', text('USANCE_KEEP_IDEMPOTENCY_KEYS')),
    archivePaymentsMs: archiveAge('USANCE_ARCHIVE_PAYMENTS_AFTER', text('USANCE_ARCHIVE_PAYMENTS_AFTER')),
    anchorEveryMs: duration('USANCE_ANCHOR_EVERY', text('USANCE_ANCHOR_EVERY')),
    logFormat: checkedFormat(text('LOG_FORMAT') ?? (production ? 'json' : 'pretty')),
    logLevel: checkedLevel(text('LOG_LEVEL')),
  });
  if (production) requireFit(command, given);
  const shared = config.metricsPort !== null && config.metricsPort !== 0 && config.metricsPort === config.port;
  if (shared && (command === 'dev' || command === 'api')) {
    throw new SetupError('METRICS_PORT must not be PORT: leave it unset to see /metrics on PORT from this machine');
  }
  return config;
}

function requireFit(command: Command, given: (name: VariableName) => string | null): void {
  if (command === 'dev') {
    throw new SetupError(
      '"usance dev" is for trying out; with NODE_ENV=production run "usance api" and "usance worker"',
    );
  }
  for (const { name, ...row } of VARIABLES) {
    if ('neededBy' in row && (row.neededBy as readonly Command[]).includes(command) && given(name) === null) {
      throw new SetupError(`${name} is not set, and NODE_ENV=production does not start "usance ${command}" without it`);
    }
    if ('notInProduction' in row && ![null, '0'].includes(given(name))) {
      throw new SetupError(`${name} is set, which NODE_ENV=production refuses`);
    }
  }
}

function rowOf(name: VariableName): Variable {
  return VARIABLES.find((variable) => variable.name === name) ?? { name, for: '', default: null, says: '' };
}
