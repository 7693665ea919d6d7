// Compressed responses: gzip for clients that accept it, from one kilobyte on.
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMPRESSED_FROM } from '../../src/api/compress.ts';
import { ROUTES } from '../../src/api/index.ts';
import type { Route } from '../../src/api/index.ts';
import { open } from '../support/books.ts';
import { freshKey, useApi } from './api.ts';

const store = useApi();
const LONG = { note: 'a long text about nothing. '.repeat(60) };
const ALL = 'from=2020-01-01T00:00:00Z&to=2090-01-01T00:00:00Z&asset=USD/2';
const made = { id: '' };

beforeAll(async () => {
  await open(store.tenant, { ann: 100_000, ben: 0 });
  for (let line = 0; line < 12; line += 1) {
    await store.tenant.deposit({ account: 'ann', asset: 'USD/2', amount: 1, idempotencyKey: freshKey() });
  }
  const hold = { from: 'ann', to: 'ben', asset: 'USD/2', amount: '10', delay: '1h', metadata: LONG };
  made.id = (await store.send('POST /holds', { body: hold })).word('id');
});

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Sends the header fields as they are: `fetch` adds Accept-Encoding and hides what it decodes. */
function ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Raw> {
  const all = {
    authorization: `Bearer ${store.secret}`,
    ...(body ? { 'content-type': 'application/json', 'idempotency-key': freshKey() } : {}),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(store.url + path, { method, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        // An event stream does not end.
        if (path.endsWith('/stream')) sent.destroy();
      });
      const done = (): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
      response.on('end', done).on('close', done);
    });
    sent.on('error', reject);
    sent.end(body ? JSON.stringify(body) : undefined);
  });
}

const GZIP = { 'accept-encoding': 'gzip' };
const payment = (): string => `/v1/payments/${made.id}`;

describe('a long response', () => {
  test.each([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, gzip;q=0.5', true],
    ['x-gzip', true],
    ['*', true],
    ['GZIP', true],
    ['identity', false],
    ['br', false],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['gzip;q=high', false],
    ['', false],
  ])('to Accept-Encoding "%s" is compressed: %s', async (accepted, isCompressed) => {
    const plain = await ask('GET', payment(), {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    const answer = await ask('GET', payment(), { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    const text = isCompressed ? gunzipSync(answer.bytes) : answer.bytes;
    expect(text.toString()).toBe(plain.bytes.toString());
    if (isCompressed) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  test('depends on Accept-Encoding, compressed or not, and when it is not sent again', async () => {
    const tag = String((await ask('GET', payment(), GZIP)).headers.etag);
    for (const headers of [{}, GZIP, { ...GZIP, 'if-none-match': tag }]) {
      expect((await ask('GET', payment(), headers)).headers.vary).toBe('Accept-Encoding');
    }
  });

  test.each([
    ['a list', '/v1/payments', 'application/json; charset=utf-8'],
    ['a refusal', '/v1/no-such-path-'.padEnd(1_200, 'x'), 'application/problem+json; charset=utf-8'],
    ['a page of events', '/v1/events?limit=100', 'application/json; charset=utf-8'],
    ['a statement as CSV', `/v1/accounts/ann/statement?${ALL}&format=csv`, 'text/csv; charset=utf-8'],
    ['the OpenAPI document', '/openapi.json', 'application/json; charset=utf-8'],
    ['the reference', '/docs', 'text/html; charset=utf-8'],
  ])('is compressed if it is %s', async (_title, path, type) => {
    await store.run('sequencer');
    for (let time = 0; time < 2; time += 1) {
      const [plain, answer] = [await ask('GET', path, {}), await ask('GET', path, GZIP)];
      expect([answer.headers['content-type'], answer.headers['content-encoding']]).toEqual([type, 'gzip']);
      const [before, after] = [plain.bytes, gunzipSync(answer.bytes)].map((bytes) =>
        bytes.toString().replaceAll(/req_\w+/g, 'req'),
      );
      expect(after).toBe(before);
    }
  });

  test('to a POST and to HEAD is compressed like one to GET', async () => {
    const changed = await ask('PATCH', payment(), GZIP, { metadata: LONG });
    expect([changed.status, changed.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(JSON.parse(gunzipSync(changed.bytes).toString())).toMatchObject({ id: made.id });
    const [head, read] = [await ask('HEAD', payment(), GZIP), await ask('GET', payment(), GZIP)];
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) {
      expect(head.headers[name], name).toBe(read.headers[name]);
    }
  });

  test('of a dry run is compressed', async () => {
    const answer = await ask('PATCH', payment(), GZIP, { metadata: LONG, dry_run: true });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip']);
  });
});

describe('the ETag of a compressed response', () => {
  test('differs from that of the same text uncompressed, and each matches itself only', async () => {
    const tags = await Promise.all(
      [{}, GZIP].map(async (headers) => (await ask('GET', payment(), headers)).headers.etag),
    );
    const [plain = '', compressed = ''] = tags;
    expect(plain).toMatch(/^"[\w-]{22}-[\w-]{22}"$/);
    expect(compressed).toBe(plain.replace(/"$/, '-gzip"'));
    const statusOf = async (headers: Record<string, string>, known: string) =>
      (await ask('GET', payment(), { ...headers, 'if-none-match': known })).status;
    expect(await statusOf({}, plain)).toBe(304);
    expect(await statusOf(GZIP, compressed)).toBe(304);
    expect(await statusOf({}, compressed)).toBe(200);
    expect(await statusOf(GZIP, plain)).toBe(200);
    expect(await statusOf(GZIP, `${plain}, ${compressed}`)).toBe(304);
    const unchanged = await ask('GET', payment(), { ...GZIP, 'if-none-match': compressed });
    expect([unchanged.headers.etag, unchanged.bytes.length]).toEqual([compressed, 0]);
    expect(unchanged.headers['content-encoding']).toBeUndefined();
  });

  test('is accepted by If-Match', async () => {
    const { etag = '' } = (await ask('GET', payment(), GZIP)).headers;
    const body = { metadata: { ...LONG, read: 'compressed' } };
    expect((await ask('PATCH', payment(), { 'if-match': etag }, body)).status).toBe(200);
    expect((await ask('PATCH', payment(), { 'if-match': etag }, body)).status).toBe(412);
  });
});

describe('not compressed', () => {
  test('is a short response', async () => {
    const answer = await ask('GET', '/v1/accounts/ann', GZIP);
    expect(answer.bytes.length).toBeLessThan(COMPRESSED_FROM);
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  });

  test('is the event stream', async () => {
    const answer = await ask('GET', '/v1/events/stream', GZIP);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.bytes.toString()).toContain(': follow');
  });

  test('is a response that shows a secret, however long it is', async () => {
    const created = await ask('POST', '/v1/api-keys', GZIP, {
      name: '名'.repeat(100),
      role: 'admin',
      person: '人'.repeat(200),
    });
    const { secret, id } = JSON.parse(created.bytes.toString()) as { secret: string; id: string };
    expect([created.status, secret]).toEqual([201, expect.any(String)]);
    const rotated = await ask('POST', `/v1/api-keys/${id}/rotate`, GZIP, {});
    expect(JSON.parse(rotated.bytes.toString())).toMatchObject({ secret: expect.any(String) as string });
    for (const { bytes, headers } of [created, rotated]) {
      expect(bytes.length).toBeGreaterThan(COMPRESSED_FROM);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
    }
  });

  test('is any operation whose answer has a secret', () => {
    const secret = (Object.entries(ROUTES) as [string, Route][]).filter(([, route]) =>
      JSON.stringify(route.answer).includes('"secret"'),
    );
    expect(secret.map(([name]) => name)).toContain('apiKeys.create');
    for (const [name, route] of secret) expect(route.remembers, name).toBeDefined();
  });
});
