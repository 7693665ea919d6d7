import { describe, expect, test } from 'vitest';
import type { ExecutionFilter, Job, TenantHandle } from '../../src/engine.ts';
import type { Row, Sql, Value } from '../../src/db/index.ts';
import { executionIdOf, invocationIdOf } from '../../src/jobs/execution.ts';
import { listExecutions } from '../../src/jobs/execution-store.ts';
import { newId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { addExecution, addInvocation, addJob } from '../support/jobs.ts';
import { refusalOf } from '../support/refusal.ts';
import { testTenant } from '../support/test-clock.ts';
import { appended, createJob, freshTenant, matchAll, order } from './matcher.ts';
import { addWorker, claim, queueRow } from './worker-rows.ts';

const store = useUsance({ poolSize: 25 });

interface Made {
  readonly tenant: TenantHandle;
  readonly job: Job;
}
const made = async (change = {}): Promise<Made> => {
  const tenant = await freshTenant(store.usance);
  return { tenant, job: await addJob(store.owner, tenant, change) };
};
const typesOf = async (id: string): Promise<unknown[]> =>
  (await store.owner.query('select type from usance.events where resource_id = $1::uuid order by id', [id])).map(
    ({ type }) => type,
  );

describe('an execution', () => {
  test('is read in each of its states', async () => {
    const { tenant, job } = await made();
    const read = async (status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled') =>
      tenant.execution(await addExecution(store.owner, job, status));
    const now = expect.any(Date);
    const common = { tenantId: tenant.id, jobId: job.id, seq: 1n, createdAt: now };
    expect(await read('pending')).toEqual({
      ...common,
      id: expect.any(String),
      eventId: expect.any(String),
      status: 'pending',
      attemptNumber: 0,
      startedAt: null,
      completedAt: null,
      nextRetryAt: now,
      lockedAt: null,
      workerId: null,
      code: null,
      error: null,
      result: null,
    });
    expect(await read('running')).toMatchObject({
      status: 'running',
      attemptNumber: 1,
      startedAt: now,
      lockedAt: now,
      nextRetryAt: null,
    });
    expect(await read('completed')).toMatchObject({
      status: 'completed',
      attemptNumber: 3,
      completedAt: now,
      result: { receipt: 'R-1001' },
      error: null,
      nextRetryAt: null,
    });
    expect(await read('failed')).toMatchObject({ status: 'failed', code: 'PROCESSOR_FAILED', completedAt: now });
    expect(await read('cancelled')).toMatchObject({ status: 'cancelled', code: 'EXECUTION_CANCELLED' });
  });

  test('of another tenant, or of none, does not exist', async () => {
    const { job } = await made();
    const other = await freshTenant(store.usance);
    for (const id of [await addExecution(store.owner, job, 'failed'), newId(), 'no id'])
      for (const act of [
        () => other.execution(id),
        () => other.invocations(id),
        () => other.retryExecution(id),
        () => other.cancelExecution(id),
      ])
        expect(await refusalOf(act())).toBe('EXECUTION_NOT_FOUND');
  });

  test('that was retried again and again shows its last thousand attempts', async () => {
    const { tenant, job } = await made();
    const id = await addExecution(store.owner, job, 'failed');
    const set = (attempt: number) =>
      store.owner.query('update usance.executions set attempt = $2::int where id = $1::uuid', [id, attempt]);
    await set(5_000);
    for (const attempt of [1, 4_000, 4_001, 4_999])
      await addInvocation(store.owner, { tenantId: tenant.id, id }, attempt);
    expect((await tenant.invocations(id)).map(({ attemptNumber }) => attemptNumber)).toEqual([4_001, 4_999, 5_000]);
    await set(3);
  });

  test('has an invocation for each attempt: earlier ones, and the one that ended it or runs', async () => {
    const { tenant, job } = await made();
    const failed = await addExecution(store.owner, job, 'failed');
    for (const attempt of [1, 2]) await addInvocation(store.owner, { tenantId: tenant.id, id: failed }, attempt);
    expect(await tenant.invocations(failed)).toMatchObject([
      { attemptNumber: 1, status: 'failed', code: 'PROCESSOR_FAILED' },
      { attemptNumber: 2, status: 'failed' },
      { id: invocationIdOf(failed, 3), attemptNumber: 3, status: 'failed', completedAt: expect.any(Date) },
    ]);
    const running = await addExecution(store.owner, job, 'running');
    expect(await tenant.invocations(running)).toMatchObject([
      { attemptNumber: 1, status: 'running', completedAt: null, error: null },
    ]);
    const completed = await addExecution(store.owner, job, 'completed');
    expect((await tenant.invocations(completed)).at(-1)).toMatchObject({
      status: 'success',
      result: { receipt: 'R-1001' },
    });
    expect(await tenant.invocations(await addExecution(store.owner, job, 'pending'))).toEqual([]);
  });

  test('has the same id in the database as in the program', async () => {
    const [jobId, eventId] = [newId(), newId()];
    const [row] = await store.db.query(
      `select usance.hashed_id($2::uuid, $1::text || ' ' || $2::text) as execution, usance.invocation_id($2::uuid, 7) as invocation`,
      [jobId, eventId],
    );
    expect(row).toEqual({ execution: executionIdOf(jobId, eventId), invocation: invocationIdOf(eventId, 7) });
  });
});

describe('executions', () => {
  test('are listed newest first, waiting and ended in one order, by job, status and event, in pages', async () => {
    const { tenant, job } = await made();
    const other = await addJob(store.owner, tenant);
    const all: [string, string, string][] = [];
    for (const status of ['completed', 'pending', 'failed', 'running', 'cancelled', 'pending'] as const)
      for (const of of [job, other]) all.push([await addExecution(store.owner, of, status), status, of.id]);
    const newest = all.toSorted(([a], [b]) => (a < b ? 1 : -1));
    const ids = async (filter: ExecutionFilter = {}) =>
      (await tenant.executions(filter)).executions.map(({ id }) => id);
    const expected = (fits: (one: [string, string, string]) => boolean) => newest.filter(fits).map(([id]) => id);
    expect(await ids()).toEqual(expected(() => true));
    expect(await ids({ jobId: job.id })).toEqual(expected(([, , of]) => of === job.id));
    for (const status of ['pending', 'running', 'completed', 'failed', 'cancelled'] as const) {
      expect(await ids({ status })).toEqual(expected(([, has]) => has === status));
      expect(await ids({ status, jobId: other.id })).toEqual(
        expected(([, has, of]) => has === status && of === other.id),
      );
    }
    const { eventId } = await tenant.execution(newest[3]?.[0] ?? '');
    expect(await ids({ eventId })).toEqual([newest[3]?.[0]]);
    expect(await ids({ eventId, jobId: newest[3]?.[2] ?? '' })).toEqual([newest[3]?.[0]]);
    expect(await ids({ eventId, status: 'failed' })).toEqual(newest[3]?.[1] === 'failed' ? [newest[3][0]] : []);
    expect(await ids({ jobId: newId() })).toEqual([]);
    expect(await ids({ jobId: 'none' })).toEqual([]);
    expect(await refusalOf(tenant.executions({ status: 'done' as never }))).toBe('FIELD_INVALID');
    const seen: string[] = [];
    for (let before: string | null | undefined; before !== null;) {
      const page = await tenant.executions({}, { limit: 5, ...(before === undefined ? {} : { before }) });
      seen.push(...page.executions.map(({ id }) => id));
      before = page.next;
    }
    expect(seen).toEqual(newest.map(([id]) => id));
  });

  test('of a resource are those of its newest hundred events, of its tenant, in pages', async () => {
    const tenant = await freshTenant(store.usance);
    const [job, other] = [await createJob(store.owner, tenant), await createJob(store.owner, tenant, 'tenant.*')];
    for (let n = 0; n < 3; n += 1) await appended(store.usance, tenant.id, 'tenant.updated');
    await order(store.usance);
    await matchAll(store.usance);
    const ids = async (filter: ExecutionFilter, of = tenant) =>
      (await of.executions(filter)).executions.map(({ id }) => id);
    const resourceId = tenant.id;
    const ofJob = await ids({ jobId: job.id });
    expect(ofJob).toHaveLength(3);
    expect(await ids({ resourceId, jobId: job.id })).toEqual(ofJob);
    expect(await ids({ resourceId })).toEqual((await ids({})).slice(0, 6));
    expect(await ids({ resourceId, status: 'failed' })).toEqual([]);
    const { eventId } = await tenant.execution(ofJob[1] ?? '');
    expect(await ids({ resourceId, eventId, jobId: job.id })).toEqual([ofJob[1]]);
    expect(await ids({ resourceId: newId(), eventId })).toEqual([]);
    const rows: Row[] = [];
    const counting: Sql = {
      ...store.db,
      async query<R extends Row>(text: string, values?: readonly Value[]): Promise<R[]> {
        const found = await store.db.query<R>(text, values);
        rows.push(...found.filter((row) => 'result' in row));
        return found;
      },
    };
    const range = { limit: 2, before: null };
    expect((await listExecutions(counting, tenant.id, { resourceId }, range)).items).toHaveLength(2);
    // Whole rows, with their results, are read for the page only.
    expect(rows).toHaveLength(2);
    expect(await ids({ resourceId: 'none' })).toEqual([]);
    expect(await ids({ resourceId }, await freshTenant(store.usance))).toEqual([]);
    const seen: string[] = [];
    for (let before: string | null | undefined; before !== null;) {
      const page = await tenant.executions({ resourceId }, { limit: 4, ...(before === undefined ? {} : { before }) });
      seen.push(...page.executions.map(({ id }) => id));
      before = page.next;
    }
    expect(seen).toEqual(await ids({ resourceId }));
    for (let n = 0; n < 100; n += 1) await appended(store.usance, tenant.id, 'tenant.updated');
    await order(store.usance);
    await matchAll(store.usance);
    const newest = await tenant.executions({ resourceId, jobId: other.id }, { limit: 1_000 });
    expect(newest.executions).toHaveLength(100);
    expect(newest.executions.map(({ id }) => id)).toEqual((await ids({ jobId: other.id })).slice(0, 100));
    // An event that is older than the newest hundred is still one of the resource.
    expect(await ids({ resourceId, eventId, jobId: job.id })).toEqual([ofJob[1]]);
  });

  test('are all found where a page ends before it is full, and none twice', async () => {
    const { tenant, job } = await made();
    const rare: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      await addExecution(store.owner, job, n % 2 === 0 ? 'pending' : 'completed');
      if (n % 10 === 0) rare.push(await addExecution(store.owner, job, 'failed'));
    }
    const seen: string[] = [];
    let pages = 0;
    for (let before: string | null = null, more = true; more; pages += 1) {
      const { items, reached } = await listExecutions(
        store.db,
        tenant.id,
        { status: 'failed' },
        { limit: 2, before },
        4,
      );
      seen.push(...items.map(({ id }) => id));
      before = reached ?? items.at(-1)?.id ?? null;
      more = reached !== null || items.length === 2;
    }
    expect(seen.toSorted()).toEqual(rare.toSorted());
    expect(pages).toBeGreaterThan(3);
    const mixed: string[] = [];
    for (let before: string | null = null, more = true; more;) {
      const { items, reached } = await listExecutions(store.db, tenant.id, {}, { limit: 5, before }, 7);
      mixed.push(...items.map(({ id }) => id));
      before = reached ?? items.at(-1)?.id ?? null;
      more = reached !== null || items.length === 5;
    }
    expect(mixed).toEqual((await tenant.executions()).executions.map(({ id }) => id));
  });

  test('of earlier months and years are found behind those of today', async () => {
    const { tenant, job } = await made();
    const recent = await addExecution(store.owner, job, 'completed');
    const old: string[] = [];
    for (const days of [40, 400, 1_000]) {
      const [event] = await store.owner.query(
        `select usance.first_id_at(now() - make_interval(days => $1::int)) as id`,
        [days],
      );
      const eventId = String(event?.['id']);
      old.push(executionIdOf(job.id, eventId));
      await store.owner.query(
        `insert into usance.executions (tenant_id, id, job_id, event_id, seq, status, attempt, attempted_at, ended_at, created_at)
         values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, 1, 'completed', 1, now(), now(), now())`,
        [tenant.id, old.at(-1) ?? '', job.id, eventId],
      );
    }
    expect((await tenant.executions()).executions.map(({ id }) => id)).toEqual([recent, ...old]);
    const page = await tenant.executions({}, { limit: 2 });
    expect(page.next).toBe(old[0]);
    expect((await tenant.executions({}, { before: page.next ?? '' })).executions.map(({ id }) => id)).toEqual(
      old.slice(1),
    );
  });
});

describe('a retry', () => {
  test('puts a failed execution back with all its attempts, keeps its history, and emits an event', async () => {
    const { tenant, job } = await made();
    const id = await addExecution(store.owner, job, 'failed');
    for (const attempt of [1, 2]) await addInvocation(store.owner, { tenantId: tenant.id, id }, attempt);
    const retried = await tenant.retryExecution(id, { reason: 'the mail server is back' });
    expect(retried).toMatchObject({
      id,
      status: 'pending',
      attemptNumber: 3,
      completedAt: null,
      code: 'PROCESSOR_FAILED',
    });
    expect(await queueRow(store.owner, id)).toMatchObject({ attempt: 3, attempts_before: 3, clock_id: null });
    expect((await tenant.invocations(id)).map(({ attemptNumber, status }) => [attemptNumber, status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'failed'],
    ]);
    expect(await tenant.deadLetters()).toEqual([]);
    expect(await typesOf(id)).toEqual(['execution.retried']);
    expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.retryExecution(id))).toBe(
      'EXECUTION_NOT_RETRYABLE',
    );
  });

  test('happens once, however many ask for it at the same time', async () => {
    const { tenant, job } = await made();
    const id = await addExecution(store.owner, job, 'failed');
    const codes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(tenant.retryExecution(id))));
    expect(codes.filter((code) => code === 'not refused')).toHaveLength(1);
    expect(codes.filter((code) => code === 'EXECUTION_NOT_RETRYABLE')).toHaveLength(19);
    expect(await typesOf(id)).toEqual(['execution.retried']);
  });

  test('is refused for what has not failed, and for a deleted job', async () => {
    const { tenant, job } = await made();
    for (const status of ['pending', 'running', 'completed', 'cancelled'] as const) {
      const id = await addExecution(store.owner, job, status);
      expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.retryExecution(id))).toBe(
        'EXECUTION_NOT_RETRYABLE',
      );
    }
    const id = await addExecution(store.owner, job, 'failed');
    await tenant.deleteJob(job.id);
    expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.retryExecution(id))).toBe('JOB_DELETED');
    await tenant.discardDeadLetter(id, 'the job is gone');
    expect(await tenant.execution(id)).toMatchObject({ status: 'failed' });
  });

  test('of a test tenant is due by its clock', async () => {
    const { tenant } = await testTenant(store.usance);
    const job = await addJob(store.owner, tenant);
    const id = await addExecution(store.owner, job, 'failed');
    expect((await tenant.retryExecution(id)).nextRetryAt).toEqual(new Date('2027-01-01T00:00:00Z'));
    expect((await queueRow(store.owner, id))?.['clock_id']).not.toBeNull();
  });
});

describe('a cancel', () => {
  test('ends a waiting execution at once, and emits an event', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, 'tenant.updated');
    await order(store.usance);
    await matchAll(store.usance);
    const [waiting] = (await tenant.executions({ jobId: job.id })).executions;
    const id = waiting?.id ?? '';
    expect(await tenant.cancelExecution(id, { reason: 'not needed' })).toMatchObject({
      status: 'cancelled',
      code: 'EXECUTION_CANCELLED',
      attemptNumber: 0,
    });
    expect(await queueRow(store.owner, id)).toBeUndefined();
    expect(await tenant.invocations(id)).toEqual([]);
    const [event] = await store.owner.query(
      'select type, data, actor from usance.events where resource_id = $1::uuid',
      [id],
    );
    expect(event).toMatchObject({
      type: 'execution.cancelled',
      data: { jobId: job.id, eventId: waiting?.eventId, reason: 'not needed' },
      actor: 'library',
    });
    expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.cancelExecution(id))).toBe(
      'EXECUTION_NOT_CANCELLABLE',
    );
    // The event stays matched: it does not come again.
    expect(await matchAll(store.usance)).toBe(0);
  });

  test('of a running one is a request to its worker, with one event', async () => {
    const { tenant, job } = await made();
    await addExecution(store.owner, job, 'pending');
    const [id = ''] = await claim(store.owner, job.id, await addWorker(store.owner));
    expect(await tenant.cancelExecution(id)).toMatchObject({ status: 'running' });
    await tenant.cancelExecution(id);
    expect(await queueRow(store.owner, id)).toMatchObject({ cancel_requested: true });
    expect(await typesOf(id)).toEqual(['execution.cancel_requested']);
  });

  test('is refused for what has ended', async () => {
    const { tenant, job } = await made();
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      const id = await addExecution(store.owner, job, status);
      expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.cancelExecution(id))).toBe(
        'EXECUTION_NOT_CANCELLABLE',
      );
    }
  });
});

test('all of it leaves the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
