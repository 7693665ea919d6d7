// Why a payment has not been paid yet.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { WhyReason } from '../../engine.ts';
import { WHY_CODES } from '../../engine.ts';
import { shownActor, toDecimal } from '../../kernel/index.ts';
import { instantOrNull, paymentId, paymentKey } from '../wire-format.ts';
import { route } from '../route.ts';
import { Amount, Instant, closed, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { Decimal } from './amount-input.ts';
import { CREATED_AT, PAYMENT } from './examples.ts';
import { STATUSES, shownStatus } from './payment-shape.ts';

const Change = closed(
  {
    operation: textOrNull({
      description: 'The operation that makes the change; null if no call does.',
      examples: ['accounts.deposit'],
    }),
    sentence: Type.String({ description: 'The action to take, or the change that happens automatically.' }),
  },
  { title: 'PaymentWhyChange' },
);

const REASON = {
  code: oneOf(WHY_CODES),
  sentence: Type.String({ description: 'Why the payment has not been paid yet, in one sentence.' }),
  until: nullable(Instant, { description: 'When the reason ends automatically; null if that is not known.' }),
  missing: nullable(Amount, { description: 'The amount that the payer’s balance lacks.' }),
  missing_decimal: nullable(Decimal, { description: '`missing` as a decimal, such as "50.00".' }),
  by: textOrNull({ description: 'The caller that caused the reason, for example the one that set the pause.' }),
  changes: Type.Array(Change, { description: 'The changes that would let the payment run, one sentence each.' }),
};

const Reason = closed(REASON, { title: 'PaymentWhyReason' });

const Why = closed(
  {
    payment: idOf('payment'),
    status: oneOf(STATUSES),
    at: Instant,
    ...REASON,
    also: Type.Array(Reason, { description: 'Other reasons that apply now, in the order the processor meets them.' }),
  },
  { title: 'PaymentWhy' },
);

const showReason = (asset: string, reason: WhyReason): Static<typeof Reason> => ({
  code: reason.code,
  sentence: reason.sentence,
  until: instantOrNull(reason.until),
  missing: reason.missing?.toString() ?? null,
  missing_decimal: reason.missing === null ? null : toDecimal(reason.missing, asset),
  by: reason.by === null ? null : shownActor(reason.by),
  changes: reason.changes.map(({ operation, sentence }) => ({ operation, sentence })),
});

export const whyRoutes = {
  'payments.why': route({
    method: 'GET',
    path: '/payments/{id}/why',
    summary: 'Explain why a payment has not been paid yet',
    description:
      'One sentence, and the changes that would let the payment run. `code` is the first reason that the processor meets; other ' +
      'reasons that apply are in `also`. Reads only. The payer can call it with an end-user token and does not see reasons or callers ' +
      'of the tenant. A key without `ops:read` does not see the texts, callers and numbers of pauses, limits, freezes and caps; one without ' +
      '`ledger:read` does not see balances or the reason of a suspension.',
    scope: 'payments:read',
    own: true,
    params: closed({ id: idOf('payment') }),
    answer: Why,
    example: {
      params: { id: PAYMENT },
      answer: {
        payment: PAYMENT,
        status: 'scheduled',
        at: CREATED_AT,
        code: 'funds_insufficient',
        sentence: 'account "alice" has 50.00 USD available; 100.00 USD is required',
        until: null,
        missing: '5000',
        missing_decimal: '50.00',
        by: null,
        changes: [
          {
            operation: 'accounts.deposit',
            sentence:
              'A credit of 50.00 USD or more to account "alice" lets the payment be paid: it is tried as soon as the credit commits.',
          },
        ],
        also: [],
      },
    },
    async handle({ tenant, params }) {
      const why = await tenant.whyPayment(paymentKey(params.id));
      return {
        payment: paymentId(why.paymentId),
        status: shownStatus(why.status),
        at: why.at.toISOString(),
        ...showReason(why.asset, why),
        also: why.also.map((each) => showReason(why.asset, each)),
      };
    },
  }),
};
