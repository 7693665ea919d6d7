// Workers and claims as rows: what a worker process leaves behind, without a process.
import type { Sql } from '../../src/db/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { PROCESSOR } from '../support/jobs.ts';

export interface WorkerRow {
  /** How long ago its heartbeat was, and when its lease ends, in seconds. */
  readonly silentFor?: number;
  readonly leasedFor?: number;
  readonly hasLock?: boolean;
  readonly processors?: readonly string[];
}

export async function addWorker(owner: Sql, row: WorkerRow = {}): Promise<string> {
  const { silentFor = 0, leasedFor = 10, hasLock = false, processors = [PROCESSOR] } = row;
  const id = newId();
  await owner.query(
    `insert into usance.job_workers (id, processors, has_lock, heartbeat_at, leased_until)
     values ($1::uuid, $2::text[], $3::boolean, clock_timestamp() - make_interval(secs => $4::float8),
             clock_timestamp() + make_interval(secs => $5::float8))`,
    [id, processors, hasLock, silentFor, leasedFor],
  );
  return id;
}

/** Executions of a job that wait become running ones of a worker. Returns their ids. */
export async function claim(owner: Sql, jobId: string, workerId: string, limit = 1_000): Promise<string[]> {
  const rows = await owner.query(
    `update usance.execution_queue q
     set worker_id = $2::uuid, claimed_at = now(), attempt = attempt + 1, started_at = coalesce(started_at, now()), due_at = now()
     where (tenant_id, id) in (
       select tenant_id, id from usance.execution_queue where job_id = $1::uuid and worker_id is null order by seq limit $3::int)
     returning id`,
    [jobId, workerId, limit],
  );
  return rows.map((row) => String(row['id']));
}

export async function queueRow(owner: Sql, id: string): Promise<Record<string, unknown> | undefined> {
  return (await owner.query('select * from usance.execution_queue where id = $1::uuid', [id]))[0];
}

export async function endedRow(owner: Sql, id: string): Promise<Record<string, unknown> | undefined> {
  return (await owner.query('select * from usance.executions where id = $1::uuid', [id]))[0];
}
