// The table of variables: what is read, what cannot be, what production refuses, and the pages that are written from it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { configurationPage, envExample } from '../../scripts/configuration.ts';
import type { Command } from '../../src/config.ts';
import { VARIABLES, loadConfig, readEnvironment } from '../../src/config.ts';
import { unreadVariables } from '../../src/config-unread.ts';
import { createEngine } from '../../src/engine.ts';
import { SetupError } from '../../src/kernel/index.ts';
import { useFolder } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = useFolder();
const DATABASE_URL = 'postgres://app:secret-word@db/shop';

const JWT_SECRET = 'a-secret-of-thirty-two-characters-or-more';

const lineOf = (command: Command, environment: Record<string, string>): string => {
  try {
    loadConfig(command, environment);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'it starts';
};

describe('without any variable', () => {
  test('everything has a value that is fit for trying out', () => {
    expect(loadConfig('api', {})).toEqual({
      production: false,
      databaseUrl: null,
      ownerUrl: null,
      listenUrl: null,
      dataDir: resolve('.usance'),
      schema: 'usance',
      poolSize: 10,
      port: 3001,
      host: '127.0.0.1',
      metricsPort: null,
      metricsHost: '127.0.0.1',
      metricsFile: null,
      metricsPushUrl: null,
      metricsRetentionMs: 2 * 24 * 3_600_000,
      drainMs: 0,
      apiKey: null,
      jwt: null,
      encryption: { key: null, previousKey: null },
      longestTokenMs: 86_400_000,
      rateLimits: { perKey: 60_000, perUser: 300, perAddress: 600 },
      connectionsPerAddress: 1_000,
      streamsPerTenant: 50,
      streamsPerKey: 25,
      trustedProxies: [],
      origins: [],
      maxHoldDelayMs: 7 * 24 * 3_600_000,
      batchSize: 1_000,
      approvalWithinMs: 7 * 24 * 3_600_000,
      allowances: { maxAttempts: 5, retryDelayMs: 600_000 },
      shortfallHorizonMs: 3 * 86_400_000,
      subscriptionCrons: { scheduler: null, processor: null },
      executionsPerSecond: null,
      simulateFailures: 0,
      anchorFile: null,
      anchorEveryMs: 3_600_000,
      keepIdempotencyKeysMs: 30 * 86_400_000,
      archivePaymentsMs: 730 * 86_400_000,
      keepOwnEventsMs: null,
      ownEventsPerDay: 1_000_000,
      outbound: { loopback: false, allow: [], proxy: null },
      chains: {
        sandbox: false,
        measureEveryMs: 15_000,
        keepHealthMs: 7 * 86_400_000,
        fixedPrices: {},
        feeTolerance: { share: 0.5, usd: 0.01, policy: 'requote' },
      },
      sessions: { idleMs: 1_800_000, lifetimeMs: 43_200_000 },
      apiUrl: null,
      payouts: { confirmEveryMs: 15_000 },
      notifications: { dashboardUrl: null, smtp: null },
      keepExecutionsMs: 90 * 86_400_000,
      keepDeliveryBodiesMs: 30 * 86_400_000,
      missingProcessorMs: 3_600_000,
      jobs: { concurrency: 50, tenantConcurrency: null, memoryMb: 1024 },
      webhookConcurrency: 100,
      logFormat: 'pretty',
      logLevel: 'info',
      warnings: [],
    });
  });

  test('an empty one counts as none', () => {
    expect(loadConfig('api', { DATABASE_URL: ' ', PORT: '', USANCE_API_KEY: '' })).toEqual(loadConfig('api', {}));
  });
});

test('streams of one key are half of those of its tenant, unless set', () => {
  const streamsOf = (more: Record<string, string>): number => loadConfig('api', more).streamsPerKey;
  expect(streamsOf({ USANCE_TENANT_STREAMS: '200' })).toBe(100);
  expect(streamsOf({ USANCE_TENANT_STREAMS: '1' })).toBe(1);
  expect(streamsOf({ USANCE_TENANT_STREAMS: '20', USANCE_KEY_STREAMS: '15' })).toBe(15);
});

describe('a value', () => {
  test.each([
    ['48h', 48 * 3_600_000],
    ['90s', 90_000],
    ['30d', 30 * 86_400_000],
    ['PT48H', 48 * 3_600_000],
    ['PT15M', 15 * 60_000],
    ['P7D', 7 * 86_400_000],
  ])('of a duration may be %s', (value, ms) => {
    expect(loadConfig('api', { USANCE_MAX_HOLD_DELAY: value }).maxHoldDelayMs).toBe(ms);
  });

  test.each(['7', 'P1M', 'PT7D', 'P', '0d', '-1d', 'soon'])('of a duration is not %s', (value) => {
    expect(lineOf('api', { USANCE_MAX_HOLD_DELAY: value })).toBe(
      'USANCE_MAX_HOLD_DELAY must be a duration such as 48h, 7d or P7D',
    );
  });

  test('of the simulated chain is on for dev, and for what runs beside it on the embedded store', () => {
    const of = (command: Command, environment: Record<string, string> = {}) =>
      loadConfig(command, environment).chains.sandbox;
    expect([of('dev'), of('payouts'), of('test-clocks'), of('api')]).toEqual([true, true, true, false]);
    expect([of('payouts', { DATABASE_URL }), of('test-clocks', { DATABASE_URL })]).toEqual([false, false]);
    expect(of('test-clocks', { USANCE_SANDBOX: '0' })).toBe(false);
  });

  test('of connections to the outside admits this machine in development only, and networks as a list', () => {
    const of = (command: Command, environment: Record<string, string> = {}) =>
      loadConfig(command, environment).outbound;
    expect([of('dev').loopback, of('api').loopback, of('worker').loopback]).toEqual([true, false, false]);
    expect(of('dev', { USANCE_OUTBOUND_LOOPBACK: '0' }).loopback).toBe(false);
    expect(of('worker', { USANCE_OUTBOUND_LOOPBACK: '1' }).loopback).toBe(true);
    expect(of('api', { USANCE_OUTBOUND_ALLOW: '10.1.0.0/16, fd12::/16,' }).allow).toEqual(['10.1.0.0/16', 'fd12::/16']);
    const production = { NODE_ENV: 'production', DATABASE_URL, JWT_SECRET };
    expect(lineOf('api', { ...production, USANCE_OUTBOUND_LOOPBACK: '1' })).toBe(
      'USANCE_OUTBOUND_LOOPBACK is set, which NODE_ENV=production refuses',
    );
    expect(lineOf('api', { ...production, USANCE_OUTBOUND_LOOPBACK: '0' })).toBe('it starts');
  });

  test.each([
    [{ USANCE_OUTBOUND_LOOPBACK: 'yes' }, 'USANCE_OUTBOUND_LOOPBACK must be 0 or 1'],
    [{ USANCE_DASHBOARD_URL: 'usance.example.com' }, 'USANCE_DASHBOARD_URL must be an http or https URL'],
    [{ USANCE_DASHBOARD_URL: 'https://a:secret-word@b/' }, 'USANCE_DASHBOARD_URL must be an http or https URL'],
    [{ USANCE_API_KEY: 'too-short' }, 'USANCE_API_KEY must be 24 to 200 printable characters without spaces'],
    [{ USANCE_API_KEY: 'with a space in the middle of it' }, 'USANCE_API_KEY must be 24 to 200'],
    [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT must be pretty or json'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error'],
    [{ METRICS_PORT: 'many' }, 'METRICS_PORT must be a whole number from 0 to 65535'],
    [{ METRICS_PORT: '3001' }, 'METRICS_PORT must not be PORT'],
    [{ USANCE_METRICS_RETENTION: 'forever' }, 'USANCE_METRICS_RETENTION must be a duration'],
    [{ DATABASE_URL: 'mysql://app:secret-word@db/shop' }, 'DATABASE_URL must start with postgres://'],
    [{ USANCE_LISTEN_URL: 'off' }, 'USANCE_LISTEN_URL must start with postgres://, or be none'],
    [{ USANCE_SCHEMA: 'Not Good' }, 'USANCE_SCHEMA must be'],
    [{ USANCE_POOL_SIZE: 'many' }, 'USANCE_POOL_SIZE must be a whole number'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535'],
    [{ FRONTEND_URL: '*' }, 'FRONTEND_URL must be origins such as https://app.example.com'],
    [{ FRONTEND_URL: 'https://app.example.com/path' }, 'FRONTEND_URL must be origins'],
    [{ FRONTEND_URL: 'https://app.example.com,null' }, 'FRONTEND_URL must be origins'],
    [{ FRONTEND_URL: 'file:///etc' }, 'FRONTEND_URL must be origins'],
    [{ USANCE_USER_REQUESTS_PER_MINUTE: '-1' }, 'USANCE_USER_REQUESTS_PER_MINUTE must be a whole number'],
    [{ USANCE_EXECUTIONS_PER_SECOND: '0' }, 'USANCE_EXECUTIONS_PER_SECOND must be a whole number from 1 to 1000000'],
    [{ USANCE_ARCHIVE_PAYMENTS_AFTER: '1h' }, 'USANCE_ARCHIVE_PAYMENTS_AFTER must be at least a day, or never'],
    [{ USANCE_KEEP_EXECUTIONS: '1h' }, 'USANCE_KEEP_EXECUTIONS must be at least a day, or forever'],
    [{ USANCE_MISSING_PROCESSOR_AFTER: 'soon' }, 'USANCE_MISSING_PROCESSOR_AFTER must be a duration'],
    [{ USANCE_ARCHIVE_PAYMENTS_AFTER: 'soon' }, 'USANCE_ARCHIVE_PAYMENTS_AFTER must be a duration'],
    [{ USANCE_KEEP_OWN_EVENTS: '1h' }, 'USANCE_KEEP_OWN_EVENTS must be at least a day, or forever'],
    [{ USANCE_KEEP_OWN_EVENTS: 'never' }, 'USANCE_KEEP_OWN_EVENTS must be a duration'],
    [{ USANCE_OWN_EVENTS_PER_DAY: '-1' }, 'USANCE_OWN_EVENTS_PER_DAY must be a whole number from 0'],
    [{ TRUSTED_PROXIES: 'proxy.example.com' }, 'TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8'],
    [{ TRUSTED_PROXIES: '10.0.0.1, true' }, 'TRUSTED_PROXIES must be'],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, 'TRUSTED_PROXIES must be'],
    [{ TRUSTED_PROXIES: '::/0' }, 'TRUSTED_PROXIES must be'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8/8' }, 'TRUSTED_PROXIES must be'],
    [{ JWT_SECRET: 'x'.repeat(31) }, 'JWT_SECRET must be at least 32 characters'],
    [{ ALLOWANCE_MAX_RETRIES: '0' }, 'ALLOWANCE_MAX_RETRIES must be a whole number from 1 to 100'],
    [{ ALLOWANCE_RETRY_DELAY_MS: '10' }, 'ALLOWANCE_RETRY_DELAY_MS must be a whole number from 1000 to 86400000'],
    [{ USANCE_BATCH_SIZE: '0' }, 'USANCE_BATCH_SIZE must be a whole number from 1 to 10000'],
    [{ USANCE_BATCH_SIZE: '10001' }, 'USANCE_BATCH_SIZE must be a whole number from 1 to 10000'],
    [{ SCHEDULER_CRON: 'at midnight' }, 'SCHEDULER_CRON must be five cron fields in UTC, such as "0 0 * * *"'],
    [{ PROCESSOR_CRON: '15 0,6,12,18 * *' }, 'PROCESSOR_CRON must be five cron fields'],
    [{ USANCE_SHORTFALL_HORIZON: '3' }, 'USANCE_SHORTFALL_HORIZON must be a duration'],
    [{ USANCE_SIMULATE_FAILURES: 'yes' }, 'USANCE_SIMULATE_FAILURES must be a whole number'],
  ])('that cannot be is refused by name: %j', (environment, says) => {
    expect(lineOf('api', environment)).toContain(says);
  });
});

test('proxies are named by address or network, and payments and executions may be kept for ever', () => {
  const environment = {
    TRUSTED_PROXIES: '10.0.0.0/8, ::1,2001:db8::/32',
    USANCE_ARCHIVE_PAYMENTS_AFTER: 'never',
    USANCE_KEEP_EXECUTIONS: 'forever',
  };
  expect(loadConfig('api', environment)).toMatchObject({
    trustedProxies: ['10.0.0.0/8', '::1', '2001:db8::/32'],
    archivePaymentsMs: null,
    keepExecutionsMs: null,
  });
});

describe('production', () => {
  const NODE_ENV = 'production';

  test.each(['api', 'processor', 'worker', 'verify', 'payments', 'api-keys'] as const)(
    'has no embedded %s',
    (command) => {
      expect(lineOf(command, { NODE_ENV, JWT_SECRET })).toBe(
        `DATABASE_URL is not set, and NODE_ENV=production does not start "usance ${command}" without it`,
      );
      expect(lineOf(command, { NODE_ENV, DATABASE_URL, JWT_SECRET })).toBe('it starts');
    },
  );

  test('refuses to start api without a secret for end-user tokens; other commands start', () => {
    expect(lineOf('api', { NODE_ENV, DATABASE_URL })).toBe(
      'JWT_SECRET is not set, and NODE_ENV=production does not start "usance api" without it',
    );
    expect(lineOf('processor', { NODE_ENV, DATABASE_URL })).toBe('it starts');
  });

  test('names everything that is missing or refused at once', () => {
    const placeholder = 'choose-24-or-more-characters';
    const line = lineOf('api', { NODE_ENV, USANCE_API_KEY: placeholder, USANCE_SIMULATE_FAILURES: '2' });
    expect(line.split('\n').map((each) => each.split(' ', 1)[0])).toEqual([
      'DATABASE_URL',
      'USANCE_API_KEY',
      'JWT_SECRET',
      'USANCE_SIMULATE_FAILURES',
    ]);
  });

  test.each(['api', 'scheduler', 'processor'] as const)(
    'starts %s with the variables of the subscriptions design',
    (command) => {
      const six = {
        DATABASE_URL,
        NODE_ENV,
        JWT_SECRET,
        PORT: '3001',
        FRONTEND_URL: 'https://app.example.com',
        SOLANA_NETWORK: 'devnet',
      };
      expect(loadConfig(command, six)).toMatchObject({
        databaseUrl: DATABASE_URL,
        host: '0.0.0.0',
        port: 3001,
        origins: ['https://app.example.com'],
        warnings: [
          'set, but read by nothing: SOLANA_NETWORK (payouts are over the simulated chain only; adapters of real chains are planned)',
        ],
      });
    },
  );

  test('lets the doctor come up, and migrate with the owner’s address alone', () => {
    expect(lineOf('doctor', { NODE_ENV })).toBe('it starts');
    expect(lineOf('migrate', { NODE_ENV, DATABASE_OWNER_URL: DATABASE_URL })).toBe('it starts');
  });

  test('refuses simulated failures and the demo', () => {
    const line = 'USANCE_SIMULATE_FAILURES is set, which NODE_ENV=production refuses';
    expect(lineOf('processor', { NODE_ENV, DATABASE_URL, USANCE_SIMULATE_FAILURES: '1' })).toBe(line);
    expect(lineOf('processor', { NODE_ENV, DATABASE_URL, USANCE_SIMULATE_FAILURES: '0' })).toBe('it starts');
    // Every part is among them: what the API takes in is scheduled, settled, ordered and checked.
    expect(lineOf('dev', { NODE_ENV, DATABASE_URL })).toMatch(
      /^"usance dev" and "usance demo" are for trying out; .*"usance api", "usance processor" and "usance worker"/,
    );
  });

  test('refuses simulated failures to a program that uses the library, in the same words', async () => {
    vi.stubEnv('NODE_ENV', NODE_ENV);
    onTestFinished(() => void vi.unstubAllEnvs());
    // Nobody listens there: what is refused is refused before anything is opened.
    const options = { databaseUrl: 'postgres://app@127.0.0.1:1/shop', migrate: false };
    await expect(createEngine({ ...options, simulateFailures: 1 })).rejects.toThrow(
      new SetupError('simulateFailures is set, which NODE_ENV=production refuses'),
    );
    await expect(createEngine({ ...options, outbound: { loopback: true } })).rejects.toThrow(
      new SetupError('outbound.loopback is set, which NODE_ENV=production refuses'),
    );
    await expect(createEngine({ ...options, chains: { sandbox: true } })).rejects.toThrow(
      new SetupError('chains.sandbox is set, which NODE_ENV=production refuses'),
    );
    await expect(createEngine({ ...options, outbound: { allow: ['10.0.0.0/4'] } })).rejects.toThrow(
      'USANCE_OUTBOUND_ALLOW (outbound.allow) must be networks',
    );
    await expect(createEngine({ ...options, outbound: { proxy: 'secret' } })).rejects.toThrow(
      'USANCE_EGRESS_PROXY (outbound.proxy) must be the address of a proxy, such as http://proxy:3128',
    );
    await expect(createEngine({ ...options, outbound: { proxy: 'http://user:%zz@proxy:3128' } })).rejects.toThrow(
      'USANCE_EGRESS_PROXY (outbound.proxy) must be the address of a proxy',
    );
    const mail = { url: 'smtps://mail.example.com', from: 'pay@example.com', publicUrl: 'https://pay.example.com' };
    const withMail = (change: Partial<typeof mail>) =>
      createEngine({ ...options, notifications: { smtp: { ...mail, ...change } } });
    await expect(withMail({ url: 'smtp://mail.example.com?tls=none' })).rejects.toThrow(
      'which NODE_ENV=production refuses',
    );
    await expect(withMail({ publicUrl: 'http://pay.example.com' })).rejects.toThrow('must be an https URL');
    await expect(withMail({ from: 'a\r\nb@example.com' })).rejects.toThrow('USANCE_EMAIL_FROM must be an address');
    for (const url of [
      'smtp://user:12#secret@mail.example.com',
      'smtp://user:%zz@mail.example.com',
      'mail.example.com',
    ])
      await expect(withMail({ url })).rejects.toThrow('USANCE_SMTP_URL must be smtp://');
    await expect(withMail({})).rejects.toThrow('cannot reach the database');
    await expect(createEngine({ ...options, simulateFailures: 0 })).rejects.toThrow('cannot reach the database');
  });

  test('logs for machines, unless told otherwise', () => {
    expect(loadConfig('worker', { NODE_ENV, DATABASE_URL }).logFormat).toBe('json');
    expect(loadConfig('worker', { NODE_ENV, DATABASE_URL, LOG_FORMAT: 'pretty' }).logFormat).toBe('pretty');
  });
});

test('a .env file of the working folder is read, and the environment wins over it', () => {
  writeFileSync(join(folder, '.env'), 'PORT=4001\nUSANCE_SCHEMA="books" # a comment\nPATH=/nowhere\n');
  const environment = readEnvironment(folder);
  expect(environment).toMatchObject({ PORT: '4001', USANCE_SCHEMA: 'books' });
  expect(environment['PATH']).toBe(process.env['PATH']);
});

test.each([
  ['.env.example', envExample],
  ['docs/reference/configuration.md', configurationPage],
])('%s is what the table says: npm run docs:config', (name, page) => {
  expect(readFileSync(join(ROOT, name), 'utf8')).toBe(page());
});

describe('outside production', () => {
  test.each(['dev', 'api'] as const)('%s opens an address that others can reach only when told to', (command) => {
    for (const HOST of ['0.0.0.0', '::', '192.0.2.7', 'my-machine']) {
      expect(() => loadConfig(command, { HOST })).toThrow(
        /opens a demo tenant and its admin key[^]*USANCE_EXPOSE_DEV=1/,
      );
      expect(loadConfig(command, { HOST, USANCE_EXPOSE_DEV: '1' }).host).toBe(HOST);
    }
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
      expect(loadConfig(command, { HOST }).host).toBe(HOST);
  });
});

test('a placeholder that is not known is refused in the name of the metrics file', () => {
  const load = (USANCE_METRICS_FILE: string) => loadConfig('processor', { USANCE_METRICS_FILE }).metricsFile;
  expect(() => load('/var/lib/usance_{cmd}.prom')).toThrow(
    'USANCE_METRICS_FILE has the placeholder {cmd}: only {command} is known',
  );
  expect(load('/var/lib/usance_{command}.prom')).toBe('/var/lib/usance_{command}.prom');
});

describe('a variable that nothing reads', () => {
  const warningsOf = (environment: Record<string, string>) => loadConfig('worker', environment).warnings;

  test('is named with the one that was meant', () => {
    expect(warningsOf({ USANCE_SHEMA: 'books', USANCE_ALPHABET: 'greek', USANCE_POOLSIZE: '' })).toEqual([
      'USANCE_SHEMA is not a variable of usance and is ignored; did you mean USANCE_SCHEMA?',
      'USANCE_ALPHABET is not a variable of usance and is ignored',
    ]);
  });

  test('of the designs is named in one warning, with the replacement', () => {
    const example = {
      RABBITMQ_URL: 'amqp://guest:guest@localhost:5672',
      ALLOWANCE_QUEUE_NAME: 'allowance.schedule',
      ALLOWANCE_MAX_RETRIES: '5',
      ALLOWANCE_RETRY_DELAY_MS: '600000',
    };
    expect(loadConfig('worker', example).allowances).toEqual({ maxAttempts: 5, retryDelayMs: 600_000 });
    expect(warningsOf({ ...example, SOLANA_NETWORK: 'devnet' })).toEqual([
      'set, but read by nothing: SOLANA_NETWORK (payouts are over the simulated chain only; adapters of real chains are planned), ' +
        'RABBITMQ_URL (allowances are queued in PostgreSQL; there is no broker yet), ' +
        'ALLOWANCE_QUEUE_NAME (allowances are queued in PostgreSQL; there is no broker yet)',
    ]);
  });
});

test('no variable that is read is said to be read by nothing', () => {
  const environment = Object.fromEntries(VARIABLES.map(({ name }) => [name, '1']));
  expect(unreadVariables(environment)).toEqual([]);
});

test('prices of fee assets are read from one variable, and a wrong one is refused', () => {
  const pricesOf = (text: string) => loadConfig('worker', { USANCE_PRICES: text }).chains.fixedPrices;
  expect(pricesOf('SBX=1, SOL=150.25')).toEqual({ SBX: 1, SOL: 150.25 });
  for (const wrong of ['SBX', 'SBX=', 'SBX=0', 'SBX=-1', 'SBX=1e3', 'sbx=1', 'SBX=1=2', 'SBX=1,', 'SBX=NaN'])
    expect(() => pricesOf(wrong), wrong).toThrow('USANCE_PRICES must be asset codes with prices in US dollars');
  expect(() => pricesOf('SBX=1,SBX=2')).toThrow('two prices of one asset');
});

test('every variable has its row once', () => {
  const names = VARIABLES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
