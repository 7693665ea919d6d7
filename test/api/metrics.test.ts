// What requests leave behind in /metrics, and who is shown it.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../../src/api/index.ts';
import { createApi } from '../../src/api/index.ts';
import { isLoopback } from '../../src/api/unversioned.ts';
import { open } from '../support/books.ts';
import { parseMetrics, valueOf } from '../support/prometheus.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const store = useApi();
let closed: Api;
let closedUrl: string;
beforeAll(async () => {
  await open(store.tenant, { alice: 10_000, bob: 0 });
  closed = createApi(store.usance, { host: '127.0.0.1', port: 0, metrics: false });
  ({ url: closedUrl } = await closed.listen());
});
afterAll(() => closed.close());

const REQUESTS = 'usance_http_requests_total';
const count = async (method: string, route: string, status: string): Promise<number | undefined> =>
  valueOf((await store.fetch('/metrics')).text, REQUESTS, { method, route, status });

test('metrics are text that Prometheus reads', async () => {
  const answer = await store.fetch('/metrics');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(parseMetrics(answer.text).size).toBeGreaterThan(30);
});

test('a request is counted by its route’s template, whatever its path', async () => {
  for (const name of ['alice', 'bob', 'carol', 'x%2Fy']) await store.send(`GET /accounts/${name}`);
  // Counted once the answer is out, which may be after it has arrived.
  await expect.poll(() => count('GET', '/v1/accounts/{id}', '200')).toBe(2);
  await expect.poll(() => count('GET', '/v1/accounts/{id}', '404')).toBe(2);
  const { text } = await store.fetch('/metrics');
  expect(text).not.toMatch(/alice|carol|x%2Fy/);
  expect(valueOf(text, 'usance_http_request_seconds_count', { method: 'GET', route: '/v1/accounts/{id}' })).toBe(4);
});

test('a dry run is counted as one', async () => {
  const body = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '1', delay: '1h' };
  await store.send('POST /holds', { body });
  await store.send('POST /holds', { body: { ...body, dry_run: true } });
  const series = { method: 'POST', route: '/v1/holds' };
  const dry = async () => valueOf((await store.fetch('/metrics')).text, 'usance_http_dry_runs_total', series);
  await expect.poll(dry).toBe(1);
});

test('a path that nobody serves is no series of its own', async () => {
  for (let n = 0; n < 5; n += 1) await store.fetch(`/made-up-${n}`);
  await store.fetch('/v1/accounts/%E0%A4%A');
  await store.send('DELETE /holds');
  await expect.poll(() => count('GET', 'none', '404')).toBe(5);
  await expect.poll(() => count('GET', 'none', '400')).toBe(1);
  await expect.poll(() => count('DELETE', '/v1/holds', '405')).toBe(1);
  expect((await store.fetch('/metrics')).text).not.toContain('made-up');
});

test('what is no HTTP is counted too', async () => {
  const socket = connect(Number(new URL(store.url).port), '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
  await new Promise((resolve) => socket.on('close', resolve).resume());
  await expect.poll(() => count('none', 'none', '400')).toBe(1);
});

test('metrics are not shown where they were not asked for, nor to another machine', async () => {
  const answer = await fetch(`${closedUrl}/metrics`);
  expect(answer.status).toBe(404);
  const told = problemIn(await store.fetch('/nothing'));
  expect(told.code).toBe('ROUTE_NOT_FOUND');
  expect(((await answer.json()) as { code: string }).code).toBe(told.code);
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8'].map(isLoopback)).toEqual([true, true, true, true]);
  const others = ['10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1', '::11', 'fe80::1', '', undefined];
  expect(others.map(isLoopback)).toEqual(others.map(() => false));
});
