// What went wrong, as RFC 9457 has it. A refusal tells its code; trouble that passes (the database is away, a commit's answer
// was lost) is 503 and worth another try, with the same idempotency key; everything else is ours, and its words stay inside.
import { BulkRefusal } from '../engine.ts';
import type { Code, Refused } from '../kernel/index.ts';
import { CATALOGUE, Refusal, paramOf } from '../kernel/index.ts';
import type { Problem } from '../contract/index.ts';
import { wireDetailOf, wireErrorOf, wireFieldsOf } from '../contract/index.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const MOST_ERRORS = 100;

export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof BulkRefusal) {
    const first = error.results.findIndex((result) => 'refused' in result && result.refused.code !== 'BATCH_ABORTED');
    return { ...problemFrom(error.refusal.refused, requestId, `payments[${first}]`), errors: errorsOf(error) };
  }
  if (error instanceof Refusal) {
    const errors = error.problems.slice(0, MOST_ERRORS).map(wireErrorOf);
    return { ...problemFrom(error.refused, requestId), ...(errors.length === 0 ? {} : { errors }) };
  }
  const known = fromServer(error);
  if (known) return problem(known.code, known.detail, requestId);
  if (passes(error)) {
    return problem(
      'SERVICE_UNAVAILABLE',
      'the database did not answer; whether something was done is unknown: ask again, with the same Idempotency-Key',
      requestId,
    );
  }
  return problem('INTERNAL_ERROR', `tell us the request id ${requestId}`, requestId);
}

/** Whether the operator should hear of it. */
export function isOurs(error: unknown): boolean {
  return !(error instanceof Refusal || error instanceof BulkRefusal || fromServer(error));
}

export function problem(code: Code, detail: string, requestId: string): Problem {
  return problemFrom({ code, detail }, requestId);
}

function problemFrom(refused: Refused, requestId: string, param = paramOf(refused, 'snake')): Problem {
  const { status, title, retryable } = CATALOGUE[refused.code];
  return {
    type: `/docs#${refused.code}`,
    title,
    status,
    code: refused.code,
    detail: wireDetailOf(refused),
    ...wireFieldsOf(refused),
    ...(param === undefined ? {} : { param }),
    request_id: requestId,
    retryable,
  };
}

function errorsOf(error: BulkRefusal): NonNullable<Problem['errors']> {
  return error.results
    .flatMap((result, index) =>
      'refused' in result && result.refused.code !== 'BATCH_ABORTED' ? [{ index, ...wireErrorOf(result.refused) }] : [],
    )
    .slice(0, MOST_ERRORS);
}

/** What the HTTP server found wrong before a route saw the request. */
function fromServer(error: unknown): { code: Code; detail: string } | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'BODY_TOO_LARGE', detail: 'the body is larger than this route takes; send less at once' };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { code: 'CONTENT_TYPE_UNSUPPORTED', detail: 'send the body as Content-Type: application/json' };
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return { code: 'REQUEST_MALFORMED', detail: 'the body is not as long as Content-Length says' };
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return { code: 'REQUEST_MALFORMED', detail: 'the path cannot be decoded' };
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return error instanceof Error && 'statusCode' in error
        ? { code: 'REQUEST_MALFORMED', detail: 'the body ended too early' }
        : null;
    default:
      return null;
  }
}

const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENOENT)$/;
// Connection trouble, shutting down, too many clients, a lock that took too long, a race lost too often.
const STATES = /^(08...|57P0.|53...|55P03|40001|40P01)$/;

/** Trouble that passes by itself. */
function passes(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'CommitUnknown') return true;
  const code = 'code' in error ? String(error.code) : '';
  if (NETWORK.test(code) || STATES.test(code)) return true;
  return /connection terminated|connection timeout|timeout expired|exceeded when trying to connect/i.test(
    error.message,
  );
}
