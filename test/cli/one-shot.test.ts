// One-shot commands: their rows in cron_runs, also of one that was killed, and where their metrics go.
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { visitTeller } from '../../src/cli/tick-lines.ts';
import type { Visited } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { parseMetrics, valueOf } from '../support/prometheus.ts';
import { dueSchedule } from '../support/schedules.ts';
import { launchUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (args: string[], variables = {}) => usance(folder, args, { DATABASE_URL: world.runtimeUrl, ...variables });
beforeAll(() => open(world.tenant, { alice: 10_000, bob: 0 }));

/** A Pushgateway, to whoever pushes. */
async function gateway(
  status = 200,
): Promise<{ url: string; pushed: { line: string; body: string; login: string }[] }> {
  const pushed: { line: string; body: string; login: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      pushed.push({ line: `${request.method} ${request.url}`, body, login: request.headers.authorization ?? '' });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pushed };
}

test('a run that was killed is FAILED once the next one has come', async () => {
  const rows = () => world.tenant.cronRuns({ jobName: 'sequencer' });
  const args = ['worker', '--only', 'sequencer', '--once'];
  const { child, ended } = launchUsance(folder, args, { DATABASE_URL: world.runtimeUrl });
  // It waits for this table in the middle of its run.
  await world.owner.transaction(async (tx) => {
    await tx.query('lock table usance.event_inbox in access exclusive mode');
    await expect.poll(rows, { timeout: 20_000 }).toMatchObject([{ status: 'RUNNING', finishedAt: null }]);
    child.kill('SIGKILL');
    await ended;
  });
  await world.owner.query(
    `update usance.cron_runs set started_at = started_at - interval '31 s', seen_at = seen_at - interval '31 s'`,
  );
  expect((await run(args)).code).toBe(0);
  expect((await rows()).map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
    ['SUCCESS', null],
    ['FAILED', 'PROCESS_LOST: The process ended before the run did'],
  ]);
});

test('a scheduler says what each batch did as soon as it is committed, and keeps nothing until the end', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await dueSchedule(world.owner, world.tenant, { reference: `many-${n}` }));
  const said: { words: string; made: number }[] = [];
  let made = 0;
  const teller = visitTeller(
    (_picture, words) => said.push({ words, made }),
    () => world.usance,
  );
  const onVisited = async (visited: readonly Visited[]) => {
    const rows = await Promise.all(ids.map((id) => world.tenant.occurrences(id)));
    made = rows.flat().length;
    await teller.visited(visited);
  };
  const engine = await createEngine({
    databaseUrl: world.runtimeUrl,
    migrate: false,
    scheduler: { batchSize: 2, lanes: 1, onVisited },
  });
  await engine.loops.find(({ name }) => name === 'scheduler')?.runOnce();
  await engine.close();
  teller.end();
  const counts = said.filter(({ words }) => words.endsWith('found') && !words.startsWith('0'));
  expect(counts).toEqual([
    { words: '2 other schedules found', made: 2 },
    { words: '2 other schedules found', made: 4 },
    { words: '1 other schedule found', made: 5 },
  ]);
  expect(said.filter(({ words }) => words.startsWith('Job created for schedule '))).toHaveLength(5);
});

test('metrics of a one-shot command go to a file of its own, whole', async () => {
  await world.tenant.createPayment({
    from: 'alice',
    to: 'bob',
    asset: 'USD/2',
    amount: 1,
    delay: '0s',
    idempotencyKey: key(),
  });
  const variables = { USANCE_METRICS_FILE: join(folder, 'usance_{command}.prom') };
  expect(await run(['processor', '--once'], variables)).toMatchObject({ code: 0, err: '' });
  expect(await run(['worker', '--only', 'seal-check', '--once'], variables)).toMatchObject({ code: 0, err: '' });
  const files = readdirSync(folder).filter((name) => name.startsWith('usance_'));
  expect(files.toSorted()).toEqual(['usance_processor.prom', 'usance_worker.prom']);
  const text = readFileSync(join(folder, 'usance_processor.prom'), 'utf8');
  expect(valueOf(text, 'usance_loop_runs_total', { command: 'processor', loop: 'sequencer' })).toBeGreaterThan(0);
  expect(valueOf(text, 'payments_completed_total', { command: 'processor', kind: 'hold' })).toBeGreaterThan(0);
  const names = [...parseMetrics(text).keys()];
  // The exporter of the machine has these names itself, with another help.
  expect(names.filter((name) => /^(process|nodejs)_/.test(name))).toEqual([]);
  // No series is in both files: the collector would refuse them.
  for (const { samples } of parseMetrics(text).values())
    for (const { labels } of samples) expect(labels['command']).toBe('processor');
});

test('metrics of a one-shot command are pushed to a gateway by PUT, with the login of its address', async () => {
  const { url, pushed } = await gateway();
  const withLogin = url.replace('://', '://us:p%40ss@');
  expect(await run(['scheduler', '--once'], { USANCE_METRICS_PUSH_URL: withLogin })).toMatchObject({
    code: 0,
    err: '',
  });
  expect(
    await run(['processor', '--once'], { USANCE_METRICS_PUSH_URL: `${url}/metrics/job/own/instance/{command}` }),
  ).toMatchObject({ code: 0 });
  expect(pushed.map(({ line }) => line)).toEqual([
    'PUT /metrics/job/usance_scheduler',
    'PUT /metrics/job/own/instance/processor',
  ]);
  expect(pushed[0]?.login).toBe(`Basic ${Buffer.from('us:p@ss').toString('base64')}`);
  expect(valueOf(pushed[0]?.body ?? '', 'usance_loop_runs_total', { loop: 'scheduler' })).toBeGreaterThan(0);
});

test('a push that fails is a notice with its address and the reason, without the login; the exit code is that of the run', async () => {
  const { url } = await gateway(500);
  const variables = {
    USANCE_METRICS_PUSH_URL: url.replace('://', '://us:s3cret@'),
    USANCE_METRICS_FILE: join(folder, 'no-such-folder', 'usance.prom'),
  };
  const { code, err } = await run(['scheduler', '--once'], variables);
  expect(code).toBe(0);
  expect(err.trimEnd().split('\n')).toEqual([
    `usance: the metrics were not pushed to ${join(folder, 'no-such-folder', 'usance.prom')} (USANCE_METRICS_FILE): Error open ENOENT`,
    `usance: the metrics were not pushed to ${url} (USANCE_METRICS_PUSH_URL): GatewayRefused HTTP_500`,
  ]);
  const closed = await run(['scheduler', '--once'], { USANCE_METRICS_PUSH_URL: 'http://us:s3cret@127.0.0.1:39999' });
  expect({ code: closed.code, err: closed.err }).toEqual({
    code: 0,
    err: 'usance: the metrics were not pushed to http://127.0.0.1:39999 (USANCE_METRICS_PUSH_URL): Error connect ECONNREFUSED\n',
  });
  const refused = await run(['scheduler', '--once'], { USANCE_METRICS_PUSH_URL: 'gopher://s3cret' });
  expect(refused.code).toBe(3);
  expect(refused.err).toBe('usance: USANCE_METRICS_PUSH_URL must be an address such as http://pushgateway:9091\n');
});
