// Two kinds of errors. A *problem* is an answer: the server understood the request and says what to correct. *No answer* means that
// the outcome is unknown: the request may have been executed, and a retry with the same idempotency key returns the outcome.
import { pathToCamel, toCamel } from './case.ts';
import { detailInCamel } from './detail.ts';
import type { Problem, ProblemCode } from './schema.ts';

/** One problem of a request that has several. */
export type ProblemError = NonNullable<Problem['errors']>[number];

/** An answer of the server that refuses the request. */
export class UsanceProblem extends Error {
  /** `UsanceProblem`. */
  override readonly name = 'UsanceProblem';
  /** The HTTP status. */
  readonly status: number;
  /** The code of the catalogue: programs decide by it. */
  readonly code: ProblemCode;
  /** The meaning of the code, in a few words. */
  readonly title: string;
  /** The cause, if the code has several. */
  readonly reason: string | undefined;
  /** The values in the message, such as the available and the required amount. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The field of the request to correct, as this client names it. */
  readonly param: string | undefined;
  /** Every problem of the request, if it has several; empty otherwise. */
  readonly errors: readonly ProblemError[];
  /** Whether the same request can succeed later without being changed. */
  readonly retryable: boolean;
  /** The id of the request, to quote to the operator of the server. */
  readonly requestId: string | undefined;
  /** How long the server asked to wait before the same request is sent again, in milliseconds; 0 if it did not say. */
  readonly retryAfterMs: number;
  /** The response as the server wrote it: `detail` and `param` name fields in snake_case. */
  readonly problem: Problem;

  /** @internal */
  constructor(status: number, problem: Problem, retryAfterMs = 0) {
    super(detailInCamel(problem.detail, problem.param));
    this.retryAfterMs = retryAfterMs;
    this.status = status;
    this.code = problem.code;
    this.title = problem.title;
    this.reason = problem.reason;
    this.fields = Object.fromEntries(
      Object.entries(problem.fields ?? {}).map(([name, value]) => [toCamel(name), value]),
    );
    this.param = problem.param === undefined ? undefined : pathToCamel(problem.param);
    this.errors = (problem.errors ?? []).map(({ param, ...error }) => ({
      ...error,
      detail: detailInCamel(error.detail, param),
      ...(param === undefined ? {} : { param: pathToCamel(param) }),
    }));
    this.retryable = problem.retryable;
    this.requestId = problem.requestId;
    this.problem = problem;
  }
}

/** No answer: the outcome is unknown. Send the same request again with the same key. */
export class UsanceUnreachable extends Error {
  /** `UsanceUnreachable`. */
  override readonly name = 'UsanceUnreachable';
  /** Send the same request with this key: it moves no money twice, and returns the outcome of the first request. */
  readonly idempotencyKey: string | undefined;
  /** How long a proxy asked to wait, in milliseconds; 0 if it did not say. */
  readonly retryAfterMs: number;

  /** @internal */
  constructor(
    message: string,
    options: { cause?: unknown; idempotencyKey?: string | undefined; retryAfterMs?: number },
  ) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** The innermost error: `fetch failed` has the reason in its cause, and a host with several addresses a list of them. */
export function causeOf(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    const next: unknown = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
    if (next === undefined || next === null) break;
    inner = next;
  }
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
