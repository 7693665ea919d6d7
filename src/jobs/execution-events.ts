// Events about executions: acts of a caller, and ends that a worker or the rescuer decides.
//
// An end is not an event if the execution ran on an event about jobs: a job on `execution.failed` that fails would otherwise feed itself. An act
// of a caller is always one, because it is audited, and one act makes one event.
import type { Transaction } from '../db/index.ts';
import type { Fact } from '../events/index.ts';
import { isAboutJobs, readEventTypes } from '../events/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { SYSTEM } from '../kernel/index.ts';
import type { Execution } from './execution.ts';
import type { Ending } from './fail-store.ts';

/** The event of an act of a caller. */
export const executionEvent = (
  clock: Clock,
  caller: Caller,
  { tenantId, id, jobId, eventId }: Pick<Execution, 'tenantId' | 'id' | 'jobId' | 'eventId'>,
  what: 'retried' | 'discarded' | 'cancelled' | 'cancel_requested',
  data: Readonly<Record<string, unknown>>,
): Fact => ({
  ...caller,
  tenantId,
  type: `execution.${what}`,
  resource: 'execution',
  resourceId: id,
  data: { jobId, eventId, ...data },
  occurredAt: clock.now,
});

/** The events of executions that ended without a caller. */
export async function endEvents(tx: Transaction, endings: readonly Ending[]): Promise<Fact[]> {
  const types = await readEventTypes(
    tx,
    endings.map(({ held }) => ({ tenantId: held.tenantId, id: held.eventId })),
  );
  return endings.filter(({ held }) => !isAboutJobs(types.get(held.eventId) ?? '')).map(endEvent);
}

/** Without the error, which is any text of the processor's: events cannot be changed, and the execution has it. */
function endEvent({ held, status, code, endedAt }: Ending): Fact {
  const { tenantId, executionId, jobId, eventId, attempt } = held;
  const about = { ...SYSTEM, tenantId, resource: 'execution', resourceId: executionId, occurredAt: endedAt };
  const data = { jobId, eventId };
  return status === 'cancelled'
    ? { ...about, type: 'execution.cancelled', data }
    : { ...about, type: 'execution.failed', data: { ...data, attemptNumber: attempt, code } };
}
