// Ids that commands print: TypeIDs, in text and in JSON. The tables have UUIDs, and nothing else shows them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { fromTypeId, liveAt, newId, toTypeId } from '../../src/kernel/index.ts';
import { freezeAsset } from '../../src/ledger/index.ts';
import { key, open } from '../support/books.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { PROCESSOR, addExecution, addJob } from '../support/jobs.ts';
import { addEndpoint } from '../support/webhooks.ts';
import { addOutage, dueSchedule } from '../support/schedules.ts';
import { useFolder, usanceHere } from './cli.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const folder = useFolder();
const world = useUsance();
const run = (args: readonly string[]) =>
  usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl, USANCE_ENCRYPTION_KEY: TEST_KEY });
const ids: Record<string, string> = {};

/** Not run here: they print addresses and folders, never a resource. A receipt has UUIDs, because its hashes cover them. */
const WITHOUT_IDS = new Set([
  'dev',
  'demo',
  'start',
  'stop',
  'api',
  'migrate',
  'doctor',
  'receipt',
  'encryption-key',
  'chains history',
  'treasury-wallets unfreeze',
  'treasury-wallets floor',
  'listen',
]);

/** Their own test looks at everything that they print: test/cli/payouts.test.ts. */
const LOOKED_AT_ELSEWHERE = [
  'list',
  'get',
  'route',
  'cancel',
  'resolve',
  ...['get', 'set'].map((name) => `policy ${name}`),
  ...['list', 'get', 'add', 'approve', 'remove'].map((name) => `destinations ${name}`),
  ...['list', 'set', 'remove'].map((name) => `caps ${name}`),
].map((name) => `payouts ${name}`);

/** In the order in which they run; `$name` is an id of `ids`. */
const COMMANDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'payments list': [[]],
  'payments get': [['$waiting'], ['$owned'], ['$settled']],
  'payments run-now': [['$waiting', '--dry-run'], ['--account', 'alice', '--dry-run'], ['$waiting']],
  'payments fail': [
    ['$doomed', '--reason', 'r', '--dry-run'],
    ['$doomed', '--reason', 'r'],
  ],
  'payments retry': [['$doomed', '--dry-run'], ['$doomed']],
  'payments archive': [['--older-than', '36500d']],
  why: [['$waiting'], ['$unfunded']],
  'dead-letters list': [[]],
  'dead-letters get': [['$dead'], ['$slot']],
  'dead-letters retry': [['$dead', '--dry-run']],
  'dead-letters discard': [
    ['$slot', '--reason', 'r', '--dry-run'],
    ['$dead', '--reason', 'r', '--dry-run'],
    ['$dead', '--reason', 'r'],
  ],
  'chains list': [[]],
  'treasury-wallets list': [['--tenant', 'shop']],
  'alerts list': [['--tenant', 'shop']],
  'outages list': [[]],
  'outages release': [['$outage']],
  'outages discard': [['$outage2', '--reason', 'r', '--tenant', 'branch']],
  'jobs create': [['--name', 'receipts', '--events', 'payment.*', '--processor', PROCESSOR]],
  'jobs list': [[]],
  'jobs processors': [[]],
  'jobs get': [['receipts']],
  'jobs update': [['receipts', '--timeout', '5s']],
  'jobs disable': [['receipts']],
  'jobs enable': [['receipts']],
  'executions list': [[]],
  'executions get': [['$execution']],
  'executions retry': [['$execution']],
  'executions cancel': [['$execution']],
  'webhooks create': [['--url', 'https://shop.example.com/hooks', '--events', 'payment.*']],
  'webhooks list': [[]],
  'webhooks get': [['$endpoint']],
  'webhooks update': [['$endpoint', '--max-per-second', '5']],
  'webhooks disable': [['$endpoint']],
  'webhooks enable': [['$endpoint']],
  'webhooks rotate-secret': [['$endpoint']],
  'webhooks test': [['$endpoint']],
  'webhooks redeliver': [['$delivery']],
  'webhooks recover': [['$endpoint', '--since', '2026-01-01T00:00:00Z']],
  'webhooks deliveries': [[], ['$endpoint']],
  'webhooks delivery': [['$delivery']],
  'webhooks delete': [['$endpoint']],
  'notifications create': [['slack', '--name', 'on call', '--url', 'https://hooks.slack.com/services/x']],
  'notifications list': [[]],
  'notifications get': [['$channel']],
  'notifications update': [['$channel', '--topics', 'reviews']],
  'notifications disable': [['$channel']],
  'notifications enable': [['$channel']],
  'notifications rotate-secret': [['$channel']],
  'notifications test': [['$channel']],
  'notifications delete': [['$channel']],
  'jobs delete': [['receipts']],
  top: [[]],
  upcoming: [[]],
  'api-keys create': [['--name', 'k', '--role', 'admin']],
  'api-keys list': [[]],
  'api-keys rotate': [['$key']],
  'api-keys revoke': [['$key']],
  'test-clocks create': [['--tenant', 'lab', '--now', '2027-01-01T00:00:00Z']],
  'test-clocks list': [[]],
  'test-clocks advance': [['--tenant', 'lab', '--by', '1d']],
  'test-clocks cancel-advance': [['--tenant', 'lab']],
  'test-clocks delete': [['--tenant', 'lab']],
  verify: [[]],
  'audit-events list': [['--tenant', 'shop', '--limit', '1000']],
  'audit-events anchor': [['--file', 'anchors.jsonl']],
  'accounts import-balances': [['balances.csv', '--tenant', 'shop', '--name', 'opening']],
  'subscriptions import': [
    ['subscriptions.jsonl', '--tenant', 'shop', '--dry-run'],
    ['subscriptions.jsonl', '--tenant', 'shop'],
  ],
  'freezes list': [['--all']],
  'freezes lift': [['--tenant', 'shop', '--asset', 'EUR/2', '--reason', 'r']],
  'execution-cap get': [['--tenant', 'shop']],
  'execution-cap set': [['10', '--tenant', 'shop']],
  'execution-cap remove': [['--tenant', 'shop']],
  scheduler: [['--once']],
  processor: [['--once']],
  worker: [['--once']],
};

const runLoop = async (name: string): Promise<void> => {
  await world.usance.loops.find((loop) => loop.name === name)?.runOnce();
};

beforeAll(async () => {
  const { tenant, owner } = world;
  await open(tenant, { alice: 10_000, bob: 0, poor: 0 });
  const made = await tenant.createApiKey({ name: 'till', role: 'admin' });
  ids['key'] = toTypeId('apiKey', made.key.id);
  const shop = (await world.usance.authenticate(made.secret))?.handle ?? tenant;
  const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 10, delay: '1h' };
  const pay = async (more: object = {}): Promise<string> =>
    toTypeId('payment', (await shop.createPayment({ ...order, ...more, idempotencyKey: key() })).id);
  for (const name of ['waiting', 'doomed', 'dead']) ids[name] = await pay();
  ids['unfunded'] = await pay({ from: 'poor', funding: 'at_execution' });
  ids['settled'] = await pay({ delay: '0s' });
  await shop.failPayment(fromTypeId('payment', ids['dead'] ?? ''), 'r');
  await dueSchedule(owner, shop);
  await dueSchedule(owner, shop, { from: 'poor', funding: 'reserve' });
  await runLoop('scheduler');
  await runLoop('processor');
  const [slot] = await tenant.deadLetters({ kind: 'occurrence' });
  ids['slot'] = toTypeId('occurrence', slot?.id ?? '');
  const owned = (await tenant.payments({})).find((payment) => payment.owner !== null);
  ids['owned'] = toTypeId('payment', owned?.id ?? '');
  ids['execution'] = toTypeId('execution', await addExecution(owner, await addJob(owner, tenant), 'failed'));
  const endpoint = await addEndpoint(tenant);
  ids['endpoint'] = toTypeId('webhookEndpoint', endpoint.id);
  ids['delivery'] = toTypeId('execution', await addExecution(owner, endpoint, 'failed'));
  const hook = { name: 'own', kind: 'webhook', url: 'https://ops.example.com/hook' } as const;
  ids['channel'] = toTypeId('notificationChannel', (await tenant.createNotificationChannel(hook)).channel.id);
  const branch = await world.usance.createTenant({ name: 'branch', kind: 'live' });
  ids['outage'] = toTypeId('outage', await addOutage(owner, tenant.id));
  ids['outage2'] = toTypeId('outage', await addOutage(owner, branch.id));

  await tenant.createPlan({ name: 'Gym', receiver: 'bob', price: 100, asset: 'USD', period: { frequency: 'MONTHLY' } });
  const subscription = { reference: 'old-1', plan: 'Gym', payer: 'alice', next_due_at: '2027-03-31T09:00:00Z' };
  writeFileSync(join(folder, 'subscriptions.jsonl'), `${JSON.stringify(subscription)}\n`);
  writeFileSync(join(folder, 'balances.csv'), 'account,asset,amount\nalice,USD/2,100\ncem,USD/2,5\n');

  // Frozen by an operator's mistake in the tables: the details of a check name rows by their ids.
  await tenant.createAsset('EUR/2');
  const details = { account: newId(), payment: newId(), subscription: newId(), transfer: newId() };
  const offender = { tenantId: tenant.id, asset: 'EUR/2', details };
  await world.db.transaction((tx) => freezeAsset(tx, liveAt(new Date()), 'planted', offender));
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query('update usance.transfers set amount = amount + 1');
  });
  await runLoop('sequencer');
  await runLoop('sealer');
});

const placed = (words: readonly string[]): string[] =>
  words.map((word) => (word.startsWith('$') ? (ids[word.slice(1)] ?? word) : word));

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
}

test('every command is listed here', () => {
  const known = [...Object.keys(COMMANDS), ...WITHOUT_IDS, ...LOOKED_AT_ELSEWHERE].toSorted();
  expect(known).toEqual(leavesOf(createProgram('0')).toSorted());
});

/** Commands that end with 1 here: the books are wrong on purpose. */
const WRONG = new Set(['verify', 'worker']);
const RUNS = Object.entries(COMMANDS).flatMap(([name, calls]) =>
  calls.map((words) => [`${name} ${words.join(' ')}`.trim(), name, words] as const),
);

test.each(RUNS)('usance %s prints no UUID', async (_title, name, words) => {
  const needsTenant =
    !words.includes('--tenant') &&
    /^(?:payments (?!archive)|why|dead-letters|outages|jobs|executions|webhooks|notifications|top|upcoming|api-keys)/.test(
      name,
    );
  const args = [...name.split(' '), ...placed(words), ...(needsTenant ? ['--tenant', 'shop'] : [])];
  const { code, out, err } = await run([...args, '--json']);
  expect({ code, err: code === 0 ? '' : out + err }).toEqual({
    code: WRONG.has(name) ? 1 : 0,
    err: expect.any(String) as string,
  });
  expect(() => JSON.parse(out) as unknown).not.toThrow();
  expect(UUID.exec(out)?.[0] ?? null, out).toBeNull();
  expect(UUID.exec(err)?.[0] ?? null, err).toBeNull();
});
