// Failed attempts, in a set: by the policy of their jobs back to the queue, or to history as dead letters.
//
//   cancel requested, or the     cancelled: no caller can retry an execution of a deleted job
//   job was deleted
//   the event was erased        failed, without the error of the processor
//   permanent, or no attempt    failed: history, dead letter, event `execution.failed`
//   left
//   otherwise                   pending again, due after the wait of the policy (at once if the worker was lost)
//
// The policy is read with the lock of the row, so that an edit of the job applies to executions that wait. The fence decides about each
// attempt: one that another worker has by now is left out.
import type { Transaction } from '../db/index.ts';
import { readLiveClock } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import { delayAfterAttempt } from '../kernel/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { noteDueSoon, noteWakeUp } from '../queue/index.ts';
import { presentTimes } from '../tenants/index.ts';
import type { Attempt } from './attempt.ts';
import { FAILURE_CODES } from './execution.ts';
import type { FailureCode } from './execution.ts';
import { endEvents } from './execution-events.ts';
import type { Ending, HeldExecution, Retry } from './fail-store.ts';
import { endAttempts, lockAttempts, retryAttempts } from './fail-store.ts';
import { DEFAULT_JOB_RETRY } from './job.ts';
import { openNext } from './order-store.ts';
import { storableText } from './result.ts';

export interface AttemptFailure extends Attempt {
  readonly code: FailureCode;
  readonly error: string;
  /** It would fail again: no further attempt. */
  readonly permanent?: boolean;
  /** The next attempt is due now: a lost worker says nothing about the processor. */
  readonly atOnce?: boolean;
  /** The next attempt is due no earlier than this. */
  readonly retryAfterMs?: number | undefined;
}

const DAY_MS = 86_400_000;

export interface FailedAttempt {
  readonly tenantId: Uuid;
  readonly executionId: Uuid;
  readonly outcome: 'retrying' | 'failed' | 'cancelled';
  /** When the next attempt is due, by the tenant's clock; null if there is none. */
  readonly nextAt: Date | null;
}

/** Returns an entry for each attempt that was still held. */
export async function failAttempts(tx: Transaction, failures: readonly AttemptFailure[]): Promise<FailedAttempt[]> {
  if (failures.length === 0) return [];
  const held = await lockAttempts(tx, failures);
  if (held.length === 0) return [];
  const nowOf = await tenantTimes(tx, held);
  const retries: Retry[] = [];
  const endings: Ending[] = [];
  for (const one of held) {
    const given = failures[one.index] as AttemptFailure;
    // Its error may repeat the data of the event.
    const failure = one.isErased ? { ...given, ...ERASED } : given;
    const error = storableText(failure.error);
    // A clock of the server that was set back must not end an attempt before it began.
    const now = later(nowOf(one.tenantId), one.attemptedAt);
    if (one.cancelRequested || one.isOrphan) {
      endings.push({ held: one, status: 'cancelled', ...CANCELLED, endedAt: now });
      continue;
    }
    const delayMs = nextDelayMs(one, failure);
    if (delayMs === null) endings.push({ held: one, status: 'failed', code: failure.code, error, endedAt: now });
    else
      retries.push({
        held: one,
        code: failure.code,
        error,
        dueAt: new Date(now.getTime() + delayMs),
        endedAt: now,
      });
  }
  if (retries.length > 0) {
    await retryAttempts(tx, retries);
    noteDueSoon(
      tx,
      'executions_due',
      retries.map(({ held: { clockId }, dueAt }) => ({ clockId, dueAt })),
    );
  }
  if (endings.length > 0) {
    await endAttempts(tx, endings);
    const opened = await openNext(
      tx,
      endings.flatMap(({ held: { tenantId, jobId, orderKey } }) =>
        orderKey === null ? [] : [{ tenantId, jobId, orderKey }],
      ),
    );
    if (opened > 0) noteWakeUp(tx, 'executions_due');
    await appendEvents(tx, await endEvents(tx, endings));
  }
  return [
    ...retries.map(({ held: one, dueAt }) => outcomeOf(one, 'retrying', dueAt)),
    ...endings.map(({ held: one, status }) => outcomeOf(one, status, null)),
  ];
}

const ERASED = { code: 'EVENT_ERASED', error: 'the event was erased', permanent: true } as const;
const CANCELLED = { code: 'EXECUTION_CANCELLED', error: FAILURE_CODES.EXECUTION_CANCELLED } as const;

const outcomeOf = (
  { tenantId, executionId }: HeldExecution,
  outcome: FailedAttempt['outcome'],
  nextAt: Date | null,
): FailedAttempt => ({ tenantId, executionId, outcome, nextAt });

const later = (now: Date, than: Date | null): Date => (than !== null && than > now ? than : now);

/** The wait until the next attempt; null if there is none. An execution that waits has no attempt to repeat. */
function nextDelayMs(held: HeldExecution, failure: AttemptFailure): number | null {
  const { permanent = false, atOnce = false, retryAfterMs = 0 } = failure;
  if (permanent || held.workerId === null) return null;
  const counted = held.attempt - held.attemptsBefore;
  const delayMs = delayAfterAttempt(held.retry ?? DEFAULT_JOB_RETRY, counted, Math.random());
  if (delayMs === null) return null;
  return atOnce ? 0 : Math.max(delayMs, boundedWait(retryAfterMs));
}

/** A receiver says it: it may be anything. */
const boundedWait = (ms: number): number => (Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), DAY_MS) : 0);

/** The time of each tenant: the server's, or that of a test clock. */
async function tenantTimes(tx: Transaction, held: readonly HeldExecution[]): Promise<(tenantId: Uuid) => Date> {
  const { now } = await readLiveClock(tx);
  const tests = new Set(held.flatMap(({ tenantId, clockId }) => (clockId === null ? [] : [tenantId])));
  const times = tests.size === 0 ? new Map<Uuid, Date>() : await presentTimes(tx, [...tests]);
  return (tenantId) => times.get(tenantId) ?? now;
}
