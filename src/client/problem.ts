// What can go wrong, as two kinds that ask for different things. A *problem* is an answer: the server understood, and says
// what to mend. *No answer* means the outcome is unknown: the request may have been carried out, and asking again with the
// same idempotency key is how to find out.
import type { Problem, ProblemCode } from './schema.ts';

export class UsanceProblem extends Error {
  override readonly name = 'UsanceProblem';
  readonly status: number;
  /** One of the catalogue: what a program decides by. */
  readonly code: ProblemCode;
  readonly title: string;
  /** The field to mend, where one is to blame. */
  readonly param: string | undefined;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** To name to whoever runs the server. */
  readonly requestId: string | undefined;
  /** How long the server asked to wait before the same request is sent again, in milliseconds; 0 where it did not say. */
  readonly retryAfterMs: number;
  /** The answer as it came. */
  readonly problem: Problem;

  constructor(status: number, problem: Problem, retryAfterMs = 0) {
    super(problem.detail);
    this.retryAfterMs = retryAfterMs;
    this.status = status;
    this.code = problem.code;
    this.title = problem.title;
    this.param = problem.param;
    this.retryable = problem.retryable;
    this.requestId = problem.requestId;
    this.problem = problem;
  }
}

export class UsanceUnreachable extends Error {
  override readonly name = 'UsanceUnreachable';
  /** Send the same request with this key: it moves nothing twice, and answers with what became of the first. */
  readonly idempotencyKey: string | undefined;
  /** How long a proxy asked to wait, in milliseconds; 0 where none did. */
  readonly retryAfterMs: number;

  constructor(
    message: string,
    options: { cause?: unknown; idempotencyKey?: string | undefined; retryAfterMs?: number },
  ) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
