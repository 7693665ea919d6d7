// Requests: their form, before an operation sees them, and trouble of the server.
import { conflict, invalid, missing, retryable, unprocessable, withStatus } from './entry.ts';

export const REQUEST_ERRORS = {
  AMOUNT_INVALID: invalid({
    title: 'The amount is not a whole number of minor units, or not a decimal number that its asset can hold',
  }),
  AMOUNT_NOT_POSITIVE: invalid({
    title: 'The amount must be greater than zero',
    detail: { zero: '{param} must be greater than zero', negative: '{param} must not be negative' },
    cause: 'The request has an amount of zero, or a negative one, where money would move.',
    remedy: 'Send a positive amount. To move money back, refund the payment.',
  }),
  AMOUNT_TOO_LARGE: invalid({
    title: 'The amount is larger than can be stored',
    detail: {
      one: '{param} is larger than {max}',
      sum: 'all charges together are more than can be stored, which is {max} minor units',
    },
    cause: 'An amount, or the sum of all charges of a plan, exceeds what a 64-bit integer of minor units can hold.',
    remedy: 'Check the unit: amounts are in minor units, such as cents. Lower the amount or the number of charges.',
  }),
  ASSET_INVALID: invalid({ title: 'The asset is not a code and a scale' }),
  ID_INVALID: invalid({
    title: 'The id has the wrong form',
    detail: { not_a_cursor: '{param} must be the id of the last item of the previous page' },
  }),
  RETRY_INVALID: invalid({ title: 'The retry policy is not valid' }),
  FIELD_INVALID: invalid({
    title: 'A field is missing or has the wrong form',
    detail: {
      required: '{param} is required',
      needs_reason: '{param} is required: say why, for the audit log',
      one_of: '{param} must be {allowed:list}',
      not_whole_number: '{param} must be a whole number from {min} to {max}',
      too_small: '{param} must be a whole number of at least {min}',
      too_long: '{param} must have at most {max} characters, without NUL',
      wrong_length: '{param} must have {min} to {max} characters, without NUL',
      not_printable: '{param} must have {min} to {max} printable ASCII characters',
      both_given: 'give either {first:field} or {param}, not both',
      none_given: 'give {param} or {second:field}',
    },
  }),
  IMPORT_INVALID: invalid({ title: 'The import file cannot be read' }),
  REQUEST_MALFORMED: invalid({ title: 'The request is not valid HTTP' }),
  REQUEST_TIMEOUT: retryable(withStatus(408)({ title: 'The request took too long to arrive' })),
  HEADERS_TOO_LARGE: withStatus(431)({ title: 'The headers are too large' }),
  BODY_TOO_LARGE: withStatus(413)({ title: 'The body is too large' }),
  CONTENT_TYPE_UNSUPPORTED: withStatus(415)({ title: 'The body is not JSON in UTF-8' }),
  JSON_MALFORMED: invalid({ title: 'The body is not well-formed JSON' }),
  JSON_TOO_COMPLEX: invalid({ title: 'The body has more values than a request may have' }),
  JSON_DUPLICATE_KEY: invalid({ title: 'The body has a duplicate field' }),
  JSON_INTEGER_UNSAFE: invalid({ title: 'The body has an integer that JSON cannot represent exactly' }),
  FIELD_UNKNOWN: invalid({ title: 'The request has an unknown field' }),
  CURSOR_INVALID: invalid({ title: 'The cursor is invalid' }),
  IDEMPOTENCY_KEY_MISSING: invalid({ title: 'An idempotency key is required' }),
  IDEMPOTENCY_KEY_INVALID: invalid({ title: 'The idempotency key has the wrong form' }),
  RATE_LIMITED: retryable(withStatus(429)({ title: 'Too many requests' })),
  ROUTE_NOT_FOUND: missing({ title: 'No route matches the path' }),
  METHOD_NOT_ALLOWED: withStatus(405)({ title: 'The route does not support this method' }),
  BUSY: retryable(
    conflict({
      title: 'Another transaction holds a required lock',
      detail: {
        payer_balance: "another transaction holds the payer's balance; retry",
        maker_total: "another transaction holds the sum of the caller's payments from this payer; retry",
        tenant_total: "another transaction holds the tenant's daily total; retry",
      },
    }),
  ),
  IDEMPOTENCY_RUNNING: retryable(
    conflict({
      title: 'A request with this idempotency key is still running',
      detail: 'a request with the idempotency key "{key}" is still running; retry shortly',
    }),
  ),
  IDEMPOTENCY_ANSWER_ERASED: unprocessable({ title: 'The request succeeded; its answer was erased with an account' }),
  IDEMPOTENCY_MISMATCH: unprocessable({ title: 'The idempotency key was used for another request' }),
  IMPORT_CONFLICT: unprocessable({ title: 'The import differs from what was imported before' }),
  IMPORT_TOTAL_MISMATCH: unprocessable({ title: 'The import does not match the expected total' }),
  INTERNAL_ERROR: retryable(withStatus(500)({ title: 'Internal error' })),
  SERVICE_UNAVAILABLE: retryable(withStatus(503)({ title: 'The service is temporarily unavailable' })),
};
