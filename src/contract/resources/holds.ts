// Holds: payments on the ledger that reserve their funds when they are created. The state names of the holds design are accepted and
// shown (docs/reference/compatibility.md).
import { Type } from 'typebox';
import type { Payment as EnginePayment, PaymentStatus, TenantVerbs } from '../../engine.ts';
import { parseInstant } from '../../engine.ts';
import { refuse } from '../../kernel/index.ts';
import { WithRefs, shownWithRefs } from '../account-refs.ts';
import { route } from '../route.ts';
import { oldestFirst } from '../cursor.ts';
import { paymentKey } from '../wire-format.ts';
import { Reason, closed, expandQuery, idOf, instantIn, listOf, pageQuery, someOf } from '../schemas.ts';
import { AMOUNT, changedAmount } from './amount-input.ts';
import { CREATED_AT, EXECUTE_AT, HOLD } from './examples.ts';
import { HoldEvent, holdSteps, showStep } from './hold-events.ts';
import { HoldOrder, readHoldOrder } from './orders.ts';
import { LOOKED_FOR, filterQuery, pageOf, readListFilter } from './payment-filter.ts';
import { EXAMPLE_HOLD, EXPANDS, HOLD_STATUS, HOLD_WORDS, Hold, STATUSES, showHold } from './payment-shape.ts';

const Id = closed({ id: idOf('payment') });
/** The states of a filter by `status` or `hold_status`. */
const statusesIn = (words: readonly string[]): PaymentStatus[] =>
  (Object.keys(HOLD_STATUS) as PaymentStatus[]).filter(
    (one) => words.includes(one) || words.includes(HOLD_STATUS[one]),
  );

const params = { id: HOLD };
const madeHold = shownWithRefs(Hold, showHold);

/** A payment that is no hold is not found here. */
async function holdOf(tenant: TenantVerbs, id: string): Promise<EnginePayment> {
  return requireHold(await tenant.payment(paymentKey(id)), id);
}

const requireHold = (payment: EnginePayment, id: string): EnginePayment =>
  payment.funding === 'reserve' ? payment : refuse('PAYMENT_NOT_FOUND', { payment: id });

export const holdRoutes = {
  'holds.create': route({
    method: 'POST',
    path: '/holds',
    summary: 'Create a hold',
    description:
      'Reserves the amount at once, so that the payer cannot spend it, and pays it after `delay` or at `execute_at`, at most ' +
      '`USANCE_MAX_HOLD_DELAY` ahead (default seven days). `to_user` is another name for `to`. A hold for several payees, or with a fee, is ' +
      'a payment with `legs` and `funding: "reserve"`: `POST /payments`.',
    scope: 'payments:write',
    own: true,
    idempotency: 'required',
    status: 201,
    body: HoldOrder,
    answer: Hold,
    example: {
      body: { from: 'alice', to: 'bob', amount: '10000', asset: 'USD/2', delay: '48h' },
      answer: EXAMPLE_HOLD,
    },
    async handleKeyed({ tenant, body }, request) {
      return tenant.createPaymentGrouped(request, await readHoldOrder(tenant, body), madeHold);
    },
  }),

  'holds.list': route({
    method: 'GET',
    path: '/holds',
    summary: 'List holds',
    description: `Newest first. \`status\` takes the words of the fields \`status\` and \`hold_status\`. ${LOOKED_FOR}`,
    scope: 'payments:read',
    own: true,
    query: filterQuery(
      someOf([...STATUSES, ...HOLD_WORDS], {
        description: `One or several; any of them matches. ${HOLD_WORDS.map((word) => `\`${word}\``).join(', ')}: for compatibility.`,
        // Only of these words: the others are those of `status`.
        'x-compatibility': HOLD_WORDS,
      }),
    ),
    answer: listOf(Hold, 'HoldList'),
    example: { query: { status: 'PENDING', account: 'alice' }, answer: { data: [EXAMPLE_HOLD], next_cursor: null } },
    handle: ({ tenant, query }) => {
      const asked = query.status;
      const status = asked && statusesIn(asked);
      const filter = { ...readListFilter(query, status), funding: 'reserve' as const, payouts: false };
      return pageOf(query, (range) => tenant.paymentsPage(filter, range), showHold);
    },
  }),

  'holds.get': route({
    method: 'GET',
    path: '/holds/{id}',
    summary: 'Get a hold',
    scope: 'payments:read',
    own: true,
    params: Id,
    query: closed(expandQuery(EXPANDS)),
    answer: Hold,
    example: { params, answer: EXAMPLE_HOLD },
    async handle({ tenant, params }) {
      const { payment, refs } = await tenant.shownPayment(paymentKey(params.id));
      return new WithRefs(showHold(requireHold(payment, params.id)), refs);
    },
  }),

  'holds.listEvents': route({
    method: 'GET',
    path: '/holds/{id}/events',
    summary: 'List the events of a hold',
    description:
      'Oldest first. SCHEDULED follows CREATED and every change of `execute_at`, PROCESSING precedes the outcome of each attempt, and ' +
      'RELEASED precedes an end that releases funds.',
    scope: 'payments:read',
    own: true,
    params: Id,
    query: pageQuery({}),
    answer: listOf(HoldEvent, 'HoldEventList'),
    example: {
      params,
      query: { limit: '20' },
      answer: {
        data: [
          {
            event_type: 'CREATED',
            from_status: null,
            to_status: 'PENDING',
            type: 'payment.created',
            at: CREATED_AT,
            actor: EXAMPLE_HOLD.created_by,
            cause: null,
            duration_ms: null,
            details: { new: { status: 'scheduled', amount: '10000', asset: 'USD/2', execute_at: EXECUTE_AT } },
          },
        ],
        next_cursor: null,
      },
    },
    async handle(call) {
      const { id } = await holdOf(call.tenant, call.params.id);
      return oldestFirst(call.query, (range) => holdSteps(call.tenant, id, range), showStep);
    },
  }),

  'holds.cancel': route({
    method: 'POST',
    path: '/holds/{id}/cancel',
    summary: 'Cancel a hold',
    description:
      'Releases the reserved funds. A hold that was partly captured ends as settled, and the rest is released.',
    scope: 'payments:write',
    own: true,
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Hold,
    example: {
      params,
      body: { reason: 'asked for by the customer' },
      answer: {
        ...EXAMPLE_HOLD,
        status: 'cancelled',
        hold_status: 'CANCELLED',
        released: '10000',
        updated_at: EXECUTE_AT,
        ended_at: EXECUTE_AT,
      },
    },
    async handle({ tenant, params, body }) {
      const { id } = await holdOf(tenant, params.id);
      return showHold(await tenant.cancelPayment(id, body));
    },
  }),

  'holds.capture': route({
    method: 'POST',
    path: '/holds/{id}/capture',
    summary: 'Capture a hold, whole or in part',
    description:
      'Without an amount, captures everything that is left. An uncaptured rest settles at `execute_at`. If the hold needed approval, ' +
      'the persons that decided its terms cannot capture it before `execute_at`.',
    scope: 'payments:write',
    own: true,
    idempotency: 'required',
    params: Id,
    body: closed({ ...AMOUNT }),
    answer: Hold,
    example: {
      params,
      body: { amount: '4000' },
      answer: { ...EXAMPLE_HOLD, captured: '4000', captures: 1, updated_at: EXECUTE_AT },
    },
    async handle({ tenant, params, body }) {
      const hold = await holdOf(tenant, params.id);
      const amount = await changedAmount(body, async () => hold);
      return showHold(await tenant.capturePayment(hold.id, { ...amount, idempotencyKey: 'request' }));
    },
  }),

  'holds.extend': route({
    method: 'POST',
    path: '/holds/{id}/extend',
    summary: 'Extend a hold',
    description: 'A later expiry of an approved hold requires approval again.',
    scope: 'payments:write',
    own: true,
    params: Id,
    body: closed({ expires_at: instantIn('The new instant at which the hold expires if it is not settled by then.') }),
    answer: Hold,
    example: {
      params,
      body: { expires_at: '2030-01-01T00:00:00Z' },
      answer: { ...EXAMPLE_HOLD, expires_at: '2030-01-01T00:00:00.000Z' },
    },
    async handle({ tenant, params, body }) {
      const { id } = await holdOf(tenant, params.id);
      return showHold(await tenant.extendPayment(id, parseInstant(body.expires_at, 'expires_at')));
    },
  }),
};
