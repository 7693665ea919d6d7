// Retries failed executions, and completed ones if they are asked for: each goes back to the queue, due now, with all its attempts. Its
// history stays: the last attempt becomes an invocation. Locks: jobs, then executions. Of two retries of one execution the second finds it in the queue.
import type { Transaction } from '../db/index.ts';
import type { Fact } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Refused, Uuid } from '../kernel/index.ts';
import { refused } from '../kernel/index.ts';
import { parseReason } from '../payments/index.ts';
import { noteDueSoon } from '../queue/index.ts';
import { requeueExecutions } from './end-store.ts';
import type { Execution } from './execution.ts';
import { readExecutions } from './execution-store.ts';
import { holdLiveJobs } from './job-store.ts';

export interface ExecutionAct {
  readonly tenantId: Uuid;
  readonly caller: Caller;
}

export interface RetryOptions {
  readonly reason?: string;
  /** Completed executions too: a delivery is sent again. Default false. */
  readonly completed?: boolean;
}

/** At i: why execution i stays as it is, or null where it was retried. */
export async function retryExecutions(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: ExecutionAct,
  ids: readonly Uuid[],
  options: RetryOptions = {},
): Promise<(Refused | null)[]> {
  const reason = parseReason(options.reason);
  const { completed = false } = options;
  const isRetryable = ({ status }: Execution): boolean => status === 'failed' || (completed && status === 'completed');
  const found = new Map((await readExecutions(tx, tenantId, ids)).map((one) => [one.id, one]));
  const failed = ids.flatMap((id) => found.get(id) ?? []).filter(isRetryable);
  const live = await holdLiveJobs(tx, tenantId, [...new Set(failed.map(({ jobId }) => jobId))]);
  const wanted = failed.filter(({ jobId }) => live.has(jobId)).map(({ id }) => id);
  const due = { clockId: clock.clockId, dueAt: clock.now };
  const retried = wanted.length === 0 ? new Set<Uuid>() : await requeueExecutions(tx, tenantId, wanted, { ...due, completed });
  if (retried.size > 0) {
    const facts = failed.flatMap((one) =>
      retried.has(one.id) ? [factOf(clock, caller, one, 'retried', reason === null ? {} : { reason })] : [],
    );
    await appendEvents(tx, facts);
    noteDueSoon(tx, 'executions_due', [due]);
  }
  return ids.map((id) => {
    const one = found.get(id);
    if (!one) return refused('EXECUTION_NOT_FOUND', { execution: id });
    if (retried.has(id)) return null;
    if (isRetryable(one) && !live.has(one.jobId)) return refused('JOB_DELETED', { job: one.jobId });
    // One that had ended when it was read has been retried since.
    const status = isRetryable(one) ? 'pending' : one.status;
    return refused('EXECUTION_NOT_RETRYABLE', { execution: id, status });
  });
}

export const factOf = (
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
