// Deletes jobs. Claims and the matcher leave a deleted job out at once; the rescuer ends what waits as cancelled. The history of its
// executions stays.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { JobMaker } from './create-job.ts';
import { emitJobEvent } from './create-job.ts';
import type { Job } from './job.ts';
import { findJob, markJobDeleted } from './job-store.ts';

export async function deleteJob(tx: Transaction, clock: Clock, maker: JobMaker, id: Uuid): Promise<Job> {
  const job = await findJob(tx, maker.tenantId, id, 'for update');
  if (!job) return refuse('JOB_NOT_FOUND', { job: id });
  if (job.managed) return refuse('JOB_MANAGED', { job: id, processor: job.processorName });
  return removeJob(tx, clock, maker, job);
}

/** The job is locked. */
export async function removeJob(tx: Transaction, clock: Clock, maker: JobMaker, job: Job): Promise<Job> {
  await markJobDeleted(tx, job, clock.now);
  const { name, eventPattern, processorName } = job;
  await emitJobEvent(tx, clock, maker.caller, job, 'deleted', { name, eventPattern, processorName });
  return { ...job, updatedAt: clock.now };
}
