// What the tests of the matcher share: own events of a tenant, the order, and which executions there are.
import type { Engine, Job, JobParams, TenantHandle } from '../../src/engine.ts';
import { appendEvents, createSequencer } from '../../src/events/index.ts';
import { createMatcher } from '../../src/jobs/match.ts';
import type { MatcherSizes } from '../../src/jobs/match.ts';
import type { Sql, Transaction } from '../../src/db/index.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import { announce, freshName, PROCESSOR } from '../support/jobs.ts';
import type { useUsance } from '../support/database.ts';

export type Store = ReturnType<typeof useUsance>;

let tenants = 0;

/** Its own events are ordered: a job gets none of them. */
export async function freshTenant(usance: Engine): Promise<TenantHandle> {
  const tenant = await usance.createTenant({ name: `jobs-${process.pid}-${(tenants += 1)}` });
  await order(usance);
  return tenant;
}

/** Appends events of these types in one block, as any verb of the tenant would. */
export async function append(tx: Transaction, tenantId: string, ...types: readonly Type[]): Promise<void> {
  const about = { resource: 'tenant', resourceId: tenantId, occurredAt: tx.begunAt as Date };
  await appendEvents(
    tx,
    types.map((type) => ({ ...LIBRARY, ...about, tenantId, type, data: DATA[type] })),
  );
}

/** Types that no check compares with rows. */
const DATA = {
  'tenant.updated': { old: { defaultAsset: null }, new: { defaultAsset: 'USD/2' } },
  'execution_cap.set': { old: { executionsPerSecond: null }, new: { executionsPerSecond: 5 } },
} as const;
export type Type = keyof typeof DATA;

/** In a transaction of its own. */
export const appended = ({ db }: Engine, tenantId: string, ...types: readonly Type[]): Promise<void> =>
  db.transaction((tx) => append(tx, tenantId, ...types));

export async function order({ db }: Engine): Promise<void> {
  const sequencer = createSequencer(db);
  while (((await sequencer.order())?.blocks ?? 1) > 0);
}

/** Matches until nothing is left; returns how many executions were queued. */
export async function matchAll({ db }: Engine, sizes: Partial<MatcherSizes> = {}): Promise<number> {
  const matcher = createMatcher(db, sizes);
  let executions = 0;
  for (let more = true; more;) {
    const matched = await matcher.match();
    const filled = await matcher.backfill();
    executions += (matched?.executions ?? 0) + filled.executions;
    more = (matched?.more ?? false) || filled.more;
  }
  return executions;
}

export async function createJob(
  owner: Sql,
  tenant: TenantHandle,
  eventPattern = 'tenant.updated',
  more: Partial<JobParams> = {},
): Promise<Job> {
  await announce(owner);
  return tenant.createJob({ name: freshName(), eventPattern, processorName: PROCESSOR, ...more });
}

/** The seqs of the events that a job has executions for, in order; twice where there are two. */
export async function seqsOf(owner: Sql, job: Pick<Job, 'id'>): Promise<number[]> {
  const rows = await owner.query(
    `select seq from (select job_id, seq from usance.execution_queue union all select job_id, seq from usance.executions) x
     where job_id = $1::uuid order by seq`,
    [job.id],
  );
  return rows.map((row) => Number(row['seq']));
}

/** The seqs of the tenant's events of a type. */
export async function seqsOfType(tenant: TenantHandle, type: string, after = 0n): Promise<number[]> {
  const events = await tenant.events({ type }, { after, limit: 100_000 });
  return events.map(({ seq }) => Number(seq));
}

/** Ends executions that wait as a worker would: those of a job, or all. */
export async function completeAll(owner: Sql, jobId: string | null = null): Promise<number> {
  const rows = await owner.query(
    `with gone as (delete from usance.execution_queue where worker_id is null and ($1::uuid is null or job_id = $1::uuid) returning *)
     insert into usance.executions (tenant_id, id, job_id, event_id, seq, status, attempt, started_at, attempted_at, ended_at, created_at)
     select tenant_id, id, job_id, event_id, seq, 'completed', attempt + 1, now(), now(), now(), created_at from gone returning id`,
    [jobId],
  );
  return rows.length;
}

export async function positionOf(owner: Sql): Promise<number> {
  const [row] = await owner.query('select position from usance.job_matcher');
  return Number(row?.['position'] ?? 1);
}
