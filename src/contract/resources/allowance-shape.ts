// An allowance and its credits, as they are shown.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Allowance as EngineAllowance, AllowanceCredit as EngineCredit } from '../../engine.ts';
import { ALLOWANCE_FREQUENCIES, ALLOWANCE_STATUSES, CREDIT_STATUSES } from '../../engine.ts';
import { toDecimal, toTypeId } from '../../kernel/index.ts';
import { accountId, idOrNull, instantOrNull } from '../wire-format.ts';
import { Amount, Instant, closed, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { Decimal } from './amount-input.ts';
import { ALICE, BOB, CREATED_AT, OCCURRENCE, PAYMENT } from './examples.ts';
import { RetryShown, showRetry } from './payment-shape.ts';

export const Allowance = closed(
  {
    id: idOf('schedule'),
    guardian_id: idOf('account'),
    junior_id: idOf('account'),
    amount: Amount,
    amount_decimal: Decimal,
    asset: Type.String({ examples: ['USD/2'] }),
    frequency: nullable(oneOf(ALLOWANCE_FREQUENCIES), {
      description: 'Null if the schedule was given a rule that is none of these.',
    }),
    status: oneOf(ALLOWANCE_STATUSES),
    zone: Type.String({ examples: ['Europe/Berlin'] }),
    retry: nullable(RetryShown, {
      description:
        'Null: `ALLOWANCE_MAX_RETRIES` and `ALLOWANCE_RETRY_DELAY_MS` of the deployment apply, as configured when a credit is created.',
    }),
    next_run_at: nullable(Instant, {
      description: 'The next date, even while the previous credit is retried. Null while the allowance is `OFF`.',
    }),
    last_run_at: nullable(Instant, {
      description: 'The date of the last credit that was paid, even if it was paid late. Null before the first.',
    }),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Allowance' },
);

export function showAllowance(allowance: EngineAllowance): Static<typeof Allowance> {
  return {
    id: toTypeId('schedule', allowance.id),
    guardian_id: accountId(allowance.guardianId),
    junior_id: accountId(allowance.juniorId),
    amount: allowance.amount.toString(),
    amount_decimal: toDecimal(allowance.amount, allowance.asset),
    asset: allowance.asset,
    frequency: allowance.frequency,
    status: allowance.status,
    zone: allowance.zone,
    retry: showRetry(allowance.retry),
    next_run_at: instantOrNull(allowance.nextRunAt),
    last_run_at: instantOrNull(allowance.lastRunAt),
    created_at: allowance.createdAt.toISOString(),
    updated_at: allowance.updatedAt.toISOString(),
  };
}

export const Credit = closed(
  {
    id: idOf('occurrence'),
    run_at: { ...Instant, description: 'The date that the credit is for, even if it was paid late.' } as typeof Instant,
    slots: Type.Integer({
      description: 'How many dates the credit covers: more than one if they were skipped together.',
    }),
    amount: Amount,
    amount_decimal: Decimal,
    asset: Type.String({ examples: ['USD/2'] }),
    status: oneOf(CREDIT_STATUSES, {
      description: '`PENDING` while it is attempted; `FAILED` after its last attempt; `SKIPPED` with a `reason`.',
    }),
    attempts: Type.Integer(),
    credited_at: nullable(Instant),
    payment: nullable(idOf('payment')),
    reason: textOrNull({ description: 'Why it was skipped, such as `missed`, `overlap` or `outage`.' }),
    last_error: nullable(closed({ code: Type.String(), detail: Type.String() }), {
      description: 'The error of the last failed attempt. Not shown to the child.',
    }),
  },
  { title: 'AllowanceCredit' },
);

export const showCredit = (credit: EngineCredit): Static<typeof Credit> => ({
  id: toTypeId('occurrence', credit.id),
  run_at: credit.runAt.toISOString(),
  slots: credit.slots,
  amount: credit.amount.toString(),
  amount_decimal: toDecimal(credit.amount, credit.asset),
  asset: credit.asset,
  status: credit.status,
  attempts: credit.attempts,
  credited_at: instantOrNull(credit.creditedAt),
  payment: idOrNull('payment', credit.paymentId),
  reason: credit.reason,
  last_error: credit.lastCode === null ? null : { code: credit.lastCode, detail: credit.lastDetail ?? '' },
});

export const EXAMPLE_ALLOWANCE = {
  id: 'sch_01k9ztc2d4f6h8k0n2q4s6v8x0',
  guardian_id: ALICE,
  junior_id: BOB,
  amount: '500',
  amount_decimal: '5.00',
  asset: 'USD/2',
  frequency: 'WEEKLY',
  status: 'ON',
  zone: 'Europe/Berlin',
  retry: null,
  next_run_at: '2026-11-13T23:00:00.000Z',
  last_run_at: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

export const EXAMPLE_CREDIT = {
  id: OCCURRENCE,
  run_at: '2026-11-13T23:00:00.000Z',
  slots: 1,
  amount: '500',
  amount_decimal: '5.00',
  asset: 'USD/2',
  status: 'CREDITED',
  attempts: 1,
  credited_at: '2026-11-13T23:00:01.000Z',
  payment: PAYMENT,
  reason: null,
  last_error: null,
};
