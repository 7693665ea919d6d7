// Executions that wait and end together, in one transaction of the owner of a managed job, without a worker that runs each of them. Those of live tenants
// and jobs without order that had no attempt yet: one that was tried before, or whose event was erased, takes the ordinary way.
// Rows that another transaction has are skipped, so that nothing is waited for.
import type { Sql } from '../db/index.ts';
import { asBigInt, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { JobKey } from './job.ts';

export interface DueExecution {
  readonly id: Uuid;
  readonly eventId: Uuid;
  readonly seq: bigint;
}

/** Locks those that are due, oldest first. None of a job that is disabled by now. Rides execution_queue_due. */
export async function lockDue(sql: Sql, { tenantId, jobId }: JobKey, limit: number): Promise<DueExecution[]> {
  const rows = await sql.query(
    `select q.id, q.event_id, q.seq from usance.execution_queue q
     where q.worker_id is null and q.clock_id is null and q.tenant_id = $1::uuid and q.job_id = $2::uuid and q.due_at <= statement_timestamp()
       and q.attempt = 0 and q.last_code is null and q.order_key is null and not q.cancel_requested
       and exists (select from usance.jobs j where j.tenant_id = $1::uuid and j.id = $2::uuid and j.enabled and j.deleted_at is null)
     order by q.due_at, q.id limit $3::int for update of q skip locked`,
    [tenantId, jobId, limit],
  );
  return rows.map((row) => ({
    id: asText(row['id']),
    eventId: asText(row['event_id']),
    seq: asBigInt(row['seq']),
  }));
}

export interface CompletedDue {
  readonly tenantId: Uuid;
  /** Locked by this transaction. */
  readonly ids: readonly Uuid[];
  /** The worker whose attempt ends them. */
  readonly workerId: Uuid;
  /** JSON of their result. */
  readonly result: string;
}

/** Moves them to history as completed by their first attempt. One statement: an execution is in the queue or in history. */
export async function completeDue(sql: Sql, { tenantId, ids, workerId, result }: CompletedDue): Promise<void> {
  await sql.query(
    `with done as (
       delete from usance.execution_queue q where q.tenant_id = $1::uuid and q.id = any ($2::uuid[]) returning q.*
     )
     insert into usance.executions
       (tenant_id, id, job_id, event_id, seq, status, attempt, worker_id, started_at, attempted_at, ended_at, result, created_at)
     select tenant_id, id, job_id, event_id, seq, 'completed', 1, $3::uuid, statement_timestamp(), statement_timestamp(),
            greatest(statement_timestamp(), created_at), $4::jsonb, created_at
     from done`,
    [tenantId, ids, workerId, result],
  );
}
