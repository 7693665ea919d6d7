// A second person's word on a payment above the amount that needs one.
import { Type } from 'typebox';
import { route } from '../contract.ts';
import { paymentKey } from '../names.ts';
import { Reason, closed, idOf } from '../schemas.ts';
import { EXECUTE_AT, PAYMENT } from './examples.ts';
import { EXAMPLE_PAYMENT, Payment, showPayment } from './payment-shape.ts';

const tag = 'payments';
const Id = closed({ id: idOf('payment') });
const params = { id: PAYMENT };
const EXAMPLE = { ...EXAMPLE_PAYMENT, id: PAYMENT };

export const approvalRoutes = {
  approvePayment: route({
    method: 'POST',
    path: '/payments/{id}/approve',
    tag,
    summary: 'Approve a payment that waits for a second person',
    description:
      'It then runs at its instant, or at once where that has passed. Who made the payment, or last changed its terms, ' +
      'cannot approve it.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Payment,
    example: { params, body: { reason: 'seen the bill' }, answer: { ...EXAMPLE, approval: 'given' } },
    handle: async ({ tenant, params, body }) => showPayment(await tenant.approvePayment(paymentKey(params.id), body)),
  }),

  rejectPayment: route({
    method: 'POST',
    path: '/payments/{id}/reject',
    tag,
    summary: 'Reject a payment that waits for a second person',
    description: 'It is cancelled, and what it set aside is given back.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Reason }),
    answer: Payment,
    example: {
      params,
      body: { reason: 'nobody knows this payee' },
      answer: { ...EXAMPLE, approval: 'awaited', status: 'cancelled', released: '10000', ended_at: EXECUTE_AT },
    },
    handle: async ({ tenant, params, body }) =>
      showPayment(await tenant.rejectPayment(paymentKey(params.id), body.reason)),
  }),
};
