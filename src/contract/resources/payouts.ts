// What a payment over a chain has beyond every payment: its attempts, and the decision of a person about one in review.
import { Type } from 'typebox';
import { route } from '../route.ts';
import { Reason, closed, idOf, oneOf } from '../schemas.ts';
import { paymentKey } from '../wire-format.ts';
import { EXECUTE_AT, PAYMENT } from './examples.ts';
import { EXAMPLE_PAYMENT, Payment, showPayment } from './payment-shape.ts';
import { EXAMPLE_ATTEMPT, PayoutAttempt, showAttempt } from './payout-shape.ts';

const Id = closed({ id: idOf('payment') });
const params = { id: PAYMENT };

export const payoutRoutes = {
  'payments.listAttempts': route({
    method: 'GET',
    path: '/payments/{id}/attempts',
    summary: 'List the attempts of a payout',
    description: 'The oldest first; none for a payment between accounts. At most one of them can still land.',
    scope: 'payments:read',
    params: Id,
    answer: closed({ data: Type.Array(PayoutAttempt) }, { title: 'PayoutAttemptList' }),
    example: { params, answer: { data: [EXAMPLE_ATTEMPT] } },
    async handle({ tenant, params: { id } }) {
      const payment = await tenant.payment(paymentKey(id));
      return { data: (await tenant.payoutAttempts(payment.id)).map(showAttempt) };
    },
  }),

  'payments.resolve': route({
    method: 'POST',
    path: '/payments/{id}/resolve',
    summary: 'Resolve a payout in review',
    description:
      'The chain is asked first. `paid` settles the payout if its transaction is in a final block. `dead` ends the attempt, so that another one ' +
      'follows, or the payout fails and its funds are released; it is refused while the chain has the transaction. If the chain cannot prove ' +
      'it, your word counts and is audited; above the approval threshold it must be that of another person than those who decided the terms.',
    scope: 'ops:write',
    params: Id,
    body: closed(
      {
        outcome: oneOf(['paid', 'dead'], {
          description: '`paid`: by the transaction of the payout. `dead`: it has not paid, and never will.',
        }),
        transaction_id: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'The transaction that you looked up; refused if it is not that of the payout. Default: that of the payout.',
          }),
        ),
        reason: Reason,
      },
      { title: 'PayoutResolveParams' },
    ),
    answer: Payment,
    example: {
      params,
      body: { outcome: 'dead', reason: 'the node operator confirms that it was never forwarded' },
      answer: { ...EXAMPLE_PAYMENT, id: PAYMENT, rail: 'sandbox', status: 'scheduled', updated_at: EXECUTE_AT },
    },
    async handle({ tenant, params: { id }, body }) {
      const { transaction_id, ...rest } = body;
      const order = transaction_id === undefined ? rest : { ...rest, transactionId: transaction_id };
      return showPayment(await tenant.resolvePayout(paymentKey(id), order));
    },
  }),
};
