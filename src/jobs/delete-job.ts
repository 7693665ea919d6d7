// Deletes jobs. Claims and the matcher leave a deleted job out at once; the rescuer ends what waits as cancelled. The history of its
// executions stays.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Job, TenantCaller } from './job.ts';
import { emitJobEvent } from './job-events.ts';
import { findJob, markJobDeleted } from './job-store.ts';

export async function deleteJob(tx: Transaction, clock: Clock, by: TenantCaller, id: Uuid): Promise<Job> {
  const job = await findJob(tx, by.tenantId, id, 'for update');
  if (!job) return refuse('JOB_NOT_FOUND', { job: id });
  if (job.managed) return refuse('JOB_MANAGED', { job: id, processor: job.processorName });
  return removeJob(tx, clock, by, job);
}

/** The job is locked. */
export async function removeJob(tx: Transaction, clock: Clock, { caller }: TenantCaller, job: Job): Promise<Job> {
  await markJobDeleted(tx, job, clock.now);
  const { name, eventPattern, processorName } = job;
  await emitJobEvent(tx, clock, caller, job, 'deleted', { name, eventPattern, processorName });
  return { ...job, updatedAt: clock.now };
}
