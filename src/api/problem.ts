// Problem bodies (RFC 9457). A refusal shows its code and the status of the catalogue. A temporary failure (the database is unreachable, the
// response of a commit was lost) is 503: retry with the same idempotency key. An internal error shows only the request id.
import { BulkRefusal } from '../engine.ts';
import type { Refused } from '../kernel/index.ts';
import { CATALOGUE, MOST_ERRORS, Refusal, paramOf, refused } from '../kernel/index.ts';
import type { Problem } from '../contract/index.ts';
import { wireDetailOf, wireErrorOf, wireFieldsOf } from '../contract/index.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof BulkRefusal) {
    const [first] = error.errors;
    return { ...problemFrom(error.refused, requestId, `payments[${first?.index ?? 0}]`), errors: errorsOf(error) };
  }
  if (error instanceof Refusal) {
    const errors = error.problems.slice(0, MOST_ERRORS).map(wireErrorOf);
    return { ...problemFrom(error.refused, requestId), ...(errors.length === 0 ? {} : { errors }) };
  }
  const known = fromServer(error);
  if (known) return problemFrom(known, requestId);
  if (passes(error)) return problemFrom(refused('SERVICE_UNAVAILABLE/database'), requestId);
  return problemFrom(refused('INTERNAL_ERROR', { request: requestId }), requestId);
}

/** Seconds, for the header Retry-After. A refusal for a quota has the time until there is more of it. */
export function retryAfterOf({ status, fields }: Problem): string {
  const seconds = fields?.['seconds'];
  return status === 429 && typeof seconds === 'number' ? String(seconds) : '1';
}

/** Whether the operator should hear of it. */
export function isOurs(error: unknown): boolean {
  return !(error instanceof Refusal || fromServer(error));
}

export function problemFrom(given: Refused, requestId: string, param = paramOf(given, 'snake')): Problem {
  const { status, title, retryable } = CATALOGUE[given.code];
  return {
    type: `/docs#${given.code}`,
    title,
    status,
    code: given.code,
    detail: wireDetailOf(given),
    ...wireFieldsOf(given),
    ...(param === undefined ? {} : { param }),
    request_id: requestId,
    retryable,
  };
}

function errorsOf(error: BulkRefusal): NonNullable<Problem['errors']> {
  return error.results
    .flatMap(({ refused: one }, index) => (one.code === 'BATCH_ABORTED' ? [] : [{ index, ...wireErrorOf(one) }]))
    .slice(0, MOST_ERRORS);
}

/** What the HTTP server found wrong before a route saw the request. */
function fromServer(error: unknown): Refused | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refused('BODY_TOO_LARGE');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refused('CONTENT_TYPE_UNSUPPORTED/not_json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refused('REQUEST_MALFORMED/content_length');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return refused('REQUEST_MALFORMED/path');
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return error instanceof Error && 'statusCode' in error ? refused('REQUEST_MALFORMED/body_ended') : null;
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
