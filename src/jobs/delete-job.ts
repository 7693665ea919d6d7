// Deletes jobs. Claims and the matcher leave a deleted job out at once; the rescuer ends what waits as cancelled. The history of its
// executions stays.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Job, TenantCaller } from './job.ts';
import { emitJobEvent } from './job-events.ts';
import { findJob, markJobDeleted } from './job-store.ts';

export async function deleteJob(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: TenantCaller,
  id: Uuid,
): Promise<Job> {
  const job = await findJob(tx, tenantId, id, 'for update');
  if (!job) return refuse('JOB_NOT_FOUND', { job: id });
  await markJobDeleted(tx, job, clock.now);
  const { name, eventPattern, processorName } = job;
  await emitJobEvent(tx, clock, caller, job, 'deleted', { name, eventPattern, processorName });
  return { ...job, updatedAt: clock.now };
}
