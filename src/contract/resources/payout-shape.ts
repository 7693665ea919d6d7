// Attempts of a payout, and a payout under the names of the payment intents API (docs/reference/compatibility.md).
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Payment as EnginePayment, PaymentStatus, PayoutAttempt as Attempt, TenantVerbs } from '../../engine.ts';
import { ATTEMPT_STATES, ROUTE_PRIORITIES } from '../../engine.ts';
import { shownActor, toDecimal, toTypeId } from '../../kernel/index.ts';
import { accountId, instantOrNull, paymentId } from '../wire-format.ts';
import { Amount, Destinations, Instant, Metadata, closed, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { Decimal } from './amount-input.ts';
import { ALICE, CREATED_AT, EXECUTE_AT, PAYMENT, WORLD } from './examples.ts';
import { EXAMPLE_PAYMENT } from './payment-shape.ts';

export const PayoutAttempt = closed(
  {
    number: Type.Integer({ minimum: 1, description: '1 for the first attempt of the payout.' }),
    state: oneOf(ATTEMPT_STATES, {
      description:
        '`claimed`: nothing is signed. `sent`: the signed bytes are stored and were sent, or possibly sent. `finalized`: paid in a final block. ' +
        '`reverted`: failed in a final block. `dead`: proven never to land. `abandoned`: nothing was signed.',
    }),
    chain: textOrNull({ description: 'Null until bytes are signed.' }),
    destination: textOrNull({ description: 'The address that the transaction pays.' }),
    transaction_id: textOrNull({ description: 'The id of the transaction on the chain; null until it is signed.' }),
    last_valid_height: textOrNull({ description: 'The last block that may include the transaction.' }),
    last_seen: textOrNull({ description: 'The last answer of the chain, such as `pool`, `block` or `not_found`.' }),
    broadcasts: Type.Integer({ description: 'How often the same bytes were sent.' }),
    checks: Type.Integer({ description: 'How often the chain was asked.' }),
    fee: nullable(Amount, { description: 'The fee that the chain took, in minor units of `fee_asset`.' }),
    fee_asset: textOrNull({ description: 'The asset in which the chain takes its fee; null until bytes are signed.' }),
    height: textOrNull({ description: 'The block that decided.' }),
    error: nullable(closed({ code: Type.String(), detail: Type.String() })),
    began_at: {
      ...Instant,
      description: 'When a worker took the payout for this attempt. RFC 3339, UTC.',
    } as typeof Instant,
    sent_at: nullable(Instant, { description: 'When the signed bytes were stored, to be sent.' }),
    ended_at: nullable(Instant),
    resolved_by: textOrNull({ description: 'The caller that resolved it; null if the chain decided.' }),
  },
  { title: 'PayoutAttempt' },
);

export function showAttempt(attempt: Attempt): Static<typeof PayoutAttempt> {
  const { sent } = attempt;
  return {
    number: attempt.number,
    state: attempt.state,
    chain: sent?.chain ?? null,
    destination: sent?.address ?? null,
    transaction_id: sent?.signed.transactionId ?? null,
    last_valid_height: sent?.signed.lastValidHeight.toString() ?? null,
    last_seen: attempt.lastSeen,
    broadcasts: attempt.broadcasts,
    checks: attempt.checks,
    fee: attempt.fee?.toString() ?? null,
    fee_asset: sent?.feeAsset ?? null,
    height: attempt.height?.toString() ?? null,
    error: attempt.code === null ? null : { code: attempt.code, detail: attempt.detail ?? '' },
    began_at: attempt.claimedAt.toISOString(),
    sent_at: instantOrNull(sent?.sentAt ?? null),
    ended_at: instantOrNull(attempt.endedAt),
    resolved_by: attempt.resolvedBy === null ? null : shownActor(attempt.resolvedBy),
  };
}

const ADDRESS = 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c';
const TRANSACTION = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const EXAMPLE_ATTEMPT = {
  number: 1,
  state: 'finalized',
  chain: 'sandbox',
  destination: ADDRESS,
  transaction_id: TRANSACTION,
  last_valid_height: '160',
  last_seen: 'finalized',
  broadcasts: 1,
  checks: 1,
  fee: '5400',
  fee_asset: 'SBX/9',
  height: '101',
  error: null,
  began_at: CREATED_AT,
  sent_at: CREATED_AT,
  ended_at: EXECUTE_AT,
  resolved_by: null,
};

/** The state of a payout in the words of the payment intents API. */
export const INTENT_STATUS = {
  scheduled: 'route_selected',
  processing: 'broadcasting',
  submitted: 'broadcasted',
  review: 'manual_review',
  settled: 'settled',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
} as const satisfies Record<PaymentStatus, string>;

export type IntentStatus = (typeof INTENT_STATUS)[PaymentStatus];
export const INTENT_STATUSES: readonly IntentStatus[] = [...new Set(Object.values(INTENT_STATUS))];

export const PaymentIntent = closed(
  {
    id: idOf('payment'),
    status: oneOf(INTENT_STATUSES, {
      description:
        '`route_selected`: waits for its instant or its next attempt. `broadcasting`: an attempt began. `broadcasted`: signed and sent. ' +
        '`manual_review`: not final after ten minutes.',
    }),
    from: idOf('account'),
    asset: Type.String(),
    amount: Amount,
    amount_decimal: Decimal,
    destinations: Destinations,
    priority: oneOf(ROUTE_PRIORITIES),
    quote_id: nullable(idOf('quote'), { description: 'The quote that it was created with; null: none.' }),
    selected_chain: textOrNull({ description: 'The chain of the newest signed attempt.' }),
    transaction_id: textOrNull({ description: 'The transaction of the newest signed attempt.' }),
    fee: nullable(Amount, { description: 'The fee that the chain took, in minor units of `fee_asset`.' }),
    fee_asset: textOrNull({ description: 'The asset in which the chain takes its fee.' }),
    attempts: Type.Integer(),
    reference: textOrNull(),
    metadata: nullable(Metadata),
    last_error: nullable(closed({ code: Type.String(), detail: Type.String() })),
    execute_at: Instant,
    expires_at: nullable(Instant, { description: 'When the payout expires if no attempt has begun; null: never.' }),
    created_at: Instant,
    updated_at: Instant,
    settled_at: nullable(Instant, { description: 'When its transaction was final; null before.' }),
  },
  { title: 'PaymentIntent', 'x-expand': ['from'] },
);

export function showIntent(payment: EnginePayment, attempt: Attempt | undefined): Static<typeof PaymentIntent> {
  const { payout, lastCode } = payment;
  return {
    id: paymentId(payment.id),
    status: INTENT_STATUS[payment.status],
    from: accountId(payment.payerId),
    asset: payment.asset,
    amount: payment.amount.toString(),
    amount_decimal: toDecimal(payment.amount, payment.asset),
    destinations: { ...payout?.destinations },
    priority: payout?.priority ?? 'low_fee',
    quote_id: payout?.quoteId ? toTypeId('quote', payout.quoteId) : null,
    selected_chain: attempt?.sent?.chain ?? null,
    transaction_id: attempt?.sent?.signed.transactionId ?? null,
    fee: attempt?.fee?.toString() ?? null,
    fee_asset: attempt?.sent?.feeAsset ?? null,
    attempts: payment.attempts,
    reference: payment.reference,
    metadata: payment.metadata && { ...payment.metadata },
    last_error: lastCode === null ? null : { code: lastCode, detail: payment.lastDetail ?? '' },
    execute_at: payment.executeAt.toISOString(),
    expires_at: instantOrNull(payment.expiresAt),
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    settled_at: instantOrNull(payment.status === 'settled' ? payment.endedAt : null),
  };
}

/** With the attempt that paid, else the newest. */
export async function shownIntent(tenant: TenantVerbs, payment: EnginePayment): Promise<Static<typeof PaymentIntent>> {
  const [attempt] = await tenant.shownAttempts([payment.id]);
  return showIntent(payment, attempt);
}

export const EXAMPLE_INTENT = {
  id: PAYMENT,
  status: 'route_selected',
  from: ALICE,
  asset: 'USDC/6',
  amount: '10000000',
  amount_decimal: '10.000000',
  destinations: { sandbox: ADDRESS },
  priority: 'low_fee',
  quote_id: null,
  selected_chain: null,
  transaction_id: null,
  fee: null,
  fee_asset: null,
  attempts: 0,
  reference: null,
  metadata: null,
  last_error: null,
  execute_at: EXECUTE_AT,
  expires_at: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  settled_at: null,
};

/** The same payout as a payment. In the ledger a payout is paid to `world`. */
export const EXAMPLE_PAYOUT = {
  ...EXAMPLE_PAYMENT,
  id: PAYMENT,
  rail: 'any',
  to: WORLD,
  legs: [{ to: WORLD, amount: EXAMPLE_INTENT.amount }],
  asset: EXAMPLE_INTENT.asset,
  amount: EXAMPLE_INTENT.amount,
  amount_decimal: EXAMPLE_INTENT.amount_decimal,
  destinations: EXAMPLE_INTENT.destinations,
  route_priority: EXAMPLE_INTENT.priority,
};
