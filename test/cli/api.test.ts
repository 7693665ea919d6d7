// `usance api` as a process in production: what it makes and does not make, and how it ends while it is being asked.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { sendTo } from '../api/api.ts';
import { useDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';
import { startUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const database = useDatabase();
const USANCE_API_KEY = 'chosen-by-an-operator-in-a-test';
const JWT_SECRET = 'a-secret-of-thirty-two-characters-or-more';
const production = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: database.runtimeUrl,
  PORT: '0',
  HOST: '127.0.0.1',
  USANCE_API_KEY,
  JWT_SECRET,
});
const urlIn = (screen: string): string => (JSON.parse(screen) as { url: string }).url;

test('npm start in production is the API on your own database, with your key and without a demo', async () => {
  const unset = { ...production(), HOST: '' };
  const { child, screen, ended } = await startUsance(folder, ['start'], 'listening', unset);
  const { url, level } = JSON.parse(screen) as { url: string; level: string };
  expect(level).toBe('info');
  // A container's port is reached from outside of it: loopback alone would not be.
  if (process.platform === 'linux')
    expect((await fetch(`${url.replace('127.0.0.1', '127.0.0.2')}/health`)).status).toBe(200);
  const client = createClient({ url, key: USANCE_API_KEY });
  const { data } = await client.accounts.list().page();
  expect(data.map((account) => account.ref)).not.toContain('alice');
  child.kill('SIGTERM');
  const { code, out, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).not.toContain(USANCE_API_KEY);
  const tenants = await database.owner.query('select name from usance.tenants');
  expect(tenants).toEqual([{ name: 'main' }]);
});

test('a second start finds the key it made, and makes no other', async () => {
  const { child, ended } = await startUsance(folder, ['api'], 'listening', production());
  child.kill('SIGTERM');
  await ended;
  const [keys] = await database.owner.query('select count(*)::int as count from usance.api_keys');
  expect(keys).toEqual({ count: 1 });
});

test('a key that was revoked does not come back with the next start', async () => {
  await database.owner.query('update usance.api_keys set revoked_at = now()');
  const { code, err } = await usance(folder, ['api'], production());
  expect({ code, err }).toEqual({
    code: 3,
    err: 'usance: the key in USANCE_API_KEY was revoked or has expired: use another key\n',
  });
  // A trigger keeps a key's end: past it, for the tests that follow.
  await database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query('update usance.api_keys set revoked_at = null');
  });
});

test('a schema that is not up to date is for usance migrate, not for the first API that starts', async () => {
  const { code, err } = await usance(folder, ['api'], { ...production(), USANCE_SCHEMA: 'not_yet' });
  expect(code).toBe(3);
  expect(err).toMatch(/run "usance migrate"/);
});

test.each([
  ['203.0.113.7', /^usance: port 0 cannot be opened on 203\.0\.113\.7 .*: set HOST to an address of this machine\n$/],
  ['no-such-host.invalid', /^usance: the address no-such-host\.invalid does not exist .*: set HOST to an address/],
])('an address that is not of this machine is named: %s', async (HOST, says) => {
  const { code, err } = await usance(folder, ['api'], { ...production(), HOST });
  expect(err).toMatch(says);
  expect(code).toBe(3);
});

test('asked to stop it is not ready first, and everything it acknowledged is there', async () => {
  const variables = { ...production(), USANCE_DRAIN_SECONDS: '2' };
  const { child, screen, ended } = await startUsance(folder, ['api', '--json'], '\n}\n', variables);
  const url = urlIn(screen);
  const client = createClient({ url, key: USANCE_API_KEY, maxRetries: 0 });
  await client.assets.create({ asset: 'USD/2', default: true });
  for (const ref of ['payer', 'payee']) await client.accounts.create({ ref });
  await client.accounts.deposit('payer', { amount: '100000' });

  const acknowledged: string[] = [];
  let open = true;
  const ask = async (): Promise<void> => {
    while (open && acknowledged.length < 900) {
      try {
        const { id } = await client.holds.create({ from: 'payer', to: 'payee', amount: '1', delay: '1h' });
        acknowledged.push(id);
      } catch {
        open = false;
      }
    }
  };
  const askers = Array.from({ length: 2 }, ask);
  await vi.waitUntil(() => acknowledged.length > 20, { timeout: 30_000, interval: 5 });
  child.kill('SIGTERM');
  await vi.waitUntil(async () => (await fetch(`${url}/ready`)).status === 503, { timeout: 10_000, interval: 5 });
  const beforeTheEnd = acknowledged.length;
  await Promise.all(askers);
  expect((await ended).code).toBe(0);

  // While it drained it still answered those who had not noticed.
  expect(acknowledged.length).toBeGreaterThan(beforeTheEnd);
  const kept = await usance(folder, ['payments', '--limit', '1000', '--json'], production());
  const ids = new Set(kept.json<{ payments: { id: string }[] }>().payments.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id)).slice(0, 5)).toEqual([]);
});

test.each([
  ['hold', 'POST /holds', { from: 'payer', to: 'payee', amount: '1', delay: '1h' }, 'payments'],
  ['deposit', 'POST /accounts/payer/deposit', { amount: '1' }, 'transfers'],
])(
  'killed between the commit of a %s and its answer, the next one knows it by its key',
  async (_what, request, body, table) => {
    const proxy = await startProxy(database.runtimeUrl);
    onTestFinished(() => proxy.close());
    const rows = async () => database.owner.query(`select count(*)::int as count from usance.${table}`);
    const [before] = await rows();
    const first = await startUsance(folder, ['api', '--json'], '\n}\n', { ...production(), DATABASE_URL: proxy.url });
    const key = `killed ${table}`;
    const committed = proxy.cutAtCommit('kept');
    const lost = sendTo(urlIn(first.screen), USANCE_API_KEY, request, { key, body }).then(
      () => 'answered',
      () => 'no answer',
    );
    await committed;
    first.child.kill('SIGKILL');
    expect(await lost).toBe('no answer');

    const second = await startUsance(folder, ['api', '--json'], '\n}\n', production());
    const found = await sendTo(urlIn(second.screen), USANCE_API_KEY, request, { key, body });
    expect(found.status, found.text).toBe(201);
    expect(found.headers.get('idempotent-replayed')).toBe('true');
    second.child.kill('SIGTERM');
    await second.ended;
    const [after] = await rows();
    expect(Number(after?.['count'])).toBe(Number(before?.['count']) + 1);
  },
);

test('a database that goes away while the first key is made is waited for, with a notice', async () => {
  const proxy = await startProxy(database.runtimeUrl);
  onTestFinished(() => proxy.close());
  const cut = proxy.cutAtCommit('before');
  const variables = { DATABASE_URL: proxy.url, PORT: '0', USANCE_API_KEY: 'another-one-that-is-made-late' };
  const [{ child, screen, ended }] = await Promise.all([
    startUsance(folder, ['api', '--json'], '\n}\n', variables),
    cut,
  ]);
  const client = createClient({ url: urlIn(screen), key: variables.USANCE_API_KEY });
  expect((await client.accounts.list().page()).data).toBeInstanceOf(Array);
  child.kill('SIGTERM');
  const { code, err } = await ended;
  expect(code).toBe(0);
  expect(err).toContain('the database does not answer: waiting up to 60 s for it');
});
