// A payment in answers, and the state names of the holds design (docs/reference/compatibility.md).
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Payment as EnginePayment, PaymentStatus } from '../../engine.ts';
import { PRIORITY_NAMES, ROUTE_PRIORITIES } from '../../engine.ts';
import type { RetryPolicy } from '../../kernel/index.ts';
import { invariant, shownActor, toDecimal, toTypeId } from '../../kernel/index.ts';
import { accountId, durationOf, instantOrNull, paymentId } from '../wire-format.ts';
import {
  Amount,
  Destinations,
  Instant,
  Metadata,
  closed,
  durationShown,
  forCompatibility,
  idOf,
  nullable,
  oneOf,
  textOrNull,
} from '../schemas.ts';
import { Decimal } from './amount-input.ts';
import { ALICE, BOB, CREATED_AT, EXECUTE_AT, HOLD } from './examples.ts';

/** The states of a payment. */
export const STATUSES = [
  'scheduled',
  'processing',
  'submitted',
  'review',
  'settled',
  'failed',
  'cancelled',
  'expired',
] as const satisfies readonly PaymentStatus[];

export function shownStatus(status: PaymentStatus): (typeof STATUSES)[number] {
  const shown = STATUSES.find((one) => one === status);
  invariant(shown !== undefined, `no payment to be ${status}`);
  return shown;
}

/** The state of a hold in the words of the holds design. */
export const HOLD_STATUS = {
  scheduled: 'PENDING',
  processing: 'PROCESSING',
  submitted: 'PROCESSING',
  review: 'PROCESSING',
  settled: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
} as const satisfies Record<PaymentStatus, string>;

export const HOLD_WORDS = [...new Set(Object.values(HOLD_STATUS))];

export const RetryShown = closed(
  {
    max_attempts: Type.Integer(),
    initial_delay: durationShown('Wait after the first failed attempt.'),
    multiplier: Type.Number(),
    max_delay: durationShown('Longest wait.'),
    jitter: Type.Number(),
  },
  { title: 'RetryPolicy' },
);

/** The accounts of a payment, hold or schedule that can be shown beside their ids. */
export const EXPANDS = ['from', 'to'] as const;

/** How a payment, or each payment of a schedule, moves. */
export const PAYS_OVER = {
  rail: Type.String({
    description:
      '`ledger`, or for a payout the name of a chain, or `any` for a chain that is chosen when the payout runs.',
    examples: ['ledger'],
  }),
  destinations: nullable(Destinations, {
    description: 'The address of the payee on each chain that a payout may use. Null for a payment between accounts.',
  }),
  route_priority: nullable(oneOf(ROUTE_PRIORITIES), {
    description:
      'Priority of the choice of a chain: the fee, the time to finality, or the reliability. Null for a payment between accounts.',
  }),
};

const PAYMENT = {
  id: idOf('payment'),
  status: oneOf(STATUSES),
  ...PAYS_OVER,
  funding: oneOf(['reserve', 'at_execution']),
  from: idOf('account'),
  to: nullable(idOf('account'), { description: 'Null if there are several payees; see `legs`.' }),
  legs: Type.Array(closed({ to: idOf('account'), amount: Amount }, { 'x-expand': EXPANDS })),
  asset: Type.String(),
  amount: Amount,
  amount_decimal: Decimal,
  captured: Amount,
  released: Amount,
  refunded: Amount,
  captures: Type.Integer(),
  execute_at: Instant,
  expires_at: nullable(Instant),
  priority: oneOf(PRIORITY_NAMES),
  attempts: Type.Integer(),
  retry: nullable(RetryShown, { description: 'Null: the preset `hold`, for a payout `payout`.' }),
  reference: textOrNull(),
  metadata: nullable(Metadata),
  last_error: nullable(closed({ code: Type.String(), detail: Type.String() })),
  approval: nullable(oneOf(['awaited', 'given']), {
    description:
      '`awaited`: a second person must approve the payment, and no money moves before. `given`: it was approved. Null: it needs no approval.',
  }),
  terms_version: Type.Integer({
    minimum: 1,
    description:
      'Increases with every change of amount, payees, `execute_at` or `expires_at`. An approval names the version that was reviewed.',
  }),
  approval_until: nullable(Instant, {
    description: 'When the payment expires if it is not approved; null if it does not await approval.',
  }),
  owner: nullable(
    closed({
      kind: oneOf(['schedule', 'subscription', 'allowance'], {
        description: 'The kind of resource that created the payment.',
      }),
      id: Type.String({ description: '`sub_…` of a subscription, otherwise `sch_…`.' }),
    }),
    {
      description:
        'The schedule, subscription or allowance that created the payment and whose rules apply to it. Null for a payment created by a caller.',
    },
  ),
  created_by: Type.String({ description: 'The caller that created it. An end user sees `tenant` instead of a key.' }),
  created_at: Instant,
  updated_at: Instant,
  ended_at: nullable(Instant),
};

export const Payment = closed(
  {
    ...PAYMENT,
    next_attempt_at: Type.Optional(
      nullable(Instant, {
        description:
          'When the next attempt is, also after a retry was brought forward. Only if a single payment is read. Null after its end, and ' +
          'while it awaits approval.',
      }),
    ),
  },
  { title: 'Payment', 'x-expand': EXPANDS },
);
export const Hold = closed(
  {
    ...PAYMENT,
    hold_status: oneOf(
      HOLD_WORDS,
      forCompatibility(
        'The state in the words of the holds API: `PENDING` for `scheduled`, `COMPLETED` for `settled`.',
      ),
    ),
  },
  { title: 'Hold', 'x-expand': EXPANDS },
);

export function showPayment(payment: EnginePayment): Static<typeof Payment> {
  const { retry } = payment;
  const legs = payment.legs.map((leg) => ({ to: accountId(leg.accountId), amount: leg.amount.toString() }));
  const [only] = legs;
  return {
    id: paymentId(payment.id),
    status: shownStatus(payment.status),
    ...showPaysOver(payment),
    funding: payment.funding,
    from: accountId(payment.payerId),
    to: only && legs.length === 1 ? only.to : null,
    legs,
    asset: payment.asset,
    amount: payment.amount.toString(),
    amount_decimal: toDecimal(payment.amount, payment.asset),
    captured: payment.captured.toString(),
    released: payment.released.toString(),
    refunded: payment.refunded.toString(),
    captures: payment.captures,
    execute_at: payment.executeAt.toISOString(),
    expires_at: instantOrNull(payment.expiresAt),
    priority: PRIORITY_NAMES[payment.priority] ?? 'normal',
    attempts: payment.attempts,
    retry: showRetry(retry),
    reference: payment.reference,
    metadata: payment.metadata && { ...payment.metadata },
    last_error: payment.lastCode === null ? null : { code: payment.lastCode, detail: payment.lastDetail ?? '' },
    approval: payment.approval,
    terms_version: payment.termsVersion,
    approval_until: instantOrNull(payment.approval === 'awaited' ? payment.approvalUntil : null),
    owner: payment.owner && {
      kind: payment.owner.kind,
      id: toTypeId(payment.owner.kind === 'subscription' ? 'subscription' : 'schedule', payment.owner.id),
    },
    created_by: shownActor(payment.createdBy),
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    ended_at: instantOrNull(payment.endedAt),
  };
}

export const showPaysOver = ({ rail, payout }: Pick<EnginePayment, 'rail' | 'payout'>) => ({
  rail,
  destinations: payout && { ...payout.destinations },
  route_priority: payout?.priority ?? null,
});

export function showRetry(retry: RetryPolicy | null): Static<typeof RetryShown> | null {
  return (
    retry && {
      max_attempts: retry.maxAttempts,
      initial_delay: durationOf(retry.initialDelayMs),
      multiplier: retry.multiplier,
      max_delay: durationOf(retry.maxDelayMs),
      jitter: retry.jitter,
    }
  );
}

export function showHold(payment: EnginePayment): Static<typeof Hold> {
  return { ...showPayment(payment), hold_status: HOLD_STATUS[payment.status] };
}

export const EXAMPLE_PAYMENT = {
  id: HOLD,
  status: 'scheduled',
  rail: 'ledger',
  destinations: null,
  route_priority: null,
  funding: 'reserve',
  from: ALICE,
  to: BOB,
  legs: [{ to: BOB, amount: '10000' }],
  asset: 'USD/2',
  amount: '10000',
  amount_decimal: '100.00',
  captured: '0',
  released: '0',
  refunded: '0',
  captures: 0,
  execute_at: EXECUTE_AT,
  expires_at: null,
  priority: 'normal',
  attempts: 0,
  retry: null,
  reference: null,
  metadata: null,
  last_error: null,
  approval: null,
  terms_version: 1,
  approval_until: null,
  owner: null,
  created_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  ended_at: null,
};
export const EXAMPLE_HOLD = { ...EXAMPLE_PAYMENT, hold_status: 'PENDING' };
