// Jobs and executions in any state, without a matcher or a worker that would move them on.
import type { Engine, Execution, ExecutionStatus, Job, JobParams, TenantHandle } from '../../src/engine.ts';
import type { Sql } from '../../src/db/index.ts';
import { readLiveClock } from '../../src/db/index.ts';
import { createManagedJob } from '../../src/jobs/index.ts';
import type { ManagedJobParams } from '../../src/jobs/index.ts';
import { LIBRARY, WEBHOOK_RETRY_PRESETS, newId } from '../../src/kernel/index.ts';
import { executionIdOf, invocationIdOf } from '../../src/jobs/execution.ts';

/** The processor of the examples in the reference. */
export const PROCESSOR = 'send-receipt';

/** As a worker does when it starts. */
export async function announce(sql: Sql, name: string = PROCESSOR): Promise<void> {
  await sql.query(
    `insert into usance.processors (name, description) values ($1::text, 'Sends a receipt by email.')
     on conflict (name) do nothing`,
    [name],
  );
}

let jobs = 0;
export const freshName = (): string => `job ${process.pid} ${(jobs += 1)}`;

export async function addJob(sql: Sql, tenant: TenantHandle, change: Partial<JobParams> = {}): Promise<Job> {
  await announce(sql, change.processorName);
  return tenant.createJob({
    name: freshName(),
    eventPattern: 'payment.settled',
    processorName: PROCESSOR,
    ...change,
  });
}

/** The job of a resource that uses a built-in processor. */
export async function addManagedJob(
  { db }: Pick<Engine, 'db'>,
  tenantId: string,
  change: Partial<ManagedJobParams> = {},
): Promise<Job> {
  return db.transaction(async (tx) =>
    createManagedJob(
      tx,
      await readLiveClock(tx),
      { tenantId, caller: LIBRARY },
      {
        id: newId(),
        name: freshName(),
        eventPattern: 'payment.settled',
        processorName: 'webhook-delivery',
        retry: WEBHOOK_RETRY_PRESETS.webhook,
        ...change,
      },
    ),
  );
}

const ERROR = 'the mail server did not answer';

/** The id of a new execution of the job, for an event that nothing else has. */
export async function addExecution(
  sql: Sql,
  job: Pick<Job, 'id' | 'tenantId'>,
  status: ExecutionStatus,
): Promise<string> {
  const eventId = newId();
  const id = executionIdOf(job.id, eventId);
  const common = [job.tenantId, id, job.id, eventId];
  if (status === 'pending' || status === 'running') {
    await sql.query(
      `insert into usance.execution_queue (tenant_id, id, job_id, event_id, seq, clock_id, due_at, attempt, worker_id, claimed_at,
         started_at, created_at)
       select t.id, $2::uuid, $3::uuid, $4::uuid, 1, c.timeline_id, coalesce(c.stands_at, now()), case when $5::uuid is null then 0 else 1 end,
         $5::uuid, case when $5::uuid is null then null else now() end, case when $5::uuid is null then null else now() end, now()
       from usance.tenants t left join usance.test_clocks c on c.tenant_id = t.id and c.deleted_at is null where t.id = $1::uuid`,
      [...common, status === 'running' ? newId() : null],
    );
    return id;
  }
  await sql.query(
    `insert into usance.executions (tenant_id, id, job_id, event_id, seq, status, attempt, worker_id, started_at, attempted_at,
       ended_at, code, error, result, created_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, 1, $5::text, 3, $6::uuid, now(), now(), now(), $7::text, $8::text,
       $9::jsonb, now())`,
    [
      ...common,
      status,
      newId(),
      status === 'failed' ? 'PROCESSOR_FAILED' : status === 'cancelled' ? 'EXECUTION_CANCELLED' : null,
      status === 'failed' ? ERROR : null,
      status === 'completed' ? '{"receipt": "R-1001"}' : null,
    ],
  );
  if (status === 'failed')
    await sql.query(
      `insert into usance.execution_dead_letters (tenant_id, execution_id, job_id, code, detail, failed_at)
       values ($1::uuid, $2::uuid, $3::uuid, 'PROCESSOR_FAILED', $4::text, now())`,
      [job.tenantId, id, job.id, ERROR],
    );
  return id;
}

/** The attempt of a failed execution before its last one. */
export async function addInvocation(
  sql: Sql,
  execution: Pick<Execution, 'id' | 'tenantId'>,
  attempt: number,
): Promise<void> {
  await sql.query(
    `insert into usance.invocations (tenant_id, id, execution_id, attempt, worker_id, started_at, ended_at, code, error)
     values ($1::uuid, $2::uuid, $3::uuid, $4::int, $5::uuid, now(), now(), 'PROCESSOR_FAILED', $6::text)`,
    [execution.tenantId, invocationIdOf(execution.id, attempt), execution.id, attempt, newId(), ERROR],
  );
}
