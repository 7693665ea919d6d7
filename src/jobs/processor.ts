// A processor as a worker runs it: code with a name, in this process or in a child process.
import type { SequencedEvent } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Execution, FailureCode } from './execution.ts';
import type { ClaimedExecution } from './queue-store.ts';

/** The third argument of a processor. */
export interface InvocationContext {
  /** Aborts at the time limit of the job, when the execution is cancelled, when the worker loses its lease, and when it stops. */
  readonly signal: AbortSignal;
  /** The tenant of the event, `ten_…`: a processor serves all tenants, and neither the event nor the execution names it. */
  readonly tenantId: string;
  /** The processor begins only now: it waited for a process. Its time limit counts from here. */
  begin(): void;
}

export interface RunnableProcessor {
  readonly name: string;
  readonly description: string;
  /** The one tenant that it serves: no other can name it in a job, or have it run. Default: all tenants. */
  readonly tenantId?: Uuid;
  /** Returns the result, or a promise of it. Event and execution are as the presenter made them. */
  run(event: unknown, execution: unknown, context: InvocationContext, claimed: ClaimedExecution): unknown;
  /** Whether it can run something now. Default: always. */
  isReady?(): boolean;
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

/** Ends an attempt with another code than PROCESSOR_FAILED. */
export class InvocationFailure extends Error {
  override readonly name = 'InvocationFailure';
  readonly failure: FailureCode;
  constructor(failure: FailureCode, message: string) {
    super(message);
    this.failure = failure;
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
