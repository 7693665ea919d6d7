// /health, /ready and /metrics of the commands that stay.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { parseMetrics, totalOf, valueOf } from '../support/prometheus.ts';
import { startUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const world = useUsance();
beforeAll(() => open(world.tenant, { alice: 1_000, bob: 0 }));
const pay = (delay = '0s') =>
  world.tenant.createPayment({ from: 'alice', to: 'bob', asset: 'USD/2', amount: 1, delay, idempotencyKey: key() });

const start = async (args: string[], words: string, variables: Record<string, string> = {}) => {
  const started = await startUsance(folder, args, words, {
    DATABASE_URL: world.runtimeUrl,
    METRICS_PORT: '0',
    ...variables,
  });
  const url = /(http:\/\/[0-9.:]+)\/metrics/.exec(started.screen)?.[1] ?? 'no url';
  const ask = async (path: string) => {
    const answer = await fetch(url + path);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  return { ...started, url, ask };
};

describe('a processor with METRICS_PORT', () => {
  test('reports its health and its work, and turns red before it ends', async () => {
    const { child, ask, ended } = await start(['processor'], 'running', { USANCE_DRAIN_SECONDS: '3' });
    expect(await ask('/health')).toMatchObject({
      status: 200,
      text: `{"status":"ok","tz":"${process.versions['tz']}"}`,
    });
    expect(await ask('/ready')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    expect(await ask('/v1/holds')).toMatchObject({ status: 404 });
    const { id } = await pay();
    await vi.waitUntil(async () => (await world.tenant.payment(id)).status === 'settled', 30_000);
    await expect
      .poll(async () => totalOf((await ask('/metrics')).text, 'payments_completed_total'), { timeout: 10_000 })
      .toBe(1);
    expect((await ask('/metrics')).type).toBe('text/plain; version=0.0.4; charset=utf-8');
    child.kill('SIGTERM');
    await vi.waitUntil(async () => (await ask('/ready')).status === 503, { timeout: 10_000, interval: 5 });
    expect((await ask('/ready')).text).toBe('{"status":"stopping"}');
    expect(await ended).toMatchObject({ code: 0, err: '' });
    // What it counted is kept in the store.
    const [row] = await world.owner.query(
      `select sum(value)::float8 as sum from usance.system_metrics where name = 'payments_completed_total'`,
    );
    expect(row).toEqual({ sum: 1 });
  });
});

test('a worker and a scheduler have the same', async () => {
  const both = await Promise.all([start(['worker'], 'running'), start(['scheduler'], 'running')]);
  for (const { child, ask, ended } of both) {
    expect((await ask('/ready')).status).toBe(200);
    const { text } = await ask('/metrics');
    expect(parseMetrics(text).size).toBeGreaterThan(30);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }
});

test('the API serves metrics on their port alone, and the rest on both', async () => {
  const { child, screen, ask, ended } = await start(['api'], 'listening', { PORT: '0' });
  const api = /listening on (http:\/\/\S+)/.exec(screen)?.[1] ?? '';
  expect((await fetch(`${api}/metrics`)).status).toBe(404);
  expect((await fetch(`${api}/ready`)).status).toBe(200);
  await expect
    .poll(async () =>
      valueOf((await ask('/metrics')).text, 'usance_http_requests_total', {
        method: 'GET',
        route: '/ready',
        status: '200',
      }),
    )
    .toBe(1);
  expect((await ask('/ready')).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test('a port that is taken is named by its variable', async () => {
  const { child, url, ended } = await start(['worker'], 'running');
  const second = await usance(folder, ['worker'], { DATABASE_URL: world.runtimeUrl, METRICS_PORT: new URL(url).port });
  expect(second.code).toBe(3);
  expect(second.err).toMatch(/another program uses port \d+ on \S+: stop it, or set METRICS_PORT to another port/);
  child.kill('SIGTERM');
  await ended;
});

describe('worker --once', () => {
  const run = (...args: string[]) => usance(folder, ['worker', '--once', ...args], { DATABASE_URL: world.runtimeUrl });

  test('does what there is to do, and ends', async () => {
    await pay('1h');
    const { code, out, err } = await run('--only', 'sequencer,integrity');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^sequencer: ordered \d+\nintegrity: checked \d+, passes 1\n$/);
    expect((await run('--only', 'sequencer')).out).toBe('sequencer: nothing to do\n');
  });

  test('says the same to machines, of every loop', async () => {
    const { code, json } = await run('--json');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ sequencer: { ordered: 0 }, integrity: { violations: 0 }, partitions: {} });
  });

  test('ends with 1 where the books do not add up', async () => {
    await world.owner.query(`update usance.balances set available = available + 1 where available > 0`);
    const { code, out } = await run('--only', 'integrity');
    expect(code).toBe(1);
    expect(out).toMatch(/violations \d+, frozen 1/);
  });
});
