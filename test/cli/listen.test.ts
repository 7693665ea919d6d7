// `usance listen`, on one database, with a receiver on this machine. The test orders the events, so that they arrive when it says.
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../src/client/index.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { closedPort } from '../support/closed-port.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { startUsance, usance, useFolder } from './cli.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const folder = useFolder();
const world = useUsance();
const variables = () => ({ DATABASE_URL: world.runtimeUrl });
const received: Received[] = [];
let status = 204;
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
});
let hook = '';

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  hook = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => receiver.close());

const listen = (...args: string[]) => startUsance(folder, ['listen', ...args], 'Forwarding', variables());

/** Appends an event of the application, and orders it. */
async function append(type: string): Promise<string> {
  const { id } = await world.tenant.appendEvent({ type, resource: 'post', resourceId: 'post-1', data: { title: 'a' } });
  await orderAll(world.owner);
  return toTypeId('event', id);
}

async function stopped({ child, ended }: Awaited<ReturnType<typeof listen>>) {
  child.kill('SIGINT');
  return ended;
}

describe('listen', () => {
  test('forwards each new event that matches, with a signature that the client verifies', async () => {
    received.length = 0;
    await append('posts.earlier');
    const running = await listen('--forward', hook, '--events', 'posts.*');
    const [, secret = ''] = /^Secret: (whsec_\S+)$/m.exec(running.screen) ?? [];
    await append('drafts.created');
    const id = await append('posts.created');
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id });
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({
      id,
      type: 'posts.created',
      data: { title: 'a' },
    });
    expect(JSON.parse(body)).toMatchObject({ resource_id: 'post-1', source: 'application' });
    await expect(verifyWebhook(body.replace('"a"', '"b"'), headers, secret)).rejects.toThrow('no signature');

    const { code, out } = await stopped(running);
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+ {2}posts\.created {2}post-1 {2}204 {2}\d+ ms\nStopped\. Continue with --after \d+\.\n$/m);
  });

  test('goes on after a redirect, which it does not follow, and after a receiver that is down', async () => {
    received.length = 0;
    status = 302;
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const after = String((await world.tenant.lastEventCursor()).seq);
    await append('posts.moved');
    await append('posts.again');
    const running = await listen('--forward', hook, '--after', after, '--secret', secret);
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(2);
    expect(received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'posts.moved',
      'posts.again',
    ]);
    const [first] = received;
    await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret);
    expect((await stopped(running)).out).toMatch(/posts\.moved {2}post-1 {2}302 /);
    status = 204;

    const down = await startUsance(
      folder,
      ['listen', '--forward', `http://127.0.0.1:${await closedPort()}/hook`, '--after', after],
      'posts.again',
      variables(),
    );
    expect((await stopped(down)).out).toMatch(
      /posts\.moved {2}post-1 {2}ECONNREFUSED [^]*posts\.again {2}post-1 {2}ECONNREFUSED /,
    );
  });

  test('resumes at its event after its connections were cut', async () => {
    received.length = 0;
    const running = await listen('--forward', hook);
    await append('posts.before');
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
    await world.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename <> current_user and application_name like 'usance%'`,
    );
    await append('posts.after');
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2);
    expect(received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'posts.before',
      'posts.after',
    ]);
    expect((await stopped(running)).code).toBe(0);
  });

  test.each([
    [
      'another machine',
      ['--forward', 'https://example.com/hook'],
      2,
      'example.com is not this machine: add --any-host',
    ],
    [
      'a name that begins like an address of this one',
      ['--forward', 'http://127.0.0.1.example.com'],
      2,
      'is not this machine',
    ],
    ['another scheme', ['--forward', 'ftp://localhost/hook'], 2, '--forward must be a URL'],
    [
      'a secret of another form',
      ['--forward', 'http://localhost/', '--secret', 'hunter2'],
      2,
      '--secret must be whsec_',
    ],
    ['an event that does not exist', ['--forward', 'http://localhost/', '--after', '999999'], 1, 'CURSOR_DIVERGED'],
    ['a pattern that is none', ['--forward', 'http://localhost/', '--events', 'a b'], 1, 'EVENT_PATTERN_INVALID'],
  ])('refuses %s', async (_what, args, code, words) => {
    const ended = await usance(folder, ['listen', ...args], variables());
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(words) as string });
    expect(ended.err).not.toContain('hunter2');
  });
});
