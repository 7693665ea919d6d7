// Statements of claim.ts: the jobs that have executions waiting, and the limits of a claim. The claim itself is in queue-store.ts. Waiting executions of
// live tenants are ranges of execution_queue_due, one for each job; those of test tenants are ranges of execution_queue_clock, one for each test clock and job.
import type { Row, Sql } from '../db/index.ts';
import { asDate, asNumber, asNumberOrNull, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { JobKey } from './job.ts';

/** A row in the order of one range. Due instants are whole milliseconds, as a Date is. */
export interface QueueMark {
  readonly dueAt: Date;
  readonly id: Uuid;
}

/** A job with executions that wait. */
export interface WaitingJob extends JobKey {
  readonly processorName: string;
  readonly timeoutMs: number;
  /** When the first is due, which may be in the future. */
  readonly firstDueAt: Date;
  /** Its limit of running executions over all workers. */
  readonly maxConcurrency: number | null;
  readonly maxPerSecond: number | null;
}

export interface WaitingJobs {
  readonly jobs: readonly WaitingJob[];
  /** The job to continue behind; null at the end. */
  readonly next: JobKey | null;
}

function waitingJob(row: Row): WaitingJob {
  return {
    tenantId: asText(row['tenant_id']),
    jobId: asText(row['job_id']),
    processorName: asText(row['processor_name']),
    timeoutMs: asNumber(row['timeout_ms']),
    firstDueAt: asDate(row['due_at']),
    maxConcurrency: asNumberOrNull(row['max_concurrency']),
    maxPerSecond: asNumberOrNull(row['max_per_second']),
  };
}

/** The job of a pair, if it can be claimed for the processors in $1. */
const RUNNABLE = `left join lateral (
       select j.id, j.processor_name, j.timeout_ms, j.max_concurrency, j.max_per_second from usance.jobs j
       where j.tenant_id = p.tenant_id and j.id = p.job_id and j.enabled and j.deleted_at is null and j.processor_name = any ($1::text[])
       offset 0
     ) j on true`;

/**
 * The beginning of a statement: `pair` has the jobs of live tenants with executions that wait, in order behind a job, and when the first is due.
 * One probe of execution_queue_due a job, however many executions it has and however many jobs have none.
 */
export function waitingPairs(after: string, most: string): string {
  const first = (behind: string): string =>
    `select q.tenant_id, q.job_id, q.due_at from usance.execution_queue q
     where q.worker_id is null and q.clock_id is null and (q.tenant_id, q.job_id) > (${behind})
     order by q.tenant_id, q.job_id, q.due_at, q.id limit 1`;
  return `with recursive pair as (
       select p.*, 1 as n from (${first(after)}) p
       union all
       select p.*, l.n + 1 from pair l cross join lateral (${first('l.tenant_id, l.job_id')}) p where l.n < ${most}
     )`;
}

/** The jobs of live tenants with executions that wait, up to `most` of them, and only those that can be claimed for these processors. */
export async function listWaitingJobs(
  sql: Sql,
  processors: readonly string[],
  after: JobKey | null,
  most: number,
): Promise<WaitingJobs> {
  const rows = await sql.query(
    `${waitingPairs('$2::uuid, $3::uuid', '$4::int')}
     select p.tenant_id, p.job_id, p.due_at, p.n, j.id is not null as runs, j.processor_name, j.timeout_ms,
       j.max_concurrency, j.max_per_second
     from pair p ${RUNNABLE}
     where j.id is not null or p.n = $4::int`,
    [processors, after?.tenantId ?? NIL_UUID, after?.jobId ?? NIL_UUID, most],
  );
  const last = rows.find((row) => asNumber(row['n']) === most);
  return {
    jobs: rows.filter((row) => row['runs'] === true).map(waitingJob),
    next: last ? { tenantId: asText(last['tenant_id']), jobId: asText(last['job_id']) } : null,
  };
}

export interface ClockJobKey {
  readonly clockId: Uuid;
  readonly jobId: Uuid;
}

export interface WaitingOfClocks {
  readonly jobs: readonly (WaitingJob & ClockJobKey)[];
  /** The row to continue behind; null at the end. */
  readonly next: ClockJobKey | null;
}

/** The same for test tenants: one probe of execution_queue_clock a clock and job. The clocks decide which are due. */
export async function listWaitingOfClocks(
  sql: Sql,
  processors: readonly string[],
  after: ClockJobKey | null,
  most: number,
): Promise<WaitingOfClocks> {
  const first = `select q.clock_id, q.job_id, q.tenant_id, q.due_at from usance.execution_queue q
     where q.worker_id is null and q.clock_id is not null and (q.clock_id, q.job_id) >`;
  const inOrder = 'order by q.clock_id, q.job_id, q.due_at, q.id limit 1';
  const rows = await sql.query(
    `with recursive pair as (
       select p.*, 1 as n from (${first} ($2::uuid, $3::uuid) ${inOrder}) p
       union all
       select p.*, l.n + 1 from pair l cross join lateral (${first} (l.clock_id, l.job_id) ${inOrder}) p where l.n < $4::int
     )
     select p.*, j.id is not null as runs, j.processor_name, j.timeout_ms, j.max_concurrency, j.max_per_second
     from pair p ${RUNNABLE}
     where j.id is not null or p.n = $4::int`,
    [processors, after?.clockId ?? NIL_UUID, after?.jobId ?? NIL_UUID, most],
  );
  const key = (row: Row): ClockJobKey => ({ clockId: asText(row['clock_id']), jobId: asText(row['job_id']) });
  const last = rows.find((row) => asNumber(row['n']) === most);
  const jobs = rows.filter((row) => row['runs'] === true).map((row) => ({ ...waitingJob(row), ...key(row) }));
  return { jobs, next: last ? key(last) : null };
}

/** For each job of a live tenant its first waiting execution beyond the mark. One probe of execution_queue_due a job. */
export async function firstWaiting(
  sql: Sql,
  ranges: readonly (JobKey & { readonly mark: QueueMark | null })[],
): Promise<Map<Uuid, Date>> {
  const rows = await sql.query(
    `select r.job_id, q.due_at
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[]) r (tenant_id, job_id, mark_at, mark_id)
     cross join lateral (
       select q.due_at from usance.execution_queue q
       where q.worker_id is null and q.clock_id is null and q.tenant_id = r.tenant_id and q.job_id = r.job_id
         and (q.due_at, q.id) > (r.mark_at, r.mark_id)
       order by q.due_at, q.id limit 1
     ) q`,
    [
      ranges.map((range) => range.tenantId),
      ranges.map((range) => range.jobId),
      ranges.map((range) => range.mark?.dueAt ?? '-infinity'),
      ranges.map((range) => range.mark?.id ?? NIL_UUID),
    ],
  );
  return new Map(rows.map((row) => [asText(row['job_id']), asDate(row['due_at'])]));
}

/**
 * Locks jobs that limit their running executions, except those that another claim has locked; returns those it got. The lock ends with the
 * transaction. The next statement counts the running executions: its snapshot has everything that earlier owners of the lock committed.
 */
export async function tryLockJobs(sql: Sql, jobs: readonly Uuid[]): Promise<Set<Uuid>> {
  const rows = await sql.query(
    `select job_id from unnest($1::uuid[]) j (job_id)
     where pg_try_advisory_xact_lock(hashtextextended('usance job ' || job_id::text, 0))`,
    [jobs],
  );
  return new Set(rows.map((row) => asText(row['job_id'])));
}

export interface Wanted extends JobKey {
  readonly wanted: number;
  readonly maxPerSecond: number;
}

/**
 * Takes executions out of the rate of the present second, and returns how many each job got. A job whose row another claim has locked gets
 * none for now: a claim does not wait for another.
 */
export async function takeRates(sql: Sql, wanted: readonly Wanted[]): Promise<Map<Uuid, number>> {
  const granted = await takeKnownRates(sql, wanted);
  const unknown = wanted.filter(({ jobId }) => !granted.has(jobId));
  if (unknown.length === 0) return granted;
  await sql.query(
    `insert into usance.job_rates (tenant_id, job_id, second, used)
     select k.tenant_id, k.job_id, date_trunc('second', clock_timestamp()), 0
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, job_id)
     where not exists (select from usance.job_rates r where r.tenant_id = k.tenant_id and r.job_id = k.job_id)
     order by k.tenant_id, k.job_id on conflict do nothing`,
    [unknown.map((one) => one.tenantId), unknown.map((one) => one.jobId)],
  );
  return new Map([...granted, ...(await takeKnownRates(sql, unknown))]);
}

async function takeKnownRates(sql: Sql, wanted: readonly Wanted[]): Promise<Map<Uuid, number>> {
  const rows = await sql.query(
    `with held as materialized (
       select r.tenant_id, r.job_id, u.used, least(k.wanted, greatest(k.most - u.used, 0)) as granted
       from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) k (tenant_id, job_id, wanted, most)
       join usance.job_rates r on r.tenant_id = k.tenant_id and r.job_id = k.job_id
       cross join lateral (select case when r.second = date_trunc('second', clock_timestamp()) then r.used else 0 end as used) u
       for update of r skip locked
     ), taken as (
       update usance.job_rates r set second = date_trunc('second', clock_timestamp()), used = h.used + h.granted
       from held h where r.tenant_id = h.tenant_id and r.job_id = h.job_id and h.granted > 0
     )
     select job_id, granted from held`,
    [
      wanted.map((one) => one.tenantId),
      wanted.map((one) => one.jobId),
      wanted.map((one) => one.wanted),
      wanted.map((one) => one.maxPerSecond),
    ],
  );
  return new Map(rows.map((row) => [asText(row['job_id']), asNumber(row['granted'])]));
}

/** Returns what a claim took and did not use, so that others can use it in this second. Its transaction still has the rows locked. */
export async function giveBackRates(sql: Sql, unused: readonly (JobKey & { readonly count: number })[]): Promise<void> {
  await sql.query(
    `update usance.job_rates r set used = r.used - k.count
     from unnest($1::uuid[], $2::uuid[], $3::int[]) k (tenant_id, job_id, count)
     where r.tenant_id = k.tenant_id and r.job_id = k.job_id`,
    [unused.map((one) => one.tenantId), unused.map((one) => one.jobId), unused.map((one) => one.count)],
  );
}
