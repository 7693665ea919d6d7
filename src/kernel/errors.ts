// Three kinds of trouble, never mixed. A *refusal* is the caller's to fix: it has a code from the catalogue below and is thrown, so
// that its transaction rolls back. An *outcome* of the outside world is a stored value, not an error. A *broken invariant* means that
// this program is wrong: it is never caught to carry on.

interface Entry {
  /** The HTTP status it becomes. */
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
}

const invalid = (title: string): Entry => ({ status: 400, title, retryable: false });
const missing = (title: string): Entry => ({ status: 404, title, retryable: false });
const conflict = (title: string, retryable = false): Entry => ({ status: 409, title, retryable });
const unauthorized = (title: string): Entry => ({ status: 401, title, retryable: false });
const forbidden = (title: string): Entry => ({ status: 403, title, retryable: false });
const unprocessable = (title: string, retryable = false): Entry => ({ status: 422, title, retryable });

/** Every code there is. A code is added here first. */
export const CATALOGUE = {
  AMOUNT_INVALID: invalid(
    'The amount is not a whole number of minor units, or not a decimal number that its asset can hold',
  ),
  AMOUNT_NOT_POSITIVE: invalid('The amount must be greater than zero'),
  AMOUNT_TOO_LARGE: invalid('The amount is larger than can be stored'),
  ASSET_INVALID: invalid('The asset is not a code and a scale'),
  ID_INVALID: invalid('The id has the wrong form'),
  RETRY_INVALID: invalid('The retry policy is not valid'),
  FIELD_INVALID: invalid('A field is missing or has the wrong form'),
  IMPORT_INVALID: invalid('The import file cannot be read'),

  DELAY_INVALID: invalid('The delay or the instant has the wrong form'),
  DELAY_OUT_OF_RANGE: invalid('The payment would run in the past or too far ahead'),
  EXPIRY_BEFORE_EXECUTION: invalid('The payment would expire before it runs'),
  LEGS_INVALID: invalid('The legs do not add up to the payment'),
  BULK_TOO_LARGE: invalid('The request has too many payments'),

  RULE_INVALID: invalid('The schedule’s rule is invalid'),
  RULE_NEVER_FIRES: invalid('The rule has no date between its start and its end'),
  RULE_TOO_FREQUENT: invalid('The rule runs more often than once a minute'),
  LOCAL_TIME_INVALID: invalid('The local date or time has the wrong form'),
  ZONE_UNKNOWN: invalid('The time zone does not exist'),
  STEPS_INVALID: invalid('The amount steps are invalid'),
  MISSED_INVALID: invalid('The policy for missed runs is invalid'),
  BACKFILL_TOO_LARGE: invalid('The request covers too many runs'),
  END_BEFORE_START: invalid('The schedule would end before it starts'),
  PLAN_INVALID: invalid('The terms of the plan are invalid'),

  CLOCK_BACKWARDS: invalid('A test clock cannot go backwards'),
  CLOCK_TOO_FAR: invalid('The advance of the test clock is too long'),

  // An HTTP request, before an operation sees it.
  REQUEST_MALFORMED: invalid('The request is not valid HTTP'),
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive', retryable: true },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large', retryable: false },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large', retryable: false },
  CONTENT_TYPE_UNSUPPORTED: { status: 415, title: 'The body is not JSON in UTF-8', retryable: false },
  JSON_MALFORMED: invalid('The body is not well-formed JSON'),
  JSON_TOO_COMPLEX: invalid('The body has more values than a request may have'),
  JSON_DUPLICATE_KEY: invalid('The body has a duplicate field'),
  JSON_INTEGER_UNSAFE: invalid('The body has an integer that JSON cannot represent exactly'),
  FIELD_UNKNOWN: invalid('The request has an unknown field'),
  CURSOR_INVALID: invalid('The cursor is invalid'),
  IDEMPOTENCY_KEY_MISSING: invalid('An idempotency key is required'),
  IDEMPOTENCY_KEY_INVALID: invalid('The idempotency key has the wrong form'),
  AUTH_REQUIRED: unauthorized('Authentication is required'),
  AUTH_INVALID: unauthorized('The API key or token is invalid, revoked or expired'),
  AUTH_SCOPE_MISSING: forbidden('The API key lacks a required scope'),
  AUTH_FORBIDDEN: forbidden('The caller is not allowed to do this'),
  'ALLOWANCE.NOT_GUARDIAN': forbidden('The account is not a guardian of the child'),
  APPROVAL_NEEDS_ANOTHER: forbidden('The person who set the terms of a payment cannot approve, reject or expedite it'),
  RATE_LIMITED: { status: 429, title: 'Too many requests', retryable: true },
  ROUTE_NOT_FOUND: missing('No route matches the path'),
  METHOD_NOT_ALLOWED: { status: 405, title: 'The route does not support this method', retryable: false },
  STATEMENT_TOO_LONG: unprocessable('The period has more lines than one statement can have'),

  TENANT_NOT_FOUND: missing('The tenant does not exist'),
  ASSET_NOT_FOUND: missing('The tenant has no such asset'),
  ACCOUNT_NOT_FOUND: missing('The tenant has no such account'),
  RESERVATION_NOT_FOUND: missing('The tenant has no such reservation'),
  TRANSFER_NOT_FOUND: missing('The tenant has no such transfer'),
  PAYMENT_NOT_FOUND: missing('The tenant has no such payment'),
  DEAD_LETTER_NOT_FOUND: missing('The tenant has no such dead letter'),
  SCHEDULE_NOT_FOUND: missing('The tenant has no such schedule'),
  OUTAGE_NOT_FOUND: missing('The tenant has no such outage'),
  PLAN_NOT_FOUND: missing('The tenant has no such plan'),
  SUBSCRIPTION_NOT_FOUND: missing('The tenant has no such subscription'),
  'ALLOWANCE.NOT_FOUND': missing('The guardian has no allowance for the child'),
  PAUSE_NOT_FOUND: missing('The pause does not exist'),
  API_KEY_NOT_FOUND: missing('The tenant has no such API key'),
  ISSUER_NOT_FOUND: missing('The tenant has no such token issuer'),
  EVENT_NOT_FOUND: missing('The event does not exist, or has nothing to erase'),
  FREEZE_NOT_FOUND: missing('The asset is not frozen'),
  CLOCK_NOT_FOUND: missing('The tenant has no such test clock'),

  TENANT_EXISTS: conflict('A tenant with this name already exists'),
  ASSET_EXISTS: conflict('The asset already exists with another scale'),
  ACCOUNT_EXISTS: conflict('An account with this ref already exists'),
  ACCOUNT_NOT_EMPTY: conflict('The account still holds money'),
  ACCOUNT_STATE_CONFLICT: conflict('The account is not in a state that allows this'),
  RESERVATION_RESOLVED: conflict('The reservation is already resolved'),
  PAYMENT_STATE_CONFLICT: conflict('The payment is not in a state that allows this'),
  PAYMENT_COUNT_MISMATCH: conflict('The filter matches a different number of payments than was confirmed'),
  PAYMENT_OWNED: conflict('The payment is controlled by its subscription or allowance'),
  API_KEY_STATE_CONFLICT: conflict('The API key is not in a state that allows this'),
  ISSUER_EXISTS: conflict('The issuer and audience are already registered'),
  'ALLOWANCE.ALREADY_EXISTS': conflict('The guardian already has an allowance for the child'),
  SCHEDULE_STATE_CONFLICT: conflict('The schedule is not in a state that allows this'),
  OUTAGE_STATE_CONFLICT: conflict('The outage is already released or discarded'),
  SCHEDULE_OF_SUBSCRIPTION: conflict('The schedule belongs to a subscription'),
  REFERENCE_EXISTS: conflict('The reference is already in use'),
  BATCH_ABORTED: conflict('Another payment of the same atomic request was refused'),
  CLOCK_EXISTS: conflict('The test tenant already has a clock'),
  CLOCK_MISSING: conflict('The test tenant has no clock'),
  CLOCK_ADVANCING: conflict('The test clock is being advanced', true),
  APPROVAL_AWAITED: conflict('The payment awaits approval', true),
  APPROVAL_TERMS_CHANGED: conflict("The payment's terms changed since they were read"),
  BUSY: conflict('Another transaction holds a required lock', true),
  IDEMPOTENCY_RUNNING: conflict('A request with this idempotency key is still running', true),

  LIMIT_AMOUNT_EXCEEDED: unprocessable('The amount exceeds the limit for one payment'),
  LIMIT_DAILY_EXCEEDED: unprocessable('The amount exceeds the daily limit of the account or the tenant', true),
  SUBSCRIPTION_APPROVAL_EXCEEDED: unprocessable('The charge exceeds the amount that the payer approved'),
  APPROVAL_REQUIRED: unprocessable('The amount requires approval; create a payment instead'),
  PAUSED: unprocessable('Outgoing payments are paused', true),
  API_KEYS_TOO_MANY: unprocessable('The tenant has reached its limit of API keys, or the key its limit of ancestors'),
  PAUSES_TOO_MANY: unprocessable('The tenant has reached its limit of active pauses'),
  CLOCK_TENANT_LIVE: unprocessable('A live tenant has no test clock'),
  CLOCK_TOO_MANY_STEPS: unprocessable('The advance exceeded its limit of steps', true),
  REFUND_EXCEEDS_PAYMENT: unprocessable('The refund exceeds the refundable amount'),
  CAPTURE_EXCEEDS_HOLD: unprocessable('The capture exceeds the remaining hold'),
  SIMULATED_FAILURE: unprocessable('A failure was simulated', true),
  // Why a payment failed, where it was not refused.
  FAILED_BY_OPERATOR: unprocessable('An operator failed the payment'),
  UNEXPECTED: unprocessable('The payment failed with an unexpected internal error', true),
  IDEMPOTENCY_ANSWER_ERASED: unprocessable('The request succeeded; its answer was erased with an account'),
  IDEMPOTENCY_MISMATCH: unprocessable('The idempotency key was used for another request'),
  ACCOUNT_NOT_ACTIVE: unprocessable('The account is suspended or closed', true),
  SELF_TRANSFER: unprocessable('Payer and payee are the same account'),
  FUNDS_INSUFFICIENT: unprocessable('The account has insufficient funds', true),
  RESERVATION_TOO_SMALL: unprocessable('The reservation is smaller than the amount'),
  BALANCE_OVERFLOW: unprocessable('The balance would be larger than can be stored'),
  ASSET_FROZEN: unprocessable('Outgoing payments of this asset are frozen', true),
  IMPORT_CONFLICT: unprocessable('The import differs from what was imported before'),
  IMPORT_TOTAL_MISMATCH: unprocessable('The import does not match the expected total'),

  // Not the caller's to fix: trouble of the server.
  INTERNAL_ERROR: { status: 500, title: 'Internal error', retryable: true },
  SERVICE_UNAVAILABLE: { status: 503, title: 'The service is temporarily unavailable', retryable: true },
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof CATALOGUE;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  /** The field to mend, where one is to blame. */
  readonly param: string | undefined;

  constructor(code: Code, detail: string, options: { param?: string } = {}) {
    super(detail);
    this.code = code;
    this.param = options.param;
  }
}

export function refuse(code: Code, detail: string, options: { param?: string } = {}): never {
  throw new Refusal(code, detail, options);
}

/** The program is wrong. The message says what was expected to hold. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function invariant(holds: boolean, expectation: string): asserts holds {
  if (!holds) throw new BrokenInvariant(`expected ${expectation}`);
}

/** Something of the machine or its set-up, which a person has to mend: one clear line, no stack. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
