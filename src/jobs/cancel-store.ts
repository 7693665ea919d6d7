// Executions that are cancelled: by a caller, or because their job was deleted. Those that wait end here. For those that run the cancel is requested, and
// their worker ends them (fail-store.ts).
import type { Sql } from '../db/index.ts';
import { asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { FailureCode } from './execution.ts';

/**
 * Moves executions that wait to history, as cancelled; returns those that did. Their attempts, if any, are in `invocations`: `attempted_at` stays
 * null. One statement: an execution is in the queue or in history.
 */
export async function cancelWaiting(
  tx: Sql,
  tenantId: Uuid,
  ids: readonly Uuid[],
  { code, error, endedAt }: { readonly code: FailureCode; readonly error: string; readonly endedAt: Date },
): Promise<Uuid[]> {
  const rows = await tx.query(
    `with gone as (
       delete from usance.execution_queue q
       where q.tenant_id = $1::uuid and q.id = any ($2::uuid[]) and q.worker_id is null
       returning q.*
     )
     insert into usance.executions
       (tenant_id, id, job_id, event_id, seq, status, attempt, started_at, ended_at, code, error, created_at)
     select tenant_id, id, job_id, event_id, seq, 'cancelled', attempt, started_at, greatest($5::timestamptz, started_at, created_at),
            $3::text, $4::text, created_at
     from gone returning id`,
    [tenantId, ids, code, error, endedAt],
  );
  return rows.map((row) => asText(row['id']));
}

/** A row of the queue, locked: whether it waits, and what its events name. */
export interface QueuedExecution {
  readonly jobId: Uuid;
  readonly eventId: Uuid;
  readonly workerId: Uuid | null;
  readonly cancelRequested: boolean;
  /** The key in an ordered job; null in others. */
  readonly orderKey: Uuid | null;
}

export async function lockQueued(tx: Sql, tenantId: Uuid, id: Uuid): Promise<QueuedExecution | null> {
  const [row] = await tx.query(
    `select job_id, event_id, worker_id, cancel_requested, order_key from usance.execution_queue
     where tenant_id = $1::uuid and id = $2::uuid for update`,
    [tenantId, id],
  );
  return row
    ? {
        jobId: asText(row['job_id']),
        eventId: asText(row['event_id']),
        workerId: asTextOrNull(row['worker_id']),
        cancelRequested: row['cancel_requested'] === true,
        orderKey: asTextOrNull(row['order_key']),
      }
    : null;
}

/** The worker that has it aborts the signal of its processor, and ends it as cancelled. */
export async function requestCancel(tx: Sql, tenantId: Uuid, id: Uuid): Promise<void> {
  await tx.query(
    'update usance.execution_queue set cancel_requested = true where tenant_id = $1::uuid and id = $2::uuid',
    [tenantId, id],
  );
}
