// The decision of a second person on a payment above the amount that needs one.
import { Type } from 'typebox';
import { route } from '../route.ts';
import { paymentKey } from '../wire-format.ts';
import { Reason, closed, idOf } from '../schemas.ts';
import { EXECUTE_AT, PAYMENT } from './examples.ts';
import { EXAMPLE_PAYMENT, Payment, showPayment } from './payment-shape.ts';

const Id = closed({ id: idOf('payment') });
const params = { id: PAYMENT };
const EXAMPLE = { ...EXAMPLE_PAYMENT, id: PAYMENT };

export const approvalRoutes = {
  'payments.approve': route({
    method: 'POST',
    path: '/payments/{id}/approve',
    summary: 'Approve a payment',
    description:
      'The payment then runs at `execute_at`, or at once if that has passed. Send the `terms_version` of the payment that you ' +
      'reviewed: if its terms have changed since, the approval is refused. The person that created the payment or changed its terms ' +
      'cannot approve it.',
    scope: 'ops:write',
    params: Id,
    body: closed({
      terms_version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
      reason: Type.Optional(Reason),
    }),
    answer: Payment,
    example: { params, body: { terms_version: 1, reason: 'seen the bill' }, answer: { ...EXAMPLE, approval: 'given' } },
    handle: async ({ tenant, params, body: { terms_version, ...reason } }) =>
      showPayment(await tenant.approvePayment(paymentKey(params.id), { termsVersion: terms_version, ...reason })),
  }),

  'payments.reject': route({
    method: 'POST',
    path: '/payments/{id}/reject',
    summary: 'Reject a payment that awaits approval',
    description: 'Cancels the payment and releases its reserved funds.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Reason }),
    answer: Payment,
    example: {
      params,
      body: { reason: 'this payee is unknown' },
      answer: { ...EXAMPLE, approval: 'awaited', status: 'cancelled', released: '10000', ended_at: EXECUTE_AT },
    },
    handle: async ({ tenant, params, body }) =>
      showPayment(await tenant.rejectPayment(paymentKey(params.id), body.reason)),
  }),
};
