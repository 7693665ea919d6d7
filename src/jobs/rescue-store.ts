// The rescuer's statements. Every row is locked with `skip locked`: a worker that is just ending an attempt is not waited for.
import type { Row, Sql } from '../db/index.ts';
import { asBoolean, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Attempt } from './attempt.ts';
import { FENCE, fenceColumns } from './attempt.ts';
import type { JobKey } from './job.ts';
import { workerLock } from './heartbeat-store.ts';

/** A worker whose heartbeat holds a lock is looked at after this long without a heartbeat; also if that is in the future, by a clock that was set back. */
const SILENT = `interval '1.5 seconds'`;
const HEARD = `heartbeat_at between clock_timestamp() - ${SILENT} and clock_timestamp() + ${SILENT}`;
const MOST_WORKERS = 100;

/**
 * Deletes the rows of dead workers: the lease is over, or the heartbeat is silent and its lock is free, which only the server frees. From then on
 * the worker claims nothing. The locks are asked for one by one, in a separate statement: a server may evaluate a condition for rows that it does
 * not return.
 */
export async function deleteDeadWorkers(tx: Sql): Promise<Uuid[]> {
  const rows = await tx.query(
    `select id, leased_until < clock_timestamp() as is_over from usance.job_workers
     where leased_until < clock_timestamp() or (has_lock and not ${HEARD})
     order by id limit ${MOST_WORKERS} for update skip locked`,
  );
  const dead: Uuid[] = [];
  for (const row of rows) {
    const id = asText(row['id']);
    if (asBoolean(row['is_over']) || (await isLockFree(tx, id))) dead.push(id);
  }
  if (dead.length > 0) await tx.query('delete from usance.job_workers where id = any ($1::uuid[])', [dead]);
  return dead;
}

async function isLockFree(tx: Sql, id: Uuid): Promise<boolean> {
  const row = only(await tx.query(`select pg_try_advisory_xact_lock(${workerLock('$1::uuid')}) as free`, [id]));
  return asBoolean(row['free']);
}

/** The workers that have executions, by one probe of execution_queue_running each. */
export const HOLDERS = `with recursive holders as (
    (select worker_id from usance.execution_queue where worker_id is not null order by worker_id limit 1)
    union all
    select (select q.worker_id from usance.execution_queue q
            where q.worker_id is not null and q.worker_id > h.worker_id order by q.worker_id limit 1)
    from holders h where h.worker_id is not null)`;

/** Running attempts whose worker has no row. A worker has its row before it claims: in one snapshot both are seen. */
export async function lostAttempts(sql: Sql, limit: number, except: readonly Uuid[]): Promise<Attempt[]> {
  const rows = await sql.query(
    `${HOLDERS}
     select q.tenant_id, q.id, q.worker_id, q.attempt
     from holders h join usance.execution_queue q on q.worker_id = h.worker_id
     where h.worker_id is not null and not exists (select from usance.job_workers w where w.id = h.worker_id)
       and not q.id = any ($2::uuid[])
     limit $1::int`,
    [limit, except],
  );
  return rows.map(attempt);
}

function attempt(row: Row): Attempt {
  return {
    tenantId: asText(row['tenant_id']),
    executionId: asText(row['id']),
    workerId: asTextOrNull(row['worker_id']),
    attempt: asNumber(row['attempt']),
  };
}

/** Those that are still as they were and that no other transaction has, locked. */
export async function lockAttemptsIfFree(tx: Sql, attempts: readonly Attempt[]): Promise<Attempt[]> {
  const rows = await tx.query(
    `select q.tenant_id, q.id, q.worker_id, q.attempt
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) k (tenant_id, id, worker_id, attempt)
     join usance.execution_queue q
       on ${FENCE}
     for update of q skip locked`,
    fenceColumns(attempts),
  );
  return rows.map(attempt);
}

export interface UnservedJob extends JobKey {
  readonly processorName: string;
}

/** Enabled jobs whose processor no worker has, or had for so long. Managed ones wait: a built-in processor comes back with the next worker. */
export async function unservedJobs(sql: Sql, missingMs: number): Promise<UnservedJob[]> {
  const rows = await sql.query(
    `select j.tenant_id, j.id, j.processor_name from usance.processors p
     join usance.jobs j on j.processor_name = p.name and j.enabled and j.deleted_at is null and not j.managed
     where p.last_seen_at < clock_timestamp() - make_interval(secs => $1::bigint / 1000.0)
       and not exists (select from usance.job_workers w where w.leased_until > clock_timestamp() and p.name = any (w.processors))
     order by j.tenant_id, j.id`,
    [missingMs],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    jobId: asText(row['id']),
    processorName: asText(row['processor_name']),
  }));
}

export interface DueBefore extends JobKey {
  readonly clockId: Uuid | null;
  readonly before: Date;
}

/** Executions of these jobs that wait and were due before an instant, so many of each. Rides execution_queue_due, or execution_queue_clock. */
export async function waitingSince(
  sql: Sql,
  jobs: readonly DueBefore[],
  limit: number,
  except: readonly Uuid[],
): Promise<(Attempt & { readonly jobId: Uuid })[]> {
  const found: (Attempt & { readonly jobId: Uuid })[] = [];
  for (const clock of ['q.clock_id is null', 'q.clock_id = j.clock_id']) {
    const some = jobs.filter(({ clockId }) => (clockId === null) === (clock === 'q.clock_id is null'));
    if (some.length === 0) continue;
    const rows = await sql.query(
      `select q.tenant_id, q.id, q.job_id, q.worker_id, q.attempt
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) j (tenant_id, id, clock_id, before)
       cross join lateral (
         select q.* from usance.execution_queue q
         where q.worker_id is null and ${clock} and q.tenant_id = j.tenant_id and q.job_id = j.id and q.due_at <= j.before
           and not q.id = any ($6::uuid[])
         order by q.due_at, q.id limit $5::int
       ) q
       limit $5::int`,
      [
        some.map((one) => one.tenantId),
        some.map((one) => one.jobId),
        some.map((one) => one.clockId),
        some.map((one) => one.before),
        limit,
        except,
      ],
    );
    found.push(...rows.map((row) => ({ ...attempt(row), jobId: asText(row['job_id']) })));
  }
  return found.slice(0, limit);
}

/** Deleted jobs that may have executions that wait, behind a job in order. Rides jobs_to_sweep. */
export async function deletedJobs(sql: Sql, after: JobKey, limit: number): Promise<JobKey[]> {
  const rows = await sql.query(
    `select tenant_id, id from usance.jobs
     where deleted_at is not null and not swept and (tenant_id, id) > ($1::uuid, $2::uuid) order by tenant_id, id limit $3::int`,
    [after.tenantId, after.jobId, limit],
  );
  return rows.map((row) => ({ tenantId: asText(row['tenant_id']), jobId: asText(row['id']) }));
}

/** The processor of the job, if this transaction has the job now: a backfill or another rescuer may. */
export async function lockDeletedJobIfFree(tx: Sql, { tenantId, jobId }: JobKey): Promise<string | null> {
  const [row] = await tx.query(
    `select processor_name from usance.jobs where tenant_id = $1::uuid and id = $2::uuid and deleted_at is not null and not swept
     for no key update skip locked`,
    [tenantId, jobId],
  );
  return row ? asText(row['processor_name']) : null;
}

/** With two conditions the planner sees which of the two indexes a statement rides; $3 is the clock. */
const ofClock = (clockId: Uuid | null): string =>
  clockId === null ? 'clock_id is null and $3::uuid is null' : 'clock_id = $3::uuid';

/** The first executions of a job that wait, locked. Rides execution_queue_due; of a test tenant execution_queue_clock. */
export async function lockWaitingIfFree(tx: Sql, job: JobKey, clockId: Uuid | null, limit: number): Promise<Uuid[]> {
  const rows = await tx.query(
    `select id from usance.execution_queue
     where worker_id is null and ${ofClock(clockId)} and tenant_id = $1::uuid and job_id = $2::uuid
     order by due_at, id limit $4::int for update skip locked`,
    [job.tenantId, job.jobId, clockId, limit],
  );
  return rows.map((row) => asText(row['id']));
}

/** Whether any execution of the job waits or runs. */
export async function hasExecutions(sql: Sql, job: JobKey, clockId: Uuid | null): Promise<boolean> {
  const row = only(
    await sql.query(
      `${HOLDERS}
       select exists (
         select from usance.execution_queue
         where worker_id is null and ${ofClock(clockId)} and tenant_id = $1::uuid and job_id = $2::uuid
       ) or exists (
         select from holders h join usance.execution_queue q on q.worker_id = h.worker_id and q.job_id = $2::uuid
       ) as has`,
      [job.tenantId, job.jobId, clockId],
    ),
  );
  return asBoolean(row['has']);
}

export async function markSwept(tx: Sql, { tenantId, jobId }: JobKey): Promise<void> {
  await tx.query('update usance.jobs set swept = true where tenant_id = $1::uuid and id = $2::uuid', [tenantId, jobId]);
}
