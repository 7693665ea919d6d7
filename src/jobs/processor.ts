// A processor as a worker runs it: code with a name, in this process or in a child process.
import type { Transaction } from '../db/index.ts';
import type { SequencedEvent } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Execution, FailureCode } from './execution.ts';
import type { FailedAttempt } from './fail-attempts.ts';
import type { JobKey } from './job.ts';
import type { ClaimedExecution } from './queue-store.ts';
import type { Outcome } from './run-invocation.ts';

/** The third argument of a processor. */
export interface InvocationContext {
  /** Aborts at the time limit of the job, when the execution is cancelled, when the worker loses its lease, and when it stops. */
  readonly signal: AbortSignal;
  /** The tenant of the event, `ten_…`: a processor serves all tenants, and neither the event nor the execution names it. */
  readonly tenantId: string;
  /** The processor begins only now: it waited for a process. Its time limit counts from here. */
  begin(): void;
  /** For `record` of a built-in processor: what is known about the attempt beyond its outcome. The last call counts. */
  attach(detail: unknown): void;
}

/** An attempt whose end is being written. One that was given back is none: it does not count. */
export interface RecordedEnd {
  readonly claimed: ClaimedExecution;
  readonly outcome: Extract<Outcome, { kind: 'completed' | 'failed' }>;
  /** The outcome of the execution. */
  readonly became: 'completed' | FailedAttempt['outcome'];
  /** When the next attempt is due, by the tenant's clock; null if there is none. */
  readonly nextAt: Date | null;
  /** The last value given to `attach`; undefined if none. */
  readonly detail: unknown;
}

export interface RunnableProcessor {
  readonly name: string;
  readonly description: string;
  /** The one tenant that it serves: no other can name it in a job, or have it run. Default: all tenants. */
  readonly tenantId?: Uuid;
  /** Returns the result, or a promise of it. Event and execution are as the presenter made them. */
  run(event: unknown, execution: unknown, context: InvocationContext, claimed: ClaimedExecution): unknown;
  /** It is part of usance, and may have the name of a built-in processor. Default false. */
  readonly builtIn?: boolean;
  /** Whether it can run something now. Default: always. */
  isReady?(): boolean;
  /**
   * Executions of one job that a worker runs at the same time at most: a job whose executions hang holds its share of the worker, and no
   * more. Default: no limit.
   */
  readonly concurrencyPerJob?: number | ((jobId: Uuid) => number);
  /** Jobs that one claim may serve, among jobs with something due. Changes nothing: the claim may serve fewer. Default: all. */
  readonly chooseJobs?: (jobs: readonly JobKey[]) => ReadonlySet<Uuid>;
  /** A claim serves the job; its executions begin in a moment, if any is found. */
  readonly reserveJob?: (job: JobKey) => void;
  /**
   * Writes what a built-in processor keeps about ended attempts, in the transaction that ends them. Gets the attempts that this worker ran
   * and that were still its own. If it throws, an attempt ends without it: an end is never lost.
   */
  record?(tx: Transaction, ends: readonly RecordedEnd[]): Promise<void>;
}

export const serves = ({ tenantId }: RunnableProcessor, claimed: ClaimedExecution): boolean =>
  tenantId === undefined || tenantId === claimed.tenantId;

/** Makes what processors see of events and executions, for a whole claim at once. */
export interface Presenter {
  events(events: readonly SequencedEvent[]): Promise<ReadonlyMap<Uuid, unknown>>;
  execution(execution: Execution): unknown;
}

/** For programs without a library around the engine. */
export const AS_STORED: Presenter = {
  events: (events) => Promise.resolve(new Map(events.map((event) => [event.id, event]))),
  execution: (execution) => execution,
};

export interface FailureHints {
  /** The next attempt is due no earlier than this, up to a day; a longer wait of the policy stays. */
  readonly retryAfterMs?: number | undefined;
  /** It would fail again: no further attempt. */
  readonly permanent?: boolean;
}

/** Ends an attempt with another code than PROCESSOR_FAILED, and says when to try again. Thrown by built-in processors. */
export class InvocationFailure extends Error {
  override readonly name = 'InvocationFailure';
  readonly failure: FailureCode;
  readonly retryAfterMs: number | undefined;
  readonly permanent: boolean;
  constructor(failure: FailureCode, message: string, { retryAfterMs, permanent = false }: FailureHints = {}) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
    this.permanent = permanent;
  }
}

/** The attempt does not count: the execution waits again, and is due now. */
export class InvocationGivenBack extends Error {
  override readonly name = 'InvocationGivenBack';
  /** Its process ended, perhaps because of it: the next attempt runs by itself. */
  readonly isSuspected: boolean;
  constructor(message: string, isSuspected: boolean) {
    super(message);
    this.isSuspected = isSuspected;
  }
}

/** A claimed execution in the words of the module. */
export const executionOf = (claimed: ClaimedExecution): Execution => ({
  tenantId: claimed.tenantId,
  id: claimed.executionId,
  jobId: claimed.jobId,
  eventId: claimed.eventId,
  seq: claimed.seq,
  status: 'running',
  attemptNumber: claimed.attempt,
  startedAt: claimed.startedAt,
  completedAt: null,
  nextRetryAt: null,
  createdAt: claimed.createdAt,
  lockedAt: claimed.claimedAt,
  workerId: claimed.workerId,
  code: claimed.lastCode as FailureCode | null,
  error: claimed.lastError,
  result: null,
});
