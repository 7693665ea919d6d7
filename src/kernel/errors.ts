// Three kinds of trouble, never mixed. A *refusal* is the caller's to mend: it has a code from the catalogue below and
// is thrown, so that the transaction around it rolls back by itself. An *outcome* of the outside world is a stored
// value and not an error at all. A *broken invariant* means this program is wrong: nobody catches it to carry on.

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
  LEGS_INVALID: invalid('The legs do not make up the payment'),
  BULK_TOO_LARGE: invalid('There are too many payments in one request'),

  RULE_INVALID: invalid('The rule of the schedule cannot be read'),
  RULE_NEVER_FIRES: invalid('The rule has no date between its start and its end'),
  RULE_TOO_FREQUENT: invalid('The rule runs more often than once a minute'),
  LOCAL_TIME_INVALID: invalid('The local date or time has the wrong form'),
  ZONE_UNKNOWN: invalid('There is no such time zone'),
  STEPS_INVALID: invalid('The steps of the amount cannot be read'),
  MISSED_INVALID: invalid('The policy for missed slots cannot be read'),
  BACKFILL_TOO_LARGE: invalid('There are too many slots in one request'),
  END_BEFORE_START: invalid('The schedule would end before it starts'),
  PLAN_INVALID: invalid('The terms of the plan cannot be kept'),

  CLOCK_BACKWARDS: invalid('A test clock only goes forward'),
  CLOCK_TOO_FAR: invalid('The test clock would go too far at once'),

  // Of a request over HTTP, before any verb sees it.
  REQUEST_MALFORMED: invalid('The request is not HTTP that can be read'),
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive', retryable: true },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large', retryable: false },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large', retryable: false },
  CONTENT_TYPE_UNSUPPORTED: { status: 415, title: 'The body is not JSON in UTF-8', retryable: false },
  JSON_MALFORMED: invalid('The body is not well-formed JSON'),
  JSON_TOO_COMPLEX: invalid('The body has more values than a request may have'),
  JSON_DUPLICATE_KEY: invalid('The body names a field twice'),
  JSON_INTEGER_UNSAFE: invalid('The body has a number that JSON cannot carry exactly'),
  FIELD_UNKNOWN: invalid('The request has a field that nobody reads'),
  CURSOR_INVALID: invalid('The cursor is not one that a list gave'),
  IDEMPOTENCY_KEY_MISSING: invalid('The request needs an idempotency key'),
  IDEMPOTENCY_KEY_INVALID: invalid('The idempotency key has the wrong form'),
  AUTH_REQUIRED: unauthorized('The request names nobody'),
  AUTH_INVALID: unauthorized('The key or token is not valid, or not any more'),
  AUTH_SCOPE_MISSING: forbidden('The key is not allowed this'),
  AUTH_FORBIDDEN: forbidden('This is not for whoever sent the request'),
  'ALLOWANCE.NOT_GUARDIAN': forbidden('The child is not of this guardian'),
  APPROVAL_NEEDS_ANOTHER: forbidden('The person who decided the terms of a payment cannot approve, reject or hurry it'),
  RATE_LIMITED: { status: 429, title: 'Too many requests', retryable: true },
  ROUTE_NOT_FOUND: missing('There is nothing at this path'),
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path does not take this method', retryable: false },
  STATEMENT_TOO_LONG: unprocessable('The period has more lines than one statement'),

  TENANT_NOT_FOUND: missing('There is no such tenant'),
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
  PAUSE_NOT_FOUND: missing('There is no such pause'),
  API_KEY_NOT_FOUND: missing('The tenant has no such API key'),
  ISSUER_NOT_FOUND: missing('The tenant has no such token issuer'),
  EVENT_NOT_FOUND: missing('There is no such event, or nothing of it to erase'),
  FREEZE_NOT_FOUND: missing('The asset is not frozen'),
  CLOCK_NOT_FOUND: missing('The tenant has no such test clock'),

  TENANT_EXISTS: conflict('A tenant of that name exists'),
  ASSET_EXISTS: conflict('The tenant has that code at another scale'),
  ACCOUNT_EXISTS: conflict('The tenant has an account of that ref'),
  ACCOUNT_NOT_EMPTY: conflict('The account still holds money'),
  ACCOUNT_STATE_CONFLICT: conflict('The account is not in a state that allows this'),
  RESERVATION_RESOLVED: conflict('The reservation is resolved already'),
  PAYMENT_STATE_CONFLICT: conflict('The payment is not in a state that allows this'),
  PAYMENT_COUNT_MISMATCH: conflict('The filter finds another number of payments than was confirmed'),
  PAYMENT_OWNED: conflict('The payment belongs to a subscription or an allowance, which decides this'),
  API_KEY_STATE_CONFLICT: conflict('The API key is not in a state that allows this'),
  ISSUER_EXISTS: conflict('The issuer and audience are taken'),
  // Two codes as the document on allowances has them, and a third to go with them.
  'ALLOWANCE.ALREADY_EXISTS': conflict('The guardian has an allowance for the child already'),
  SCHEDULE_STATE_CONFLICT: conflict('The schedule is not in a state that allows this'),
  OUTAGE_STATE_CONFLICT: conflict('The outage was decided about already'),
  SCHEDULE_OF_SUBSCRIPTION: conflict('The schedule belongs to a subscription'),
  REFERENCE_EXISTS: conflict('The tenant has one of that reference'),
  BATCH_ABORTED: conflict('Another payment of the same atomic request was refused'),
  CLOCK_EXISTS: conflict('The test tenant already has a clock'),
  CLOCK_MISSING: conflict('The test tenant has no clock'),
  CLOCK_ADVANCING: conflict('The test clock is being advanced', true),
  APPROVAL_AWAITED: conflict('The payment waits for a second person', true),
  APPROVAL_TERMS_CHANGED: conflict("The payment's terms changed since they were read"),
  BUSY: conflict('Another transaction holds a required lock', true),
  IDEMPOTENCY_RUNNING: conflict('A request with this idempotency key is still running', true),

  LIMIT_AMOUNT_EXCEEDED: unprocessable('The amount is over the limit for one payment'),
  LIMIT_DAILY_EXCEEDED: unprocessable('The amount is over what the account or the tenant may send in 24 hours', true),
  SUBSCRIPTION_APPROVAL_EXCEEDED: unprocessable('The charge is beyond what the payer approved'),
  APPROVAL_REQUIRED: unprocessable('The amount needs approval; create a payment instead'),
  PAUSED: unprocessable('Outgoing payments are paused', true),
  API_KEYS_TOO_MANY: unprocessable('The tenant has reached its limit of API keys, or the key its limit of ancestors'),
  PAUSES_TOO_MANY: unprocessable('The tenant has reached its limit of active pauses'),
  CLOCK_TENANT_LIVE: unprocessable('A live tenant has no test clock'),
  CLOCK_TOO_MANY_STEPS: unprocessable('The advance took more steps than one may have', true),
  REFUND_EXCEEDS_PAYMENT: unprocessable('The refund is more than is left to refund'),
  CAPTURE_EXCEEDS_HOLD: unprocessable('The capture is more than is left of the hold'),
  SIMULATED_FAILURE: unprocessable('A failure was simulated', true),
  // Why a payment failed, where no refusal says it.
  FAILED_BY_OPERATOR: unprocessable('An operator gave up on the payment'),
  UNEXPECTED: unprocessable('Something that nobody foresaw kept the payment from running', true),
  IDEMPOTENCY_ANSWER_ERASED: unprocessable('The request was carried out, and its answer was erased with an account'),
  IDEMPOTENCY_MISMATCH: unprocessable('The idempotency key was used for another request'),
  ACCOUNT_NOT_ACTIVE: unprocessable('The account is suspended or closed', true),
  SELF_TRANSFER: unprocessable('Payer and payee are the same account'),
  FUNDS_INSUFFICIENT: unprocessable('The account does not hold enough', true),
  RESERVATION_TOO_SMALL: unprocessable('The reservation does not hold that much any more'),
  BALANCE_OVERFLOW: unprocessable('The balance would be larger than can be stored'),
  ASSET_FROZEN: unprocessable('Outgoing money of this asset is frozen', true),
  IMPORT_CONFLICT: unprocessable('The import differs from what was imported before'),
  IMPORT_TOTAL_MISMATCH: unprocessable('The import does not add up to the expected total'),

  // Not the caller's to mend, and no refusal: what is told of our own trouble.
  INTERNAL_ERROR: { status: 500, title: 'Something went wrong on our side', retryable: true },
  SERVICE_UNAVAILABLE: { status: 503, title: 'The service cannot answer at the moment', retryable: true },
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
