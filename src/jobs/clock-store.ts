// The jobs of one test tenant, for an advance of its clock.
import type { Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asDateOrNull, asNumber, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { HOLDERS } from './rescue-store.ts';

export interface TestTenantJobs {
  /** It has an enabled job, and a worker that is alive can run it. */
  readonly hasWorker: boolean;
  /** A job has not got all its earlier events yet, or the next one of an ordered job is not open yet. */
  readonly isJoining: boolean;
  /** The position of the next event of the matcher, over all tenants. */
  readonly matcherPosition: bigint;
  /** Those of a worker that died count until they are taken back. */
  readonly running: number;
  /** When the first waiting execution is due that a worker can run, by the tenant's clock; null if none waits. */
  readonly firstDueAt: Date | null;
  /** Changes whenever something happened. */
  readonly waiting: number;
}

const LIVE_WORKERS = 'select w.id, w.processors from usance.job_workers w where w.leased_until > clock_timestamp()';
/** Executions that are counted. */
const MOST_COUNTED = 10_000;

export async function hasEnabledJob(sql: Sql, tenantId: Uuid): Promise<boolean> {
  const rows = await sql.query(
    'select from usance.jobs where tenant_id = $1::uuid and enabled and deleted_at is null limit 1',
    [tenantId],
  );
  return rows.length > 0;
}

/** Rides execution_queue_clock by job, and execution_queue_running by worker and job. */
export async function readTestTenantJobs(sql: Sql, tenantId: Uuid, clockId: Uuid): Promise<TestTenantJobs> {
  const row = only(
    await sql.query(
      `${HOLDERS},
       live as materialized (${LIVE_WORKERS}),
       own as materialized (
         select j.id, j.enabled, j.enabled and (j.joined_seq is null or j.backfilled_seq < j.joined_seq) as joining, j.processor_name
         from usance.jobs j where j.tenant_id = $1::uuid and j.deleted_at is null
       ),
       able as materialized (
         select o.* from own o where o.enabled and exists (select from live l where o.processor_name = any (l.processors))
       )
       select exists (select from able) as has_worker, exists (select from able where joining)
           or exists (select from usance.execution_order_notes n where n.tenant_id = $1::uuid) as is_joining,
         coalesce((select m.position from usance.job_matcher m), 1) as position,
         (select coalesce(sum(r.n), 0)::int from holders h cross join own o cross join lateral (
            select count(*) as n from usance.execution_queue q where q.worker_id = h.worker_id and q.job_id = o.id) r) as running,
         (select min(f.due_at) from able a cross join lateral (
            select q.due_at from usance.execution_queue q
            where q.worker_id is null and q.clock_id = $2::uuid and q.job_id = a.id order by q.due_at, q.id limit 1) f) as first_due_at,
         (select count(*)::int from (
            select from usance.execution_queue q where q.worker_id is null and q.clock_id = $2::uuid limit ${MOST_COUNTED}) q) as waiting`,
      [tenantId, clockId],
    ),
  );
  return {
    hasWorker: asBoolean(row['has_worker']),
    isJoining: asBoolean(row['is_joining']),
    matcherPosition: asBigInt(row['position']),
    running: asNumber(row['running']),
    firstDueAt: asDateOrNull(row['first_due_at']),
    waiting: asNumber(row['waiting']),
  };
}
