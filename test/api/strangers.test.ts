// Callers without a key: what they can make this process do is little, counted by address, and done before a body is read.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AnsweredRequest, ApiOptions } from '../../src/api/index.ts';
import { createApi } from '../../src/api/index.ts';
import { logAnswer } from '../../src/cli/log.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { useApi } from './api.ts';

const store = useApi();

/** Another server over the same store, and what it says of its answers and errors. */
async function serve(options: Partial<ApiOptions> = {}) {
  const answered: AnsweredRequest[] = [];
  const errors: unknown[] = [];
  const api = createApi(store.usance, {
    host: '127.0.0.1',
    port: 0,
    notesEveryMs: 3_600_000,
    onAnswered: (answer) => answered.push(answer),
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => api.close());
  const { url } = await api.listen();
  return { url, port: Number(new URL(url).port), answered, errors };
}

function dial(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return socket.setEncoding('utf8');
}

/** Sends a text as it is, and returns what comes back before the connection ends, or its head. */
async function say(port: number, text: string): Promise<string> {
  const socket = dial(port);
  socket.write(text);
  const [first] = (await once(socket, 'data')) as [string];
  return first;
}

const head = (first: string, ...more: string[]): string => [first, 'host: a', ...more, '', ''].join('\r\n');

describe('a method that no path knows', () => {
  test.each([
    ['QUERY /', 'GET, HEAD, OPTIONS'],
    ['QUERY /docs', 'GET, HEAD, OPTIONS'],
    ['PROPFIND /v1/holds', 'GET, HEAD, OPTIONS, POST'],
    ['QUERY /v1/accounts/alice', 'GET, HEAD, OPTIONS, PATCH'],
  ])('%s is refused with what the path takes, and is no error of ours', async (request, allow) => {
    const { port, errors, answered } = await serve();
    const answer = await say(port, head(`${request} HTTP/1.1`));
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    const said = /^allow: (.*)$/im.exec(answer)?.[1] ?? '';
    expect(said.split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
    expect(errors).toEqual([]);
    expect(answered.map(({ status }) => status)).toEqual([405]);
  });

  test('is counted by the limit of its address, as unknown paths and the reference are', async () => {
    const { port } = await serve({ rateLimits: { perAddress: 4 } });
    const status = async (first: string): Promise<string> => (await say(port, head(`${first} HTTP/1.1`))).slice(9, 12);
    const requests = ['QUERY /', 'GET /nothing', 'DELETE /v1/holds', 'GET /openapi.json', 'QUERY /', 'GET /docs'];
    const statuses: string[] = [];
    for (const request of requests) statuses.push(await status(request));
    expect(statuses).toEqual(['405', '404', '405', '200', '429', '429']);
    // Probes are never kept waiting by strangers behind the same address.
    expect([await status('GET /health'), await status('GET /ready')]).toEqual(['200', '200']);
  });
});

describe('a body that is not wanted', () => {
  test.each(['/nothing', '/v1/nothing', '/v1/holds'])('is not read at %s before the answer', async (path) => {
    const { port } = await serve();
    const sent =
      head(`POST ${path} HTTP/1.1`, 'content-type: application/json', 'content-length: 200000') + '{"from": ';
    expect(await say(port, sent)).toMatch(/^HTTP\/1\.1 (404|401) /);
  });
});

describe('the readiness of a process', () => {
  test('is asked of the database once a second at most, however many ask', async () => {
    const { url } = await serve();
    const { answers } = store.usance.monitoring;
    expect(await answers()).toBe(true);
    const first = answers();
    expect(new Set(Array.from({ length: 50 }, () => answers()))).toEqual(new Set([first]));
    expect(answers()).toBe(first);
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${url}/ready`)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('connections', () => {
  test('of one address are limited, and those of a trusted proxy are not', async () => {
    const outcome = async (options: Partial<ApiOptions>): Promise<string[]> => {
      const { port } = await serve(options);
      const outcomes: string[] = [];
      for (let count = 0; count < 4; count += 1) {
        const socket = dial(port);
        socket.write(head('GET /health HTTP/1.1'));
        outcomes.push(
          await Promise.race([
            once(socket, 'data').then(() => 'served'),
            once(socket, 'close').then(() => 'closed'),
          ]).catch(() => 'closed'),
        );
      }
      return outcomes;
    };
    expect(await outcome({ maxConnectionsPerAddress: 3 })).toEqual(['served', 'served', 'served', 'closed']);
    const proxied = { maxConnectionsPerAddress: 3, trustedProxies: ['127.0.0.0/8'] };
    expect(await outcome(proxied)).toEqual(['served', 'served', 'served', 'served']);
  });

  test('are kept a short while after a request without a key, and longer after one with a good key', async () => {
    const { port } = await serve({ strangerKeepAliveMs: 50 });
    const [stranger, caller] = [dial(port), dial(port)];
    caller.write(head('GET /v1/assets HTTP/1.1', `authorization: Bearer ${store.secret}`));
    await once(caller, 'data');
    let callerClosed = false;
    caller.once('close', () => (callerClosed = true));
    stranger.write(head('GET /health HTTP/1.1'));
    await once(stranger, 'data');
    await once(stranger, 'close');
    expect(callerClosed).toBe(false);
  });
});

describe('a refused key', () => {
  test('is logged with the address that showed it, and a good one without', async () => {
    const { url, answered } = await serve();
    await fetch(`${url}/v1/assets`, { headers: { authorization: 'Bearer usk_nobodys-key-nobodys-key' } });
    await fetch(`${url}/v1/assets`, { headers: { authorization: `Bearer ${store.secret}` } });
    expect(answered.map(({ status, ip }) => [status, ip])).toEqual([
      [401, '127.0.0.1'],
      [200, null],
    ]);
    const lines: string[] = [];
    const write = (message: string, fields?: object): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
    const log = { debug: write, info: write, warn: write, error: write };
    for (const answer of answered) logAnswer(log, answer);
    expect(lines[0]).toContain('"ip":"127.0.0.1"');
    expect(lines[1]).not.toContain('ip');
  });
});

describe('a key without the scope', () => {
  test('is no stranger: its refusals are logged with its name, and its connection is kept', async () => {
    const { port, answered } = await serve({ strangerKeepAliveMs: 50 });
    const { secret, key } = await store.tenant.createApiKey({ name: 'reader', role: 'viewer' });
    const [stranger, caller] = [dial(port), dial(port)];
    const order = ['content-length: 0', 'idempotency-key: order', `authorization: Bearer ${secret}`];
    caller.write(head('POST /v1/holds HTTP/1.1', ...order));
    expect(await once(caller, 'data')).toEqual([expect.stringMatching(/^HTTP\/1\.1 403 /)]);
    let callerClosed = false;
    caller.once('close', () => (callerClosed = true));
    stranger.write(head('GET /health HTTP/1.1'));
    await once(stranger, 'data');
    await once(stranger, 'close');
    expect(callerClosed).toBe(false);
    expect(answered.map(({ status, actor }) => [status, actor])).toEqual([
      [403, toTypeId('apiKey', key.id)],
      [200, null],
    ]);
  });
});

describe('streams of events', () => {
  test('have a quota per tenant, so that one tenant cannot take all', async () => {
    const { url } = await serve({ stream: { pollMs: 10, most: 4, mostPerTenant: 2 } });
    const other = await store.usance.createTenant({ name: 'other' });
    const { secret } = await other.createApiKey({ name: 'test', role: 'viewer' });
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const follow = (key: string): Promise<Response> =>
      fetch(`${url}/v1/events/stream`, { headers: { authorization: `Bearer ${key}` }, signal: leave.signal });
    // Kept until the end: a response that is collected as garbage ends its stream.
    const streams: Response[] = [];
    for (const key of [store.secret, store.secret, store.secret, secret, secret, secret])
      streams.push(await follow(key));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 429, 200, 200, 429]);
  });
});

describe('a body', () => {
  test('of brackets is refused before it is parsed', async () => {
    const brackets = `{"payments": [${'[],'.repeat(1_300_000)}[]]}`;
    const before = process.memoryUsage().rss;
    const answer = await store.send('POST /payments/bulk', { body: brackets });
    expect(answer.word('code')).toBe('JSON_TOO_COMPLEX');
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
  });

  test('is small unless the route is for many', async () => {
    const body = { filler: 'x'.repeat(300_000) };
    expect((await store.send('POST /holds', { body })).word('code')).toBe('BODY_TOO_LARGE');
    expect((await store.send('POST /payments/bulk', { body })).word('code')).toBe('FIELD_UNKNOWN');
  });
});
