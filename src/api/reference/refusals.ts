// Which refusals an operation can answer with, for the OpenAPI document: by status, with their codes. What the shape of a
// route implies (its schemas, its scope, its key) is derived; what its verb adds is listed here. A test sends a request for every code
// of the catalogue and compares.
import type { Route } from '../../contract/index.ts';
import type { ROUTES } from '../../contract/index.ts';
import { takesIfMatch } from '../../contract/index.ts';
import type { Code } from '../../kernel/index.ts';
import { CATALOGUE } from '../../kernel/index.ts';

type OperationId = keyof typeof ROUTES;

const MOVES: readonly Code[] = [
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_OF_WALLET',
  'ASSET_FROZEN',
  'ASSET_NOT_FOUND',
  'BALANCE_OVERFLOW',
  'FUNDS_INSUFFICIENT',
  'LIMIT_AMOUNT_EXCEEDED',
  'LIMIT_DAILY_EXCEEDED',
  'PAUSED',
];
const ORDER: readonly Code[] = [
  ...MOVES,
  'ACCOUNT_STATE_CONFLICT',
  'AMOUNT_NOT_POSITIVE',
  'AMOUNT_TOO_LARGE',
  'DELAY_OUT_OF_RANGE',
  'EXPIRY_BEFORE_EXECUTION',
  'REFERENCE_EXISTS',
  'SELF_TRANSFER',
];
const GUARDED: readonly Code[] = ['PAYOUT_CAP_EXCEEDED', 'PAYOUT_DESTINATION_NOT_ALLOWED'];
const PAYOUT: readonly Code[] = [
  ...GUARDED,
  'ASSET_NOT_ON_CHAIN',
  'CHAIN_NOT_AVAILABLE',
  'DESTINATION_INVALID',
  'PAYOUT_AMOUNT_INVALID',
  'PAYOUT_INVALID',
];
/** Of an agreement on later payments: nothing moves yet, so limits and balances are compared with each payment. */
const AGREED: readonly Code[] = [
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_OF_WALLET',
  'AMOUNT_NOT_POSITIVE',
  'AMOUNT_TOO_LARGE',
  'ASSET_NOT_FOUND',
];
const PERIOD: readonly Code[] = ['RULE_INVALID', 'RULE_NEVER_FIRES', 'RULE_TOO_FREQUENT', 'ZONE_UNKNOWN'];
const TIMING: readonly Code[] = [
  ...PERIOD,
  'END_BEFORE_START',
  'LOCAL_TIME_INVALID',
  'MISSED_INVALID',
  'STEPS_INVALID',
];
const PAYMENT: readonly Code[] = ['PAYMENT_STATE_CONFLICT', 'PAYMENT_NOT_FOUND'];
const CAPTURE: readonly Code[] = [
  ...PAYMENT,
  ...MOVES,
  'AMOUNT_NOT_POSITIVE',
  'AMOUNT_TOO_LARGE',
  'APPROVAL_AWAITED',
  'APPROVAL_NEEDS_ANOTHER',
  'CAPTURE_EXCEEDS_HOLD',
  'LEGS_INVALID',
];
const EXTEND: readonly Code[] = [...PAYMENT, 'DELAY_OUT_OF_RANGE', 'EXPIRY_BEFORE_EXECUTION'];
const DECISION: readonly Code[] = [...PAYMENT, 'APPROVAL_NEEDS_ANOTHER', 'APPROVAL_TERMS_CHANGED'];
const MONEY: readonly Code[] = [...MOVES, 'ACCOUNT_STATE_CONFLICT', 'AMOUNT_NOT_POSITIVE', 'AMOUNT_TOO_LARGE'];
const SCHEDULE: readonly Code[] = ['SCHEDULE_STATE_CONFLICT', 'SCHEDULE_OF_SUBSCRIPTION'];
const ACCOUNT: readonly Code[] = ['ACCOUNT_STATE_CONFLICT', 'ENCRYPTION_KEY_UNKNOWN'];
const ALLOWANCE: readonly Code[] = ['ALLOWANCE.NOT_FOUND', 'ALLOWANCE.NOT_GUARDIAN', 'ZONE_UNKNOWN', 'RULE_INVALID'];
const OWN_EVENT: readonly Code[] = ['EVENT_TYPE_RESERVED', 'EVENT_TOO_LARGE', 'EVENTS_QUOTA_EXCEEDED'];
const CLOCK: readonly Code[] = ['CLOCK_TENANT_LIVE', 'CLOCK_NOT_FOUND'];

const DESTINATION: readonly Code[] = [
  'ASSET_NOT_ON_CHAIN',
  'CHAIN_NOT_AVAILABLE',
  'DESTINATION_INVALID',
  'PAYOUT_AMOUNT_INVALID',
];

const JOB_TERMS: readonly Code[] = [
  'EVENT_PATTERN_INVALID',
  'JOB_NAME_TAKEN',
  'JOB_PROCESSOR_BUILT_IN',
  'JOB_PROCESSOR_UNKNOWN',
  'RETRY_INVALID',
];

const OF_VERBS: Partial<Record<OperationId, readonly Code[]>> = {
  'assets.create': ['ASSET_EXISTS', 'ASSET_INVALID'],
  'accounts.create': ['ACCOUNT_EXISTS', 'ENCRYPTION_KEY_MISSING', ...ACCOUNT],
  'accounts.list': ['ENCRYPTION_KEY_UNKNOWN'],
  'accounts.get': ['ENCRYPTION_KEY_UNKNOWN'],
  'accounts.update': ['ENCRYPTION_KEY_MISSING', ...ACCOUNT],
  'accounts.suspend': ACCOUNT,
  'accounts.reactivate': ACCOUNT,
  'accounts.close': ['ACCOUNT_NOT_EMPTY', ...ACCOUNT],
  'accounts.erase': ACCOUNT,
  'accounts.deposit': MONEY,
  'accounts.withdraw': [...MONEY, 'APPROVAL_REQUIRED'],
  'accounts.getBalances': ['ASSET_NOT_FOUND'],
  'accounts.getStatement': ['ASSET_NOT_FOUND', 'STATEMENT_TOO_LONG'],
  'accounts.getForecast': ['ACCOUNT_STATE_CONFLICT', 'ASSET_NOT_FOUND'],
  'holds.create': ORDER,
  'holds.cancel': PAYMENT,
  'holds.capture': CAPTURE,
  'holds.extend': EXTEND,
  'payments.create': [...ORDER, ...PAYOUT, 'LEGS_INVALID', 'RETRY_INVALID'],
  'payments.createMany': [...ORDER, ...PAYOUT, 'BATCH_ABORTED', 'BULK_TOO_LARGE', 'LEGS_INVALID', 'RETRY_INVALID'],
  'payments.update': [...PAYMENT, ...ORDER, ...GUARDED, 'PAYOUT_AMOUNT_INVALID', 'LEGS_INVALID', 'PAYMENT_OWNED'],
  'payments.cancel': PAYMENT,
  'payments.capture': CAPTURE,
  'payments.extend': EXTEND,
  'payments.refund': [...PAYMENT, ...MOVES, 'AMOUNT_NOT_POSITIVE', 'LEGS_INVALID', 'REFUND_EXCEEDS_PAYMENT'],
  'payments.retry': [...PAYMENT, ...MOVES, ...GUARDED, 'PAYMENT_OWNED'],
  'payments.runNow': [...PAYMENT, 'APPROVAL_AWAITED', 'APPROVAL_NEEDS_ANOTHER'],
  'payments.runManyNow': ['PAYMENT_COUNT_MISMATCH'],
  'payments.fail': PAYMENT,
  'payments.approve': DECISION,
  'payments.reject': DECISION,
  'schedules.create': [
    ...TIMING,
    ...AGREED,
    ...PAYOUT,
    'LEGS_INVALID',
    'REFERENCE_EXISTS',
    'RETRY_INVALID',
    'SELF_TRANSFER',
  ],
  'schedules.update': [
    ...SCHEDULE,
    ...TIMING,
    ...GUARDED,
    'PAYOUT_AMOUNT_INVALID',
    'AMOUNT_NOT_POSITIVE',
    'LEGS_INVALID',
    'RETRY_INVALID',
  ],
  'schedules.pause': SCHEDULE,
  'schedules.resume': SCHEDULE,
  'schedules.cancel': SCHEDULE,
  'schedules.trigger': [...SCHEDULE, ...MOVES, ...GUARDED],
  'schedules.backfill': [...SCHEDULE, ...MOVES, ...GUARDED, 'BACKFILL_TOO_LARGE', 'LOCAL_TIME_INVALID'],
  'outageGuard.set': ['ASSET_NOT_FOUND'],
  'outages.release': ['OUTAGE_STATE_CONFLICT'],
  'outages.discard': ['OUTAGE_STATE_CONFLICT'],
  'plans.create': [...PERIOD, ...AGREED, 'PLAN_INVALID', 'RETRY_INVALID'],
  'plans.update': [...PERIOD, 'AMOUNT_NOT_POSITIVE', 'AMOUNT_TOO_LARGE', 'PLAN_INVALID', 'RETRY_INVALID'],
  'subscriptions.create': [
    ...PERIOD,
    ...AGREED,
    ...PAYOUT,
    'PLAN_INVALID',
    'REFERENCE_EXISTS',
    'RETRY_INVALID',
    'SELF_TRANSFER',
    'SUBSCRIPTION_APPROVAL_EXCEEDED',
  ],
  'subscriptions.update': ['SCHEDULE_STATE_CONFLICT', 'RETRY_INVALID'],
  'subscriptions.cancel': ['SCHEDULE_STATE_CONFLICT'],
  'subscriptions.changePlan': ['SCHEDULE_STATE_CONFLICT', 'PLAN_INVALID', 'SUBSCRIPTION_APPROVAL_EXCEEDED'],
  'subscriptions.pause': ['SCHEDULE_STATE_CONFLICT'],
  'subscriptions.resume': ['SCHEDULE_STATE_CONFLICT'],
  'allowances.create': [...ALLOWANCE, ...AGREED, 'ALLOWANCE.ALREADY_EXISTS'],
  'allowances.get': ['ALLOWANCE.NOT_FOUND'],
  'allowances.listCredits': ['ALLOWANCE.NOT_FOUND'],
  'allowances.update': [...ALLOWANCE, 'AMOUNT_NOT_POSITIVE'],
  'allowances.delete': ['ALLOWANCE.NOT_FOUND'],
  'auditEvents.erase': ['EVENT_NOT_FOUND'],
  'events.append': OWN_EVENT,
  'events.appendMany': OWN_EVENT,
  'events.list': ['CURSOR_DIVERGED'],
  'jobs.create': ['CURSOR_DIVERGED', 'JOBS_TOO_MANY', ...JOB_TERMS],
  'chains.listHistory': ['CHAIN_NOT_FOUND'],
  'quotes.create': ['AMOUNT_NOT_POSITIVE', 'AMOUNT_TOO_LARGE', 'ASSET_INVALID', 'QUOTE_NO_ROUTE', ...DESTINATION],
  'quotes.get': ['QUOTE_NOT_FOUND'],
  'quotes.accept': ['QUOTE_NOT_FOUND', 'QUOTE_EXPIRED', 'QUOTE_USED', ...ORDER, ...GUARDED, ...DESTINATION],
  'payments.getRoute': ['PAYMENT_NOT_FOUND', 'ROUTE_NOT_CHOSEN'],
  'payments.listAttempts': ['PAYMENT_NOT_FOUND'],
  'payments.resolve': [
    'PAYMENT_NOT_FOUND',
    'PAYOUT_NOT_IN_REVIEW',
    'PAYOUT_RESOLUTION_REFUSED',
    'APPROVAL_NEEDS_ANOTHER',
  ],
  'paymentIntents.create': ['QUOTE_NOT_FOUND', 'QUOTE_EXPIRED', 'QUOTE_USED', ...ORDER, ...PAYOUT],
  'paymentIntents.get': ['PAYMENT_NOT_FOUND'],
  'paymentIntents.getRoute': ['PAYMENT_NOT_FOUND', 'ROUTE_NOT_CHOSEN'],
  'paymentIntents.cancel': PAYMENT,
  'payoutPolicy.set': ['DELAY_INVALID', 'DELAY_OUT_OF_RANGE'],
  'payoutDestinations.create': [
    'CHAIN_NOT_AVAILABLE',
    'DESTINATION_INVALID',
    'PAYOUT_DESTINATIONS_TOO_MANY',
    'PAYOUT_DESTINATION_EXISTS',
  ],
  'payoutDestinations.get': ['PAYOUT_DESTINATION_NOT_FOUND'],
  'payoutDestinations.approve': [
    'APPROVAL_NEEDS_ANOTHER',
    'PAYOUT_DESTINATION_APPROVED',
    'PAYOUT_DESTINATION_NOT_FOUND',
  ],
  'payoutDestinations.remove': ['PAYOUT_DESTINATION_NOT_FOUND'],
  'payoutCaps.set': ['AMOUNT_NOT_POSITIVE', 'AMOUNT_TOO_LARGE', 'ASSET_NOT_FOUND', 'CHAIN_NOT_AVAILABLE'],
  'treasuryWallets.setFloor': ['TREASURY_WALLET_NOT_FOUND'],
  'treasuryWallets.unfreeze': ['TREASURY_WALLET_NOT_FOUND', 'TREASURY_WALLET_NOT_FROZEN', 'FUNDS_INSUFFICIENT'],
  'jobs.get': ['JOB_NOT_FOUND'],
  'jobs.update': ['JOB_MANAGED', 'JOB_NOT_FOUND', ...JOB_TERMS],
  'jobs.delete': ['JOB_MANAGED', 'JOB_NOT_FOUND'],
  'executions.get': ['EXECUTION_NOT_FOUND'],
  'executions.listInvocations': ['EXECUTION_NOT_FOUND'],
  'executions.retry': ['EXECUTION_NOT_FOUND', 'EXECUTION_NOT_RETRYABLE', 'JOB_DELETED'],
  'executions.cancel': ['EXECUTION_NOT_FOUND', 'EXECUTION_NOT_CANCELLABLE'],
  'webhookEndpoints.create': [
    'ENCRYPTION_KEY_MISSING',
    'EVENT_PATTERN_INVALID',
    'HEADER_REFUSED',
    'JOBS_TOO_MANY',
    'URL_REFUSED',
    'WEBHOOK_ENDPOINTS_TOO_MANY',
  ],
  'webhookEndpoints.get': ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  'webhookEndpoints.update': [
    'ENCRYPTION_KEY_MISSING',
    'EVENT_PATTERN_INVALID',
    'HEADER_REFUSED',
    'URL_REFUSED',
    'WEBHOOK_ENDPOINT_NOT_FOUND',
  ],
  'webhookEndpoints.delete': ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  'webhookEndpoints.rotateSecret': ['ENCRYPTION_KEY_MISSING', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  'webhookEndpoints.test': ['WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  'webhookEndpoints.recover': ['WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  'webhookEndpoints.listDeliveries': ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  'deliveries.get': ['DELIVERY_NOT_FOUND'],
  'deliveries.redeliver': [
    'DELIVERY_NOT_FOUND',
    'DELIVERY_NOT_REDELIVERABLE',
    'WEBHOOK_ENDPOINT_DISABLED',
    'WEBHOOK_ENDPOINT_NOT_FOUND',
  ],
  'pauses.create': ['ASSET_NOT_FOUND', 'PAUSES_TOO_MANY'],
  'pauses.lift': ['PAUSE_NOT_FOUND'],
  'deadLetters.get': ['DEAD_LETTER_NOT_FOUND'],
  'deadLetters.retry': ['DEAD_LETTER_NOT_FOUND', 'JOB_DELETED', 'PAYMENT_OWNED', 'PAYMENT_STATE_CONFLICT', ...MOVES],
  'deadLetters.discard': ['DEAD_LETTER_NOT_FOUND'],
  'limits.set': ['AMOUNT_NOT_POSITIVE', 'AMOUNT_TOO_LARGE', 'ASSET_NOT_FOUND'],
  'apiKeys.create': ['API_KEYS_TOO_MANY'],
  'apiKeys.revoke': ['API_KEY_NOT_FOUND'],
  'apiKeys.rotate': ['API_KEY_NOT_FOUND', 'API_KEY_STATE_CONFLICT', 'API_KEYS_TOO_MANY'],
  'email.update': ['EMAIL_NOT_CONFIGURED', 'ENCRYPTION_KEY_MISSING', 'JOBS_TOO_MANY'],
  'emailTemplates.set': ['EMAIL_TEMPLATE_INVALID', 'EMAIL_TEMPLATES_TOO_MANY'],
  'emailTemplates.delete': ['EMAIL_TEMPLATE_NOT_FOUND'],
  'emailOptOuts.create': ['ACCOUNT_NOT_FOUND'],
  'emailOptOuts.delete': ['ACCOUNT_NOT_FOUND', 'EMAIL_OPT_OUT_NOT_FOUND'],
  'emails.list': ['ACCOUNT_NOT_FOUND'],
  'notificationChannels.create': ['URL_REFUSED', 'ENCRYPTION_KEY_MISSING', 'JOB_NAME_TAKEN', 'JOBS_TOO_MANY'],
  'notificationChannels.get': ['NOTIFICATION_CHANNEL_NOT_FOUND'],
  'notificationChannels.update': [
    'NOTIFICATION_CHANNEL_NOT_FOUND',
    'URL_REFUSED',
    'ENCRYPTION_KEY_MISSING',
    'JOB_NAME_TAKEN',
  ],
  'notificationChannels.delete': ['NOTIFICATION_CHANNEL_NOT_FOUND'],
  'notificationChannels.rotateSecret': [
    'NOTIFICATION_CHANNEL_NOT_FOUND',
    'NOTIFICATION_CHANNEL_UNSIGNED',
    'ENCRYPTION_KEY_MISSING',
  ],
  'notificationChannels.test': ['NOTIFICATION_CHANNEL_NOT_FOUND', 'NOTIFICATION_CHANNEL_DISABLED'],
  'tokenIssuers.create': ['ISSUER_EXISTS', 'URL_REFUSED'],
  'tokenIssuers.update': ['ISSUER_NOT_FOUND', 'URL_REFUSED'],
  'tokenIssuers.delete': ['ISSUER_NOT_FOUND'],
  'tenants.create': ['TENANT_EXISTS'],
  'testClocks.create': ['CLOCK_EXISTS', 'CLOCK_TENANT_LIVE'],
  'testClocks.advance': [...CLOCK, 'CLOCK_BACKWARDS', 'CLOCK_TOO_FAR', 'CLOCK_TOO_MANY_STEPS'],
  'testClocks.cancelAdvance': CLOCK,
  'testClocks.delete': CLOCK,
};

/** Of every operation under /v1. */
const ALWAYS: readonly Code[] = [
  'REQUEST_MALFORMED',
  'VERSION_UNKNOWN',
  'FIELD_INVALID',
  'FIELD_UNKNOWN',
  'AUTH_REQUIRED',
  'AUTH_INVALID',
  'AUTH_SCOPE_MISSING',
  'AUTH_FORBIDDEN',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const BODY: readonly Code[] = [
  'JSON_MALFORMED',
  'JSON_TOO_COMPLEX',
  'JSON_DUPLICATE_KEY',
  'JSON_INTEGER_UNSAFE',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
];
const CHANGE: readonly Code[] = [
  'IDEMPOTENCY_KEY_INVALID',
  'PRECONDITION_INVALID',
  'IDEMPOTENCY_RUNNING',
  'IDEMPOTENCY_MISMATCH',
  'IDEMPOTENCY_RESPONSE_ERASED',
  'BUSY',
  'CLOCK_ADVANCING',
  'CLOCK_MISSING',
];

/** Resources that a field can name, and the code where there is no such thing. */
const NOT_FOUND: Readonly<Record<string, Code>> = {
  account: 'ACCOUNT_NOT_FOUND',
  payment: 'PAYMENT_NOT_FOUND',
  schedule: 'SCHEDULE_NOT_FOUND',
  outage: 'OUTAGE_NOT_FOUND',
  plan: 'PLAN_NOT_FOUND',
  subscription: 'SUBSCRIPTION_NOT_FOUND',
  testClock: 'CLOCK_NOT_FOUND',
};

type Shape = Pick<Route, 'method' | 'query'> & Partial<Pick<Route, 'params' | 'body' | 'idempotency' | 'path'>>;

/** The codes of an operation by status, in the order of statuses. */
export function refusalsOf(operationId: string, route: Shape): ReadonlyMap<number, readonly Code[]> {
  const { params = {}, query, body = {}, idempotency = 'none' } = route;
  const codes = new Set<Code>(ALWAYS);
  for (const part of [params, query, body]) codesIn(part, codes);
  if ('properties' in body && Object.keys(Object(body.properties) as object).length > 0) add(codes, BODY);
  if (route.method !== 'GET') add(codes, CHANGE);
  if (idempotency === 'required') codes.add('IDEMPOTENCY_KEY_MISSING');
  if (route.path !== undefined && takesIfMatch({ method: route.method, path: route.path }))
    codes.add('PRECONDITION_FAILED');
  add(codes, OF_VERBS[operationId as OperationId] ?? []);
  const listed = Object.keys(CATALOGUE).filter((code): code is Code => codes.has(code as Code));
  const byStatus = Map.groupBy(listed, (code): number => CATALOGUE[code].status);
  return new Map([...byStatus].toSorted(([a], [b]) => a - b));
}

const add = (codes: Set<Code>, more: readonly Code[]): void => more.forEach((code) => codes.add(code));

/** Codes that a schema names by itself, those of the ids in it, and that of a cursor. */
function codesIn(schema: unknown, codes: Set<Code>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { 'x-code': code, 'x-id': kind, properties } = schema as Record<string, unknown>;
  if (typeof code === 'string') codes.add(code as Code);
  const missing = typeof kind === 'string' ? NOT_FOUND[kind] : undefined;
  if (missing) codes.add(missing);
  if (typeof properties === 'object' && properties !== null && 'cursor' in properties) codes.add('CURSOR_INVALID');
  for (const inner of Object.values(schema)) codesIn(inner, codes);
}
