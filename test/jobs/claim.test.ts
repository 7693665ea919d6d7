// Which executions a claim takes: fair between tenants and jobs, and within every limit.
import { afterEach, describe, expect, test } from 'vitest';
import type { Database, Sql } from '../../src/db/index.ts';
import { isLockTimeout, only } from '../../src/db/index.ts';
import type { Claim, ClaimRequest } from '../../src/jobs/claim.ts';
import { ExecutionClaimer } from '../../src/jobs/claim.ts';
import { completeAttempts, giveBackAttempts } from '../../src/jobs/queue-store.ts';
import { useUsance } from '../support/database.ts';
import { testTenant } from '../support/test-clock.ts';
import type { TestJob } from './queue.ts';
import { counts, enqueue, insertJob, insertTestWorker, queueRow } from './queue.ts';

const setup = useUsance();

afterEach(async () => {
  await setup.owner.query('truncate usance.execution_queue, usance.job_workers, usance.job_rates');
  await setup.owner.query('delete from usance.jobs');
});

type Order = Partial<Omit<ClaimRequest, 'roomOf'>> & { readonly room?: number };

async function claim(
  claimer: ExecutionClaimer,
  { room = Infinity, ...order }: Order = {},
  db: Database = setup.db,
): Promise<Claim> {
  const workerId = order.workerId ?? (await insertTestWorker(db));
  return db.transaction((tx) =>
    claimer.claim(tx, { processors: ['work'], limit: 100, thorough: true, ...order, workerId, roomOf: () => room }),
  );
}

async function tenants(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push((await setup.usance.createTenant({ name: `t${(named += 1)}` })).id);
  return made;
}
let named = 0;

type Row = Claim['rows'][number];

const byJob = (rows: Claim['rows'], job: TestJob): number => rows.filter(({ jobId }) => jobId === job.id).length;

describe('a claim', () => {
  test('takes what is due, oldest first, and nothing that is not', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    const [later = ''] = await enqueue(setup.db, job, { dueAt: new Date(Date.now() + 60_000) });
    const [second = ''] = await enqueue(setup.db, job, { dueAt: new Date(Date.now() - 1_000) });
    const [first = ''] = await enqueue(setup.db, job, { dueAt: new Date(Date.now() - 2_000) });
    const claimer = new ExecutionClaimer();
    const { rows } = await claim(claimer, { limit: 1 });
    expect(rows.map(({ executionId, attempt }) => [executionId, attempt])).toEqual([[first, 1]]);
    const rest = await claim(claimer);
    expect(rest.rows.map(({ executionId }) => executionId)).toEqual([second]);
    expect(await queueRow(setup.db, later)).toMatchObject({ attempt: 0, workerId: null });
    expect(rest.nextInMs).toBeGreaterThan(50_000);
  });

  test('gives a tenant with ten its ten, beside a tenant with thousands', async () => {
    const [big = '', small = ''] = await tenants(2);
    const many = await insertJob(setup.db, big);
    const few = await insertJob(setup.db, small);
    await enqueue(setup.db, many, { count: 3_000, dueAt: new Date(Date.now() - 60_000) });
    const claimer = new ExecutionClaimer();
    expect((await claim(claimer)).rows).toHaveLength(100);
    await enqueue(setup.db, few, { count: 10 });
    await expect.poll(async () => byJob((await claim(claimer, { limit: 20, woken: true })).rows, few)).toBe(10);
    // It gave all that it was asked for, so that only a claim that finds less knows that it has no more. Its share then goes to the other.
    await claim(claimer, { limit: 20 });
    const next = await claim(claimer);
    expect(byJob(next.rows, many)).toBe(100);
  });

  test('serves tenants, and the jobs of a tenant, in turns if there are fewer slots than them', async () => {
    const jobs: TestJob[] = [];
    for (const tenantId of await tenants(3))
      for (let n = 0; n < 2; n += 1) jobs.push(await insertJob(setup.db, tenantId));
    for (const job of jobs) await enqueue(setup.db, job, { count: 20 });
    const claimer = new ExecutionClaimer();
    const served = new Map<string, number>();
    for (let n = 0; n < 12; n += 1) {
      const { rows } = await claim(claimer, { limit: 1 });
      for (const { jobId } of rows) served.set(jobId, (served.get(jobId) ?? 0) + 1);
    }
    expect([...served.values()]).toEqual([2, 2, 2, 2, 2, 2]);
  });

  test('leaves a tenant out that has no room in the worker, and says that something is held back', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    await enqueue(setup.db, job, { count: 5 });
    const claimer = new ExecutionClaimer();
    expect((await claim(claimer, { room: 2 })).rows).toHaveLength(2);
    expect(await claim(claimer, { room: 0 })).toMatchObject({ rows: [], heldBack: true });
    expect(await claim(claimer)).toMatchObject({ heldBack: false });
  });

  test.each([
    ['disabled', 'enabled = false'],
    ['deleted', 'deleted_at = now()'],
    ['given to another processor', `processor_name = 'other'`],
  ])('takes nothing of a job that was %s, also if it was seen before', async (_title, change) => {
    const job = await insertJob(setup.db, setup.tenant.id);
    await enqueue(setup.db, job, { count: 2 });
    const claimer = new ExecutionClaimer();
    expect((await claim(claimer, { limit: 1 })).rows).toHaveLength(1);
    await setup.db.query(`update usance.jobs set ${change} where id = $1::uuid`, [job.id]);
    expect((await claim(claimer)).rows).toEqual([]);
    expect((await claim(new ExecutionClaimer())).rows).toEqual([]);
  });

  test('takes nothing for a worker whose lease was taken away', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    await enqueue(setup.db, job);
    const workerId = await insertTestWorker(setup.db);
    await setup.db.query('delete from usance.job_workers where id = $1::uuid', [workerId]);
    expect((await claim(new ExecutionClaimer(), { workerId })).rows).toEqual([]);
    expect(await counts(setup.db, job)).toEqual({ pending: 1 });
  });

  test('finds an execution that was given back behind its mark', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    await enqueue(setup.db, job, { count: 3, dueAt: new Date(Date.now() - 60_000) });
    const claimer = new ExecutionClaimer();
    const { rows } = await claim(claimer);
    expect(rows).toHaveLength(3);
    await giveBackAttempts(
      setup.db,
      rows.slice(0, 1).map((row) => ({ ...row, suspected: null })),
    );
    const again = await claim(claimer);
    expect(again.rows).toMatchObject([{ executionId: rows[0]?.executionId, attempt: 1 }]);
  });

  test('takes executions of a test tenant by its clock, and at its instant', async () => {
    const { tenant } = await testTenant(setup.usance);
    const [clock] = await setup.db.query(
      'select timeline_id, stands_at from usance.test_clocks where tenant_id = $1::uuid',
      [tenant.id],
    );
    const clockId = String(clock?.['timeline_id']);
    const job = await insertJob(setup.db, tenant.id);
    const at = (ms: number): Date => new Date(Date.parse('2027-01-01T00:00:00.000Z') + ms);
    const [due = ''] = await enqueue(setup.db, job, { clockId, dueAt: at(0) });
    await enqueue(setup.db, job, { clockId, dueAt: at(1_000) });
    const { rows } = await claim(new ExecutionClaimer());
    expect(rows).toMatchObject([{ executionId: due, attemptedAt: at(0), startedAt: at(0), clockId }]);
  });

  test('is not slowed down by rows that ended while an old snapshot is open', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    const workerId = await insertTestWorker(setup.db);
    await enqueue(setup.db, job, { count: 6_000 });
    const claimer = new ExecutionClaimer();
    await setup.pool({ maxConnections: 1 }).transaction(
      async (old) => {
        await old.query('select 1');
        const pages: number[] = [];
        for (let n = 0; n < 10; n += 1) {
          const { rows } = await claim(claimer, { workerId, limit: 500, thorough: false });
          expect(rows).toHaveLength(500);
          await completeAttempts(
            setup.db,
            rows.map((row) => ({ ...row, result: null })),
          );
          pages.push(await pagesOfNextLook(job, rows));
        }
        expect(Math.max(...pages)).toBeLessThan(60);
      },
      { snapshot: true },
    );
  });
});

describe('completing', () => {
  test('finds a row that moved since the claim, and touches none that is another attempt or is somebody else by now', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    await enqueue(setup.db, job, { count: 4 });
    const workerId = await insertTestWorker(setup.db);
    const { rows } = await claim(new ExecutionClaimer(), { workerId });
    const [inPlace, moved, takenBack, elsewhere] = rows as [Row, Row, Row, Row];
    const change = (set: string, { executionId }: Row) =>
      setup.db.query(`update usance.execution_queue set ${set} where id = $1::uuid`, [executionId]);
    await change('cancel_requested = true', moved);
    await change('attempt = attempt + 1', takenBack);
    const done = [
      { ...inPlace, result: '{"is":"in place"}' },
      { ...moved, result: '{"is":"moved"}' },
      { ...takenBack, result: '{"is":"lost"}' },
      // As if its place had become that of another row.
      { ...elsewhere, place: takenBack.place, result: '{"is":"elsewhere"}' },
    ];
    expect(await setup.db.transaction((tx) => completeAttempts(tx, done))).toEqual(
      new Set([inPlace, moved, elsewhere].map(({ executionId }) => executionId)),
    );
    expect(await completeAttempts(setup.db, done)).toEqual(new Set());
    expect(await queueRow(setup.db, takenBack.executionId)).toMatchObject({ attempt: 2 });
    const kept = await setup.db.query(
      `select id, result->>'is' as is from usance.executions where job_id = $1::uuid and status = 'completed'`,
      [job.id],
    );
    expect(new Map(kept.map((row) => [row['id'], row['is']]))).toEqual(
      new Map([
        [inPlace.executionId, 'in place'],
        [moved.executionId, 'moved'],
        [elsewhere.executionId, 'elsewhere'],
      ]),
    );
  });

  test('looks only for the rows that moved, and waits for none of them', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    await enqueue(setup.db, job, { count: 50 });
    const workerId = await insertTestWorker(setup.db);
    const { rows } = await claim(new ExecutionClaimer(), { workerId });
    const moved = rows[0] as Row;
    const cancel = (sql: Sql) =>
      sql.query('update usance.execution_queue set cancel_requested = true where id = $1::uuid', [moved.executionId]);
    await cancel(setup.db);
    const done = rows.map((row) => ({ ...row, result: null }));
    const sizes: number[] = [];
    const complete = (): Promise<ReadonlySet<string>> => {
      sizes.length = 0;
      return setup.pool({ maxConnections: 1 }).transaction(async (tx) => {
        const counting: Sql = {
          query: (text, values) => {
            sizes.push((values as readonly (readonly string[])[])[1]?.length ?? 0);
            return tx.query(text, values);
          },
        };
        return completeAttempts(counting, done);
      });
    };
    await setup.pool({ maxConnections: 1 }).transaction(async (tx) => {
      await cancel(tx);
      // No limit of time is set: waiting would be for ever.
      await expect(complete()).rejects.toSatisfy(isLockTimeout);
    });
    expect(await counts(setup.db, job)).toEqual({ running: 50 });
    expect(await complete()).toEqual(new Set(rows.map(({ executionId }) => executionId)));
    expect(sizes).toEqual([50, 1, 1]);
  });
});

describe('a limit', () => {
  test('of running executions holds for twenty claims at once', async () => {
    const job = await insertJob(setup.db, setup.tenant.id, { maxConcurrency: 7 });
    await enqueue(setup.db, job, { count: 200 });
    const db = setup.pool({ maxConnections: 20 });
    const workers = await Promise.all(Array.from({ length: 20 }, () => insertTestWorker(db)));
    let most = 0;
    const claimAndEnd = async (workerId: string): Promise<void> => {
      const claimer = new ExecutionClaimer();
      for (let n = 0; n < 6; n += 1) {
        const { rows } = await claim(claimer, { workerId, limit: 5 }, db);
        most = Math.max(most, (await counts(db, job))['running'] ?? 0);
        await completeAttempts(
          db,
          rows.map((row) => ({ ...row, result: null })),
        );
      }
    };
    await Promise.all(workers.map(claimAndEnd));
    expect(most).toBeLessThanOrEqual(7);
    expect(most).toBeGreaterThan(0);
    expect((await counts(db, job))['completed']).toBeGreaterThan(7);
  });

  test('of running executions applies as soon as it is set', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    await enqueue(setup.db, job, { count: 10 });
    const claimer = new ExecutionClaimer();
    expect((await claim(claimer, { limit: 3 })).rows).toHaveLength(3);
    await setup.db.query('update usance.jobs set max_concurrency = 4 where id = $1::uuid', [job.id]);
    const workerId = await insertTestWorker(setup.db);
    const claimed = await claim(claimer, { workerId, thorough: false });
    expect(claimed.rows.length).toBeLessThanOrEqual(1);
  });

  test('of executions in a second is shared by all claims, and unused ones are given back', async () => {
    const job = await insertJob(setup.db, setup.tenant.id, { maxPerSecond: 5 });
    await enqueue(setup.db, job, { count: 3 });
    const [first, second] = [new ExecutionClaimer(), new ExecutionClaimer()];
    await startOfSecond();
    expect((await claim(first)).rows).toHaveLength(3);
    await enqueue(setup.db, job, { count: 10 });
    expect((await claim(second)).rows).toHaveLength(2);
    expect(await claim(first)).toMatchObject({ rows: [], heldBack: true });
    await startOfSecond();
    expect((await claim(first)).rows).toHaveLength(5);
  });
});

/** So that the claims of a test are in one second. */
async function startOfSecond(): Promise<void> {
  await setup.db.query(
    `select pg_sleep(ceil(extract(epoch from clock_timestamp())) - extract(epoch from clock_timestamp()) + 0.01)`,
  );
}

/** Pages that the next look behind the last of these rows reads. */
async function pagesOfNextLook(job: TestJob, rows: Claim['rows']): Promise<number> {
  const [mark] = rows.toSorted((a, b) => (a.executionId < b.executionId ? 1 : -1));
  const plans = await setup.db.query(
    `explain (analyze, buffers, format json) select q.due_at from usance.execution_queue q
     where q.worker_id is null and q.clock_id is null and q.tenant_id = $1::uuid and q.job_id = $2::uuid
       and (q.due_at, q.id) > ($3::timestamptz, $4::uuid)
     order by q.due_at, q.id limit 1`,
    [job.tenantId, job.id, mark?.dueAt ?? null, mark?.executionId ?? null],
  );
  const [{ Plan: plan }] = only(plans)['QUERY PLAN'] as [{ Plan: Record<string, number> }];
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}
