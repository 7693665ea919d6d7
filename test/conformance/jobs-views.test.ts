// The tables of the design of jobs, as views: every column it names, and a real row of every status.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../src/db/index.ts';
import { invocationIdOf } from '../../src/jobs/execution.ts';
import { useUsance } from '../support/database.ts';
import { addExecution, addInvocation, addJob } from '../support/jobs.ts';
import { appended, matchAll, order } from '../jobs/matcher.ts';
import { addWorker, claim } from '../jobs/worker-rows.ts';

const COLUMNS = {
  _jobs: [
    'id',
    'name',
    'description',
    'event_pattern',
    'processor_name',
    'enabled',
    'retry_config',
    'created_at',
    'updated_at',
  ],
  _job_executions: [
    'id',
    'job_id',
    'event_id',
    'status',
    'attempt_number',
    'started_at',
    'completed_at',
    'error',
    'result',
    'next_retry_at',
    'locked',
    'created_at',
  ],
  _execution_invocations: [
    'id',
    'execution_id',
    'attempt_number',
    'started_at',
    'completed_at',
    'status',
    'error',
    'result',
    'created_at',
  ],
} as const;

describe('the tables of the design of jobs', () => {
  const store = useUsance();
  const ids: Record<string, string> = {};
  const docs = (text: string, schema = 'usance_docs'): Promise<Row[]> =>
    store.db.transaction(async (tx) => {
      await tx.query(`set local search_path = ${schema}`);
      return tx.query(text);
    });

  beforeAll(async () => {
    const { tenant, owner, usance } = store;
    await order(usance);
    const job = await addJob(owner, tenant, { eventPattern: 'tenant.updated', description: 'Sends receipts.' });
    ids['job'] = job.id;
    const retry = { maxAttempts: 5, backoffMultiplier: 3 };
    ids['disabled'] = (await addJob(owner, tenant, { enabled: false, retryConfig: retry })).id;
    const deleted = await addJob(owner, tenant);
    await tenant.deleteJob(deleted.id);
    await appended(usance, tenant.id, 'tenant.updated', 'tenant.updated', 'tenant.updated');
    await order(usance);
    await matchAll(usance);
    [ids['running'] = ''] = await claim(owner, job.id, await addWorker(owner), 1);
    const [first, second] = (await tenant.executions({ status: 'pending' })).executions;
    Object.assign(ids, { pending: first?.id, cancelled: second?.id });
    await tenant.cancelExecution(second?.id ?? '');
    for (const status of ['completed', 'failed'] as const) ids[status] = await addExecution(owner, job, status);
    for (const attempt of [1, 2]) await addInvocation(owner, { tenantId: tenant.id, id: ids['failed'] ?? '' }, attempt);
  });

  test.each(Object.entries(COLUMNS))('%s has every column of the design', async (view, columns) => {
    const rows = await docs(`select ${columns.map((column) => `"${column}"`).join(', ')} from ${view}`);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('_jobs has the jobs that are there, with their retry policy in the words of the design', async () => {
    const rows = await docs('select * from _jobs order by id');
    expect(rows).toMatchObject([
      {
        id: ids['job'],
        enabled: true,
        event_pattern: 'tenant.updated',
        retry_config: null,
        description: 'Sends receipts.',
      },
      {
        id: ids['disabled'],
        enabled: false,
        retry_config: { maxAttempts: 5, initialDelayMs: 1_000, backoffMultiplier: 3, maxDelayMs: 60_000 },
      },
    ]);
  });

  test('_job_executions has a row of every status, and a cancelled one is failed', async () => {
    const rows = await docs('select * from _job_executions');
    const named = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const told = rows.map((row) => [
      named.get(String(row['id'])),
      row['status'],
      row['attempt_number'],
      ...['started_at', 'completed_at', 'next_retry_at', 'locked'].map((column) => row[column] !== null),
    ]);
    expect(told.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))).toEqual([
      ['cancelled', 'failed', 0, false, true, false, false],
      ['completed', 'completed', 3, true, true, false, false],
      ['failed', 'failed', 3, true, true, false, false],
      ['pending', 'pending', 0, false, false, true, false],
      ['running', 'running', 1, true, false, false, true],
    ]);
    const one = (name: string) => rows.find((row) => row['id'] === ids[name]);
    expect(one('completed')).toMatchObject({ job_id: ids['job'], error: null, result: { receipt: 'R-1001' } });
    expect(one('cancelled')?.['error']).toBe('The execution was cancelled.');
  });

  test('_execution_invocations has a row for every attempt, as the API shows it', async () => {
    const rows = await docs('select * from _execution_invocations order by execution_id, attempt_number');
    const told = rows.map((row) => [
      row['execution_id'],
      row['attempt_number'],
      row['status'],
      row['completed_at'] !== null,
    ]);
    const failed = [1, 2, 3].map((attempt) => [ids['failed'], attempt, 'failed', true]);
    const expected = [...failed, [ids['completed'], 3, 'success', true], [ids['running'], 1, 'running', false]];
    const byKey = (all: unknown[][]) => all.map(String).toSorted();
    expect(byKey(told)).toEqual(byKey(expected));
    for (const name of ['failed', 'running', 'completed']) {
      const shown = await store.tenant.invocations(ids[name] ?? '');
      const own = rows.filter((row) => row['execution_id'] === ids[name]);
      expect(own.map((row) => row['id'])).toEqual(shown.map(({ id }) => id));
    }
    const last = rows.find((row) => row['id'] === invocationIdOf(ids['completed'] ?? '', 3));
    expect(last?.['result']).toEqual({ receipt: 'R-1001' });
  });

  test('have no rows of live tenants among those of test tenants', async () => {
    for (const view of Object.keys(COLUMNS))
      expect(await docs(`select * from ${view}`, 'usance_docs_test')).toEqual([]);
  });
});
