// `usance listen` against the API, with a receiver on this machine. The test orders the events, so that they arrive when it says.
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { verifyWebhook } from '../../src/client/index.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { useApi } from '../api/api.ts';
import { closedPort } from '../support/closed-port.ts';
import { startUsance, usance, useFolder } from './cli.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const folder = useFolder();
const world = useApi({ api: { stream: { pollMs: 10, heartbeatMs: 50 } } });
const received: Received[] = [];
let status = 204;
let answer = '';
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(status, { location: '/elsewhere' }).end(answer);
  });
});
let hook = '';

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  hook = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => receiver.close());

const variables = (url = world.url) => ({ USANCE_URL: url, USANCE_API_KEY: world.secret });
async function listen(args: readonly string[], { words = 'Forwarding', env = variables() } = {}) {
  const running = await startUsance(folder, ['listen', ...args], words, env);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return running;
}

/** Appends an event of the application, and orders it. */
async function append(type: string): Promise<string> {
  const { id } = await world.tenant.appendEvent({
    type,
    resource: 'post',
    resourceId: 'post-1',
    data: { theTitle: 'a' },
  });
  await world.run('sequencer');
  return toTypeId('event', id);
}

const typesOf = (all: readonly Received[]): string[] =>
  all.map(({ body }) => (JSON.parse(body) as { type: string }).type);
const secretIn = (screen: string): string => /^Secret: (whsec_\S+)$/m.exec(screen)?.[1] ?? '';

async function stopped({ child, ended }: Awaited<ReturnType<typeof listen>>) {
  child.kill('SIGINT');
  return ended;
}

describe('listen', () => {
  test('forwards each new event that matches, as the API shows it, with a signature that receivers verify', async () => {
    received.length = 0;
    await append('posts.earlier');
    const running = await listen(['--forward', hook, '--events', 'posts.*']);
    const secret = secretIn(running.screen);
    await append('drafts.created');
    const id = await append('posts.created');
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id, 'user-agent': 'usance' });
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id, type: 'posts.created' });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ id });
    const listed = await world.send('GET /events?type=posts.created');
    expect(JSON.parse(body)).toEqual(listed.get('data.0'));
    expect(listed.get('data.0.data')).toEqual({ theTitle: 'a' });
    await expect(verifyWebhook(body.replace('"a"', '"b"'), headers, secret)).rejects.toThrow('no signature');

    const { code, out } = await stopped(running);
    expect(code).toBe(0);
    const line = `\\d+ {2}posts\\.created {2}post-1 {2}${id} {2}204 {2}\\d+ ms`;
    expect(out).toMatch(new RegExp(`^${line}\nStopped\\. Continue with --after \\d+\\.\n$`, 'm'));
    expect(out).not.toContain(world.secret);
  });

  test('signs with the same secret on every run, and with another for another key', async () => {
    const other = (await world.tenant.createApiKey({ name: 'other', role: 'viewer' })).secret;
    const secrets: string[] = [];
    for (const key of [world.secret, world.secret, other]) {
      const running = await listen(['--forward', hook], { env: { ...variables(), USANCE_API_KEY: key } });
      secrets.push(secretIn(running.screen));
      await stopped(running);
    }
    expect(secrets[0]).toMatch(/^whsec_/);
    expect(secrets[1]).toBe(secrets[0]);
    expect(secrets[2]).not.toBe(secrets[0]);
  });

  test('reports a redirect, which it does not follow, and a receiver that is down, and sends nothing twice', async () => {
    received.length = 0;
    status = 302;
    onTestFinished(() => void (status = 204));
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await world.run('sequencer');
    const after = String((await world.tenant.lastEventCursor()).seq);
    await append('posts.moved');
    await append('posts.again');
    const running = await listen(['--forward', hook, '--after', after, '--secret', secret], { words: 'posts.again' });
    expect(typesOf(received)).toEqual(['posts.moved', 'posts.again']);
    const [first] = received;
    await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret);
    const { out } = await stopped(running);
    expect(out).toMatch(/posts\.moved {2}post-1 {2}evt_\w+ {2}302 /);
    expect(out).toContain('Stopped. 2 events not taken.');

    const nowhere = `http://127.0.0.1:${await closedPort()}/hook`;
    const down = await listen(['--forward', nowhere, '--after', after], { words: 'posts.again' });
    const ended = await stopped(down);
    expect(ended.err).toBe(
      `usance: ${nowhere} does not take events (ECONNREFUSED): start the receiver; --after ${after} sends those that it misses again\n`,
    );
    expect(ended.out).toMatch(
      /posts\.moved {2}post-1 {2}evt_\w+ {2}ECONNREFUSED [^]*posts\.again {2}post-1 {2}evt_\w+ {2}ECONNREFUSED /,
    );
  });

  test.each([
    ['{"error": "no signature"}', '{"error": "no signature"}'],
    ['\r\n  signature of another secret\nat verify (hook.js:12)\n', 'signature of another secret'],
    ['red \u001b[31malert\u001b[0m\n', String.raw`red \u001b[31malert\u001b[0m`],
    ['a'.repeat(1_000_000), `${'a'.repeat(200)}…`],
    ['', ''],
  ])('prints why a receiver refuses: %#', async (body, words) => {
    [status, answer] = [400, body];
    onTestFinished(() => void ([status, answer] = [204, '']));
    await world.run('sequencer');
    const after = String((await world.tenant.lastEventCursor()).seq);
    await append('posts.refused');
    const running = await listen(['--forward', hook, '--after', after], { words: ' ms' });
    const { out } = await stopped(running);
    const [, printed = 'nothing'] = /posts\.refused.*  400  \d+ ms(.*)\n/.exec(out) ?? [];
    expect(printed).toBe(words === '' ? '' : `  ${words}`);
  });

  test('reads on after its last event when the API was away, and says so', async () => {
    received.length = 0;
    const options = { host: '127.0.0.1', port: 0, stream: { pollMs: 10, heartbeatMs: 50 } };
    const first = createApi(world.usance, options);
    const { url } = await first.listen();
    const running = await listen(['--forward', hook, '--events', 'posts.*'], { env: variables(url) });
    await append('posts.before');
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
    await first.close();
    await append('posts.meanwhile');
    const second = createApi(world.usance, { ...options, port: Number(new URL(url).port) });
    await second.listen();
    await append('posts.after');
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(3);
    expect(typesOf(received)).toEqual(['posts.before', 'posts.meanwhile', 'posts.after']);
    const { code, out, err } = await stopped(running);
    expect(code).toBe(0);
    expect(out).toContain('Connected again.');
    expect(err).toMatch(/usance: (the API closed the stream|the stream broke .*); reading on after event \d+ in /);
    await second.close();
  });

  test('uses the key that "usance dev" keeps, and sends it to this machine only', async () => {
    const dataDir = join(folder, 'kept');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'api-key'), `${world.secret}\n`);
    const env = { USANCE_DATA_DIR: dataDir, PORT: new URL(world.url).port };
    await stopped(await startUsance(folder, ['listen', '--forward', hook], 'Forwarding', env));
    const elsewhere = await usance(folder, ['listen', '--forward', hook, '--url', 'https://api.example.com'], env);
    expect(elsewhere).toMatchObject({ code: 3, err: expect.stringContaining('set USANCE_API_KEY') as string });
  });

  test('says which address does not answer', async () => {
    const nowhere = `http://127.0.0.1:${await closedPort()}`;
    const { code, err } = await usance(folder, ['listen', '--forward', hook], variables(nowhere));
    expect(code).toBe(3);
    expect(err).toContain(`no usance answers at ${nowhere} (ECONNREFUSED): start one with "usance dev"`);
  });

  test.each([
    [
      'another machine',
      ['--forward', 'https://example.com/hook'],
      2,
      'example.com is not this machine: add --any-host',
    ],
    ['a name that begins like an address', ['--forward', 'http://127.0.0.1.example.com'], 2, 'is not this machine'],
    ['another scheme', ['--forward', 'ftp://localhost/hook'], 2, '--forward must be a URL'],
    [
      'a secret of another form',
      ['--forward', 'http://localhost/', '--secret', 'hunter2'],
      2,
      '--secret must be whsec_',
    ],
    ['an event that does not exist', ['--forward', 'http://localhost/', '--after', '999999'], 1, 'CURSOR_DIVERGED'],
    [
      'a pattern that is none',
      ['--forward', 'http://localhost/', '--events', 'a b'],
      1,
      '--events must be an event type',
    ],
    ['a misspelt type', ['--forward', 'http://localhost/', '--events', 'payment.setled'], 1, 'mean payment.settled?'],
    ['a place that is none', ['--forward', 'http://localhost/', '--after', 'x'], 2, '--after must be the seq'],
    [
      'an API of another scheme',
      ['--forward', 'http://localhost/', '--url', 'localhost:3001'],
      2,
      '--url must be a URL',
    ],
  ])('refuses %s', async (_what, args, code, words) => {
    const ended = await usance(folder, ['listen', ...args], variables());
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(words) as string });
    expect(ended.err).not.toContain('hunter2');
  });

  test('refuses a key that is none, or that may not read events', async () => {
    const { secret } = await world.tenant.createApiKey({ name: 'mute', scopes: ['payments:read'] });
    for (const [key, words] of [
      ['usk_this-key-was-never-created', 'AUTH_INVALID'],
      [secret, 'SCOPE'],
    ] as const) {
      const ended = await usance(folder, ['listen', '--forward', hook], { ...variables(), USANCE_API_KEY: key });
      expect(ended, ended.err).toMatchObject({ code: 1, err: expect.stringContaining(words) as string });
      expect(ended.err).not.toContain(key);
    }
  });
});
