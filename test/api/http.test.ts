// HTTP as RFC 9110 and RFC 9112 define it: header fields, methods, content negotiation, and fields named as the caller spelled them.
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import type { Route } from '../../src/api/index.ts';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const ORDER = { from: 'alice', to: 'bob', amount: '100', asset: 'USD/2', delay: '1h' };
const store = useApi();
beforeAll(() => open(store.tenant, { alice: 10_000, bob: 0, executeAt: 0 }));

/** Sends lines as they are and returns everything until the server closes the connection. */
async function speak(lines: readonly string[], body = ''): Promise<string> {
  const bytes = [...lines, 'connection: close', `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(new URL(store.url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => (heard += data.toString()));
    socket.on('error', reject).on('close', () => resolve(heard));
  });
}

const bearer = (): string => `authorization: Bearer ${store.secret}`;

describe('a header field that may appear once', () => {
  test.each([
    ['Host', ['host: a', 'host: b'], 'REQUEST_MALFORMED'],
    ['Host, the same twice', ['host: a', 'Host: a'], 'REQUEST_MALFORMED'],
    ['Host that is no host', ['host: a/b'], 'REQUEST_MALFORMED'],
    ['Idempotency-Key', ['host: a', 'idempotency-key: one', 'Idempotency-Key: two'], 'IDEMPOTENCY_KEY_INVALID'],
    ['Authorization', ['host: a', 'Authorization: Bearer another'], 'REQUEST_MALFORMED'],
    ['Content-Type', ['host: a', 'content-type: text/plain'], 'REQUEST_MALFORMED'],
    ['Usance-Tenant', ['host: a', 'usance-tenant: a', 'usance-tenant: b'], 'REQUEST_MALFORMED'],
    ['Last-Event-ID', ['host: a', 'last-event-id: 1', 'last-event-id: 2'], 'REQUEST_MALFORMED'],
  ])('is refused when it is sent twice: %s', async (_title, headers, code) => {
    const heard = await speak(
      ['POST /v1/holds HTTP/1.1', bearer(), 'content-type: application/json', ...headers],
      JSON.stringify(ORDER),
    );
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).toMatchObject({ code });
  });
});

describe('a method', () => {
  const PATHS = ['/health', '/ready', '/openapi.json', '/docs', '/v1/holds', '/v1/payments/pay_1', '/v1/events/stream'];
  const ask = (method: string, path: string) => fetch(store.url + path, { method, redirect: 'manual' });

  test.each(PATHS)('that %s does not take is 405, with those that it takes', async (path) => {
    const answer = await ask('PUT', path);
    expect(answer.status).toBe(405);
    const allowed = (answer.headers.get('allow') ?? '').split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['GET', 'HEAD', 'OPTIONS']));
    const options = await ask('OPTIONS', path);
    expect([options.status, options.headers.get('allow')]).toEqual([204, allowed.join(', ')]);
  });

  test('HEAD is answered on every path that takes GET, without a body', async () => {
    const paths = (Object.values(ROUTES) as Route[]).filter(({ method }) => method === 'GET').map(({ path }) => path);
    for (const path of [...paths, '/events/stream']) {
      const headers = { authorization: `Bearer ${store.secret}` };
      const url = `${store.url}/v1${path.replaceAll(/\{\w+\}/g, 'alice')}`;
      const head = await fetch(url, { method: 'HEAD', headers });
      expect(head.status, path).not.toBe(405);
      expect(await head.text(), path).toBe('');
    }
    const stream = await fetch(`${store.url}/v1/events/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${store.secret}` },
    });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  test('OPTIONS is 404 for a path that does not exist, and answers for the server with *', async () => {
    expect((await ask('OPTIONS', '/v1/nothing')).status).toBe(404);
    expect(await speak(['OPTIONS * HTTP/1.1', 'host: a'])).toMatch(/^HTTP\/1\.1 204 /);
  });

  test.each(['GET /payments/', 'POST /payments/', 'GET /accounts//statement', 'PATCH /payments/'])(
    '%s is not found: an empty name is not an id',
    async (request) => {
      expect(problemIn(await store.send(request))).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    },
  );
});

describe('a body', () => {
  test.each(['POST /holds', 'POST /pauses', 'PATCH /accounts/alice'])('of null is no object: %s', async (request) => {
    const found = problemIn(await store.send(request, { body: 'null' }));
    expect(found).toMatchObject({ code: 'FIELD_INVALID', param: undefined });
    expect(found.detail).toBe('the body must be an object');
  });
});

describe('content negotiation', () => {
  const STATEMENT = 'GET /accounts/alice/statement?from=2020-01-01T00:00:00Z&to=2090-01-01T00:00:00Z&asset=USD';
  test.each([
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv, */*;q=0.8', 'text/csv'],
    ['text/csv, */*', 'text/csv'],
    ['application/json;q=0.5, text/csv;q=0.9', 'text/csv'],
    ['TEXT/CSV; Q=1', 'text/csv'],
    ['application/json, text/csv;q=0.5', 'application/json'],
    ['application/json, text/csv', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['text/csv;q=0, */*', 'application/json'],
    ['*/*', 'application/json'],
    ['application/problem+json', 'application/json'],
  ])('of a statement: Accept: %s gives %s', async (accept, type) => {
    const answer = await store.send(STATEMENT, { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(answer.headers.get('vary')).toMatch(/\bAccept(?:,|$)/);
  });
});

describe('a field that is not known', () => {
  test.each([
    ['executeAt', 'execute_at'],
    ['ammount', 'amount'],
    ['timeZone', null],
    ['Amount', 'amount'],
    ['idempotencyKey', null],
  ])('%s is named as it was spelled, with the field that was meant: %s', async (name, meant) => {
    const found = problemIn(await store.send('POST /holds', { body: { ...ORDER, [name]: '1' } }));
    expect(found).toMatchObject({ code: 'FIELD_UNKNOWN', param: name });
    expect(found.detail).toContain(`"${name}" is not a field`);
    expect(/did you mean ("?\w+"?)\?/.exec(found.detail)?.[1] ?? null).toBe(meant);
  });

  test('in the query too', async () => {
    const found = problemIn(await store.send('GET /payments?executeFrom=2020-01-01T00:00:00Z'));
    expect(found).toMatchObject({ code: 'FIELD_UNKNOWN', param: 'executeFrom' });
    expect(found.detail).toContain('did you mean execute_from?');
  });
});

test('a refusal repeats what the caller wrote to the letter, whatever it looks like', async () => {
  const found = problemIn(await store.send('POST /holds', { body: { ...ORDER, from: 'maxAmount' } }));
  expect(found.code).toBe('ACCOUNT_NOT_FOUND');
  expect(found.detail).toContain('maxAmount');
});
