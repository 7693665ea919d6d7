// Retries failed executions, and completed ones if they are asked for: each goes back to the queue, due now, with all its attempts. Its
// history stays: the last attempt becomes an invocation. Locks: jobs, then executions. If two retries of one execution meet, the second finds it in the queue.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Refused, Uuid } from '../kernel/index.ts';
import { refused } from '../kernel/index.ts';
import { parseReason } from '../payments/index.ts';
import { noteDueSoon } from '../queue/index.ts';
import { requeueExecutions } from './dead-letter-store.ts';
import type { Execution } from './execution.ts';
import { executionEvent } from './execution-events.ts';
import { readExecutions } from './execution-store.ts';
import type { TenantCaller } from './job.ts';
import { lockLiveJobs } from './job-store.ts';

export interface RetryOptions {
  readonly reason?: string;
  /** Completed executions too: a delivery is sent again. Default false. */
  readonly completed?: boolean;
}

/** At i: why execution i stays as it is, or null where it was retried. */
export async function retryExecutions(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: TenantCaller,
  ids: readonly Uuid[],
  options: RetryOptions = {},
): Promise<(Refused | null)[]> {
  const reason = parseReason(options.reason);
  const { completed = false } = options;
  const isRetryable = ({ status }: Execution): boolean => status === 'failed' || (completed && status === 'completed');
  const found = new Map((await readExecutions(tx, tenantId, ids)).map((one) => [one.id, one]));
  const failed = ids.flatMap((id) => found.get(id) ?? []).filter(isRetryable);
  const live = await lockLiveJobs(tx, tenantId, [...new Set(failed.map(({ jobId }) => jobId))]);
  const wanted = failed.filter(({ jobId }) => live.has(jobId)).map(({ id }) => id);
  const due = { clockId: clock.clockId, dueAt: clock.now };
  const retried =
    wanted.length === 0 ? new Set<Uuid>() : await requeueExecutions(tx, tenantId, wanted, { ...due, completed });
  if (retried.size > 0) {
    const facts = failed.flatMap((one) =>
      retried.has(one.id) ? [executionEvent(clock, caller, one, 'retried', reason === null ? {} : { reason })] : [],
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
