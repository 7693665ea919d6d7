// Cancels executions. One that waits ends at once. One that runs is requested to end: its worker aborts the signal of the processor and ends it as
// cancelled, unless the attempt completes first.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { parseReason } from '../payments/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import { cancelWaiting, holdQueued, requestCancel } from './end-store.ts';
import { FAILURE_CODES } from './execution.ts';
import { findExecution } from './execution-store.ts';
import { noteOrder } from './order-store.ts';
import type { ExecutionAct } from './retry-execution.ts';
import { factOf } from './retry-execution.ts';

export async function cancelExecution(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: ExecutionAct,
  id: Uuid,
  options: { readonly reason?: string } = {},
): Promise<void> {
  const reason = parseReason(options.reason);
  const held = await holdQueued(tx, tenantId, id);
  if (!held) {
    const ended = await findExecution(tx, tenantId, id);
    if (!ended) return refuse('EXECUTION_NOT_FOUND', { execution: id });
    return refuse('EXECUTION_NOT_CANCELLABLE', { execution: id, status: ended.status });
  }
  const about = { tenantId, id, jobId: held.jobId, eventId: held.eventId };
  const data = reason === null ? {} : { reason };
  if (held.workerId !== null) {
    if (held.cancelRequested) return;
    await requestCancel(tx, tenantId, id);
    await appendEvents(tx, [factOf(clock, caller, about, 'cancel_requested', data)]);
    noteWakeUp(tx, 'executions_due');
    return;
  }
  const error = FAILURE_CODES.EXECUTION_CANCELLED;
  await cancelWaiting(tx, tenantId, [id], { code: 'EXECUTION_CANCELLED', error, endedAt: clock.now });
  const { jobId, orderKey } = held;
  if (orderKey !== null) await noteOrder(tx, [{ tenantId, jobId, orderKey }]);
  await appendEvents(tx, [factOf(clock, caller, about, 'cancelled', data)]);
}
