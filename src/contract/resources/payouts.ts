// Routes of payments over chains only: attempts, and the decision of a person about a payout in review.
import { Type } from 'typebox';
import { RESOLUTIONS } from '../../engine.ts';
import { page, slotMark } from '../cursor.ts';
import { route } from '../route.ts';
import { Reason, closed, idOf, listOf, oneOf, pageQuery } from '../schemas.ts';
import { paymentKey } from '../wire-format.ts';
import { EXECUTE_AT, PAYMENT } from './examples.ts';
import { Payment, showPayment } from './payment-shape.ts';
import { EXAMPLE_ATTEMPT, EXAMPLE_PAYOUT, PayoutAttempt, showAttempt } from './payout-shape.ts';

const Id = closed({ id: idOf('payment') });
const params = { id: PAYMENT };

export const payoutRoutes = {
  'payments.listAttempts': route({
    method: 'GET',
    path: '/payments/{id}/attempts',
    summary: 'List the attempts of a payout',
    description: 'Oldest first; empty for a payment between accounts. At most one attempt can still land.',
    scope: 'payments:read',
    params: Id,
    query: pageQuery({}),
    answer: listOf(PayoutAttempt, 'PayoutAttemptList'),
    example: { params, query: { limit: '20' }, answer: { data: [EXAMPLE_ATTEMPT], next_cursor: null } },
    handle: ({ tenant, params: { id }, query }) =>
      page(
        query,
        (limit, mark) =>
          tenant.payoutAttempts(paymentKey(id), { limit, after: mark === undefined ? 0 : slotMark(mark) }),
        ({ number }) => String(number),
        showAttempt,
      ),
  }),

  'payments.resolve': route({
    method: 'POST',
    path: '/payments/{id}/resolve',
    summary: 'Resolve a payout in review',
    description:
      'The chain is asked first. `paid` settles the payout if its transaction, with its destination and amount, is in a final block. `dead` ends the ' +
      'attempt, so that another one follows or the payout fails and its funds are released; it is refused while the chain can still include the ' +
      'transaction, or has it. If one endpoint of the chain does not answer, you vouch for the outcome; above the approval threshold the persons that ' +
      'decided the terms of the payout cannot. Needs the scope `ledger:money`, too.',
    scope: 'ops:write',
    params: Id,
    body: closed(
      {
        outcome: oneOf(RESOLUTIONS, {
          description: '`paid`: by its transaction, which is final. `dead`: it has not paid, and never will.',
        }),
        transaction_id: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description:
              'The transaction that you looked up; refused if it is not that of the payout. Required for `paid`. Default for `dead`: that of the payout.',
            examples: [EXAMPLE_ATTEMPT.transaction_id],
          }),
        ),
        reason: Reason,
      },
      { title: 'PayoutResolveParams' },
    ),
    answer: Payment,
    example: {
      params,
      body: { outcome: 'dead', reason: 'neither explorer has it, and block 160 is final' },
      answer: {
        ...EXAMPLE_PAYOUT,
        rail: 'sandbox',
        attempts: 1,
        last_error: {
          code: 'PAYOUT_NOT_LANDED',
          detail: `transaction ${EXAMPLE_ATTEMPT.transaction_id} is not on sandbox and can no longer be included`,
        },
        updated_at: EXECUTE_AT,
      },
    },
    async handle({ tenant, params: { id }, body }) {
      const { transaction_id, ...rest } = body;
      const order = transaction_id === undefined ? rest : { ...rest, transactionId: transaction_id };
      return showPayment(await tenant.resolvePayout(paymentKey(id), order));
    },
  }),
};
