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
export const freshTenant = (usance: Engine): Promise<TenantHandle> =>
  usance.createTenant({ name: `jobs-${process.pid}-${(tenants += 1)}` });

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
