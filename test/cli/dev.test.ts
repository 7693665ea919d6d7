// The life of `usance dev` on an embedded server. One folder through all of it, as a newcomer's.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { launchUsance, startUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const READY = 'Ctrl-C stops it';
const PORT = '0';
const keyFile = join(folder, '.usance/api-key');
const isServing = (): boolean => existsSync(join(folder, '.usance/cluster/pgdata/postmaster.pid'));

interface Verified {
  readonly ok: boolean;
  readonly checks: readonly { name: string; rows: string }[];
}
const transfersIn = ({ checks }: Verified): string | undefined =>
  checks.find((check) => check.name === 'transfers-well-formed')?.rows;

interface Ready {
  readonly url: string;
  readonly key: string;
}

const ask = (url: string, key: string, path: string): Promise<Response> =>
  fetch(url + path, { headers: { authorization: `Bearer ${key}` } });

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe('dev', () => {
  test('starts from nothing, shows the demo’s money, and Ctrl-C ends it with its server', async () => {
    const { child, screen, ended } = await startUsance(folder, ['dev', '--no-demo'], READY, { PORT });
    expect(screen).toContain(`data    ${join(folder, '.usance')}`);
    expect(screen).toMatch(/schema {2}Migrated from version 0 to \d+/);
    expect(screen).toContain('alice 1000.00 USD, bob 250.00 USD');
    expect(screen).toContain('The books add up');
    expect(screen).toContain(`key     ${readFileSync(keyFile, 'utf8').trim()} (kept in ${keyFile})`);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(isServing()).toBe(true);
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    // Without a terminal too: the first start takes a while.
    expect({ code, err }).toEqual({
      code: 0,
      err: `Creating a database in ${join(folder, '.usance')}, once: this takes from a few seconds to half a minute.\n`,
    });
    expect(out).toContain('Stopped.');
    expect(isServing()).toBe(false);
  });

  test('is not ready before its first key works and the demo has its money', async () => {
    const data = join(folder, 'early');
    const port = await freePort();
    const { child, ended } = launchUsance(folder, ['dev', '--no-demo'], { PORT: port, USANCE_DATA_DIR: data });
    const url = `http://127.0.0.1:${port}`;
    const isGreen = () =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitUntil(isGreen, { timeout: 60_000, interval: 1 });
    const made = existsSync(join(data, 'api-key')) ? readFileSync(join(data, 'api-key'), 'utf8').trim() : 'none yet';
    const alice = await ask(url, made, '/v1/accounts/alice');
    expect({ status: alice.status, body: await alice.json() }).toMatchObject({
      status: 200,
      body: { balances: [{ asset: 'USD/2', total: '100000' }] },
    });
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });

  test('has its data and its key on the second start, books nothing twice, and shares its server', async () => {
    const kept = readFileSync(keyFile, 'utf8').trim();
    const { child, screen, ended } = await startUsance(folder, ['dev', '--no-demo'], READY, { PORT });
    expect(screen).toContain('alice 1000.00 USD, bob 250.00 USD');
    expect(screen).not.toContain('schema');
    expect(screen).toContain(`Bearer ${kept}'`);
    const [, url = ''] = /api +(http:\/\/[\d.:]+)/.exec(screen) ?? [];
    const bob = await ask(url, kept, '/v1/accounts/bob');
    expect(await bob.json()).toMatchObject({ ref: 'bob', balances: [{ asset: 'USD/2', total: '25000' }] });
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const [, link = ''] = /open +\S+#link=(usl_\S+)/.exec(screen) ?? [];
    const signIn = (): Promise<Response> =>
      fetch(`${url}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ link }),
      });
    expect((await signIn()).status).toBe(201);
    expect((await signIn()).status).toBe(401);

    const verified = await usance(folder, ['verify', '--json']);
    expect(verified.code).toBe(0);
    expect(transfersIn(verified.json<Verified>())).toBe('2');
    const doctor = await usance(folder, ['doctor'], { PORT: new URL(url).port });
    expect(doctor).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ok +port +usance already serves \d+ on 127\.0\.0\.1/),
    });
    const twice = await usance(folder, ['dev', '--no-demo'], { PORT: new URL(url).port });
    expect({ code: twice.code, err: twice.err }).toEqual({
      code: 3,
      err: expect.stringMatching(
        /^usance: usance already serves port \d+ on 127\.0\.0\.1: use that process, or set PORT/,
      ),
    });
    expect(isServing()).toBe(true);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(isServing()).toBe(false);
  });

  test('killed outright leaves books that verify, and the last command out stops the server', async () => {
    const { child, ended } = await startUsance(folder, ['dev', '--no-demo'], READY, { PORT });
    child.kill('SIGKILL');
    await ended;
    const { code, out } = await usance(folder, ['verify']);
    expect(code).toBe(0);
    expect(out).toMatch(/ok +no balance is negative +\(2 rows\)/);
    expect(out).toMatch(/The books add up: \d+ checks over \d+ rows\.\n$/);
    expect(isServing()).toBe(false);
  });

  test('delivers webhooks', async () => {
    const received: string[] = [];
    const receiver = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          received.push(String(data));
          socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
        });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { child, screen, ended } = await startUsance(folder, ['dev', '--no-demo'], READY, { PORT });
    const [, url = ''] = /api +(http:\S+)/.exec(screen) ?? [];
    const post = (path: string, body: object): Promise<Response> =>
      fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${readFileSync(keyFile, 'utf8').trim()}`,
          'content-type': 'application/json',
          'idempotency-key': path,
        },
        body: JSON.stringify(body),
      });
    const { port } = receiver.address() as AddressInfo;
    const endpoint = await post('/v1/webhook-endpoints', {
      url: `http://127.0.0.1:${port}/hooks`,
      event_pattern: 'payment.created',
    });
    expect(endpoint.status).toBe(201);
    await post('/v1/holds', { from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '1h' });
    await expect.poll(() => received.join('')).toContain('"type":"payment.created"');
    child.kill('SIGINT');
    await ended;
    await new Promise((resolve) => receiver.close(resolve));
  });

  test('takes a key of one’s own, and a Ctrl-C that npm passes on a second time for one', async () => {
    const variables = { PORT, USANCE_API_KEY: 'a-key-that-i-chose-by-myself' };
    const { child, screen, ended } = await startUsance(folder, ['start', '--json', '--no-demo'], '\n}\n', variables);
    const { url, key } = JSON.parse(screen) as Ready;
    expect(key).toBe(variables.USANCE_API_KEY);
    expect((await ask(url, key, '/v1/accounts')).status).toBe(200);
    child.kill('SIGINT');
    child.kill('SIGINT');
    const { code, json } = await ended;
    expect(code).toBe(0);
    expect(json()).toMatchObject({ ready: true, ok: true, store: { embedded: true } });
    expect(isServing()).toBe(false);
  });

  test('asked to stop while it starts, it stops and leaves no server', async () => {
    const fresh = join(folder, 'fresh');
    const { child, ended } = launchUsance(folder, ['dev', '--no-demo'], { PORT, USANCE_DATA_DIR: fresh });
    await vi.waitUntil(() => existsSync(join(fresh, 'server.log')), { timeout: 30_000, interval: 5 });
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    expect(existsSync(join(fresh, 'cluster/pgdata/postmaster.pid'))).toBe(false);
  });

  test('on a port that is taken says so in one line, and leaves no server', async () => {
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, out, err } = await usance(folder, ['dev', '--no-demo'], { PORT: String(port) });
    await new Promise((resolve) => other.close(resolve));
    const line = `usance: another program uses port ${port} on 127.0.0.1: stop it, or set PORT to another port\n`;
    expect({ code, out, err }).toEqual({ code: 3, out: '', err: line });
    expect(isServing()).toBe(false);
  });
});

describe('three terminals', () => {
  test('share the embedded server: what the API takes, the scheduler makes and the processor pays', async () => {
    const api = await startUsance(folder, ['api', '--json'], '\n}\n', { PORT });
    const processor = await startUsance(folder, ['processor'], 'running');
    const scheduler = await startUsance(folder, ['scheduler'], 'running');
    const { url } = JSON.parse(api.screen) as Ready;
    const authorization = `Bearer ${readFileSync(keyFile, 'utf8').trim()}`;
    const created = await fetch(`${url}/v1/holds`, {
      method: 'POST',
      headers: { authorization, 'idempotency-key': 'one', 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '1s' }),
    });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    await vi.waitUntil(
      async () => {
        const hold = await fetch(`${url}/v1/holds/${id}`, { headers: { authorization } });
        return ((await hold.json()) as { status: string }).status === 'settled';
      },
      { timeout: 30_000, interval: 100 },
    );
    const schedule = async (start: string): Promise<string | undefined> => {
      const answer = await fetch(`${url}/v1/schedules`, {
        method: 'POST',
        headers: { authorization, 'idempotency-key': start, 'content-type': 'application/json' },
        body: JSON.stringify({
          from: 'alice',
          to: 'bob',
          asset: 'USD/2',
          amount: '250',
          rule: { every_seconds: 86_400 },
          start,
        }),
      });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { next?: { slot: string } }).next?.slot;
    };
    const soon = (): string => new Date(Date.now() + 2_000).toISOString().slice(0, 19);
    // One that arrives too late for its start begins tomorrow, and another has to be made.
    for (let start = soon(); (await schedule(start)) !== start; start = soon());
    await vi.waitUntil(
      async () => {
        const settled = await fetch(`${url}/v1/payments?status=settled`, { headers: { authorization } });
        return ((await settled.json()) as { data: unknown[] }).data.length > 1;
      },
      { timeout: 30_000, interval: 100 },
    );
    scheduler.child.kill('SIGTERM');
    expect(await scheduler.ended).toMatchObject({ code: 0 });
    const listed = await usance(folder, ['payments']);
    expect(listed.out).toMatch(new RegExp(`${id}  settled +1\\.00 USD  alice → bob`));
    expect(listed.out).toMatch(/settled +2\.50 USD/);
    api.child.kill('SIGTERM');
    expect(await api.ended).toMatchObject({ code: 0 });
    expect(isServing()).toBe(true);
    processor.child.kill('SIGTERM');
    expect(await processor.ended).toMatchObject({ code: 0 });
    expect(isServing()).toBe(false);
  });
});

test('a command that only looks makes no store', async () => {
  const empty = join(folder, 'elsewhere');
  const { code, err } = await usance(folder, ['verify'], { USANCE_DATA_DIR: empty });
  expect(code).toBe(3);
  expect(err).toMatch(/^usance: there is no store in .*elsewhere: create one with "usance dev" or "usance migrate"/);
  expect((await usance(folder, ['doctor', '--json'], { USANCE_DATA_DIR: empty, PORT: '0' })).code).toBe(0);
  expect(existsSync(empty)).toBe(false);
});
