// One invocation: a processor is called, and its end becomes one outcome, exactly once.
//
//   it returns                      completed
//   it throws                       failed; permanent if the error says `retryable: false`
//   its signal was aborted          by the time limit: failed; by a cancel: cancelled; because the worker stops: given back.
//                                   Also if it returns then: a processor that stops early returns too
//   it ignores the signal           the same, after a grace period; its later result is ignored
//   the lease is lost               nothing is written: another worker has it
import { toTypeId } from '../kernel/index.ts';
import type { FailureCode } from './execution.ts';
import { FAILURE_CODES } from './execution.ts';
import type { InvocationContext, RunnableProcessor } from './processor.ts';
import { InvocationFailure, InvocationGivenBack } from './processor.ts';
import type { ClaimedExecution } from './queue-store.ts';
import { errorText, isPermanent, storableResult } from './result.ts';

export type Outcome =
  | { readonly kind: 'completed'; readonly result: string | null }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      readonly error: string;
      readonly permanent: boolean;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: 'given_back'; readonly suspected: string | null }
  | { readonly kind: 'lost' };

export type AbortCause = 'timed_out' | 'cancelled' | 'stopping' | 'lost';

const REASONS: Readonly<Record<AbortCause, string>> = {
  timed_out: FAILURE_CODES.PROCESSOR_TIMED_OUT,
  cancelled: FAILURE_CODES.EXECUTION_CANCELLED,
  stopping: 'The worker stops.',
  lost: 'The worker lost its lease.',
};

/** The reason of an aborted signal. */
export class InvocationAborted extends Error {
  override readonly name = 'AbortError';
  override readonly cause: AbortCause;
  constructor(cause: AbortCause) {
    super(REASONS[cause]);
    this.cause = cause;
  }
}

const failed = (code: FailureCode, error: string, permanent = false): Outcome => ({
  kind: 'failed',
  code,
  error,
  permanent,
});

export const ERASED = failed('EVENT_ERASED', 'the event was erased', true);
/** A job cannot name such a processor, unless it served all tenants when the job was created. */
export const OF_ANOTHER = failed('PROCESSOR_MISSING', 'the processor serves another tenant', true);

/** The outcome of an attempt whose signal was aborted, however its processor ended. */
function outcomeOfAbort(cause: AbortCause, timeoutMs: number): Outcome {
  switch (cause) {
    case 'timed_out':
      return failed('PROCESSOR_TIMED_OUT', `the invocation took longer than ${timeoutMs} ms`);
    case 'cancelled':
      return failed('EXECUTION_CANCELLED', FAILURE_CODES.EXECUTION_CANCELLED, true);
    case 'stopping':
      return { kind: 'given_back', suspected: null };
    case 'lost':
      return { kind: 'lost' };
  }
}

function outcomeOfError(error: unknown): Outcome {
  if (error instanceof InvocationGivenBack)
    return { kind: 'given_back', suspected: error.isSuspected ? error.message : null };
  if (error instanceof InvocationFailure) {
    const { failure, permanent, retryAfterMs } = error;
    return { kind: 'failed', code: failure, error: errorText(error), permanent, retryAfterMs };
  }
  return failed('PROCESSOR_FAILED', errorText(error), isPermanent(error));
}

export interface InvocationObserver {
  ended(invocation: RunningInvocation, outcome: Outcome): void;
  /** Its time limit counts from now on, once `restart` is called. */
  restarted(invocation: RunningInvocation, restart: () => void): void;
}

export class RunningInvocation implements InvocationContext {
  readonly claimed: ClaimedExecution;
  readonly #on: InvocationObserver;
  #startedMs: number;
  #controller: AbortController | null = null;
  #cause: AbortCause | null = null;
  #hasEnded = false;
  #processor: RunnableProcessor | null = null;
  #detail: unknown;

  constructor(claimed: ClaimedExecution, startedMs: number, on: InvocationObserver) {
    this.claimed = claimed;
    this.#startedMs = startedMs;
    this.#on = on;
  }

  /** The processor that it runs; null if it ended before it ran. */
  get processor(): RunnableProcessor | null {
    return this.#processor;
  }

  get detail(): unknown {
    return this.#detail;
  }

  attach(detail: unknown): void {
    if (!this.#hasEnded) this.#detail = detail;
  }

  get startedMs(): number {
    return this.#startedMs;
  }

  /** When its time limit is over, by performance.now(). */
  get deadlineMs(): number {
    return this.#startedMs + this.claimed.timeoutMs;
  }

  begin(): void {
    if (this.#hasEnded || this.#cause !== null) return;
    this.#on.restarted(this, () => (this.#startedMs = performance.now()));
  }

  get tenantId(): string {
    return toTypeId('tenant', this.claimed.tenantId);
  }

  /** Made when the processor asks for it: most do not. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#cause !== null) this.#controller.abort(new InvocationAborted(this.#cause));
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#cause !== null;
  }

  /** Asks the processor to stop. The first cause counts; a lost lease ends it at once. */
  abort(cause: AbortCause): void {
    if (this.#hasEnded) return;
    if (this.#cause === null || cause === 'lost') {
      this.#cause = cause;
      this.#controller?.abort(new InvocationAborted(cause));
    }
    if (cause === 'lost') this.end({ kind: 'lost' });
  }

  /** For a processor that ignored its signal for too long. */
  giveUp(): void {
    if (this.#cause !== null) this.end(outcomeOfAbort(this.#cause, this.claimed.timeoutMs));
  }

  end(outcome: Outcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#on.ended(this, outcome);
  }

  /** Calls the processor. Never throws. */
  run(processor: RunnableProcessor, event: unknown, execution: unknown): void {
    this.#processor = processor;
    let returned: unknown;
    try {
      returned = processor.run(event, execution, this, this.claimed);
    } catch (error) {
      this.#settle(outcomeOfError(error));
      return;
    }
    if (isThenable(returned))
      returned.then(
        (value) => this.#settle({ kind: 'completed', result: storableResult(value) }),
        (error: unknown) => this.#settle(outcomeOfError(error)),
      );
    else this.#settle({ kind: 'completed', result: storableResult(returned) });
  }

  #settle(outcome: Outcome): void {
    const cause = this.#cause;
    // Given back: its process ended, so that its time limit says nothing about it.
    const isKept = cause === null || (outcome.kind === 'given_back' && cause !== 'cancelled');
    this.end(isKept ? outcome : outcomeOfAbort(cause, this.claimed.timeoutMs));
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
