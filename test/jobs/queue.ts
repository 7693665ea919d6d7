// Jobs and waiting executions, written directly: the tests of workers begin behind the matcher.
import type { Database, Sql } from '../../src/db/index.ts';
import { asDate, asNumber, asText, only } from '../../src/db/index.ts';
import type { Engine, TenantHandle } from '../../src/engine.ts';
import { orderEvents } from '../../src/events/index.ts';
import type { Attempt } from '../../src/jobs/attempt.ts';
import type { JobWorker, RunnableProcessor, WorkerOptions } from '../../src/jobs/index.ts';
import { jobWorker } from '../../src/jobs/index.ts';
import type { LoopRun } from '../../src/kernel/index.ts';
import { newId, toJson } from '../../src/kernel/index.ts';

export interface TestJob {
  readonly tenantId: string;
  readonly id: string;
}

interface JobTerms {
  readonly processor?: string;
  readonly retry?: object | null;
  readonly timeoutMs?: number;
  readonly maxConcurrency?: number | null;
  readonly maxPerSecond?: number | null;
}

/** A retry policy of one attempt. */
export const SINGLE = { maxAttempts: 1, initialDelayMs: 1_000, multiplier: 1, maxDelayMs: 1_000, jitter: 0 };

export async function insertJob(sql: Sql, tenantId: string, terms: JobTerms = {}): Promise<TestJob> {
  const id = newId();
  const { processor = 'work', retry = null, timeoutMs = 60_000, maxConcurrency = null, maxPerSecond = null } = terms;
  await sql.query(
    `insert into usance.jobs (tenant_id, id, name, description, event_pattern, processor_name, enabled, retry, timeout_ms, max_concurrency,
       max_per_second, after_seq, backfilled_seq, created_by, created_at, updated_at)
     values ($1::uuid, $2::uuid, $2::text, '', '*', $3::text, true, $4::jsonb, $5::int, $6::int, $7::int, 0, 0, 'library', now(), now())`,
    [tenantId, id, processor, retry === null ? null : toJson(retry), timeoutMs, maxConcurrency, maxPerSecond],
  );
  return { tenantId, id };
}

export interface TestEvent {
  readonly id: string;
  readonly seq: bigint;
}

/** The first event of a tenant: executions of a test need one, and it need not be another for each. */
export async function someEvent(engine: Engine, tenant: TenantHandle): Promise<TestEvent> {
  await orderEvents(engine.db);
  const [event] = await tenant.events({}, { limit: 1 });
  if (!event) throw new Error('the tenant has no event');
  return event;
}

interface Waiting {
  readonly count?: number;
  readonly dueAt?: Date | null;
  readonly clockId?: string | null;
  readonly event?: TestEvent;
}

/** Returns the ids of the executions. */
export async function enqueue(sql: Sql, job: TestJob, waiting: Waiting = {}): Promise<string[]> {
  const { count = 1, dueAt = null, clockId = null, event = { id: newId(), seq: 1n } } = waiting;
  const ids = Array.from({ length: count }, () => newId());
  await sql.query(
    `insert into usance.execution_queue (tenant_id, id, job_id, event_id, seq, clock_id, due_at, created_at)
     select $1::uuid, k.id, $3::uuid, $4::uuid, $5::bigint, $6::uuid, coalesce($7::timestamptz, date_trunc('milliseconds', now() - interval '1 second')), coalesce($7::timestamptz, now())
     from unnest($2::uuid[]) k (id)`,
    [job.tenantId, ids, job.id, event.id, event.seq, clockId, dueAt],
  );
  return ids;
}

/** A registered worker without a process behind it. */
export async function insertTestWorker(sql: Sql, leasedForMs = 60_000): Promise<string> {
  const id = newId();
  await sql.query(
    `insert into usance.job_workers (id, processors, has_lock, leased_until)
     values ($1::uuid, '{work}', false, clock_timestamp() + make_interval(secs => $2::int / 1000.0))`,
    [id, leasedForMs],
  );
  return id;
}

/** What the rescuer does with a dead worker, without the policy: rows back, worker gone. */
export async function takeOver(sql: Sql, workerId: string): Promise<void> {
  await sql.query(
    `with gone as (delete from usance.job_workers where id = $1::uuid)
     update usance.execution_queue set worker_id = null, claimed_at = null where worker_id = $1::uuid`,
    [workerId],
  );
}

export async function counts(sql: Sql, job?: TestJob): Promise<Record<string, number>> {
  const rows = await sql.query(
    `select status, count(*)::int as n from (
       select job_id, case when worker_id is null then 'pending' else 'running' end as status from usance.execution_queue
       union all select job_id, status from usance.executions
     ) e where $1::uuid is null or job_id = $1::uuid group by status`,
    [job?.id ?? null],
  );
  return Object.fromEntries(rows.map((row) => [asText(row['status']), asNumber(row['n'])]));
}

export interface QueueRow {
  readonly attempt: number;
  readonly workerId: string | null;
  readonly dueAt: Date;
  readonly lastCode: string | null;
  readonly startedAt: Date | null;
}

export async function queueRow(sql: Sql, id: string): Promise<QueueRow | null> {
  const [row] = await sql.query('select * from usance.execution_queue where id = $1::uuid', [id]);
  if (!row) return null;
  return {
    attempt: asNumber(row['attempt']),
    workerId: row['worker_id'] === null ? null : asText(row['worker_id']),
    dueAt: asDate(row['due_at']),
    lastCode: row['last_code'] === null ? null : asText(row['last_code']),
    startedAt: row['started_at'] === null ? null : asDate(row['started_at']),
  };
}

export async function ended(sql: Sql, id: string): Promise<Record<string, unknown> | null> {
  const [row] = await sql.query(
    `select e.status, e.attempt, e.code, e.error, e.result, e.worker_id, e.started_at, e.attempted_at, e.ended_at, l.code as letter
     from usance.executions e left join usance.execution_dead_letters l on l.tenant_id = e.tenant_id and l.execution_id = e.id
     where e.id = $1::uuid`,
    [id],
  );
  return row ?? null;
}

export async function invocationsOf(sql: Sql, id: string): Promise<{ attempt: number; code: string; error: string }[]> {
  const rows = await sql.query(
    'select attempt, code, error from usance.invocations where execution_id = $1::uuid order by attempt',
    [id],
  );
  return rows.map((row) => ({
    attempt: asNumber(row['attempt']),
    code: asText(row['code']),
    error: asText(row['error']),
  }));
}

export async function makeDue(sql: Sql, id: string): Promise<void> {
  await sql.query(`update usance.execution_queue set due_at = now() - interval '1 second' where id = $1::uuid`, [id]);
}

export const serverNow = async (sql: Sql): Promise<Date> =>
  asDate(only(await sql.query(`select date_trunc('milliseconds', clock_timestamp()) as now`))['now']);

export const fence = (claimed: Attempt): Attempt => ({
  tenantId: claimed.tenantId,
  executionId: claimed.executionId,
  workerId: claimed.workerId,
  attempt: claimed.attempt,
});

type Run = RunnableProcessor['run'];

export const processor = (run: Run, name = 'work'): RunnableProcessor => ({ name, description: '', run });

/** A worker of a test, on a database. */
export interface TestWorker extends JobWorker {
  /** Until nothing is due and nothing runs. */
  drain(): Promise<LoopRun>;
  /** One run of the resident loop. */
  step(woken?: boolean): Promise<LoopRun>;
}

export function testWorker(
  db: Database,
  url: string,
  processors: readonly RunnableProcessor[],
  options: Partial<WorkerOptions> = {},
): TestWorker {
  const worker = jobWorker(db, { schema: 'usance', url: () => url, usesLock: true, processors, ...options });
  const signal = new AbortController().signal;
  return Object.assign(worker, {
    drain: () => worker.runOnce(signal, false),
    step: (woken = true) => worker.runOnce(signal, true, woken),
  });
}
