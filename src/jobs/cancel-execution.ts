// Cancels executions. One that waits ends at once. One that runs is requested to end: its worker aborts the signal of the processor and ends it as
// cancelled, unless the attempt completes first.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { parseReason } from '../payments/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import { cancelWaiting, lockQueued, requestCancel } from './cancel-store.ts';
import { FAILURE_CODES } from './execution.ts';
import { executionEvent } from './execution-events.ts';
import { findExecution } from './execution-store.ts';
import type { TenantCaller } from './job.ts';
import { findJob } from './job-store.ts';
import { noteOrder } from './order-store.ts';

export interface CancelOptions {
  readonly reason?: string;
  /** For callers whose scopes are those of jobs: executions of managed jobs are refused. */
  readonly refusesManaged?: boolean;
}

export async function cancelExecution(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: TenantCaller,
  id: Uuid,
  options: CancelOptions = {},
): Promise<void> {
  const reason = parseReason(options.reason);
  const queued = await lockQueued(tx, tenantId, id);
  if (!queued) {
    const ended = await findExecution(tx, tenantId, id);
    if (!ended) return refuse('EXECUTION_NOT_FOUND', { execution: id });
    return refuse('EXECUTION_NOT_CANCELLABLE', { execution: id, status: ended.status });
  }
  // A delivery belongs to its endpoint, and a message to its channel. A key that may change these can disable them.
  const job = options.refusesManaged === true ? await findJob(tx, tenantId, queued.jobId) : null;
  if (job?.managed === true) return refuse('JOB_MANAGED', { job: job.id, processor: job.processorName });
  const about = { tenantId, id, jobId: queued.jobId, eventId: queued.eventId };
  const data = reason === null ? {} : { reason };
  if (queued.workerId !== null) {
    if (queued.cancelRequested) return;
    await requestCancel(tx, tenantId, id);
    await appendEvents(tx, [executionEvent(clock, caller, about, 'cancel_requested', data)]);
    noteWakeUp(tx, 'executions_due');
    return;
  }
  const error = FAILURE_CODES.EXECUTION_CANCELLED;
  await cancelWaiting(tx, tenantId, [id], { code: 'EXECUTION_CANCELLED', error, endedAt: clock.now });
  const { jobId, orderKey } = queued;
  if (orderKey !== null) await noteOrder(tx, [{ tenantId, jobId, orderKey }]);
  await appendEvents(tx, [executionEvent(clock, caller, about, 'cancelled', data)]);
}
