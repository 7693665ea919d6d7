// Executions over HTTP, in the client and in the library: fields in every state, lists, attempts, retry and cancel.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionStatus, Job } from '../../src/engine.ts';
import { EXECUTION_STATUSES } from '../../src/engine.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { addExecution, addInvocation, addJob } from '../support/jobs.ts';
import type { Answer } from './api.ts';
import { problemIn } from './problem.ts';
import { all, useSurfaces } from './surfaces.ts';

const surfaces = useSurfaces();
const { store } = surfaces;
const state: { job?: Job } = {};
const job = (): Job => state.job ?? expect.fail('the job exists inside tests only');
const add = async (status: ExecutionStatus, of = job()): Promise<string> =>
  toTypeId('execution', await addExecution(store.owner, of, status));
const read = (id: string): Promise<Answer> => store.send(`GET /executions/${id}`);
const idsIn = (answer: Answer): unknown[] => answer.list('data').map((each) => (each as { id: string }).id);

beforeAll(async () => {
  state.job = await addJob(store.owner, store.tenant);
});

describe('an execution', () => {
  test.each(EXECUTION_STATUSES)('that is %s has the fields of the design', async (status) => {
    const { body } = await read(await add(status));
    const isWaiting = status === 'pending';
    const hasEnded = ['completed', 'failed', 'cancelled'].includes(status);
    const instant = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(body).toEqual({
      id: expect.stringMatching(/^exe_[0-9a-z]{26}$/),
      job_id: toTypeId('job', job().id),
      event_id: expect.stringMatching(/^evt_/),
      status,
      attempt_number: isWaiting ? 0 : status === 'running' ? 1 : 3,
      started_at: isWaiting ? null : instant,
      completed_at: hasEnded ? instant : null,
      error: status === 'failed' ? 'the mail server did not answer' : null,
      code: { failed: 'PROCESSOR_FAILED', cancelled: 'EXECUTION_CANCELLED' }[status as string] ?? null,
      result: status === 'completed' ? { receipt: 'R-1001' } : null,
      next_retry_at: isWaiting ? instant : null,
      locked: status === 'running' ? instant : null,
      worker_id: isWaiting ? null : expect.stringMatching(/^wkr_/),
      created_at: instant,
    });
  });

  test('of another tenant does not exist', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    const theirs = await add('failed', await addJob(store.owner, other));
    for (const request of [`GET /executions/${theirs}`, `GET /executions/${theirs}/invocations`])
      expect(problemIn(await store.send(request)).code).toBe('EXECUTION_NOT_FOUND');
    for (const verb of ['retry', 'cancel'])
      expect(problemIn(await store.send(`POST /executions/${theirs}/${verb}`, { body: {} })).code).toBe(
        'EXECUTION_NOT_FOUND',
      );
  });

  test('has every attempt, by its number', async () => {
    const id = await addExecution(store.owner, job(), 'failed');
    for (const attempt of [2, 1]) await addInvocation(store.owner, { id, tenantId: job().tenantId }, attempt);
    const shown = toTypeId('execution', id);
    const { data } = (await store.send(`GET /executions/${shown}/invocations`)).body as { data: object[] };
    expect(data).toMatchObject([1, 2, 3].map((attempt_number) => ({ attempt_number, execution_id: shown })));
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      execution_id: shown,
      attempt_number: 1,
      started_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
      status: 'failed',
      error: 'the mail server did not answer',
      code: 'PROCESSOR_FAILED',
      result: null,
      worker_id: expect.stringMatching(/^wkr_/),
      created_at: expect.stringMatching(/Z$/),
    });
    const completed = (await store.send(`GET /executions/${await add('completed')}/invocations`)).list('data');
    expect(completed.at(-1)).toMatchObject({ status: 'success', result: { receipt: 'R-1001' }, error: null });
    const running = (await store.send(`GET /executions/${await add('running')}/invocations`)).list('data');
    expect(running).toMatchObject([{ attempt_number: 1, status: 'running', completed_at: null }]);
  });

  test('that failed is retried: it waits with all its attempts, and is no dead letter any more', async () => {
    const id = await add('failed');
    const answer = await store.send(`POST /executions/${id}/retry`, { body: { reason: 'the mail server is back' } });
    expect(answer.body).toMatchObject({ id, status: 'pending', attempt_number: 3, completed_at: null });
    expect(answer.get('next_retry_at')).not.toBeNull();
    expect((await read(id)).body).toEqual(answer.body);
    expect(problemIn(await store.send(`POST /executions/${id}/retry`, { body: {} })).code).toBe(
      'EXECUTION_NOT_RETRYABLE',
    );
    await store.run('sequencer');
    expect((await store.send(`GET /events?resource_id=${id}`)).list('data')).toMatchObject([
      {
        type: 'execution.retried',
        resource: 'execution',
        data: { job_id: toTypeId('job', job().id), reason: 'the mail server is back' },
      },
    ]);
  });

  test.each(['completed', 'cancelled', 'pending', 'running'] as const)('that is %s is not retried', async (status) => {
    const answer = await store.send(`POST /executions/${await add(status)}/retry`, { body: {} });
    expect(problemIn(answer)).toMatchObject({ code: 'EXECUTION_NOT_RETRYABLE' });
    expect(answer.get('fields.status')).toBe(status);
  });

  test('that waits is cancelled at once, one that runs keeps running until its worker has stopped it', async () => {
    const waiting = await store.send(`POST /executions/${await add('pending')}/cancel`, {
      body: { reason: 'by hand' },
    });
    expect(waiting.body).toMatchObject({ status: 'cancelled', code: 'EXECUTION_CANCELLED', next_retry_at: null });
    expect(waiting.get('completed_at')).not.toBeNull();
    const running = await store.send(`POST /executions/${await add('running')}/cancel`, { body: {} });
    expect(running.body).toMatchObject({ status: 'running', completed_at: null });
  });

  test.each(['completed', 'cancelled', 'failed'] as const)('that is %s is not cancelled', async (status) => {
    const answer = await store.send(`POST /executions/${await add(status)}/cancel`, { body: {} });
    expect(problemIn(answer)).toMatchObject({ code: 'EXECUTION_NOT_CANCELLABLE' });
  });

  test('of a deleted job can be read and is not retried', async () => {
    const gone = await addJob(store.owner, store.tenant);
    const id = await add('failed', gone);
    await store.tenant.deleteJob(gone.id);
    expect((await read(id)).get('status')).toBe('failed');
    expect(idsIn(await store.send(`GET /executions?job_id=${toTypeId('job', gone.id)}`))).toEqual([id]);
    expect(problemIn(await store.send(`POST /executions/${id}/retry`, { body: {} })).code).toBe('JOB_DELETED');
  });

  test('has the result with the names that the processor gave, on every surface', async () => {
    const id = await addExecution(store.owner, job(), 'completed');
    const result = { receipt_number: 'R-1', orderId: 7, nested: { job_id: 'mine', camelCase: [{ a_b: 1 }] } };
    await store.owner.query(`update usance.executions set result = $2::jsonb where id = $1::uuid`, [
      id,
      JSON.stringify(result),
    ]);
    const shown = toTypeId('execution', id);
    expect((await read(shown)).get('result')).toEqual(result);
    for (const { executions } of [surfaces.client, surfaces.library]) {
      expect((await executions.get(shown)).result).toEqual(result);
      expect((await all(executions.listInvocations(shown))).at(-1)?.result).toEqual(result);
    }
  });

  test('in a dry run is shown in the case of the library, and its own result as it is', async () => {
    const id = await add('failed');
    for (const { executions } of [surfaces.client, surfaces.library]) {
      const run = await executions.retry(id, {}, { dryRun: true });
      expect(run).toMatchObject({ dryRun: true, events: ['execution.retried'], postings: [] });
      expect(run.result).toMatchObject({ id, jobId: toTypeId('job', job().id), status: 'pending', result: null });
    }
    expect((await read(id)).get('status')).toBe('failed');
  });
});

describe('executions', () => {
  test('are listed newest first, by job, status and event', async () => {
    const own = await addJob(store.owner, store.tenant);
    const ids: string[] = [];
    for (const status of EXECUTION_STATUSES) ids.push(await add(status, own));
    const jobId = toTypeId('job', own.id);
    const newest = ids.toSorted().toReversed();
    expect(idsIn(await store.send(`GET /executions?job_id=${jobId}`))).toEqual(newest);
    for (const [index, status] of EXECUTION_STATUSES.entries())
      expect(idsIn(await store.send(`GET /executions?job_id=${jobId}&status=${status}`))).toEqual([ids[index]]);
    const event = (await read(ids[0] ?? '')).word('event_id');
    expect(idsIn(await store.send(`GET /executions?event_id=${event}`))).toEqual([ids[0]]);
    expect(idsIn(await store.send(`GET /executions?event_id=${event}&status=failed`))).toEqual([]);
    expect(problemIn(await store.send('GET /executions?status=done'))).toMatchObject({ param: 'status' });
  });

  test('are on exactly one page each', async () => {
    const own = await addJob(store.owner, store.tenant);
    const made = new Set<string>();
    for (let n = 0; n < 7; n += 1) made.add(await add(n % 2 === 0 ? 'completed' : 'pending', own));
    const found: string[] = [];
    for await (const { id } of surfaces.library.executions.list({ jobId: toTypeId('job', own.id), limit: 2 }))
      found.push(id);
    expect(found).toHaveLength(7);
    expect(new Set(found)).toEqual(made);
  });
});
