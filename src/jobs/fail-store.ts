// Failed attempts: read under their locks, then put back into the queue or moved to history. fail-attempts.ts decides which.
import type { Row, Sql } from '../db/index.ts';
import { asBoolean, asDate, asDateOrNull, asNumber, asText, asTextOrNull } from '../db/index.ts';
import type { RetryPolicy, Uuid } from '../kernel/index.ts';
import type { Attempt } from './attempt.ts';
import { FENCE, fenceColumns } from './attempt.ts';
import { invocationIdOf } from './execution.ts';
import type { ExecutionStatus, FailureCode } from './execution.ts';
import { retryOf } from './job-store.ts';

/** A held row of the queue, with what its job says about retries. */
export interface HeldExecution extends Attempt {
  /** The place of the failure in the list that was given. */
  readonly index: number;
  readonly jobId: Uuid;
  readonly eventId: Uuid;
  readonly clockId: Uuid | null;
  readonly orderKey: Uuid | null;
  /** Attempts that do not count. */
  readonly attemptsBefore: number;
  /** Start of the attempt by the tenant's clock; null if none was running. */
  readonly attemptedAt: Date | null;
  readonly dueAt: Date;
  readonly cancelRequested: boolean;
  /** Its event was erased, perhaps while the attempt ran. */
  readonly isErased: boolean;
  /** The policy of the job; null: the default. */
  readonly retry: RetryPolicy | null;
  /** The job was deleted. */
  readonly isOrphan: boolean;
}

function heldExecution(row: Row): HeldExecution {
  const workerId = asTextOrNull(row['worker_id']);
  const dueAt = asDate(row['due_at']);
  return {
    index: asNumber(row['n']) - 1,
    tenantId: asText(row['tenant_id']),
    executionId: asText(row['id']),
    workerId,
    attempt: asNumber(row['attempt']),
    jobId: asText(row['job_id']),
    eventId: asText(row['event_id']),
    clockId: asTextOrNull(row['clock_id']),
    orderKey: asTextOrNull(row['order_key']),
    attemptsBefore: asNumber(row['attempts_before']),
    attemptedAt: workerId === null ? null : dueAt,
    dueAt,
    cancelRequested: asBoolean(row['cancel_requested']),
    isErased: row['last_code'] === 'EVENT_ERASED',
    retry: retryOf(row['retry']),
    isOrphan: asDateOrNull(row['deleted_at']) !== null || row['job'] === null,
  };
}

/** Locks the rows that are still held by the fence, by (tenant, id). */
export async function lockAttempts(sql: Sql, attempts: readonly Attempt[]): Promise<HeldExecution[]> {
  const rows = await sql.query(
    `select k.n, q.tenant_id, q.id, q.worker_id, q.attempt, q.job_id, q.event_id, q.clock_id, q.attempts_before, q.due_at,
       q.cancel_requested, q.last_code, q.order_key, j.id as job, j.retry, j.deleted_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) with ordinality k (tenant_id, id, worker_id, attempt, n)
     join usance.execution_queue q
       on ${FENCE}
     left join usance.jobs j on j.tenant_id = q.tenant_id and j.id = q.job_id
     order by q.tenant_id, q.id for update of q`,
    fenceColumns(attempts),
  );
  return rows.map(heldExecution);
}

export interface Retry {
  readonly held: HeldExecution;
  readonly code: FailureCode;
  readonly error: string;
  readonly dueAt: Date;
  /** By the tenant's clock. */
  readonly endedAt: Date;
}

/** Back to the queue, and the attempt to history. The rows are locked; the fence is compared all the same. */
export async function retryAttempts(sql: Sql, retries: readonly Retry[]): Promise<void> {
  await sql.query(
    `with retried as (
       update usance.execution_queue q
       set worker_id = null, claimed_at = null, due_at = k.due_at, last_code = k.code, last_error = k.error
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::uuid[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
                   $9::text[], $10::text[])
         k (tenant_id, id, worker_id, attempt, invocation_id, due_at, attempted_at, ended_at, code, error)
       where ${FENCE}
       returning k.*
     )
     insert into usance.invocations (tenant_id, id, execution_id, attempt, worker_id, started_at, ended_at, code, error)
     select tenant_id, invocation_id, id, attempt, worker_id, attempted_at, ended_at, code, error from retried`,
    [
      ...fenceColumns(retries.map(({ held }) => held)),
      retries.map(({ held }) => invocationIdOf(held.executionId, held.attempt)),
      retries.map(({ dueAt }) => dueAt),
      retries.map(({ held }) => held.attemptedAt),
      retries.map(({ endedAt }) => endedAt),
      retries.map(({ code }) => code),
      retries.map(({ error }) => error),
    ],
  );
}

export interface Ending {
  readonly held: HeldExecution;
  readonly status: Extract<ExecutionStatus, 'failed' | 'cancelled'>;
  readonly code: FailureCode;
  readonly error: string;
  readonly endedAt: Date;
}

/**
 * To history for good; a failed one becomes a dead letter. An execution that waited ends without an attempt: `attempted_at` is then
 * null, and its last attempt, if any, is in `invocations`.
 */
export async function endAttempts(sql: Sql, endings: readonly Ending[]): Promise<void> {
  await sql.query(
    `with ended as (
       delete from usance.execution_queue q
       using unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[])
         k (tenant_id, id, worker_id, attempt, status, code, error, attempted_at, ended_at)
       where ${FENCE}
       returning q.tenant_id, q.id, q.job_id, q.event_id, q.seq, q.attempt, q.worker_id, q.started_at, q.created_at, k.status, k.code, k.error,
         k.attempted_at, k.ended_at
     ), letters as (
       insert into usance.execution_dead_letters (tenant_id, execution_id, job_id, code, detail, failed_at)
       select tenant_id, id, job_id, code, error, ended_at from ended where status = 'failed'
     )
     insert into usance.executions (tenant_id, id, job_id, event_id, seq, status, attempt, worker_id, started_at, attempted_at, ended_at, code,
       error, created_at)
     select tenant_id, id, job_id, event_id, seq, status, attempt, worker_id, started_at, attempted_at, ended_at, code, error, created_at
     from ended`,
    [
      ...fenceColumns(endings.map(({ held }) => held)),
      endings.map(({ status }) => status),
      endings.map(({ code }) => code),
      endings.map(({ error }) => error),
      endings.map(({ held }) => held.attemptedAt),
      endings.map(({ endedAt }) => endedAt),
    ],
  );
}
