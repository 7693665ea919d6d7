// docs/reference/compatibility.md: its queries run on the views, its commands on a store with an API, and its tables say what is.
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { unreadVariables } from '../../src/config-unread.ts';
import { VARIABLES } from '../../src/config-variables.ts';
import type { Database, Row } from '../../src/db/index.ts';
import { CATALOGUE, toTypeId } from '../../src/kernel/index.ts';
import { TickRecorder } from '../../src/ops/index.ts';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, testProcessor } from '../support/processor.ts';
import { addExecution, addInvocation, addJob } from '../support/jobs.ts';
import { usePayouts } from '../payouts/world.ts';
import { advance, testTenant } from '../support/test-clock.ts';
import { addEndpoint } from '../support/webhooks.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/reference/compatibility.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text]) => (name === language ? [text ?? ''] : []));
const queries = blocks('sql')
  .flatMap((block) => block.split(/;\s*$/m))
  .map((query) => query.trim())
  .filter((query) => query !== '');
/** The rows of every table under this heading, without its own heading; each cell as it is written. */
const rowsOf = (heading: string): string[][] =>
  page
    .split(/^#{2,3} /m)
    .filter((section) => section.startsWith(`${heading}\n`))
    .flatMap((section) => [...section.matchAll(/^\| (`.+) \|$/gm)].map(([, line = '']) => line.split(' | ')));
const codes = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const only = (cell = ''): string => codes(cell)[0] ?? '';

const live = useApi();
/** Of allowances time has to pass: theirs is a test tenant. */
const dated = useUsance({ allowances: { retryDelayMs: 6 * HOUR } });
/** Payouts over the simulated chain, of a test tenant. */
const paying = usePayouts();
const folder = useFolder();
const ids = { job: '', hold: '', user: '' };
const runs = new TickRecorder();

const inViews = (db: Database, schema: string, text: string): Promise<Row[]> =>
  db.transaction(async (tx) => {
    await tx.query(`set local search_path = ${schema}`);
    return tx.query(text);
  });

/** Rows of live tenants in the one store, and of the test tenant in the other. */
const everywhere = async (text: string): Promise<Row[]> => [
  ...(await inViews(live.db, 'usance_docs', text)),
  ...(await inViews(dated.db, 'usance_docs_test', text)),
  ...(await inViews(paying.db, 'usance_docs_test', text)),
];

describe('the page on compatibility, beside a store', () => {
  test('is read on rows of holds, jobs and subscriptions', async () => {
    const { tenant } = live;
    await open(tenant, { alice: 100_000, bob: 0, poor: 0, club: 0, gone: 0, idle: 0, mum: 1_000 });
    await tenant.openAccount({ ref: 'tim', guardian: 'mum' });
    await tenant.closeAccount('gone', 'left');
    const hold = (fields: object) =>
      tenant.createPayment({ from: 'alice', to: 'bob', asset: 'USD', amount: 100, ...fields, idempotencyKey: key() });
    await hold({});
    await tenant.failPayment((await hold({ delay: '48h' })).id, 'wrong address');
    await hold({ to: 'idle', delay: '1h', expiresAt: new Date(Date.now() + 2 * HOUR) });
    await tenant.suspendAccount('idle', 'asked to');
    const processor = testProcessor(live.db);
    await processor.drain();
    await processor.drainAfter(HOUR);
    await processor.drainAfter(HOUR);
    ids.hold = (await hold({ delay: '48h' })).id;
    ids.user = (await tenant.account('alice')).id;
    const subscribe = async (payer: string, terms: object = {}) => {
      const plan = {
        name: 'Club',
        price: 1_000,
        asset: 'USD',
        receiver: 'club',
        period: { frequency: 'MONTHLY' },
      } as const;
      const { id } = await tenant.createPlan({ ...plan, months: 12, ...terms });
      return tenant.subscribe({ plan: id, payer, idempotencyKey: key() });
    };
    await subscribe('alice', { trialDays: 14 });
    await tenant.cancelSubscription((await subscribe('alice')).id);
    await tenant.pauseSubscription((await subscribe('alice', { trialDays: 14 })).id);
    for (const afterFailure of ['expire', 'pause'] as const) {
      const { lastPaymentId } = await subscribe('poor', { afterFailure });
      await tenant.failPayment(lastPaymentId ?? '', 'card stolen');
    }
    await subscribe('poor');
    ids.job = (await subscribe('poor')).lastPaymentId ?? '';
    await processor.drain();
    // A charge for the processor of the page.
    await subscribe('alice');
    expect(await tenant.payment(ids.job)).toMatchObject({ status: 'scheduled', attempts: 1 });
    const job = await addJob(live.owner, tenant);
    for (const status of ['pending', 'running', 'completed'] as const) await addExecution(live.owner, job, status);
    const failed = await addExecution(live.owner, job, 'failed');
    await addInvocation(live.owner, { id: failed, tenantId: job.tenantId }, 1);
    const endpoint = await addEndpoint(tenant);
    for (const status of ['pending', 'completed', 'failed'] as const) await addExecution(live.owner, endpoint, status);
  });

  test('and of allowances, in which days have passed', async () => {
    const world = await testTenant(dated.usance, '2027-01-01T10:00:00Z');
    const { tenant } = world;
    const frequencies = { paid: 'DAILY', failed: 'DAILY', stopped: 'WEEKLY', closed: 'DAILY' } as const;
    for (const [name, frequency] of Object.entries(frequencies)) {
      await tenant.openAccount({ ref: `${name}-parent` });
      await tenant.openAccount({ ref: `${name}-child`, guardian: `${name}-parent` });
      const people = { guardian: `${name}-parent`, junior: `${name}-child` };
      await tenant.createAllowance({ ...people, asset: 'USD', amount: 500, frequency, status: 'ON' });
    }
    await tenant.deposit({ account: 'paid-parent', asset: 'USD', amount: 500, idempotencyKey: key() });
    await tenant.closeAccount('closed-child', 'moved out');
    await advance(dated.usance, world, '2027-01-02T00:05:00Z');
    await tenant.editAllowance('stopped-parent', 'stopped-child', { status: 'OFF' });
    await advance(dated.usance, world, '2027-01-03T00:00:00Z');
    // Its next credit waited for the one before, and is passed over.
    await tenant.editAllowance('failed-parent', 'failed-child', { frequency: 'MONTHLY' });
    runs.writeTo(dated.db);
    runs.observer.failed?.('scheduler', new Error('the database went away'));
    await runs.finish();
    runs.observer.started?.('scheduler', false);
    await expect.poll(async () => (await dated.db.query('select from usance_docs.cron_runs')).length).toBe(2);
  });

  test('and of a payout that its chain has paid', async () => {
    const world = await paying.world();
    const payout = await world.pay();
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
  });

  test('runs its commands, one after the other', { timeout: 180_000 }, async () => {
    const program = join(folder, 'usance');
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'src/cli/main.ts')}" "$@"\n`);
    chmodSync(program, 0o755);
    const env = {
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH']}`,
      DATABASE_URL: live.runtimeUrl,
      API: `${live.url}/v1`,
      KEY: live.secret,
      JOB: toTypeId('payment', ids.job),
      HOLD: toTypeId('payment', ids.hold),
    };
    for (const script of blocks('sh')) {
      const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], { cwd: folder, env });
      expect(stdout, script).not.toBe('');
    }
    expect(await live.tenant.payment(ids.job)).toMatchObject({ status: 'failed' });
    expect(await live.tenant.payment(ids.hold)).toMatchObject({ status: 'cancelled' });
    expect(await live.tenant.payments({ account: 'bob', status: 'scheduled' })).toMatchObject([{ amount: 100n }]);
    expect(await live.tenant.allowance('mum', 'tim')).toMatchObject({ amount: 500n, status: 'OFF' });
  });

  test.each(queries)('runs: %s', async (query) => {
    const text = query.replaceAll(':user_id', `'${ids.user}'`).replaceAll(':hold_id', `'${ids.hold}'`);
    const rows = await everywhere(text);
    const isEmpty = /^set |never a row/.test(query);
    expect(rows.length > 0).toBe(!isEmpty);
  });

  test.each(rowsOf('Tables'))('the table %s has these columns', async (table, columns) => {
    const names = codes(columns).map((column) => `"${column}"`);
    expect(names.length).toBeGreaterThan(2);
    const rows = await everywhere(`select ${names.join(', ')} from ${only(table)}`);
    expect(rows.length).toBeGreaterThan(0);
  });

  const words = rowsOf('Words').map(([word, where]) => [only(word), only(where)] as const);

  test.each(words.filter(([, where]) => !where.includes(' ')))(
    'the word %s is that of a row: %s',
    async (word, where) => {
      const [view, column] = where.split('.');
      expect(await everywhere(`select from ${view} where ${column} = '${word}' limit 1`)).not.toEqual([]);
    },
  );

  test.each(words.filter(([, where]) => where.includes(' ')))('the word %s is one of %s', (word, where) => {
    expect([...wordsOf(where)]).toContain(word);
  });

  test('ends its open run', () => runs.finish());
});

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [name: string]: unknown;
}

const contract = openApiDocument();
const schemas = contract.components.schemas as Readonly<Record<string, Schema>>;
const operationOf = (request: string) => {
  const [method = '', path = ''] = request.split(' ');
  return contract.paths[path]?.[method.toLowerCase()];
};

/** Every field and every value that an operation takes or answers. */
function wordsOf(request: string): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { $ref, enum: values = [], properties = {} } = part as Schema;
    for (const word of [...values, ...Object.keys(properties)]) found.add(String(word));
    const name = $ref?.split('/').at(-1) ?? '';
    if (name in schemas && !seen.has(name)) {
      seen.add(name);
      walk(schemas[name]);
    }
    for (const each of Object.values(part)) walk(each);
  };
  const operation = operationOf(request);
  walk(operation?.parameters);
  walk(operation?.requestBody);
  for (const [status, answer] of Object.entries(operation?.responses ?? {})) if (status.startsWith('2')) walk(answer);
  return found;
}

describe('what the page names is there', () => {
  const named = codes(page);

  test.each(named.filter((code) => /^(?:GET|POST|PATCH|PUT|DELETE) \//.test(code)))('%s', (request) => {
    expect(operationOf(request)).toBeDefined();
  });

  test.each(named.filter((code) => code.startsWith('usance ')))('%s', (line) => {
    const [, ...parts] = line.split(' ');
    let command: Command = createProgram('0.0.0');
    for (const part of parts) {
      const isOption = part.startsWith('--');
      const next = command.commands.find((each) => each.name() === part);
      expect(isOption ? command.options.some(({ long }) => long === part) : next, part).toBeTruthy();
      if (next) command = next;
    }
  });

  test.each(rowsOf('Commands').map(([cell]) => only(cell)))('%s', (line) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    expect(Object.keys(scripts)).toContain(line.replace('npm run ', ''));
  });

  test.each(rowsOf('Variables').map(([name, here]) => [only(name), here ?? '']))(
    'the variable %s: %s',
    (name, here) => {
      const variable = VARIABLES.find((each) => each.name === name);
      const isRead = variable !== undefined;
      expect(isRead).toBe(!here.startsWith('not read'));
      const [, readers] = /^read by (every command|`[^:;]+)/.exec(here) ?? [];
      if (readers !== undefined) expect(readers.replaceAll('`', '').replace(' and ', ', ')).toBe(variable?.for);
      if (!isRead) expect(unreadVariables({ [name]: 'set' })).toHaveLength(1);
    },
  );

  test.each(named.filter((code) => code.startsWith('ALLOWANCE.')))('the code %s', (code) => {
    expect(Object.keys(CATALOGUE)).toContain(code);
  });
});
