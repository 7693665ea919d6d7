// Written from the OpenAPI document by "npm run docs:client"; a test keeps them equal. Change the routes, not this.
import type { Operation } from './client.ts';
import type { Page, Pages } from './pages.ts';
import type { CallOptions } from './send.ts';

/** What a refusal can be. */
export type ProblemCode =
  | 'AMOUNT_INVALID'
  | 'AMOUNT_NOT_POSITIVE'
  | 'AMOUNT_TOO_LARGE'
  | 'ASSET_INVALID'
  | 'ID_INVALID'
  | 'RETRY_INVALID'
  | 'FIELD_INVALID'
  | 'IMPORT_INVALID'
  | 'DELAY_INVALID'
  | 'DELAY_OUT_OF_RANGE'
  | 'EXPIRY_BEFORE_EXECUTION'
  | 'LEGS_INVALID'
  | 'BULK_TOO_LARGE'
  | 'RULE_INVALID'
  | 'RULE_NEVER_FIRES'
  | 'RULE_TOO_FREQUENT'
  | 'LOCAL_TIME_INVALID'
  | 'ZONE_UNKNOWN'
  | 'STEPS_INVALID'
  | 'MISSED_INVALID'
  | 'BACKFILL_TOO_LARGE'
  | 'END_BEFORE_START'
  | 'PLAN_INVALID'
  | 'CLOCK_BACKWARDS'
  | 'CLOCK_TOO_FAR'
  | 'REQUEST_MALFORMED'
  | 'REQUEST_TIMEOUT'
  | 'HEADERS_TOO_LARGE'
  | 'BODY_TOO_LARGE'
  | 'CONTENT_TYPE_UNSUPPORTED'
  | 'JSON_MALFORMED'
  | 'JSON_TOO_COMPLEX'
  | 'JSON_DUPLICATE_KEY'
  | 'JSON_INTEGER_UNSAFE'
  | 'FIELD_UNKNOWN'
  | 'CURSOR_INVALID'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'AUTH_REQUIRED'
  | 'AUTH_INVALID'
  | 'AUTH_SCOPE_MISSING'
  | 'AUTH_FORBIDDEN'
  | 'ALLOWANCE.NOT_GUARDIAN'
  | 'APPROVAL_NEEDS_ANOTHER'
  | 'RATE_LIMITED'
  | 'ROUTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'STATEMENT_TOO_LONG'
  | 'TENANT_NOT_FOUND'
  | 'ASSET_NOT_FOUND'
  | 'ACCOUNT_NOT_FOUND'
  | 'RESERVATION_NOT_FOUND'
  | 'TRANSFER_NOT_FOUND'
  | 'PAYMENT_NOT_FOUND'
  | 'DEAD_LETTER_NOT_FOUND'
  | 'SCHEDULE_NOT_FOUND'
  | 'OUTAGE_NOT_FOUND'
  | 'PLAN_NOT_FOUND'
  | 'SUBSCRIPTION_NOT_FOUND'
  | 'ALLOWANCE.NOT_FOUND'
  | 'PAUSE_NOT_FOUND'
  | 'API_KEY_NOT_FOUND'
  | 'ISSUER_NOT_FOUND'
  | 'EVENT_NOT_FOUND'
  | 'FREEZE_NOT_FOUND'
  | 'CLOCK_NOT_FOUND'
  | 'TENANT_EXISTS'
  | 'ASSET_EXISTS'
  | 'ACCOUNT_EXISTS'
  | 'ACCOUNT_NOT_EMPTY'
  | 'ACCOUNT_STATE_CONFLICT'
  | 'RESERVATION_RESOLVED'
  | 'PAYMENT_STATE_CONFLICT'
  | 'PAYMENT_COUNT_MISMATCH'
  | 'PAYMENT_OWNED'
  | 'API_KEY_STATE_CONFLICT'
  | 'ISSUER_EXISTS'
  | 'ALLOWANCE.ALREADY_EXISTS'
  | 'SCHEDULE_STATE_CONFLICT'
  | 'OUTAGE_STATE_CONFLICT'
  | 'SCHEDULE_OF_SUBSCRIPTION'
  | 'REFERENCE_EXISTS'
  | 'BATCH_ABORTED'
  | 'CLOCK_EXISTS'
  | 'CLOCK_MISSING'
  | 'CLOCK_ADVANCING'
  | 'APPROVAL_AWAITED'
  | 'APPROVAL_TERMS_CHANGED'
  | 'BUSY'
  | 'IDEMPOTENCY_RUNNING'
  | 'LIMIT_AMOUNT_EXCEEDED'
  | 'LIMIT_DAILY_EXCEEDED'
  | 'SUBSCRIPTION_APPROVAL_EXCEEDED'
  | 'APPROVAL_REQUIRED'
  | 'PAUSED'
  | 'API_KEYS_TOO_MANY'
  | 'PAUSES_TOO_MANY'
  | 'CLOCK_TENANT_LIVE'
  | 'CLOCK_TOO_MANY_STEPS'
  | 'REFUND_EXCEEDS_PAYMENT'
  | 'CAPTURE_EXCEEDS_HOLD'
  | 'SIMULATED_FAILURE'
  | 'FAILED_BY_OPERATOR'
  | 'UNEXPECTED'
  | 'IDEMPOTENCY_ANSWER_ERASED'
  | 'IDEMPOTENCY_MISMATCH'
  | 'ACCOUNT_NOT_ACTIVE'
  | 'SELF_TRANSFER'
  | 'FUNDS_INSUFFICIENT'
  | 'RESERVATION_TOO_SMALL'
  | 'BALANCE_OVERFLOW'
  | 'ASSET_FROZEN'
  | 'IMPORT_CONFLICT'
  | 'IMPORT_TOTAL_MISMATCH'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

export interface AssetOrder {
  /** Code and scale: `USD/2`, `USDC/6`, `ROBUX/0`. */
  readonly asset: string;
  /** Make it the asset of orders that name none. */
  readonly default?: boolean;
}

export interface Asset {
  /** Code and scale. */
  readonly asset: string;
  readonly code: string;
  /** Decimals of the minor unit: 2 for cents. */
  readonly scale: number;
  /** Whether orders that name no asset mean this one. */
  readonly default: boolean;
}

export interface AccountOrder {
  /** Your own name for it, unique within the tenant: 1 to 200 printable characters without spaces. */
  readonly ref: string;
  /** `user` where left out. */
  readonly kind?: 'user' | 'merchant' | 'treasury';
  readonly name?: string | null;
  readonly contact?: {
    readonly email?: string;
    readonly phone?: string;
    /** IANA name. */
    readonly time_zone?: string;
  } | null;
  /** Id or ref of the account that answers for this one. */
  readonly guardian?: string | null;
  /** Instead of `guardian`: all accounts that answer for this one, by id or ref. Each can give it an allowance. */
  readonly guardians?: readonly string[];
}

export interface Contact {
  readonly email?: string;
  readonly phone?: string;
  /** IANA name. */
  readonly time_zone?: string;
}

export interface Account {
  readonly id: string;
  /** Your own name for it. */
  readonly ref: string;
  readonly kind: 'user' | 'merchant' | 'treasury' | 'system';
  readonly status: 'active' | 'suspended' | 'closed';
  readonly status_reason: string | null;
  readonly name: string | null;
  readonly contact: Contact | null;
  /** The first of `guardians`. */
  readonly guardian: string | null;
  /** The accounts that answer for this one. */
  readonly guardians: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Balance {
  readonly asset: string;
  /** Free to be paid; null at an earlier instant. */
  readonly available: string | null;
  /** Set aside for holds; null at an earlier instant. */
  readonly reserved: string | null;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly total: string;
}

export interface AccountWithBalances {
  readonly id: string;
  /** Your own name for it. */
  readonly ref: string;
  readonly kind: 'user' | 'merchant' | 'treasury' | 'system';
  readonly status: 'active' | 'suspended' | 'closed';
  readonly status_reason: string | null;
  readonly name: string | null;
  readonly contact: Contact | null;
  /** The first of `guardians`. */
  readonly guardian: string | null;
  /** The accounts that answer for this one. */
  readonly guardians: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly balances: readonly Balance[];
}

export interface AccountEdit {
  readonly name?: string | null;
  readonly contact?: {
    readonly email?: string;
    readonly phone?: string;
    /** IANA name. */
    readonly time_zone?: string;
  } | null;
  /** Id or ref; null for none. */
  readonly guardian?: string | null;
  /** Instead of `guardian`: all accounts that answer for this one, by id or ref. Each can give it an allowance. */
  readonly guardians?: readonly string[];
}

export interface RevokedTokens {
  readonly account: string;
  readonly revoked_at: string;
}

export interface MoneyOrder {
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly amount?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly amount_decimal?: string;
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset?: string;
  readonly description?: string;
}

export interface Transfer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  readonly kind: string;
  readonly payment: string | null;
  readonly reservation: string | null;
  readonly description: string | null;
  readonly posted_at: string;
}

export interface Reservation {
  /** The hold (`pay_…`) that set the money aside, or a reservation (`rsv_…`). */
  readonly id: string;
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly captured: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly released: string;
  readonly created_at: string;
  readonly resolved_at: string | null;
}

export interface Balances {
  readonly account: string;
  readonly at: string | null;
  readonly final: boolean;
  readonly data: readonly Balance[];
}

export interface StatementLine {
  readonly transfer: string;
  readonly posted_at: string;
  readonly kind: string;
  readonly counterparty: string;
  readonly description: string | null;
  /** Signed: negative where money left. */
  readonly amount: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly balance: string;
}

export interface Statement {
  readonly account: string;
  readonly asset: string;
  readonly from: string;
  readonly to: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly opening_balance: string;
  readonly lines: readonly StatementLine[];
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly closing_balance: string;
  /** True where nothing more can be posted into the period: the same statement will be the same for ever. False before `to`, for `world` and `fees`, and while a transaction that could post into the period is open: ask again. */
  readonly final: boolean;
}

export interface Shortfall {
  readonly at: string;
  /** What is lacking at that instant. */
  readonly missing: string;
  /** Where there is one already. */
  readonly payment: string | null;
  /** That will make the payment; of a subscription or an allowance too. */
  readonly schedule: string | null;
}

export interface AssetForecast {
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly available: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly reserved: string;
  /** Available after the last line. */
  readonly ends_with: string;
  /** The first payment that cannot be covered. */
  readonly shortfall: Shortfall | null;
  /** With so much more, everything is covered; "0" where it is. */
  readonly needed: string;
}

export interface ForecastLine {
  readonly at: string;
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset: string;
  /** Signed: negative where money goes out. */
  readonly amount: string;
  /** It goes out of what is reserved for it: `available` stays. */
  readonly reserved: boolean;
  /** After this line; below zero where money is lacking. */
  readonly available: string;
  /** Where there is one already. */
  readonly payment: string | null;
  /** That will make the payment; of a subscription or an allowance too. */
  readonly schedule: string | null;
  /** Of a schedule: the local date and time it is for. */
  readonly slot: string | null;
}

export interface Forecast {
  readonly account: string;
  readonly from: string;
  /** Earlier than was asked for where a bound was met first. */
  readonly until: string;
  /** There is more than one forecast shows. */
  readonly truncated: boolean;
  readonly assets: readonly AssetForecast[];
  readonly lines: readonly ForecastLine[];
}

export interface HoldOrder {
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly from?: string;
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly to?: string;
  /** Another word for `to`. */
  readonly to_user?: string;
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly amount?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly amount_decimal?: string;
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset?: string;
  /** RFC 3339, with a zone. */
  readonly execute_at?: string;
  /** From now on: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
  readonly delay?: string | number;
  /** RFC 3339, with a zone. */
  readonly expires_at?: string;
  /** Your own name for the payment, unique within the tenant. */
  readonly reference?: string;
  /** Yours, returned as it came; at most 16,384 characters of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface RetryPolicy {
  readonly max_attempts: number;
  /** ISO 8601. */
  readonly initial_delay: string;
  readonly multiplier: number;
  /** ISO 8601. */
  readonly max_delay: string;
  readonly jitter: number;
}

export interface Hold {
  readonly id: string;
  readonly status: 'scheduled' | 'processing' | 'submitted' | 'review' | 'settled' | 'failed' | 'cancelled' | 'expired';
  readonly rail: 'ledger';
  readonly funding: 'reserve' | 'at_execution';
  readonly from: string;
  /** Null where there are several payees; see `legs`. */
  readonly to: string | null;
  readonly legs: readonly {
    readonly to: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" where `amount` is "1250" of USD/2. */
  readonly amount_decimal: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly captured: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly released: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly refunded: string;
  readonly captures: number;
  readonly execute_at: string;
  readonly expires_at: string | null;
  readonly priority: 'high' | 'normal' | 'low';
  readonly attempts: number;
  /** Null: the preset `hold`. */
  readonly retry: RetryPolicy | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly last_error: {
    readonly code: string;
    readonly detail: string;
  } | null;
  /** Where a second person has to agree: `awaited` until then, and nothing moves; `given` since. */
  readonly approval: 'awaited' | 'given' | null;
  /** Grows with every change of amount, payees, `execute_at` or `expires_at`. An approval names the version that was seen. */
  readonly terms_version: number;
  /** While approval is awaited: when the payment expires without it. */
  readonly approval_until: string | null;
  /** What made the payment, where no caller did, and whose rules it obeys. Null for a payment of a caller. */
  readonly owner: {
    readonly kind: 'schedule' | 'subscription' | 'allowance';
    /** `sub_…` of a subscription, otherwise `sch_…`. */
    readonly id: string;
  } | null;
  /** An end user sees `tenant` in the place of a key. */
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
  /** The state in the words of the product document. */
  readonly hold_status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';
}

export interface HoldEvent {
  /** CREATED, SCHEDULED, PROCESSING, COMPLETED, FAILED, RELEASED, CANCELLED, EXPIRED and so on. */
  readonly event_type: string;
  readonly from_status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | null;
  readonly to_status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | null;
  /** The event as the stream has it. */
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly cause: string | null;
  /** Of an attempt, as in the timeline. */
  readonly duration_ms: number | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface PaymentOrder {
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly from: string;
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly to?: string;
  /** Instead of `to`: payees that are paid together; their amounts add up to `amount`. */
  readonly legs?: readonly {
    /** An account: its id (`acct_…`) or the ref you gave it. */
    readonly to: string;
    /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
    readonly amount?: string | number;
    /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
    readonly amount_decimal?: string;
  }[];
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly amount?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly amount_decimal?: string;
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset?: string;
  /** RFC 3339, with a zone. */
  readonly execute_at?: string;
  /** From now on: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
  readonly delay?: string | number;
  /** RFC 3339, with a zone. */
  readonly expires_at?: string;
  /** Your own name for the payment, unique within the tenant. */
  readonly reference?: string;
  /** Yours, returned as it came; at most 16,384 characters of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** `reserve` (default): funds are set aside now. `at_execution`: they are looked for when it is due. */
  readonly funding?: 'reserve' | 'at_execution';
  readonly rail?: 'ledger';
  /** A preset, or fields of a policy over the default: the preset `hold`, of a plan and an edited subscription `subscription`, of a new subscription its plan’s policy, of an allowance `allowance`. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | 'event-job'
    | 'webhook'
    | {
        readonly max_attempts?: number;
        /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly initial_delay?: string | number;
        readonly multiplier?: number;
        /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly max_delay?: string | number;
        readonly jitter?: number;
      };
  readonly priority?: 'high' | 'normal' | 'low';
}

export interface Payment {
  readonly id: string;
  readonly status: 'scheduled' | 'processing' | 'submitted' | 'review' | 'settled' | 'failed' | 'cancelled' | 'expired';
  readonly rail: 'ledger';
  readonly funding: 'reserve' | 'at_execution';
  readonly from: string;
  /** Null where there are several payees; see `legs`. */
  readonly to: string | null;
  readonly legs: readonly {
    readonly to: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" where `amount` is "1250" of USD/2. */
  readonly amount_decimal: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly captured: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly released: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly refunded: string;
  readonly captures: number;
  readonly execute_at: string;
  readonly expires_at: string | null;
  readonly priority: 'high' | 'normal' | 'low';
  readonly attempts: number;
  /** Null: the preset `hold`. */
  readonly retry: RetryPolicy | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly last_error: {
    readonly code: string;
    readonly detail: string;
  } | null;
  /** Where a second person has to agree: `awaited` until then, and nothing moves; `given` since. */
  readonly approval: 'awaited' | 'given' | null;
  /** Grows with every change of amount, payees, `execute_at` or `expires_at`. An approval names the version that was seen. */
  readonly terms_version: number;
  /** While approval is awaited: when the payment expires without it. */
  readonly approval_until: string | null;
  /** What made the payment, where no caller did, and whose rules it obeys. Null for a payment of a caller. */
  readonly owner: {
    readonly kind: 'schedule' | 'subscription' | 'allowance';
    /** `sub_…` of a subscription, otherwise `sch_…`. */
    readonly id: string;
  } | null;
  /** An end user sees `tenant` in the place of a key. */
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
}

export interface PaymentEdit {
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly amount?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly amount_decimal?: string;
  /** RFC 3339, with a zone. */
  readonly execute_at?: string;
  /** Yours, returned as it came; at most 16,384 characters of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface TimelineEntry {
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  /** Since the entry before. */
  readonly after: string;
  /** Why, where something was refused or a reason was given. */
  readonly cause: string | null;
  /** Of an attempt: milliseconds from the claim of its batch to the decision. A batch is one transaction, so its attempts share the number. */
  readonly duration_ms: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Refund {
  readonly id: string;
  readonly from: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  readonly created_at: string;
}

export interface Refunded {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
}

export interface BulkOrder {
  /** All or none; false where left out. */
  readonly atomic?: boolean;
  readonly payments: readonly PaymentOrder[];
}

export interface BulkResult {
  /** Null where it was refused. */
  readonly id: string | null;
  readonly error: {
    readonly code: string;
    readonly detail: string;
    readonly param?: string;
    readonly retryable: boolean;
  } | null;
}

export interface BulkAnswer {
  readonly created: number;
  readonly refused: number;
  /** In the order of the request. */
  readonly data: readonly BulkResult[];
}

export interface RunNowRefused {
  readonly id: string;
  readonly code: string;
  readonly detail: string;
}

export interface RunNowAnswer {
  readonly dry_run: boolean;
  readonly count: number;
  /** How many payments the filter finds in all. */
  readonly found: number;
  readonly remaining: number;
  readonly data: readonly Payment[];
  readonly refused: readonly RunNowRefused[];
}

/** One of `frequency` (with what belongs to it), `rrule`, `cron` and `every_seconds`. */
export interface Rule {
  readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  /** Every nth day, week, month or year, from the start. */
  readonly every?: number;
  /** `MO` … `SU`; of a month or year also `2TU` (the second Tuesday) and `-1FR` (the last Friday). With YEARLY, weekdays without a number need `months`. */
  readonly weekdays?: readonly string[];
  /** 1 to 31, or `last`. Left out: the day of the start. With YEARLY it needs `months`. */
  readonly days_of_month?: readonly (number | 'last')[];
  readonly months?: readonly number[];
  /** Local time of day. Left out: that of the start. */
  readonly time?: string;
  /** RFC 5545, with lines of EXDATE if any. What it does not say comes from the start: BYWEEKNO without BYDAY is the weekday of the start. */
  readonly rrule?: string;
  /** Five fields. */
  readonly cron?: string;
  /** A fixed period, at least 60. */
  readonly every_seconds?: number;
}

export interface BusinessDays {
  /** Where a slot goes that falls on another day. */
  readonly shift: 'skip' | 'next' | 'previous';
  readonly holidays?: readonly string[];
  /** Left out: SA and SU. */
  readonly weekend?: readonly string[];
}

export interface ScheduleOrder {
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly from: string;
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly to?: string;
  readonly legs?: readonly {
    /** An account: its id (`acct_…`) or the ref you gave it. */
    readonly to: string;
    /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
    readonly amount?: string | number;
    /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
    readonly amount_decimal?: string;
  }[];
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset?: string;
  /** Your own name for the payment, unique within the tenant. */
  readonly reference?: string;
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly amount?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly amount_decimal?: string;
  /** Other amounts from an ordinal on. */
  readonly steps?: readonly {
    /** An ordinal: the first slot is 1. */
    readonly from: number;
    /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
    readonly amount?: string | number;
    /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
    readonly amount_decimal?: string;
  }[];
  readonly funding?: 'reserve' | 'at_execution';
  readonly priority?: 'high' | 'normal' | 'low';
  /** A preset, or fields of a policy over the default: the preset `hold`, of a plan and an edited subscription `subscription`, of a new subscription its plan’s policy, of an allowance `allowance`. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | 'event-job'
    | 'webhook'
    | {
        readonly max_attempts?: number;
        /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly initial_delay?: string | number;
        readonly multiplier?: number;
        /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly max_delay?: string | number;
        readonly jitter?: number;
      };
  /** Yours, returned as it came; at most 16,384 characters of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** When several slots are due at once: run the last (default), skip them, or run all. */
  readonly missed?: 'last' | 'skip' | 'all';
  /** Of `all`: how many of the missed at most. */
  readonly missed_cap?: number;
  /** Of `all`: how old the oldest may be. */
  readonly missed_window?: string | number;
  /** More slots than this due at once: it pauses, and a person decides. */
  readonly guard_count?: number;
  /** The same, for what they come to together. */
  readonly guard_amount?: string | number;
  /** When the payment before is not finished. */
  readonly overlap?: 'wait' | 'skip' | 'allow';
  /** When a payment failed for good. */
  readonly after_failure?: 'continue' | 'pause' | 'expire';
  readonly rule: Rule;
  /** IANA name. */
  readonly zone?: string;
  /** A local date, or date and time, in the zone of the schedule: no offset. */
  readonly start?: string;
  /** A local date, or date and time, in the zone of the schedule: no offset. */
  readonly until?: string;
  /** No slot after so many, counted from `start`; without a `start`, from the first slot that will run: 12 is twelve payments. */
  readonly count?: number;
  readonly exclude?: readonly string[];
  /** A 31st in a month without: its last day, or none. */
  readonly month_end?: 'clamp' | 'skip';
  readonly business_days?: BusinessDays;
}

export interface Schedule {
  readonly id: string;
  readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
  readonly status_reason: string | null;
  readonly from: string;
  /** Null where there are several payees; see `legs`. */
  readonly to: string | null;
  readonly legs: readonly {
    readonly to: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  readonly steps: readonly {
    readonly from: number;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  readonly funding: 'reserve' | 'at_execution';
  readonly priority: 'high' | 'normal' | 'low';
  /** Null: the preset `hold`; of an allowance, the values of the deployment. */
  readonly retry: RetryPolicy | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly rule: Rule;
  readonly zone: string;
  readonly start: string;
  readonly until: string | null;
  readonly count: number | null;
  readonly exclude: readonly string[];
  /** Null: `clamp`; of an RRULE or cron `skip`. */
  readonly month_end: 'clamp' | 'skip' | null;
  readonly business_days: BusinessDays | null;
  /** When several slots are due at once: run the last (default), skip them, or run all. */
  readonly missed: 'last' | 'skip' | 'all';
  readonly missed_cap: number | null;
  readonly missed_window: string | null;
  readonly guard_count: number | null;
  readonly guard_amount: string | null;
  /** When the payment before is not finished. */
  readonly overlap: 'wait' | 'skip' | 'allow';
  /** When a payment failed for good. */
  readonly after_failure: 'continue' | 'pause' | 'expire';
  /** Null while it is paused, and after its end. */
  readonly next: {
    /** Local date and time in the zone of the schedule, without an offset. */
    readonly slot: string;
    /** Local date and time in the zone of the schedule, without an offset. */
    readonly local: string;
    readonly at: string;
  } | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
}

/** What is left out stays; null takes it away. */
export interface ScheduleEdit {
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly amount?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly amount_decimal?: string;
  readonly steps?:
    | readonly {
        /** An ordinal: the first slot is 1. */
        readonly from: number;
        /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
        readonly amount?: string | number;
        /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
        readonly amount_decimal?: string;
      }[]
    | null;
  readonly funding?: 'reserve' | 'at_execution';
  readonly priority?: 'high' | 'normal' | 'low';
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | 'event-job'
    | 'webhook'
    | {
        readonly max_attempts?: number;
        /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly initial_delay?: string | number;
        readonly multiplier?: number;
        /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly max_delay?: string | number;
        readonly jitter?: number;
      }
    | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /** When several slots are due at once: run the last (default), skip them, or run all. */
  readonly missed?: 'last' | 'skip' | 'all';
  readonly missed_cap?: number | null;
  readonly missed_window?: string | number | null;
  readonly guard_count?: number | null;
  readonly guard_amount?: string | number | null;
  /** When the payment before is not finished. */
  readonly overlap?: 'wait' | 'skip' | 'allow';
  /** When a payment failed for good. */
  readonly after_failure?: 'continue' | 'pause' | 'expire';
  readonly rule?: Rule;
  /** IANA name. */
  readonly zone?: string;
  /** A local date, or date and time, in the zone of the schedule: no offset. */
  readonly start?: string;
  readonly until?: string | null;
  readonly count?: number | null;
  readonly exclude?: readonly string[] | null;
  readonly month_end?: 'clamp' | 'skip' | null;
  readonly business_days?: BusinessDays | null;
}

export interface Occurrence {
  readonly id: string;
  /** Local date and time in the zone of the schedule, without an offset. */
  readonly slot: string;
  /** The last slot, where several were skipped together. */
  readonly through: string | null;
  /** How many slots it stands for. */
  readonly slots: number;
  /** Null for one that was triggered. */
  readonly ordinal: number | null;
  readonly kind: 'rule' | 'trigger' | 'backfill';
  readonly status: 'made' | 'skipped' | 'failed';
  /** `late`; why it was skipped; or the code of the refusal. */
  readonly reason: string | null;
  readonly detail: string | null;
  readonly amount: string | null;
  /** When it should have run. */
  readonly run_at: string;
  readonly payment: string | null;
  readonly created_at: string;
}

export interface UpcomingRun {
  /** The nominal time the rule gives; of a fixed period in UTC. */
  readonly slot: string;
  readonly ordinal: number;
  /** What the clocks of the zone show when it runs. */
  readonly local: string;
  readonly at: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
}

export interface OutageGuard {
  /** Schedules that may be overdue at once; null: any number. */
  readonly count: number | null;
  /** What they may come to. */
  readonly amounts: readonly {
    readonly asset: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
}

export interface OutageGuardOrder {
  readonly count?: number | null;
  readonly amounts?: readonly {
    /** Code and scale (`USD/2`), or the code alone. */
    readonly asset: string;
    /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
    readonly amount: string | number | null;
  }[];
}

export interface Outage {
  readonly id: string;
  readonly status: 'waiting' | 'released' | 'discarded';
  /** When the oldest of it was due. */
  readonly since: string;
  /** What was due up to then is held. */
  readonly through: string;
  /** Schedules, and what they were to pay at a slot each; the oldest 100,000 are counted. */
  readonly overdue: readonly {
    readonly asset: string;
    readonly count: number;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  readonly reason: string | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
}

export interface PlanOrder {
  readonly name: string;
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly price?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly price_decimal?: string;
  /** By the calendar, counted from the day of the subscription (the 31st, then the last day of shorter months), or always as many seconds. */
  readonly period:
    | {
        readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
        /** Every nth; 1 where left out. */
        readonly every?: number;
      }
    | {
        readonly every_seconds: number;
      };
  /** Whose calendar; an IANA name, UTC where left out. */
  readonly zone?: string;
  /** How many charges; or give `months`. Neither: subscriptions are open-ended. */
  readonly charges?: number | null;
  /** All charges that fall into so many months. */
  readonly months?: number | null;
  /** Days before the first charge; 0 where left out: it is made at once. */
  readonly trial_days?: number;
  /** Of the charges; `normal` where left out. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** Null or left out: six attempts, 1, 2, 4, 8 and 16 minutes apart. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | 'event-job'
    | 'webhook'
    | {
        readonly max_attempts?: number;
        /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly initial_delay?: string | number;
        readonly multiplier?: number;
        /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly max_delay?: string | number;
        readonly jitter?: number;
      }
    | null;
  /** After a charge that failed for good: `expire` (default), or `pause` as past due until it is resumed. */
  readonly after_failure?: 'expire' | 'pause';
  /** Of charges missed in an outage longer than a period: `last` makes the newest alone (default), `all` each of them, one after the other, `skip` none. A charge that is skipped counts as one of `charges`. */
  readonly missed?: 'all' | 'last' | 'skip';
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset?: string;
  /** Who is paid: id or ref. */
  readonly receiver: string;
}

export interface Plan {
  readonly id: string;
  readonly name: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly price: string;
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset: string;
  readonly receiver: string;
  /** By the calendar, counted from the day of the subscription (the 31st, then the last day of shorter months), or always as many seconds. */
  readonly period:
    | {
        readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
        /** Every nth; 1 where left out. */
        readonly every?: number;
      }
    | {
        readonly every_seconds: number;
      };
  readonly zone: string;
  readonly charges: number | null;
  readonly months: number | null;
  readonly trial_days: number;
  readonly priority: 'high' | 'normal' | 'low';
  /** Null: the preset `subscription`. */
  readonly retry: RetryPolicy | null;
  readonly after_failure: 'expire' | 'pause';
  readonly missed: 'all' | 'last' | 'skip';
  readonly created_at: string;
  readonly updated_at: string;
}

export interface PlanEdit {
  readonly name?: string;
  /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
  readonly price?: string | number;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
  readonly price_decimal?: string;
  /** By the calendar, counted from the day of the subscription (the 31st, then the last day of shorter months), or always as many seconds. */
  readonly period?:
    | {
        readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
        /** Every nth; 1 where left out. */
        readonly every?: number;
      }
    | {
        readonly every_seconds: number;
      };
  /** Whose calendar; an IANA name, UTC where left out. */
  readonly zone?: string;
  /** How many charges; or give `months`. Neither: subscriptions are open-ended. */
  readonly charges?: number | null;
  /** All charges that fall into so many months. */
  readonly months?: number | null;
  /** Days before the first charge; 0 where left out: it is made at once. */
  readonly trial_days?: number;
  /** Of the charges; `normal` where left out. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** Null or left out: six attempts, 1, 2, 4, 8 and 16 minutes apart. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | 'event-job'
    | 'webhook'
    | {
        readonly max_attempts?: number;
        /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly initial_delay?: string | number;
        readonly multiplier?: number;
        /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly max_delay?: string | number;
        readonly jitter?: number;
      }
    | null;
  /** After a charge that failed for good: `expire` (default), or `pause` as past due until it is resumed. */
  readonly after_failure?: 'expire' | 'pause';
  /** Of charges missed in an outage longer than a period: `last` makes the newest alone (default), `all` each of them, one after the other, `skip` none. A charge that is skipped counts as one of `charges`. */
  readonly missed?: 'all' | 'last' | 'skip';
}

export interface SubscriptionOrder {
  readonly plan: string;
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly payer: string;
  /** Your own name for the payment, unique within the tenant. */
  readonly reference?: string;
  /** Yours, returned as it came; at most 16,384 characters of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Days before the first charge; the plan's where left out. */
  readonly trial_days?: number;
  /** Of the charges; the plan's where left out. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** A preset, or fields of a policy over the default: the preset `hold`, of a plan and an edited subscription `subscription`, of a new subscription its plan’s policy, of an allowance `allowance`. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | 'event-job'
    | 'webhook'
    | {
        readonly max_attempts?: number;
        /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly initial_delay?: string | number;
        readonly multiplier?: number;
        /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly max_delay?: string | number;
        readonly jitter?: number;
      };
}

export interface Subscription {
  readonly id: string;
  readonly plan: string;
  readonly payer: string;
  readonly receiver: string;
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly price: string;
  /** `trialing`: the first charge is due when the trial ends. `paused`: on request, until it is resumed. `past_due`: a charge failed for good and the plan says `pause`. `expired`: it failed for good, or all that was approved is charged. */
  readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
  readonly status_reason: string | null;
  readonly priority: 'high' | 'normal' | 'low';
  /** Of each charge. */
  readonly retry: RetryPolicy | null;
  /** How many were approved; null: open-ended. */
  readonly charges: number | null;
  readonly charges_made: number;
  readonly charges_paid: number;
  /** The most that is charged in all: the price times the charges; after a change of plan, what was charged before plus the new price times the new charges. Null: open-ended, and each charge is at most the price. */
  readonly approved: string | null;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly paid: string;
  /** What a change of plan left over: it is taken off the next charges, and never paid out. */
  readonly credit: string;
  /** When the first charge is due; null without a trial. */
  readonly trial_ends_at: string | null;
  /** When it is cancelled instead of charged: the end of the period, where that was asked for. */
  readonly cancel_at: string | null;
  readonly next_due_at: string | null;
  /** The newest charge. */
  readonly last_payment: string | null;
  readonly schedule: string;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
}

export interface SubscriptionEdit {
  readonly priority?: 'high' | 'normal' | 'low';
  /** Null: the preset `subscription`. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | 'event-job'
    | 'webhook'
    | {
        readonly max_attempts?: number;
        /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly initial_delay?: string | number;
        readonly multiplier?: number;
        /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
        readonly max_delay?: string | number;
        readonly jitter?: number;
      }
    | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

export interface PlanChange {
  readonly plan: string;
  /** `none` where left out. */
  readonly proration?: 'none' | 'charge';
}

export interface Allowance {
  readonly id: string;
  readonly guardian_id: string;
  readonly junior_id: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" where `amount` is "1250" of USD/2. */
  readonly amount_decimal: string;
  readonly asset: string;
  /** Null where the schedule was given a rule that is none of these. */
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | null;
  readonly status: 'ON' | 'OFF';
  readonly zone: string;
  /** Null: `ALLOWANCE_MAX_RETRIES` and `ALLOWANCE_RETRY_DELAY_MS` of the deployment, as they are when a credit is made. */
  readonly retry: RetryPolicy | null;
  /** The next date, also while the credit before is tried again. Null while it is `OFF`. */
  readonly next_run_at: string | null;
  /** The date of the last credit that was paid, however late. Null until one is. */
  readonly last_run_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface AllowanceCredit {
  readonly id: string;
  /** The date it is for, however late it was paid. */
  readonly run_at: string;
  /** How many dates it stands for: several where they were skipped together. */
  readonly slots: number;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" where `amount` is "1250" of USD/2. */
  readonly amount_decimal: string;
  readonly asset: string;
  /** `PENDING` while it is tried; `FAILED` after its last attempt; `SKIPPED` says why in `reason`. */
  readonly status: 'CREDITED' | 'PENDING' | 'FAILED' | 'CANCELLED' | 'SKIPPED';
  readonly attempts: number;
  readonly credited_at: string | null;
  readonly payment: string | null;
  /** Why it was skipped: `missed`, `overlap`, `outage` and so on. */
  readonly reason: string | null;
  /** Of the last attempt that failed. Not shown to the child. */
  readonly last_error: {
    readonly code: string;
    readonly detail: string;
  } | null;
}

export interface Event {
  readonly id: string;
  /** Its place in the order of commits; without gaps over all tenants. */
  readonly seq: number;
  readonly type: string;
  readonly resource: string;
  readonly resource_id: string;
  /** `old` and `new`, where something changed. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Who did it: a key, a command, or a loop. */
  readonly actor: string;
  /** By the tenant’s clock. */
  readonly occurred_at: string;
  readonly recorded_at: string;
}

export interface Seal {
  readonly seq: number;
  readonly hash: string;
}

export interface AuditEvent {
  readonly id: string;
  /** The type of the event, in capitals; a settlement is PAYMENT_COMPLETED. */
  readonly action: string;
  /** Who did it: a key, a command, or `system`. */
  readonly actor: string;
  readonly resource: string;
  readonly resource_id: string;
  /** `old` and `new`, where something changed. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The other end of the connection; null for what came over none. */
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** The `X-Request-Id` of the answer. */
  readonly request_id: string | null;
  readonly recorded_at: string;
  /** Its link in the chain of the record; null for the second or so until it is sealed. */
  readonly seal: Seal | null;
}

export interface ErasedEvent {
  readonly id: string;
  readonly erased: true;
}

export interface Pause {
  readonly id: string;
  readonly scope: 'tenant' | 'asset' | 'rail';
  /** The asset or rail; null for the whole tenant. */
  readonly value: string | null;
  readonly reason: string;
  readonly paused_by: string;
  readonly paused_at: string;
}

export interface ExecutionCap {
  /** The tenant’s own cap. Null: it has none. */
  readonly per_second: number | null;
  /** The default of the deployment (`USANCE_EXECUTIONS_PER_SECOND`), for tenants without a cap. */
  readonly default_per_second: number | null;
  /** The cap in force: the tenant’s own, else the default. Null: none. */
  readonly applies_per_second: number | null;
}

export interface CronRun {
  readonly id: string;
  readonly job_name: string;
  readonly status: 'RUNNING' | 'SUCCESS' | 'FAILED';
  /** Payments made by the scheduler, payments claimed by the processor, and what each other loop works on. */
  readonly processed_count: number;
  /** Everything that was counted. */
  readonly counts: Readonly<Record<string, unknown>>;
  /** A code and a sentence; the log of the process has the rest. */
  readonly error_message: string | null;
  readonly started_at: string;
  /** Null while it runs. */
  readonly finished_at: string | null;
}

export interface AtStake {
  readonly asset: string;
  readonly count: number;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
}

export interface Overview {
  readonly at: string;
  readonly waiting: {
    readonly count: number;
    readonly next_due_at: string | null;
  };
  readonly due: {
    readonly count: number;
    readonly oldest_due_at: string | null;
    /** How late the oldest is. */
    readonly late: string;
  };
  /** Schedules with a slot that is due and not dealt with, counted up to 10,000. */
  readonly due_schedules: {
    readonly count: number;
    readonly oldest_due_at: string | null;
  };
  /** False: more wait or are due than are counted (10,000 a priority), the numbers are at least that. */
  readonly counted_all: boolean;
  readonly last_hour: {
    readonly settled: number;
    readonly failed: number;
  };
  readonly last_day: {
    readonly settled: number;
    readonly failed: number;
  };
  /** False: the last day had more than 50,000 events; the newest of them are counted. */
  readonly recent_counted_all: boolean;
  /** What gave up, and the money at stake. */
  readonly dead_letters: readonly AtStake[];
  /** What waits for a second person. */
  readonly awaiting_approval: readonly AtStake[];
  /** What is overdue at once and waits to be released or discarded. */
  readonly outages: readonly Outage[];
  readonly freezes: readonly {
    readonly asset: string;
    readonly violation: string;
    readonly frozen_at: string;
  }[];
  readonly pauses: readonly {
    readonly id: string;
    readonly scope: 'tenant' | 'asset' | 'rail';
    readonly value: string | null;
    readonly reason: string;
    readonly paused_at: string;
  }[];
  readonly execution_cap: ExecutionCap;
  readonly events_unplaced: {
    readonly count: number;
    readonly oldest: string | null;
  };
}

export interface DeadLetter {
  /** Of what gave up: its prefix says what it is. */
  readonly id: string;
  readonly kind: 'payment' | 'occurrence';
  /** The cause of the last attempt. */
  readonly code: string;
  readonly detail: string;
  readonly asset: string;
  /** What is at stake: was to be paid and was not. */
  readonly amount: string;
  readonly failed_at: string;
  /** ISO 8601. */
  readonly age: string;
  /** Of an occurrence. */
  readonly schedule: string | null;
  /** Of an occurrence: its nominal local time. */
  readonly slot: string | null;
}

export interface DeadLetterDone {
  readonly id: string;
}

export interface DeadLettersReplayed {
  readonly replayed: readonly string[];
  readonly refused: readonly {
    readonly id: string;
    readonly code: string;
    readonly detail: string;
  }[];
  /** There was more than one request takes: ask again. */
  readonly more: boolean;
}

export interface LimitOrder {
  /** An account: its id (`acct_…`) or the ref you gave it. */
  readonly account?: string;
  /** Code and scale (`USD/2`), or the code alone. */
  readonly asset: string;
  /** What one payment may be at most, in minor units, more than 0. Null: no limit. */
  readonly max_amount?: string | number | null;
  /** What may leave the account in 24 hours, more than 0; needs `account`. Null: the default of the tenant. */
  readonly daily_amount?: string | number | null;
  /** What may leave each account in 24 hours that has no `daily_amount`, more than 0; without `account`. */
  readonly default_daily_amount?: string | number | null;
  /** What may leave all accounts together in 24 hours, more than 0; without `account`. */
  readonly tenant_daily_amount?: string | number | null;
  /** A payment awaits approval when it, and what its maker sent from the payer in 24 hours without approval, is more. 0: every payment. */
  readonly approval_above?: string | number | null;
}

export interface Limit {
  /** Null: of every account of the tenant. */
  readonly account: string | null;
  readonly asset: string;
  /** What one payment may be at most. */
  readonly max_amount: string | null;
  /** What may leave the account in 24 hours. */
  readonly daily_amount: string | null;
  /** Of the tenant: what may leave each account in 24 hours that has no `daily_amount`. */
  readonly default_daily_amount: string | null;
  /** Of the tenant: what may leave all its accounts together in 24 hours. */
  readonly tenant_daily_amount: string | null;
  /** A payment awaits approval when it, and what its maker sent from the payer in 24 hours without approval, is more. */
  readonly approval_above: string | null;
}

export interface ApiKeyMade {
  readonly id: string;
  readonly name: string;
  /** Recognises the key without giving it away: its first characters, or `own_` and a hash for a chosen secret. */
  readonly prefix: string;
  readonly role: 'viewer' | 'operator' | 'admin' | null;
  /** Beside those of the role. */
  readonly scopes: readonly (
    | 'ledger:read'
    | 'ledger:write'
    | 'ledger:money'
    | 'payments:read'
    | 'payments:write'
    | 'events:read'
    | 'ops:read'
    | 'ops:write'
    | 'keys:read'
    | 'keys:write'
    | 'tenants:read'
    | 'tenants:write'
    | 'admin'
  )[];
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** To the minute. */
  readonly last_used_at: string | null;
  /** The key it was made to take the place of. */
  readonly replaces: string | null;
  /** The first key of its rotations. All keys of a lineage are one caller for idempotency, approvals, limits and audit. */
  readonly lineage_id: string;
  /** The key that created it, or rotated into it. */
  readonly parent_id: string | null;
  /** The person who holds it. */
  readonly person: string | null;
  /** The key itself, this once: it is kept nowhere, so a replayed answer has null here. */
  readonly secret: string | null;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** Recognises the key without giving it away: its first characters, or `own_` and a hash for a chosen secret. */
  readonly prefix: string;
  readonly role: 'viewer' | 'operator' | 'admin' | null;
  /** Beside those of the role. */
  readonly scopes: readonly (
    | 'ledger:read'
    | 'ledger:write'
    | 'ledger:money'
    | 'payments:read'
    | 'payments:write'
    | 'events:read'
    | 'ops:read'
    | 'ops:write'
    | 'keys:read'
    | 'keys:write'
    | 'tenants:read'
    | 'tenants:write'
    | 'admin'
  )[];
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** To the minute. */
  readonly last_used_at: string | null;
  /** The key it was made to take the place of. */
  readonly replaces: string | null;
  /** The first key of its rotations. All keys of a lineage are one caller for idempotency, approvals, limits and audit. */
  readonly lineage_id: string;
  /** The key that created it, or rotated into it. */
  readonly parent_id: string | null;
  /** The person who holds it. */
  readonly person: string | null;
}

export interface TokenIssuerOrder {
  /** `iss`, to the letter. */
  readonly issuer: string;
  /** Has to be among `aud`. */
  readonly audience: string;
  /** The only one that is taken. */
  readonly algorithm: 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA';
  /** A JWK Set (RFC 7517) of public keys: `{ "keys": [ … ] }`. Keys that do not fit the algorithm are left out. */
  readonly jwks?: Readonly<Record<string, unknown>>;
  /** Instead of `jwks`: one key in PEM. */
  readonly public_key?: string;
}

export interface TokenIssuer {
  readonly id: string;
  /** `iss`, to the letter. */
  readonly issuer: string;
  /** Has to be among `aud`. */
  readonly audience: string;
  /** The only one that is taken. */
  readonly algorithm: 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA';
  /** A JWK Set (RFC 7517) of public keys: `{ "keys": [ … ] }`. Keys that do not fit the algorithm are left out. */
  readonly jwks: Readonly<Record<string, unknown>>;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface TokenIssuerKeys {
  /** A JWK Set (RFC 7517) of public keys: `{ "keys": [ … ] }`. Keys that do not fit the algorithm are left out. */
  readonly jwks?: Readonly<Record<string, unknown>>;
  /** Instead of `jwks`: one key in PEM. */
  readonly public_key?: string;
}

export interface TenantMade {
  readonly id: string;
  readonly name: string;
  readonly kind: 'live' | 'test';
  readonly default_asset: string | null;
  readonly created_at: string;
  readonly key: ApiKeyMade;
}

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly kind: 'live' | 'test';
  readonly default_asset: string | null;
  readonly created_at: string;
}

export interface AdvanceEvents {
  /** How many events of the clock. Sign-ins, API keys, freezes and archiving follow real time and do not count. */
  readonly count: number;
  readonly by_type: Readonly<Record<string, unknown>>;
  /** By the clock; null where nothing happened. */
  readonly first_at: string | null;
  readonly last_at: string | null;
  /** The events are those of `GET /events?after=` this … */
  readonly after_seq: number;
  /** … up to this one. */
  readonly last_seq: number;
}

export interface TestClock {
  readonly id: string;
  readonly name: string;
  /** What time it is for the tenant. */
  readonly now: string;
  /** `advancing`: other writes are refused. `failed`: it stands where it got to, and may be advanced again. */
  readonly status: 'ready' | 'advancing' | 'failed';
  readonly created_at: string;
  /** Real time. */
  readonly deleted_at: string | null;
  /** The one under way, or the last one. */
  readonly advance: {
    readonly from: string;
    readonly to: string;
    /** Transactions it took so far. */
    readonly steps: number;
    readonly requested_at: string;
    readonly finished_at: string | null;
    /** Why it failed. */
    readonly code: string | null;
    /** A sentence; of an unexpected error, its code. The log has the rest. */
    readonly detail: string | null;
    /** Ended by a cancel: `now` is where it got to, `to` where it was sent. */
    readonly cancelled: boolean;
    /** What happened on the way, once it has ended and its events have their places; null before that. */
    readonly events: AdvanceEvents | null;
  } | null;
}

/** RFC 9457. */
export interface Problem {
  /** Where the code is explained. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  /** What happened, to what, and what to do. */
  readonly detail: string;
  /** The field to mend. */
  readonly param?: string;
  readonly request_id: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** Of an atomic bulk request: what was wrong with which payment. */
  readonly errors?: readonly {
    readonly index: number;
    readonly code: string;
    readonly detail: string;
    readonly param?: string;
  }[];
}

/** A method for every route. */
export interface Client {
  /** Make an asset */
  createAsset(body: AssetOrder, options?: CallOptions): Promise<Asset>;
  /** List assets */
  listAssets(options?: CallOptions): Pages<Asset>;
  /** Open an account */
  createAccount(body: AccountOrder, options?: CallOptions): Promise<Account>;
  /** List accounts */
  listAccounts(query?: { readonly limit?: number }, options?: CallOptions): Pages<Account>;
  /** An account and its balances */
  getAccount(id: string, options?: CallOptions): Promise<AccountWithBalances>;
  /** Edit name, contact or guardians */
  editAccount(id: string, body?: AccountEdit, options?: CallOptions): Promise<Account>;
  /** Suspend an account */
  suspendAccount(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Reactivate a suspended account */
  reactivateAccount(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Erase the personal fields of a closed account */
  eraseAccount(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
      /** Whether the ref says who it is. False where left out. */
      readonly ref?: boolean;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Revoke the tokens of an end user */
  revokeTokens(id: string, options?: CallOptions): Promise<RevokedTokens>;
  /** Close an account */
  closeAccount(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Bring money in */
  deposit(id: string, body?: MoneyOrder, options?: CallOptions): Promise<Transfer>;
  /** Take money out */
  withdraw(id: string, body?: MoneyOrder, options?: CallOptions): Promise<Transfer>;
  /** What moved in and out */
  listTransfers(id: string, query?: { readonly limit?: number }, options?: CallOptions): Pages<Transfer>;
  /** What is or was set aside */
  listReservations(id: string, query?: { readonly limit?: number }, options?: CallOptions): Pages<Reservation>;
  /** Balances, now or at an instant */
  getBalances(id: string, query?: { readonly at?: string }, options?: CallOptions): Promise<Balances>;
  /** A statement, as JSON or CSV */
  getStatement(
    id: string,
    query: { readonly from: string; readonly to: string; readonly asset?: string },
    options?: CallOptions,
  ): Promise<Statement>;
  /** What an account will hold, and what it cannot cover */
  getForecast(id: string, query?: { readonly days?: number }, options?: CallOptions): Promise<Forecast>;
  /** Hold funds now, pay at their hour */
  createHold(body?: HoldOrder, options?: CallOptions): Promise<Hold>;
  /** List holds */
  listHolds(
    query?: {
      readonly status?:
        | 'scheduled'
        | 'processing'
        | 'submitted'
        | 'review'
        | 'settled'
        | 'failed'
        | 'cancelled'
        | 'expired'
        | 'PENDING'
        | 'PROCESSING'
        | 'COMPLETED'
        | 'FAILED'
        | 'CANCELLED'
        | 'EXPIRED';
      readonly account?: string;
      readonly execute_from?: string;
      readonly execute_before?: string;
      readonly reference?: string;
      readonly approval?: 'awaited' | 'given';
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Hold>;
  /** A hold */
  getHold(id: string, options?: CallOptions): Promise<Hold>;
  /** What happened to a hold */
  listHoldEvents(id: string, query?: { readonly limit?: number }, options?: CallOptions): Pages<HoldEvent>;
  /** Cancel a hold */
  cancelHold(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Hold>;
  /** Take a part, or all, of a hold now */
  captureHold(
    id: string,
    body?: {
      /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
      readonly amount?: string | number;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
      readonly amount_decimal?: string;
    },
    options?: CallOptions,
  ): Promise<Hold>;
  /** Move the expiry of a hold */
  extendHold(
    id: string,
    body: {
      /** RFC 3339, with a zone. */
      readonly expires_at: string;
    },
    options?: CallOptions,
  ): Promise<Hold>;
  /** Make a payment */
  createPayment(body: PaymentOrder, options?: CallOptions): Promise<Payment>;
  /** List payments */
  listPayments(
    query?: {
      readonly status?:
        | 'scheduled'
        | 'processing'
        | 'submitted'
        | 'review'
        | 'settled'
        | 'failed'
        | 'cancelled'
        | 'expired';
      readonly account?: string;
      readonly execute_from?: string;
      readonly execute_before?: string;
      readonly reference?: string;
      readonly approval?: 'awaited' | 'given';
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Payment>;
  /** A payment */
  getPayment(id: string, options?: CallOptions): Promise<Payment>;
  /** Edit a scheduled payment */
  editPayment(id: string, body?: PaymentEdit, options?: CallOptions): Promise<Payment>;
  /** The story of a payment */
  getTimeline(id: string, query?: { readonly limit?: number }, options?: CallOptions): Pages<TimelineEntry>;
  /** Cancel a scheduled payment */
  cancelPayment(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Refund a settled payment */
  refundPayment(
    id: string,
    body?: {
      /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
      readonly amount?: string | number;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
      readonly amount_decimal?: string;
      /** An account: its id (`acct_…`) or the ref you gave it. */
      readonly from?: string;
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Refunded>;
  /** Give a failed payment its attempts again */
  retryPayment(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Make a scheduled payment due now */
  runPaymentNow(id: string, options?: CallOptions): Promise<Payment>;
  /** Give up on a scheduled payment */
  failPayment(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Approve a payment that waits for a second person */
  approvePayment(
    id: string,
    body: {
      readonly terms_version: number;
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Reject a payment that waits for a second person */
  rejectPayment(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Make up to 10,000 payments */
  createPayments(body: BulkOrder, options?: CallOptions): Promise<BulkAnswer>;
  /** Make scheduled payments due now */
  runPaymentsNow(
    body: {
      readonly filter: {
        /** Payer or payee: id or ref. */
        readonly account?: string;
        /** RFC 3339, with a zone. */
        readonly execute_from?: string;
        /** RFC 3339, with a zone. */
        readonly execute_before?: string;
        /** Your own name for the payment, unique within the tenant. */
        readonly reference?: string;
        /** Only payments that have failed at least once. */
        readonly retries?: boolean;
        /** Only charges of subscriptions. */
        readonly charges?: boolean;
        /** Payer alone: id or ref. */
        readonly from?: string;
        /** `hold` and `payment`: made by a caller, with funds reserved or not. `charge`: of a subscription. `schedule`: of another schedule. */
        readonly kind?: 'hold' | 'charge' | 'allowance' | 'schedule' | 'payment';
        /** Only payments whose last attempt failed with this code, such as `FUNDS_INSUFFICIENT`. */
        readonly code?: string;
      };
      readonly dry_run?: boolean;
      /** How many payments the filter finds in all. */
      readonly expect?: number;
      /** How many to take at most. */
      readonly limit?: number;
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<RunNowAnswer>;
  /** Make a schedule */
  createSchedule(body: ScheduleOrder, options?: CallOptions): Promise<Schedule>;
  /** List schedules */
  listSchedules(
    query?: {
      readonly status?: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
      readonly account?: string;
      readonly reference?: string;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Schedule>;
  /** A schedule */
  getSchedule(id: string, options?: CallOptions): Promise<Schedule>;
  /** Edit a schedule */
  editSchedule(id: string, body?: ScheduleEdit, options?: CallOptions): Promise<Schedule>;
  /** Pause a schedule */
  pauseSchedule(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Schedule>;
  /** Resume a paused schedule */
  resumeSchedule(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Schedule>;
  /** Cancel a schedule */
  cancelSchedule(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
      /** Its last payment too, if that is still waiting: its retries stop. */
      readonly cancel_payment?: boolean;
    },
    options?: CallOptions,
  ): Promise<Schedule>;
  /** Pay once more, now */
  triggerSchedule(id: string, options?: CallOptions): Promise<Occurrence>;
  /** Pay slots of the past */
  backfillSchedule(
    id: string,
    body: {
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly start: string;
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly end: string;
      readonly dry_run?: boolean;
    },
    options?: CallOptions,
  ): Promise<Page<Occurrence>>;
  /** What will run */
  listUpcoming(id: string, query?: { readonly count?: number }, options?: CallOptions): Pages<UpcomingRun>;
  /** What became of its slots */
  listOccurrences(
    id: string,
    query?: { readonly status?: 'made' | 'skipped' | 'failed'; readonly limit?: number },
    options?: CallOptions,
  ): Pages<Occurrence>;
  /** What may be overdue at once */
  getOutageGuard(options?: CallOptions): Promise<OutageGuard>;
  /** Set what may be overdue at once */
  setOutageGuard(body?: OutageGuardOrder, options?: CallOptions): Promise<OutageGuard>;
  /** What was held, and what became of it */
  listOutages(
    query?: { readonly status?: 'waiting' | 'released' | 'discarded'; readonly limit?: number },
    options?: CallOptions,
  ): Pages<Outage>;
  /** Let what was held be made */
  releaseOutage(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Outage>;
  /** Skip what was held */
  discardOutage(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Outage>;
  /** Make a plan */
  createPlan(body: PlanOrder, options?: CallOptions): Promise<Plan>;
  /** List plans */
  listPlans(query?: { readonly limit?: number }, options?: CallOptions): Pages<Plan>;
  /** One plan */
  getPlan(id: string, options?: CallOptions): Promise<Plan>;
  /** Change a plan */
  editPlan(id: string, body?: PlanEdit, options?: CallOptions): Promise<Plan>;
  /** Subscribe an account to a plan */
  createSubscription(body: SubscriptionOrder, options?: CallOptions): Promise<Subscription>;
  /** List subscriptions */
  listSubscriptions(
    query?: {
      readonly status?: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
      readonly plan?: string;
      readonly payer?: string;
      readonly reference?: string;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Subscription>;
  /** One subscription */
  getSubscription(id: string, options?: CallOptions): Promise<Subscription>;
  /** Change the priority, retry policy or metadata of a subscription */
  editSubscription(id: string, body?: SubscriptionEdit, options?: CallOptions): Promise<Subscription>;
  /** End a subscription */
  cancelSubscription(
    id: string,
    body?: {
      /** `now` where left out. */
      readonly at?: 'now' | 'period_end';
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Subscription>;
  /** Change a subscription to another plan */
  changeSubscriptionPlan(id: string, body: PlanChange, options?: CallOptions): Promise<Subscription>;
  /** Pause a subscription */
  pauseSubscription(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Subscription>;
  /** Resume a subscription that is paused, past due or expired */
  resumeSubscription(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Subscription>;
  /** Give a child an allowance */
  createAllowance(
    guardian: string,
    junior: string,
    body: {
      /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
      readonly amount?: string | number;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
      readonly amount_decimal?: string;
      /** At midnight: every day; or on the weekday, or the day of the month, that it began on. */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` goes on with the next date and pays nothing back. `OFF` stops, also what is being tried again. */
      readonly status: 'ON' | 'OFF';
      /** Code and scale (`USD/2`), or the code alone. */
      readonly asset?: string;
      /** IANA name: whose midnight. Left out: `time_zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      /** A preset, or fields of a policy over the preset `allowance`, for API keys alone. Left out or null: the values of the deployment. */
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | 'event-job'
        | 'webhook'
        | {
            readonly max_attempts?: number;
            /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
            readonly initial_delay?: string | number;
            readonly multiplier?: number;
            /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
            readonly max_delay?: string | number;
            readonly jitter?: number;
          };
    },
    options?: CallOptions,
  ): Promise<Allowance>;
  /** An allowance */
  getAllowance(guardian: string, junior: string, options?: CallOptions): Promise<Allowance>;
  /** Change an allowance, or turn it on or off */
  editAllowance(
    guardian: string,
    junior: string,
    body?: {
      /** Whole minor units: a string of digits, or a JSON integer that loses nothing. */
      readonly amount?: string | number;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. */
      readonly amount_decimal?: string;
      /** At midnight: every day; or on the weekday, or the day of the month, that it began on. */
      readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` goes on with the next date and pays nothing back. `OFF` stops, also what is being tried again. */
      readonly status?: 'ON' | 'OFF';
      /** IANA name: whose midnight. Left out: `time_zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | 'event-job'
        | 'webhook'
        | {
            readonly max_attempts?: number;
            /** After the first failed attempt. Raises a `max_delay` that is not given and would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
            readonly initial_delay?: string | number;
            readonly multiplier?: number;
            /** Longest wait. Refused where it is below a given `initial_delay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
            readonly max_delay?: string | number;
            readonly jitter?: number;
          }
        | null;
    },
    options?: CallOptions,
  ): Promise<Allowance>;
  /** Delete an allowance */
  deleteAllowance(guardian: string, junior: string, options?: CallOptions): Promise<Allowance>;
  /** List a guardian’s allowances */
  listAllowances(guardian: string, query?: { readonly limit?: number }, options?: CallOptions): Pages<Allowance>;
  /** List a guardian’s children */
  listJuniors(guardian: string, query?: { readonly limit?: number }, options?: CallOptions): Pages<Account>;
  /** List the allowances that a child is paid */
  listAllowancesOfJunior(junior: string, query?: { readonly limit?: number }, options?: CallOptions): Pages<Allowance>;
  /** The credits of an allowance */
  listAllowanceCredits(
    guardian: string,
    junior: string,
    query?: { readonly limit?: number },
    options?: CallOptions,
  ): Pages<AllowanceCredit>;
  /** What happened, in order */
  listEvents(
    query?: {
      readonly type?: string;
      readonly resource?: string;
      readonly resource_id?: string;
      readonly after?: number;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Event>;
  /** Who did what, and from where */
  listAuditEvents(
    query?: {
      readonly actor?: string;
      readonly action?: string;
      readonly resource?: string;
      readonly resource_id?: string;
      readonly request_id?: string;
      readonly from?: string;
      readonly before?: string;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<AuditEvent>;
  /** Erase what an event told */
  eraseAuditEvent(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<ErasedEvent>;
  /** Stop what leaves */
  createPause(
    body: {
      readonly scope: 'tenant' | 'asset' | 'rail';
      /** The asset or rail; none for the whole tenant. */
      readonly value?: string;
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Pause>;
  /** What is stopped */
  listPauses(options?: CallOptions): Pages<Pause>;
  /** Let it leave again */
  liftPause(id: string, options?: CallOptions): Promise<Pause>;
  /** Show the cap on executions a second */
  getExecutionCap(options?: CallOptions): Promise<ExecutionCap>;
  /** Cap the payments executed a second */
  setExecutionCap(
    body: {
      readonly per_second: number | null;
    },
    options?: CallOptions,
  ): Promise<ExecutionCap>;
  /** What the loops did */
  listCronRuns(
    query?: {
      readonly job_name?:
        | 'scheduler'
        | 'sequencer'
        | 'sealer'
        | 'anchors'
        | 'integrity'
        | 'clocks'
        | 'forecast'
        | 'partitions'
        | 'retention'
        | 'metrics'
        | 'processor'
        | 'key-usage'
        | 'sign-ins';
      readonly status?: 'RUNNING' | 'SUCCESS' | 'FAILED';
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<CronRun>;
  /** The tenant at a glance */
  getOverview(options?: CallOptions): Promise<Overview>;
  /** What gave up, and why */
  listDeadLetters(
    query?: {
      readonly kind?: 'payment' | 'occurrence';
      readonly code?: string;
      readonly asset?: string;
      readonly failed_from?: string;
      readonly failed_before?: string;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<DeadLetter>;
  /** A dead letter */
  getDeadLetter(id: string, options?: CallOptions): Promise<DeadLetter>;
  /** Give what gave up another chance */
  replayDeadLetter(
    id: string,
    body?: {
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<DeadLetterDone>;
  /** Leave it at that */
  discardDeadLetter(
    id: string,
    body: {
      /** Why; kept on the record. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<DeadLetterDone>;
  /** Replay all that a filter finds */
  replayDeadLetters(
    body: {
      readonly filter: {
        readonly kind?: 'payment' | 'occurrence';
        readonly code?: string;
        /** Code and scale (`USD/2`), or the code alone. */
        readonly asset?: string;
        /** RFC 3339, with a zone. */
        readonly failed_from?: string;
        /** RFC 3339, with a zone. */
        readonly failed_before?: string;
      };
      /** Why; kept on the record. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<DeadLettersReplayed>;
  /** Set limits of the tenant or of one account */
  setLimit(body: LimitOrder, options?: CallOptions): Promise<Page<Limit>>;
  /** List limits */
  listLimits(options?: CallOptions): Pages<Limit>;
  /** Make an API key */
  createApiKey(
    body: {
      /** What it is for. */
      readonly name: string;
      /** A bundle of scopes. */
      readonly role?: 'viewer' | 'operator' | 'admin';
      readonly scopes?: readonly (
        | 'ledger:read'
        | 'ledger:write'
        | 'ledger:money'
        | 'payments:read'
        | 'payments:write'
        | 'events:read'
        | 'ops:read'
        | 'ops:write'
        | 'keys:read'
        | 'keys:write'
        | 'tenants:read'
        | 'tenants:write'
        | 'admin'
      )[];
      /** RFC 3339, with a zone. */
      readonly expires_at?: string;
      /** The person who will hold it. Two keys of one person cannot approve each other’s payments. Names are compared without regard to case, spacing and Unicode forms (NFKC). */
      readonly person?: string;
    },
    options?: CallOptions,
  ): Promise<ApiKeyMade>;
  /** List API keys */
  listApiKeys(query?: { readonly limit?: number }, options?: CallOptions): Pages<ApiKey>;
  /** Revoke an API key */
  revokeApiKey(id: string, options?: CallOptions): Promise<ApiKey>;
  /** Give an API key a new secret */
  rotateApiKey(
    id: string,
    body?: {
      /** From now on: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. */
      readonly overlap?: string | number;
    },
    options?: CallOptions,
  ): Promise<ApiKeyMade>;
  /** Let an issuer sign tokens for end users */
  createTokenIssuer(body: TokenIssuerOrder, options?: CallOptions): Promise<TokenIssuer>;
  /** List token issuers */
  listTokenIssuers(options?: CallOptions): Pages<TokenIssuer>;
  /** Give a token issuer other keys */
  rekeyTokenIssuer(id: string, body?: TokenIssuerKeys, options?: CallOptions): Promise<TokenIssuer>;
  /** Remove a token issuer */
  removeTokenIssuer(id: string, options?: CallOptions): Promise<TokenIssuer>;
  /** Make a tenant */
  createTenant(
    body: {
      readonly name: string;
      /** `live` where left out. */
      readonly kind?: 'live' | 'test';
    },
    options?: CallOptions,
  ): Promise<TenantMade>;
  /** List tenants */
  listTenants(options?: CallOptions): Pages<Tenant>;
  /** Create a test clock */
  createTestClock(
    body: {
      readonly name: string;
      /** RFC 3339, with a zone. */
      readonly now: string;
    },
    options?: CallOptions,
  ): Promise<TestClock>;
  /** The clock of the tenant */
  listTestClocks(options?: CallOptions): Pages<TestClock>;
  /** What time it is, and what the last advance did */
  getTestClock(id: string, options?: CallOptions): Promise<TestClock>;
  /** Delete a test clock */
  deleteTestClock(id: string, options?: CallOptions): Promise<TestClock>;
  /** Let time pass */
  advanceTestClock(
    id: string,
    body: {
      /** RFC 3339, with a zone. */
      readonly to: string;
    },
    options?: CallOptions,
  ): Promise<TestClock>;
  /** Cancel an advance */
  cancelAdvance(id: string, options?: CallOptions): Promise<TestClock>;
}

export const OPERATIONS = {
  createAsset: { method: 'POST', path: '/v1/assets', input: 'body' },
  listAssets: { method: 'GET', path: '/v1/assets', input: null, list: true },
  createAccount: { method: 'POST', path: '/v1/accounts', input: 'body' },
  listAccounts: { method: 'GET', path: '/v1/accounts', input: 'query', list: true },
  getAccount: { method: 'GET', path: '/v1/accounts/{id}', input: null },
  editAccount: { method: 'PATCH', path: '/v1/accounts/{id}', input: 'body' },
  suspendAccount: { method: 'POST', path: '/v1/accounts/{id}/suspend', input: 'body' },
  reactivateAccount: { method: 'POST', path: '/v1/accounts/{id}/reactivate', input: 'body' },
  eraseAccount: { method: 'POST', path: '/v1/accounts/{id}/erase', input: 'body' },
  revokeTokens: { method: 'POST', path: '/v1/accounts/{id}/revoke-tokens', input: null },
  closeAccount: { method: 'POST', path: '/v1/accounts/{id}/close', input: 'body' },
  deposit: { method: 'POST', path: '/v1/accounts/{id}/deposits', input: 'body' },
  withdraw: { method: 'POST', path: '/v1/accounts/{id}/withdrawals', input: 'body' },
  listTransfers: { method: 'GET', path: '/v1/accounts/{id}/transfers', input: 'query', list: true },
  listReservations: { method: 'GET', path: '/v1/accounts/{id}/reservations', input: 'query', list: true },
  getBalances: { method: 'GET', path: '/v1/accounts/{id}/balances', input: 'query' },
  getStatement: { method: 'GET', path: '/v1/accounts/{id}/statement', input: 'query' },
  getForecast: { method: 'GET', path: '/v1/accounts/{id}/forecast', input: 'query' },
  createHold: { method: 'POST', path: '/v1/holds', input: 'body' },
  listHolds: { method: 'GET', path: '/v1/holds', input: 'query', list: true },
  getHold: { method: 'GET', path: '/v1/holds/{id}', input: null },
  listHoldEvents: { method: 'GET', path: '/v1/holds/{id}/events', input: 'query', list: true },
  cancelHold: { method: 'POST', path: '/v1/holds/{id}/cancel', input: 'body' },
  captureHold: { method: 'POST', path: '/v1/holds/{id}/capture', input: 'body' },
  extendHold: { method: 'POST', path: '/v1/holds/{id}/extend', input: 'body' },
  createPayment: { method: 'POST', path: '/v1/payments', input: 'body' },
  listPayments: { method: 'GET', path: '/v1/payments', input: 'query', list: true },
  getPayment: { method: 'GET', path: '/v1/payments/{id}', input: null },
  editPayment: { method: 'PATCH', path: '/v1/payments/{id}', input: 'body' },
  getTimeline: { method: 'GET', path: '/v1/payments/{id}/timeline', input: 'query', list: true },
  cancelPayment: { method: 'POST', path: '/v1/payments/{id}/cancel', input: 'body' },
  refundPayment: { method: 'POST', path: '/v1/payments/{id}/refund', input: 'body' },
  retryPayment: { method: 'POST', path: '/v1/payments/{id}/retry', input: 'body' },
  runPaymentNow: { method: 'POST', path: '/v1/payments/{id}/run-now', input: null },
  failPayment: { method: 'POST', path: '/v1/payments/{id}/fail', input: 'body' },
  approvePayment: { method: 'POST', path: '/v1/payments/{id}/approve', input: 'body' },
  rejectPayment: { method: 'POST', path: '/v1/payments/{id}/reject', input: 'body' },
  createPayments: { method: 'POST', path: '/v1/payments/bulk', input: 'body' },
  runPaymentsNow: { method: 'POST', path: '/v1/payments/run-now', input: 'body' },
  createSchedule: { method: 'POST', path: '/v1/schedules', input: 'body' },
  listSchedules: { method: 'GET', path: '/v1/schedules', input: 'query', list: true },
  getSchedule: { method: 'GET', path: '/v1/schedules/{id}', input: null },
  editSchedule: { method: 'PATCH', path: '/v1/schedules/{id}', input: 'body' },
  pauseSchedule: { method: 'POST', path: '/v1/schedules/{id}/pause', input: 'body' },
  resumeSchedule: { method: 'POST', path: '/v1/schedules/{id}/resume', input: 'body' },
  cancelSchedule: { method: 'POST', path: '/v1/schedules/{id}/cancel', input: 'body' },
  triggerSchedule: { method: 'POST', path: '/v1/schedules/{id}/trigger', input: null },
  backfillSchedule: { method: 'POST', path: '/v1/schedules/{id}/backfill', input: 'body' },
  listUpcoming: { method: 'GET', path: '/v1/schedules/{id}/upcoming', input: 'query', list: true },
  listOccurrences: { method: 'GET', path: '/v1/schedules/{id}/occurrences', input: 'query', list: true },
  getOutageGuard: { method: 'GET', path: '/v1/outage-guard', input: null },
  setOutageGuard: { method: 'POST', path: '/v1/outage-guard', input: 'body' },
  listOutages: { method: 'GET', path: '/v1/outages', input: 'query', list: true },
  releaseOutage: { method: 'POST', path: '/v1/outages/{id}/release', input: 'body' },
  discardOutage: { method: 'POST', path: '/v1/outages/{id}/discard', input: 'body' },
  createPlan: { method: 'POST', path: '/v1/plans', input: 'body' },
  listPlans: { method: 'GET', path: '/v1/plans', input: 'query', list: true },
  getPlan: { method: 'GET', path: '/v1/plans/{id}', input: null },
  editPlan: { method: 'PATCH', path: '/v1/plans/{id}', input: 'body' },
  createSubscription: { method: 'POST', path: '/v1/subscriptions', input: 'body' },
  listSubscriptions: { method: 'GET', path: '/v1/subscriptions', input: 'query', list: true },
  getSubscription: { method: 'GET', path: '/v1/subscriptions/{id}', input: null },
  editSubscription: { method: 'PATCH', path: '/v1/subscriptions/{id}', input: 'body' },
  cancelSubscription: { method: 'POST', path: '/v1/subscriptions/{id}/cancel', input: 'body' },
  changeSubscriptionPlan: { method: 'POST', path: '/v1/subscriptions/{id}/change-plan', input: 'body' },
  pauseSubscription: { method: 'POST', path: '/v1/subscriptions/{id}/pause', input: 'body' },
  resumeSubscription: { method: 'POST', path: '/v1/subscriptions/{id}/resume', input: 'body' },
  createAllowance: { method: 'POST', path: '/v1/guardians/{guardian}/allowances/{junior}', input: 'body' },
  getAllowance: { method: 'GET', path: '/v1/guardians/{guardian}/allowances/{junior}', input: null },
  editAllowance: { method: 'PATCH', path: '/v1/guardians/{guardian}/allowances/{junior}', input: 'body' },
  deleteAllowance: { method: 'DELETE', path: '/v1/guardians/{guardian}/allowances/{junior}', input: null },
  listAllowances: { method: 'GET', path: '/v1/guardians/{guardian}/allowances', input: 'query', list: true },
  listJuniors: { method: 'GET', path: '/v1/guardians/{guardian}/juniors', input: 'query', list: true },
  listAllowancesOfJunior: { method: 'GET', path: '/v1/juniors/{junior}/allowances', input: 'query', list: true },
  listAllowanceCredits: {
    method: 'GET',
    path: '/v1/guardians/{guardian}/allowances/{junior}/credits',
    input: 'query',
    list: true,
  },
  listEvents: { method: 'GET', path: '/v1/events', input: 'query', list: true },
  listAuditEvents: { method: 'GET', path: '/v1/audit-events', input: 'query', list: true },
  eraseAuditEvent: { method: 'POST', path: '/v1/audit-events/{id}/erase', input: 'body' },
  createPause: { method: 'POST', path: '/v1/pauses', input: 'body' },
  listPauses: { method: 'GET', path: '/v1/pauses', input: null, list: true },
  liftPause: { method: 'DELETE', path: '/v1/pauses/{id}', input: null },
  getExecutionCap: { method: 'GET', path: '/v1/execution-cap', input: null },
  setExecutionCap: { method: 'PATCH', path: '/v1/execution-cap', input: 'body' },
  listCronRuns: { method: 'GET', path: '/v1/cron-runs', input: 'query', list: true },
  getOverview: { method: 'GET', path: '/v1/overview', input: null },
  listDeadLetters: { method: 'GET', path: '/v1/dead-letters', input: 'query', list: true },
  getDeadLetter: { method: 'GET', path: '/v1/dead-letters/{id}', input: null },
  replayDeadLetter: { method: 'POST', path: '/v1/dead-letters/{id}/replay', input: 'body' },
  discardDeadLetter: { method: 'POST', path: '/v1/dead-letters/{id}/discard', input: 'body' },
  replayDeadLetters: { method: 'POST', path: '/v1/dead-letters/replay', input: 'body' },
  setLimit: { method: 'POST', path: '/v1/limits', input: 'body' },
  listLimits: { method: 'GET', path: '/v1/limits', input: null, list: true },
  createApiKey: { method: 'POST', path: '/v1/api-keys', input: 'body' },
  listApiKeys: { method: 'GET', path: '/v1/api-keys', input: 'query', list: true },
  revokeApiKey: { method: 'DELETE', path: '/v1/api-keys/{id}', input: null },
  rotateApiKey: { method: 'POST', path: '/v1/api-keys/{id}/rotate', input: 'body' },
  createTokenIssuer: { method: 'POST', path: '/v1/token-issuers', input: 'body' },
  listTokenIssuers: { method: 'GET', path: '/v1/token-issuers', input: null, list: true },
  rekeyTokenIssuer: { method: 'PATCH', path: '/v1/token-issuers/{id}', input: 'body' },
  removeTokenIssuer: { method: 'DELETE', path: '/v1/token-issuers/{id}', input: null },
  createTenant: { method: 'POST', path: '/v1/tenants', input: 'body' },
  listTenants: { method: 'GET', path: '/v1/tenants', input: null, list: true },
  createTestClock: { method: 'POST', path: '/v1/test-clocks', input: 'body' },
  listTestClocks: { method: 'GET', path: '/v1/test-clocks', input: null, list: true },
  getTestClock: { method: 'GET', path: '/v1/test-clocks/{id}', input: null },
  deleteTestClock: { method: 'DELETE', path: '/v1/test-clocks/{id}', input: null },
  advanceTestClock: { method: 'POST', path: '/v1/test-clocks/{id}/advance', input: 'body' },
  cancelAdvance: { method: 'POST', path: '/v1/test-clocks/{id}/cancel', input: null },
} as const satisfies Record<keyof Client, Operation>;
