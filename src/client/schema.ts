// Written from the OpenAPI document by "npm run docs:client"; a test keeps them equal. Change the routes, not this.
import type { Operation } from './client.ts';
import type { DryRun } from './dry-run.ts';
import type { FollowEvents } from './follow.ts';
import type { OneGiven } from './one-given.ts';
import type { AnyEvent } from './own-event.ts';
import type { Page, Pages } from './pages.ts';
import type { CallOptions, DryRunCallOptions } from './send.ts';

/** The version of the API that these types are of. */
export const API_VERSION = '2026-11-16';

/** The codes of refusals. */
export type ProblemCode =
  | 'AMOUNT_INVALID'
  | 'AMOUNT_NOT_POSITIVE'
  | 'AMOUNT_TOO_LARGE'
  | 'ASSET_INVALID'
  | 'ID_INVALID'
  | 'RETRY_INVALID'
  | 'FIELD_INVALID'
  | 'IMPORT_INVALID'
  | 'FIELD_UNKNOWN'
  | 'CURSOR_INVALID'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'BUSY'
  | 'IDEMPOTENCY_RUNNING'
  | 'IDEMPOTENCY_RESPONSE_ERASED'
  | 'IDEMPOTENCY_MISMATCH'
  | 'IMPORT_CONFLICT'
  | 'IMPORT_TOTAL_MISMATCH'
  | 'REQUEST_MALFORMED'
  | 'REQUEST_TIMEOUT'
  | 'HEADERS_TOO_LARGE'
  | 'BODY_TOO_LARGE'
  | 'CONTENT_TYPE_UNSUPPORTED'
  | 'JSON_MALFORMED'
  | 'JSON_TOO_COMPLEX'
  | 'JSON_DUPLICATE_KEY'
  | 'JSON_INTEGER_UNSAFE'
  | 'PRECONDITION_FAILED'
  | 'PRECONDITION_INVALID'
  | 'VERSION_UNKNOWN'
  | 'RATE_LIMITED'
  | 'ROUTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'AUTH_REQUIRED'
  | 'AUTH_INVALID'
  | 'SESSION_ENDED'
  | 'SESSION_LINK_INVALID'
  | 'SESSION_TENANT_UNKNOWN'
  | 'CSRF_INVALID'
  | 'AUTH_SCOPE_MISSING'
  | 'AUTH_FORBIDDEN'
  | 'TENANT_NOT_FOUND'
  | 'API_KEY_NOT_FOUND'
  | 'ISSUER_NOT_FOUND'
  | 'TENANT_EXISTS'
  | 'API_KEY_STATE_CONFLICT'
  | 'ISSUER_EXISTS'
  | 'ISSUERS_TOO_MANY'
  | 'API_KEYS_TOO_MANY'
  | 'STATEMENT_TOO_LONG'
  | 'ASSET_NOT_FOUND'
  | 'ACCOUNT_NOT_FOUND'
  | 'RESERVATION_NOT_FOUND'
  | 'TRANSFER_NOT_FOUND'
  | 'ASSET_EXISTS'
  | 'ACCOUNT_EXISTS'
  | 'ACCOUNT_NOT_EMPTY'
  | 'ACCOUNT_OF_WALLET'
  | 'ACCOUNT_STATE_CONFLICT'
  | 'RESERVATION_RESOLVED'
  | 'ACCOUNT_NOT_ACTIVE'
  | 'SELF_TRANSFER'
  | 'FUNDS_INSUFFICIENT'
  | 'RESERVATION_TOO_SMALL'
  | 'BALANCE_OVERFLOW'
  | 'ASSET_FROZEN'
  | 'DELAY_INVALID'
  | 'DELAY_OUT_OF_RANGE'
  | 'EXPIRY_BEFORE_EXECUTION'
  | 'LEGS_INVALID'
  | 'BULK_TOO_LARGE'
  | 'APPROVAL_NEEDS_ANOTHER'
  | 'PAYMENT_NOT_FOUND'
  | 'PAYMENT_STATE_CONFLICT'
  | 'PAYMENT_COUNT_MISMATCH'
  | 'PAYMENT_OWNED'
  | 'REFERENCE_EXISTS'
  | 'BATCH_ABORTED'
  | 'APPROVAL_AWAITED'
  | 'APPROVAL_TERMS_CHANGED'
  | 'LIMIT_AMOUNT_EXCEEDED'
  | 'LIMIT_DAILY_EXCEEDED'
  | 'APPROVAL_REQUIRED'
  | 'REFUND_EXCEEDS_PAYMENT'
  | 'CAPTURE_EXCEEDS_HOLD'
  | 'FAILED_BY_OPERATOR'
  | 'UNEXPECTED'
  | 'PAYOUT_INVALID'
  | 'CHAIN_NOT_AVAILABLE'
  | 'DESTINATION_INVALID'
  | 'ASSET_NOT_ON_CHAIN'
  | 'PAYOUT_AMOUNT_INVALID'
  | 'PAYOUT_NOT_SENT'
  | 'PAYOUT_NOT_LANDED'
  | 'PAYOUT_DESTINATION_NOT_ALLOWED'
  | 'PAYOUT_CAP_EXCEEDED'
  | 'PAYOUT_DESTINATION_NOT_FOUND'
  | 'PAYOUT_DESTINATION_EXISTS'
  | 'PAYOUT_DESTINATION_APPROVED'
  | 'PAYOUT_DESTINATIONS_TOO_MANY'
  | 'PAYOUT_WAITS'
  | 'PAYOUT_NOT_IN_REVIEW'
  | 'PAYOUT_RESOLUTION_REFUSED'
  | 'PAYOUT_UNCONFIRMED'
  | 'RULE_INVALID'
  | 'RULE_NEVER_FIRES'
  | 'RULE_TOO_FREQUENT'
  | 'LOCAL_TIME_INVALID'
  | 'ZONE_UNKNOWN'
  | 'END_BEFORE_START'
  | 'STEPS_INVALID'
  | 'MISSED_INVALID'
  | 'BACKFILL_TOO_LARGE'
  | 'ALLOWANCE.NOT_GUARDIAN'
  | 'DEAD_LETTER_NOT_FOUND'
  | 'SCHEDULE_NOT_FOUND'
  | 'OUTAGE_NOT_FOUND'
  | 'ALLOWANCE.NOT_FOUND'
  | 'ALLOWANCE.ALREADY_EXISTS'
  | 'SCHEDULE_STATE_CONFLICT'
  | 'OUTAGE_STATE_CONFLICT'
  | 'PLAN_INVALID'
  | 'PLAN_NOT_FOUND'
  | 'SUBSCRIPTION_NOT_FOUND'
  | 'SCHEDULE_OF_SUBSCRIPTION'
  | 'SUBSCRIPTION_APPROVAL_EXCEEDED'
  | 'JOB_NOT_FOUND'
  | 'EXECUTION_NOT_FOUND'
  | 'JOB_NAME_TAKEN'
  | 'JOB_MANAGED'
  | 'JOB_DELETED'
  | 'EXECUTION_NOT_RETRYABLE'
  | 'EXECUTION_NOT_CANCELLABLE'
  | 'JOBS_TOO_MANY'
  | 'JOB_PROCESSOR_BUILT_IN'
  | 'JOB_PROCESSOR_UNKNOWN'
  | 'EMAIL_NOT_CONFIGURED'
  | 'EMAIL_TEMPLATE_INVALID'
  | 'EMAIL_TEMPLATE_NOT_FOUND'
  | 'EMAIL_TEMPLATES_TOO_MANY'
  | 'EMAIL_OPT_OUT_NOT_FOUND'
  | 'NOTIFICATION_CHANNEL_NOT_FOUND'
  | 'NOTIFICATION_CHANNEL_UNSIGNED'
  | 'NOTIFICATION_CHANNEL_DISABLED'
  | 'CLOCK_BACKWARDS'
  | 'CLOCK_TOO_FAR'
  | 'PAUSE_NOT_FOUND'
  | 'EVENT_NOT_FOUND'
  | 'FREEZE_NOT_FOUND'
  | 'CLOCK_NOT_FOUND'
  | 'RECEIPT_ANCHOR_UNKNOWN'
  | 'CURSOR_DIVERGED'
  | 'CLOCK_EXISTS'
  | 'CLOCK_MISSING'
  | 'CLOCK_ADVANCING'
  | 'PAUSED'
  | 'PAUSES_TOO_MANY'
  | 'CLOCK_TENANT_LIVE'
  | 'CLOCK_TOO_MANY_STEPS'
  | 'SIMULATED_FAILURE'
  | 'EVENT_PATTERN_INVALID'
  | 'EVENT_TYPE_INVALID'
  | 'EVENT_TYPE_RESERVED'
  | 'EVENT_TOO_LARGE'
  | 'EVENTS_QUOTA_EXCEEDED'
  | 'ENCRYPTION_KEY_MISSING'
  | 'ENCRYPTION_KEY_UNKNOWN'
  | 'URL_REFUSED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_DISABLED'
  | 'WEBHOOK_ENDPOINTS_TOO_MANY'
  | 'HEADER_REFUSED'
  | 'DELIVERY_NOT_FOUND'
  | 'DELIVERY_NOT_REDELIVERABLE'
  | 'CHAIN_NOT_FOUND'
  | 'QUOTE_NOT_FOUND'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_USED'
  | 'QUOTE_NO_ROUTE'
  | 'TREASURY_WALLET_NOT_FOUND'
  | 'TREASURY_WALLET_NOT_FROZEN'
  | 'ROUTE_NOT_CHOSEN'
  | 'ROUTE_FEE_EXCEEDED';

export interface AssetCreateParams {
  /** Code and scale: `USD/2`, `USDC/6`, `ROBUX/0`. */
  readonly asset: string;
  /** Make this the default asset, which requests that name none use. */
  readonly default?: boolean;
}

export interface Asset {
  /** Code and scale. */
  readonly asset: string;
  /** The code without its scale: `USD`. */
  readonly code: string;
  /** Decimals of the minor unit: 2 for cents. */
  readonly scale: number;
  /** Whether this is the default asset: requests that name no asset use it. */
  readonly default: boolean;
}

export interface TransferPosting {
  /** Always `transfer`: money moves from one account to another. */
  readonly type: 'transfer';
  /** Why money moves, such as `payment`. */
  readonly kind: string;
  /** The account that pays, by id. */
  readonly from: string;
  /** The `ref` of the payer. */
  readonly fromRef: string | null;
  /** The account that is paid, by id. */
  readonly to: string;
  /** The `ref` of the payee. */
  readonly toRef: string | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** Whether it pays from reserved funds, or from available funds. */
  readonly fromReserved: boolean;
  /** The payment that it pays. */
  readonly payment: string | null;
}

export interface ReservePosting {
  /** `reserve`: available funds become reserved. `release`: reserved funds become available. */
  readonly type: 'reserve' | 'release';
  /** The account, by id. */
  readonly account: string;
  /** The `ref` of the account. */
  readonly accountRef: string | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
}

export interface AccountCreateParams {
  /** Your own name for it, unique within the tenant: 1 to 200 printable characters without spaces. */
  readonly ref: string;
  /** Default `user`. */
  readonly kind?: 'user' | 'merchant' | 'treasury';
  /** A name for people, at most 200 characters. Default: none. */
  readonly name?: string | null;
  /** Email and phone. Default: none. */
  readonly contact?: {
    /** At most 255 characters. Default: none. */
    readonly email?: string;
    /** With the country code, at most 20 characters. Default: none. */
    readonly phone?: string;
    /** IANA name of the time zone. Default: none. */
    readonly zone?: string;
    /** BCP 47 language tag: how amounts and dates are written in e-mail. Default: that of the e-mail settings. */
    readonly locale?: string;
  } | null;
  /** Id or ref of the guardian’s account. Default: none. */
  readonly guardian?: string | null;
  /** Instead of `guardian`: all guardians of this account, by id or ref. Each guardian can give it an allowance. Default: none. */
  readonly guardians?: readonly string[];
}

export interface Contact {
  /** At most 255 characters. Default: none. */
  readonly email?: string;
  /** With the country code, at most 20 characters. Default: none. */
  readonly phone?: string;
  /** IANA name of the time zone. Default: none. */
  readonly zone?: string;
  /** BCP 47 language tag: how amounts and dates are written in e-mail. Default: that of the e-mail settings. */
  readonly locale?: string;
}

export interface Account {
  /** TypeID, `acct_…`. */
  readonly id: string;
  /** Your own name for the account. */
  readonly ref: string;
  /** `user`, `merchant` or `treasury`; `system` for `world`, `fees` and `suspense`. */
  readonly kind: 'user' | 'merchant' | 'treasury' | 'system';
  /** `active`, `suspended` or `closed`. */
  readonly status: 'active' | 'suspended' | 'closed';
  /** The reason given with the last change of `status`; null if none was given. */
  readonly statusReason: string | null;
  /** A name for people; null if none was given. */
  readonly name: string | null;
  /** Email and phone. Default: none. */
  readonly contact: Contact | null;
  /** The first of `guardians`. */
  readonly guardian: string | null;
  /** Ref of the account `guardian`. An end user gets only their own ref, and null for other accounts. */
  readonly guardianRef: string | null;
  /** The guardians of this account, by id. */
  readonly guardians: readonly string[];
  /** Refs of the accounts `guardians`, in the same order. */
  readonly guardianRefs: readonly (string | null)[];
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface Balance {
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Available for payments, in minor units; null for an earlier instant. */
  readonly available: string | null;
  /** Reserved for holds, in minor units; null for an earlier instant. */
  readonly reserved: string | null;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly total: string;
}

export interface AccountWithBalances {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Your own name for the account. */
  readonly ref: string;
  /** `user`, `merchant` or `treasury`; `system` for `world`, `fees` and `suspense`. */
  readonly kind: 'user' | 'merchant' | 'treasury' | 'system';
  /** `active`, `suspended` or `closed`. */
  readonly status: 'active' | 'suspended' | 'closed';
  /** The reason given with the last change of `status`; null if none was given. */
  readonly statusReason: string | null;
  /** A name for people; null if none was given. */
  readonly name: string | null;
  /** Email and phone. Default: none. */
  readonly contact: Contact | null;
  /** The first of `guardians`. */
  readonly guardian: string | null;
  /** Ref of the account `guardian`. An end user gets only their own ref, and null for other accounts. */
  readonly guardianRef: string | null;
  /** The guardians of this account, by id. */
  readonly guardians: readonly string[];
  /** Refs of the accounts `guardians`, in the same order. */
  readonly guardianRefs: readonly (string | null)[];
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** One balance for each asset that the account has held. */
  readonly balances: readonly Balance[];
}

export interface AccountUpdateParams {
  /** A name for people, at most 200 characters; null removes it. Default: unchanged. */
  readonly name?: string | null;
  /** Email and phone. Default: none. */
  readonly contact?: {
    /** At most 255 characters. Default: none. */
    readonly email?: string;
    /** With the country code, at most 20 characters. Default: none. */
    readonly phone?: string;
    /** IANA name of the time zone. Default: none. */
    readonly zone?: string;
    /** BCP 47 language tag: how amounts and dates are written in e-mail. Default: that of the e-mail settings. */
    readonly locale?: string;
  } | null;
  /** Id or ref of the guardian’s account; null removes the guardian. Default: unchanged. */
  readonly guardian?: string | null;
  /** Instead of `guardian`: all guardians of this account, by id or ref. Each guardian can give it an allowance. Default: unchanged. */
  readonly guardians?: readonly string[];
}

export interface RevokedTokens {
  /** The account, by id. */
  readonly account: string;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** Tokens issued before this instant are refused. RFC 3339, UTC. */
  readonly revokedAt: string;
}

export type MoneyParams = {
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
  readonly amountDecimal?: string;
  /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
  readonly asset?: string;
  /** Text for statements. Default: none. */
  readonly description?: string;
} & OneGiven<'amount' | 'amountDecimal'>;

export interface Transfer {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The account that pays, by id. */
  readonly from: string;
  /** Ref of the account `from`. An end user gets only their own ref, and null for other accounts. */
  readonly fromRef: string | null;
  /** The account that is paid, by id. */
  readonly to: string;
  /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
  readonly toRef: string | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** Why money moved, such as `deposit`. */
  readonly kind: string;
  /** The payment, by id; null if there is none. */
  readonly payment: string | null;
  /** The reservation that was spent, by id; null if none was. */
  readonly reservation: string | null;
  /** Text for statements. Default: none. */
  readonly description: string | null;
  /** When the balances changed. RFC 3339, UTC. */
  readonly postedAt: string;
}

export interface Reservation {
  /** The hold (`pay_…`) that reserves the funds, or a reservation (`rsv_…`). */
  readonly id: string;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly captured: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly released: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When nothing was left of it. RFC 3339, UTC; null before. */
  readonly resolvedAt: string | null;
}

export interface Balances {
  /** The account, by id. */
  readonly account: string;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** The requested instant; null for the current balances. RFC 3339, UTC. */
  readonly at: string | null;
  /** Whether no further transfer can be added before this instant. */
  readonly final: boolean;
  /** One balance for each asset that the account has held. */
  readonly data: readonly Balance[];
}

export interface StatementLine {
  /** The transfer, by id. */
  readonly transfer: string;
  /** When the balances changed. RFC 3339, UTC. */
  readonly postedAt: string;
  /** Why money moved, such as `deposit`. */
  readonly kind: string;
  /** The other account of the transfer, by id. */
  readonly counterparty: string;
  /** Ref of the account `counterparty`. An end user gets only their own ref, and null for other accounts. */
  readonly counterpartyRef: string | null;
  /** Text for statements. Default: none. */
  readonly description: string | null;
  /** Minor units; negative for outgoing money. */
  readonly amount: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly balance: string;
}

export interface Statement {
  /** The account, by id. */
  readonly account: string;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Start of the period, included. RFC 3339, UTC. */
  readonly from: string;
  /** End of the period, excluded. RFC 3339, UTC. */
  readonly to: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly openingBalance: string;
  /** One line for each change, oldest first. */
  readonly lines: readonly StatementLine[];
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly closingBalance: string;
  /** True if no further transfer can be posted into the period, so that the same request always returns the same statement. False before `to`, for `world` and `fees`, and while a transaction that could post into the period is open: request it again later. */
  readonly final: boolean;
}

export interface Shortfall {
  /** When the payment that cannot be covered is due. RFC 3339, UTC. */
  readonly at: string;
  /** The amount that is missing at that instant. */
  readonly missing: string;
  /** The payment, if it already exists. */
  readonly payment: string | null;
  /** The schedule that will create the payment, also for a subscription or an allowance. */
  readonly schedule: string | null;
}

export interface AssetForecast {
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly available: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly reserved: string;
  /** Available after the last line. */
  readonly endsWith: string;
  /** The first payment that cannot be covered. */
  readonly shortfall: Shortfall | null;
  /** The amount that would cover every payment if it were added now; "0" if nothing is missing. */
  readonly needed: string;
}

export interface ForecastLine {
  /** When the balance changes. RFC 3339, UTC. */
  readonly at: string;
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Minor units; negative for outgoing money. */
  readonly amount: string;
  /** Whether it is paid from reserved funds, so that `available` stays the same. */
  readonly reserved: boolean;
  /** Available after this line, in minor units; negative if money is missing. */
  readonly available: string;
  /** The payment, if it already exists. */
  readonly payment: string | null;
  /** The schedule that will create the payment, also for a subscription or an allowance. */
  readonly schedule: string | null;
  /** The local date and time of the slot; null for a payment without a schedule. */
  readonly slot: string | null;
}

export interface Forecast {
  /** The account, by id. */
  readonly account: string;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** Start of the forecast. RFC 3339, UTC. */
  readonly from: string;
  /** End of the forecast; earlier than requested if a bound was reached first. RFC 3339, UTC. */
  readonly until: string;
  /** Whether there are more lines than one forecast shows. */
  readonly truncated: boolean;
  /** One entry for each asset. */
  readonly assets: readonly AssetForecast[];
  /** One line for each change, oldest first. */
  readonly lines: readonly ForecastLine[];
}

export type HoldCreateParams = {
  /** An account: its id (`acct_…`) or your ref. Default: the account of the end user; required with an API key. */
  readonly from?: string;
  /** An account: its id (`acct_…`) or your ref. Give this or `toUser`. */
  readonly to?: string;
  /** Another name for `to`. Give this or `to`. For compatibility. */
  readonly toUser?: string;
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
  readonly amountDecimal?: string;
  /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
  readonly asset?: string;
  /** When the payment is due; instead of `delay`. Default: now. RFC 3339, with a zone. */
  readonly executeAt?: Date | string;
  /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: the payment is due at `executeAt`, or now. */
  readonly delay?: string | number;
  /** If it is not settled by then, the payment expires. Default: never. RFC 3339, with a zone. */
  readonly expiresAt?: Date | string;
  /** Your own name for the payment, unique within the tenant. Default: none. */
  readonly reference?: string;
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
} & OneGiven<'to' | 'toUser'> &
  OneGiven<'amount' | 'amountDecimal'>;

export interface RetryPolicy {
  /** Attempts in all, 1 to 100. Default: that of the preset. */
  readonly maxAttempts: number;
  /** Wait after the first failed attempt. ISO 8601. */
  readonly initialDelay: string;
  /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
  readonly multiplier: number;
  /** Longest wait. ISO 8601. */
  readonly maxDelay: string;
  /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
  readonly jitter: number;
}

export interface Hold {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** `scheduled` until it ends as `settled`, `failed`, `cancelled` or `expired`. */
  readonly status: 'scheduled' | 'processing' | 'submitted' | 'review' | 'settled' | 'failed' | 'cancelled' | 'expired';
  /** `ledger`, or for a payout the name of a chain, or `any` for a chain that is chosen when the payout runs. */
  readonly rail: string;
  /** The address of the payee on each chain that a payout may use. Null for a payment between accounts. */
  readonly destinations: Readonly<Record<string, unknown>> | null;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Null for a payment between accounts. */
  readonly routePriority: 'low_fee' | 'fast' | 'reliable' | null;
  /** `reserve`: funds are reserved when the payment is created. `at_execution`: funds are taken when it is due. Default `reserve`. */
  readonly funding: 'reserve' | 'at_execution';
  /** The account that pays, by id. */
  readonly from: string;
  /** Ref of the account `from`. An end user gets only their own ref, and null for other accounts. */
  readonly fromRef: string | null;
  /** Only if `expand` has `from`: the account. An end user gets only their own account, and null for others. */
  readonly fromAccount?: Account | null;
  /** Null if there are several payees; see `legs`. */
  readonly to: string | null;
  /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
  readonly toRef: string | null;
  /** Only if `expand` has `to`: the account. An end user gets only their own account, and null for others. */
  readonly toAccount?: Account | null;
  /** Payees that are paid together, at most ten; their amounts add up to `amount`. */
  readonly legs: readonly {
    /** The account that is paid, by id. */
    readonly to: string;
    /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
    readonly toRef: string | null;
    /** Only if `expand` has `to`: the account. An end user gets only their own account, and null for others. */
    readonly toAccount?: Account | null;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" if `amount` is "1250" of USD/2. */
  readonly amountDecimal: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly captured: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly released: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly refunded: string;
  /** How many captures were made. */
  readonly captures: number;
  /** When it is due. RFC 3339, UTC. */
  readonly executeAt: string;
  /** A hold that is not settled by then expires. RFC 3339, UTC; null if it does not expire. */
  readonly expiresAt: string | null;
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority: 'high' | 'normal' | 'low';
  /** Attempts so far, the first included. */
  readonly attempts: number;
  /** Null: the preset `hold`, for a payout `payout`. */
  readonly retry: RetryPolicy | null;
  /** Your own name for it, unique within the tenant; null if none was given. */
  readonly reference: string | null;
  /** Your own JSON object, returned unchanged; at most 16,384 characters. Default: none. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The failure of the last attempt; null if none failed. */
  readonly lastError: {
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  } | null;
  /** `awaited`: a second person must approve the payment, and no money moves before. `given`: it was approved. Null: it needs no approval. */
  readonly approval: 'awaited' | 'given' | null;
  /** Increases with every change of amount, payees, `executeAt` or `expires_at`. An approval names the version that was reviewed. */
  readonly termsVersion: number;
  /** When the payment expires if it is not approved; null if it does not await approval. */
  readonly approvalUntil: string | null;
  /** The schedule, subscription or allowance that created the payment and whose rules apply to it. Null for a payment created by a caller. */
  readonly owner: {
    /** The kind of resource that created the payment. */
    readonly kind: 'schedule' | 'subscription' | 'allowance';
    /** `sub_…` of a subscription, otherwise `sch_…`. */
    readonly id: string;
  } | null;
  /** The caller that created it. An end user sees `tenant` instead of a key. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** When it reached a final state. RFC 3339, UTC; null before. */
  readonly endedAt: string | null;
  /** The state in the words of the holds API: `PENDING` for `scheduled`, `COMPLETED` for `settled`. For compatibility. */
  readonly holdStatus: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';
}

export interface HoldEvent {
  /** The type, such as CREATED, SCHEDULED, PROCESSING, COMPLETED, FAILED, RELEASED, CANCELLED or EXPIRED. */
  readonly eventType: string;
  /** The state before; null for the first. For compatibility. */
  readonly fromStatus: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | null;
  /** The state after. For compatibility. */
  readonly toStatus: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | null;
  /** The type of the event in the event stream. */
  readonly type: string;
  /** When it happened, by the clock of the tenant. RFC 3339, UTC. */
  readonly at: string;
  /** The caller: `key_…` of an API key, `acct_…` of an end user, `sch_…` of a schedule, `cli:…` of a command, `system`, or a name given by the library. */
  readonly actor: string;
  /** The reason of a refused attempt, or the reason that the caller gave; null otherwise. */
  readonly cause: string | null;
  /** The duration of an attempt in milliseconds, as in the timeline. */
  readonly durationMs: number | null;
  /** The data of the event. */
  readonly details: Readonly<Record<string, unknown>>;
}

export type PaymentCreateParams = {
  /** An account: its id (`acct_…`) or your ref. */
  readonly from: string;
  /** An account: its id (`acct_…`) or your ref. Give this or `legs` or `destination` or `destinations`. */
  readonly to?: string;
  /** Instead of `to`: payees that are paid together; their amounts add up to `amount`. Give this or `to` or `destination` or `destinations`. */
  readonly legs?: readonly ({
    /** An account: its id (`acct_…`) or your ref. */
    readonly to: string;
    /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
    readonly amount?: bigint | number | string;
    /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
    readonly amountDecimal?: string;
  } & OneGiven<'amount' | 'amountDecimal'>)[];
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
  readonly amountDecimal?: string;
  /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
  readonly asset?: string;
  /** When the payment is due; instead of `delay`. Default: now. RFC 3339, with a zone. */
  readonly executeAt?: Date | string;
  /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: the payment is due at `executeAt`, or now. */
  readonly delay?: string | number;
  /** If it is not settled by then, the payment expires. Default: never. RFC 3339, with a zone. */
  readonly expiresAt?: Date | string;
  /** Your own name for the payment, unique within the tenant. Default: none. */
  readonly reference?: string;
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** `reserve` (default): funds are reserved now. `at_execution`: funds are taken when the payment is due. */
  readonly funding?: 'reserve' | 'at_execution';
  /** `ledger` (default) pays accounts. The name of a chain, such as `sandbox`, makes the payment a payout to `destination`. `any` (default with `destinations`): the chain is chosen among `destinations` when the payout runs. */
  readonly rail?: string;
  /** The address of the payee on the chain in `rail`; instead of `to`. Give this or `to` or `legs` or `destinations`. */
  readonly destination?: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. Give this or `to` or `legs` or `destination`. */
  readonly destinations?: Readonly<Record<string, string>>;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Default `low_fee`. */
  readonly routePriority?: 'low_fee' | 'fast' | 'reliable';
  /** A preset, or fields of a policy that override the default. The default is the preset `hold` for payments, `payout` for payouts, `subscription` for plans and edited subscriptions, `allowance` for allowances, and the policy of the plan for new subscriptions. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      };
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority?: 'high' | 'normal' | 'low';
} & OneGiven<'to' | 'legs' | 'destination' | 'destinations'> &
  OneGiven<'amount' | 'amountDecimal'>;

export interface Payment {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** `scheduled` until it ends as `settled`, `failed`, `cancelled` or `expired`. */
  readonly status: 'scheduled' | 'processing' | 'submitted' | 'review' | 'settled' | 'failed' | 'cancelled' | 'expired';
  /** `ledger`, or for a payout the name of a chain, or `any` for a chain that is chosen when the payout runs. */
  readonly rail: string;
  /** The address of the payee on each chain that a payout may use. Null for a payment between accounts. */
  readonly destinations: Readonly<Record<string, unknown>> | null;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Null for a payment between accounts. */
  readonly routePriority: 'low_fee' | 'fast' | 'reliable' | null;
  /** `reserve`: funds are reserved when the payment is created. `at_execution`: funds are taken when it is due. Default `reserve`. */
  readonly funding: 'reserve' | 'at_execution';
  /** The account that pays, by id. */
  readonly from: string;
  /** Ref of the account `from`. An end user gets only their own ref, and null for other accounts. */
  readonly fromRef: string | null;
  /** Only if `expand` has `from`: the account. An end user gets only their own account, and null for others. */
  readonly fromAccount?: Account | null;
  /** Null if there are several payees; see `legs`. */
  readonly to: string | null;
  /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
  readonly toRef: string | null;
  /** Only if `expand` has `to`: the account. An end user gets only their own account, and null for others. */
  readonly toAccount?: Account | null;
  /** Payees that are paid together, at most ten; their amounts add up to `amount`. */
  readonly legs: readonly {
    /** The account that is paid, by id. */
    readonly to: string;
    /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
    readonly toRef: string | null;
    /** Only if `expand` has `to`: the account. An end user gets only their own account, and null for others. */
    readonly toAccount?: Account | null;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" if `amount` is "1250" of USD/2. */
  readonly amountDecimal: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly captured: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly released: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly refunded: string;
  /** How many captures were made. */
  readonly captures: number;
  /** When it is due. RFC 3339, UTC. */
  readonly executeAt: string;
  /** A payment that is not settled by then expires. RFC 3339, UTC; null if it does not expire. */
  readonly expiresAt: string | null;
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority: 'high' | 'normal' | 'low';
  /** Attempts so far, the first included. */
  readonly attempts: number;
  /** Null: the preset `hold`, for a payout `payout`. */
  readonly retry: RetryPolicy | null;
  /** Your own name for it, unique within the tenant; null if none was given. */
  readonly reference: string | null;
  /** Your own JSON object, returned unchanged; at most 16,384 characters. Default: none. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The failure of the last attempt; null if none failed. */
  readonly lastError: {
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  } | null;
  /** `awaited`: a second person must approve the payment, and no money moves before. `given`: it was approved. Null: it needs no approval. */
  readonly approval: 'awaited' | 'given' | null;
  /** Increases with every change of amount, payees, `executeAt` or `expires_at`. An approval names the version that was reviewed. */
  readonly termsVersion: number;
  /** When the payment expires if it is not approved; null if it does not await approval. */
  readonly approvalUntil: string | null;
  /** The schedule, subscription or allowance that created the payment and whose rules apply to it. Null for a payment created by a caller. */
  readonly owner: {
    /** The kind of resource that created the payment. */
    readonly kind: 'schedule' | 'subscription' | 'allowance';
    /** `sub_…` of a subscription, otherwise `sch_…`. */
    readonly id: string;
  } | null;
  /** The caller that created it. An end user sees `tenant` instead of a key. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** When it reached a final state. RFC 3339, UTC; null before. */
  readonly endedAt: string | null;
  /** When the next attempt is, also after a retry was brought forward. Only if a single payment is read. Null after its end, and while it awaits approval. */
  readonly nextAttemptAt?: string | null;
}

export interface PaymentUpdateParams {
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
  readonly amountDecimal?: string;
  /** When the payment is due. Default: unchanged. RFC 3339, with a zone. */
  readonly executeAt?: Date | string;
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface TimelineEntry {
  /** The type of the event, such as `payment.settled`. */
  readonly type: string;
  /** When it happened, by the clock of the tenant. RFC 3339, UTC. */
  readonly at: string;
  /** The caller: `key_…` of an API key, `acct_…` of an end user, `sch_…` of a schedule, `cli:…` of a command, `system`, or a name given by the library. */
  readonly actor: string;
  /** Time since the previous entry. ISO 8601. */
  readonly after: string;
  /** The reason of the refusal, or the reason that the caller gave. */
  readonly cause: string | null;
  /** The header `Usance-Reason` of the request that caused the entry; null if it had none. An end user sees only their own. */
  readonly reason: string | null;
  /** Milliseconds from the claim of the batch to the decision; null if the entry is not an attempt. A batch is one transaction, so its attempts share the number. */
  readonly durationMs: number | null;
  /** The data of the event, as in the event catalogue; `erased` after it was erased. An end user sees a part of it. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Refund {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The payee that gave the money back, by id. */
  readonly from: string;
  /** Ref of the account `from`. An end user gets only their own ref, and null for other accounts. */
  readonly fromRef: string | null;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface Refunded {
  /** The payment after the refund. */
  readonly payment: Payment;
  /** One refund for each payee that gave money back. */
  readonly refunds: readonly Refund[];
}

export interface PaymentWhyChange {
  /** The operation that makes the change; null if no call does. */
  readonly operation: string | null;
  /** The action to take, or the change that happens automatically. */
  readonly sentence: string;
}

export interface PaymentWhyReason {
  /** The reason, for programs. */
  readonly code:
    | 'settled'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'processing'
    | 'submitted'
    | 'review'
    | 'clock_missing'
    | 'approval_awaited'
    | 'not_due'
    | 'clock_advancing'
    | 'clock_standing'
    | 'processor_idle'
    | 'rate_capped'
    | 'charges_by_cron'
    | 'locked'
    | 'paused'
    | 'daily_limit'
    | 'frozen'
    | 'account_suspended'
    | 'account_closed'
    | 'funds_insufficient'
    | 'retrying'
    | 'payout_waits'
    | 'set_aside'
    | 'due';
  /** Why the payment has not been paid yet, in one sentence. */
  readonly sentence: string;
  /** When the reason ends automatically; null if that is not known. */
  readonly until: string | null;
  /** The amount that the payer’s balance lacks. */
  readonly missing: string | null;
  /** `missing` as a decimal, such as "50.00". */
  readonly missingDecimal: string | null;
  /** The caller that caused the reason, for example the one that set the pause. */
  readonly by: string | null;
  /** The changes that would let the payment run, one sentence each. */
  readonly changes: readonly PaymentWhyChange[];
}

export interface PaymentWhy {
  /** The payment, by id. */
  readonly payment: string;
  /** `scheduled` until it ends as `settled`, `failed`, `cancelled` or `expired`. */
  readonly status: 'scheduled' | 'processing' | 'submitted' | 'review' | 'settled' | 'failed' | 'cancelled' | 'expired';
  /** When the reasons were determined. RFC 3339, UTC. */
  readonly at: string;
  /** The first reason, for programs. */
  readonly code:
    | 'settled'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'processing'
    | 'submitted'
    | 'review'
    | 'clock_missing'
    | 'approval_awaited'
    | 'not_due'
    | 'clock_advancing'
    | 'clock_standing'
    | 'processor_idle'
    | 'rate_capped'
    | 'charges_by_cron'
    | 'locked'
    | 'paused'
    | 'daily_limit'
    | 'frozen'
    | 'account_suspended'
    | 'account_closed'
    | 'funds_insufficient'
    | 'retrying'
    | 'payout_waits'
    | 'set_aside'
    | 'due';
  /** Why the payment has not been paid yet, in one sentence. */
  readonly sentence: string;
  /** When the reason ends automatically; null if that is not known. */
  readonly until: string | null;
  /** The amount that the payer’s balance lacks. */
  readonly missing: string | null;
  /** `missing` as a decimal, such as "50.00". */
  readonly missingDecimal: string | null;
  /** The caller that caused the reason, for example the one that set the pause. */
  readonly by: string | null;
  /** The changes that would let the payment run, one sentence each. */
  readonly changes: readonly PaymentWhyChange[];
  /** Other reasons that apply now, in the order the processor meets them. */
  readonly also: readonly PaymentWhyReason[];
}

export interface ReceiptEvent {
  /** Its number among the events of the tenant. */
  readonly seq: string;
  /** The id of the event, as a UUID: the hashes cover it. */
  readonly id: string;
  /** The type of the event, such as `payment.settled`. */
  readonly type: string;
  /** The version of the schema of `data`. */
  readonly version: number;
  /** The kind of resource, such as `payment`. */
  readonly resource: string;
  /** The id of the resource, as a UUID. */
  readonly subject: string;
  /** The caller: a key, a command, or a loop. */
  readonly actor: string;
  /** When it happened by the tenant’s clock, in microseconds since 1970. */
  readonly occurred: string;
  /** Erasable fields: `data` (the exact text), `ip`, `agent`, `request`, `trace`, `reason` and their `salt`; once erased, only their digest as `erased`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The digests beside the way from the event to the digest of its block, lowest first. */
  readonly proof: readonly string[];
}

export interface ReceiptLink {
  /** Its number in the chain of the tenant. */
  readonly number: string;
  /** The seq of its last event. */
  readonly seq: string;
  /** How many events its block has. */
  readonly events: number;
  /** The id of its block, as a UUID. */
  readonly block: string;
  /** When it was appended, in microseconds since 1970. */
  readonly recorded: string;
  /** The digest of its block. */
  readonly digest: string;
  /** The hash of the link before it. */
  readonly previous: string;
  /** The hash of the earlier link that it covers too. */
  readonly skipped: string;
}

export interface Receipt {
  /** The format and its version: 4 if the caller of an event gave a reason. */
  readonly format: 'usance receipt 3' | 'usance receipt 4';
  /** The tenant, as a UUID. */
  readonly tenant: string;
  /** The end of the chain that the receipt leads to. */
  readonly anchor: {
    /** The seq of the anchor. */
    readonly seq: string;
    /** The hash that your copy of the anchor must have. */
    readonly hash: string;
  };
  /** Events of the payment up to the anchor. */
  readonly total: number;
  /** Events that the receipt leaves out: the earliest. It has at most 100 events. */
  readonly omitted: number;
  /** The events of the payment up to the anchor, in order, the last one included. */
  readonly events: readonly ReceiptEvent[];
  /** Links of the hash chain, from the anchor down. */
  readonly links: readonly ReceiptLink[];
}

export type PaymentCreateManyItem = {
  /** An account: its id (`acct_…`) or your ref. */
  readonly from: string;
  /** An account: its id (`acct_…`) or your ref. Give this or `legs` or `destination` or `destinations`. */
  readonly to?: string;
  /** Instead of `to`: payees that are paid together; their amounts add up to `amount`. Give this or `to` or `destination` or `destinations`. */
  readonly legs?: readonly ({
    /** An account: its id (`acct_…`) or your ref. */
    readonly to: string;
    /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
    readonly amount?: bigint | number | string;
    /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
    readonly amountDecimal?: string;
  } & OneGiven<'amount' | 'amountDecimal'>)[];
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
  readonly amountDecimal?: string;
  /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
  readonly asset?: string;
  /** When the payment is due; instead of `delay`. Default: now. RFC 3339, with a zone. */
  readonly executeAt?: Date | string;
  /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: the payment is due at `executeAt`, or now. */
  readonly delay?: string | number;
  /** If it is not settled by then, the payment expires. Default: never. RFC 3339, with a zone. */
  readonly expiresAt?: Date | string;
  /** Your own name for the payment, unique within the tenant. Default: none. */
  readonly reference?: string;
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** `reserve` (default): funds are reserved now. `at_execution`: funds are taken when the payment is due. */
  readonly funding?: 'reserve' | 'at_execution';
  /** `ledger` (default) pays accounts. The name of a chain, such as `sandbox`, makes the payment a payout to `destination`. `any` (default with `destinations`): the chain is chosen among `destinations` when the payout runs. */
  readonly rail?: string;
  /** The address of the payee on the chain in `rail`; instead of `to`. Give this or `to` or `legs` or `destinations`. */
  readonly destination?: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. Give this or `to` or `legs` or `destination`. */
  readonly destinations?: Readonly<Record<string, string>>;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Default `low_fee`. */
  readonly routePriority?: 'low_fee' | 'fast' | 'reliable';
  /** A preset, or fields of a policy that override the default. The default is the preset `hold` for payments, `payout` for payouts, `subscription` for plans and edited subscriptions, `allowance` for allowances, and the policy of the plan for new subscriptions. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      };
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority?: 'high' | 'normal' | 'low';
} & OneGiven<'to' | 'legs' | 'destination' | 'destinations'> &
  OneGiven<'amount' | 'amountDecimal'>;

export interface PaymentCreateManyParams {
  /** All or none. Default false. */
  readonly atomic?: boolean;
  /** The payments, 1 to 10,000. */
  readonly payments: readonly PaymentCreateManyItem[];
}

export interface BulkResult {
  /** Null if the payment was refused. */
  readonly id: string | null;
  /** The refusal; null if the payment was created. */
  readonly error: {
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
    /** The field of the request that caused the refusal; absent if it is about no field. */
    readonly param?: string;
    /** Whether the same request can succeed later without being changed. */
    readonly retryable: boolean;
  } | null;
}

export interface BulkAnswer {
  /** How many were created. */
  readonly created: number;
  /** How many were refused. */
  readonly refused: number;
  /** In the order of the request. */
  readonly data: readonly BulkResult[];
}

export interface RunNowRefused {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** A code of the error catalogue. */
  readonly code: string;
  /** One sentence: the problem, the resource and the action to take. */
  readonly detail: string;
}

export interface RunNowAnswer {
  /** How many payments were made due. */
  readonly count: number;
  /** How many payments match the filter in all. */
  readonly found: number;
  /** How many more match the filter. */
  readonly remaining: number;
  /** The payments that were made due. */
  readonly data: readonly Payment[];
  /** The ones that were refused, with their codes. */
  readonly refused: readonly RunNowRefused[];
}

/** One of `frequency` (with its fields), `rrule`, `cron` and `everySeconds`. */
export interface Rule {
  /** `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`. Default: none; give this, `rrule`, `cron` or `everySeconds`. */
  readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  /** Every nth day, week, month or year, from the start. Default: 1. */
  readonly every?: number;
  /** `MO` … `SU`. In a month or year also `2TU` (the second Tuesday) and `-1FR` (the last Friday). With YEARLY, weekdays without a number require `months`. Default: the weekday of the start for WEEKLY, otherwise none. */
  readonly weekdays?: readonly string[];
  /** 1 to 31, or `last`. Default: the day of the start. With YEARLY it requires `months`. */
  readonly daysOfMonth?: readonly (number | 'last')[];
  /** Months of the year, 1 to 12. Default: all. */
  readonly months?: readonly number[];
  /** Local time of day. Default: the time of the start. */
  readonly time?: string;
  /** RFC 5545, with EXDATE lines if any. Parts that it omits come from the start: BYWEEKNO without BYDAY uses the weekday of the start. Default: none; give this, `frequency`, `cron` or `everySeconds`. */
  readonly rrule?: string;
  /** Five fields. Default: none; give this, `frequency`, `rrule` or `everySeconds`. */
  readonly cron?: string;
  /** A fixed period in seconds, at least 60. Default: none; give this, `frequency`, `rrule` or `cron`. */
  readonly everySeconds?: number;
}

export interface BusinessDays {
  /** The direction in which a slot moves that is not on a business day. */
  readonly shift: 'skip' | 'next' | 'previous';
  /** Dates without business, `YYYY-MM-DD`. Default: none. */
  readonly holidays?: readonly string[];
  /** Default: SA and SU. */
  readonly weekend?: readonly string[];
}

export interface SchedulePreviewParams {
  /** When it runs. */
  readonly rule: Rule;
  /** IANA name. Default: `UTC`. */
  readonly zone?: string;
  /** A local date, or date and time, in the zone of the schedule: no offset. Slots are counted from it. Default: the day of creation; for `everySeconds` the time of creation. */
  readonly start?: string;
  /** No run after this local date, or date and time, in the zone of the schedule: no offset. Default: no end. */
  readonly until?: string;
  /** The number of the last slot, counted from `start`, or from the first run if `start` was left out. Default: no end. */
  readonly count?: number;
  /** Local times at which it does not run. Default: none. */
  readonly exclude?: readonly string[];
  /** A 31st in a shorter month: `clamp` uses its last day, `skip` skips the month. Default: `clamp`, or `skip` for an RRULE or cron rule. */
  readonly monthEnd?: 'clamp' | 'skip';
  /** The behaviour on a day without business. Default: run all the same. */
  readonly businessDays?: BusinessDays;
  /** Runs to show; default 10. */
  readonly limit?: number;
}

export interface PreviewedRun {
  /** The nominal time of the rule; in UTC for a fixed period. */
  readonly slot: string;
  /** The number of the run, from 1. */
  readonly ordinal: number;
  /** The local time in the zone when it runs. */
  readonly local: string;
  /** When it runs. RFC 3339, UTC. */
  readonly at: string;
}

export interface SchedulePreview {
  /** When the rule runs, in words. */
  readonly summary: string;
  /** IANA time zone, such as `Europe/Berlin`. Default `UTC`. */
  readonly zone: string;
  /** The given start, or the day of the request. */
  readonly start: string;
  /** The next runs; fewer than `limit` if the rule ends before. */
  readonly runs: readonly PreviewedRun[];
}

export type ScheduleCreateParams = {
  /** An account: its id (`acct_…`) or your ref. */
  readonly from: string;
  /** An account: its id (`acct_…`) or your ref. Give this or `legs` or `destination` or `destinations`. */
  readonly to?: string;
  /** Payees that are paid together, at most ten; their amounts add up to `amount`. Give this or `to` or `destination` or `destinations`. */
  readonly legs?: readonly ({
    /** An account: its id (`acct_…`) or your ref. */
    readonly to: string;
    /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
    readonly amount?: bigint | number | string;
    /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
    readonly amountDecimal?: string;
  } & OneGiven<'amount' | 'amountDecimal'>)[];
  /** `ledger` (default) pays accounts. The name of a chain, such as `sandbox`, makes the payment a payout to `destination`. `any` (default with `destinations`): the chain is chosen among `destinations` when the payout runs. */
  readonly rail?: string;
  /** The address of the payee on the chain in `rail`; instead of `to`. Give this or `to` or `legs` or `destinations`. */
  readonly destination?: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. Give this or `to` or `legs` or `destination`. */
  readonly destinations?: Readonly<Record<string, string>>;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Default `low_fee`. */
  readonly routePriority?: 'low_fee' | 'fast' | 'reliable';
  /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
  readonly asset?: string;
  /** Your own name for the payment, unique within the tenant. Default: none. */
  readonly reference?: string;
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
  readonly amountDecimal?: string;
  /** Other amounts from a later slot on. Default: none. */
  readonly steps?: readonly {
    /** An ordinal: the first slot is 1. */
    readonly from: number;
    /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
    readonly amount?: bigint | number | string;
    /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
    readonly amountDecimal?: string;
  }[];
  /** `reserve`: funds are reserved when the payment is created. `at_execution`: funds are taken when it is due. Default `reserve`. */
  readonly funding?: 'reserve' | 'at_execution';
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** A preset, or fields of a policy that override the default. The default is the preset `hold` for payments, `payout` for payouts, `subscription` for plans and edited subscriptions, `allowance` for allowances, and the policy of the plan for new subscriptions. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      };
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** If several slots are due at once: `last` runs the last (default), `skip` none, `all` each of them. */
  readonly missed?: 'last' | 'skip' | 'all';
  /** Only for `all`: how many missed slots to run at most. Default: 100. */
  readonly missedCap?: number;
  /** Only for `all`: the age of the oldest missed slot to run. Default: no bound. */
  readonly missedWindow?: string | number;
  /** If more slots than this are due at once, the schedule pauses until a person decides. Default: no bound. */
  readonly guardCount?: number;
  /** If the due slots together exceed this amount, the schedule pauses until a person decides. Default: no bound. */
  readonly guardAmount?: bigint | number | string;
  /** If a slot is due before the payment of the previous one has ended: `wait` for it (default), `skip` the slot, or `allow` both. */
  readonly overlap?: 'wait' | 'skip' | 'allow';
  /** After a payment failed for good: `continue` (default), `pause` the schedule, or `expire` it. */
  readonly afterFailure?: 'continue' | 'pause' | 'expire';
  /** When it runs. */
  readonly rule: Rule;
  /** IANA name. Default: `UTC`. */
  readonly zone?: string;
  /** A local date, or date and time, in the zone of the schedule: no offset. Slots are counted from it. Default: the day of creation; for `everySeconds` the time of creation. */
  readonly start?: string;
  /** No run after this local date, or date and time, in the zone of the schedule: no offset. Default: no end. */
  readonly until?: string;
  /** The number of the last slot, counted from `start`, or from the first run if `start` was left out. Default: no end. */
  readonly count?: number;
  /** Local times at which it does not run. Default: none. */
  readonly exclude?: readonly string[];
  /** A 31st in a shorter month: `clamp` uses its last day, `skip` skips the month. Default: `clamp`, or `skip` for an RRULE or cron rule. */
  readonly monthEnd?: 'clamp' | 'skip';
  /** The behaviour on a day without business. Default: run all the same. */
  readonly businessDays?: BusinessDays;
} & OneGiven<'to' | 'legs' | 'destination' | 'destinations'> &
  OneGiven<'amount' | 'amountDecimal'>;

export interface Schedule {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** `active` or `paused`; ends as `completed`, `cancelled` or `expired`. */
  readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
  /** The reason given with the last change of `status`; null if none was given. */
  readonly statusReason: string | null;
  /** The account that pays, by id. */
  readonly from: string;
  /** Ref of the account `from`. An end user gets only their own ref, and null for other accounts. */
  readonly fromRef: string | null;
  /** Only if `expand` has `from`: the account. An end user gets only their own account, and null for others. */
  readonly fromAccount?: Account | null;
  /** Null if there are several payees; see `legs`. */
  readonly to: string | null;
  /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
  readonly toRef: string | null;
  /** Only if `expand` has `to`: the account. An end user gets only their own account, and null for others. */
  readonly toAccount?: Account | null;
  /** Payees that are paid together, at most ten; their amounts add up to `amount`. */
  readonly legs: readonly {
    /** The account that is paid, by id. */
    readonly to: string;
    /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
    readonly toRef: string | null;
    /** Only if `expand` has `to`: the account. An end user gets only their own account, and null for others. */
    readonly toAccount?: Account | null;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  /** `ledger`, or for a payout the name of a chain, or `any` for a chain that is chosen when the payout runs. */
  readonly rail: string;
  /** The address of the payee on each chain that a payout may use. Null for a payment between accounts. */
  readonly destinations: Readonly<Record<string, unknown>> | null;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Null for a payment between accounts. */
  readonly routePriority: 'low_fee' | 'fast' | 'reliable' | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** Other amounts from a later run on. Default: none. */
  readonly steps: readonly {
    /** The number of the first run with this amount. */
    readonly from: number;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  /** `reserve`: funds are reserved when the payment is created. `at_execution`: funds are taken when it is due. Default `reserve`. */
  readonly funding: 'reserve' | 'at_execution';
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority: 'high' | 'normal' | 'low';
  /** Null: the preset `hold`, for payouts `payout`, or for an allowance the values of the deployment. */
  readonly retry: RetryPolicy | null;
  /** Your own name for it, unique within the tenant; null if none was given. */
  readonly reference: string | null;
  /** Your own JSON object, returned unchanged; null if none was given. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** When it runs, in words. */
  readonly summary: string;
  /** When it runs. */
  readonly rule: Rule;
  /** IANA time zone, such as `Europe/Berlin`. Default `UTC`. */
  readonly zone: string;
  /** Local time from which slots are counted. */
  readonly start: string;
  /** No run after this local time; null if it has no end. Default: none. */
  readonly until: string | null;
  /** The number of the last slot, counted from `start`, or from the first run if `start` was left out. Null if it has no end. */
  readonly count: number | null;
  /** Local times at which it does not run. Default: none. */
  readonly exclude: readonly string[];
  /** Null: `clamp`, or `skip` for an RRULE or cron rule. */
  readonly monthEnd: 'clamp' | 'skip' | null;
  /** The behaviour on a day without business. Default: run all the same. */
  readonly businessDays: BusinessDays | null;
  /** If several slots are due at once: `last` runs the last (default), `skip` none, `all` each of them. */
  readonly missed: 'last' | 'skip' | 'all';
  /** With `missed: all`: how many missed runs are made up for at most; null for other values of `missed`. */
  readonly missedCap: number | null;
  /** With `missed: all`: missed runs older than this are skipped. ISO 8601 duration; null: no bound. */
  readonly missedWindow: string | null;
  /** If more runs than this are due at once, the schedule pauses until an operator decides; null: no bound. */
  readonly guardCount: number | null;
  /** If the due runs together exceed this amount in minor units, the schedule pauses until an operator decides; null: no bound. */
  readonly guardAmount: string | null;
  /** If a slot is due before the payment of the previous one has ended: `wait` for it (default), `skip` the slot, or `allow` both. */
  readonly overlap: 'wait' | 'skip' | 'allow';
  /** After a payment failed for good: `continue` (default), `pause` the schedule, or `expire` it. */
  readonly afterFailure: 'continue' | 'pause' | 'expire';
  /** Null while it is paused, and after its end. */
  readonly next: {
    /** Local date and time in the zone of the schedule, without an offset. */
    readonly slot: string;
    /** Local date and time in the zone of the schedule, without an offset. */
    readonly local: string;
    /** When it runs. RFC 3339, UTC. */
    readonly at: string;
  } | null;
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** When it reached a final state. RFC 3339, UTC; null before. */
  readonly endedAt: string | null;
}

/** Omitted fields stay unchanged; null removes a value. */
export interface ScheduleUpdateParams {
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
  readonly amountDecimal?: string;
  /** Other amounts from a later run on; null removes them. Default: unchanged. */
  readonly steps?:
    | readonly {
        /** An ordinal: the first slot is 1. */
        readonly from: number;
        /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
        readonly amount?: bigint | number | string;
        /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
        readonly amountDecimal?: string;
      }[]
    | null;
  /** `reserve`: funds are reserved when the payment is created. `at_execution`: funds are taken when it is due. Default: unchanged. */
  readonly funding?: 'reserve' | 'at_execution';
  /** Due payments of a higher priority run first. Default: unchanged. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** How a failed payment is retried. Default: unchanged. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: unchanged. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: unchanged. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      }
    | null;
  /** Your own JSON object, returned unchanged; at most 16,384 characters; null removes it. Default: unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /** If several slots are due at once: `last` runs the last (default), `skip` none, `all` each of them. */
  readonly missed?: 'last' | 'skip' | 'all';
  /** With `missed: all`: how many missed runs are made up for at most; null for other values of `missed`. Default: unchanged. */
  readonly missedCap?: number | null;
  /** With `missed: all`: missed runs older than this are skipped. ISO 8601 duration; null: no bound. Default: unchanged. */
  readonly missedWindow?: string | number | null;
  /** If more runs than this are due at once, the schedule pauses until an operator decides; null: no bound. Default: unchanged. */
  readonly guardCount?: number | null;
  /** If the due runs together exceed this amount in minor units, the schedule pauses until an operator decides; null: no bound. Default: unchanged. */
  readonly guardAmount?: bigint | number | string | null;
  /** If a slot is due before the payment of the previous one has ended: `wait` for it (default), `skip` the slot, or `allow` both. */
  readonly overlap?: 'wait' | 'skip' | 'allow';
  /** After a payment failed for good: `continue` (default), `pause` the schedule, or `expire` it. */
  readonly afterFailure?: 'continue' | 'pause' | 'expire';
  /** When it runs. Default: unchanged. */
  readonly rule?: Rule;
  /** IANA name. Default: unchanged. */
  readonly zone?: string;
  /** A local date, or date and time, in the zone of the schedule: no offset. Slots are counted from it. Default: the day of creation; for `everySeconds` the time of creation. */
  readonly start?: string;
  /** No run after this local time; null removes the end. Default: unchanged. */
  readonly until?: string | null;
  /** The number of the last slot, counted from `start`, or from the first run if `start` was left out. Null: no end. Default: unchanged. */
  readonly count?: number | null;
  /** Local times at which it does not run; null removes them. Default: unchanged. */
  readonly exclude?: readonly string[] | null;
  /** In a month without the day: `clamp` runs on its last day, `skip` does not run. Default: unchanged. */
  readonly monthEnd?: 'clamp' | 'skip' | null;
  /** The behaviour on a day without business; null: it runs all the same. Default: unchanged. */
  readonly businessDays?: BusinessDays | null;
}

export interface Occurrence {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Local date and time in the zone of the schedule, without an offset. */
  readonly slot: string;
  /** The last slot, if several were skipped together; null otherwise. */
  readonly through: string | null;
  /** How many slots it covers. */
  readonly slots: number;
  /** The number of the run, from 1; null for a triggered run. */
  readonly ordinal: number | null;
  /** `rule`: a run of the rule. `trigger`: triggered by a caller. `backfill`: an earlier run that a caller made up for. */
  readonly kind: 'rule' | 'trigger' | 'backfill';
  /** Whether the run created a payment, was skipped, or failed. */
  readonly status: 'made' | 'skipped' | 'failed';
  /** `late`, the reason why it was skipped, or the code of the refusal. */
  readonly reason: string | null;
  /** Why the run was skipped or failed; null otherwise. */
  readonly detail: string | null;
  /** In minor units; null if no payment was made. */
  readonly amount: string | null;
  /** When the run was due. RFC 3339, UTC. */
  readonly runAt: string;
  /** The payment, by id; null if there is none. */
  readonly payment: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface UpcomingRun {
  /** The nominal time of the rule; in UTC for a fixed period. */
  readonly slot: string;
  /** The number of the run, from 1. */
  readonly ordinal: number;
  /** The local time in the zone when it runs. */
  readonly local: string;
  /** When it runs. RFC 3339, UTC. */
  readonly at: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
}

export interface OutageGuard {
  /** How many schedules can be overdue at once; null: any number. */
  readonly count: number | null;
  /** The largest overdue sum for each asset. */
  readonly amounts: readonly {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
}

export interface OutageGuardParams {
  /** How many schedules can be overdue at once, 1 to 99,999; null: any number. Default: unchanged. */
  readonly count?: number | null;
  /** The largest overdue sum for each asset; null: any sum. Default: unchanged. */
  readonly amounts?: readonly {
    /** Code and scale (`USD/2`), or only the code. */
    readonly asset: string;
    /** Whole minor units: a string of digits, or a number up to 2^53 - 1. */
    readonly amount: bigint | number | string | null;
  }[];
}

export interface Outage {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** `waiting` for a decision, then `released` or `discarded`. */
  readonly status: 'waiting' | 'released' | 'discarded';
  /** When the oldest overdue run was due. RFC 3339, UTC. */
  readonly since: string;
  /** Runs that were due up to this instant are held. RFC 3339, UTC. */
  readonly through: string;
  /** For each asset, how many schedules are overdue and the sum of one slot of each; the oldest 100,000 are counted. */
  readonly overdue: readonly {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** How many schedules are overdue. */
    readonly count: number;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly amount: string;
  }[];
  /** The reason given by the caller; recorded in the audit log. */
  readonly reason: string | null;
  /** The caller that released or discarded it; null before. */
  readonly decidedBy: string | null;
  /** When it was released or discarded. RFC 3339, UTC; null before. */
  readonly decidedAt: string | null;
}

export type PlanCreateParams = {
  /** A name for people, 1 to 200 characters. */
  readonly name: string;
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `priceDecimal`. */
  readonly price?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `price`. */
  readonly priceDecimal?: string;
  /** A calendar period counted from the day of the subscription (the 31st becomes the last day of shorter months), or a fixed number of seconds. */
  readonly period:
    | {
        /** `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`. */
        readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
        /** Every nth period. Default 1. */
        readonly every?: number;
      }
    | {
        /** Instead of `frequency`: a fixed period in seconds. Default: none. */
        readonly everySeconds: number;
      };
  /** IANA time zone of the calendar. Default UTC. */
  readonly zone?: string;
  /** The number of charges; or give `months`. Without both, subscriptions are open-ended. Default: open-ended. */
  readonly charges?: number | null;
  /** The number of months in which charges are made. Default: open-ended. */
  readonly months?: number | null;
  /** Days before the first charge. Default 0: the first charge is made at once. */
  readonly trialDays?: number;
  /** Priority of the charges. Default `normal`. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** Default, and for null: six attempts, 1, 2, 4, 8 and 16 minutes apart. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      }
    | null;
  /** After a charge failed for good: `expire` (default), or `pause` as past due until it is resumed. */
  readonly afterFailure?: 'expire' | 'pause';
  /** For charges missed in an outage longer than a period: `last` makes only the newest (default), `all` makes each of them, one after the other, `skip` makes none. A skipped charge counts as one of `charges`. */
  readonly missed?: 'all' | 'last' | 'skip';
  /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
  readonly asset?: string;
  /** The account that is paid: id or ref. */
  readonly receiver: string;
} & OneGiven<'price' | 'priceDecimal'>;

export interface Plan {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly price: string;
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** The account that is paid, by id. */
  readonly receiver: string;
  /** Ref of the account `receiver`. An end user gets only their own ref, and null for other accounts. */
  readonly receiverRef: string | null;
  /** A calendar period counted from the day of the subscription (the 31st becomes the last day of shorter months), or a fixed number of seconds. */
  readonly period:
    | {
        /** `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`. */
        readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
        /** Every nth period. Default 1. */
        readonly every?: number;
      }
    | {
        /** Instead of `frequency`: a fixed period in seconds. Default: none. */
        readonly everySeconds: number;
      };
  /** The period in words. */
  readonly summary: string;
  /** IANA time zone, such as `Europe/Berlin`. Default `UTC`. */
  readonly zone: string;
  /** Charges in all; null if the plan has no end. */
  readonly charges: number | null;
  /** Charges are made for this many months; null if the number of charges is given, or there is no end. */
  readonly months: number | null;
  /** Days before the first charge. Default 0. */
  readonly trialDays: number;
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority: 'high' | 'normal' | 'low';
  /** Null: the preset `subscription`. */
  readonly retry: RetryPolicy | null;
  /** The behaviour after a payment failed for good. */
  readonly afterFailure: 'expire' | 'pause';
  /** The behaviour for runs that fell due while no scheduler ran. */
  readonly missed: 'all' | 'last' | 'skip';
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface PlanUpdateParams {
  /** A name for people, 1 to 200 characters. Default: unchanged. */
  readonly name?: string;
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
  readonly price?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
  readonly priceDecimal?: string;
  /** A calendar period counted from the day of the subscription (the 31st becomes the last day of shorter months), or a fixed number of seconds. Default: unchanged. */
  readonly period?:
    | {
        /** `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`. */
        readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
        /** Every nth period. Default 1. */
        readonly every?: number;
      }
    | {
        /** Instead of `frequency`: a fixed period in seconds. Default: none. */
        readonly everySeconds: number;
      };
  /** IANA time zone of the calendar. Default UTC. */
  readonly zone?: string;
  /** The number of charges; or give `months`. Without both, subscriptions are open-ended. Default: unchanged. */
  readonly charges?: number | null;
  /** The number of months in which charges are made. Default: unchanged. */
  readonly months?: number | null;
  /** Days before the first charge. Default 0: the first charge is made at once. */
  readonly trialDays?: number;
  /** Priority of the charges. Default `normal`. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** Default, and for null: six attempts, 1, 2, 4, 8 and 16 minutes apart. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: unchanged. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: unchanged. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      }
    | null;
  /** After a charge failed for good: `expire` (default), or `pause` as past due until it is resumed. */
  readonly afterFailure?: 'expire' | 'pause';
  /** For charges missed in an outage longer than a period: `last` makes only the newest (default), `all` makes each of them, one after the other, `skip` makes none. A skipped charge counts as one of `charges`. */
  readonly missed?: 'all' | 'last' | 'skip';
}

export interface SubscriptionCreateParams {
  /** The plan, by id. */
  readonly plan: string;
  /** An account: its id (`acct_…`) or your ref. */
  readonly payer: string;
  /** Your own name for the payment, unique within the tenant. Default: none. */
  readonly reference?: string;
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Days before the first charge. Default: those of the plan. */
  readonly trialDays?: number;
  /** Priority of the charges. Default: that of the plan. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** A preset, or fields of a policy that override the default. The default is the preset `hold` for payments, `payout` for payouts, `subscription` for plans and edited subscriptions, `allowance` for allowances, and the policy of the plan for new subscriptions. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      };
  /** `ledger` (default) pays accounts. The name of a chain, such as `sandbox`, makes the payment a payout to `destination`. `any` (default with `destinations`): the chain is chosen among `destinations` when the payout runs. */
  readonly rail?: string;
  /** The address of the payee on the chain in `rail`; instead of `to`. Default: the charges pay the receiver of the plan. */
  readonly destination?: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. Default: the charges pay the receiver of the plan. */
  readonly destinations?: Readonly<Record<string, string>>;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Default `low_fee`. */
  readonly routePriority?: 'low_fee' | 'fast' | 'reliable';
}

export interface Subscription {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The plan, by id. */
  readonly plan: string;
  /** The account that pays, by id. */
  readonly payer: string;
  /** Ref of the account `payer`. An end user gets only their own ref, and null for other accounts. */
  readonly payerRef: string | null;
  /** Only if `expand` has `payer`: the account. An end user gets only their own account, and null for others. */
  readonly payerAccount?: Account | null;
  /** The account that is paid, by id. */
  readonly receiver: string;
  /** Ref of the account `receiver`. An end user gets only their own ref, and null for other accounts. */
  readonly receiverRef: string | null;
  /** Only if `expand` has `receiver`: the account. An end user gets only their own account, and null for others. */
  readonly receiverAccount?: Account | null;
  /** `ledger`, or for a payout the name of a chain, or `any` for a chain that is chosen when the payout runs. */
  readonly rail: string;
  /** The address of the payee on each chain that a payout may use. Null for a payment between accounts. */
  readonly destinations: Readonly<Record<string, unknown>> | null;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Null for a payment between accounts. */
  readonly routePriority: 'low_fee' | 'fast' | 'reliable' | null;
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly price: string;
  /** `trialing`: the first charge is due when the trial ends. `paused`: paused by a request until it is resumed. `past_due`: a charge failed for good and the plan has `afterFailure: pause`. `expired`: a charge failed for good, or its last charge is over. */
  readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
  /** For an expired subscription: `payment_failed`; `approval_used_up`, all approved charges were made; or `term_ended`, the last charge is over and some were skipped, credited or refused. Otherwise the reason that was given. */
  readonly statusReason: string | null;
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority: 'high' | 'normal' | 'low';
  /** The retry policy of each charge. */
  readonly retry: RetryPolicy | null;
  /** The approved number of charges; null: open-ended. */
  readonly charges: number | null;
  /** Charges so far, imported ones included. */
  readonly chargesMade: number;
  /** Charges that were settled, imported ones included. */
  readonly chargesPaid: number;
  /** Charges of the current plan that were skipped: missed in an outage, or due while it was paused, past due or expired. They count towards `charges`. */
  readonly chargesSkipped: number;
  /** Charges of the current plan that a credit covered in full. They count towards `charges`. */
  readonly chargesCredited: number;
  /** The largest total of all charges: the price times the number of charges; after a change of plan, the amount charged before plus the new price times the new number of charges. Null: open-ended, and each charge is at most the price. */
  readonly approved: string | null;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly paid: string;
  /** The unused amount after a change of plan. It is deducted from the next charges and never paid out. */
  readonly credit: string;
  /** When the first charge is due; null without a trial. */
  readonly trialEndsAt: string | null;
  /** When it is cancelled instead of charged: the end of the period, after a cancellation at the period end; null otherwise. */
  readonly cancelAt: string | null;
  /** When the next charge is due. RFC 3339, UTC; null if there is none. */
  readonly nextDueAt: string | null;
  /** The newest charge. */
  readonly lastPayment: string | null;
  /** The schedule of its charges, by id. */
  readonly schedule: string;
  /** Your own name for it, unique within the tenant; null if none was given. */
  readonly reference: string | null;
  /** Your own JSON object, returned unchanged; null if none was given. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** When it reached a final state. RFC 3339, UTC; null before. */
  readonly endedAt: string | null;
}

export interface SubscriptionUpdateParams {
  /** Priority of the charges. Default: unchanged. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** Null: the preset `subscription`. Default: unchanged. */
  readonly retry?:
    | 'hold'
    | 'subscription'
    | 'allowance'
    | 'payout'
    | {
        /** Attempts in all, 1 to 100. Default: that of the preset. */
        readonly maxAttempts?: number;
        /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: unchanged. */
        readonly initialDelay?: string | number;
        /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
        readonly multiplier?: number;
        /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: unchanged. */
        readonly maxDelay?: string | number;
        /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
        readonly jitter?: number;
      }
    | null;
  /** Your own JSON object, returned unchanged; at most 16,384 characters; null removes it. Default: unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

export interface PlanChange {
  /** The plan, by id. */
  readonly plan: string;
  /** Default `none`. */
  readonly proration?: 'none' | 'charge';
}

export interface Allowance {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The guardian’s account, by id. */
  readonly guardianId: string;
  /** Ref of the account `guardianId`. An end user gets only their own ref, and null for other accounts. */
  readonly guardianRef: string | null;
  /** The child’s account, by id. */
  readonly juniorId: string;
  /** Ref of the account `juniorId`. An end user gets only their own ref, and null for other accounts. */
  readonly juniorRef: string | null;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" if `amount` is "1250" of USD/2. */
  readonly amountDecimal: string;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Null if the schedule was given a rule that is none of these. */
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | null;
  /** `ON` or `OFF`. */
  readonly status: 'ON' | 'OFF';
  /** IANA time zone, such as `Europe/Berlin`. Default `UTC`. */
  readonly zone: string;
  /** Null: `ALLOWANCE_MAX_RETRIES` and `ALLOWANCE_RETRY_DELAY_MS` of the deployment apply, as configured when a credit is created. */
  readonly retry: RetryPolicy | null;
  /** The next date, even while the previous credit is retried. Null while the allowance is `OFF`. */
  readonly nextRunAt: string | null;
  /** The date of the last credit that was paid, even if it was paid late. Null before the first. */
  readonly lastRunAt: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface AllowanceCredit {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The date that the credit is for, even if it was paid late. */
  readonly runAt: string;
  /** How many dates the credit covers: more than one if they were skipped together. */
  readonly slots: number;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" if `amount` is "1250" of USD/2. */
  readonly amountDecimal: string;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** `PENDING` while it is attempted; `FAILED` after its last attempt; `SKIPPED` with a `reason`. */
  readonly status: 'CREDITED' | 'PENDING' | 'FAILED' | 'CANCELLED' | 'SKIPPED';
  /** Attempts so far, the first included. */
  readonly attempts: number;
  /** When the credit was paid. RFC 3339, UTC; null before. */
  readonly creditedAt: string | null;
  /** The payment, by id; null if there is none. */
  readonly payment: string | null;
  /** Why it was skipped, such as `missed`, `overlap` or `outage`. */
  readonly reason: string | null;
  /** The error of the last failed attempt. Not shown to the child. */
  readonly lastError: {
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  } | null;
}

export interface EventAppendParams {
  /** Two or more words with dots between them, such as `posts.created`. The first word must not be a noun of usance, such as `payment`. */
  readonly type: string;
  /** The kind of your resource: one word in lower case, such as `post`. Not one of usance. */
  readonly resource: string;
  /** Your id of the resource: any text. It stays as a digest when the event is erased. */
  readonly resourceId: string;
  /** Your own JSON object, returned unchanged; at most 65,536 bytes of JSON. Default: empty. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The version of the schema of `data`, as your application counts it. Default: 1. */
  readonly version?: number;
}

export interface AppendedEvent {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The type of the event. */
  readonly type: string;
  /** The version of the schema of `data`, as your application counts it. */
  readonly version: number;
  /** By the tenant’s clock. */
  readonly occurredAt: string;
}

export interface EventAppendManyItem {
  /** Two or more words with dots between them, such as `posts.created`. The first word must not be a noun of usance, such as `payment`. */
  readonly type: string;
  /** The kind of your resource: one word in lower case, such as `post`. Not one of usance. */
  readonly resource: string;
  /** Your id of the resource: any text. It stays as a digest when the event is erased. */
  readonly resourceId: string;
  /** Your own JSON object, returned unchanged; at most 65,536 bytes of JSON. Default: empty. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The version of the schema of `data`, as your application counts it. Default: 1. */
  readonly version?: number;
}

export interface EventAppendManyParams {
  /** The events, 1 to 1,000. */
  readonly events: readonly EventAppendManyItem[];
}

export interface AppendedEvents {
  /** How many events were appended: all of the request. */
  readonly appended: number;
  /** Their ids, in the order of the request. */
  readonly ids: readonly string[];
}

export interface EventEnvelope {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Its number among the events of the tenant, in the order of commits, without gaps. */
  readonly seq: number;
  /** Its place in the order, for `after` and `Last-Event-ID`. Refused if the database has lost the event. */
  readonly cursor: string;
  /** `usance`; an event that your application appended has `application`. */
  readonly source: 'usance';
  /** The version of the schema of `data`. A change that breaks a reader gets the next one. */
  readonly version: number;
  /** The kind of resource, such as `payment`. */
  readonly resource: string;
  /** The id of the resource. */
  readonly resourceId: string;
  /** The caller: `key_…` of an API key, `acct_…` of an end user, `sch_…` of a schedule, `cli:…` of a command, `system`, or a name given by the library. */
  readonly actor: string;
  /** The W3C `traceparent` of the call that caused the event; null if it sent none, and for changes by the engine. */
  readonly traceContext: string | null;
  /** By the tenant’s clock. */
  readonly occurredAt: string;
  /** When it was written. RFC 3339, UTC. */
  readonly recordedAt: string;
}

/**
 * A chunk of opening balances was imported.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.balances_imported",
 *   "version": 1,
 *   "resource": "import",
 *   "resourceId": "imp_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "import": "from-the-old-system",
 *     "balances": 1000,
 *     "firstLine": 2
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountBalancesImportedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.balances_imported';
  /** Null after it was erased. */
  readonly data: {
    /** The name of the import. */
    readonly import: string;
    /** How many balances were booked. */
    readonly balances: number;
    /** The line of the file with the first of them. */
    readonly firstLine: number;
  } | null;
}

/**
 * An account was closed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.closed",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "new": {
 *       "status": "closed",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "reason": "asked for by the customer",
 *     "changed": []
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountClosedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.closed';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The reason given by the caller; null if none was given. */
    readonly reason: string | null;
    /** The personal fields that changed, among `name` and `contact`. Events never have their values. */
    readonly changed: readonly string[];
  } | null;
}

/**
 * An account was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.created",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "kind": "user",
 *       "status": "active",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** Which kind it is. */
      readonly kind: 'user' | 'merchant' | 'treasury' | 'system';
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
  } | null;
}

/**
 * The personal data of an account was erased.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.erased",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "fields": [
 *       "name",
 *       "contact",
 *       "status_reason",
 *       "ref"
 *     ],
 *     "events": 4,
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountErasedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.erased';
  /** Null after it was erased. */
  readonly data: {
    /** The fields that were erased. */
    readonly fields: readonly string[];
    /** How many events were erased. */
    readonly events: number;
    /** The reason given by the caller. */
    readonly reason: string;
  } | null;
}

/**
 * A suspended account is active again.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.reactivated",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "suspended",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "new": {
 *       "status": "active",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "reason": "asked for by the customer",
 *     "changed": []
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountReactivatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.reactivated';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The reason given by the caller; null if none was given. */
    readonly reason: string | null;
    /** The personal fields that changed, among `name` and `contact`. Events never have their values. */
    readonly changed: readonly string[];
  } | null;
}

/**
 * The forecast of an account falls below zero.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.shortfall_expected",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "at": "2026-11-15T09:30:00.000Z",
 *     "missing": "2500",
 *     "amount": "10000",
 *     "paymentId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountShortfallExpectedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.shortfall_expected';
  /** Null after it was erased. */
  readonly data: {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** When the funds will be missing. RFC 3339, UTC. */
    readonly at: string;
    /** How much will be missing. Minor units. */
    readonly missing: string;
    /** The amount of the payment that will lack them. Minor units. */
    readonly amount: string;
    /** That payment. Absent until it exists. */
    readonly paymentId?: string;
    /** The schedule that will create the payment. Absent if the payment exists. */
    readonly scheduleId?: string;
  } | null;
}

/**
 * An account was suspended.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.suspended",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "new": {
 *       "status": "suspended",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "reason": "asked for by the customer",
 *     "changed": []
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountSuspendedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.suspended';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The reason given by the caller; null if none was given. */
    readonly reason: string | null;
    /** The personal fields that changed, among `name` and `contact`. Events never have their values. */
    readonly changed: readonly string[];
  } | null;
}

/**
 * All tokens of an end user were revoked.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.tokens_revoked",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "revokedAt": "2026-11-15T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountTokensRevokedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.tokens_revoked';
  /** Null after it was erased. */
  readonly data: {
    /** Tokens issued before this instant are refused. RFC 3339, UTC. */
    readonly revokedAt: string;
  } | null;
}

/**
 * The name, contact or guardians of an account changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "account.updated",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "new": {
 *       "status": "active",
 *       "guardianId": null,
 *       "guardianRef": null,
 *       "guardianIds": [],
 *       "guardianIdRefs": []
 *     },
 *     "reason": null,
 *     "changed": [
 *       "contact"
 *     ]
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AccountUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'account.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the account. */
      readonly status: 'active' | 'suspended' | 'closed';
      /** The first guardian; null if there is none. */
      readonly guardianId: string | null;
      /** Ref of the account `guardianId`. */
      readonly guardianRef: string | null;
      /** All guardians. */
      readonly guardianIds: readonly string[];
      /** Refs of the guardians, in the same order. */
      readonly guardianIdRefs: readonly (string | null)[];
    };
    /** The reason given by the caller; null if none was given. */
    readonly reason: string | null;
    /** The personal fields that changed, among `name` and `contact`. Events never have their values. */
    readonly changed: readonly string[];
  } | null;
}

/**
 * The measurement of an alert is back, or there is nothing left to measure.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "alert.cleared",
 *   "version": 1,
 *   "resource": "alert",
 *   "resourceId": "alt_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "kind": "payout_success",
 *     "chain": "sandbox",
 *     "asset": null,
 *     "unit": "share",
 *     "value": "0.9",
 *     "threshold": "0.95",
 *     "count": 20,
 *     "windowMs": 900000,
 *     "raisedAt": "2026-11-15T09:00:00.000Z",
 *     "clearedValue": "0.97"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AlertClearedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'alert.cleared';
  /** Null after it was erased. */
  readonly data: {
    /** The kind of measurement. */
    readonly kind:
      | 'payout_success'
      | 'settlement_time'
      | 'treasury_floor'
      | 'chain_health'
      | 'webhook_delivery'
      | 'manual_review';
    /** The chain; null: the alert is about no chain. */
    readonly chain: string | null;
    /** The asset of the wallet; null unless `kind` is `treasury_floor`. */
    readonly asset: string | null;
    /** The unit of `value` and `threshold`. */
    readonly unit: 'share' | 'seconds' | 'minor_units' | 'payouts';
    /** The measurement that raised the alert, as a decimal. */
    readonly value: string;
    /** The value that was crossed, as a decimal. */
    readonly threshold: string;
    /** Samples that were measured. */
    readonly count: number;
    /** The length of the rolling window, in milliseconds; null: what is now was measured. */
    readonly windowMs: number | null;
    /** When the alert was raised. RFC 3339, UTC. */
    readonly raisedAt: string;
    /** The measurement that cleared it, as a decimal; null: there was nothing left to measure. */
    readonly clearedValue: string | null;
  } | null;
}

/**
 * A measurement crossed the threshold of an alert. Emitted once per crossing.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "alert.raised",
 *   "version": 1,
 *   "resource": "alert",
 *   "resourceId": "alt_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "kind": "payout_success",
 *     "chain": "sandbox",
 *     "asset": null,
 *     "unit": "share",
 *     "value": "0.9",
 *     "threshold": "0.95",
 *     "count": 20,
 *     "windowMs": 900000
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AlertRaisedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'alert.raised';
  /** Null after it was erased. */
  readonly data: {
    /** The kind of measurement. */
    readonly kind:
      | 'payout_success'
      | 'settlement_time'
      | 'treasury_floor'
      | 'chain_health'
      | 'webhook_delivery'
      | 'manual_review';
    /** The chain; null: the alert is about no chain. */
    readonly chain: string | null;
    /** The asset of the wallet; null unless `kind` is `treasury_floor`. */
    readonly asset: string | null;
    /** The unit of `value` and `threshold`. */
    readonly unit: 'share' | 'seconds' | 'minor_units' | 'payouts';
    /** The measurement that raised the alert, as a decimal. */
    readonly value: string;
    /** The value that was crossed, as a decimal. */
    readonly threshold: string;
    /** Samples that were measured. */
    readonly count: number;
    /** The length of the rolling window, in milliseconds; null: what is now was measured. */
    readonly windowMs: number | null;
  } | null;
}

/**
 * An allowance was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "allowance.created",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "guardianId": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *     "guardianRef": "alice",
 *     "juniorId": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *     "juniorRef": "bob",
 *     "new": {
 *       "status": "ON",
 *       "amount": "500",
 *       "asset": "USD/2",
 *       "frequency": "WEEKLY"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AllowanceCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'allowance.created';
  /** Null after it was erased. */
  readonly data: {
    /** The account that pays. */
    readonly guardianId: string;
    /** Ref of the account `guardianId`. */
    readonly guardianRef: string | null;
    /** The account that is paid. */
    readonly juniorId: string;
    /** Ref of the account `juniorId`. */
    readonly juniorRef: string | null;
    /** The values of the new resource. */
    readonly new: {
      /** Whether it pays. */
      readonly status: 'ON' | 'OFF';
      /** The amount of each credit. Minor units. */
      readonly amount: string;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** How often it pays. */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
    };
  } | null;
}

/**
 * An allowance was deleted.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "allowance.deleted",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "guardianId": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *     "guardianRef": "alice",
 *     "juniorId": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *     "juniorRef": "bob",
 *     "old": {
 *       "status": "ON"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AllowanceDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'allowance.deleted';
  /** Null after it was erased. */
  readonly data: {
    /** The account that pays. */
    readonly guardianId: string;
    /** Ref of the account `guardianId`. */
    readonly guardianRef: string | null;
    /** The account that is paid. */
    readonly juniorId: string;
    /** Ref of the account `juniorId`. */
    readonly juniorRef: string | null;
    /** The values before the change. */
    readonly old: {
      /** Whether it pays. */
      readonly status: 'ON' | 'OFF';
    };
  } | null;
}

/** How a failed payment is retried. */
export interface EventRetryPolicy {
  /** Attempts in all. */
  readonly maxAttempts: number;
  /** The wait after the first failed attempt, in milliseconds. */
  readonly initialDelayMs: number;
  /** Each wait is this many times the previous wait. */
  readonly multiplier: number;
  /** The longest wait, in milliseconds. */
  readonly maxDelayMs: number;
  /** Random part of each wait, 0 to 1. */
  readonly jitter: number;
}

/**
 * The amount, frequency or status of an allowance changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "allowance.updated",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "guardianId": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *     "guardianRef": "alice",
 *     "juniorId": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *     "juniorRef": "bob",
 *     "changed": [
 *       "amount"
 *     ],
 *     "old": {
 *       "status": "ON"
 *     },
 *     "new": {
 *       "status": "ON",
 *       "amount": "600"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AllowanceUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'allowance.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The account that pays. */
    readonly guardianId: string;
    /** Ref of the account `guardianId`. */
    readonly guardianRef: string | null;
    /** The account that is paid. */
    readonly juniorId: string;
    /** Ref of the account `juniorId`. */
    readonly juniorRef: string | null;
    /** The fields that the caller gave. */
    readonly changed: readonly string[];
    /** The values before the change. */
    readonly old: {
      /** Whether it pays. */
      readonly status: 'ON' | 'OFF';
    };
    /** The values after the change. */
    readonly new: {
      /** Whether it pays. */
      readonly status: 'ON' | 'OFF';
      /** The amount of each credit. Minor units. Absent if it was not given. */
      readonly amount?: string;
      /** How often it pays. Absent if it was not given. */
      readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** IANA time zone. Absent if it was not given. */
      readonly zone?: string;
      /** The retry policy; null: the default. Absent if it was not given. */
      readonly retry?: EventRetryPolicy | null;
    };
    /** Why the engine turned it OFF. Absent if a caller changed it. */
    readonly reason?: 'guardian_removed';
  } | null;
}

/**
 * An API key was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "api_key.created",
 *   "version": 1,
 *   "resource": "api_key",
 *   "resourceId": "key_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "name": "checkout",
 *     "prefix": "usk_9xK2",
 *     "new": {
 *       "role": "operator",
 *       "scopes": [],
 *       "expiresAt": null,
 *       "person": "jo"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ApiKeyCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'api_key.created';
  /** Null after it was erased. */
  readonly data: {
    /** A name for people. */
    readonly name: string;
    /** The beginning of the key, by which it can be recognised. */
    readonly prefix: string;
    /** The values of the new resource. */
    readonly new: {
      /** The role; null if the scopes were listed. */
      readonly role: string | null;
      /** The scopes besides those of the role. */
      readonly scopes: readonly string[];
      /** When it expires; null if it does not. */
      readonly expiresAt: string | null;
      /** The person that uses it; null if none was named. */
      readonly person: string | null;
    };
  } | null;
}

/**
 * An API key was revoked.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "api_key.revoked",
 *   "version": 1,
 *   "resource": "api_key",
 *   "resourceId": "key_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "name": "checkout",
 *     "prefix": "usk_9xK2"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ApiKeyRevokedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'api_key.revoked';
  /** Null after it was erased. */
  readonly data: {
    /** A name for people. */
    readonly name: string;
    /** The beginning of the key, by which it can be recognised. */
    readonly prefix: string;
  } | null;
}

/**
 * An API key was replaced by another.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "api_key.rotated",
 *   "version": 1,
 *   "resource": "api_key",
 *   "resourceId": "key_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "name": "checkout",
 *     "prefix": "usk_9xK2",
 *     "new": {
 *       "role": "operator",
 *       "scopes": [],
 *       "expiresAt": null,
 *       "person": "jo"
 *     },
 *     "replaces": "key_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "until": "2026-11-15T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ApiKeyRotatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'api_key.rotated';
  /** Null after it was erased. */
  readonly data: {
    /** A name for people. */
    readonly name: string;
    /** The beginning of the key, by which it can be recognised. */
    readonly prefix: string;
    /** The values of the new resource. */
    readonly new: {
      /** The role; null if the scopes were listed. */
      readonly role: string | null;
      /** The scopes besides those of the role. */
      readonly scopes: readonly string[];
      /** When it expires; null if it does not. */
      readonly expiresAt: string | null;
      /** The person that uses it; null if none was named. */
      readonly person: string | null;
    };
    /** The key that was replaced. */
    readonly replaces: string;
    /** How long the replaced key still works. */
    readonly until: string | null;
  } | null;
}

/**
 * An asset was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "asset.created",
 *   "version": 1,
 *   "resource": "asset",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "asset": "USD/2",
 *       "code": "USD",
 *       "scale": 2
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AssetCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'asset.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** The code without its scale. */
      readonly code: string;
      /** How many decimals it has. */
      readonly scale: number;
    };
  } | null;
}

/**
 * The details of events were erased from the audit log.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "audit_event.erased",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "events": [
 *       "evt_01k9zt3q9fh2j4m6p8r0t2w4y6"
 *     ],
 *     "reason": "the reason contained a name",
 *     "login": "usance_app"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface AuditEventErasedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'audit_event.erased';
  /** Null after it was erased. */
  readonly data: {
    /** The events, at most 500. */
    readonly events: readonly string[];
    /** The reason given by the caller. */
    readonly reason: string;
    /** The role of the database that erased them. */
    readonly login: string;
  } | null;
}

/**
 * An integrity check found a row that disagrees with the books; no amount is wrong.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "books.violation_found",
 *   "version": 1,
 *   "resource": "violation",
 *   "resourceId": "vio_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "violation": "dead-letters-have-failed",
 *     "details": {
 *       "payment": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *       "status": "settled"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface BooksViolationFoundEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'books.violation_found';
  /** Null after it was erased. */
  readonly data: {
    /** The asset; empty if the row has none. */
    readonly asset: string;
    /** The name of the check. */
    readonly violation: string;
    /** The row that disagrees, with ids as TypeIDs. */
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
}

/**
 * The e-mail settings were changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "email.updated",
 *   "version": 1,
 *   "resource": "email",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "enabled": true,
 *       "kinds": [
 *         "payment_received"
 *       ],
 *       "fromName": "Example Shop",
 *       "locale": "en",
 *       "zone": "Europe/Berlin",
 *       "sendTestEvents": false
 *     },
 *     "new": {
 *       "enabled": true,
 *       "kinds": [
 *         "payment_received"
 *       ],
 *       "fromName": "Example Shop",
 *       "locale": "en",
 *       "zone": "Europe/Berlin",
 *       "sendTestEvents": false
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface EmailUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'email.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change; null at the first change. */
    readonly old: {
      /** Whether e-mail is sent. */
      readonly enabled: boolean;
      /** Kinds of e-mail that are sent. */
      readonly kinds: readonly string[];
      /** The name of the sender; null: that of the tenant. */
      readonly fromName: string | null;
      /** Locale of contacts without one. */
      readonly locale: string;
      /** Time zone of contacts without one. */
      readonly zone: string;
      /** Whether events of a test tenant are sent too. */
      readonly sendTestEvents: boolean;
    } | null;
    /** The values after the change. */
    readonly new: {
      /** Whether e-mail is sent. */
      readonly enabled: boolean;
      /** Kinds of e-mail that are sent. */
      readonly kinds: readonly string[];
      /** The name of the sender; null: that of the tenant. */
      readonly fromName: string | null;
      /** Locale of contacts without one. */
      readonly locale: string;
      /** Time zone of contacts without one. */
      readonly zone: string;
      /** Whether events of a test tenant are sent too. */
      readonly sendTestEvents: boolean;
    };
  } | null;
}

/**
 * An account gets no more e-mail, by its link to unsubscribe or by a caller.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "email_opt_out.created",
 *   "version": 1,
 *   "resource": "email_opt_out",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {},
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface EmailOptOutCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'email_opt_out.created';
  /** Null after it was erased. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * An account gets e-mail again.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "email_opt_out.deleted",
 *   "version": 1,
 *   "resource": "email_opt_out",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {},
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface EmailOptOutDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'email_opt_out.deleted';
  /** Null after it was erased. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * The own texts of a kind of e-mail were given up.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "email_template.deleted",
 *   "version": 1,
 *   "resource": "email_template",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "kind": "payment_received",
 *     "language": "de"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface EmailTemplateDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'email_template.deleted';
  /** Null after it was erased. */
  readonly data: {
    /** The kind of e-mail. */
    readonly kind: string;
    /** The language; empty: every other one. */
    readonly language: string;
  } | null;
}

/**
 * The texts of a kind of e-mail were replaced.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "email_template.set",
 *   "version": 1,
 *   "resource": "email_template",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "kind": "payment_received",
 *     "language": "de",
 *     "subject": "{{amount}} von {{payer}}"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface EmailTemplateSetEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'email_template.set';
  /** Null after it was erased. */
  readonly data: {
    /** The kind of e-mail. */
    readonly kind: string;
    /** The language; empty: every other one. */
    readonly language: string;
    /** The subject. */
    readonly subject: string;
  } | null;
}

/**
 * The cancellation of a running execution was requested: it ends as cancelled, unless its attempt completes first.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "execution.cancel_requested",
 *   "version": 1,
 *   "resource": "execution",
 *   "resourceId": "exe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "jobId": "job_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "eventId": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ExecutionCancelRequestedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'execution.cancel_requested';
  /** Null after it was erased. */
  readonly data: {
    /** The job. */
    readonly jobId: string;
    /** The event that it handles. */
    readonly eventId: string;
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * An execution was cancelled before it ended.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "execution.cancelled",
 *   "version": 1,
 *   "resource": "execution",
 *   "resourceId": "exe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "jobId": "job_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "eventId": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ExecutionCancelledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'execution.cancelled';
  /** Null after it was erased. */
  readonly data: {
    /** The job. */
    readonly jobId: string;
    /** The event that it handles. */
    readonly eventId: string;
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * A failed execution was discarded from the dead letters.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "execution.discarded",
 *   "version": 1,
 *   "resource": "execution",
 *   "resourceId": "exe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "jobId": "job_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "eventId": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *     "reason": "the receipt was sent by hand"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ExecutionDiscardedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'execution.discarded';
  /** Null after it was erased. */
  readonly data: {
    /** The job. */
    readonly jobId: string;
    /** The event that it handles. */
    readonly eventId: string;
    /** The reason given by the caller. */
    readonly reason: string;
  } | null;
}

/**
 * An execution used up its attempts, or cannot succeed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "execution.failed",
 *   "version": 1,
 *   "resource": "execution",
 *   "resourceId": "exe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "jobId": "job_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "eventId": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *     "attemptNumber": 3,
 *     "code": "PROCESSOR_FAILED"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ExecutionFailedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'execution.failed';
  /** Null after it was erased. */
  readonly data: {
    /** The job. */
    readonly jobId: string;
    /** The event that it handles. */
    readonly eventId: string;
    /** Attempts so far. */
    readonly attemptNumber: number;
    /** Why the last attempt failed; the execution has the message. */
    readonly code: string;
  } | null;
}

/**
 * An execution that had ended was retried: it gets all its attempts again.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "execution.retried",
 *   "version": 1,
 *   "resource": "execution",
 *   "resourceId": "exe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "jobId": "job_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "eventId": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ExecutionRetriedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'execution.retried';
  /** Null after it was erased. */
  readonly data: {
    /** The job. */
    readonly jobId: string;
    /** The event that it handles. */
    readonly eventId: string;
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * The cap on payments per second was set or removed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "execution_cap.set",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "executionsPerSecond": null
 *     },
 *     "new": {
 *       "executionsPerSecond": 50
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ExecutionCapSetEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'execution_cap.set';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** Executions per second at most; null: no cap. */
      readonly executionsPerSecond: number | null;
    };
    /** The values after the change. */
    readonly new: {
      /** Executions per second at most; null: no cap. */
      readonly executionsPerSecond: number | null;
    };
  } | null;
}

/**
 * An integrity check froze an asset.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "freeze.created",
 *   "version": 1,
 *   "resource": "freeze",
 *   "resourceId": "frz_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "violation": "balances-equal-transfers",
 *     "details": {
 *       "account": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "available": "5000",
 *       "transfers": "4000"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface FreezeCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'freeze.created';
  /** Null after it was erased. */
  readonly data: {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The name of the check. */
    readonly violation: string;
    /** The row that disagrees, with ids as TypeIDs. */
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
}

/**
 * The freeze of an asset was lifted.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "freeze.lifted",
 *   "version": 1,
 *   "resource": "freeze",
 *   "resourceId": "frz_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface FreezeLiftedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'freeze.lifted';
  /** Null after it was erased. */
  readonly data: {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The reason given by the caller. */
    readonly reason: string;
  } | null;
}

/** How a failed execution is retried. */
export interface EventJobRetry {
  /** Attempts in all. */
  readonly maxAttempts: number;
  /** The wait after the first failed attempt, in milliseconds. */
  readonly initialDelayMs: number;
  /** Each wait is this many times the previous wait. */
  readonly multiplier: number;
  /** The longest wait, in milliseconds. */
  readonly maxDelayMs: number;
  /** Random part of each wait, 0 to 1. */
  readonly jitter: number;
  /** The wait after each attempt but the last, in milliseconds. Absent if the other fields say it all. */
  readonly delaysMs?: readonly number[];
}

/**
 * A job was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "job.created",
 *   "version": 1,
 *   "resource": "job",
 *   "resourceId": "job_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "name": "send receipts",
 *       "description": "Sends a receipt for every settled payment.",
 *       "eventPattern": "payment.settled",
 *       "processorName": "send-receipt",
 *       "enabled": true,
 *       "retryConfig": {
 *         "maxAttempts": 5,
 *         "initialDelayMs": 1000,
 *         "multiplier": 2,
 *         "maxDelayMs": 60000,
 *         "jitter": 0,
 *         "delaysMs": [
 *           5000
 *         ]
 *       },
 *       "timeoutMs": 60000,
 *       "maxConcurrency": 10,
 *       "maxPerSecond": 50,
 *       "after": 17
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface JobCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'job.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** Its name, unique within the tenant. */
      readonly name: string;
      /** A text for people; empty if none was given. */
      readonly description: string;
      /** The events that it runs on. */
      readonly eventPattern: string;
      /** The processor that it runs. */
      readonly processorName: string;
      /** Whether it runs on new events. */
      readonly enabled: boolean;
      /** The retry policy; null: the default of 3 attempts. */
      readonly retryConfig: EventJobRetry | null;
      /** How long one attempt may take, in milliseconds. */
      readonly timeoutMs: number;
      /** Executions that run at the same time at most. Null: no limit. */
      readonly maxConcurrency: number | null;
      /** Executions that start per second at most. Null: no limit. */
      readonly maxPerSecond: number | null;
      /** Only events with a larger `seq` are handled. */
      readonly after: number;
    };
  } | null;
}

/**
 * A job was deleted. Executions that wait are cancelled.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "job.deleted",
 *   "version": 1,
 *   "resource": "job",
 *   "resourceId": "job_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "name": "send receipts",
 *     "eventPattern": "payment.settled",
 *     "processorName": "send-receipt"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface JobDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'job.deleted';
  /** Null after it was erased. */
  readonly data: {
    /** Its name, unique within the tenant. */
    readonly name: string;
    /** The events that it runs on. */
    readonly eventPattern: string;
    /** The processor that it runs. */
    readonly processorName: string;
  } | null;
}

/**
 * A job was changed, enabled or disabled.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "job.updated",
 *   "version": 1,
 *   "resource": "job",
 *   "resourceId": "job_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "enabled": true
 *     },
 *     "new": {
 *       "enabled": false
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface JobUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'job.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** Its name, unique within the tenant. Absent if it was not given. */
      readonly name?: string;
      /** A text for people; empty if none was given. Absent if it was not given. */
      readonly description?: string;
      /** The events that it runs on. Absent if it was not given. */
      readonly eventPattern?: string;
      /** The processor that it runs. Absent if it was not given. */
      readonly processorName?: string;
      /** Whether it runs on new events. Absent if it was not given. */
      readonly enabled?: boolean;
      /** The retry policy; null: the default of 3 attempts. Absent if it was not given. */
      readonly retryConfig?: EventJobRetry | null;
      /** How long one attempt may take, in milliseconds. Absent if it was not given. */
      readonly timeoutMs?: number;
      /** Executions that run at the same time at most. Null: no limit. Absent if it was not given. */
      readonly maxConcurrency?: number | null;
      /** Executions that start per second at most. Null: no limit. Absent if it was not given. */
      readonly maxPerSecond?: number | null;
    };
    /** The values after the change. */
    readonly new: {
      /** Its name, unique within the tenant. Absent if it was not given. */
      readonly name?: string;
      /** A text for people; empty if none was given. Absent if it was not given. */
      readonly description?: string;
      /** The events that it runs on. Absent if it was not given. */
      readonly eventPattern?: string;
      /** The processor that it runs. Absent if it was not given. */
      readonly processorName?: string;
      /** Whether it runs on new events. Absent if it was not given. */
      readonly enabled?: boolean;
      /** The retry policy; null: the default of 3 attempts. Absent if it was not given. */
      readonly retryConfig?: EventJobRetry | null;
      /** How long one attempt may take, in milliseconds. Absent if it was not given. */
      readonly timeoutMs?: number;
      /** Executions that run at the same time at most. Null: no limit. Absent if it was not given. */
      readonly maxConcurrency?: number | null;
      /** Executions that start per second at most. Null: no limit. Absent if it was not given. */
      readonly maxPerSecond?: number | null;
    };
  } | null;
}

/**
 * A limit was set or removed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "limit.set",
 *   "version": 1,
 *   "resource": "account",
 *   "resourceId": "acct_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "old": {
 *       "maxAmount": null,
 *       "dailyAmount": null,
 *       "defaultDailyAmount": null,
 *       "tenantDailyAmount": null,
 *       "approvalAbove": null
 *     },
 *     "new": {
 *       "maxAmount": "100000",
 *       "dailyAmount": null,
 *       "defaultDailyAmount": null,
 *       "tenantDailyAmount": null,
 *       "approvalAbove": null
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface LimitSetEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'limit.set';
  /** Null after it was erased. */
  readonly data: {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The values before the change. */
    readonly old: {
      /** The most that one payment may be. Minor units; null: no limit. */
      readonly maxAmount: string | null;
      /** The most that the account may send in 24 hours. Minor units; null: no limit. */
      readonly dailyAmount: string | null;
      /** The same for every account without its own. Minor units; null: no limit. */
      readonly defaultDailyAmount: string | null;
      /** The most that all accounts may send together in 24 hours. Minor units; null: no limit. */
      readonly tenantDailyAmount: string | null;
      /** A payment above this amount needs approval. Minor units; null: no limit. */
      readonly approvalAbove: string | null;
    };
    /** The values after the change. */
    readonly new: {
      /** The most that one payment may be. Minor units; null: no limit. */
      readonly maxAmount: string | null;
      /** The most that the account may send in 24 hours. Minor units; null: no limit. */
      readonly dailyAmount: string | null;
      /** The same for every account without its own. Minor units; null: no limit. */
      readonly defaultDailyAmount: string | null;
      /** The most that all accounts may send together in 24 hours. Minor units; null: no limit. */
      readonly tenantDailyAmount: string | null;
      /** A payment above this amount needs approval. Minor units; null: no limit. */
      readonly approvalAbove: string | null;
    };
  } | null;
}

/**
 * A notification channel was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "notification_channel.created",
 *   "version": 1,
 *   "resource": "notification_channel",
 *   "resourceId": "nch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "name": "on call",
 *       "kind": "slack",
 *       "targetHost": "hooks.slack.com",
 *       "topics": [
 *         "dead_letters"
 *       ],
 *       "maxPerMinute": 20,
 *       "sendTestEvents": false,
 *       "enabled": true
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface NotificationChannelCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'notification_channel.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** Its name, which is also that of its job. */
      readonly name: string;
      /** The service that messages are posted to. */
      readonly kind: 'slack' | 'discord' | 'webhook';
      /** The host of its URL. */
      readonly targetHost: string;
      /** Topics of its messages. */
      readonly topics: readonly string[];
      /** Messages in a minute at most. */
      readonly maxPerMinute: number;
      /** Whether events of a test tenant are sent too. */
      readonly sendTestEvents: boolean;
      /** Whether it sends messages. */
      readonly enabled: boolean;
    };
  } | null;
}

/**
 * A notification channel was deleted: its URL is erased.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "notification_channel.deleted",
 *   "version": 1,
 *   "resource": "notification_channel",
 *   "resourceId": "nch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "name": "on call",
 *     "kind": "slack",
 *     "targetHost": "hooks.slack.com",
 *     "topics": [
 *       "dead_letters"
 *     ],
 *     "maxPerMinute": 20,
 *     "sendTestEvents": false,
 *     "enabled": true
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface NotificationChannelDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'notification_channel.deleted';
  /** Null after it was erased. */
  readonly data: {
    /** Its name, which is also that of its job. */
    readonly name: string;
    /** The service that messages are posted to. */
    readonly kind: 'slack' | 'discord' | 'webhook';
    /** The host of its URL. */
    readonly targetHost: string;
    /** Topics of its messages. */
    readonly topics: readonly string[];
    /** Messages in a minute at most. */
    readonly maxPerMinute: number;
    /** Whether events of a test tenant are sent too. */
    readonly sendTestEvents: boolean;
    /** Whether it sends messages. */
    readonly enabled: boolean;
  } | null;
}

/**
 * A notification channel was disabled because its messages fail.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "notification_channel.disabled",
 *   "version": 1,
 *   "resource": "notification_channel",
 *   "resourceId": "nch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "targetHost": "hooks.slack.com",
 *     "failingSince": "2026-11-15T09:30:00.000Z",
 *     "reason": "gone"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface NotificationChannelDisabledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'notification_channel.disabled';
  /** Null after it was erased. */
  readonly data: {
    /** The host of its URL. */
    readonly targetHost: string;
    /** The first failed attempt since the last success. RFC 3339, UTC. */
    readonly failingSince: string;
    /** gone: its URL exists no longer. failing: failures without a success span five days. */
    readonly reason: 'gone' | 'failing';
  } | null;
}

/**
 * The secret that signs the messages of a channel was replaced.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "notification_channel.secret_rotated",
 *   "version": 1,
 *   "resource": "notification_channel",
 *   "resourceId": "nch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {},
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface NotificationChannelSecretRotatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'notification_channel.secret_rotated';
  /** Null after it was erased. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * A test message was requested.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "notification_channel.tested",
 *   "version": 1,
 *   "resource": "notification_channel",
 *   "resourceId": "nch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {},
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface NotificationChannelTestedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'notification_channel.tested';
  /** Null after it was erased. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * A notification channel was changed, enabled or disabled by a caller.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "notification_channel.updated",
 *   "version": 1,
 *   "resource": "notification_channel",
 *   "resourceId": "nch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "name": "on call",
 *       "kind": "slack",
 *       "targetHost": "hooks.slack.com",
 *       "topics": [
 *         "dead_letters"
 *       ],
 *       "maxPerMinute": 20,
 *       "sendTestEvents": false,
 *       "enabled": true
 *     },
 *     "new": {
 *       "name": "on call",
 *       "kind": "slack",
 *       "targetHost": "hooks.slack.com",
 *       "topics": [
 *         "dead_letters"
 *       ],
 *       "maxPerMinute": 20,
 *       "sendTestEvents": false,
 *       "enabled": true
 *     },
 *     "urlChanged": false
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface NotificationChannelUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'notification_channel.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** Its name, which is also that of its job. */
      readonly name: string;
      /** The service that messages are posted to. */
      readonly kind: 'slack' | 'discord' | 'webhook';
      /** The host of its URL. */
      readonly targetHost: string;
      /** Topics of its messages. */
      readonly topics: readonly string[];
      /** Messages in a minute at most. */
      readonly maxPerMinute: number;
      /** Whether events of a test tenant are sent too. */
      readonly sendTestEvents: boolean;
      /** Whether it sends messages. */
      readonly enabled: boolean;
    };
    /** The values after the change. */
    readonly new: {
      /** Its name, which is also that of its job. */
      readonly name: string;
      /** The service that messages are posted to. */
      readonly kind: 'slack' | 'discord' | 'webhook';
      /** The host of its URL. */
      readonly targetHost: string;
      /** Topics of its messages. */
      readonly topics: readonly string[];
      /** Messages in a minute at most. */
      readonly maxPerMinute: number;
      /** Whether events of a test tenant are sent too. */
      readonly sendTestEvents: boolean;
      /** Whether it sends messages. */
      readonly enabled: boolean;
    };
    /** Whether it has another URL. */
    readonly urlChanged: boolean;
  } | null;
}

/**
 * The payments that an outage held back were discarded.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "outage.discarded",
 *   "version": 1,
 *   "resource": "outage",
 *   "resourceId": "out_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "waiting"
 *     },
 *     "new": {
 *       "status": "discarded"
 *     },
 *     "overdue": [
 *       {
 *         "asset": "USD/2",
 *         "count": 120,
 *         "amount": "1200000"
 *       }
 *     ],
 *     "reason": "paid by hand meanwhile"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface OutageDiscardedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'outage.discarded';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the outage. */
      readonly status: 'waiting' | 'released' | 'discarded';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the outage. */
      readonly status: 'waiting' | 'released' | 'discarded';
    };
    /** The overdue schedules, by asset. */
    readonly overdue: readonly {
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** How many schedules. */
      readonly count: number;
      /** The sum of their payments. Minor units. */
      readonly amount: string;
    }[];
    /** The reason given by the caller. */
    readonly reason: string;
  } | null;
}

/**
 * The outage guard held back the payments that became due during an outage.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "outage.held",
 *   "version": 1,
 *   "resource": "outage",
 *   "resourceId": "out_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "since": "2026-11-15T09:30:00.000Z",
 *     "through": "2026-11-15T09:30:00.000Z",
 *     "overdue": [
 *       {
 *         "asset": "USD/2",
 *         "count": 120,
 *         "amount": "1200000"
 *       }
 *     ]
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface OutageHeldEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'outage.held';
  /** Null after it was erased. */
  readonly data: {
    /** When the first of them was due. RFC 3339, UTC. */
    readonly since: string;
    /** When it was noticed; everything due by then waits. RFC 3339, UTC. */
    readonly through: string;
    /** The overdue schedules, by asset. */
    readonly overdue: readonly {
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** How many schedules. */
      readonly count: number;
      /** The sum of their payments. Minor units. */
      readonly amount: string;
    }[];
  } | null;
}

/**
 * The payments that an outage held back were released.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "outage.released",
 *   "version": 1,
 *   "resource": "outage",
 *   "resourceId": "out_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "waiting"
 *     },
 *     "new": {
 *       "status": "released"
 *     },
 *     "overdue": [
 *       {
 *         "asset": "USD/2",
 *         "count": 120,
 *         "amount": "1200000"
 *       }
 *     ],
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface OutageReleasedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'outage.released';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the outage. */
      readonly status: 'waiting' | 'released' | 'discarded';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the outage. */
      readonly status: 'waiting' | 'released' | 'discarded';
    };
    /** The overdue schedules, by asset. */
    readonly overdue: readonly {
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** How many schedules. */
      readonly count: number;
      /** The sum of their payments. Minor units. */
      readonly amount: string;
    }[];
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/** The outage guard. */
export interface EventOutageGuard {
  /** How many schedules may be overdue at once; null: any number. */
  readonly count: number | null;
  /** How much of an asset may be overdue at once. */
  readonly amounts: readonly {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** A sum. Minor units. */
    readonly amount: string;
  }[];
}

/**
 * The outage guard of the tenant was set.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "outage_guard.set",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "outageGuard": {
 *         "count": null,
 *         "amounts": []
 *       }
 *     },
 *     "new": {
 *       "outageGuard": {
 *         "count": 100,
 *         "amounts": [
 *           {
 *             "asset": "USD/2",
 *             "amount": "10000"
 *           }
 *         ]
 *       }
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface OutageGuardSetEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'outage_guard.set';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The outage guard. */
      readonly outageGuard: EventOutageGuard;
    };
    /** The values after the change. */
    readonly new: {
      /** The outage guard. */
      readonly outageGuard: EventOutageGuard;
    };
  } | null;
}

/**
 * Outgoing payments were paused.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "pause.created",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "scope": "asset",
 *     "value": "USD/2",
 *     "reason": "the bank is closed"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PauseCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'pause.created';
  /** Null after it was erased. */
  readonly data: {
    /** The kind of pause. */
    readonly scope: 'tenant' | 'asset' | 'rail';
    /** The asset or rail; empty for the whole tenant. */
    readonly value: string;
    /** The reason given by the caller. */
    readonly reason: string;
  } | null;
}

/**
 * A pause was lifted.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "pause.lifted",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "scope": "asset",
 *     "value": "USD/2"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PauseLiftedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'pause.lifted';
  /** Null after it was erased. */
  readonly data: {
    /** The kind of pause. */
    readonly scope: 'tenant' | 'asset' | 'rail';
    /** The asset or rail; empty for the whole tenant. */
    readonly value: string;
  } | null;
}

/** The account that pays. */
export interface EventPayer {
  /** The account. */
  readonly id: string;
  /** Ref of the account, read when the event is shown. */
  readonly ref: string | null;
}

/** An account that is paid. */
export interface EventPayee {
  /** The account. */
  readonly id: string;
  /** Ref of the account, read when the event is shown. */
  readonly ref: string | null;
  /** The part of this account. Minor units. */
  readonly amount: string;
}

/** The payment as it is after the change, with its texts as they are when the event is shown. */
export interface PaymentEventData {
  /** The payment. */
  readonly id: string;
  /** The state of the payment. */
  readonly status: 'scheduled' | 'processing' | 'submitted' | 'review' | 'settled' | 'failed' | 'cancelled' | 'expired';
  /** The amount of the payment. Minor units. */
  readonly amount: string;
  /** The amount that was paid. Minor units. */
  readonly captured: string;
  /** The reserved amount that is available again. Minor units. */
  readonly released: string;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** The account that pays. */
  readonly payer: EventPayer;
  /** The accounts that are paid, one to ten. */
  readonly payees: readonly EventPayee[];
  /** Your own name for the payment, read when the event is shown; null if it has none. `payment.created` has the one that was given. */
  readonly reference: string | null;
  /** Your own JSON object as the payment has it when the event is shown; null if it has none. `payment.created`, and `payment.updated` if `changed` names it, have the one that was given. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** When the payment is due. RFC 3339, UTC. */
  readonly executeAt: string;
  /** Attempts so far; the number of the attempt in an event of one. A retry by an operator starts again at 0. */
  readonly attempt: number;
  /** The schedule, subscription or allowance that created the payment; null for a payment created by a caller. */
  readonly owner: {
    /** The kind of owner. */
    readonly kind: 'schedule' | 'subscription' | 'allowance';
    /** `sub_…` of a subscription, otherwise `sch_…`. */
    readonly id: string;
  } | null;
  /** How money moves: `ledger`, a chain, or `any` for a chain that is chosen when the payment runs. */
  readonly rail: string;
}

/**
 * A payment needs approval before it is executed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.approval_requested",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "termsVersion": 1
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentApprovalRequestedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.approval_requested';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The version of amount, payees, `executeAt` and `expires_at`. */
        readonly termsVersion: number;
      })
    | null;
}

/**
 * A payment was approved.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.approved",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "expiresAt": null,
 *     "termsVersion": 1,
 *     "old": {
 *       "approval": "awaited"
 *     },
 *     "new": {
 *       "approval": "given"
 *     },
 *     "termsBy": [
 *       "key_01k9zsxw3e5r7t9v1y3z5a7b9c"
 *     ],
 *     "reason": "within the budget"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentApprovedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.approved';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** When the payment expires; null if it does not. */
        readonly expiresAt: string | null;
        /** The version of amount, payees, `executeAt` and `expires_at`. */
        readonly termsVersion: number;
        /** The values before the change. */
        readonly old: {
          /** Whether a second person has approved the payment. */
          readonly approval: 'awaited' | 'given';
        };
        /** The values after the change. */
        readonly new: {
          /** Whether a second person has approved the payment. */
          readonly approval: 'awaited' | 'given';
        };
        /** The callers that decided the terms. */
        readonly termsBy: readonly string[];
        /** The reason given by the caller; null if none was given. */
        readonly reason: string | null;
      })
    | null;
}

/**
 * An attempt failed; another follows.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.attempt_failed",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 1,
 *     "owner": null,
 *     "rail": "ledger",
 *     "durationMs": 12,
 *     "code": "FUNDS_INSUFFICIENT",
 *     "detail": "account \"acct_01k9zt1m6hfpq8w3n5x7y2c4de\" has 50.00 USD available; 100.00 USD is required",
 *     "nextAttemptAt": "2026-11-15T09:31:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentAttemptFailedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.attempt_failed';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** Milliseconds from the claim of the batch to the decision. */
        readonly durationMs: number;
        /** A code of the error catalogue. */
        readonly code: string;
        /** One sentence: the problem, the resource and the action to take. */
        readonly detail: string;
        /** When the next attempt is. RFC 3339, UTC. */
        readonly nextAttemptAt: string;
      })
    | null;
}

/**
 * A payment was cancelled.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.cancelled",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "cancelled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "10000",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "status": "scheduled"
 *     },
 *     "new": {
 *       "status": "cancelled"
 *     },
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentCancelledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.cancelled';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The reason given by the caller; null if none was given. */
        readonly reason: string | null;
      })
    | null;
}

/**
 * A part of a hold, or the rest of it, was captured.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.captured",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "4000",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "capture": {
 *       "number": 1,
 *       "amount": "4000"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentCapturedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.captured';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** This capture. */
        readonly capture: {
          /** 1 for the first capture. */
          readonly number: number;
          /** The captured part. Minor units. */
          readonly amount: string;
        };
      })
    | null;
}

/**
 * A payment or hold was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.created",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "new": {
 *       "status": "scheduled",
 *       "amount": "10000",
 *       "asset": "USD/2",
 *       "executeAt": "2026-11-15T09:30:00.000Z"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.created';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values of the new resource. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
          /** The amount of the payment. Minor units. */
          readonly amount: string;
          /** Code and scale: `USD/2` counts cents. */
          readonly asset: string;
          /** When the payment is due. RFC 3339, UTC. */
          readonly executeAt: string;
        };
      })
    | null;
}

/**
 * A failed payment was discarded: it is no longer a dead letter.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.discarded",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "failed",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "10000",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 5,
 *     "owner": null,
 *     "rail": "ledger",
 *     "code": "FUNDS_INSUFFICIENT",
 *     "reason": "paid in cash"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentDiscardedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.discarded';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The code of its last failure. */
        readonly code: string | null;
        /** The reason given by the caller. */
        readonly reason: string;
      })
    | null;
}

/**
 * A payment expired with nothing captured.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.expired",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "expired",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "10000",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "status": "scheduled"
 *     },
 *     "new": {
 *       "status": "expired"
 *     },
 *     "reason": "expires_at"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentExpiredEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.expired';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** Why it expired. */
        readonly reason: 'expires_at' | 'approval_not_given';
      })
    | null;
}

/**
 * The expiry of a payment was moved.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.extended",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "amount": "10000",
 *       "executeAt": "2026-11-15T09:30:00.000Z",
 *       "expiresAt": null,
 *       "termsVersion": 1
 *     },
 *     "new": {
 *       "amount": "10000",
 *       "executeAt": "2026-11-15T09:30:00.000Z",
 *       "expiresAt": "2026-11-16T09:30:00.000Z",
 *       "termsVersion": 2
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentExtendedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.extended';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The amount of the payment. Minor units. */
          readonly amount: string;
          /** When the payment is due. RFC 3339, UTC. */
          readonly executeAt: string;
          /** When the payment expires; null if it does not. */
          readonly expiresAt: string | null;
          /** The version of amount, payees, `executeAt` and `expires_at`. */
          readonly termsVersion: number;
        };
        /** The values after the change. */
        readonly new: {
          /** The amount of the payment. Minor units. */
          readonly amount: string;
          /** When the payment is due. RFC 3339, UTC. */
          readonly executeAt: string;
          /** When the payment expires; null if it does not. */
          readonly expiresAt: string | null;
          /** The version of amount, payees, `executeAt` and `expires_at`. */
          readonly termsVersion: number;
        };
      })
    | null;
}

/**
 * A payment failed for good: it is a dead letter.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.failed",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "failed",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "10000",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 5,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "status": "scheduled"
 *     },
 *     "new": {
 *       "status": "failed"
 *     },
 *     "durationMs": 12,
 *     "code": "FUNDS_INSUFFICIENT",
 *     "detail": "account \"acct_01k9zt1m6hfpq8w3n5x7y2c4de\" has 50.00 USD available; 100.00 USD is required"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentFailedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.failed';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** Milliseconds from the claim of the batch to the decision. Absent if it was not an attempt. */
        readonly durationMs?: number;
        /** A code of the error catalogue. */
        readonly code: string;
        /** One sentence: the problem, the resource and the action to take. */
        readonly detail: string;
      })
    | null;
}

/**
 * A payout is not final ten minutes after it was sent. It is still watched, and its funds stay reserved.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.manual_review",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "review",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 1,
 *     "owner": null,
 *     "rail": "sandbox",
 *     "old": {
 *       "status": "submitted"
 *     },
 *     "new": {
 *       "status": "review"
 *     },
 *     "chain": "sandbox",
 *     "transactionId": "9f86d081884c7d65",
 *     "sentAt": "2026-11-15T09:30:00.000Z",
 *     "code": "PAYOUT_UNCONFIRMED",
 *     "detail": "account \"acct_01k9zt1m6hfpq8w3n5x7y2c4de\" has 50.00 USD available; 100.00 USD is required"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentManualReviewEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.manual_review';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The chain. */
        readonly chain: string;
        /** The id of the transaction on the chain. */
        readonly transactionId: string;
        /** When its bytes were stored, to be sent. RFC 3339, UTC. */
        readonly sentAt: string;
        /** A code of the error catalogue. */
        readonly code: string;
        /** One sentence: the problem, the resource and the action to take. */
        readonly detail: string;
      })
    | null;
}

/**
 * A settled payment was refunded, whole or in part.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.refunded",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "settled",
 *     "amount": "10000",
 *     "captured": "10000",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 1,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "status": "settled"
 *     },
 *     "new": {
 *       "status": "settled"
 *     },
 *     "refund": {
 *       "amount": "2500"
 *     },
 *     "refunded": "2500",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentRefundedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.refunded';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** This refund. */
        readonly refund: {
          /** The refunded part. Minor units. */
          readonly amount: string;
        };
        /** All refunds of the payment. Minor units. */
        readonly refunded: string;
        /** The reason given by the caller; null if none was given. */
        readonly reason: string | null;
      })
    | null;
}

/**
 * A payment that needed approval was rejected.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.rejected",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "cancelled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "10000",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "status": "scheduled"
 *     },
 *     "new": {
 *       "status": "cancelled"
 *     },
 *     "termsBy": [
 *       "key_01k9zsxw3e5r7t9v1y3z5a7b9c"
 *     ],
 *     "reason": "not in the budget"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentRejectedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.rejected';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The callers that decided the terms. */
        readonly termsBy: readonly string[];
        /** The reason given by the caller. */
        readonly reason: string;
      })
    | null;
}

/**
 * The rest of a hold that was captured in part is available again.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.released",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "settled",
 *     "amount": "10000",
 *     "captured": "4000",
 *     "released": "6000",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "because": "cancelled",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentReleasedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.released';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** How the payment ended. */
        readonly because: 'cancelled' | 'rejected' | 'expired';
        /** The callers that decided the terms. Absent unless it was rejected. */
        readonly termsBy?: readonly string[];
        /** The reason given by the caller; null if none was given. */
        readonly reason: string | null;
      })
    | null;
}

/**
 * An operator resolved a payout in review. The event of its end, or of its next attempt, follows.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.resolved",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "review",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 1,
 *     "owner": null,
 *     "rail": "sandbox",
 *     "outcome": "dead",
 *     "proven": false,
 *     "chain": "sandbox",
 *     "transactionId": "9f86d081884c7d65",
 *     "reason": "the node operator lost it"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentResolvedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.resolved';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The decision. */
        readonly outcome: 'paid' | 'dead';
        /** Whether the chain proved the outcome; otherwise the operator vouches for it. */
        readonly proven: boolean;
        /** The chain. */
        readonly chain: string;
        /** The id of the transaction on the chain. */
        readonly transactionId: string;
        /** The reason given by the caller. */
        readonly reason: string;
      })
    | null;
}

/**
 * A failed payment is scheduled again.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.retried",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "status": "failed"
 *     },
 *     "new": {
 *       "status": "scheduled"
 *     },
 *     "reason": "the account has funds now"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentRetriedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.retried';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The reason given by the caller; null if none was given. */
        readonly reason: string | null;
      })
    | null;
}

/**
 * A scheduled payment was made due now.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.run_now",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "dueAt": "2026-11-15T09:30:00.000Z",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentRunNowEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.run_now';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** When it would have been due. RFC 3339, UTC. */
        readonly dueAt: string;
        /** The reason given by the caller. Absent if none was given. */
        readonly reason?: string;
      })
    | null;
}

/**
 * A payment was paid.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.settled",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "settled",
 *     "amount": "10000",
 *     "captured": "10000",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 1,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "status": "scheduled"
 *     },
 *     "new": {
 *       "status": "settled"
 *     },
 *     "durationMs": 12,
 *     "latenessMs": 3,
 *     "chain": "sandbox",
 *     "transactionId": "9f86d081884c7d65",
 *     "fee": "5400",
 *     "feeAsset": "SBX/9"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentSettledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.settled';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** Milliseconds from the claim of the batch to the decision. Absent if it was not an attempt. */
        readonly durationMs?: number;
        /** Milliseconds from the due instant to the claim. Absent if it was not an attempt. */
        readonly latenessMs?: number;
        /** The chain. Absent if it is not a payout. */
        readonly chain?: string;
        /** The id of the transaction on the chain. Absent if it is not a payout. */
        readonly transactionId?: string;
        /** The fee that the chain took from the wallet, in minor units of `feeAsset`. Minor units. Absent if it is not a payout. */
        readonly fee?: string;
        /** The asset of the fee. Absent if it is not a payout. */
        readonly feeAsset?: string;
      })
    | null;
}

/**
 * A payout was signed and stored, and is being sent.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.submitted",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "submitted",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 1,
 *     "owner": null,
 *     "rail": "sandbox",
 *     "old": {
 *       "status": "processing"
 *     },
 *     "new": {
 *       "status": "submitted"
 *     },
 *     "chain": "sandbox",
 *     "transactionId": "9f86d081884c7d65",
 *     "destination": "sbx0f1e…"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentSubmittedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.submitted';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The chain. */
        readonly chain: string;
        /** The id of the transaction on the chain. */
        readonly transactionId: string;
        /** The address that is paid. */
        readonly destination: string;
      })
    | null;
}

/**
 * The amount, instant or metadata of a payment changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.updated",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "12000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "ledger",
 *     "old": {
 *       "amount": "10000",
 *       "executeAt": "2026-11-15T09:30:00.000Z",
 *       "expiresAt": null,
 *       "termsVersion": 1
 *     },
 *     "new": {
 *       "amount": "12000",
 *       "executeAt": "2026-11-15T09:30:00.000Z",
 *       "expiresAt": null,
 *       "termsVersion": 2
 *     },
 *     "changed": [
 *       "metadata"
 *     ]
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.updated';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The amount of the payment. Minor units. */
          readonly amount: string;
          /** When the payment is due. RFC 3339, UTC. */
          readonly executeAt: string;
          /** When the payment expires; null if it does not. */
          readonly expiresAt: string | null;
          /** The version of amount, payees, `executeAt` and `expires_at`. */
          readonly termsVersion: number;
        };
        /** The values after the change. */
        readonly new: {
          /** The amount of the payment. Minor units. */
          readonly amount: string;
          /** When the payment is due. RFC 3339, UTC. */
          readonly executeAt: string;
          /** When the payment expires; null if it does not. */
          readonly expiresAt: string | null;
          /** The version of amount, payees, `executeAt` and `expires_at`. */
          readonly termsVersion: number;
        };
        /** `metadata`. Absent if the caller did not set it. */
        readonly changed?: readonly string[];
      })
    | null;
}

/**
 * A payout waits until its chain or its wallet is ready. Emitted when the cause is another one than before.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payment.waiting",
 *   "version": 1,
 *   "resource": "payment",
 *   "resourceId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *   "data": {
 *     "id": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "status": "scheduled",
 *     "amount": "10000",
 *     "captured": "0",
 *     "released": "0",
 *     "asset": "USD/2",
 *     "payer": {
 *       "id": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "ref": "alice"
 *     },
 *     "payees": [
 *       {
 *         "id": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *         "ref": "bob",
 *         "amount": "10000"
 *       }
 *     ],
 *     "reference": "order-1001",
 *     "metadata": {
 *       "order": "A-1001"
 *     },
 *     "executeAt": "2026-11-15T09:30:00.000Z",
 *     "attempt": 0,
 *     "owner": null,
 *     "rail": "sandbox",
 *     "old": {
 *       "status": "processing"
 *     },
 *     "new": {
 *       "status": "scheduled"
 *     },
 *     "code": "PAYOUT_WAITS",
 *     "detail": "account \"acct_01k9zt1m6hfpq8w3n5x7y2c4de\" has 50.00 USD available; 100.00 USD is required"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentWaitingEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payment.waiting';
  /** Null after it was erased. */
  readonly data:
    | (PaymentEventData & {
        /** The values before the change. */
        readonly old: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** The values after the change. */
        readonly new: {
          /** The state of the payment. */
          readonly status:
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired';
        };
        /** A code of the error catalogue. */
        readonly code: string;
        /** One sentence: the problem, the resource and the action to take. */
        readonly detail: string;
      })
    | null;
}

/**
 * A batch of payments that ended long ago was archived.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payments.archived",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "payments": 1000,
 *     "endedBefore": "2024-11-15T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PaymentsArchivedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payments.archived';
  /** Null after it was erased. */
  readonly data: {
    /** How many were archived. */
    readonly payments: number;
    /** They ended before this instant. RFC 3339, UTC. */
    readonly endedBefore: string;
  } | null;
}

/**
 * Caps of payouts were set.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payout_cap.set",
 *   "version": 1,
 *   "resource": "payout_cap",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "chain": "sandbox",
 *     "old": {
 *       "maxAmount": "10000",
 *       "dailyAmount": "10000"
 *     },
 *     "new": {
 *       "maxAmount": "10000",
 *       "dailyAmount": "10000"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PayoutCapSetEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payout_cap.set';
  /** Null after it was erased. */
  readonly data: {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The chain; null: all chains together. */
    readonly chain: string | null;
    /** The values before the change. */
    readonly old: {
      /** The largest amount of one payout. Minor units; null: no cap. */
      readonly maxAmount: string | null;
      /** The largest sum in 24 hours. Minor units; null: no cap. */
      readonly dailyAmount: string | null;
    };
    /** The values after the change. */
    readonly new: {
      /** The largest amount of one payout. Minor units; null: no cap. */
      readonly maxAmount: string | null;
      /** The largest sum in 24 hours. Minor units; null: no cap. */
      readonly dailyAmount: string | null;
    };
  } | null;
}

/**
 * A second person approved a listed address.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payout_destination.approved",
 *   "version": 1,
 *   "resource": "payout_destination",
 *   "resourceId": "pdst_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "chain": "sandbox",
 *     "address": "sbx0f1e…",
 *     "usableAt": "2026-11-15T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PayoutDestinationApprovedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payout_destination.approved';
  /** Null after it was erased. */
  readonly data: {
    /** The chain. */
    readonly chain: string;
    /** The address. */
    readonly address: string;
    /** When payouts may go there. RFC 3339, UTC. */
    readonly usableAt: string;
  } | null;
}

/**
 * An address was listed for payouts.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payout_destination.created",
 *   "version": 1,
 *   "resource": "payout_destination",
 *   "resourceId": "pdst_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "chain": "sandbox",
 *     "address": "sbx0f1e…",
 *     "label": "Ana",
 *     "usableAt": "2026-11-15T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PayoutDestinationCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payout_destination.created';
  /** Null after it was erased. */
  readonly data: {
    /** The chain. */
    readonly chain: string;
    /** The address. */
    readonly address: string;
    /** A name for people; null: none. */
    readonly label: string | null;
    /** When payouts may go there; null: it awaits approval. */
    readonly usableAt: string | null;
  } | null;
}

/**
 * A listed address was removed: nothing more is signed for it.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payout_destination.removed",
 *   "version": 1,
 *   "resource": "payout_destination",
 *   "resourceId": "pdst_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "chain": "sandbox",
 *     "address": "sbx0f1e…",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PayoutDestinationRemovedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payout_destination.removed';
  /** Null after it was erased. */
  readonly data: {
    /** The chain. */
    readonly chain: string;
    /** The address. */
    readonly address: string;
    /** The reason given by the caller. */
    readonly reason: string;
  } | null;
}

/**
 * The policy about addresses of payouts was set.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "payout_policy.set",
 *   "version": 1,
 *   "resource": "payout_policy",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "listedOnly": true,
 *       "wait": "PT86400S",
 *       "secondPerson": true
 *     },
 *     "new": {
 *       "listedOnly": true,
 *       "wait": "PT86400S",
 *       "secondPerson": true
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PayoutPolicySetEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'payout_policy.set';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** Whether payouts go to listed addresses only. */
      readonly listedOnly: boolean;
      /** How long before a new address may be paid. ISO 8601. */
      readonly wait: string;
      /** Whether a second person approves each new address. */
      readonly secondPerson: boolean;
    };
    /** The values after the change. */
    readonly new: {
      /** Whether payouts go to listed addresses only. */
      readonly listedOnly: boolean;
      /** How long before a new address may be paid. ISO 8601. */
      readonly wait: string;
      /** Whether a second person approves each new address. */
      readonly secondPerson: boolean;
    };
  } | null;
}

/**
 * A plan was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "plan.created",
 *   "version": 1,
 *   "resource": "plan",
 *   "resourceId": "plan_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "name": "Pro",
 *       "price": "999",
 *       "zone": "Europe/Berlin",
 *       "charges": 12,
 *       "trialDays": 0,
 *       "priority": "normal",
 *       "afterFailure": "expire",
 *       "missed": "last",
 *       "payeeId": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *       "payeeRef": "bob",
 *       "asset": "USD/2",
 *       "period": {
 *         "frequency": "MONTHLY"
 *       },
 *       "months": null,
 *       "retry": null
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PlanCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'plan.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** The name of the plan. */
      readonly name: string;
      /** The price of one period. Minor units. */
      readonly price: string;
      /** From charge to charge: by the calendar, or always so many seconds. */
      readonly period:
        | {
            /** The unit. */
            readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
            /** So many units. Absent if it was not given: 1. */
            readonly every?: number;
          }
        | {
            /** So many seconds. */
            readonly everySeconds: number;
          };
      /** IANA time zone of the calendar. */
      readonly zone: string;
      /** How many charges there are; null: not limited by number. */
      readonly charges: number | null;
      /** For how many months; null: not limited by months. */
      readonly months: number | null;
      /** Days before the first charge. */
      readonly trialDays: number;
      /** Due payments of a higher priority run first. */
      readonly priority: 'high' | 'normal' | 'low';
      /** The retry policy; null: the default. */
      readonly retry: EventRetryPolicy | null;
      /** How the subscription continues after a final failure of a charge. */
      readonly afterFailure: 'expire' | 'pause';
      /** Which of several missed charges are made. */
      readonly missed: 'all' | 'last' | 'skip';
      /** The account that is paid. */
      readonly payeeId: string;
      /** Ref of the account `payeeId`. */
      readonly payeeRef: string | null;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
    };
  } | null;
}

/**
 * A plan changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "plan.updated",
 *   "version": 1,
 *   "resource": "plan",
 *   "resourceId": "plan_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "changed": [
 *       "price"
 *     ],
 *     "new": {
 *       "price": "1299"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface PlanUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'plan.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The fields that the caller gave. */
    readonly changed: readonly string[];
    /** Their values after the change. */
    readonly new: {
      /** The name of the plan. Absent if it was not given. */
      readonly name?: string;
      /** The price of one period. Minor units. Absent if it was not given. */
      readonly price?: string;
      /** From charge to charge: by the calendar, or always so many seconds. Absent if it was not given. */
      readonly period?:
        | {
            /** The unit. */
            readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
            /** So many units. Absent if it was not given: 1. */
            readonly every?: number;
          }
        | {
            /** So many seconds. */
            readonly everySeconds: number;
          };
      /** IANA time zone of the calendar. Absent if it was not given. */
      readonly zone?: string;
      /** How many charges there are; null: not limited by number. Absent if it was not given. */
      readonly charges?: number | null;
      /** For how many months; null: not limited by months. Absent if it was not given. */
      readonly months?: number | null;
      /** Days before the first charge. Absent if it was not given. */
      readonly trialDays?: number;
      /** Due payments of a higher priority run first. Absent if it was not given. */
      readonly priority?: 'high' | 'normal' | 'low';
      /** The retry policy; null: the default. Absent if it was not given. */
      readonly retry?: EventRetryPolicy | null;
      /** How the subscription continues after a final failure of a charge. Absent if it was not given. */
      readonly afterFailure?: 'expire' | 'pause';
      /** Which of several missed charges are made. Absent if it was not given. */
      readonly missed?: 'all' | 'last' | 'skip';
    };
  } | null;
}

/**
 * A payout was created with a quote, which cannot be accepted again.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "quote.accepted",
 *   "version": 1,
 *   "resource": "quote",
 *   "resourceId": "qte_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "amount": "10000",
 *     "chain": "sandbox",
 *     "priority": "low_fee",
 *     "expiresAt": "2026-11-13T09:35:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface QuoteAcceptedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'quote.accepted';
  /** Null after it was erased. */
  readonly data: {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The amount of the payout. Minor units. */
    readonly amount: string;
    /** The chain with the highest score. */
    readonly chain: string;
    /** The aim of the choice. */
    readonly priority: 'low_fee' | 'fast' | 'reliable';
    /** When the quote expires. RFC 3339, UTC. */
    readonly expiresAt: string;
  } | null;
}

/**
 * A quote for a payout was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "quote.created",
 *   "version": 1,
 *   "resource": "quote",
 *   "resourceId": "qte_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "asset": "USD/2",
 *     "amount": "10000",
 *     "chain": "sandbox",
 *     "priority": "low_fee",
 *     "expiresAt": "2026-11-13T09:35:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface QuoteCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'quote.created';
  /** Null after it was erased. */
  readonly data: {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The amount of the payout. Minor units. */
    readonly amount: string;
    /** The chain with the highest score. */
    readonly chain: string;
    /** The aim of the choice. */
    readonly priority: 'low_fee' | 'fast' | 'reliable';
    /** When the quote expires. RFC 3339, UTC. */
    readonly expiresAt: string;
  } | null;
}

/**
 * Reserved funds were captured.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "reservation.captured",
 *   "version": 1,
 *   "resource": "reservation",
 *   "resourceId": "rsv_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "amount": "4000",
 *     "to": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *     "toRef": "bob",
 *     "new": {
 *       "accountId": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "accountRef": "alice",
 *       "asset": "USD/2",
 *       "amount": "10000",
 *       "captured": "4000",
 *       "released": "0"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ReservationCapturedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'reservation.captured';
  /** Null after it was erased. */
  readonly data: {
    /** The captured part. Minor units. */
    readonly amount: string;
    /** The account that was paid. */
    readonly to: string;
    /** Ref of the account `to`. */
    readonly toRef: string | null;
    /** The values of the new resource. */
    readonly new: {
      /** The account. */
      readonly accountId: string;
      /** Ref of the account `accountId`. */
      readonly accountRef: string | null;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** The reserved amount. Minor units. */
      readonly amount: string;
      /** The captured part. Minor units. */
      readonly captured: string;
      /** The released part. Minor units. */
      readonly released: string;
    };
  } | null;
}

/**
 * Funds were reserved.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "reservation.created",
 *   "version": 1,
 *   "resource": "reservation",
 *   "resourceId": "rsv_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "amount": "10000",
 *     "new": {
 *       "accountId": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "accountRef": "alice",
 *       "asset": "USD/2",
 *       "amount": "10000",
 *       "captured": "0",
 *       "released": "0"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ReservationCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'reservation.created';
  /** Null after it was erased. */
  readonly data: {
    /** The reserved amount. Minor units. */
    readonly amount: string;
    /** The values of the new resource. */
    readonly new: {
      /** The account. */
      readonly accountId: string;
      /** Ref of the account `accountId`. */
      readonly accountRef: string | null;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** The reserved amount. Minor units. */
      readonly amount: string;
      /** The captured part. Minor units. */
      readonly captured: string;
      /** The released part. Minor units. */
      readonly released: string;
    };
  } | null;
}

/**
 * Reserved funds are available again.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "reservation.released",
 *   "version": 1,
 *   "resource": "reservation",
 *   "resourceId": "rsv_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "amount": "6000",
 *     "new": {
 *       "accountId": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "accountRef": "alice",
 *       "asset": "USD/2",
 *       "amount": "10000",
 *       "captured": "4000",
 *       "released": "6000"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ReservationReleasedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'reservation.released';
  /** Null after it was erased. */
  readonly data: {
    /** The released part. Minor units. */
    readonly amount: string;
    /** The values of the new resource. */
    readonly new: {
      /** The account. */
      readonly accountId: string;
      /** Ref of the account `accountId`. */
      readonly accountRef: string | null;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** The reserved amount. Minor units. */
      readonly amount: string;
      /** The captured part. Minor units. */
      readonly captured: string;
      /** The released part. Minor units. */
      readonly released: string;
    };
  } | null;
}

/**
 * Past slots of a schedule were made up for.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.backfilled",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "start": "2026-09-01",
 *     "end": "2026-10-31",
 *     "slots": 2
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleBackfilledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.backfilled';
  /** Null after it was erased. */
  readonly data: {
    /** The first local date, or date and time. */
    readonly start: string;
    /** The last one. */
    readonly end: string;
    /** How many payments were created. */
    readonly slots: number;
  } | null;
}

/**
 * A schedule was cancelled.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.cancelled",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "cancelled"
 *     },
 *     "reason": "moved away",
 *     "cancelPayment": true
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleCancelledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.cancelled';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
    /** Whether its open payment was to be cancelled too. Absent if the caller did not say. */
    readonly cancelPayment?: boolean;
  } | null;
}

/**
 * A schedule reached its end.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.completed",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "completed"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleCompletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.completed';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
  } | null;
}

/**
 * A schedule was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.created",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "status": "active",
 *       "rail": "ledger",
 *       "amount": "10000",
 *       "asset": "USD/2",
 *       "firstRunAt": "2026-11-15T09:30:00.000Z"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
      /** How its payments move: `ledger`, or for payouts a chain or `any`. */
      readonly rail: string;
      /** The amount of each payment. Minor units. */
      readonly amount: string;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** When it first runs. RFC 3339, UTC. */
      readonly firstRunAt: string;
    };
  } | null;
}

/**
 * A schedule ended because a payment failed for good.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.expired",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "expired"
 *     },
 *     "reason": "payment_failed"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleExpiredEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.expired';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
  } | null;
}

/**
 * An occurrence that failed was discarded.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.occurrence_discarded",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "slot": "2026-11-15T09:30:00",
 *     "asset": "USD/2",
 *     "amount": "10000",
 *     "code": "FUNDS_INSUFFICIENT",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleOccurrenceDiscardedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.occurrence_discarded';
  /** Null after it was erased. */
  readonly data: {
    /** The slot. Local time of the schedule. */
    readonly slot: string;
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The amount of the slot. Minor units. */
    readonly amount: string | null;
    /** The code of the failure. */
    readonly code: string | null;
    /** The reason given by the caller. */
    readonly reason: string;
  } | null;
}

/**
 * A slot of a schedule could not become a payment: it is a dead letter.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.occurrence_failed",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "slot": "2026-11-15T09:30:00",
 *     "amount": "10000",
 *     "code": "FUNDS_INSUFFICIENT",
 *     "detail": "account \"acct_01k9zt1m6hfpq8w3n5x7y2c4de\" has 50.00 USD available; 100.00 USD is required"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleOccurrenceFailedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.occurrence_failed';
  /** Null after it was erased. */
  readonly data: {
    /** The slot. Local time of the schedule. */
    readonly slot: string;
    /** The amount of the slot. Minor units. */
    readonly amount: string;
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  } | null;
}

/**
 * A slot of a schedule became a payment late.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.occurrence_late",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "slot": "2026-11-15T09:30:00",
 *     "lateByMs": 90000,
 *     "paymentId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleOccurrenceLateEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.occurrence_late';
  /** Null after it was erased. */
  readonly data: {
    /** The slot. Local time of the schedule. */
    readonly slot: string;
    /** Milliseconds. */
    readonly lateByMs: number;
    /** The payment of the slot. */
    readonly paymentId: string;
  } | null;
}

/**
 * An occurrence that failed became a payment.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.occurrence_retried",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "slot": "2026-11-15T09:30:00",
 *     "paymentId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleOccurrenceRetriedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.occurrence_retried';
  /** Null after it was erased. */
  readonly data: {
    /** The slot. Local time of the schedule. */
    readonly slot: string;
    /** The payment of the slot. Absent if a credit covered it. */
    readonly paymentId?: string;
    /** The credit that covered it. Minor units. Absent if there is a payment. */
    readonly credited?: string;
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * Slots of a schedule were skipped.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.occurrence_skipped",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "slot": "2026-11-15T09:30:00",
 *     "slots": 1,
 *     "reason": "overlap"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleOccurrenceSkippedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.occurrence_skipped';
  /** Null after it was erased. */
  readonly data: {
    /** The first slot. Local time of the schedule. */
    readonly slot: string;
    /** The last slot. Local time of the schedule. Absent if there is one slot. */
    readonly through?: string;
    /** How many. */
    readonly slots: number;
    /** Why they were skipped. */
    readonly reason: 'missed' | 'capped' | 'outside_window' | 'overlap' | 'updated' | 'outage' | 'credit' | 'inactive';
    /** The credit that covered it. Minor units. Absent unless the reason is `credit`. */
    readonly amount?: string;
  } | null;
}

/**
 * A schedule was paused.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.paused",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "paused"
 *     },
 *     "reason": "payment_failed",
 *     "cancelPayment": true
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SchedulePausedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.paused';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
    /** Whether its open payment was to be cancelled too. Absent if the caller did not say. */
    readonly cancelPayment?: boolean;
  } | null;
}

/**
 * A schedule was resumed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.resumed",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "paused"
 *     },
 *     "new": {
 *       "status": "active"
 *     },
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleResumedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.resumed';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the schedule. */
      readonly status: 'active' | 'paused' | 'completed' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * A schedule was triggered outside its rule.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.triggered",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "slot": "2026-11-15T09:30:00",
 *     "amount": "10000",
 *     "paymentId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleTriggeredEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.triggered';
  /** Null after it was erased. */
  readonly data: {
    /** The slot. Local time of the schedule. */
    readonly slot: string;
    /** The amount of the payment. Minor units. */
    readonly amount: string;
    /** The payment. */
    readonly paymentId: string | null;
  } | null;
}

/**
 * A schedule changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "schedule.updated",
 *   "version": 1,
 *   "resource": "schedule",
 *   "resourceId": "sch_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "changed": [
 *       "amount"
 *     ],
 *     "new": {
 *       "amount": "12000"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface ScheduleUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'schedule.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The fields that the caller gave. */
    readonly changed: readonly string[];
    /** Their values after the change, but for `metadata`. */
    readonly new: {
      /** The amount of each payment. Minor units. Absent if it was not given. */
      readonly amount?: string;
      /** Other amounts from a run on. Absent if it was not given. */
      readonly steps?: readonly {
        /** From this run on, counted from 1. */
        readonly from: number;
        /** The amount from then on. Minor units. */
        readonly amount: string;
      }[];
      /** When funds are taken. Absent if it was not given. */
      readonly funding?: 'reserve' | 'at_execution';
      /** Due payments of a higher priority run first. Absent if it was not given. */
      readonly priority?: 'high' | 'normal' | 'low';
      /** The retry policy; null: the default. Absent if it was not given. */
      readonly retry?: EventRetryPolicy | null;
      /** Which of several missed runs are made. Absent if it was not given. */
      readonly missed?: 'last' | 'skip' | 'all';
      /** How many missed runs are made at most; null: not limited. Absent if it was not given. */
      readonly missedCap?: number | null;
      /** How old a missed run may be. ISO 8601; null: any age. Absent if it was not given. */
      readonly missedWindow?: string | null;
      /** More runs due at once pause the schedule; null: no such bound. Absent if it was not given. */
      readonly guardCount?: number | null;
      /** A larger sum due at once pauses the schedule. Minor units; null: no such bound. Absent if it was not given. */
      readonly guardAmount?: string | null;
      /** How a run is handled whose predecessor is not finished. Absent if it was not given. */
      readonly overlap?: 'wait' | 'skip' | 'allow';
      /** How the schedule continues after a final failure. Absent if it was not given. */
      readonly afterFailure?: 'continue' | 'pause' | 'expire';
      /** The rule, as in `Schedule`. Absent if it was not given. */
      readonly rule?: Readonly<Record<string, unknown>>;
      /** IANA time zone. Absent if it was not given. */
      readonly zone?: string;
      /** The local date, or date and time, that the rule is counted from. Absent if it was not given. */
      readonly start?: string;
      /** No run after this; null: no end. Absent if it was not given. */
      readonly until?: string | null;
      /** No run after this many; null: no end. Absent if it was not given. */
      readonly count?: number | null;
      /** Dates without a run; null: none. Absent if it was not given. */
      readonly exclude?: readonly string[] | null;
      /** How the 31st is handled in a shorter month; null: the default of the rule. Absent if it was not given. */
      readonly monthEnd?: 'clamp' | 'skip' | null;
      /** The days on which it runs; null: all. Absent if it was not given. */
      readonly businessDays?: {
        /** The direction in which a run on another day moves. */
        readonly shift: 'skip' | 'next' | 'previous';
        /** Dates. Absent if it was not given: none. */
        readonly holidays?: readonly string[];
        /** Weekdays without runs. Absent if it was not given: Saturday and Sunday. */
        readonly weekend?: readonly string[];
      } | null;
    };
  } | null;
}

/**
 * A session of the dashboard was opened with an API key, or with a sign-in link of one.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "session.created",
 *   "version": 1,
 *   "resource": "session",
 *   "resourceId": "ses_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "key": "key_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "via": "key"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SessionCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'session.created';
  /** Null after it was erased. */
  readonly data: {
    /** The key that it acts as. */
    readonly key: string;
    /** Whether a key or a link opened it: `key`, `link`. */
    readonly via: string;
  } | null;
}

/**
 * A session was ended by a sign-out, here or everywhere, or by another sign-in of its browser.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "session.ended",
 *   "version": 1,
 *   "resource": "session",
 *   "resourceId": "ses_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "key": "key_01k9zt3q8sxa4e6r1t9v2w5y7z",
 *     "everywhere": true
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SessionEndedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'session.ended';
  /** Null after it was erased. */
  readonly data: {
    /** The key that it acts as. */
    readonly key: string;
    /** True: a sign-out of all browsers of the key ended it. Absent after a sign-out of its own browser, and after another sign-in. */
    readonly everywhere?: boolean;
  } | null;
}

/**
 * The first request of an API key or end user from an address that day, per process.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "sign_in.accepted",
 *   "version": 1,
 *   "resource": "api_key",
 *   "resourceId": "key_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {},
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SignInAcceptedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'sign_in.accepted';
  /** Null after it was erased. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * An ended API key, or an invalid token of a known issuer, was refused.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "sign_in.refused",
 *   "version": 1,
 *   "resource": "api_key",
 *   "resourceId": "key_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "times": 3,
 *     "reason": "the API key was revoked"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SignInRefusedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'sign_in.refused';
  /** Null after it was erased. */
  readonly data: {
    /** How often since the last such event. */
    readonly times: number;
    /** Why it was refused. */
    readonly reason: string;
  } | null;
}

/**
 * A subscription will be cancelled at the end of its period.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.cancellation_scheduled",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "cancelAt": "2026-12-15T09:30:00.000Z",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionCancellationScheduledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.cancellation_scheduled';
  /** Null after it was erased. */
  readonly data: {
    /** The end of the period. RFC 3339, UTC. */
    readonly cancelAt: string;
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * A scheduled cancellation was withdrawn.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.cancellation_withdrawn",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "cancelAt": "2026-12-15T09:30:00.000Z",
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionCancellationWithdrawnEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.cancellation_withdrawn';
  /** Null after it was erased. */
  readonly data: {
    /** The end of the period. RFC 3339, UTC. */
    readonly cancelAt: string;
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * A subscription was cancelled.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.cancelled",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "cancelled"
 *     },
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionCancelledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.cancelled';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
  } | null;
}

/**
 * A charge of a subscription was paid.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.charged",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "charge": 3,
 *     "amount": "999",
 *     "asset": "USD/2",
 *     "paymentId": "pay_01k9zt5c7nmd3g5h8j1k4p6q9r"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionChargedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.charged';
  /** Null after it was erased. */
  readonly data: {
    /** The number of the paid charge, from 1. */
    readonly charge: number;
    /** The paid amount. Minor units. */
    readonly amount: string;
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The payment of the charge. */
    readonly paymentId: string;
  } | null;
}

/**
 * A subscription was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.created",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "status": "active",
 *       "planId": "plan_01k9zt6d8qne4h6j9k2m5r7s0t",
 *       "price": "999",
 *       "charges": 12,
 *       "approved": "11988",
 *       "asset": "USD/2",
 *       "trialEndsAt": null
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
      /** The plan. */
      readonly planId: string;
      /** The price of one period. Minor units. */
      readonly price: string;
      /** Approved charges in all; null: open-ended. */
      readonly charges: number | null;
      /** The approved total. Minor units; null: open-ended. */
      readonly approved: string | null;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** When the trial ends; null if there is none. */
      readonly trialEndsAt: string | null;
    };
    /** Its past in another system. Absent unless it was imported. */
    readonly imported?: {
      /** Charges that the other system had made. */
      readonly charges: number;
      /** The amount that was paid there. Minor units. */
      readonly paid: string;
      /** When the subscription began; null if the import does not say. */
      readonly startedAt: string | null;
    };
  } | null;
}

/**
 * A subscription ended: a charge failed for good, or its last charge is over.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.expired",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "expired"
 *     },
 *     "reason": "approval_used_up",
 *     "charges": 12,
 *     "chargesMade": 12,
 *     "chargesSkipped": 0,
 *     "chargesCredited": 0
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionExpiredEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.expired';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
    /** Approved charges in all; null: open-ended. */
    readonly charges: number | null;
    /** Charges that were made. */
    readonly chargesMade: number;
    /** Charges that were skipped. */
    readonly chargesSkipped: number;
    /** Charges that credit covered. */
    readonly chargesCredited: number;
  } | null;
}

/**
 * A charge failed for good; the subscription waits to be resumed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.past_due",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "past_due"
 *     },
 *     "reason": "payment_failed"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionPastDueEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.past_due';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
  } | null;
}

/**
 * A subscription was paused.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.paused",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "active"
 *     },
 *     "new": {
 *       "status": "paused"
 *     },
 *     "reason": "on holiday"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionPausedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.paused';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller, or the cause. Absent if there is none. */
    readonly reason?: string;
  } | null;
}

/**
 * A subscription moved to another plan.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.plan_changed",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "planId": "plan_01k9zt6d8qne4h6j9k2m5r7s0t",
 *       "price": "999"
 *     },
 *     "new": {
 *       "version": 2,
 *       "planId": "plan_01k9zt6d8qne4h6j9k2m5r7s0t",
 *       "price": "1299",
 *       "charges": 12,
 *       "approved": "15588",
 *       "credit": "500",
 *       "creditPaid": "500"
 *     },
 *     "proration": "charge",
 *     "credit": "500"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionPlanChangedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.plan_changed';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The plan. */
      readonly planId: string;
      /** The price of one period. Minor units. */
      readonly price: string;
    };
    /** The values after the change. */
    readonly new: {
      /** The version of its terms. */
      readonly version: number;
      /** The plan. */
      readonly planId: string;
      /** The price of one period. Minor units. */
      readonly price: string;
      /** Approved charges in all; null: open-ended. */
      readonly charges: number | null;
      /** The approved total. Minor units; null: open-ended. */
      readonly approved: string | null;
      /** The unused part of the running period. Minor units. */
      readonly credit: string;
      /** The part of it that was paid, not credited. Minor units. */
      readonly creditPaid: string;
    };
    /** Whether the change began a new period at once. */
    readonly proration: 'none' | 'charge';
    /** All open credit. Minor units. */
    readonly credit: string;
  } | null;
}

/**
 * A subscription was resumed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.resumed",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "status": "paused"
 *     },
 *     "new": {
 *       "status": "active"
 *     },
 *     "reason": "asked for by the customer"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionResumedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.resumed';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The values after the change. */
    readonly new: {
      /** The state of the subscription. */
      readonly status: 'trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired';
    };
    /** The reason given by the caller. Absent if none was given. */
    readonly reason?: string;
  } | null;
}

/**
 * A subscription changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "subscription.updated",
 *   "version": 1,
 *   "resource": "subscription",
 *   "resourceId": "sub_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "changed": [
 *       "priority"
 *     ],
 *     "new": {
 *       "priority": "high"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface SubscriptionUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'subscription.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The fields that the caller gave. */
    readonly changed: readonly string[];
    /** Their values after the change, but for `metadata`. */
    readonly new: {
      /** Due payments of a higher priority run first. Absent if it was not given. */
      readonly priority?: 'high' | 'normal' | 'low';
      /** The retry policy; null: the default. Absent if it was not given. */
      readonly retry?: EventRetryPolicy | null;
    };
  } | null;
}

/**
 * A tenant was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "tenant.created",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "name": "shop",
 *       "kind": "live"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TenantCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'tenant.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** Its unique name. */
      readonly name: string;
      /** Whether its time is a test clock. */
      readonly kind: 'live' | 'test';
    };
  } | null;
}

/**
 * The default asset of a tenant changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "tenant.updated",
 *   "version": 1,
 *   "resource": "tenant",
 *   "resourceId": "ten_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "defaultAsset": null
 *     },
 *     "new": {
 *       "defaultAsset": "USD/2"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TenantUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'tenant.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The default asset; null if there is none. */
      readonly defaultAsset: string | null;
    };
    /** The values after the change. */
    readonly new: {
      /** The default asset; null if there is none. */
      readonly defaultAsset: string | null;
    };
  } | null;
}

/**
 * The advance of a test clock was cancelled.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "test_clock.advance_cancelled",
 *   "version": 1,
 *   "resource": "test_clock",
 *   "resourceId": "clk_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "from": "2026-11-15T09:30:00.000Z",
 *     "to": "2026-12-01T00:00:00.000Z",
 *     "now": "2026-11-20T00:00:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TestClockAdvanceCancelledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'test_clock.advance_cancelled';
  /** Null after it was erased. */
  readonly data: {
    /** The begin of the advance. RFC 3339, UTC. */
    readonly from: string;
    /** The requested end of the advance. RFC 3339, UTC. */
    readonly to: string;
    /** The time of the clock. RFC 3339, UTC. */
    readonly now: string;
  } | null;
}

/**
 * The advance of a test clock failed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "test_clock.advance_failed",
 *   "version": 1,
 *   "resource": "test_clock",
 *   "resourceId": "clk_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "from": "2026-11-15T09:30:00.000Z",
 *     "to": "2026-12-01T00:00:00.000Z",
 *     "now": "2026-11-20T00:00:00.000Z",
 *     "code": "CLOCK_TOO_MANY_STEPS",
 *     "detail": "the advance did not arrive within 100000 steps; advance again from here, or by less at a time"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TestClockAdvanceFailedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'test_clock.advance_failed';
  /** Null after it was erased. */
  readonly data: {
    /** The begin of the advance. RFC 3339, UTC. */
    readonly from: string;
    /** The requested end of the advance. RFC 3339, UTC. */
    readonly to: string;
    /** The time of the clock. RFC 3339, UTC. */
    readonly now: string;
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  } | null;
}

/**
 * The advance of a test clock was requested.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "test_clock.advance_requested",
 *   "version": 1,
 *   "resource": "test_clock",
 *   "resourceId": "clk_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "from": "2026-11-15T09:30:00.000Z",
 *     "to": "2026-12-01T00:00:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TestClockAdvanceRequestedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'test_clock.advance_requested';
  /** Null after it was erased. */
  readonly data: {
    /** The begin of the advance. RFC 3339, UTC. */
    readonly from: string;
    /** The requested end of the advance. RFC 3339, UTC. */
    readonly to: string;
  } | null;
}

/**
 * A test clock arrived at its instant.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "test_clock.advanced",
 *   "version": 1,
 *   "resource": "test_clock",
 *   "resourceId": "clk_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "from": "2026-11-15T09:30:00.000Z",
 *     "to": "2026-12-01T00:00:00.000Z",
 *     "now": "2026-12-01T00:00:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TestClockAdvancedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'test_clock.advanced';
  /** Null after it was erased. */
  readonly data: {
    /** The begin of the advance. RFC 3339, UTC. */
    readonly from: string;
    /** The requested end of the advance. RFC 3339, UTC. */
    readonly to: string;
    /** The time of the clock. RFC 3339, UTC. */
    readonly now: string;
  } | null;
}

/**
 * A test clock was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "test_clock.created",
 *   "version": 1,
 *   "resource": "test_clock",
 *   "resourceId": "clk_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "name": "billing",
 *       "now": "2026-12-01T00:00:00.000Z"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TestClockCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'test_clock.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** The name of the clock. */
      readonly name: string;
      /** The time of the clock. RFC 3339, UTC. */
      readonly now: string;
    };
  } | null;
}

/**
 * A test clock was deleted.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "test_clock.deleted",
 *   "version": 1,
 *   "resource": "test_clock",
 *   "resourceId": "clk_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "name": "billing",
 *     "now": "2026-12-01T00:00:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TestClockDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'test_clock.deleted';
  /** Null after it was erased. */
  readonly data: {
    /** The name of the clock. */
    readonly name: string;
    /** The time of the clock. RFC 3339, UTC. */
    readonly now: string;
  } | null;
}

/**
 * A token issuer was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "token_issuer.created",
 *   "version": 1,
 *   "resource": "token_issuer",
 *   "resourceId": "iss_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "issuer": "https://login.example.com",
 *     "audience": "usance",
 *     "algorithm": "RS256",
 *     "keys": [
 *       "2026-11"
 *     ],
 *     "thumbprints": [
 *       "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
 *     ],
 *     "jwksUrl": null
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TokenIssuerCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'token_issuer.created';
  /** Null after it was erased. */
  readonly data: {
    /** The `iss` of its tokens. */
    readonly issuer: string;
    /** Must be among the `aud` of its tokens. */
    readonly audience: string;
    /** The algorithm that it signs with. */
    readonly algorithm: string;
    /** The `kid` of each key; null for a key without one. */
    readonly keys: readonly (string | null)[];
    /** The thumbprint of each key (RFC 7638, SHA-256). */
    readonly thumbprints: readonly string[];
    /** The URL from which its keys are fetched; null if they were uploaded. */
    readonly jwksUrl: string | null;
  } | null;
}

/**
 * A token issuer was deleted: its tokens are refused.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "token_issuer.deleted",
 *   "version": 1,
 *   "resource": "token_issuer",
 *   "resourceId": "iss_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "issuer": "https://login.example.com",
 *     "audience": "usance",
 *     "algorithm": "RS256",
 *     "keys": [
 *       "2026-11"
 *     ],
 *     "thumbprints": [
 *       "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
 *     ],
 *     "jwksUrl": null
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TokenIssuerDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'token_issuer.deleted';
  /** Null after it was erased. */
  readonly data: {
    /** The `iss` of its tokens. */
    readonly issuer: string;
    /** Must be among the `aud` of its tokens. */
    readonly audience: string;
    /** The algorithm that it signs with. */
    readonly algorithm: string;
    /** The `kid` of each key; null for a key without one. */
    readonly keys: readonly (string | null)[];
    /** The thumbprint of each key (RFC 7638, SHA-256). */
    readonly thumbprints: readonly string[];
    /** The URL from which its keys are fetched; null if they were uploaded. */
    readonly jwksUrl: string | null;
  } | null;
}

/**
 * The key set at the URL of a token issuer has changed.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "token_issuer.keys_fetched",
 *   "version": 1,
 *   "resource": "token_issuer",
 *   "resourceId": "iss_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "issuer": "https://login.example.com",
 *     "audience": "usance",
 *     "algorithm": "RS256",
 *     "keys": [
 *       "2026-11"
 *     ],
 *     "thumbprints": [
 *       "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
 *     ],
 *     "jwksUrl": "https://login.example.com/jwks.json"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TokenIssuerKeysFetchedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'token_issuer.keys_fetched';
  /** Null after it was erased. */
  readonly data: {
    /** The `iss` of its tokens. */
    readonly issuer: string;
    /** Must be among the `aud` of its tokens. */
    readonly audience: string;
    /** The algorithm that it signs with. */
    readonly algorithm: string;
    /** The `kid` of each key; null for a key without one. */
    readonly keys: readonly (string | null)[];
    /** The thumbprint of each key (RFC 7638, SHA-256). */
    readonly thumbprints: readonly string[];
    /** The URL from which its keys are fetched; null if they were uploaded. */
    readonly jwksUrl: string | null;
  } | null;
}

/**
 * The keys of a token issuer were replaced.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "token_issuer.updated",
 *   "version": 1,
 *   "resource": "token_issuer",
 *   "resourceId": "iss_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "issuer": "https://login.example.com",
 *     "audience": "usance",
 *     "algorithm": "RS256",
 *     "keys": [
 *       "2026-11"
 *     ],
 *     "thumbprints": [
 *       "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
 *     ],
 *     "jwksUrl": null
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TokenIssuerUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'token_issuer.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The `iss` of its tokens. */
    readonly issuer: string;
    /** Must be among the `aud` of its tokens. */
    readonly audience: string;
    /** The algorithm that it signs with. */
    readonly algorithm: string;
    /** The `kid` of each key; null for a key without one. */
    readonly keys: readonly (string | null)[];
    /** The thumbprint of each key (RFC 7638, SHA-256). */
    readonly thumbprints: readonly string[];
    /** The URL from which its keys are fetched; null if they were uploaded. */
    readonly jwksUrl: string | null;
  } | null;
}

/**
 * Money moved between two accounts.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "transfer.posted",
 *   "version": 1,
 *   "resource": "transfer",
 *   "resourceId": "trf_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "from": "acct_01k9zt1m6hfpq8w3n5x7y2c4de",
 *       "fromRef": "alice",
 *       "to": "acct_01k9zt1p2rvb7d9f0g3h5j8k1m",
 *       "toRef": "bob",
 *       "asset": "USD/2",
 *       "amount": "10000",
 *       "kind": "transfer"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TransferPostedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'transfer.posted';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** The account that paid. */
      readonly from: string;
      /** Ref of the account `from`. */
      readonly fromRef: string | null;
      /** The account that was paid. */
      readonly to: string;
      /** Ref of the account `to`. */
      readonly toRef: string | null;
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** The amount. Minor units. */
      readonly amount: string;
      /** Why money moved. */
      readonly kind: string;
    };
  } | null;
}

/**
 * The floor of a wallet was set: the least of an asset that is to be available.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "treasury_wallet.floor_set",
 *   "version": 1,
 *   "resource": "treasury_wallet",
 *   "resourceId": "wal_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "chain": "sandbox",
 *     "asset": "USD/2",
 *     "old": {
 *       "floor": "5000000000"
 *     },
 *     "new": {
 *       "floor": "5000000000"
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TreasuryWalletFloorSetEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'treasury_wallet.floor_set';
  /** Null after it was erased. */
  readonly data: {
    /** The chain. */
    readonly chain: string;
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The values before the change. */
    readonly old: {
      /** The least that is to be available. Minor units; null: no floor. */
      readonly floor: string | null;
    };
    /** The values after the change. */
    readonly new: {
      /** The least that is to be available. Minor units; null: no floor. */
      readonly floor: string | null;
    };
  } | null;
}

/**
 * The balance of a wallet on its chain differs from the books. The wallet signs nothing until it is unfrozen.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "treasury_wallet.frozen",
 *   "version": 1,
 *   "resource": "treasury_wallet",
 *   "resourceId": "wal_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "chain": "sandbox",
 *     "differences": [
 *       {
 *         "asset": "USD/2",
 *         "onChain": "990000",
 *         "expected": "1000000",
 *         "difference": "-10000"
 *       }
 *     ]
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TreasuryWalletFrozenEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'treasury_wallet.frozen';
  /** Null after it was erased. */
  readonly data: {
    /** The chain. */
    readonly chain: string;
    /** The assets that differ. */
    readonly differences: readonly {
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** Balance of the wallet on the chain, in final blocks. Minor units. */
      readonly onChain: string;
      /** Balance that the books expect there. Minor units. */
      readonly expected: string;
      /** On the chain minus expected. Minor units. */
      readonly difference: string;
    }[];
  } | null;
}

/**
 * A frozen wallet was unfrozen by an operator.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "treasury_wallet.unfrozen",
 *   "version": 1,
 *   "resource": "treasury_wallet",
 *   "resourceId": "wal_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "chain": "sandbox",
 *     "reason": "asked for by the customer",
 *     "booked": [
 *       {
 *         "asset": "USD/2",
 *         "difference": "1000000000"
 *       }
 *     ]
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface TreasuryWalletUnfrozenEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'treasury_wallet.unfrozen';
  /** Null after it was erased. */
  readonly data: {
    /** The chain. */
    readonly chain: string;
    /** The reason given by the caller. */
    readonly reason: string;
    /** Differences from the chain that were booked with it. */
    readonly booked: readonly {
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** Booked to the wallet, negative from it, in minor units. */
      readonly difference: string;
    }[];
  } | null;
}

/**
 * A webhook endpoint was created.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.created",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "new": {
 *       "url": "https://shop.example.com/hooks",
 *       "eventPattern": "payment.settled,payment.failed",
 *       "description": "Orders of the shop.",
 *       "payload": "full",
 *       "headerNames": [
 *         "x-shop"
 *       ],
 *       "plainSignature": false,
 *       "ordered": false,
 *       "retry": "webhook",
 *       "maxPerSecond": 50,
 *       "sendTestEvents": false,
 *       "enabled": true
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointCreatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.created';
  /** Null after it was erased. */
  readonly data: {
    /** The values of the new resource. */
    readonly new: {
      /** The URL, without its query. */
      readonly url: string;
      /** The events that it gets. */
      readonly eventPattern: string;
      /** A text for people; empty if none was given. */
      readonly description: string;
      /** Whether a delivery has the data of the event. */
      readonly payload: 'full' | 'thin';
      /** The names of its custom headers. */
      readonly headerNames: readonly string[];
      /** Whether the hexadecimal HMAC-SHA256 of the body is sent too. */
      readonly plainSignature: boolean;
      /** Whether deliveries about one resource are sent one after the other. */
      readonly ordered: boolean;
      /** The retry schedule. */
      readonly retry: 'webhook' | 'webhook-quick';
      /** Deliveries that start per second at most; null: no limit. */
      readonly maxPerSecond: number | null;
      /** Whether events of a test tenant are sent. */
      readonly sendTestEvents: boolean;
      /** Whether it gets events. */
      readonly enabled: boolean;
    };
  } | null;
}

/**
 * A webhook endpoint was deleted. Deliveries that wait are cancelled.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.deleted",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "url": "https://shop.example.com/hooks"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointDeletedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.deleted';
  /** Null after it was erased. */
  readonly data: {
    /** The URL, without its query. */
    readonly url: string;
  } | null;
}

/**
 * A webhook endpoint was disabled because it answered 410, or because its failures without a success span five days.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.disabled",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "url": "https://shop.example.com/hooks",
 *     "reason": "failing",
 *     "failingSince": "2026-11-10T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointDisabledEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.disabled';
  /** Null after it was erased. */
  readonly data: {
    /** The URL, without its query. */
    readonly url: string;
    /** `gone`: it answered 410. `failing`: its failures span five days without a success, and it has failed since the warning a day before. */
    readonly reason: 'gone' | 'failing';
    /** The first failed attempt since the last success. RFC 3339, UTC. */
    readonly failingSince: string;
  } | null;
}

/**
 * The failures of a webhook endpoint span four days without a success. It is disabled once they span five, if it still fails a day after this warning.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.failing",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "url": "https://shop.example.com/hooks",
 *     "failingSince": "2026-11-10T09:30:00.000Z",
 *     "disablesAt": "2026-11-15T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointFailingEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.failing';
  /** Null after it was erased. */
  readonly data: {
    /** The URL, without its query. */
    readonly url: string;
    /** The first failed attempt since the last success. RFC 3339, UTC. */
    readonly failingSince: string;
    /** The earliest instant at which it is disabled. RFC 3339, UTC. */
    readonly disablesAt: string;
  } | null;
}

/**
 * A caller asked to send a webhook endpoint what it missed. One event for each page of failed deliveries.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.recovered",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "url": "https://shop.example.com/hooks",
 *     "since": "2026-11-15T09:30:00.000Z",
 *     "retried": 12,
 *     "missed": 340
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointRecoveredEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.recovered';
  /** Null after it was erased. */
  readonly data: {
    /** The URL, without its query. */
    readonly url: string;
    /** The first instant whose events are sent. RFC 3339, UTC. */
    readonly since: string;
    /** Failed deliveries of the page, which are sent again. */
    readonly retried: number;
    /** Events that it missed while it was disabled and gets now, of the first 20,000 that were looked at. */
    readonly missed: number;
  } | null;
}

/**
 * The secret of a webhook endpoint was replaced.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.secret_rotated",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "previousSecretExpiresAt": "2026-11-15T09:30:00.000Z"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointSecretRotatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.secret_rotated';
  /** Null after it was erased. */
  readonly data: {
    /** Until then deliveries are signed with the previous secret too; null: it ended at once. */
    readonly previousSecretExpiresAt: string | null;
  } | null;
}

/**
 * A test event for one webhook endpoint, which gets it whatever its pattern.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.tested",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "url": "https://shop.example.com/hooks"
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointTestedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.tested';
  /** Null after it was erased. */
  readonly data: {
    /** The URL, without its query. */
    readonly url: string;
  } | null;
}

/**
 * A webhook endpoint was changed, or enabled or disabled by a caller.
 *
 * @example
 * {
 *   "id": "evt_01k9zt3q9fh2j4m6p8r0t2w4y6",
 *   "seq": 17,
 *   "cursor": "17-5f0c2a9e",
 *   "source": "usance",
 *   "type": "webhook_endpoint.updated",
 *   "version": 1,
 *   "resource": "webhook_endpoint",
 *   "resourceId": "whe_01jd3mzk4qe0rvb1rj4yj6d3zt",
 *   "data": {
 *     "old": {
 *       "enabled": false
 *     },
 *     "new": {
 *       "enabled": true
 *     }
 *   },
 *   "actor": "key_01k9zsxw3e5r7t9v1y3z5a7b9c",
 *   "traceContext": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
 *   "occurredAt": "2026-11-13T09:30:00.000Z",
 *   "recordedAt": "2026-11-13T09:30:00.000Z"
 * }
 */
export interface WebhookEndpointUpdatedEvent extends EventEnvelope {
  /** The type of the event. */
  readonly type: 'webhook_endpoint.updated';
  /** Null after it was erased. */
  readonly data: {
    /** The values before the change. */
    readonly old: {
      /** The URL, without its query. Absent if it was not given. */
      readonly url?: string;
      /** The events that it gets. Absent if it was not given. */
      readonly eventPattern?: string;
      /** A text for people; empty if none was given. Absent if it was not given. */
      readonly description?: string;
      /** Whether a delivery has the data of the event. Absent if it was not given. */
      readonly payload?: 'full' | 'thin';
      /** The names of its custom headers. Absent if it was not given. */
      readonly headerNames?: readonly string[];
      /** Whether the hexadecimal HMAC-SHA256 of the body is sent too. Absent if it was not given. */
      readonly plainSignature?: boolean;
      /** Whether deliveries about one resource are sent one after the other. Absent if it was not given. */
      readonly ordered?: boolean;
      /** The retry schedule. Absent if it was not given. */
      readonly retry?: 'webhook' | 'webhook-quick';
      /** Deliveries that start per second at most; null: no limit. Absent if it was not given. */
      readonly maxPerSecond?: number | null;
      /** Whether events of a test tenant are sent. Absent if it was not given. */
      readonly sendTestEvents?: boolean;
      /** Whether it gets events. Absent if it was not given. */
      readonly enabled?: boolean;
    };
    /** The values after the change. */
    readonly new: {
      /** The URL, without its query. Absent if it was not given. */
      readonly url?: string;
      /** The events that it gets. Absent if it was not given. */
      readonly eventPattern?: string;
      /** A text for people; empty if none was given. Absent if it was not given. */
      readonly description?: string;
      /** Whether a delivery has the data of the event. Absent if it was not given. */
      readonly payload?: 'full' | 'thin';
      /** The names of its custom headers. Absent if it was not given. */
      readonly headerNames?: readonly string[];
      /** Whether the hexadecimal HMAC-SHA256 of the body is sent too. Absent if it was not given. */
      readonly plainSignature?: boolean;
      /** Whether deliveries about one resource are sent one after the other. Absent if it was not given. */
      readonly ordered?: boolean;
      /** The retry schedule. Absent if it was not given. */
      readonly retry?: 'webhook' | 'webhook-quick';
      /** Deliveries that start per second at most; null: no limit. Absent if it was not given. */
      readonly maxPerSecond?: number | null;
      /** Whether events of a test tenant are sent. Absent if it was not given. */
      readonly sendTestEvents?: boolean;
      /** Whether it gets events. Absent if it was not given. */
      readonly enabled?: boolean;
    };
  } | null;
}

/** An event: one of the types of the catalogue, or one that your application appended (`source` is `application`). A later version can add types. */
export type Event =
  | AccountBalancesImportedEvent
  | AccountClosedEvent
  | AccountCreatedEvent
  | AccountErasedEvent
  | AccountReactivatedEvent
  | AccountShortfallExpectedEvent
  | AccountSuspendedEvent
  | AccountTokensRevokedEvent
  | AccountUpdatedEvent
  | AlertClearedEvent
  | AlertRaisedEvent
  | AllowanceCreatedEvent
  | AllowanceDeletedEvent
  | AllowanceUpdatedEvent
  | ApiKeyCreatedEvent
  | ApiKeyRevokedEvent
  | ApiKeyRotatedEvent
  | AssetCreatedEvent
  | AuditEventErasedEvent
  | BooksViolationFoundEvent
  | EmailUpdatedEvent
  | EmailOptOutCreatedEvent
  | EmailOptOutDeletedEvent
  | EmailTemplateDeletedEvent
  | EmailTemplateSetEvent
  | ExecutionCancelRequestedEvent
  | ExecutionCancelledEvent
  | ExecutionDiscardedEvent
  | ExecutionFailedEvent
  | ExecutionRetriedEvent
  | ExecutionCapSetEvent
  | FreezeCreatedEvent
  | FreezeLiftedEvent
  | JobCreatedEvent
  | JobDeletedEvent
  | JobUpdatedEvent
  | LimitSetEvent
  | NotificationChannelCreatedEvent
  | NotificationChannelDeletedEvent
  | NotificationChannelDisabledEvent
  | NotificationChannelSecretRotatedEvent
  | NotificationChannelTestedEvent
  | NotificationChannelUpdatedEvent
  | OutageDiscardedEvent
  | OutageHeldEvent
  | OutageReleasedEvent
  | OutageGuardSetEvent
  | PauseCreatedEvent
  | PauseLiftedEvent
  | PaymentApprovalRequestedEvent
  | PaymentApprovedEvent
  | PaymentAttemptFailedEvent
  | PaymentCancelledEvent
  | PaymentCapturedEvent
  | PaymentCreatedEvent
  | PaymentDiscardedEvent
  | PaymentExpiredEvent
  | PaymentExtendedEvent
  | PaymentFailedEvent
  | PaymentManualReviewEvent
  | PaymentRefundedEvent
  | PaymentRejectedEvent
  | PaymentReleasedEvent
  | PaymentResolvedEvent
  | PaymentRetriedEvent
  | PaymentRunNowEvent
  | PaymentSettledEvent
  | PaymentSubmittedEvent
  | PaymentUpdatedEvent
  | PaymentWaitingEvent
  | PaymentsArchivedEvent
  | PayoutCapSetEvent
  | PayoutDestinationApprovedEvent
  | PayoutDestinationCreatedEvent
  | PayoutDestinationRemovedEvent
  | PayoutPolicySetEvent
  | PlanCreatedEvent
  | PlanUpdatedEvent
  | QuoteAcceptedEvent
  | QuoteCreatedEvent
  | ReservationCapturedEvent
  | ReservationCreatedEvent
  | ReservationReleasedEvent
  | ScheduleBackfilledEvent
  | ScheduleCancelledEvent
  | ScheduleCompletedEvent
  | ScheduleCreatedEvent
  | ScheduleExpiredEvent
  | ScheduleOccurrenceDiscardedEvent
  | ScheduleOccurrenceFailedEvent
  | ScheduleOccurrenceLateEvent
  | ScheduleOccurrenceRetriedEvent
  | ScheduleOccurrenceSkippedEvent
  | SchedulePausedEvent
  | ScheduleResumedEvent
  | ScheduleTriggeredEvent
  | ScheduleUpdatedEvent
  | SessionCreatedEvent
  | SessionEndedEvent
  | SignInAcceptedEvent
  | SignInRefusedEvent
  | SubscriptionCancellationScheduledEvent
  | SubscriptionCancellationWithdrawnEvent
  | SubscriptionCancelledEvent
  | SubscriptionChargedEvent
  | SubscriptionCreatedEvent
  | SubscriptionExpiredEvent
  | SubscriptionPastDueEvent
  | SubscriptionPausedEvent
  | SubscriptionPlanChangedEvent
  | SubscriptionResumedEvent
  | SubscriptionUpdatedEvent
  | TenantCreatedEvent
  | TenantUpdatedEvent
  | TestClockAdvanceCancelledEvent
  | TestClockAdvanceFailedEvent
  | TestClockAdvanceRequestedEvent
  | TestClockAdvancedEvent
  | TestClockCreatedEvent
  | TestClockDeletedEvent
  | TokenIssuerCreatedEvent
  | TokenIssuerDeletedEvent
  | TokenIssuerKeysFetchedEvent
  | TokenIssuerUpdatedEvent
  | TransferPostedEvent
  | TreasuryWalletFloorSetEvent
  | TreasuryWalletFrozenEvent
  | TreasuryWalletUnfrozenEvent
  | WebhookEndpointCreatedEvent
  | WebhookEndpointDeletedEvent
  | WebhookEndpointDisabledEvent
  | WebhookEndpointFailingEvent
  | WebhookEndpointRecoveredEvent
  | WebhookEndpointSecretRotatedEvent
  | WebhookEndpointTestedEvent
  | WebhookEndpointUpdatedEvent;

export interface JobCreateParams {
  /** A name for people, unique within the tenant; 1 to 100 characters. */
  readonly name: string;
  /** A text for people, at most 1,000 characters. Default: empty. */
  readonly description?: string;
  /** The events that the job runs on: an exact type, `payment.*`, `*.settled` or `*`, or up to 20 of them separated by commas. A pattern with a star matches no event about jobs, executions, deliveries, webhook endpoints and notification channels. */
  readonly eventPattern: string;
  /** The processor that it runs: a name that a worker has announced. `processors.list` has them. */
  readonly processorName: string;
  /** Whether new events are handled and executions start. Default: true. */
  readonly enabled?: boolean;
  /** How a failed execution is retried. Given fields replace those of the usual policy: 3 attempts, 1 and 2 seconds apart. Null: all of them are the usual ones. Default: null. */
  readonly retryConfig?: {
    /** Attempts in all, 1 to 100. Default 3. */
    readonly maxAttempts?: number;
    /** Wait after the first failed attempt, in milliseconds: 1,000 to 2,592,000,000. Default 1,000. */
    readonly initialDelayMs?: number;
    /** Each wait is this many times the previous wait, 1 to 100. Default 2. */
    readonly multiplier?: number;
    /** Another name for `multiplier`. Default: none. For compatibility. */
    readonly backoffMultiplier?: number;
    /** Longest wait, in milliseconds: 1,000 to 2,592,000,000. Default 60,000. */
    readonly maxDelayMs?: number;
    /** Random part of each wait, 0 to 1. Default 0. */
    readonly jitter?: number;
  } | null;
  /** How long one attempt may take, in milliseconds: 100 to 86,400,000. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Executions that run at the same time at most, over all workers. Null: no limit. Default: no limit. */
  readonly maxConcurrency?: number | null;
  /** Executions that start per second at most, over all workers. Null: no limit. Default: no limit. */
  readonly maxPerSecond?: number | null;
  /** The `cursor` or the `seq` of an event: the job handles only later events. 0: all events that are kept. Default: the newest event. */
  readonly after?: string | number;
}

export interface RetryConfig {
  /** Attempts in all. */
  readonly maxAttempts: number;
  /** Wait after the first failed attempt, in milliseconds. */
  readonly initialDelayMs: number;
  /** Each wait is this many times the previous wait. */
  readonly multiplier: number;
  /** Longest wait, in milliseconds. */
  readonly maxDelayMs: number;
  /** Random part of each wait, 0 to 1. */
  readonly jitter: number;
  /** Waits after each attempt but the last, in milliseconds. Only managed jobs have them; absent if the other fields say it all. */
  readonly delaysMs?: readonly number[];
}

export interface Job {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** A name for people, unique within the tenant. */
  readonly name: string;
  /** A text for people; empty if none was given. */
  readonly description: string;
  /** The events that the job runs on. */
  readonly eventPattern: string;
  /** The processor that it runs. */
  readonly processorName: string;
  /** Whether the processor is built in: the job belongs to another resource, such as a webhook endpoint, and cannot be changed or deleted here. */
  readonly managed: boolean;
  /** Whether new events are handled and executions start. */
  readonly enabled: boolean;
  /** How a failed execution is retried. Null: 3 attempts, 1 and 2 seconds apart. */
  readonly retryConfig: RetryConfig | null;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Executions that run at the same time at most, over all workers; null: no limit. */
  readonly maxConcurrency: number | null;
  /** Executions that start per second at most, over all workers; null: no limit. */
  readonly maxPerSecond: number | null;
  /** The job handles only events with a larger `seq`. */
  readonly after: number;
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface JobUpdateParams {
  /** A name for people, unique within the tenant; 1 to 100 characters. Default: unchanged. */
  readonly name?: string;
  /** A text for people, at most 1,000 characters. Default: unchanged. */
  readonly description?: string;
  /** The events that the job runs on: an exact type, `payment.*`, `*.settled` or `*`, or up to 20 of them separated by commas. A pattern with a star matches no event about jobs, executions, deliveries, webhook endpoints and notification channels. Default: unchanged. */
  readonly eventPattern?: string;
  /** The processor that it runs: a name that a worker has announced. `processors.list` has them. Default: unchanged. */
  readonly processorName?: string;
  /** Whether new events are handled and executions start. Default: unchanged. */
  readonly enabled?: boolean;
  /** How a failed execution is retried. Given fields replace those of the usual policy: 3 attempts, 1 and 2 seconds apart. Null: all of them are the usual ones. Default: unchanged. */
  readonly retryConfig?: {
    /** Attempts in all, 1 to 100. Default 3. */
    readonly maxAttempts?: number;
    /** Wait after the first failed attempt, in milliseconds: 1,000 to 2,592,000,000. Default 1,000. */
    readonly initialDelayMs?: number;
    /** Each wait is this many times the previous wait, 1 to 100. Default 2. */
    readonly multiplier?: number;
    /** Another name for `multiplier`. Default: none. For compatibility. */
    readonly backoffMultiplier?: number;
    /** Longest wait, in milliseconds: 1,000 to 2,592,000,000. Default 60,000. */
    readonly maxDelayMs?: number;
    /** Random part of each wait, 0 to 1. Default 0. */
    readonly jitter?: number;
  } | null;
  /** How long one attempt may take, in milliseconds: 100 to 86,400,000. Default: unchanged. */
  readonly timeoutMs?: number;
  /** Executions that run at the same time at most, over all workers. Null: no limit. Default: unchanged. */
  readonly maxConcurrency?: number | null;
  /** Executions that start per second at most, over all workers. Null: no limit. Default: unchanged. */
  readonly maxPerSecond?: number | null;
}

export interface Execution {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The job. */
  readonly jobId: string;
  /** The event that it handles. */
  readonly eventId: string;
  /** `pending`, also between attempts; `running`; ends as `completed`, `failed` (a dead letter) or `cancelled`. */
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Attempts so far, the running one included; 0 before the first. */
  readonly attemptNumber: number;
  /** When the first attempt began. RFC 3339, UTC; null before. */
  readonly startedAt: string | null;
  /** When it ended. RFC 3339, UTC; null before. */
  readonly completedAt: string | null;
  /** The message of the last failed attempt, at most 8 KiB; null if none failed, or it completed. */
  readonly error: string | null;
  /** Why the last attempt failed: `PROCESSOR_FAILED`, `PROCESSOR_TIMED_OUT`, `PROCESSOR_EXITED`, `PROCESSOR_MISSING`, `WORKER_LOST`, `EVENT_ERASED`, `EXECUTION_CANCELLED`, `DELIVERY_REFUSED`, `DELIVERY_UNANSWERED`, `ENDPOINT_GONE`, `ENDPOINT_DELETED`, `CHANNEL_DELETED`, `NOTIFICATION_DEFERRED`, `EMAIL_FAILED`, `NOTIFICATION_FAILED`; null if none failed, or it completed. */
  readonly code: string | null;
  /** The object that the processor returned, unchanged; null if it returned nothing. A result above 64 KiB of JSON is not kept: it is `{ "truncated": true, "bytes": … }`. */
  readonly result: Readonly<Record<string, unknown>> | null;
  /** When the next attempt is due. RFC 3339, UTC; null unless it is pending. */
  readonly nextRetryAt: string | null;
  /** Since when a worker has it, in real time. RFC 3339, UTC; null unless it is running. */
  readonly locked: string | null;
  /** The worker of the last attempt; null before the first. */
  readonly workerId: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface Invocation {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The execution. */
  readonly executionId: string;
  /** The number of the attempt, from 1. */
  readonly attemptNumber: number;
  /** When the attempt began. RFC 3339, UTC. */
  readonly startedAt: string;
  /** When the attempt ended. RFC 3339, UTC; null while it runs. */
  readonly completedAt: string | null;
  /** `running`, then `success` or `failed`. */
  readonly status: 'running' | 'success' | 'failed';
  /** The message of the error, at most 8 KiB; null unless it failed. */
  readonly error: string | null;
  /** Why it failed: `PROCESSOR_FAILED`, `PROCESSOR_TIMED_OUT`, `PROCESSOR_EXITED`, `PROCESSOR_MISSING`, `WORKER_LOST`, `EVENT_ERASED`, `EXECUTION_CANCELLED`, `DELIVERY_REFUSED`, `DELIVERY_UNANSWERED`, `ENDPOINT_GONE`, `ENDPOINT_DELETED`, `CHANNEL_DELETED`, `NOTIFICATION_DEFERRED`, `EMAIL_FAILED`, `NOTIFICATION_FAILED`; null unless it failed. */
  readonly code: string | null;
  /** The object that the processor returned, unchanged; null if it returned nothing. A result above 64 KiB of JSON is not kept: it is `{ "truncated": true, "bytes": … }`. */
  readonly result: Readonly<Record<string, unknown>> | null;
  /** The worker that ran it; null if none did. */
  readonly workerId: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface Processor {
  /** Its name, for `processorName` of a job. */
  readonly name: string;
  /** A text for people. */
  readonly description: string;
  /** When a worker first announced it. RFC 3339, UTC. */
  readonly announcedAt: string;
  /** When a worker that can run it was last alive. RFC 3339, UTC. */
  readonly lastSeenAt: string;
}

export interface WebhookEndpointCreateParams {
  /** An https URL of the internet. Addresses of private networks and of this machine are refused. Events, logs and notifications show it without its query. */
  readonly url: string;
  /** The events that it gets: an exact type, `payment.*`, `*.settled` or `*`, or up to 20 of them separated by commas. A pattern with a star matches no event about jobs, executions, deliveries, webhook endpoints and notification channels. */
  readonly eventPattern: string;
  /** A text for people, at most 1,000 characters. Default: empty. */
  readonly description?: string;
  /** The body: `full` is the event as the API shows it, `thin` the same without `data`. Default: full. */
  readonly payload?: 'full' | 'thin';
  /** Headers of every delivery, by name; at most 20. They are stored encrypted, and their values are never shown again. Null: none. Default: null. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Whether `x-usance-signature` is sent too: the hexadecimal HMAC-SHA256 of the body under the text of the secret. Default: false. */
  readonly plainSignature?: boolean;
  /** Whether deliveries about one resource are sent one after the other. One that fails holds up the others of its resource until it ends. Default: false. */
  readonly ordered?: boolean;
  /** `webhook`: the schedule of Standard Webhooks, 10 attempts within about three days. `webhook-quick`: 5 attempts, 5 seconds apart. Default: webhook. */
  readonly retry?: 'webhook' | 'webhook-quick';
  /** Deliveries that start per second at most, over all workers. Null: no limit. Default: no limit. */
  readonly maxPerSecond?: number | null;
  /** Whether events of a test tenant are sent. Otherwise they are recorded as deliveries and not sent. Default: false. */
  readonly sendTestEvents?: boolean;
  /** Whether it gets events, and deliveries start. Default: true. */
  readonly enabled?: boolean;
  /** A secret that you bring: `whsec_` and the base64 of 24 to 64 random bytes. Default: a new one. */
  readonly secret?: string;
}

export interface WebhookEndpointMade {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Its job, which `jobs.get` shows. */
  readonly jobId: string;
  /** The URL that deliveries are sent to. */
  readonly url: string;
  /** The events that it gets. */
  readonly eventPattern: string;
  /** A text for people; empty if none was given. */
  readonly description: string;
  /** The body: `full` is the event as the API shows it, `thin` the same without `data`. */
  readonly payload: 'full' | 'thin';
  /** The names of its headers, in lower case. */
  readonly headerNames: readonly string[];
  /** Whether `x-usance-signature` is sent too: the hexadecimal HMAC-SHA256 of the body under the text of the secret. */
  readonly plainSignature: boolean;
  /** Whether deliveries about one resource are sent one after the other. One that fails holds up the others of its resource until it ends. */
  readonly ordered: boolean;
  /** Whether events of a test tenant are sent. Otherwise they are recorded as deliveries and not sent. */
  readonly sendTestEvents: boolean;
  /** Whether it gets events, and deliveries start. */
  readonly enabled: boolean;
  /** `webhook`: the schedule of Standard Webhooks, 10 attempts within about three days. `webhook-quick`: 5 attempts, 5 seconds apart. */
  readonly retry: 'webhook' | 'webhook-quick';
  /** Deliveries that start per second at most, over all workers; null: no limit. */
  readonly maxPerSecond: number | null;
  /** `caller`: by a change. `gone`: it answered 410. `failing`: its failures span five days without a success, `webhook_endpoint.failing` warned at least a day before, and it has failed since. Null while it is enabled. */
  readonly disabledReason: 'caller' | 'gone' | 'failing' | null;
  /** Until then deliveries are signed with the previous secret too, in real time. RFC 3339, UTC; null if there is none. */
  readonly previousSecretExpiresAt: string | null;
  /** When a delivery last succeeded, in real time, to the minute. RFC 3339, UTC; null before the first. */
  readonly lastSuccessAt: string | null;
  /** The first failed attempt since the last success, in real time. RFC 3339, UTC; null while it succeeds. */
  readonly failingSince: string | null;
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** The secret that deliveries are signed with, returned only once: a replayed response has null here. */
  readonly secret: string | null;
}

export interface WebhookEndpoint {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Its job, which `jobs.get` shows. */
  readonly jobId: string;
  /** The URL that deliveries are sent to. */
  readonly url: string;
  /** The events that it gets. */
  readonly eventPattern: string;
  /** A text for people; empty if none was given. */
  readonly description: string;
  /** The body: `full` is the event as the API shows it, `thin` the same without `data`. */
  readonly payload: 'full' | 'thin';
  /** The names of its headers, in lower case. */
  readonly headerNames: readonly string[];
  /** Whether `x-usance-signature` is sent too: the hexadecimal HMAC-SHA256 of the body under the text of the secret. */
  readonly plainSignature: boolean;
  /** Whether deliveries about one resource are sent one after the other. One that fails holds up the others of its resource until it ends. */
  readonly ordered: boolean;
  /** Whether events of a test tenant are sent. Otherwise they are recorded as deliveries and not sent. */
  readonly sendTestEvents: boolean;
  /** Whether it gets events, and deliveries start. */
  readonly enabled: boolean;
  /** `webhook`: the schedule of Standard Webhooks, 10 attempts within about three days. `webhook-quick`: 5 attempts, 5 seconds apart. */
  readonly retry: 'webhook' | 'webhook-quick';
  /** Deliveries that start per second at most, over all workers; null: no limit. */
  readonly maxPerSecond: number | null;
  /** `caller`: by a change. `gone`: it answered 410. `failing`: its failures span five days without a success, `webhook_endpoint.failing` warned at least a day before, and it has failed since. Null while it is enabled. */
  readonly disabledReason: 'caller' | 'gone' | 'failing' | null;
  /** Until then deliveries are signed with the previous secret too, in real time. RFC 3339, UTC; null if there is none. */
  readonly previousSecretExpiresAt: string | null;
  /** When a delivery last succeeded, in real time, to the minute. RFC 3339, UTC; null before the first. */
  readonly lastSuccessAt: string | null;
  /** The first failed attempt since the last success, in real time. RFC 3339, UTC; null while it succeeds. */
  readonly failingSince: string | null;
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface WebhookEndpointUpdateParams {
  /** An https URL of the internet. Addresses of private networks and of this machine are refused. Events, logs and notifications show it without its query. Default: unchanged. */
  readonly url?: string;
  /** The events that it gets: an exact type, `payment.*`, `*.settled` or `*`, or up to 20 of them separated by commas. A pattern with a star matches no event about jobs, executions, deliveries, webhook endpoints and notification channels. Default: unchanged. */
  readonly eventPattern?: string;
  /** A text for people, at most 1,000 characters. Default: unchanged. */
  readonly description?: string;
  /** The body: `full` is the event as the API shows it, `thin` the same without `data`. Default: unchanged. */
  readonly payload?: 'full' | 'thin';
  /** Headers of every delivery, by name; at most 20. They are stored encrypted, and their values are never shown again. Null: none. Default: unchanged. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Whether `x-usance-signature` is sent too: the hexadecimal HMAC-SHA256 of the body under the text of the secret. Default: unchanged. */
  readonly plainSignature?: boolean;
  /** Whether deliveries about one resource are sent one after the other. One that fails holds up the others of its resource until it ends. Default: unchanged. */
  readonly ordered?: boolean;
  /** `webhook`: the schedule of Standard Webhooks, 10 attempts within about three days. `webhook-quick`: 5 attempts, 5 seconds apart. Default: unchanged. */
  readonly retry?: 'webhook' | 'webhook-quick';
  /** Deliveries that start per second at most, over all workers. Null: no limit. Default: unchanged. */
  readonly maxPerSecond?: number | null;
  /** Whether events of a test tenant are sent. Otherwise they are recorded as deliveries and not sent. Default: unchanged. */
  readonly sendTestEvents?: boolean;
  /** Whether it gets events, and deliveries start. Default: unchanged. */
  readonly enabled?: boolean;
}

export interface WebhookEndpointTest {
  /** The test event. */
  readonly eventId: string;
  /** Its delivery, which can be read once the event is matched, moments later. */
  readonly deliveryId: string;
}

export interface WebhookEndpointRecovery {
  /** Failed deliveries that are sent again. */
  readonly retried: number;
  /** Events that the endpoint missed while it was disabled and gets now. A page after the first has none. */
  readonly missed: number;
  /** There may be more than `missed`: only the first 20,000 events since `from` were counted. All of them are sent. */
  readonly missedIsAtLeast: boolean;
  /** The first instant whose events are sent: `since`, or when the endpoint was created. */
  readonly from: string;
  /** Continue with it; null if there are no more failed deliveries. */
  readonly nextCursor: string | null;
}

export interface Delivery {
  /** The id of its execution. */
  readonly id: string;
  /** The webhook endpoint. */
  readonly endpointId: string;
  /** The event: `webhook-id` of every attempt. */
  readonly eventId: string;
  /** The `seq` of the event. */
  readonly seq: number;
  /** `pending`, also between attempts; `running`; ends as `completed`, `failed` (a dead letter) or `cancelled` (its endpoint was deleted). */
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Attempts so far, the running one included; 0 before the first. */
  readonly attemptNumber: number;
  /** False: an event of a test tenant, which was recorded and not sent. Null: no attempt has ended, or its record was deleted. */
  readonly sent: boolean | null;
  /** The HTTP status of the last response; null if there was none. */
  readonly responseStatus: number | null;
  /** When the first attempt began. RFC 3339, UTC; null before. */
  readonly startedAt: string | null;
  /** When it ended. RFC 3339, UTC; null before. */
  readonly completedAt: string | null;
  /** When the next attempt is due. RFC 3339, UTC; null unless it is pending. */
  readonly nextRetryAt: string | null;
  /** Why the last attempt failed: `PROCESSOR_FAILED`, `PROCESSOR_TIMED_OUT`, `PROCESSOR_EXITED`, `PROCESSOR_MISSING`, `WORKER_LOST`, `EVENT_ERASED`, `EXECUTION_CANCELLED`, `DELIVERY_REFUSED`, `DELIVERY_UNANSWERED`, `ENDPOINT_GONE`, `ENDPOINT_DELETED`, `CHANNEL_DELETED`, `NOTIFICATION_DEFERRED`, `EMAIL_FAILED`, `NOTIFICATION_FAILED`; null if none failed, or it completed. */
  readonly code: string | null;
  /** The message of the last failed attempt; null if none failed, or it completed. */
  readonly error: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface DeliveryRequest {
  /** The URL that it was sent to, without its query. */
  readonly url: string;
  /** By name. Signatures and the values of custom headers are null. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** The length of the body. */
  readonly bytes: number;
  /** The SHA-256 of the body, hexadecimal; null after it was deleted. */
  readonly digest: string | null;
}

export interface DeliveryResponse {
  /** The HTTP status. */
  readonly status: number;
  /** By name, the first 2 KiB; null after they were deleted. */
  readonly headers: Readonly<Record<string, unknown>> | null;
  /** The first 4 KiB as text; null after it was deleted. */
  readonly body: string | null;
  /** Whether the body was longer. */
  readonly truncated: boolean;
}

export interface DeliveryTiming {
  /** Resolving the name; 0 on a connection that was open already, in milliseconds. */
  readonly dnsMs: number;
  /** Opening the connection, with TLS; 0 on a connection that was open already, in milliseconds. */
  readonly connectMs: number;
  /** From the request to the first byte of the response, in milliseconds. */
  readonly firstByteMs: number;
  /** All of it, in milliseconds. */
  readonly totalMs: number;
}

export interface DeliveryAttempt {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The number of the attempt, from 1. */
  readonly number: number;
  /** `running`, then `success` or `failed`. */
  readonly status: 'running' | 'success' | 'failed';
  /** When the attempt began. RFC 3339, UTC. */
  readonly startedAt: string;
  /** When the attempt ended. RFC 3339, UTC; null while it runs. */
  readonly completedAt: string | null;
  /** Why it failed: `PROCESSOR_FAILED`, `PROCESSOR_TIMED_OUT`, `PROCESSOR_EXITED`, `PROCESSOR_MISSING`, `WORKER_LOST`, `EVENT_ERASED`, `EXECUTION_CANCELLED`, `DELIVERY_REFUSED`, `DELIVERY_UNANSWERED`, `ENDPOINT_GONE`, `ENDPOINT_DELETED`, `CHANNEL_DELETED`, `NOTIFICATION_DEFERRED`, `EMAIL_FAILED`, `NOTIFICATION_FAILED`; null unless it failed. */
  readonly code: string | null;
  /** The message of the error; null unless it failed. */
  readonly error: string | null;
  /** The request; null if nothing was sent, or its record was deleted. */
  readonly request: DeliveryRequest | null;
  /** The response; null if there is no complete one. */
  readonly response: DeliveryResponse | null;
  /** How long it took; null without a response. */
  readonly timing: DeliveryTiming | null;
  /** Why there is no complete response, such as `TIMED_OUT` or `TLS_FAILED`; null if there is one. */
  readonly failure: string | null;
}

export interface DeliveryWithAttempts {
  /** The id of its execution. */
  readonly id: string;
  /** The webhook endpoint. */
  readonly endpointId: string;
  /** The event: `webhook-id` of every attempt. */
  readonly eventId: string;
  /** The `seq` of the event. */
  readonly seq: number;
  /** `pending`, also between attempts; `running`; ends as `completed`, `failed` (a dead letter) or `cancelled` (its endpoint was deleted). */
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Attempts so far, the running one included; 0 before the first. */
  readonly attemptNumber: number;
  /** False: an event of a test tenant, which was recorded and not sent. Null: no attempt has ended, or its record was deleted. */
  readonly sent: boolean | null;
  /** The HTTP status of the last response; null if there was none. */
  readonly responseStatus: number | null;
  /** When the first attempt began. RFC 3339, UTC; null before. */
  readonly startedAt: string | null;
  /** When it ended. RFC 3339, UTC; null before. */
  readonly completedAt: string | null;
  /** When the next attempt is due. RFC 3339, UTC; null unless it is pending. */
  readonly nextRetryAt: string | null;
  /** Why the last attempt failed: `PROCESSOR_FAILED`, `PROCESSOR_TIMED_OUT`, `PROCESSOR_EXITED`, `PROCESSOR_MISSING`, `WORKER_LOST`, `EVENT_ERASED`, `EXECUTION_CANCELLED`, `DELIVERY_REFUSED`, `DELIVERY_UNANSWERED`, `ENDPOINT_GONE`, `ENDPOINT_DELETED`, `CHANNEL_DELETED`, `NOTIFICATION_DEFERRED`, `EMAIL_FAILED`, `NOTIFICATION_FAILED`; null if none failed, or it completed. */
  readonly code: string | null;
  /** The message of the last failed attempt; null if none failed, or it completed. */
  readonly error: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** By number, the last 1,000 at most. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface Seal {
  /** Position in the order of events. */
  readonly seq: number;
  /** Hash of the chain up to this event. */
  readonly hash: string;
}

export interface AuditEvent {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The type of the event in capitals, such as `PAYMENT_CANCELLED`; `payment.settled` is `PAYMENT_COMPLETED`. */
  readonly action: string;
  /** The caller: `key_…` of an API key, `acct_…` of an end user, `sch_…` of a schedule, `cli:…` of a command, `system`, or a name given by the library. */
  readonly actor: string;
  /** The kind of resource, such as `payment`. */
  readonly resource: string;
  /** The id of the resource. */
  readonly resourceId: string;
  /** The data of the event, as in the event catalogue. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The address of the client; null if the action did not come over a connection. */
  readonly ip: string | null;
  /** The client’s User-Agent; null if it is not known. */
  readonly userAgent: string | null;
  /** The `X-Request-Id` of the response; null if the action did not come over HTTP. */
  readonly requestId: string | null;
  /** Why, in the words of the caller: the header `Usance-Reason` of the request; null if it gave none. A reason in the body of a request is in `details`. */
  readonly reason: string | null;
  /** When it was written. RFC 3339, UTC. */
  readonly recordedAt: string;
  /** Its link in the hash chain of the audit log; null until it is sealed, usually for a second. */
  readonly seal: Seal | null;
}

export interface ErasedEvent {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Whether its data was erased. */
  readonly erased: true;
}

export interface Pause {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The scope of the pause: the tenant, an asset or a rail. */
  readonly scope: 'tenant' | 'asset' | 'rail';
  /** The asset or rail; null for the whole tenant. */
  readonly value: string | null;
  /** The reason given by the caller; recorded in the audit log. */
  readonly reason: string;
  /** The caller that paused it. */
  readonly pausedBy: string;
  /** When it was paused. RFC 3339, UTC. */
  readonly pausedAt: string;
}

export interface ExecutionCap {
  /** The tenant’s own cap; null if it has none. */
  readonly perSecond: number | null;
  /** The default of the deployment in payments per second (`USANCE_EXECUTIONS_PER_SECOND`), for tenants without a cap. */
  readonly defaultPerSecond: number | null;
  /** The cap in force, in payments per second: the tenant’s own, or else the default. Null: no cap. */
  readonly appliesPerSecond: number | null;
}

export type QuoteCreateParams = {
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
  readonly amountDecimal?: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. */
  readonly destinations: Readonly<Record<string, string>>;
  /** The aim of the choice. Default `low_fee`. */
  readonly priority?: 'low_fee' | 'fast' | 'reliable';
} & OneGiven<'amount' | 'amountDecimal'>;

export interface RouteCandidate {
  /** The name of the chain. */
  readonly chain: string;
  /** Weighted sum of the three shares, halved for a degraded chain; null if the chain does not qualify. */
  readonly score: number | null;
  /** 1 minus the fee divided by the highest fee of the chains that qualify. */
  readonly feeShare: number | null;
  /** 1 minus the seconds divided by the most seconds of the chains that qualify. */
  readonly latencyShare: number | null;
  /** 1 minus the share of failed calls. */
  readonly reliabilityShare: number | null;
  /** Why the chain does not qualify; null if it does. */
  readonly disqualified:
    | 'no_address'
    | 'treasury_too_low'
    | 'chain_unhealthy'
    | 'price_stale'
    | 'wallet_unread'
    | 'wallet_frozen'
    | 'attempt_failed'
    | 'fee_unread'
    | 'barred'
    | null;
  /** The health of the chain when the route was computed. */
  readonly health: 'healthy' | 'degraded' | 'unhealthy';
  /** Estimated fee in US dollars; null without a fresh price. */
  readonly feeUsd: number | null;
  /** Average time until a transaction is final, in seconds. */
  readonly confirmationSeconds: number;
  /** The share of failed calls to the nodes of the chain, from 0 to 1. */
  readonly rpcErrorRate: number;
}

export interface Quote {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. */
  readonly destinations: Readonly<Record<string, unknown>>;
  /** The aim of the choice. */
  readonly priority: 'low_fee' | 'fast' | 'reliable';
  /** The chain with the highest score. */
  readonly chain: string;
  /** One sentence for the choice, then one for each chain, the best first. */
  readonly explanation: readonly string[];
  /** The best first, then those that do not qualify. */
  readonly candidates: readonly RouteCandidate[];
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** Five minutes after it was created, by the clock of the tenant. RFC 3339, UTC. */
  readonly expiresAt: string;
  /** When a payout was created with it; null: not yet. */
  readonly acceptedAt: string | null;
}

export interface QuoteAcceptParams {
  /** An account: its id (`acct_…`) or your ref. */
  readonly from: string;
  /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: the payment is due at `executeAt`, or now. */
  readonly delay?: string | number;
  /** When the payout runs; instead of `delay`. Default: at once. RFC 3339, with a zone. */
  readonly executeAt?: Date | string;
  /** Your own name for the payment, unique within the tenant. Default: none. */
  readonly reference?: string;
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PayoutRoute {
  /** The payout, by id. */
  readonly paymentId: string;
  /** The first route of a payout is number 1. Null: the payout has only its quote. */
  readonly number: number | null;
  /** `quote`: the accepted quote. `due`: chosen when the payout was due. `requote`: the quoted chain did not qualify any more, or its fee had risen. `retry`: the chain of an earlier attempt again. `next_best`: another chain than that of an earlier attempt, of which nothing can land any more. */
  readonly cause: 'quote' | 'due' | 'requote' | 'retry' | 'next_best';
  /** The accepted quote; null: none. */
  readonly quoteId: string | null;
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority: 'low_fee' | 'fast' | 'reliable';
  /** The chain with the highest score. */
  readonly chain: string;
  /** One sentence for the choice, then one for each chain, the best first. */
  readonly explanation: readonly string[];
  /** The best first, then those that do not qualify. */
  readonly candidates: readonly RouteCandidate[];
  /** Whether the stored inputs, computed again now, give the stored choice. */
  readonly replays: boolean;
  /** When the route was chosen. RFC 3339, UTC. */
  readonly chosenAt: string;
}

export interface PayoutAttempt {
  /** 1 for the first attempt of the payout. */
  readonly number: number;
  /** `claimed`: nothing is signed. `sent`: the signed bytes are stored and were sent, or possibly sent. `finalized`: paid in a final block. `reverted`: failed in a final block. `dead`: proven never to land. `abandoned`: nothing was signed. */
  readonly state: 'claimed' | 'sent' | 'finalized' | 'reverted' | 'dead' | 'abandoned';
  /** Null until bytes are signed. */
  readonly chain: string | null;
  /** The address that the transaction pays. */
  readonly destination: string | null;
  /** The id of the transaction on the chain; null until it is signed. */
  readonly transactionId: string | null;
  /** The last block that may include the transaction. */
  readonly lastValidHeight: string | null;
  /** The last answer of the chain, such as `pool`, `block` or `not_found`. */
  readonly lastSeen: string | null;
  /** How often the same bytes were sent. */
  readonly broadcasts: number;
  /** How often the chain was asked. */
  readonly checks: number;
  /** The fee that the chain took, in minor units of `feeAsset`. */
  readonly fee: string | null;
  /** The asset in which the chain takes its fee; null until bytes are signed. */
  readonly feeAsset: string | null;
  /** The block that decided. */
  readonly height: string | null;
  /** The refusal; null if the payment was created. */
  readonly error: {
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  } | null;
  /** When a worker took the payout for this attempt. RFC 3339, UTC. */
  readonly beganAt: string;
  /** When the signed bytes were stored, to be sent. */
  readonly sentAt: string | null;
  /** When it reached a final state. RFC 3339, UTC; null before. */
  readonly endedAt: string | null;
  /** The caller that resolved it; null if the chain decided. */
  readonly resolvedBy: string | null;
}

export interface PayoutResolveParams {
  /** `paid`: by its transaction, which is final. `dead`: it has not paid, and never will. */
  readonly outcome: 'paid' | 'dead';
  /** The transaction that you looked up; refused if it is not that of the payout. Required for `paid`. Default for `dead`: that of the payout. */
  readonly transactionId?: string;
  /** The reason; recorded in the audit log. */
  readonly reason: string;
}

export type PaymentIntentCreateParams = {
  /** An account: its id (`acct_…`) or your ref. */
  readonly from: string;
  /** A quote, whose asset, amount, destinations and priority the payout takes. It can be used once. Give this or `destinations`. */
  readonly quoteId?: string;
  /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: that of the quote; without one required, or `amountDecimal`. */
  readonly amount?: bigint | number | string;
  /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: that of the quote; without one required, or `amount`. */
  readonly amountDecimal?: string;
  /** Code and scale (`USD/2`), or only the code. Default: that of the quote; without one the default asset of the tenant. */
  readonly asset?: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. Give this or `quoteId`. */
  readonly destinations?: Readonly<Record<string, string>>;
  /** Priority of the choice of a chain: the fee, the time to finality, or the reliability. Default `low_fee`. */
  readonly priority?: 'low_fee' | 'fast' | 'reliable';
  /** When the payout is due; instead of `delay`. Default: now. RFC 3339, with a zone. */
  readonly executeAt?: Date | string;
  /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: the payment is due at `executeAt`, or now. */
  readonly delay?: string | number;
  /** If no attempt has begun by then, the payout expires. Default: never. RFC 3339, with a zone. */
  readonly expiresAt?: Date | string;
  /** Your own name for the payment, unique within the tenant. Default: none. */
  readonly reference?: string;
  /** Your own JSON object, returned unchanged; at most 16,384 characters of JSON. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
} & OneGiven<'quoteId' | 'destinations'>;

export interface PaymentIntent {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** `route_selected`: waits for its instant or its next attempt. `broadcasting`: an attempt began. `broadcasted`: signed and sent. `manual_review`: not final after ten minutes. */
  readonly status:
    | 'route_selected'
    | 'broadcasting'
    | 'broadcasted'
    | 'manual_review'
    | 'settled'
    | 'failed'
    | 'cancelled'
    | 'expired';
  /** The account that pays, by id. */
  readonly from: string;
  /** Ref of the account `from`. An end user gets only their own ref, and null for other accounts. */
  readonly fromRef: string | null;
  /** Only if `expand` has `from`: the account. An end user gets only their own account, and null for others. */
  readonly fromAccount?: Account | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
  /** The same amount as a decimal number: "12.50" if `amount` is "1250" of USD/2. */
  readonly amountDecimal: string;
  /** The address of the payee on each chain that may be used, by the name of the chain. */
  readonly destinations: Readonly<Record<string, unknown>>;
  /** Due payments of a higher priority run first. Default `normal`. */
  readonly priority: 'low_fee' | 'fast' | 'reliable';
  /** The quote that it was created with; null: none. */
  readonly quoteId: string | null;
  /** The chain of the newest signed attempt. */
  readonly selectedChain: string | null;
  /** The transaction of the newest signed attempt. */
  readonly transactionId: string | null;
  /** The fee that the chain took, in minor units of `feeAsset`. */
  readonly fee: string | null;
  /** The asset in which the chain takes its fee. */
  readonly feeAsset: string | null;
  /** Attempts so far, the first included. */
  readonly attempts: number;
  /** Your own name for it, unique within the tenant; null if none was given. */
  readonly reference: string | null;
  /** Your own JSON object, returned unchanged; at most 16,384 characters. Default: none. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The failure of the last attempt; null if none failed. */
  readonly lastError: {
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  } | null;
  /** When it is due. RFC 3339, UTC. */
  readonly executeAt: string;
  /** When the payout expires if no attempt has begun; null: never. */
  readonly expiresAt: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** When its transaction was final; null before. */
  readonly settledAt: string | null;
}

export interface TreasuryBalance {
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly available: string;
  /** Held for transfers that are signed and not final, with their fee limits. Minor units. */
  readonly reserved: string;
  /** The last comparison with the chain. `even`: the same. `open`: transfers that are not final could explain the difference. `different`: nothing can. `unread`: the chain did not answer. Null: not compared yet. */
  readonly verdict: 'even' | 'open' | 'different' | 'unread' | null;
  /** On the chain in final blocks, in minor units. Null if it was not read. */
  readonly onChain: string | null;
  /** Balance that the books expected there, counting transfers that were final on one side only. Null if it was not read. */
  readonly expected: string | null;
  /** When it was compared, in real time. RFC 3339, UTC. */
  readonly checkedAt: string | null;
  /** The least that is to be available, in minor units; below it the alert `treasury_floor` is raised. Null: no floor. */
  readonly floor: string | null;
}

export interface TreasuryWallet {
  /** The account of the ledger that holds the balances of the wallet, by id. */
  readonly accountId: string;
  /** Ref of the account `accountId`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** The chain of the wallet. */
  readonly chain: string;
  /** The address that pays. */
  readonly address: string;
  /** The asset in which the chain takes fees. */
  readonly feeAsset: string;
  /** Since when the wallet signs nothing; null: it is not frozen. */
  readonly frozenAt: string | null;
  /** The difference that was found; null: it is not frozen. */
  readonly frozenReason: string | null;
  /** One balance for each asset that the account has held. */
  readonly balances: readonly TreasuryBalance[];
}

export interface TreasuryWalletUnfreezeParams {
  /** The reason; recorded in the audit log. */
  readonly reason: string;
  /** Book what the last comparison found: coins that arrived at the address or left it otherwise. Needs the scope `ledger:money`. Default: false. */
  readonly bookDifference?: boolean;
}

export interface TreasuryWalletFloorParams {
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** In minor units; null removes the floor. */
  readonly floor: bigint | number | string | null;
}

export interface Alert {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** `payout_success`: payouts over a chain that settled, of those that ended. `settlement_time`: from signing to finality, on average. `treasury_floor`: available in a wallet. `chain_health`: how long a chain has been unhealthy. `webhook_delivery`: deliveries whose last attempt succeeded. `manual_review`: payouts in review. */
  readonly kind:
    | 'payout_success'
    | 'settlement_time'
    | 'treasury_floor'
    | 'chain_health'
    | 'webhook_delivery'
    | 'manual_review';
  /** `open` until the measurement is back within the threshold. */
  readonly status: 'open' | 'cleared';
  /** The chain; null: the alert is about no chain. */
  readonly chain: string | null;
  /** The asset of the wallet; null unless `kind` is `treasury_floor`. */
  readonly asset: string | null;
  /** The unit of `value`, `threshold` and `clearedValue`. */
  readonly unit: 'share' | 'seconds' | 'minor_units' | 'payouts';
  /** The measurement that raised it, as a decimal. */
  readonly value: string;
  /** The value that was crossed, as a decimal. */
  readonly threshold: string;
  /** Samples that were measured. */
  readonly count: number;
  /** The length of the rolling window, in milliseconds; null: what is now was measured. */
  readonly windowMs: number | null;
  /** By the clock of the tenant. RFC 3339, UTC. */
  readonly raisedAt: string;
  /** Null while it is open. */
  readonly clearedAt: string | null;
  /** The measurement that cleared it; null while it is open, and if there was nothing left to measure. */
  readonly clearedValue: string | null;
}

export interface PayoutPolicy {
  /** Whether payouts go to listed addresses only. */
  readonly listedOnly: boolean;
  /** How long after it was added, or approved, a new address may be paid. ISO 8601. */
  readonly wait: string;
  /** Whether a second person approves each new address. */
  readonly secondPerson: boolean;
}

export interface PayoutPolicyParams {
  /** Whether payouts go to listed addresses only. Default: unchanged. */
  readonly listedOnly?: boolean;
  /** How long after it was added, or approved, a new address may be paid; at most 31 days. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: unchanged. */
  readonly wait?: string | number;
  /** Whether a second person approves each new address. Default: unchanged. */
  readonly secondPerson?: boolean;
}

export interface PayoutDestinationCreateParams {
  /** Name of the chain. */
  readonly chain: string;
  /** The address on the chain. */
  readonly address: string;
  /** For people. Default: none. */
  readonly label?: string;
}

export interface PayoutDestination {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Name of the chain. */
  readonly chain: string;
  /** As the chain writes it. */
  readonly address: string;
  /** For people. */
  readonly label: string | null;
  /** When payouts may go there; null while it awaits approval. */
  readonly usableAt: string | null;
  /** The caller that added it. */
  readonly addedBy: string;
  /** When it was added. RFC 3339, UTC. */
  readonly addedAt: string;
  /** The second person; null if none approved it. */
  readonly approvedBy: string | null;
}

export interface PayoutCapParams {
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Name of the chain. Default: all chains together. */
  readonly chain?: string;
  /** The largest amount of one payout, in minor units, more than 0. Null: no cap. Default: unchanged. */
  readonly maxAmount?: bigint | number | string | null;
  /** The largest sum that is signed in any 24 hours, in minor units, more than 0. Null: no cap. Default: unchanged. */
  readonly dailyAmount?: bigint | number | string | null;
}

export interface PayoutCap {
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** Null: all chains together. */
  readonly chain: string | null;
  /** The largest amount of one payout. */
  readonly maxAmount: string | null;
  /** The largest sum that is signed in any 24 hours. */
  readonly dailyAmount: string | null;
}

export interface ChainAsset {
  /** Code of the asset, as in the ledger. */
  readonly code: string;
  /** Decimals of the unit of the chain. */
  readonly decimals: number;
  /** The least that a transfer can move, in units of the chain. */
  readonly minimumUnits: string;
}

export interface ChainHealthSnapshot {
  /** `unhealthy`: more than 30 % failed calls, or congestion above 0.8. `degraded`: more than 10 %, or above 0.5. */
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  /** Average time until a transaction is final, in seconds. */
  readonly avgConfirmationSeconds: number;
  /** Failed calls to the endpoints of the chain, divided by all calls: 0 to 1. */
  readonly rpcErrorRate: number;
  /** Latency of the endpoints in milliseconds, 95th percentile. */
  readonly p95LatencyMs: number;
  /** How full the blocks of the chain are: 0 to 1. */
  readonly congestionScore: number;
  /** Estimated fee of a transfer in US dollars, for comparing chains; never posted. Null without a fresh price of the fee asset. */
  readonly estimatedFeeUsd: number | null;
  /** Why the chain could not be measured: the other fields then have the worst values. Null if it was measured. */
  readonly failure: string | null;
  /** When it was taken, in real time. RFC 3339, UTC. */
  readonly takenAt: string;
}

export interface Chain {
  /** Name of the chain. */
  readonly name: string;
  /** The status that a choice of a route uses now: that of `health`, or `unhealthy` if it is stale. */
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  /** Whether the newest snapshot is missing or older than three intervals: no worker measures the chain. */
  readonly stale: boolean;
  /** The assets that payouts can move on the chain. */
  readonly assets: readonly ChainAsset[];
  /** The newest snapshot; null if the chain was never measured. */
  readonly health: ChainHealthSnapshot | null;
}

export interface CronRun {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The loop or command. */
  readonly jobName: string;
  /** `RUNNING`, `SUCCESS` or `FAILED`. */
  readonly status: 'RUNNING' | 'SUCCESS' | 'FAILED';
  /** Payments created by the scheduler, payments claimed by the processor, or the items that another loop works on. */
  readonly processedCount: number;
  /** All counters of the run. */
  readonly counts: Readonly<Record<string, unknown>>;
  /** A code and a sentence; the log of the process has the details. */
  readonly errorMessage: string | null;
  /** When the run began. RFC 3339, UTC. */
  readonly startedAt: string;
  /** Null while it runs. */
  readonly finishedAt: string | null;
}

export interface AtStake {
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** How many there are. */
  readonly count: number;
  /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
  readonly amount: string;
}

export interface Overview {
  /** When the overview was made. RFC 3339, UTC. */
  readonly at: string;
  /** `frozen`: an asset is frozen because its books do not add up. `unknown`: no check in the last ten minutes. */
  readonly integrity: {
    /** Result of the continuous check of the books. */
    readonly state: 'ok' | 'frozen' | 'unknown';
    /** When the books were last checked. */
    readonly checkedAt: string | null;
  };
  /** Payments that are not due yet. */
  readonly waiting: {
    /** How many payments wait. */
    readonly count: number;
    /** When the next payment is due. RFC 3339, UTC; null if none waits. */
    readonly nextDueAt: string | null;
    /** The total for each asset, of the first 2,000 of each priority. */
    readonly amounts: readonly AtStake[];
  };
  /** Payments that are due and not executed yet. */
  readonly due: {
    /** How many payments are due. */
    readonly count: number;
    /** The due instant of the oldest. RFC 3339, UTC; null if there is none. */
    readonly oldestDueAt: string | null;
    /** How late the oldest is. ISO 8601. */
    readonly late: string;
    /** Their total for each asset. */
    readonly amounts: readonly AtStake[];
  };
  /** Schedules with a due slot that has not run, counted up to 10,000. */
  readonly dueSchedules: {
    /** How many schedules are due. */
    readonly count: number;
    /** The due instant of the oldest. RFC 3339, UTC; null if there is none. */
    readonly oldestDueAt: string | null;
  };
  /** False: more payments are waiting or due than are counted (10,000 for each priority), so the numbers are lower bounds. */
  readonly countedAll: boolean;
  /** Outcomes of the last hour, by the clock of the tenant. */
  readonly lastHour: {
    /** How many were settled. */
    readonly settled: number;
    /** How many failed for good. */
    readonly failed: number;
  };
  /** Outcomes of the last 24 hours, by the clock of the tenant. */
  readonly lastDay: {
    /** How many were settled. */
    readonly settled: number;
    /** How many failed for good. */
    readonly failed: number;
  };
  /** False: the last day had more than 50,000 events, and only the newest are counted. */
  readonly recentCountedAll: boolean;
  /** Dead letters of payments and occurrences, and their total for each asset. */
  readonly deadLetters: readonly AtStake[];
  /** How many executions of jobs are dead letters, up to 100,000. */
  readonly deadExecutions: number;
  /** Payments that await approval, and their total for each asset. */
  readonly awaitingApproval: readonly AtStake[];
  /** Payouts that were not final ten minutes after they were sent, and their total for each asset: resolve them, or wait for the chain. */
  readonly inReview: readonly AtStake[];
  /** Outages that wait to be released or discarded. */
  readonly outages: readonly Outage[];
  /** The newest 100 alerts that are open. */
  readonly alerts: readonly Alert[];
  /** Assets that are frozen because their books do not add up. */
  readonly freezes: readonly {
    /** Code and scale: `USD/2` counts cents. */
    readonly asset: string;
    /** The check that failed. */
    readonly violation: string;
    /** When it was frozen. RFC 3339, UTC. */
    readonly frozenAt: string;
  }[];
  /** Pauses in force. */
  readonly pauses: readonly {
    /** TypeID: a prefix that names the kind, and 26 characters. */
    readonly id: string;
    /** The scope of the pause: the tenant, an asset or a rail. */
    readonly scope: 'tenant' | 'asset' | 'rail';
    /** The asset or rail that is paused; null for the tenant. */
    readonly value: string | null;
    /** The reason given by the caller; recorded in the audit log. */
    readonly reason: string;
    /** When it was paused. RFC 3339, UTC. */
    readonly pausedAt: string;
  }[];
  /** Executions per second at most; null if there is no cap. */
  readonly executionCap: ExecutionCap;
  /** Events that are not ordered yet. */
  readonly eventsUnordered: {
    /** How many events are not ordered yet. */
    readonly count: number;
    /** When the oldest was written. RFC 3339, UTC; null if there is none. */
    readonly oldest: string | null;
  };
}

export interface SeriesPoint {
  /** Begin of the step. */
  readonly at: string;
  /** How many were settled. */
  readonly settled: number;
  /** How many failed for good. */
  readonly failed: number;
  /** Settled of those that ended, from 0 to 1; null if none ended. */
  readonly successRate: number | null;
  /** Average time from the due instant to the settlement; null if nothing settled. */
  readonly lateAverage: string | null;
  /** Longest time from the due instant to the settlement. */
  readonly lateLongest: string | null;
  /** Payments that were due and not done when the step ended. */
  readonly backlog: number;
}

export interface Series {
  /** Length of the chart. */
  readonly period: 'hour' | 'day' | 'week';
  /** Length of a step. ISO 8601. */
  readonly step: string;
  /** False: the tenant has more than 50,000 events in the period, or more than 10,000 due payments. Earlier steps are lower bounds. */
  readonly countedAll: boolean;
  /** Oldest first; the last step contains now. */
  readonly points: readonly SeriesPoint[];
}

export interface UpcomingEntry {
  /** When it becomes due. */
  readonly at: string;
  /** A payment that exists, or a run of a schedule. */
  readonly kind: 'payment' | 'schedule';
  /** Id of the payment, or of the schedule that runs. */
  readonly id: string;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** Minor units. */
  readonly amount: string | null;
  /** The account that pays, by id. */
  readonly from: string | null;
  /** Ref of the account `from`. An end user gets only their own ref, and null for other accounts. */
  readonly fromRef: string | null;
  /** Null for several payees. */
  readonly to: string | null;
  /** Ref of the account `to`. An end user gets only their own ref, and null for other accounts. */
  readonly toRef: string | null;
}

export interface Upcoming {
  /** The account that pays, by id. */
  readonly from: string;
  /** No run after this local time; null if it has no end. Default: none. */
  readonly until: string;
  /** False: more than 10,000 payments or runs of schedules; only the first are counted. */
  readonly countedAll: boolean;
  /** Every hour of the window. */
  readonly hours: readonly {
    /** Begin of the hour. */
    readonly at: string;
    /** Payments that become due in this hour. */
    readonly payments: number;
    /** Runs of schedules in this hour. */
    readonly runs: number;
    /** Payments and runs together, for each asset. */
    readonly amounts: readonly {
      /** Code and scale: `USD/2` counts cents. */
      readonly asset: string;
      /** Number of payments and runs. */
      readonly count: number;
      /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
      readonly amount: string;
    }[];
  }[];
  /** The first 50. */
  readonly next: readonly UpcomingEntry[];
}

export interface SearchHit {
  /** Kind of the resource. */
  readonly kind:
    | 'payment'
    | 'account'
    | 'schedule'
    | 'subscription'
    | 'occurrence'
    | 'execution'
    | 'job'
    | 'event'
    | 'transfer';
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The meaning of the code, in a few words. */
  readonly title: string;
  /** One sentence: the problem, the resource and the action to take. */
  readonly detail: string;
  /** Name by which it was found. */
  readonly matched: 'id' | 'reference' | 'ref';
}

export interface BalanceHistory {
  /** The account, by id. */
  readonly account: string;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** The account that pays, by id. */
  readonly from: string;
  /** No run after this local time; null if it has no end. Default: none. */
  readonly until: string;
  /** Oldest first; the last is at `until`. Points before the newest 20,000 changes of the account are left out. */
  readonly points: readonly {
    /** Instant of the balance. */
    readonly at: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly available: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly reserved: string;
    /** Minor units, as a string of digits: "1250" of USD/2 is 12.50. */
    readonly total: string;
  }[];
}

export interface AuditChain {
  /** Number of the newest sealed event; 0 before the first. */
  readonly seq: number;
  /** Hash of the last link, hexadecimal; null before the first. */
  readonly hash: string | null;
  /** When it was written. RFC 3339, UTC. */
  readonly recordedAt: string | null;
  /** Events that are committed and not sealed yet. */
  readonly unsealed: number;
  /** When new seals were last compared with their events. */
  readonly checkedAt: string | null;
}

export interface Settings {
  /** Tenant of the key. */
  readonly tenant: {
    /** TypeID: a prefix that names the kind, and 26 characters. */
    readonly id: string;
    /** Name of the tenant. */
    readonly name: string;
    /** A test tenant can have a test clock. */
    readonly kind: 'live' | 'test';
    /** Whether its keys can list and create tenants. */
    readonly first: boolean;
  };
  /** The asset of requests that name none; null if there is none. */
  readonly defaultAsset: string | null;
  /** Test clock of the tenant; null without one. */
  readonly testClock: string | null;
  /** Time of the tenant: the real time, or the instant of its test clock. RFC 3339, UTC. */
  readonly now: string;
  /** False: the time comes from a test clock. After the clock was deleted, the time does not change. */
  readonly followsRealTime: boolean;
  /** How long a payment awaits approval before it expires. ISO 8601. */
  readonly approvalWithin: string;
  /** Version of usance. */
  readonly version: string;
  /** Version of the HTTP API. */
  readonly apiVersion: string;
  /** Version of PostgreSQL. */
  readonly database: string;
}

export interface DeadLetter {
  /** The id of the payment, occurrence or execution that failed; its prefix says which. */
  readonly id: string;
  /** `payment`, or `occurrence` of a schedule. */
  readonly kind: 'payment' | 'occurrence' | 'execution';
  /** The error code of the last attempt. */
  readonly code: string;
  /** One sentence: the problem, the resource and the action to take. */
  readonly detail: string;
  /** The asset of the amount; null for an execution. */
  readonly asset: string | null;
  /** The amount that was not paid, in minor units; null for an execution. */
  readonly amount: string | null;
  /** When it failed for good. RFC 3339, UTC. */
  readonly failedAt: string;
  /** Time since it failed. ISO 8601. */
  readonly age: string;
  /** The schedule of an occurrence; null for others. */
  readonly schedule: string | null;
  /** The nominal local time of an occurrence; null for others. */
  readonly slot: string | null;
  /** The job of an execution; null for others. */
  readonly job: string | null;
}

export interface DeadLetterGroup {
  /** Kind of the dead letters. */
  readonly kind: 'payment' | 'occurrence' | 'execution';
  /** The error code of the last attempt. */
  readonly code: string;
  /** Null for executions. */
  readonly asset: string | null;
  /** Job of the executions; null for others. */
  readonly job: string | null;
  /** Number of dead letters. */
  readonly count: number;
  /** The money at stake, in minor units; null for executions. */
  readonly amount: string | null;
  /** Instant of the first failure. */
  readonly oldestAt: string;
  /** Instant of the last failure. */
  readonly newestAt: string;
  /** Detail of the newest. */
  readonly detail: string;
}

export interface DeadLettersDiscarded {
  /** Ids of the discarded items. */
  readonly discarded: readonly string[];
  /** The ones that were refused, with their codes. */
  readonly refused: readonly {
    /** TypeID: a prefix that names the kind, and 26 characters. */
    readonly id: string;
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  }[];
  /** Whether more dead letters match behind these. */
  readonly more: boolean;
  /** Send the same request again with it as `cursor`; null if no more dead letters match. */
  readonly nextCursor: string | null;
}

export interface DeadLetterDone {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
}

export interface DeadLettersRetried {
  /** The ids of the dead letters that were retried. */
  readonly retried: readonly string[];
  /** The ones that were refused, with their codes. */
  readonly refused: readonly {
    /** TypeID: a prefix that names the kind, and 26 characters. */
    readonly id: string;
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
  }[];
  /** Whether more dead letters match behind these. */
  readonly more: boolean;
  /** Send the same request again with it as `cursor`; null if no more dead letters match. */
  readonly nextCursor: string | null;
}

export interface LimitParams {
  /** An account: its id (`acct_…`) or your ref. Default: the limits of the tenant. */
  readonly account?: string;
  /** Code and scale (`USD/2`), or only the code. */
  readonly asset: string;
  /** The largest amount of one payment, in minor units, more than 0. Null: no limit. Default: unchanged. */
  readonly maxAmount?: bigint | number | string | null;
  /** The largest sum that can leave the account in 24 hours, more than 0; requires `account`. Null: the default of the tenant. */
  readonly dailyAmount?: bigint | number | string | null;
  /** The largest sum that can leave each account without a `dailyAmount` in 24 hours, more than 0; only without `account`. Default: unchanged. */
  readonly defaultDailyAmount?: bigint | number | string | null;
  /** The largest sum that can leave all accounts together in 24 hours, more than 0; only without `account`. Default: unchanged. */
  readonly tenantDailyAmount?: bigint | number | string | null;
  /** A payment awaits approval if its amount, plus the sum that its creator sent from the payer without approval in 24 hours, is larger. 0: every payment. Default: unchanged. */
  readonly approvalAbove?: bigint | number | string | null;
}

export interface Limit {
  /** Null: the limits of the tenant, which apply to every account. */
  readonly account: string | null;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** Code and scale: `USD/2` counts cents. */
  readonly asset: string;
  /** The largest amount of one payment. */
  readonly maxAmount: string | null;
  /** The largest sum that can leave the account in 24 hours. */
  readonly dailyAmount: string | null;
  /** Only for the tenant: the largest sum that can leave each account without a `dailyAmount` in 24 hours. */
  readonly defaultDailyAmount: string | null;
  /** Only for the tenant: the largest sum that can leave all its accounts together in 24 hours. */
  readonly tenantDailyAmount: string | null;
  /** A payment awaits approval if its amount, plus the sum that its creator sent from the payer without approval in 24 hours, is larger. */
  readonly approvalAbove: string | null;
}

export interface ApiKeyMade {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Says what the key is for. */
  readonly name: string;
  /** Identifies the key without revealing it: its first characters, or `own_` and a hash for a secret that you chose. */
  readonly prefix: string;
  /** A named set of scopes; null if the key has only `scopes`. */
  readonly role: 'viewer' | 'operator' | 'admin' | null;
  /** Scopes in addition to those of the role. */
  readonly scopes: readonly (
    | 'ledger:read'
    | 'ledger:write'
    | 'ledger:money'
    | 'payments:read'
    | 'payments:write'
    | 'events:read'
    | 'events:write'
    | 'jobs:read'
    | 'jobs:write'
    | 'notifications:read'
    | 'notifications:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'ops:read'
    | 'ops:write'
    | 'keys:read'
    | 'keys:write'
    | 'tenants:read'
    | 'tenants:write'
    | 'admin'
  )[];
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When the key stops working. RFC 3339, UTC; null if it does not expire. */
  readonly expiresAt: string | null;
  /** When it was revoked. RFC 3339, UTC; null if it was not. */
  readonly revokedAt: string | null;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  /** The key that this key replaces. */
  readonly replaces: string | null;
  /** The first key of its rotations. All keys of a lineage are one caller for idempotency, approvals, limits and audit. */
  readonly lineageId: string;
  /** The key that created this key, or was rotated into it. */
  readonly parentId: string | null;
  /** The person that holds the key. */
  readonly person: string | null;
  /** The secret of the key, returned only once. It is not stored, so a replayed response has null here. */
  readonly secret: string | null;
}

export interface ApiKey {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Says what the key is for. */
  readonly name: string;
  /** Identifies the key without revealing it: its first characters, or `own_` and a hash for a secret that you chose. */
  readonly prefix: string;
  /** A named set of scopes; null if the key has only `scopes`. */
  readonly role: 'viewer' | 'operator' | 'admin' | null;
  /** Scopes in addition to those of the role. */
  readonly scopes: readonly (
    | 'ledger:read'
    | 'ledger:write'
    | 'ledger:money'
    | 'payments:read'
    | 'payments:write'
    | 'events:read'
    | 'events:write'
    | 'jobs:read'
    | 'jobs:write'
    | 'notifications:read'
    | 'notifications:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'ops:read'
    | 'ops:write'
    | 'keys:read'
    | 'keys:write'
    | 'tenants:read'
    | 'tenants:write'
    | 'admin'
  )[];
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When the key stops working. RFC 3339, UTC; null if it does not expire. */
  readonly expiresAt: string | null;
  /** When it was revoked. RFC 3339, UTC; null if it was not. */
  readonly revokedAt: string | null;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  /** The key that this key replaces. */
  readonly replaces: string | null;
  /** The first key of its rotations. All keys of a lineage are one caller for idempotency, approvals, limits and audit. */
  readonly lineageId: string;
  /** The key that created this key, or was rotated into it. */
  readonly parentId: string | null;
  /** The person that holds the key. */
  readonly person: string | null;
}

export type TokenIssuerCreateParams = {
  /** `iss` of the tokens, compared exactly. */
  readonly issuer: string;
  /** Must be one of `aud` of the token. */
  readonly audience: string;
  /** The only accepted algorithm. */
  readonly algorithm: 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA';
  /** A JWK Set (RFC 7517) of public keys: `{ "keys": [ … ] }`. Keys that do not fit the algorithm are ignored. Give this or `publicKey` or `jwksUrl`. */
  readonly jwks?: Readonly<Record<string, unknown>>;
  /** Instead of `jwks`: one key in PEM. Give this or `jwks` or `jwksUrl`. */
  readonly publicKey?: string;
  /** Instead of `jwks`: the https URL of the JWK Set of your identity provider. It is fetched when a token names a key that is not known, at most once a minute. Give this or `jwks` or `publicKey`. */
  readonly jwksUrl?: string;
} & OneGiven<'jwks' | 'publicKey' | 'jwksUrl'>;

export interface TokenIssuer {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** `iss` of the tokens, compared exactly. */
  readonly issuer: string;
  /** Must be one of `aud` of the token. */
  readonly audience: string;
  /** The only accepted algorithm. */
  readonly algorithm: 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA';
  /** A JWK Set (RFC 7517) of public keys: `{ "keys": [ … ] }`. Keys that do not fit the algorithm are ignored. */
  readonly jwks: Readonly<Record<string, unknown>>;
  /** The URL from which `jwks` is fetched; null if the keys were uploaded. */
  readonly jwksUrl: string | null;
  /** When `jwks` was last seen at `jwksUrl`. RFC 3339, UTC; null before, and for uploaded keys. */
  readonly keysFetchedAt: string | null;
  /** Why the last attempt to fetch the keys failed; null if it did not. */
  readonly keysError: string | null;
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface TokenIssuerUpdateParams {
  /** A JWK Set (RFC 7517) of public keys: `{ "keys": [ … ] }`. Keys that do not fit the algorithm are ignored. Default: unchanged. */
  readonly jwks?: Readonly<Record<string, unknown>>;
  /** Instead of `jwks`: one key in PEM. Default: unchanged. */
  readonly publicKey?: string;
  /** Instead of `jwks`: the https URL of the JWK Set of your identity provider. It is fetched when a token names a key that is not known, at most once a minute. Default: unchanged. */
  readonly jwksUrl?: string;
}

export interface NotificationChannelCreateParams {
  /** Unique among the channels and jobs of the tenant. */
  readonly name: string;
  /** The format of the messages; `webhook` is plain JSON. */
  readonly kind: 'slack' | 'discord' | 'webhook';
  /** The https URL that messages are posted to. It is stored encrypted and never shown again. */
  readonly url: string;
  /** `dead_letters`: payments, schedule slots and executions that failed for good. `reviews`: payments that need approval, and payouts in review. `freezes`: failed integrity checks. `shortfalls`: accounts that will lack funds. `endpoints`: webhook endpoints that fail, endpoints and other channels that were disabled. Default: all. */
  readonly topics?: readonly ('dead_letters' | 'reviews' | 'freezes' | 'shortfalls' | 'alerts' | 'endpoints')[];
  /** Messages in a minute at most; all further events of the minute are counted in one summary. Default: 20. */
  readonly maxPerMinute?: number;
  /** Whether events of a test tenant are sent too. Default: false. */
  readonly sendTestEvents?: boolean;
  /** Whether it sends messages. Default: true. */
  readonly enabled?: boolean;
}

export interface NotificationChannelMade {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The job that sends its messages, by id. */
  readonly jobId: string;
  /** Unique among the channels and jobs of the tenant. */
  readonly name: string;
  /** The format of the messages; `webhook` is plain JSON. */
  readonly kind: 'slack' | 'discord' | 'webhook';
  /** The host of the URL. */
  readonly targetHost: string;
  /** `dead_letters`: payments, schedule slots and executions that failed for good. `reviews`: payments that need approval, and payouts in review. `freezes`: failed integrity checks. `shortfalls`: accounts that will lack funds. `endpoints`: webhook endpoints that fail, endpoints and other channels that were disabled. */
  readonly topics: readonly ('dead_letters' | 'reviews' | 'freezes' | 'shortfalls' | 'alerts' | 'endpoints')[];
  /** Messages in a minute at most; all further events of the minute are counted in one summary. */
  readonly maxPerMinute: number;
  /** Whether events of a test tenant are sent too. */
  readonly sendTestEvents: boolean;
  /** Whether it sends messages. */
  readonly enabled: boolean;
  /** `caller`: a request disabled it. `gone`: its URL exists no longer. `failing`: failures without a success span five days. Null: it is enabled. */
  readonly disabledReason: 'caller' | 'gone' | 'failing' | null;
  /** When a message was last delivered. RFC 3339, UTC; null if none was. */
  readonly lastSuccessAt: string | null;
  /** When the first failure after the last success happened. RFC 3339, UTC; null: it is not failing. */
  readonly failingSince: string | null;
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
  /** Signs the messages of a channel of the kind `webhook`, as the Standard Webhooks specification says. Only this response has it. Null for other kinds. */
  readonly secret: string | null;
}

export interface NotificationChannel {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** The job that sends its messages, by id. */
  readonly jobId: string;
  /** Unique among the channels and jobs of the tenant. */
  readonly name: string;
  /** The format of the messages; `webhook` is plain JSON. */
  readonly kind: 'slack' | 'discord' | 'webhook';
  /** The host of the URL. */
  readonly targetHost: string;
  /** `dead_letters`: payments, schedule slots and executions that failed for good. `reviews`: payments that need approval, and payouts in review. `freezes`: failed integrity checks. `shortfalls`: accounts that will lack funds. `endpoints`: webhook endpoints that fail, endpoints and other channels that were disabled. */
  readonly topics: readonly ('dead_letters' | 'reviews' | 'freezes' | 'shortfalls' | 'alerts' | 'endpoints')[];
  /** Messages in a minute at most; all further events of the minute are counted in one summary. */
  readonly maxPerMinute: number;
  /** Whether events of a test tenant are sent too. */
  readonly sendTestEvents: boolean;
  /** Whether it sends messages. */
  readonly enabled: boolean;
  /** `caller`: a request disabled it. `gone`: its URL exists no longer. `failing`: failures without a success span five days. Null: it is enabled. */
  readonly disabledReason: 'caller' | 'gone' | 'failing' | null;
  /** When a message was last delivered. RFC 3339, UTC; null if none was. */
  readonly lastSuccessAt: string | null;
  /** When the first failure after the last success happened. RFC 3339, UTC; null: it is not failing. */
  readonly failingSince: string | null;
  /** The caller that created it: `key_…`, `acct_…` of an end user, or a name given by the library. */
  readonly createdBy: string;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface NotificationChannelUpdateParams {
  /** Unique among the channels and jobs of the tenant. Default: unchanged. */
  readonly name?: string;
  /** The https URL that messages are posted to. It is stored encrypted and never shown again. Default: unchanged. */
  readonly url?: string;
  /** `dead_letters`: payments, schedule slots and executions that failed for good. `reviews`: payments that need approval, and payouts in review. `freezes`: failed integrity checks. `shortfalls`: accounts that will lack funds. `endpoints`: webhook endpoints that fail, endpoints and other channels that were disabled. Default: unchanged. */
  readonly topics?: readonly ('dead_letters' | 'reviews' | 'freezes' | 'shortfalls' | 'alerts' | 'endpoints')[];
  /** Messages in a minute at most; all further events of the minute are counted in one summary. Default: unchanged. */
  readonly maxPerMinute?: number;
  /** Whether events of a test tenant are sent too. Default: unchanged. */
  readonly sendTestEvents?: boolean;
  /** Whether it sends messages. Default: unchanged. */
  readonly enabled?: boolean;
}

export interface NotificationChannelTest {
  /** The channel that is tested. */
  readonly channel: NotificationChannel;
  /** The event that the test message is about, by id. */
  readonly eventId: string;
  /** The execution that sends the test message, by id. */
  readonly executionId: string;
}

export interface EmailSettings {
  /** The job that sends; null before the first change. */
  readonly jobId: string | null;
  /** Whether e-mail is sent. Off before the first change. */
  readonly enabled: boolean;
  /** `payment_received` and `allowance_received` go to payees, the others to payers. `payment_upcoming` is about payments that are due in an hour or later. Default: all. */
  readonly kinds: readonly (
    | 'payment_received'
    | 'payment_sent'
    | 'payment_upcoming'
    | 'payment_failed'
    | 'payment_cancelled'
    | 'payment_refunded'
    | 'allowance_received'
    | 'subscription_payment_failed'
  )[];
  /** The name beside the address of the sender. Null: the name of the tenant. */
  readonly fromName: string | null;
  /** The address that replies go to. Null: the sender. */
  readonly replyTo: string | null;
  /** BCP 47 tag for contacts without one. */
  readonly locale: string;
  /** IANA name of the time zone for contacts without one. */
  readonly zone: string;
  /** Whether events of a test tenant are sent too. */
  readonly sendTestEvents: boolean;
}

export interface EmailUpdateParams {
  /** Whether e-mail is sent. Off before the first change. Default: unchanged. */
  readonly enabled?: boolean;
  /** `payment_received` and `allowance_received` go to payees, the others to payers. `payment_upcoming` is about payments that are due in an hour or later. Default: all. */
  readonly kinds?: readonly (
    | 'payment_received'
    | 'payment_sent'
    | 'payment_upcoming'
    | 'payment_failed'
    | 'payment_cancelled'
    | 'payment_refunded'
    | 'allowance_received'
    | 'subscription_payment_failed'
  )[];
  /** The name beside the address of the sender. Null: the name of the tenant. Default: unchanged. */
  readonly fromName?: string | null;
  /** The address that replies go to. Null: the sender. Default: unchanged. */
  readonly replyTo?: string | null;
  /** BCP 47 tag for contacts without one. Default: unchanged. */
  readonly locale?: string;
  /** IANA name of the time zone for contacts without one. Default: unchanged. */
  readonly zone?: string;
  /** Whether events of a test tenant are sent too. Default: unchanged. */
  readonly sendTestEvents?: boolean;
}

export interface EmailTemplateSetParams {
  /** The kind whose texts are replaced. */
  readonly kind:
    | 'payment_received'
    | 'payment_sent'
    | 'payment_upcoming'
    | 'payment_failed'
    | 'payment_cancelled'
    | 'payment_refunded'
    | 'allowance_received'
    | 'subscription_payment_failed';
  /** Language of the recipients’ locale, such as `de`. Empty: every language without its own texts. Default: empty. */
  readonly language?: string;
  /** The subject, one line. */
  readonly subject: string;
  /** The plain text. */
  readonly text: string;
  /** The inside of the HTML body. Placeholders are escaped; elements that run or load something are refused. */
  readonly html: string;
}

export interface EmailTemplate {
  /** `<kind>`, or `<kind>.<language>`. */
  readonly id: string;
  /** The kind whose texts are replaced. */
  readonly kind:
    | 'payment_received'
    | 'payment_sent'
    | 'payment_upcoming'
    | 'payment_failed'
    | 'payment_cancelled'
    | 'payment_refunded'
    | 'allowance_received'
    | 'subscription_payment_failed';
  /** Language of the recipients’ locale, such as `de`. Empty: every language without its own texts. Default: empty. */
  readonly language: string;
  /** The subject, one line. */
  readonly subject: string;
  /** The plain text. */
  readonly text: string;
  /** The inside of the HTML body. Placeholders are escaped; elements that run or load something are refused. */
  readonly html: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface EmailTemplateSummary {
  /** `<kind>`, or `<kind>.<language>`. */
  readonly id: string;
  /** The kind whose texts are replaced. */
  readonly kind:
    | 'payment_received'
    | 'payment_sent'
    | 'payment_upcoming'
    | 'payment_failed'
    | 'payment_cancelled'
    | 'payment_refunded'
    | 'allowance_received'
    | 'subscription_payment_failed';
  /** Language of the recipients’ locale, such as `de`. Empty: every language without its own texts. Default: empty. */
  readonly language: string;
  /** The subject, one line. */
  readonly subject: string;
  /** When it last changed. RFC 3339, UTC. */
  readonly updatedAt: string;
}

export interface EmailOptOutCreateParams {
  /** An account: its id (`acct_…`) or your ref. */
  readonly account: string;
}

export interface EmailOptOut {
  /** The account, by id. */
  readonly account: string;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface SentEmail {
  /** The event that the e-mail is about, by id. */
  readonly eventId: string;
  /** The account, by id. */
  readonly account: string;
  /** Ref of the account `account`. An end user gets only their own ref, and null for other accounts. */
  readonly accountRef: string | null;
  /** The kind of e-mail. */
  readonly kind:
    | 'payment_received'
    | 'payment_sent'
    | 'payment_upcoming'
    | 'payment_failed'
    | 'payment_cancelled'
    | 'payment_refunded'
    | 'allowance_received'
    | 'subscription_payment_failed';
  /** `refused`: the mail server does not accept the recipient or the message. `limited`: the account or its address got a hundred e-mails in 24 hours, or the tenant sent as many as it may. */
  readonly outcome: 'sent' | 'refused' | 'unsubscribed' | 'limited';
  /** The code with which the mail server refused it. */
  readonly code: number | null;
  /** When it reached a final state. RFC 3339, UTC; null before. */
  readonly endedAt: string;
}

export interface TenantMade {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Unique in the database. */
  readonly name: string;
  /** `live`, or `test`: its time is a test clock. */
  readonly kind: 'live' | 'test';
  /** The asset of requests that name none; null if there is none. */
  readonly defaultAsset: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** Its first API key. The secret is shown once. */
  readonly key: ApiKeyMade;
}

export interface Tenant {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** Unique in the database. */
  readonly name: string;
  /** `live`, or `test`: its time is a test clock. */
  readonly kind: 'live' | 'test';
  /** The asset of requests that name none; null if there is none. */
  readonly defaultAsset: string | null;
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface AdvanceEvents {
  /** The number of events by the clock. Sign-ins, API keys, freezes and archiving follow real time and do not count. */
  readonly count: number;
  /** How many events of each type. */
  readonly byType: Readonly<Record<string, unknown>>;
  /** When the first one happened, by the test clock; null if there was none. RFC 3339, UTC. */
  readonly firstAt: string | null;
  /** When the last one happened, by the test clock. RFC 3339, UTC. */
  readonly lastAt: string | null;
  /** The `seq` before the first event: list events with `after` set to it. */
  readonly afterSeq: number;
  /** The `seq` of the last event. */
  readonly lastSeq: number;
}

export interface TestClock {
  /** TypeID: a prefix that names the kind, and 26 characters. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** The current time of the tenant. RFC 3339, UTC. */
  readonly now: string;
  /** `advancing`: other writes are refused. `failed`: it stopped at `now`, and can be advanced again. */
  readonly status: 'ready' | 'advancing' | 'failed';
  /** When it was created. RFC 3339, UTC. */
  readonly createdAt: string;
  /** When it was deleted, in real time; null before. RFC 3339, UTC. */
  readonly deletedAt: string | null;
  /** The current or the last advance. */
  readonly advance: {
    /** The start of the advance. RFC 3339, UTC. */
    readonly from: string;
    /** The target of the advance. RFC 3339, UTC. */
    readonly to: string;
    /** Transactions of the advance so far. */
    readonly steps: number;
    /** When the advance was requested. RFC 3339, UTC. */
    readonly requestedAt: string;
    /** When the advance ended. RFC 3339, UTC; null before. */
    readonly finishedAt: string | null;
    /** The error code if the advance failed; null otherwise. */
    readonly code: string | null;
    /** One sentence, or the code of an unexpected error. The log has the details. */
    readonly detail: string | null;
    /** Whether the advance was cancelled: `now` is the instant that it reached, `to` the requested one. */
    readonly cancelled: boolean;
    /** The events of the advance; null until it has ended and its events are ordered. */
    readonly events: AdvanceEvents | null;
  } | null;
}

/** RFC 9457. */
export interface Problem {
  /** The page that explains the code. */
  readonly type: string;
  /** The meaning of the code, in a few words. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** From the catalogue of codes. A later version can add codes. */
  readonly code: ProblemCode;
  /** One sentence: the problem, the resource and the action to take. */
  readonly detail: string;
  /** The cause; absent if the code has only one. A later version can add reasons. */
  readonly reason?: string;
  /** The values in `detail`, such as the available and the required amount; absent if it has none. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The field of the request to correct; absent if it is about no field. */
  readonly param?: string;
  /** The id of the request, as in the log and in the header `X-Request-Id` of the response. */
  readonly requestId: string;
  /** Whether the same request can succeed later without being changed. */
  readonly retryable: boolean;
  /** Every problem of the request; absent if it has one. One for each field or payment to correct; the first 50. */
  readonly errors?: readonly {
    /** Position of the payment in a bulk request, from 0; absent in other requests. */
    readonly index?: number;
    /** A code of the error catalogue. */
    readonly code: string;
    /** One sentence: the problem, the resource and the action to take. */
    readonly detail: string;
    /** The field of the request that caused the refusal; absent if it is about no field. */
    readonly param?: string;
  }[];
}

export interface AssetsClient {
  /** Create an asset */
  create(params: AssetCreateParams, options?: CallOptions): Promise<Asset>;
  /** Dry run: Create an asset */
  create(params: AssetCreateParams, options: DryRunCallOptions): Promise<DryRun<Asset>>;
  /** List assets */
  list(options?: CallOptions): Pages<Asset>;
}

export interface AccountsClient {
  /** Create an account */
  create(params: AccountCreateParams, options?: CallOptions): Promise<Account>;
  /** Dry run: Create an account */
  create(params: AccountCreateParams, options: DryRunCallOptions): Promise<DryRun<Account>>;
  /** List accounts */
  list(
    params?: {
      /** One or several; any of them matches. Default: all. */
      readonly status?: 'active' | 'suspended' | 'closed' | readonly ('active' | 'suspended' | 'closed')[];
      /** One or several; any of them matches. Default: all. */
      readonly kind?:
        | 'user'
        | 'merchant'
        | 'treasury'
        | 'system'
        | readonly ('user' | 'merchant' | 'treasury' | 'system')[];
      /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly createdFrom?: Date | string;
      /** Created before this instant. Default: any. RFC 3339, with a zone. */
      readonly createdBefore?: Date | string;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Account>;
  /** Get an account and its balances */
  get(id: string, options?: CallOptions): Promise<AccountWithBalances>;
  /** Update the name, contact or guardians of an account */
  update(id: string, params?: AccountUpdateParams, options?: CallOptions): Promise<Account>;
  /** Dry run: Update the name, contact or guardians of an account */
  update(id: string, params: AccountUpdateParams | undefined, options: DryRunCallOptions): Promise<DryRun<Account>>;
  /** Suspend an account */
  suspend(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Dry run: Suspend an account */
  suspend(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Account>>;
  /** Reactivate a suspended account */
  reactivate(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Dry run: Reactivate a suspended account */
  reactivate(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Account>>;
  /** Erase the personal fields of a closed account */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
      /** Whether to erase the ref too, because it identifies a person. Default false. */
      readonly ref?: boolean;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Dry run: Erase the personal fields of a closed account */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
      /** Whether to erase the ref too, because it identifies a person. Default false. */
      readonly ref?: boolean;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Account>>;
  /** Revoke the tokens of an end user */
  revokeTokens(id: string, options?: CallOptions): Promise<RevokedTokens>;
  /** Dry run: Revoke the tokens of an end user */
  revokeTokens(id: string, options: DryRunCallOptions): Promise<DryRun<RevokedTokens>>;
  /** Close an account */
  close(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Dry run: Close an account */
  close(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Account>>;
  /** Deposit money */
  deposit(id: string, params: MoneyParams, options?: CallOptions): Promise<Transfer>;
  /** Dry run: Deposit money */
  deposit(id: string, params: MoneyParams, options: DryRunCallOptions): Promise<DryRun<Transfer>>;
  /** Withdraw money */
  withdraw(id: string, params: MoneyParams, options?: CallOptions): Promise<Transfer>;
  /** Dry run: Withdraw money */
  withdraw(id: string, params: MoneyParams, options: DryRunCallOptions): Promise<DryRun<Transfer>>;
  /** List the transfers of an account */
  listTransfers(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Transfer>;
  /** List the reservations of an account */
  listReservations(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Reservation>;
  /** Get balances, now or at an instant */
  getBalances(
    id: string,
    params?: {
      /** The instant of the balances. Default: now. RFC 3339, with a zone. */
      readonly at?: Date | string;
    },
    options?: CallOptions,
  ): Promise<Balances>;
  /** Get a statement */
  getStatement(
    id: string,
    params: {
      /** Start of the period, included. RFC 3339, with a zone. */
      readonly from: Date | string;
      /** End of the period, excluded. RFC 3339, with a zone. */
      readonly to: Date | string;
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
    },
    options?: CallOptions,
  ): Promise<Statement>;
  /** Forecast an account’s balances and shortfalls */
  getForecast(
    id: string,
    params?: {
      /** How many days ahead. Default 30. */
      readonly days?: number;
    },
    options?: CallOptions,
  ): Promise<Forecast>;
  /** Upcoming payments of an account as a calendar */
  getUpcomingCalendar(
    id: string,
    params?: {
      /** How many days ahead. Default 30. */
      readonly days?: number;
    },
    options?: CallOptions,
  ): Promise<string>;
  /** Get a balance over time */
  getBalanceHistory(
    id: string,
    params?: {
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
      /** Start of the period. Default: 30 days before `until`. RFC 3339, with a zone. */
      readonly from?: Date | string;
      /** End of the period. Default: now. RFC 3339, with a zone. */
      readonly until?: Date | string;
      /** Default 60. */
      readonly points?: number;
    },
    options?: CallOptions,
  ): Promise<BalanceHistory>;
}

export interface HoldsClient {
  /** Create a hold */
  create(params: HoldCreateParams, options?: CallOptions): Promise<Hold>;
  /** Dry run: Create a hold */
  create(params: HoldCreateParams, options: DryRunCallOptions): Promise<DryRun<Hold>>;
  /** List holds */
  list(
    params?: {
      /** One or several; any of them matches. `PENDING`, `PROCESSING`, `COMPLETED`, `FAILED`, `CANCELLED`, `EXPIRED`: for compatibility. Default: all. */
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
        | 'EXPIRED'
        | readonly (
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
            | 'EXPIRED'
          )[];
      /** Payer or payee: id or ref. Default: all. */
      readonly account?: string;
      /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly executeFrom?: Date | string;
      /** Due before this instant. Default: any. RFC 3339, with a zone. */
      readonly executeBefore?: Date | string;
      /** Your own name for the payment, unique within the tenant. Default: all. */
      readonly reference?: string;
      /** `awaited`: payments that wait for approval. Default: all. */
      readonly approval?: 'awaited' | 'given';
      /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly createdFrom?: Date | string;
      /** Created before this instant. Default: any. RFC 3339, with a zone. */
      readonly createdBefore?: Date | string;
      /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
      readonly metadata?: Readonly<Record<string, string>>;
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Hold>;
  /** Get a hold */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    },
    options?: CallOptions,
  ): Promise<Hold>;
  /** List the events of a hold */
  listEvents(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<HoldEvent>;
  /** Cancel a hold */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Hold>;
  /** Dry run: Cancel a hold */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Hold>>;
  /** Capture a hold, whole or in part */
  capture(
    id: string,
    params?: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
      readonly amountDecimal?: string;
    },
    options?: CallOptions,
  ): Promise<Hold>;
  /** Dry run: Capture a hold, whole or in part */
  capture(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Hold>>;
  /** Extend a hold */
  extend(
    id: string,
    params: {
      /** The new instant at which the hold expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options?: CallOptions,
  ): Promise<Hold>;
  /** Dry run: Extend a hold */
  extend(
    id: string,
    params: {
      /** The new instant at which the hold expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Hold>>;
}

export interface PaymentsClient {
  /** Create a payment */
  create(params: PaymentCreateParams, options?: CallOptions): Promise<Payment>;
  /** Dry run: Create a payment */
  create(params: PaymentCreateParams, options: DryRunCallOptions): Promise<DryRun<Payment>>;
  /** List payments */
  list(
    params?: {
      /** One or several; any of them matches. Default: all. */
      readonly status?:
        | 'scheduled'
        | 'processing'
        | 'submitted'
        | 'review'
        | 'settled'
        | 'failed'
        | 'cancelled'
        | 'expired'
        | readonly (
            | 'scheduled'
            | 'processing'
            | 'submitted'
            | 'review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired'
          )[];
      /** Payer or payee: id or ref. Default: all. */
      readonly account?: string;
      /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly executeFrom?: Date | string;
      /** Due before this instant. Default: any. RFC 3339, with a zone. */
      readonly executeBefore?: Date | string;
      /** Your own name for the payment, unique within the tenant. Default: all. */
      readonly reference?: string;
      /** `awaited`: payments that wait for approval. Default: all. */
      readonly approval?: 'awaited' | 'given';
      /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly createdFrom?: Date | string;
      /** Created before this instant. Default: any. RFC 3339, with a zone. */
      readonly createdBefore?: Date | string;
      /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
      readonly metadata?: Readonly<Record<string, string>>;
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Payment>;
  /** Get a payment */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Update a scheduled payment */
  update(id: string, params?: PaymentUpdateParams, options?: CallOptions): Promise<Payment>;
  /** Dry run: Update a scheduled payment */
  update(id: string, params: PaymentUpdateParams | undefined, options: DryRunCallOptions): Promise<DryRun<Payment>>;
  /** List the timeline of a payment */
  listTimeline(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<TimelineEntry>;
  /** Cancel a scheduled payment */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Dry run: Cancel a scheduled payment */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Payment>>;
  /** Capture a payment, whole or in part */
  capture(
    id: string,
    params?: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
      readonly amountDecimal?: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Dry run: Capture a payment, whole or in part */
  capture(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Payment>>;
  /** Extend a payment */
  extend(
    id: string,
    params: {
      /** The new instant at which the payment expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Dry run: Extend a payment */
  extend(
    id: string,
    params: {
      /** The new instant at which the payment expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Payment>>;
  /** Refund a settled payment */
  refund(
    id: string,
    params?: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
      readonly amountDecimal?: string;
      /** An account: its id (`acct_…`) or your ref. Default: the payee; required if a part is refunded and there are several payees. */
      readonly from?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Refunded>;
  /** Dry run: Refund a settled payment */
  refund(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
          /** An account: its id (`acct_…`) or your ref. Default: the payee; required if a part is refunded and there are several payees. */
          readonly from?: string;
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Refunded>>;
  /** Retry a failed payment */
  retry(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Dry run: Retry a failed payment */
  retry(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Payment>>;
  /** Run a scheduled payment now */
  runNow(id: string, options?: CallOptions): Promise<Payment>;
  /** Dry run: Run a scheduled payment now */
  runNow(id: string, options: DryRunCallOptions): Promise<DryRun<Payment>>;
  /** Fail a scheduled payment */
  fail(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Dry run: Fail a scheduled payment */
  fail(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Payment>>;
  /** Explain why a payment has not been paid yet */
  why(id: string, options?: CallOptions): Promise<PaymentWhy>;
  /** Get the receipt of a payment */
  receipt(
    id: string,
    params?: {
      /** The seq of an anchor to lead to. Default: the end of the chain. */
      readonly anchor?: string;
    },
    options?: CallOptions,
  ): Promise<Receipt>;
  /** Approve a payment */
  approve(
    id: string,
    params: {
      /** The version of the terms that you approve: `termsVersion` of the payment as you saw it. */
      readonly termsVersion: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Dry run: Approve a payment */
  approve(
    id: string,
    params: {
      /** The version of the terms that you approve: `termsVersion` of the payment as you saw it. */
      readonly termsVersion: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Payment>>;
  /** Reject a payment that awaits approval */
  reject(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Payment>;
  /** Dry run: Reject a payment that awaits approval */
  reject(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Payment>>;
  /** Create up to 10,000 payments */
  createMany(params: PaymentCreateManyParams, options?: CallOptions): Promise<BulkAnswer>;
  /** Dry run: Create up to 10,000 payments */
  createMany(params: PaymentCreateManyParams, options: DryRunCallOptions): Promise<DryRun<BulkAnswer>>;
  /** Run scheduled payments now, by filter */
  runManyNow(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** Payer or payee: id or ref. Default: all. */
        readonly account?: string;
        /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly executeFrom?: Date | string;
        /** Due before this instant. Default: any. RFC 3339, with a zone. */
        readonly executeBefore?: Date | string;
        /** Your own name for the payment, unique within the tenant. Default: all. */
        readonly reference?: string;
        /** Only payments that have failed at least once. Default: false. */
        readonly retries?: boolean;
        /** Only charges of subscriptions. Default: false. */
        readonly charges?: boolean;
        /** Only the payer: id or ref. Default: all. */
        readonly from?: string;
        /** `hold` and `payment`: created by a caller, with funds reserved or not. `charge`: created by a subscription. `schedule`: created by another schedule. Default: all. */
        readonly kind?: 'hold' | 'charge' | 'allowance' | 'schedule' | 'payment';
        /** Only payments whose last attempt failed with this code, such as `FUNDS_INSUFFICIENT`. Default: all. */
        readonly code?: string;
      };
      /** How many payments match the filter in all. Default: none; give this or `limit`, except in a dry run. */
      readonly expect?: number;
      /** How many payments to run at most. Default: none; give this or `expect`, except in a dry run. */
      readonly limit?: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<RunNowAnswer>;
  /** Dry run: Run scheduled payments now, by filter */
  runManyNow(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** Payer or payee: id or ref. Default: all. */
        readonly account?: string;
        /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly executeFrom?: Date | string;
        /** Due before this instant. Default: any. RFC 3339, with a zone. */
        readonly executeBefore?: Date | string;
        /** Your own name for the payment, unique within the tenant. Default: all. */
        readonly reference?: string;
        /** Only payments that have failed at least once. Default: false. */
        readonly retries?: boolean;
        /** Only charges of subscriptions. Default: false. */
        readonly charges?: boolean;
        /** Only the payer: id or ref. Default: all. */
        readonly from?: string;
        /** `hold` and `payment`: created by a caller, with funds reserved or not. `charge`: created by a subscription. `schedule`: created by another schedule. Default: all. */
        readonly kind?: 'hold' | 'charge' | 'allowance' | 'schedule' | 'payment';
        /** Only payments whose last attempt failed with this code, such as `FUNDS_INSUFFICIENT`. Default: all. */
        readonly code?: string;
      };
      /** How many payments match the filter in all. Default: none; give this or `limit`, except in a dry run. */
      readonly expect?: number;
      /** How many payments to run at most. Default: none; give this or `expect`, except in a dry run. */
      readonly limit?: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<RunNowAnswer>>;
  /** Get the route of a payout */
  getRoute(id: string, options?: CallOptions): Promise<PayoutRoute>;
  /** List the attempts of a payout */
  listAttempts(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<PayoutAttempt>;
  /** Resolve a payout in review */
  resolve(id: string, params: PayoutResolveParams, options?: CallOptions): Promise<Payment>;
  /** Dry run: Resolve a payout in review */
  resolve(id: string, params: PayoutResolveParams, options: DryRunCallOptions): Promise<DryRun<Payment>>;
}

export interface SchedulesClient {
  /** Preview a rule */
  preview(params: SchedulePreviewParams, options?: CallOptions): Promise<SchedulePreview>;
  /** Create a schedule */
  create(params: ScheduleCreateParams, options?: CallOptions): Promise<Schedule>;
  /** Dry run: Create a schedule */
  create(params: ScheduleCreateParams, options: DryRunCallOptions): Promise<DryRun<Schedule>>;
  /** List schedules */
  list(
    params?: {
      /** One or several; any of them matches. Default: all. */
      readonly status?:
        | 'active'
        | 'paused'
        | 'completed'
        | 'cancelled'
        | 'expired'
        | readonly ('active' | 'paused' | 'completed' | 'cancelled' | 'expired')[];
      /** Payer or payee: id or ref. Default: all. */
      readonly account?: string;
      /** Your own name for the payment, unique within the tenant. Default: all. */
      readonly reference?: string;
      /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly createdFrom?: Date | string;
      /** Created before this instant. Default: any. RFC 3339, with a zone. */
      readonly createdBefore?: Date | string;
      /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
      readonly metadata?: Readonly<Record<string, string>>;
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Schedule>;
  /** Get a schedule */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    },
    options?: CallOptions,
  ): Promise<Schedule>;
  /** Update a schedule */
  update(id: string, params?: ScheduleUpdateParams, options?: CallOptions): Promise<Schedule>;
  /** Dry run: Update a schedule */
  update(id: string, params: ScheduleUpdateParams | undefined, options: DryRunCallOptions): Promise<DryRun<Schedule>>;
  /** Pause a schedule */
  pause(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Schedule>;
  /** Dry run: Pause a schedule */
  pause(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Schedule>>;
  /** Resume a paused schedule */
  resume(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Schedule>;
  /** Dry run: Resume a paused schedule */
  resume(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Schedule>>;
  /** Cancel a schedule */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
      /** Also cancels its last payment, if that is still waiting, so that its retries stop. Default: false. */
      readonly cancelPayment?: boolean;
    },
    options?: CallOptions,
  ): Promise<Schedule>;
  /** Dry run: Cancel a schedule */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
          /** Also cancels its last payment, if that is still waiting, so that its retries stop. Default: false. */
          readonly cancelPayment?: boolean;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Schedule>>;
  /** Trigger a run of a schedule */
  trigger(id: string, options?: CallOptions): Promise<Occurrence>;
  /** Dry run: Trigger a run of a schedule */
  trigger(id: string, options: DryRunCallOptions): Promise<DryRun<Occurrence>>;
  /** Backfill past runs of a schedule */
  backfill(
    id: string,
    params: {
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly start: string;
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly end: string;
    },
    options?: CallOptions,
  ): Promise<Page<Occurrence>>;
  /** Dry run: Backfill past runs of a schedule */
  backfill(
    id: string,
    params: {
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly start: string;
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly end: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Page<Occurrence>>>;
  /** List the upcoming runs of a schedule */
  listUpcoming(
    id: string,
    params?: {
      /** How many runs. Default 10. */
      readonly count?: number;
    },
    options?: CallOptions,
  ): Pages<UpcomingRun>;
  /** List the past runs of a schedule */
  listOccurrences(
    id: string,
    params?: {
      /** Only runs with this outcome. Default: any. */
      readonly status?: 'made' | 'skipped' | 'failed';
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Occurrence>;
}

export interface OutageGuardClient {
  /** Get the outage guard */
  get(options?: CallOptions): Promise<OutageGuard>;
  /** Set the outage guard */
  set(params?: OutageGuardParams, options?: CallOptions): Promise<OutageGuard>;
  /** Dry run: Set the outage guard */
  set(params: OutageGuardParams | undefined, options: DryRunCallOptions): Promise<DryRun<OutageGuard>>;
}

export interface OutagesClient {
  /** List outages */
  list(
    params?: {
      /** Only outages with this status. Default: any. */
      readonly status?: 'waiting' | 'released' | 'discarded';
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Outage>;
  /** Release the runs of an outage */
  release(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Outage>;
  /** Dry run: Release the runs of an outage */
  release(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Outage>>;
  /** Discard the runs of an outage */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Outage>;
  /** Dry run: Discard the runs of an outage */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Outage>>;
}

export interface PlansClient {
  /** Create a plan */
  create(params: PlanCreateParams, options?: CallOptions): Promise<Plan>;
  /** Dry run: Create a plan */
  create(params: PlanCreateParams, options: DryRunCallOptions): Promise<DryRun<Plan>>;
  /** List plans */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Plan>;
  /** Get a plan */
  get(id: string, options?: CallOptions): Promise<Plan>;
  /** Update a plan */
  update(id: string, params?: PlanUpdateParams, options?: CallOptions): Promise<Plan>;
  /** Dry run: Update a plan */
  update(id: string, params: PlanUpdateParams | undefined, options: DryRunCallOptions): Promise<DryRun<Plan>>;
}

export interface SubscriptionsClient {
  /** Create a subscription */
  create(params: SubscriptionCreateParams, options?: CallOptions): Promise<Subscription>;
  /** Dry run: Create a subscription */
  create(params: SubscriptionCreateParams, options: DryRunCallOptions): Promise<DryRun<Subscription>>;
  /** List subscriptions */
  list(
    params?: {
      /** One or several; any of them matches. Default: all. */
      readonly status?:
        | 'trialing'
        | 'active'
        | 'paused'
        | 'past_due'
        | 'cancelled'
        | 'expired'
        | readonly ('trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired')[];
      /** The plan, by id. Default: all. */
      readonly plan?: string;
      /** An account: its id (`acct_…`) or your ref. Default: all. */
      readonly payer?: string;
      /** Your own name for the payment, unique within the tenant. Default: all. */
      readonly reference?: string;
      /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly createdFrom?: Date | string;
      /** Created before this instant. Default: any. RFC 3339, with a zone. */
      readonly createdBefore?: Date | string;
      /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
      readonly metadata?: Readonly<Record<string, string>>;
      /** Fields whose account is shown next to its id: `payerAccount` next to `payer`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'payer' | 'receiver' | readonly ('payer' | 'receiver')[];
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Subscription>;
  /** Get a subscription */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `payerAccount` next to `payer`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'payer' | 'receiver' | readonly ('payer' | 'receiver')[];
    },
    options?: CallOptions,
  ): Promise<Subscription>;
  /** Update the priority, retry policy or metadata of a subscription */
  update(id: string, params?: SubscriptionUpdateParams, options?: CallOptions): Promise<Subscription>;
  /** Dry run: Update the priority, retry policy or metadata of a subscription */
  update(
    id: string,
    params: SubscriptionUpdateParams | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Subscription>>;
  /** Cancel a subscription */
  cancel(
    id: string,
    params?: {
      /** Default `now`. */
      readonly at?: 'now' | 'period_end';
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Subscription>;
  /** Dry run: Cancel a subscription */
  cancel(
    id: string,
    params:
      | {
          /** Default `now`. */
          readonly at?: 'now' | 'period_end';
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Subscription>>;
  /** Change the plan of a subscription */
  changePlan(id: string, params: PlanChange, options?: CallOptions): Promise<Subscription>;
  /** Dry run: Change the plan of a subscription */
  changePlan(id: string, params: PlanChange, options: DryRunCallOptions): Promise<DryRun<Subscription>>;
  /** Pause a subscription */
  pause(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Subscription>;
  /** Dry run: Pause a subscription */
  pause(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Subscription>>;
  /** Resume a subscription, or withdraw its cancellation */
  resume(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Subscription>;
  /** Dry run: Resume a subscription, or withdraw its cancellation */
  resume(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Subscription>>;
}

export interface AllowancesClient {
  /** Create an allowance */
  create(
    guardian: string,
    junior: string,
    params: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
      readonly amountDecimal?: string;
      /** At midnight: every day, or on the weekday or day of the month on which the allowance began. */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. */
      readonly status: 'ON' | 'OFF';
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
      /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      /** A preset, or fields of a policy that override the preset `allowance`. Only for API keys. Default, and for null: the values of the deployment. */
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | {
            /** Attempts in all, 1 to 100. Default: that of the preset. */
            readonly maxAttempts?: number;
            /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly initialDelay?: string | number;
            /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
            readonly multiplier?: number;
            /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly maxDelay?: string | number;
            /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
            readonly jitter?: number;
          };
    } & OneGiven<'amount' | 'amountDecimal'>,
    options?: CallOptions,
  ): Promise<Allowance>;
  /** Dry run: Create an allowance */
  create(
    guardian: string,
    junior: string,
    params: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
      readonly amountDecimal?: string;
      /** At midnight: every day, or on the weekday or day of the month on which the allowance began. */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. */
      readonly status: 'ON' | 'OFF';
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
      /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      /** A preset, or fields of a policy that override the preset `allowance`. Only for API keys. Default, and for null: the values of the deployment. */
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | {
            /** Attempts in all, 1 to 100. Default: that of the preset. */
            readonly maxAttempts?: number;
            /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly initialDelay?: string | number;
            /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
            readonly multiplier?: number;
            /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly maxDelay?: string | number;
            /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
            readonly jitter?: number;
          };
    } & OneGiven<'amount' | 'amountDecimal'>,
    options: DryRunCallOptions,
  ): Promise<DryRun<Allowance>>;
  /** Get an allowance */
  get(guardian: string, junior: string, options?: CallOptions): Promise<Allowance>;
  /** Update an allowance, or turn it on or off */
  update(
    guardian: string,
    junior: string,
    params?: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
      readonly amountDecimal?: string;
      /** At midnight: every day, or on the weekday or day of the month on which the allowance began. Default: unchanged. */
      readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. Default: unchanged. */
      readonly status?: 'ON' | 'OFF';
      /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      /** How a failed payment is retried. Default: unchanged. */
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | {
            /** Attempts in all, 1 to 100. Default: that of the preset. */
            readonly maxAttempts?: number;
            /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly initialDelay?: string | number;
            /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
            readonly multiplier?: number;
            /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly maxDelay?: string | number;
            /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
            readonly jitter?: number;
          }
        | null;
    },
    options?: CallOptions,
  ): Promise<Allowance>;
  /** Dry run: Update an allowance, or turn it on or off */
  update(
    guardian: string,
    junior: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
          readonly amountDecimal?: string;
          /** At midnight: every day, or on the weekday or day of the month on which the allowance began. Default: unchanged. */
          readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY';
          /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. Default: unchanged. */
          readonly status?: 'ON' | 'OFF';
          /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
          readonly zone?: string;
          /** How a failed payment is retried. Default: unchanged. */
          readonly retry?:
            | 'hold'
            | 'subscription'
            | 'allowance'
            | 'payout'
            | {
                /** Attempts in all, 1 to 100. Default: that of the preset. */
                readonly maxAttempts?: number;
                /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
                readonly initialDelay?: string | number;
                /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
                readonly multiplier?: number;
                /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
                readonly maxDelay?: string | number;
                /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
                readonly jitter?: number;
              }
            | null;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Allowance>>;
  /** Delete an allowance */
  delete(guardian: string, junior: string, options?: CallOptions): Promise<Allowance>;
  /** Dry run: Delete an allowance */
  delete(guardian: string, junior: string, options: DryRunCallOptions): Promise<DryRun<Allowance>>;
  /** List a guardian’s allowances */
  list(
    guardian: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Allowance>;
  /** List a guardian’s children */
  listJuniors(
    guardian: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Account>;
  /** List the allowances of a child */
  listForJunior(
    junior: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Allowance>;
  /** List the credits of an allowance */
  listCredits(
    guardian: string,
    junior: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<AllowanceCredit>;
}

export interface EventsClient {
  /** Append an event of your application */
  append(params: EventAppendParams, options?: CallOptions): Promise<AppendedEvent>;
  /** Dry run: Append an event of your application */
  append(params: EventAppendParams, options: DryRunCallOptions): Promise<DryRun<AppendedEvent>>;
  /** List events in order */
  list<E extends AnyEvent = Event>(
    params?: {
      /** An exact type, or a pattern: `payment.*`, `*.created`, `*`. Up to 20 of them, separated by commas. Default: all. */
      readonly type?: string;
      /** The kind of resource, such as `payment`. Default: all. */
      readonly resource?: string;
      /** The id of the resource. For a resource of your application give `resource` too. Default: all. */
      readonly resourceId?: string;
      /** The `cursor` or the `seq` of an event: only later events. A cursor is refused if the database has lost its event. Default: 0, the beginning. */
      readonly after?: string | number;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<E>;
  /** Append up to 1,000 events of your application */
  appendMany(params: EventAppendManyParams, options?: CallOptions): Promise<AppendedEvents>;
  /** Dry run: Append up to 1,000 events of your application */
  appendMany(params: EventAppendManyParams, options: DryRunCallOptions): Promise<DryRun<AppendedEvents>>;
  /** Follow events: past events in order, then each new one. */
  readonly follow: FollowEvents;
}

export interface JobsClient {
  /** Create a job */
  create(params: JobCreateParams, options?: CallOptions): Promise<Job>;
  /** Dry run: Create a job */
  create(params: JobCreateParams, options: DryRunCallOptions): Promise<DryRun<Job>>;
  /** List jobs */
  list(
    params?: {
      /** Only enabled jobs, or only disabled ones. Default: all. */
      readonly enabled?: boolean;
      /** Only jobs that run this processor. Default: all. */
      readonly processorName?: string;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Job>;
  /** Get a job */
  get(id: string, options?: CallOptions): Promise<Job>;
  /** Update, enable or disable a job */
  update(id: string, params?: JobUpdateParams, options?: CallOptions): Promise<Job>;
  /** Dry run: Update, enable or disable a job */
  update(id: string, params: JobUpdateParams | undefined, options: DryRunCallOptions): Promise<DryRun<Job>>;
  /** Delete a job */
  delete(id: string, options?: CallOptions): Promise<Job>;
  /** Dry run: Delete a job */
  delete(id: string, options: DryRunCallOptions): Promise<DryRun<Job>>;
}

export interface ExecutionsClient {
  /** List executions */
  list(
    params?: {
      /** Only executions of this job, also after it was deleted. Default: all. */
      readonly jobId?: string;
      /** Only executions with this status. Default: all. */
      readonly status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
      /** Only executions for this event. Default: all. */
      readonly eventId?: string;
      /** Only executions for events about this resource, such as a payment: its newest 100 events, fewer for a tenant with more than 200 jobs and webhook endpoints, deleted ones included. Default: all. */
      readonly resourceId?: string;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Execution>;
  /** Get an execution */
  get(id: string, options?: CallOptions): Promise<Execution>;
  /** List the attempts of an execution */
  listInvocations(id: string, options?: CallOptions): Pages<Invocation>;
  /** Retry a failed execution */
  retry(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Execution>;
  /** Dry run: Retry a failed execution */
  retry(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Execution>>;
  /** Cancel an execution */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<Execution>;
  /** Dry run: Cancel an execution */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<Execution>>;
}

export interface ProcessorsClient {
  /** List processors */
  list(options?: CallOptions): Pages<Processor>;
}

export interface WebhookEndpointsClient {
  /** Create a webhook endpoint */
  create(params: WebhookEndpointCreateParams, options?: CallOptions): Promise<WebhookEndpointMade>;
  /** Dry run: Create a webhook endpoint */
  create(params: WebhookEndpointCreateParams, options: DryRunCallOptions): Promise<DryRun<WebhookEndpointMade>>;
  /** List webhook endpoints */
  list(
    params?: {
      /** Only enabled endpoints, or only disabled ones. Default: all. */
      readonly enabled?: boolean;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<WebhookEndpoint>;
  /** Get a webhook endpoint */
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Update, enable or disable a webhook endpoint */
  update(id: string, params?: WebhookEndpointUpdateParams, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Dry run: Update, enable or disable a webhook endpoint */
  update(
    id: string,
    params: WebhookEndpointUpdateParams | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<WebhookEndpoint>>;
  /** Delete a webhook endpoint */
  delete(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Dry run: Delete a webhook endpoint */
  delete(id: string, options: DryRunCallOptions): Promise<DryRun<WebhookEndpoint>>;
  /** Rotate the secret of a webhook endpoint */
  rotateSecret(
    id: string,
    params?: {
      /** A secret that you bring: `whsec_` and the base64 of 24 to 64 random bytes. Default: a new one. */
      readonly secret?: string;
      /** How long deliveries are signed with both secrets: seconds, `48h`, or an ISO 8601 duration. Default: a day. */
      readonly grace?: string | number;
    },
    options?: CallOptions,
  ): Promise<WebhookEndpointMade>;
  /** Dry run: Rotate the secret of a webhook endpoint */
  rotateSecret(
    id: string,
    params:
      | {
          /** A secret that you bring: `whsec_` and the base64 of 24 to 64 random bytes. Default: a new one. */
          readonly secret?: string;
          /** How long deliveries are signed with both secrets: seconds, `48h`, or an ISO 8601 duration. Default: a day. */
          readonly grace?: string | number;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<WebhookEndpointMade>>;
  /** Send a test event to a webhook endpoint */
  test(id: string, options?: CallOptions): Promise<WebhookEndpointTest>;
  /** Dry run: Send a test event to a webhook endpoint */
  test(id: string, options: DryRunCallOptions): Promise<DryRun<WebhookEndpointTest>>;
  /** Send what a webhook endpoint missed */
  recover(
    id: string,
    params: {
      /** The first instant whose events are sent, in real time; not in the future. Earlier than the endpoint: since it was created. RFC 3339, with a zone. */
      readonly since: Date | string;
      /** `nextCursor` of the response before. Default: the first page. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<WebhookEndpointRecovery>;
  /** Dry run: Send what a webhook endpoint missed */
  recover(
    id: string,
    params: {
      /** The first instant whose events are sent, in real time; not in the future. Earlier than the endpoint: since it was created. RFC 3339, with a zone. */
      readonly since: Date | string;
      /** `nextCursor` of the response before. Default: the first page. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<WebhookEndpointRecovery>>;
  /** List the deliveries of a webhook endpoint */
  listDeliveries(
    id: string,
    params?: {
      /** Only deliveries with this status. Default: all. */
      readonly status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Delivery>;
}

export interface DeliveriesClient {
  /** List deliveries */
  list(
    params?: {
      /** Only deliveries to this endpoint, also after it was deleted. Default: all. */
      readonly endpointId?: string;
      /** Only deliveries with this status. Default: all. */
      readonly status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
      /** Only deliveries of this event. Default: all. */
      readonly eventId?: string;
      /** Only deliveries of events about this resource, such as a payment: its newest 100 events, fewer for a tenant with more than 200 webhook endpoints, deleted ones included. Default: all. */
      readonly resourceId?: string;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Delivery>;
  /** Get a delivery with its attempts */
  get(id: string, options?: CallOptions): Promise<DeliveryWithAttempts>;
  /** Send a delivery again */
  redeliver(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<DeliveryWithAttempts>;
  /** Dry run: Send a delivery again */
  redeliver(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<DeliveryWithAttempts>>;
}

export interface AuditEventsClient {
  /** List audit events */
  list(
    params?: {
      /** The caller: `key_…` of an API key, `acct_…` of an end user, `sch_…` of a schedule, `cli:…` of a command, `system`, or a name given by the library. Default: all. */
      readonly actor?: string;
      /** Only what this end user did with their token: id or ref of their account. Not together with `actor`. Default: all. */
      readonly user?: string;
      /** The type of the event in capitals, such as `PAYMENT_CANCELLED`; `payment.settled` is `PAYMENT_COMPLETED`. Default: all. */
      readonly action?: string;
      /** The kind of resource, such as `payment`. Default: all. */
      readonly resource?: string;
      /** The id of the resource. For a resource of your application give `resource` too. Default: all. */
      readonly resourceId?: string;
      /** The id of the request, as in the log and in the header `X-Request-Id` of the response. Default: all. */
      readonly requestId?: string;
      /** Recorded at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly from?: Date | string;
      /** Recorded before this instant. Default: any. RFC 3339, with a zone. */
      readonly before?: Date | string;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<AuditEvent>;
  /** Erase the data of an audit event */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<ErasedEvent>;
  /** Dry run: Erase the data of an audit event */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<ErasedEvent>>;
  /** Get the end of the hash chain */
  getChain(options?: CallOptions): Promise<AuditChain>;
}

export interface PausesClient {
  /** Pause outgoing payments */
  create(
    params: {
      /** The scope of the pause: the tenant, an asset or a rail. */
      readonly scope: 'tenant' | 'asset' | 'rail';
      /** The asset or rail. Default: the whole tenant. */
      readonly value?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<Pause>;
  /** Dry run: Pause outgoing payments */
  create(
    params: {
      /** The scope of the pause: the tenant, an asset or a rail. */
      readonly scope: 'tenant' | 'asset' | 'rail';
      /** The asset or rail. Default: the whole tenant. */
      readonly value?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<Pause>>;
  /** List pauses */
  list(options?: CallOptions): Pages<Pause>;
  /** Lift a pause */
  lift(id: string, options?: CallOptions): Promise<Pause>;
  /** Dry run: Lift a pause */
  lift(id: string, options: DryRunCallOptions): Promise<DryRun<Pause>>;
}

export interface ExecutionCapClient {
  /** Get the execution cap */
  get(options?: CallOptions): Promise<ExecutionCap>;
  /** Set the execution cap */
  set(
    params: {
      /** Executions per second at most; null removes the cap. */
      readonly perSecond: number | null;
    },
    options?: CallOptions,
  ): Promise<ExecutionCap>;
  /** Dry run: Set the execution cap */
  set(
    params: {
      /** Executions per second at most; null removes the cap. */
      readonly perSecond: number | null;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<ExecutionCap>>;
}

export interface QuotesClient {
  /** Create a quote */
  create(params: QuoteCreateParams, options?: CallOptions): Promise<Quote>;
  /** Dry run: Create a quote */
  create(params: QuoteCreateParams, options: DryRunCallOptions): Promise<DryRun<Quote>>;
  /** List quotes */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Quote>;
  /** Get a quote */
  get(id: string, options?: CallOptions): Promise<Quote>;
  /** Accept a quote */
  accept(id: string, params: QuoteAcceptParams, options?: CallOptions): Promise<Payment>;
  /** Dry run: Accept a quote */
  accept(id: string, params: QuoteAcceptParams, options: DryRunCallOptions): Promise<DryRun<Payment>>;
}

export interface PaymentIntentsClient {
  /** Create a payout */
  create(params: PaymentIntentCreateParams, options?: CallOptions): Promise<PaymentIntent>;
  /** Dry run: Create a payout */
  create(params: PaymentIntentCreateParams, options: DryRunCallOptions): Promise<DryRun<PaymentIntent>>;
  /** List payouts */
  list(
    params?: {
      /** One or several; any of them matches. Default: all. */
      readonly status?:
        | 'route_selected'
        | 'broadcasting'
        | 'broadcasted'
        | 'manual_review'
        | 'settled'
        | 'failed'
        | 'cancelled'
        | 'expired'
        | readonly (
            | 'route_selected'
            | 'broadcasting'
            | 'broadcasted'
            | 'manual_review'
            | 'settled'
            | 'failed'
            | 'cancelled'
            | 'expired'
          )[];
      /** Your own name for the payment, unique within the tenant. Default: none. */
      readonly reference?: string;
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | readonly 'from'[];
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<PaymentIntent>;
  /** Get a payout */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | readonly 'from'[];
    },
    options?: CallOptions,
  ): Promise<PaymentIntent>;
  /** Get the route of a payout */
  getRoute(id: string, options?: CallOptions): Promise<PayoutRoute>;
  /** Cancel a payout that has not begun */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<PaymentIntent>;
  /** Dry run: Cancel a payout that has not begun */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<PaymentIntent>>;
}

export interface TreasuryWalletsClient {
  /** List treasury wallets */
  list(options?: CallOptions): Pages<TreasuryWallet>;
  /** Unfreeze a treasury wallet */
  unfreeze(chain: string, params: TreasuryWalletUnfreezeParams, options?: CallOptions): Promise<TreasuryWallet>;
  /** Dry run: Unfreeze a treasury wallet */
  unfreeze(
    chain: string,
    params: TreasuryWalletUnfreezeParams,
    options: DryRunCallOptions,
  ): Promise<DryRun<TreasuryWallet>>;
  /** Set the floor of a treasury wallet */
  setFloor(chain: string, params: TreasuryWalletFloorParams, options?: CallOptions): Promise<TreasuryWallet>;
  /** Dry run: Set the floor of a treasury wallet */
  setFloor(
    chain: string,
    params: TreasuryWalletFloorParams,
    options: DryRunCallOptions,
  ): Promise<DryRun<TreasuryWallet>>;
}

export interface AlertsClient {
  /** List alerts */
  list(
    params?: {
      /** Only alerts with this status. Default: any. */
      readonly status?: 'open' | 'cleared';
      /** Only alerts of this kind. Default: any. */
      readonly kind?:
        | 'payout_success'
        | 'settlement_time'
        | 'treasury_floor'
        | 'chain_health'
        | 'webhook_delivery'
        | 'manual_review';
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<Alert>;
}

export interface PayoutPolicyClient {
  /** Get the policy about addresses of payouts */
  get(options?: CallOptions): Promise<PayoutPolicy>;
  /** Set the policy about addresses of payouts */
  set(params?: PayoutPolicyParams, options?: CallOptions): Promise<PayoutPolicy>;
  /** Dry run: Set the policy about addresses of payouts */
  set(params: PayoutPolicyParams | undefined, options: DryRunCallOptions): Promise<DryRun<PayoutPolicy>>;
}

export interface PayoutDestinationsClient {
  /** Add an address for payouts */
  create(params: PayoutDestinationCreateParams, options?: CallOptions): Promise<PayoutDestination>;
  /** Dry run: Add an address for payouts */
  create(params: PayoutDestinationCreateParams, options: DryRunCallOptions): Promise<DryRun<PayoutDestination>>;
  /** List the addresses for payouts */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<PayoutDestination>;
  /** Get an address for payouts */
  get(id: string, options?: CallOptions): Promise<PayoutDestination>;
  /** Approve an address for payouts */
  approve(id: string, options?: CallOptions): Promise<PayoutDestination>;
  /** Dry run: Approve an address for payouts */
  approve(id: string, options: DryRunCallOptions): Promise<DryRun<PayoutDestination>>;
  /** Remove an address for payouts */
  remove(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<PayoutDestination>;
  /** Dry run: Remove an address for payouts */
  remove(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<PayoutDestination>>;
}

export interface PayoutCapsClient {
  /** Set caps of payouts */
  set(params: PayoutCapParams, options?: CallOptions): Promise<Page<PayoutCap>>;
  /** Dry run: Set caps of payouts */
  set(params: PayoutCapParams, options: DryRunCallOptions): Promise<DryRun<Page<PayoutCap>>>;
  /** List caps of payouts */
  list(options?: CallOptions): Pages<PayoutCap>;
}

export interface ChainsClient {
  /** List chains */
  list(options?: CallOptions): Pages<Chain>;
  /** List health snapshots of a chain */
  listHistory(
    name: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<ChainHealthSnapshot>;
}

export interface CronRunsClient {
  /** List runs of loops and one-shot commands */
  list(
    params?: {
      /** The loop or command. Default: all. */
      readonly jobName?:
        | 'scheduler'
        | 'sequencer'
        | 'matcher'
        | 'jobs'
        | 'webhooks'
        | 'notifications'
        | 'emails'
        | 'rescuer'
        | 'seal-check'
        | 'anchors'
        | 'integrity'
        | 'clocks'
        | 'forecast'
        | 'partitions'
        | 'retention'
        | 'encrypt'
        | 'health'
        | 'treasury'
        | 'alerts'
        | 'metrics'
        | 'processor'
        | 'payouts'
        | 'confirmations'
        | 'key-usage'
        | 'sign-ins';
      /** Only runs with this status. Default: any. */
      readonly status?: 'RUNNING' | 'SUCCESS' | 'FAILED';
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<CronRun>;
}

export interface OverviewClient {
  /** Get an overview of the tenant */
  get(options?: CallOptions): Promise<Overview>;
  /** Get the charts of the tenant */
  getSeries(
    params?: {
      /** Default: `day`. */
      readonly period?: 'hour' | 'day' | 'week';
    },
    options?: CallOptions,
  ): Promise<Series>;
  /** Get what is due next */
  getUpcoming(
    params?: {
      /** Default 24. */
      readonly hours?: number;
    },
    options?: CallOptions,
  ): Promise<Upcoming>;
}

export interface SearchClient {
  /** Search */
  get(
    params: {
      /** An id, a reference or a ref. */
      readonly q: string;
    },
    options?: CallOptions,
  ): Pages<SearchHit>;
}

export interface SettingsClient {
  /** Get the settings of the tenant */
  get(options?: CallOptions): Promise<Settings>;
}

export interface DeadLettersClient {
  /** List dead letters */
  list(
    params?: {
      /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
      readonly kind?: 'payment' | 'occurrence' | 'execution';
      /** A code of the error catalogue, or the `code` of an execution. Default: all. */
      readonly code?: string;
      /** Code and scale (`USD/2`), or only the code. Default: all. */
      readonly asset?: string;
      /** Only executions of this job. Default: any. */
      readonly job?: string;
      /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
      readonly failedFrom?: Date | string;
      /** Failed before this instant. Default: any. RFC 3339, with a zone. */
      readonly failedBefore?: Date | string;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<DeadLetter>;
  /** List dead letters by cause */
  listGroups(options?: CallOptions): Pages<DeadLetterGroup>;
  /** Discard dead letters by filter */
  discardMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<DeadLettersDiscarded>;
  /** Dry run: Discard dead letters by filter */
  discardMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<DeadLettersDiscarded>>;
  /** Get a dead letter */
  get(id: string, options?: CallOptions): Promise<DeadLetter>;
  /** Retry a dead letter */
  retry(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<DeadLetterDone>;
  /** Dry run: Retry a dead letter */
  retry(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<DeadLetterDone>>;
  /** Discard a dead letter */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: CallOptions,
  ): Promise<DeadLetterDone>;
  /** Dry run: Discard a dead letter */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<DeadLetterDone>>;
  /** Retry dead letters by filter */
  retryMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: CallOptions,
  ): Promise<DeadLettersRetried>;
  /** Dry run: Retry dead letters by filter */
  retryMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<DeadLettersRetried>>;
}

export interface LimitsClient {
  /** Set limits of the tenant or an account */
  set(params: LimitParams, options?: CallOptions): Promise<Page<Limit>>;
  /** Dry run: Set limits of the tenant or an account */
  set(params: LimitParams, options: DryRunCallOptions): Promise<DryRun<Page<Limit>>>;
  /** List limits */
  list(options?: CallOptions): Pages<Limit>;
}

export interface ApiKeysClient {
  /** Create an API key */
  create(
    params: {
      /** Says what the key is for; 1 to 100 characters. */
      readonly name: string;
      /** A bundle of scopes. Default: none. */
      readonly role?: 'viewer' | 'operator' | 'admin';
      /** Scopes in addition to those of the role. Default: none. */
      readonly scopes?: readonly (
        | 'ledger:read'
        | 'ledger:write'
        | 'ledger:money'
        | 'payments:read'
        | 'payments:write'
        | 'events:read'
        | 'events:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'notifications:read'
        | 'notifications:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'ops:read'
        | 'ops:write'
        | 'keys:read'
        | 'keys:write'
        | 'tenants:read'
        | 'tenants:write'
        | 'admin'
      )[];
      /** When the key stops working. Default: never. RFC 3339, with a zone. */
      readonly expiresAt?: Date | string;
      /** The person that will hold the key. Two keys of one person cannot approve each other’s payments. Names are compared without regard to case, spacing and Unicode forms (NFKC). Default: none. */
      readonly person?: string;
    },
    options?: CallOptions,
  ): Promise<ApiKeyMade>;
  /** Dry run: Create an API key */
  create(
    params: {
      /** Says what the key is for; 1 to 100 characters. */
      readonly name: string;
      /** A bundle of scopes. Default: none. */
      readonly role?: 'viewer' | 'operator' | 'admin';
      /** Scopes in addition to those of the role. Default: none. */
      readonly scopes?: readonly (
        | 'ledger:read'
        | 'ledger:write'
        | 'ledger:money'
        | 'payments:read'
        | 'payments:write'
        | 'events:read'
        | 'events:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'notifications:read'
        | 'notifications:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'ops:read'
        | 'ops:write'
        | 'keys:read'
        | 'keys:write'
        | 'tenants:read'
        | 'tenants:write'
        | 'admin'
      )[];
      /** When the key stops working. Default: never. RFC 3339, with a zone. */
      readonly expiresAt?: Date | string;
      /** The person that will hold the key. Two keys of one person cannot approve each other’s payments. Names are compared without regard to case, spacing and Unicode forms (NFKC). Default: none. */
      readonly person?: string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<ApiKeyMade>>;
  /** List API keys */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<ApiKey>;
  /** Revoke an API key */
  revoke(id: string, options?: CallOptions): Promise<ApiKey>;
  /** Dry run: Revoke an API key */
  revoke(id: string, options: DryRunCallOptions): Promise<DryRun<ApiKey>>;
  /** Rotate an API key */
  rotate(
    id: string,
    params?: {
      /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: a day. */
      readonly overlap?: string | number;
    },
    options?: CallOptions,
  ): Promise<ApiKeyMade>;
  /** Dry run: Rotate an API key */
  rotate(
    id: string,
    params:
      | {
          /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: a day. */
          readonly overlap?: string | number;
        }
      | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<ApiKeyMade>>;
}

export interface TokenIssuersClient {
  /** Create a token issuer */
  create(params: TokenIssuerCreateParams, options?: CallOptions): Promise<TokenIssuer>;
  /** Dry run: Create a token issuer */
  create(params: TokenIssuerCreateParams, options: DryRunCallOptions): Promise<DryRun<TokenIssuer>>;
  /** List token issuers */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<TokenIssuer>;
  /** Replace the keys of a token issuer */
  update(id: string, params?: TokenIssuerUpdateParams, options?: CallOptions): Promise<TokenIssuer>;
  /** Dry run: Replace the keys of a token issuer */
  update(
    id: string,
    params: TokenIssuerUpdateParams | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<TokenIssuer>>;
  /** Delete a token issuer */
  delete(id: string, options?: CallOptions): Promise<TokenIssuer>;
  /** Dry run: Delete a token issuer */
  delete(id: string, options: DryRunCallOptions): Promise<DryRun<TokenIssuer>>;
}

export interface NotificationChannelsClient {
  /** Create a notification channel */
  create(params: NotificationChannelCreateParams, options?: CallOptions): Promise<NotificationChannelMade>;
  /** Dry run: Create a notification channel */
  create(params: NotificationChannelCreateParams, options: DryRunCallOptions): Promise<DryRun<NotificationChannelMade>>;
  /** List notification channels */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<NotificationChannel>;
  /** Get a notification channel */
  get(id: string, options?: CallOptions): Promise<NotificationChannel>;
  /** Update, enable or disable a notification channel */
  update(id: string, params?: NotificationChannelUpdateParams, options?: CallOptions): Promise<NotificationChannel>;
  /** Dry run: Update, enable or disable a notification channel */
  update(
    id: string,
    params: NotificationChannelUpdateParams | undefined,
    options: DryRunCallOptions,
  ): Promise<DryRun<NotificationChannel>>;
  /** Delete a notification channel */
  delete(id: string, options?: CallOptions): Promise<NotificationChannel>;
  /** Dry run: Delete a notification channel */
  delete(id: string, options: DryRunCallOptions): Promise<DryRun<NotificationChannel>>;
  /** Replace the secret of a notification channel */
  rotateSecret(id: string, options?: CallOptions): Promise<NotificationChannelMade>;
  /** Dry run: Replace the secret of a notification channel */
  rotateSecret(id: string, options: DryRunCallOptions): Promise<DryRun<NotificationChannelMade>>;
  /** Send a test message to a notification channel */
  test(id: string, options?: CallOptions): Promise<NotificationChannelTest>;
  /** Dry run: Send a test message to a notification channel */
  test(id: string, options: DryRunCallOptions): Promise<DryRun<NotificationChannelTest>>;
}

export interface EmailClient {
  /** Get the e-mail settings */
  get(options?: CallOptions): Promise<EmailSettings>;
  /** Update the e-mail settings */
  update(params?: EmailUpdateParams, options?: CallOptions): Promise<EmailSettings>;
  /** Dry run: Update the e-mail settings */
  update(params: EmailUpdateParams | undefined, options: DryRunCallOptions): Promise<DryRun<EmailSettings>>;
}

export interface EmailTemplatesClient {
  /** Replace the texts of a kind of e-mail */
  set(params: EmailTemplateSetParams, options?: CallOptions): Promise<EmailTemplate>;
  /** Dry run: Replace the texts of a kind of e-mail */
  set(params: EmailTemplateSetParams, options: DryRunCallOptions): Promise<DryRun<EmailTemplate>>;
  /** List your own texts of e-mails */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<EmailTemplateSummary>;
  /** Get your own texts of a kind of e-mail */
  get(id: string, options?: CallOptions): Promise<EmailTemplate>;
  /** Give up your own texts of a kind of e-mail */
  delete(id: string, options?: CallOptions): Promise<EmailTemplate>;
  /** Dry run: Give up your own texts of a kind of e-mail */
  delete(id: string, options: DryRunCallOptions): Promise<DryRun<EmailTemplate>>;
}

export interface EmailOptOutsClient {
  /** Stop e-mail to an account */
  create(params: EmailOptOutCreateParams, options?: CallOptions): Promise<EmailOptOut>;
  /** Dry run: Stop e-mail to an account */
  create(params: EmailOptOutCreateParams, options: DryRunCallOptions): Promise<DryRun<EmailOptOut>>;
  /** List accounts that opted out of e-mail */
  list(
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<EmailOptOut>;
  /** Send e-mail to an account again */
  delete(id: string, options?: CallOptions): Promise<EmailOptOut>;
  /** Dry run: Send e-mail to an account again */
  delete(id: string, options: DryRunCallOptions): Promise<DryRun<EmailOptOut>>;
}

export interface EmailsClient {
  /** List the e-mails to an account */
  list(
    params: {
      /** An account: its id (`acct_…`) or your ref. */
      readonly account: string;
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Pages<SentEmail>;
}

export interface TenantsClient {
  /** Create a tenant */
  create(
    params: {
      /** Unique in the database: 1 to 100 of a–z, 0–9, dot, dash and underscore; begins with a letter or digit. */
      readonly name: string;
      /** `live`, or `test`: its time is a test clock. Default `live`. */
      readonly kind?: 'live' | 'test';
    },
    options?: CallOptions,
  ): Promise<TenantMade>;
  /** Dry run: Create a tenant */
  create(
    params: {
      /** Unique in the database: 1 to 100 of a–z, 0–9, dot, dash and underscore; begins with a letter or digit. */
      readonly name: string;
      /** `live`, or `test`: its time is a test clock. Default `live`. */
      readonly kind?: 'live' | 'test';
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<TenantMade>>;
  /** List tenants */
  list(options?: CallOptions): Pages<Tenant>;
}

export interface TestClocksClient {
  /** Create a test clock */
  create(
    params: {
      /** A name for people; 1 to 100 characters. */
      readonly name: string;
      /** The time at which the clock starts. RFC 3339, with a zone. */
      readonly now: Date | string;
    },
    options?: CallOptions,
  ): Promise<TestClock>;
  /** Dry run: Create a test clock */
  create(
    params: {
      /** A name for people; 1 to 100 characters. */
      readonly name: string;
      /** The time at which the clock starts. RFC 3339, with a zone. */
      readonly now: Date | string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<TestClock>>;
  /** List test clocks */
  list(options?: CallOptions): Pages<TestClock>;
  /** Get a test clock */
  get(id: string, options?: CallOptions): Promise<TestClock>;
  /** Delete a test clock */
  delete(id: string, options?: CallOptions): Promise<TestClock>;
  /** Dry run: Delete a test clock */
  delete(id: string, options: DryRunCallOptions): Promise<DryRun<TestClock>>;
  /** Advance a test clock in the background */
  advance(
    id: string,
    params: {
      /** The instant to advance to: `now` of the clock, or later. RFC 3339, with a zone. */
      readonly to: Date | string;
    },
    options?: CallOptions,
  ): Promise<TestClock>;
  /** Dry run: Advance a test clock in the background */
  advance(
    id: string,
    params: {
      /** The instant to advance to: `now` of the clock, or later. RFC 3339, with a zone. */
      readonly to: Date | string;
    },
    options: DryRunCallOptions,
  ): Promise<DryRun<TestClock>>;
  /** Cancel an advance */
  cancelAdvance(id: string, options?: CallOptions): Promise<TestClock>;
  /** Dry run: Cancel an advance */
  cancelAdvance(id: string, options: DryRunCallOptions): Promise<DryRun<TestClock>>;
}

/** A client: every resource of the HTTP API. */
export interface Client {
  /** Units of money: a code and a scale. */
  readonly assets: AssetsClient;
  /** Holders of balances, with deposits, withdrawals, statements and forecasts. */
  readonly accounts: AccountsClient;
  /** Payments that reserve funds now and pay later. */
  readonly holds: HoldsClient;
  /** Payments at an instant: reserved or funded when due, to one or several payees. */
  readonly payments: PaymentsClient;
  /** Recurring payments: a rule in a time zone, its upcoming and past runs. */
  readonly schedules: SchedulesClient;
  /** The backlog above which runs are held. */
  readonly outageGuard: OutageGuardClient;
  /** Runs that were held after an outage until an operator decides. */
  readonly outages: OutagesClient;
  /** Terms of subscriptions: price, period, trial. */
  readonly plans: PlansClient;
  /** Accounts that are charged by a plan. */
  readonly subscriptions: SubscriptionsClient;
  /** Daily, weekly or monthly payments from a guardian to a child. */
  readonly allowances: AllowancesClient;
  /** Every change, and the events of your application, in order. */
  readonly events: EventsClient;
  /** Code that runs on events: a pattern, a processor and a retry policy. */
  readonly jobs: JobsClient;
  /** Events that jobs handle, with every attempt. */
  readonly executions: ExecutionsClient;
  /** Code that workers can run, by name. */
  readonly processors: ProcessorsClient;
  /** URLs that get events, signed. */
  readonly webhookEndpoints: WebhookEndpointsClient;
  /** Events on their way to webhook endpoints, with every attempt. */
  readonly deliveries: DeliveriesClient;
  /** The audit log, with the hash chain that seals it. */
  readonly auditEvents: AuditEventsClient;
  /** Switches that stop outgoing payments. */
  readonly pauses: PausesClient;
  /** The most payments per second of a tenant. */
  readonly executionCap: ExecutionCapClient;
  /** Chains that a payout could take, scored; accepted to create it. */
  readonly quotes: QuotesClient;
  /** Payouts under the names of the payment intents API. */
  readonly paymentIntents: PaymentIntentsClient;
  /** Accounts that pay over chains, compared with their chains. */
  readonly treasuryWallets: TreasuryWalletsClient;
  /** Thresholds that were crossed: payouts, wallets, chains, webhooks. */
  readonly alerts: AlertsClient;
  /** Whether payouts go to listed addresses only. */
  readonly payoutPolicy: PayoutPolicyClient;
  /** Addresses that payouts may go to. */
  readonly payoutDestinations: PayoutDestinationsClient;
  /** The most that one payout, or the payouts of a day, may be. */
  readonly payoutCaps: PayoutCapsClient;
  /** Chains that payouts can take, and their health. */
  readonly chains: ChainsClient;
  /** Runs of the background loops and one-shot commands. */
  readonly cronRuns: CronRunsClient;
  /** The state of a tenant in one answer, its charts, and what is due next. */
  readonly overview: OverviewClient;
  /** Resources by id, reference or ref. */
  readonly search: SearchClient;
  /** Settings of a tenant in one answer. */
  readonly settings: SettingsClient;
  /** Payments, runs and executions that failed for good: retry or discard them. */
  readonly deadLetters: DeadLettersClient;
  /** The most that one payment, an account or the tenant may send. */
  readonly limits: LimitsClient;
  /** API keys: create, rotate, revoke. */
  readonly apiKeys: ApiKeysClient;
  /** Issuers whose JWTs authenticate end users. */
  readonly tokenIssuers: TokenIssuersClient;
  /** Messages to operators in Slack, in Discord or at a URL. */
  readonly notificationChannels: NotificationChannelsClient;
  /** E-mail to payers and payees: settings of the tenant. */
  readonly email: EmailClient;
  /** The tenant’s own texts of e-mails. */
  readonly emailTemplates: EmailTemplatesClient;
  /** Accounts that want no e-mail. */
  readonly emailOptOuts: EmailOptOutsClient;
  /** E-mails that were sent. */
  readonly emails: EmailsClient;
  /** Isolated data sets in one database. */
  readonly tenants: TenantsClient;
  /** The time of a test tenant, advanced by request. */
  readonly testClocks: TestClocksClient;
}

/** The sentences of refusals that name fields beside `param`: the client writes those names in camelCase. */
export const FIELD_SENTENCES: readonly string[] = [
  '{param} must be an id such as {examples:list}; for a resource of your application, give {resource:field} too',
  'give either {first:field} or {param}, not both',
  'give {param} or {second:field}',
  'give {choices:fields}',
  '{param} is required: confirm how many payments the filter finds, as a dry run shows, or give {limit:field}',
  '{limit:field} is the limit of one account: give {param}, {shared:field} or {total:field}',
  '{param} is a limit of the tenant, not of one account: leave out {account:field}',
  '{param} is required, in minor units, or as a decimal number in {decimal:field}',
  'give {role:field}, {param}, or both',
  '{param} is required when {other:field} is "{value}"',
  '{param} must be left out when {other:field} is "{value}"',
  '{param} must be later than {start:field}',
  '{param:quoted} is not a field; did you mean {meant:field}?',
  '{param:quoted} is not a field; the fields are {known:fields}',
  'give either {to:field} or {param}, not both',
  "{amount:amount} would exceed the tenant's daily total for the last 24 hours; retry later, or raise {setting:field}",
  '{param} is for payouts; give a chain in {rail:field}, or leave out {param}',
  'a payout needs 1 to {max} destinations: give {destination:field}, or {param} by chain',
  '{destination:field} is an address on one chain; name the chain in {param}',
  '{param} pays an account; use a plan whose receiver is world, or leave out {rail:field} and the destinations',
  'give exactly one of {kinds:fields}',
  '{field:field} does not go with {kind:field}; leave it out, or express it in {kind:field}',
  'give either weekdays or {daysOfMonth:field}, not both',
  'YEARLY with {daysOfMonth:field} needs months, such as [1]; for every month use MONTHLY with {daysOfMonth:field}',
  '{param} does not go with {kind:field}; it is for monthly and yearly rules',
  'a rule with several times a day cannot be moved to other days; set {shift:field} to "skip"',
  'FREQ={frequency} is not supported; use a fixed period ({period:field}: 3600 is an hour), or cron ("0 * * * *" is every hour)',
  '{cap:field} and {window:field} go only with {param}: "all"',
  '{param} must be an object with {frequency:field}, or with {seconds:field}',
];

/** By resource and method, as the reference names them: `payments.create`. */
export const OPERATIONS = {
  'assets.create': { method: 'POST', path: '/v1/assets', input: 'body' },
  'assets.list': { method: 'GET', path: '/v1/assets', input: null, list: true },
  'accounts.create': { method: 'POST', path: '/v1/accounts', input: 'body' },
  'accounts.list': { method: 'GET', path: '/v1/accounts', input: 'query', list: true },
  'accounts.get': { method: 'GET', path: '/v1/accounts/{id}', input: null },
  'accounts.update': { method: 'PATCH', path: '/v1/accounts/{id}', input: 'body' },
  'accounts.suspend': { method: 'POST', path: '/v1/accounts/{id}/suspend', input: 'body' },
  'accounts.reactivate': { method: 'POST', path: '/v1/accounts/{id}/reactivate', input: 'body' },
  'accounts.erase': { method: 'POST', path: '/v1/accounts/{id}/erase', input: 'body' },
  'accounts.revokeTokens': { method: 'POST', path: '/v1/accounts/{id}/revoke-tokens', input: null },
  'accounts.close': { method: 'POST', path: '/v1/accounts/{id}/close', input: 'body' },
  'accounts.deposit': { method: 'POST', path: '/v1/accounts/{id}/deposit', input: 'body' },
  'accounts.withdraw': { method: 'POST', path: '/v1/accounts/{id}/withdraw', input: 'body' },
  'accounts.listTransfers': { method: 'GET', path: '/v1/accounts/{id}/transfers', input: 'query', list: true },
  'accounts.listReservations': { method: 'GET', path: '/v1/accounts/{id}/reservations', input: 'query', list: true },
  'accounts.getBalances': { method: 'GET', path: '/v1/accounts/{id}/balances', input: 'query' },
  'accounts.getStatement': { method: 'GET', path: '/v1/accounts/{id}/statement', input: 'query' },
  'accounts.getForecast': { method: 'GET', path: '/v1/accounts/{id}/forecast', input: 'query' },
  'accounts.getUpcomingCalendar': { method: 'GET', path: '/v1/accounts/{id}/upcoming.ics', input: 'query' },
  'holds.create': { method: 'POST', path: '/v1/holds', input: 'body' },
  'holds.list': { method: 'GET', path: '/v1/holds', input: 'query', list: true },
  'holds.get': { method: 'GET', path: '/v1/holds/{id}', input: 'query' },
  'holds.listEvents': { method: 'GET', path: '/v1/holds/{id}/events', input: 'query', list: true },
  'holds.cancel': { method: 'POST', path: '/v1/holds/{id}/cancel', input: 'body' },
  'holds.capture': { method: 'POST', path: '/v1/holds/{id}/capture', input: 'body' },
  'holds.extend': { method: 'POST', path: '/v1/holds/{id}/extend', input: 'body' },
  'payments.create': { method: 'POST', path: '/v1/payments', input: 'body' },
  'payments.list': { method: 'GET', path: '/v1/payments', input: 'query', list: true },
  'payments.get': { method: 'GET', path: '/v1/payments/{id}', input: 'query' },
  'payments.update': { method: 'PATCH', path: '/v1/payments/{id}', input: 'body' },
  'payments.listTimeline': { method: 'GET', path: '/v1/payments/{id}/timeline', input: 'query', list: true },
  'payments.cancel': { method: 'POST', path: '/v1/payments/{id}/cancel', input: 'body' },
  'payments.capture': { method: 'POST', path: '/v1/payments/{id}/capture', input: 'body' },
  'payments.extend': { method: 'POST', path: '/v1/payments/{id}/extend', input: 'body' },
  'payments.refund': { method: 'POST', path: '/v1/payments/{id}/refund', input: 'body' },
  'payments.retry': { method: 'POST', path: '/v1/payments/{id}/retry', input: 'body' },
  'payments.runNow': { method: 'POST', path: '/v1/payments/{id}/run-now', input: null },
  'payments.fail': { method: 'POST', path: '/v1/payments/{id}/fail', input: 'body' },
  'payments.why': { method: 'GET', path: '/v1/payments/{id}/why', input: null },
  'payments.receipt': { method: 'GET', path: '/v1/payments/{id}/receipt', input: 'query' },
  'payments.approve': { method: 'POST', path: '/v1/payments/{id}/approve', input: 'body' },
  'payments.reject': { method: 'POST', path: '/v1/payments/{id}/reject', input: 'body' },
  'payments.createMany': { method: 'POST', path: '/v1/payments/bulk', input: 'body' },
  'payments.runManyNow': { method: 'POST', path: '/v1/payments/run-now', input: 'body' },
  'schedules.preview': { method: 'POST', path: '/v1/schedules/preview', input: 'body' },
  'schedules.create': { method: 'POST', path: '/v1/schedules', input: 'body' },
  'schedules.list': { method: 'GET', path: '/v1/schedules', input: 'query', list: true },
  'schedules.get': { method: 'GET', path: '/v1/schedules/{id}', input: 'query' },
  'schedules.update': { method: 'PATCH', path: '/v1/schedules/{id}', input: 'body' },
  'schedules.pause': { method: 'POST', path: '/v1/schedules/{id}/pause', input: 'body' },
  'schedules.resume': { method: 'POST', path: '/v1/schedules/{id}/resume', input: 'body' },
  'schedules.cancel': { method: 'POST', path: '/v1/schedules/{id}/cancel', input: 'body' },
  'schedules.trigger': { method: 'POST', path: '/v1/schedules/{id}/trigger', input: null },
  'schedules.backfill': { method: 'POST', path: '/v1/schedules/{id}/backfill', input: 'body' },
  'schedules.listUpcoming': { method: 'GET', path: '/v1/schedules/{id}/upcoming', input: 'query', list: true },
  'schedules.listOccurrences': { method: 'GET', path: '/v1/schedules/{id}/occurrences', input: 'query', list: true },
  'outageGuard.get': { method: 'GET', path: '/v1/outage-guard', input: null },
  'outageGuard.set': { method: 'POST', path: '/v1/outage-guard', input: 'body' },
  'outages.list': { method: 'GET', path: '/v1/outages', input: 'query', list: true },
  'outages.release': { method: 'POST', path: '/v1/outages/{id}/release', input: 'body' },
  'outages.discard': { method: 'POST', path: '/v1/outages/{id}/discard', input: 'body' },
  'plans.create': { method: 'POST', path: '/v1/plans', input: 'body' },
  'plans.list': { method: 'GET', path: '/v1/plans', input: 'query', list: true },
  'plans.get': { method: 'GET', path: '/v1/plans/{id}', input: null },
  'plans.update': { method: 'PATCH', path: '/v1/plans/{id}', input: 'body' },
  'subscriptions.create': { method: 'POST', path: '/v1/subscriptions', input: 'body' },
  'subscriptions.list': { method: 'GET', path: '/v1/subscriptions', input: 'query', list: true },
  'subscriptions.get': { method: 'GET', path: '/v1/subscriptions/{id}', input: 'query' },
  'subscriptions.update': { method: 'PATCH', path: '/v1/subscriptions/{id}', input: 'body' },
  'subscriptions.cancel': { method: 'POST', path: '/v1/subscriptions/{id}/cancel', input: 'body' },
  'subscriptions.changePlan': { method: 'POST', path: '/v1/subscriptions/{id}/change-plan', input: 'body' },
  'subscriptions.pause': { method: 'POST', path: '/v1/subscriptions/{id}/pause', input: 'body' },
  'subscriptions.resume': { method: 'POST', path: '/v1/subscriptions/{id}/resume', input: 'body' },
  'allowances.create': { method: 'POST', path: '/v1/guardians/{guardian}/allowances/{junior}', input: 'body' },
  'allowances.get': { method: 'GET', path: '/v1/guardians/{guardian}/allowances/{junior}', input: null },
  'allowances.update': { method: 'PATCH', path: '/v1/guardians/{guardian}/allowances/{junior}', input: 'body' },
  'allowances.delete': { method: 'DELETE', path: '/v1/guardians/{guardian}/allowances/{junior}', input: null },
  'allowances.list': { method: 'GET', path: '/v1/guardians/{guardian}/allowances', input: 'query', list: true },
  'allowances.listJuniors': { method: 'GET', path: '/v1/guardians/{guardian}/juniors', input: 'query', list: true },
  'allowances.listForJunior': { method: 'GET', path: '/v1/juniors/{junior}/allowances', input: 'query', list: true },
  'allowances.listCredits': {
    method: 'GET',
    path: '/v1/guardians/{guardian}/allowances/{junior}/credits',
    input: 'query',
    list: true,
  },
  'events.append': { method: 'POST', path: '/v1/events', input: 'body' },
  'events.list': { method: 'GET', path: '/v1/events', input: 'query', list: true },
  'events.appendMany': { method: 'POST', path: '/v1/events/bulk', input: 'body' },
  'jobs.create': { method: 'POST', path: '/v1/jobs', input: 'body' },
  'jobs.list': { method: 'GET', path: '/v1/jobs', input: 'query', list: true },
  'jobs.get': { method: 'GET', path: '/v1/jobs/{id}', input: null },
  'jobs.update': { method: 'PATCH', path: '/v1/jobs/{id}', input: 'body' },
  'jobs.delete': { method: 'DELETE', path: '/v1/jobs/{id}', input: null },
  'executions.list': { method: 'GET', path: '/v1/executions', input: 'query', list: true },
  'executions.get': { method: 'GET', path: '/v1/executions/{id}', input: null },
  'executions.listInvocations': { method: 'GET', path: '/v1/executions/{id}/invocations', input: null, list: true },
  'executions.retry': { method: 'POST', path: '/v1/executions/{id}/retry', input: 'body' },
  'executions.cancel': { method: 'POST', path: '/v1/executions/{id}/cancel', input: 'body' },
  'processors.list': { method: 'GET', path: '/v1/processors', input: null, list: true },
  'webhookEndpoints.create': { method: 'POST', path: '/v1/webhook-endpoints', input: 'body' },
  'webhookEndpoints.list': { method: 'GET', path: '/v1/webhook-endpoints', input: 'query', list: true },
  'webhookEndpoints.get': { method: 'GET', path: '/v1/webhook-endpoints/{id}', input: null },
  'webhookEndpoints.update': { method: 'PATCH', path: '/v1/webhook-endpoints/{id}', input: 'body' },
  'webhookEndpoints.delete': { method: 'DELETE', path: '/v1/webhook-endpoints/{id}', input: null },
  'webhookEndpoints.rotateSecret': { method: 'POST', path: '/v1/webhook-endpoints/{id}/rotate-secret', input: 'body' },
  'webhookEndpoints.test': { method: 'POST', path: '/v1/webhook-endpoints/{id}/test', input: null },
  'webhookEndpoints.recover': { method: 'POST', path: '/v1/webhook-endpoints/{id}/recover', input: 'body' },
  'webhookEndpoints.listDeliveries': {
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}/deliveries',
    input: 'query',
    list: true,
  },
  'deliveries.list': { method: 'GET', path: '/v1/deliveries', input: 'query', list: true },
  'deliveries.get': { method: 'GET', path: '/v1/deliveries/{id}', input: null },
  'deliveries.redeliver': { method: 'POST', path: '/v1/deliveries/{id}/redeliver', input: 'body' },
  'auditEvents.list': { method: 'GET', path: '/v1/audit-events', input: 'query', list: true },
  'auditEvents.erase': { method: 'POST', path: '/v1/audit-events/{id}/erase', input: 'body' },
  'pauses.create': { method: 'POST', path: '/v1/pauses', input: 'body' },
  'pauses.list': { method: 'GET', path: '/v1/pauses', input: null, list: true },
  'pauses.lift': { method: 'DELETE', path: '/v1/pauses/{id}', input: null },
  'executionCap.get': { method: 'GET', path: '/v1/execution-cap', input: null },
  'executionCap.set': { method: 'PATCH', path: '/v1/execution-cap', input: 'body' },
  'quotes.create': { method: 'POST', path: '/v1/quotes', input: 'body' },
  'quotes.list': { method: 'GET', path: '/v1/quotes', input: 'query', list: true },
  'quotes.get': { method: 'GET', path: '/v1/quotes/{id}', input: null },
  'quotes.accept': { method: 'POST', path: '/v1/quotes/{id}/accept', input: 'body' },
  'payments.getRoute': { method: 'GET', path: '/v1/payments/{id}/route', input: null },
  'payments.listAttempts': { method: 'GET', path: '/v1/payments/{id}/attempts', input: 'query', list: true },
  'payments.resolve': { method: 'POST', path: '/v1/payments/{id}/resolve', input: 'body' },
  'paymentIntents.create': { method: 'POST', path: '/v1/payment-intents', input: 'body' },
  'paymentIntents.list': { method: 'GET', path: '/v1/payment-intents', input: 'query', list: true },
  'paymentIntents.get': { method: 'GET', path: '/v1/payment-intents/{id}', input: 'query' },
  'paymentIntents.getRoute': { method: 'GET', path: '/v1/payment-intents/{id}/route', input: null },
  'paymentIntents.cancel': { method: 'POST', path: '/v1/payment-intents/{id}/cancel', input: 'body' },
  'treasuryWallets.list': { method: 'GET', path: '/v1/treasury-wallets', input: null, list: true },
  'treasuryWallets.unfreeze': { method: 'POST', path: '/v1/treasury-wallets/{chain}/unfreeze', input: 'body' },
  'treasuryWallets.setFloor': { method: 'POST', path: '/v1/treasury-wallets/{chain}/floor', input: 'body' },
  'alerts.list': { method: 'GET', path: '/v1/alerts', input: 'query', list: true },
  'payoutPolicy.get': { method: 'GET', path: '/v1/payout-policy', input: null },
  'payoutPolicy.set': { method: 'POST', path: '/v1/payout-policy', input: 'body' },
  'payoutDestinations.create': { method: 'POST', path: '/v1/payout-destinations', input: 'body' },
  'payoutDestinations.list': { method: 'GET', path: '/v1/payout-destinations', input: 'query', list: true },
  'payoutDestinations.get': { method: 'GET', path: '/v1/payout-destinations/{id}', input: null },
  'payoutDestinations.approve': { method: 'POST', path: '/v1/payout-destinations/{id}/approve', input: null },
  'payoutDestinations.remove': { method: 'POST', path: '/v1/payout-destinations/{id}/remove', input: 'body' },
  'payoutCaps.set': { method: 'POST', path: '/v1/payout-caps', input: 'body' },
  'payoutCaps.list': { method: 'GET', path: '/v1/payout-caps', input: null, list: true },
  'chains.list': { method: 'GET', path: '/v1/chains', input: null, list: true },
  'chains.listHistory': { method: 'GET', path: '/v1/chains/{name}/history', input: 'query', list: true },
  'cronRuns.list': { method: 'GET', path: '/v1/cron-runs', input: 'query', list: true },
  'overview.get': { method: 'GET', path: '/v1/overview', input: null },
  'overview.getSeries': { method: 'GET', path: '/v1/overview/series', input: 'query' },
  'overview.getUpcoming': { method: 'GET', path: '/v1/overview/upcoming', input: 'query' },
  'search.get': { method: 'GET', path: '/v1/search', input: 'query', list: true },
  'accounts.getBalanceHistory': { method: 'GET', path: '/v1/accounts/{id}/balance-history', input: 'query' },
  'auditEvents.getChain': { method: 'GET', path: '/v1/audit-events/chain', input: null },
  'settings.get': { method: 'GET', path: '/v1/settings', input: null },
  'deadLetters.list': { method: 'GET', path: '/v1/dead-letters', input: 'query', list: true },
  'deadLetters.listGroups': { method: 'GET', path: '/v1/dead-letters/groups', input: null, list: true },
  'deadLetters.discardMany': { method: 'POST', path: '/v1/dead-letters/discard', input: 'body' },
  'deadLetters.get': { method: 'GET', path: '/v1/dead-letters/{id}', input: null },
  'deadLetters.retry': { method: 'POST', path: '/v1/dead-letters/{id}/retry', input: 'body' },
  'deadLetters.discard': { method: 'POST', path: '/v1/dead-letters/{id}/discard', input: 'body' },
  'deadLetters.retryMany': { method: 'POST', path: '/v1/dead-letters/retry', input: 'body' },
  'limits.set': { method: 'POST', path: '/v1/limits', input: 'body' },
  'limits.list': { method: 'GET', path: '/v1/limits', input: null, list: true },
  'apiKeys.create': { method: 'POST', path: '/v1/api-keys', input: 'body' },
  'apiKeys.list': { method: 'GET', path: '/v1/api-keys', input: 'query', list: true },
  'apiKeys.revoke': { method: 'DELETE', path: '/v1/api-keys/{id}', input: null },
  'apiKeys.rotate': { method: 'POST', path: '/v1/api-keys/{id}/rotate', input: 'body' },
  'tokenIssuers.create': { method: 'POST', path: '/v1/token-issuers', input: 'body' },
  'tokenIssuers.list': { method: 'GET', path: '/v1/token-issuers', input: 'query', list: true },
  'tokenIssuers.update': { method: 'PATCH', path: '/v1/token-issuers/{id}', input: 'body' },
  'tokenIssuers.delete': { method: 'DELETE', path: '/v1/token-issuers/{id}', input: null },
  'notificationChannels.create': { method: 'POST', path: '/v1/notification-channels', input: 'body' },
  'notificationChannels.list': { method: 'GET', path: '/v1/notification-channels', input: 'query', list: true },
  'notificationChannels.get': { method: 'GET', path: '/v1/notification-channels/{id}', input: null },
  'notificationChannels.update': { method: 'PATCH', path: '/v1/notification-channels/{id}', input: 'body' },
  'notificationChannels.delete': { method: 'DELETE', path: '/v1/notification-channels/{id}', input: null },
  'notificationChannels.rotateSecret': {
    method: 'POST',
    path: '/v1/notification-channels/{id}/rotate-secret',
    input: null,
  },
  'notificationChannels.test': { method: 'POST', path: '/v1/notification-channels/{id}/test', input: null },
  'email.get': { method: 'GET', path: '/v1/email', input: null },
  'email.update': { method: 'PATCH', path: '/v1/email', input: 'body' },
  'emailTemplates.set': { method: 'POST', path: '/v1/email-templates', input: 'body' },
  'emailTemplates.list': { method: 'GET', path: '/v1/email-templates', input: 'query', list: true },
  'emailTemplates.get': { method: 'GET', path: '/v1/email-templates/{id}', input: null },
  'emailTemplates.delete': { method: 'DELETE', path: '/v1/email-templates/{id}', input: null },
  'emailOptOuts.create': { method: 'POST', path: '/v1/email-opt-outs', input: 'body' },
  'emailOptOuts.list': { method: 'GET', path: '/v1/email-opt-outs', input: 'query', list: true },
  'emailOptOuts.delete': { method: 'DELETE', path: '/v1/email-opt-outs/{id}', input: null },
  'emails.list': { method: 'GET', path: '/v1/emails', input: 'query', list: true },
  'tenants.create': { method: 'POST', path: '/v1/tenants', input: 'body' },
  'tenants.list': { method: 'GET', path: '/v1/tenants', input: null, list: true },
  'testClocks.create': { method: 'POST', path: '/v1/test-clocks', input: 'body' },
  'testClocks.list': { method: 'GET', path: '/v1/test-clocks', input: null, list: true },
  'testClocks.get': { method: 'GET', path: '/v1/test-clocks/{id}', input: null },
  'testClocks.delete': { method: 'DELETE', path: '/v1/test-clocks/{id}', input: null },
  'testClocks.advance': { method: 'POST', path: '/v1/test-clocks/{id}/advance', input: 'body' },
  'testClocks.cancelAdvance': { method: 'POST', path: '/v1/test-clocks/{id}/cancel-advance', input: null },
} as const satisfies Record<string, Operation>;
