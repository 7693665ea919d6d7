// The tenant demo-world of `usance dev`: filled once, after the process is ready, and beside the first tenant. One folder through all of it.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { startUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const READY = 'Ctrl-C stops it';
const PORT = '0';
/** A fill takes a few seconds on two idle cores. */
const FILL = { timeout: 120_000, interval: 100 };

interface Listed {
  readonly data: readonly { readonly id: string; readonly status: string; readonly name: string }[];
  readonly next_cursor: string | null;
}

interface Visit {
  readonly tenants: readonly string[];
  /** A GET of the demo world. */
  read<T = Listed>(path: string): Promise<T>;
  status(path: string): Promise<number>;
}

/** Signs in with the link of the first screen, as the browser does. */
async function visit(screen: string): Promise<Visit> {
  const [, url = '', link = ''] = /open +(http:\S+?)\/#link=(usl_\S+)/.exec(screen) ?? [];
  const signedIn = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  expect(signedIn.status).toBe(201);
  const { tenants } = (await signedIn.json()) as { tenants: { name: string }[] };
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const ask = (path: string): Promise<Response> =>
    fetch(`${url}/v1${path}`, { headers: { cookie, 'usance-tenant': 'demo-world' } });
  return {
    tenants: tenants.map(({ name }) => name),
    read: async <T>(path: string) => (await (await ask(path)).json()) as T,
    status: async (path) => (await ask(path)).status,
  };
}

/** Its last step opens this account. */
const isFilled = async ({ status }: Visit): Promise<boolean> => (await status('/accounts/zoe')) === 200;

async function countOf({ read }: Visit, path: string): Promise<number> {
  let [count, cursor]: [number, string | null] = [0, ''];
  while (cursor !== null) {
    const page: Listed = await read(`${path}?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    count += page.data.length;
    cursor = page.next_cursor;
  }
  return count;
}

const LISTS = ['/payments', '/accounts', '/schedules', '/subscriptions', '/plans', '/jobs', '/webhook-endpoints'];
const countsOf = async (visited: Visit): Promise<Record<string, number>> =>
  Object.fromEntries(await Promise.all(LISTS.map(async (path) => [path, await countOf(visited, path)] as const)));

const state: { counts: Record<string, number>; key: string } = { counts: {}, key: '' };

/** The key of the demo world that the first screen prints: it opens that tenant alone, and is kept for its owner only. */
async function worldKey(screen: string): Promise<string> {
  const [, url = ''] = /api +(http:\S+)/.exec(screen) ?? [];
  const [, secret = '', file = ''] = /^ +(usk_\S+) \(its key, kept in (.+)\)$/m.exec(screen) ?? [];
  expect((await readFile(file, 'utf8')).trim()).toBe(secret);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const signedIn = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: secret }),
  });
  expect(await signedIn.json()).toMatchObject({
    tenants: [{ name: 'demo-world', kind: 'test' }],
    key: { role: 'admin' },
  });
  return secret;
}

describe('the demo world', () => {
  test('a start that is killed in the middle of the fill is completed by the next one', async () => {
    const { child, screen, ended } = await startUsance(folder, ['dev'], READY, { PORT });
    expect(screen).toContain('world   demo-world (a test tenant with four weeks of data');
    const visited = await visit(screen);
    expect(visited.tenants).toEqual(['demo', 'demo-world']);
    state.key = await worldKey(screen);
    await vi.waitUntil(async () => (await visited.read('/payments')).data.length > 0, FILL);
    expect(await isFilled(visited)).toBe(false);
    child.kill('SIGKILL');
    await ended;

    const second = await startUsance(folder, ['dev'], READY, { PORT });
    const again = await visit(second.screen);
    expect(await worldKey(second.screen)).toBe(state.key);
    await vi.waitUntil(() => isFilled(again), FILL);
    state.counts = await countsOf(again);
    expect(state.counts).toMatchObject({ '/plans': 3, '/subscriptions': 11 });
    second.child.kill('SIGINT');
    expect(await second.ended).toMatchObject({ code: 0, err: '' });
  }, 180_000);

  test('has something on every page, and is not doubled by another start', async () => {
    const { child, screen, ended } = await startUsance(folder, ['dev'], READY, { PORT });
    const visited = await visit(screen);
    expect(await isFilled(visited)).toBe(true);
    expect(await countsOf(visited)).toEqual(state.counts);
    // Killed, stopped and started again: its endpoints are those of the receiver of this process.
    const endpoints = await visited.read<{ data: { url: string }[] }>('/webhook-endpoints');
    const answers = endpoints.data.map(async ({ url }) => (await fetch(url, { method: 'POST' })).status);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 503]));
    const statuses = new Set<string>();
    for (const status of ['scheduled', 'review', 'settled', 'failed', 'cancelled', 'expired'])
      for (const payment of (await visited.read(`/payments?status=${status}&limit=1`)).data)
        statuses.add(payment.status);
    expect([...statuses]).toEqual(['scheduled', 'review', 'settled', 'failed', 'cancelled', 'expired']);
    const filled = [
      '/payments?approval=awaited',
      '/dead-letters?kind=payment',
      '/dead-letters?kind=occurrence',
      '/dead-letters?kind=execution',
      '/dead-letters/groups',
      '/subscriptions?status=active',
      '/subscriptions?status=trialing',
      '/subscriptions?status=paused',
      '/subscriptions?status=past_due',
      '/subscriptions?status=cancelled',
      '/subscriptions?status=expired',
      '/schedules?status=paused',
      '/schedules?status=completed',
      '/accounts?status=suspended',
      '/accounts?status=closed',
      '/guardians/ruth-ellis/allowances',
      '/executions?status=completed',
      '/executions?status=failed',
      '/deliveries?status=completed',
      '/deliveries?status=failed',
      '/treasury-wallets',
      '/chains',
      '/limits',
      '/pauses',
      '/test-clocks',
      '/api-keys',
      '/audit-events?actor=support:jo',
      '/events?type=orders.shipped',
      '/processors',
    ];
    const empty: string[] = [];
    for (const path of filled) if ((await visited.read(path)).data.length === 0) empty.push(path);
    expect(empty).toEqual([]);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  }, 60_000);

  test('keeps the books, and leaves the first tenant as it was', async () => {
    const verified = await usance(folder, ['verify', '--json']);
    expect(verified.code).toBe(0);
    // One live tenant: commands need not name it.
    const payments = await usance(folder, ['payments', '--json']);
    expect(payments.json<{ payments: unknown[] }>().payments).toEqual([]);
  });

  test('is left out by --no-demo', async () => {
    const fresh = join(folder, 'fresh');
    const variables = { PORT, USANCE_DATA_DIR: fresh };
    const { child, screen, ended } = await startUsance(folder, ['dev', '--no-demo'], READY, variables);
    expect(screen).toContain('alice 1000.00 USD');
    expect(screen).not.toContain('demo-world');
    const visited = await visit(screen);
    expect(visited.tenants).toEqual(['demo']);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0 });
  });

  test('does not delay a Ctrl-C in the middle of its fill, and `usance demo` completes it', async () => {
    const own = { USANCE_DATA_DIR: join(folder, 'stopped') };
    const { child, ended } = await startUsance(folder, ['dev'], READY, { PORT, ...own });
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect({ code, err: err.split('\n').filter((line) => !line.startsWith('Creating a database')) }).toEqual({
      code: 0,
      err: [''],
    });
    const demo = async (): Promise<Record<string, unknown>> => (await usance(folder, ['demo', '--json'], own)).json();
    const [first, again] = [await demo(), await demo()];
    expect(first).toMatchObject({ tenant: 'demo-world', filled: true, link: expect.stringContaining('/#link=usl_') });
    expect(again).toMatchObject({ tenant: 'demo-world', filled: false, key: first.key });
    expect(again.link).not.toBe(first.link);
    const told = await usance(folder, ['demo'], own);
    expect(told.out).toContain(`key   ${String(first.key)} (kept in ${join(folder, 'stopped', 'demo-world-api-key')})`);
    const payments = await usance(folder, ['payments', '--tenant', 'demo-world', '--json'], own);
    expect(payments.json<{ payments: unknown[] }>().payments.length).toBeGreaterThan(0);
  }, 180_000);
});
