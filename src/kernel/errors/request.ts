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
      required_with: '{param} is required when {other:field} is "{value}"',
      not_allowed_with: '{param} must be left out when {other:field} is "{value}"',
      too_many_items: '{param} can have at most {max} items',
      not_whole_number_or_null: '{param} must be a whole number from {min} to {max}, or null for none',
      not_after: '{param} must be later than {start:field}',
      instant_out_of_range: '{param} must be an instant from {min:instant} to {max:instant}',
      circular: '{param} refers to itself, or is nested too deeply',
      account_ref: '{param} must have 1 to 200 printable ASCII characters without spaces',
      tenant_name:
        '{param} must have 1 to 100 characters of a–z, 0–9, dot, dash and underscore, and begin with a letter or digit',
      like_an_id: '{param} must not have the form of an id',
      email: '{param} must be an e-mail address',
      phone: '{param} must be a phone number in international form, such as +491701234567',
      time_zone: '{param} must be an IANA time zone, such as Europe/Berlin',
      guardian_is_system: '{param} names the system account "{account}", which cannot be a guardian',
      guardian_is_self: '{param} names the account itself, which cannot be its own guardian',
    },
  }),
  IMPORT_INVALID: invalid({
    title: 'The import file cannot be read',
    detail: {
      unreadable: 'line {line}: {problem}',
      missing: 'line {line}: {column} is missing',
      account_ref: 'line {line}: account must have 1 to 200 printable ASCII characters without spaces',
      duplicate: 'line {line}: account "{account}" has {asset} on an earlier line too',
      unknown_asset: 'line {line}: there is no asset "{asset}"',
    },
  }),
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
  IDEMPOTENCY_KEY_MISSING: invalid({
    title: 'An idempotency key is required',
    detail: '{param} is required: choose a new key for each new request, and send the same key when you retry',
    cause:
      'The request moves money or creates something, and has no idempotency key. Without a key a retry after a timeout could do it twice.',
    remedy: 'Send a key of your choice, such as a UUID or an order number, and the same key with every retry.',
  }),
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
      cause: 'An earlier request of the same caller with the same key has not finished yet.',
      remedy: 'Retry with the same key after a short wait: the response is then the one of the first request.',
    }),
  ),
  IDEMPOTENCY_ANSWER_ERASED: unprocessable({
    title: 'The request succeeded; its answer was erased with an account',
    detail:
      'the request with the idempotency key "{key}" succeeded before; its response was erased with the account that it showed',
    cause:
      'The key belongs to a request that succeeded. Its stored response contained personal data of an account that was erased since.',
    remedy: 'Do not send the request with another key: it was carried out. Read the resource instead.',
  }),
  IDEMPOTENCY_MISMATCH: unprocessable({
    title: 'The idempotency key was used for another request',
    detail: 'the idempotency key "{key}" was used for another request; use a new key',
    cause: 'The same caller sent another operation or other fields under this key before.',
    remedy: 'Use a new key for each new request. To retry a request, send exactly the same fields.',
  }),
  IMPORT_CONFLICT: unprocessable({
    title: 'The import differs from what was imported before',
    detail: {
      other_amount: 'line {line}: account "{account}" was imported with another amount of {asset} before',
    },
  }),
  IMPORT_TOTAL_MISMATCH: unprocessable({
    title: 'The import does not match the expected total',
    detail: 'the file has {total:amount} in all; {expected:amount} was expected; nothing was imported',
    cause: 'The sum of an asset over all lines of the file differs from the total that the caller expects.',
    remedy: 'Compare the file with the system it comes from. Correct the file or the expected total, and import again.',
  }),
  INTERNAL_ERROR: retryable(withStatus(500)({ title: 'Internal error' })),
  SERVICE_UNAVAILABLE: retryable(withStatus(503)({ title: 'The service is temporarily unavailable' })),
};
