// The record of ticks: its rows from start to end, who sees it, and what it tells of an error.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import type { Sql } from '../../src/db/index.ts';
import { createEngine } from '../../src/engine.ts';
import { Refusal, storedRefusal } from '../../src/kernel/index.ts';
import { JOB_NAMES, LOOP_NAMES, TickRecorder } from '../../src/ops/index.ts';
import { useUsance } from '../support/database.ts';
import { valueOf } from '../support/prometheus.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();

test('runs are of all tenants, and only the first tenant sees them', async () => {
  const runs = new TickRecorder();
  runs.writeTo(store.db);
  runs.observer.ran?.('processor', { claimed: 3 }, 5, false);
  await runs.finish();
  expect(await store.tenant.cronRuns()).toHaveLength(1);
  const other = await store.usance.createTenant({ name: 'other' });
  expect(await refusalOf(other.cronRuns())).toBe('AUTH_FORBIDDEN');
});

test('a failed run shows a code and a sentence, never the text of an exception', async () => {
  const lost = Object.assign(new Error('terminating connection to 10.1.2.3 as app'), { code: '57P01' });
  const errors = [
    new Error('row (alice, s3cret) broke'),
    lost,
    new Refusal(storedRefusal('PAUSED', 'ask s3cret')),
    's3cret',
  ];
  const runs = new TickRecorder();
  runs.writeTo(store.db);
  for (const error of errors) {
    runs.observer.failed?.('scheduler', error);
    await runs.finish();
  }
  const told = (await store.tenant.cronRuns({ status: 'FAILED' })).map(({ errorMessage }) => errorMessage);
  expect(told.map((message) => message?.split(':')[0]).toReversed()).toEqual([
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    'PAUSED',
    'INTERNAL_ERROR',
  ]);
  expect(told.join(' ')).not.toMatch(/s3cret|alice|10\.1\.2\.3/);
});

describe('a row', () => {
  const recorder = (sql: Sql = store.db, onFailed?: (error: unknown) => void): TickRecorder => {
    const runs = new TickRecorder(onFailed);
    runs.writeTo(sql);
    onTestFinished(() => runs.finish());
    return runs;
  };
  const rowsOf = (jobName: string) => store.tenant.cronRuns({ jobName });
  const silent = (jobName: string, seconds: number) =>
    store.owner.query(
      `update usance.cron_runs set seen_at = seen_at - make_interval(secs => $2::float8),
         started_at = started_at - make_interval(secs => $2::float8) where job_name = $1::text and status = 'RUNNING'`,
      [jobName, seconds],
    );

  test('of a one-shot run is there from its start, RUNNING and without an end, then SUCCESS', async () => {
    const runs = recorder();
    runs.observer.started?.('anchors', false);
    await expect
      .poll(() => rowsOf('anchors'))
      .toMatchObject([{ status: 'RUNNING', finishedAt: null, processedCount: 0 }]);
    runs.observer.ran?.('anchors', { anchored: 2 }, 5, false);
    await runs.finish();
    const [row] = await rowsOf('anchors');
    expect(row).toMatchObject({ status: 'SUCCESS', processedCount: 2, counts: { anchored: 2 } });
    expect(row?.finishedAt?.getTime()).toBeGreaterThanOrEqual(row?.startedAt.getTime() ?? Infinity);
  });

  test('of a one-shot run ends when the command goes on to its next loop', async () => {
    const runs = recorder();
    for (const name of ['seal-check', 'partitions']) {
      runs.observer.started?.(name, false);
      runs.observer.ran?.(name, { sealed: 0, made: 0 }, 5, false);
    }
    runs.observer.started?.('integrity', false);
    await expect.poll(() => rowsOf('partitions')).toMatchObject([{ status: 'SUCCESS' }]);
    expect(await rowsOf('seal-check')).toMatchObject([{ status: 'SUCCESS' }]);
    await expect.poll(() => rowsOf('integrity')).toMatchObject([{ status: 'RUNNING' }]);
  });

  test('of a resident loop is one for consecutive runs; runs that find nothing to do write none', async () => {
    const runs = recorder();
    const run = (claimed: number): void => {
      runs.observer.started?.('scheduler', true);
      runs.observer.ran?.('scheduler', { claimed, made: claimed }, 1, true);
    };
    const before = (await rowsOf('scheduler')).length;
    for (const claimed of [0, 0, 5, 5, 0, 0, 2, 0]) run(claimed);
    await runs.finish();
    const added = (await rowsOf('scheduler')).slice(0, -before);
    expect(added.map(({ status, processedCount }) => [status, processedCount])).toEqual([
      ['SUCCESS', 2],
      ['SUCCESS', 10],
    ]);
  });

  test('of a resident run that takes more than a second is there while it runs', async () => {
    const runs = recorder();
    runs.observer.started?.('retention', true);
    runs.beat(performance.now() + 900);
    expect(await rowsOf('retention')).toEqual([]);
    runs.beat(performance.now() + 1_100);
    await expect.poll(() => rowsOf('retention')).toMatchObject([{ status: 'RUNNING' }]);
    runs.observer.failed?.('retention', new Error('x'));
    await runs.finish();
    expect(await rowsOf('retention')).toMatchObject([{ status: 'FAILED' }]);
  });

  test('of a loop that does a little all the time lasts through short rests, and ends after a long one', async () => {
    const runs = recorder();
    for (const placed of [3, 0, 4]) {
      runs.observer.started?.('sequencer', true);
      runs.observer.ran?.('sequencer', { ordered: placed }, 1, true);
    }
    runs.beat(performance.now() + 19_000);
    await expect.poll(() => rowsOf('sequencer')).toMatchObject([{ status: 'RUNNING', processedCount: 7 }]);
    runs.beat(performance.now() + 21_000);
    await expect.poll(() => rowsOf('sequencer')).toMatchObject([{ status: 'SUCCESS', processedCount: 7 }]);
  });

  test('of a process that died is ended as FAILED by the next run; those of living processes are kept', async () => {
    const [dead, living] = [recorder(), recorder()];
    dead.observer.started?.('clocks', false);
    await expect.poll(async () => (await rowsOf('clocks')).length).toBe(1);
    await silent('clocks', 31);
    living.observer.started?.('clocks', false);
    await expect.poll(async () => (await rowsOf('clocks')).length).toBe(2);
    const next = recorder();
    next.observer.started?.('clocks', false);
    await expect
      .poll(async () => (await rowsOf('clocks')).map(({ status, errorMessage }) => [status, errorMessage]))
      .toEqual([
        ['RUNNING', null],
        ['RUNNING', null],
        ['FAILED', 'PROCESS_LOST: The process ended before the run did'],
      ]);
    // A process that was only suspended ends its row itself.
    dead.observer.ran?.('clocks', { steps: 1 }, 1, false);
    await dead.finish();
    expect((await rowsOf('clocks')).at(-1)).toMatchObject({ status: 'SUCCESS', errorMessage: null });
  });

  test('that could not be written is reported, and written as soon as that is possible', async () => {
    const failures: unknown[] = [];
    let isAway = true;
    const flaky: Sql = { query: (...call) => (isAway ? Promise.reject(new Error('away')) : store.db.query(...call)) };
    const runs = recorder(flaky, (error) => failures.push(error));
    runs.observer.started?.('forecast', false);
    runs.observer.ran?.('forecast', { looked: 1 }, 1, false);
    await expect.poll(() => failures).toEqual([new Error('away')]);
    expect(await rowsOf('forecast')).toEqual([]);
    isAway = false;
    await runs.finish();
    expect(await rowsOf('forecast')).toMatchObject([{ status: 'SUCCESS', processedCount: 1 }]);
  });
});

test('every loop of the engine and of the API has a row of a run that it really made', async () => {
  const usance = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, recordRuns: true });
  const api = createApi(usance, { host: '127.0.0.1', port: 0, notesEveryMs: 3_600_000 });
  const { url } = await api.listen();
  const { secret } = await store.tenant.createApiKey({ name: 'one', role: 'admin' });
  expect((await fetch(`${url}/v1/assets`, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
  await store.owner.query('truncate usance.cron_runs');
  for (const loop of usance.loops) await loop.runOnce();
  await api.close();
  const measured = await usance.monitoring.metrics();
  await usance.close();
  const runs = await store.tenant.cronRuns({}, { limit: 100 });
  expect(runs.filter(({ status }) => status === 'SUCCESS').map(({ jobName }) => jobName)).toEqual(
    expect.arrayContaining([...JOB_NAMES]),
  );
  expect(runs.map(({ jobName }) => jobName).toSorted()).toEqual(
    [...new Set(runs.map(({ jobName }) => jobName))].toSorted(),
  );
  for (const name of ['key-usage', 'sign-ins']) {
    expect(runs.find(({ jobName }) => jobName === name)).toMatchObject({ processedCount: 1, errorMessage: null });
    expect(valueOf(measured, 'usance_loop_runs_total', { loop: name })).toBeGreaterThan(0);
  }
});

test('a loop that the API runs and that fails is in cron_runs and in the metrics', async () => {
  const usance = await createEngine({
    databaseUrl: store.runtimeUrl,
    migrate: false,
    recordRuns: true,
    onStatement: (text) => {
      if (text.includes('update usance.api_keys')) throw Object.assign(new Error('no'), { code: '53100' });
    },
  });
  const api = createApi(usance, { host: '127.0.0.1', port: 0, notesEveryMs: 3_600_000 });
  const { url } = await api.listen();
  const { secret } = await store.tenant.createApiKey({ name: 'two', role: 'admin' });
  await fetch(`${url}/v1/assets`, { headers: { authorization: `Bearer ${secret}` } });
  await api.close();
  await usance.close();
  const [run] = await store.tenant.cronRuns({ jobName: 'key-usage' });
  expect(run).toMatchObject({ status: 'FAILED', processedCount: 0 });
});

test('the engine has every loop but those of the API, and a failed write is a notice and a metric', async () => {
  const notices: string[] = [];
  const usance = await createEngine({
    databaseUrl: store.runtimeUrl,
    migrate: false,
    recordRuns: true,
    onNotice: (line) => notices.push(line),
    onStatement: (text) => {
      if (text.includes('insert into usance.cron_runs')) throw Object.assign(new Error('no'), { code: '53100' });
    },
  });
  expect(usance.loops.map(({ name }) => name).toSorted()).toEqual(LOOP_NAMES.toSorted());
  await usance.loops.find(({ name }) => name === 'seal-check')?.runOnce();
  await expect.poll(() => notices).toEqual(['cron_runs could not be written, and is tried again: Error 53100']);
  expect(valueOf(await usance.monitoring.metrics(), 'usance_cron_run_write_failures_total')).toBe(1);
  await usance.close();
});
