// Payments: everything a hold is, and payments that look for their funds when they are due. Many at once are in bulk.ts.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Payment as EnginePayment, TimelineEntry } from '../../engine.ts';
import { parseInstant } from '../../engine.ts';
import { shownActor, toTypeId } from '../../kernel/index.ts';
import { WithRefs, shownWithRefs } from '../account-refs.ts';
import { route } from '../route.ts';
import { oldestFirst } from '../cursor.ts';
import { exampleOfEvent } from '../event-examples.ts';
import { accountId, accountKey, durationOf, instantOrNull, paymentKey } from '../wire-format.ts';
import {
  AccountName,
  Amount,
  Instant,
  Metadata,
  Reason,
  closed,
  durationShown,
  expandQuery,
  idOf,
  instantIn,
  listOf,
  nullable,
  pageQuery,
  someOf,
  textOrNull,
} from '../schemas.ts';
import { AMOUNT, changedAmount, orderAsset } from './amount-input.ts';
import { AN_HOUR_LATER, BOB, CREATED_AT, EXECUTE_AT, FEES, PAYMENT } from './examples.ts';
import { PaymentOrder, readPaymentOrder } from './orders.ts';
import { shownTimeline } from './hold-events.ts';
import { LOOKED_FOR, filterQuery, pageOf, readListFilter } from './payment-filter.ts';
import { EXAMPLE_PAYMENT, EXPANDS, Payment, STATUSES, showPayment } from './payment-shape.ts';

const Id = closed({ id: idOf('payment') });
const params = { id: PAYMENT };
const madePayment = shownWithRefs(Payment, showPayment);
const EXAMPLE = { ...EXAMPLE_PAYMENT, id: PAYMENT };
const WITH_REASON = closed({ reason: Type.Optional(Reason) });

const TimelineItem = closed(
  {
    type: Type.String({ examples: ['payment.settled'] }),
    at: Instant,
    actor: Type.String(),
    after: durationShown('Time since the previous entry.'),
    cause: textOrNull({ description: 'The reason of the refusal, or the reason that the caller gave.' }),
    reason: textOrNull({
      description:
        'The header `Usance-Reason` of the request that caused the entry; null if it had none. An end user sees only their own.',
    }),
    duration_ms: nullable(Type.Integer(), {
      description:
        'Milliseconds from the claim of the batch to the decision; null if the entry is not an attempt. A batch is one transaction, so ' +
        'its attempts share the number.',
    }),
    data: Type.Unsafe<unknown>({
      type: 'object',
      description:
        'The data of the event, as in the event catalogue; `erased` after it was erased. An end user sees a part of it.',
    }),
  },
  { title: 'TimelineEntry' },
);

const showEntry = ({ shown, ...entry }: TimelineEntry & { readonly shown: unknown }): Static<typeof TimelineItem> => ({
  type: entry.type,
  at: entry.at.toISOString(),
  actor: shownActor(entry.actor),
  after: durationOf(entry.afterMs),
  cause: entry.cause,
  reason: entry.reason,
  duration_ms: entry.durationMs,
  data: shown,
});

const Refund = closed(
  { id: idOf('refund'), from: idOf('account'), amount: Amount, created_at: Instant },
  { title: 'Refund' },
);

/** A change of one payment that answers with the payment. */
const changed = async (change: Promise<EnginePayment>): Promise<Static<typeof Payment>> => showPayment(await change);

export const paymentRoutes = {
  'payments.create': route({
    method: 'POST',
    path: '/payments',
    summary: 'Create a payment',
    description: 'Paid at `execute_at`, after `delay`, or at once. With `legs` up to ten payees are paid together.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    body: PaymentOrder,
    answer: Payment,
    example: {
      body: {
        from: 'alice',
        legs: [
          { to: 'bob', amount: '9700' },
          { to: 'fees', amount: '300' },
        ],
        amount: '10000',
        asset: 'USD/2',
        delay: 'PT1H',
        funding: 'at_execution',
        retry: { max_attempts: 3, initial_delay: 'PT1M' },
        priority: 'high',
        metadata: { order: 'A-1001' },
      },
      answer: {
        ...EXAMPLE,
        funding: 'at_execution',
        to: null,
        legs: [
          { to: BOB, amount: '9700' },
          { to: FEES, amount: '300' },
        ],
        execute_at: AN_HOUR_LATER,
        priority: 'high',
        retry: { max_attempts: 3, initial_delay: 'PT1M', multiplier: 2, max_delay: 'PT1H', jitter: 0 },
        metadata: { order: 'A-1001' },
      },
    },
    async handleKeyed({ tenant, body }, request) {
      const order = readPaymentOrder(body, await orderAsset(tenant, body));
      return tenant.createPaymentGrouped(request, order, madePayment);
    },
  }),

  'payments.list': route({
    method: 'GET',
    path: '/payments',
    summary: 'List payments',
    description: `Newest first, including holds. ${LOOKED_FOR}`,
    scope: 'payments:read',
    own: true,
    query: filterQuery(someOf(STATUSES)),
    answer: listOf(Payment, 'PaymentList'),
    example: { query: { status: 'scheduled', account: 'alice' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) =>
      pageOf(query, (range) => tenant.paymentsPage(readListFilter(query, query.status), range), showPayment),
  }),

  'payments.get': route({
    method: 'GET',
    path: '/payments/{id}',
    summary: 'Get a payment',
    scope: 'payments:read',
    own: true,
    params: Id,
    query: closed(expandQuery(EXPANDS)),
    answer: Payment,
    example: { params, answer: { ...EXAMPLE, next_attempt_at: EXAMPLE.execute_at } },
    async handle({ tenant, params }) {
      const id = paymentKey(params.id);
      const { payment, nextAttemptAt, refs } = await tenant.shownPayment(id);
      return new WithRefs({ ...showPayment(payment), next_attempt_at: instantOrNull(nextAttemptAt) }, refs);
    },
  }),

  'payments.update': route({
    method: 'PATCH',
    path: '/payments/{id}',
    summary: 'Update a scheduled payment',
    description:
      'Changes the amount, the instant or the metadata. A larger amount of a hold requires the difference to be available.',
    scope: 'payments:write',
    own: true,
    params: Id,
    body: closed(
      {
        ...AMOUNT,
        execute_at: Type.Optional(instantIn('When the payment is due. Default: unchanged.')),
        metadata: Type.Optional(Metadata),
      },
      { title: 'PaymentUpdateParams', minProperties: 1 },
    ),
    answer: Payment,
    example: {
      params,
      body: { amount: '9000' },
      answer: { ...EXAMPLE, amount: '9000', amount_decimal: '90.00', legs: [{ to: BOB, amount: '9000' }] },
    },
    async handle({ tenant, params, body }) {
      const { execute_at, amount: _amount, amount_decimal: _decimal, ...rest } = body;
      const id = paymentKey(params.id);
      const amount = await changedAmount(body, () => tenant.payment(id));
      const when = execute_at === undefined ? {} : { executeAt: parseInstant(execute_at, 'execute_at') };
      return changed(tenant.editPayment(id, { ...rest, ...amount, ...when }));
    },
  }),

  'payments.listTimeline': route({
    method: 'GET',
    path: '/payments/{id}/timeline',
    summary: 'List the timeline of a payment',
    description:
      'Every event of the payment with its instant, its reason and the time since the previous event, oldest first.',
    scope: 'payments:read',
    own: true,
    params: Id,
    query: pageQuery({}),
    answer: listOf(TimelineItem, 'Timeline'),
    example: {
      params,
      query: { limit: '20' },
      answer: {
        data: [
          {
            type: 'payment.created',
            at: CREATED_AT,
            actor: EXAMPLE.created_by,
            after: 'PT0S',
            cause: null,
            reason: null,
            duration_ms: null,
            data: exampleOfEvent('payment.created'),
          },
        ],
        next_cursor: null,
      },
    },
    handle: ({ tenant, params, query }) =>
      oldestFirst(query, (range) => shownTimeline(tenant, paymentKey(params.id), range), showEntry),
  }),

  'payments.cancel': route({
    method: 'POST',
    path: '/payments/{id}/cancel',
    summary: 'Cancel a scheduled payment',
    scope: 'payments:write',
    own: true,
    params: Id,
    body: WITH_REASON,
    answer: Payment,
    example: {
      params,
      body: { reason: 'asked for by the customer' },
      answer: { ...EXAMPLE, status: 'cancelled', released: '10000', ended_at: EXECUTE_AT },
    },
    handle: ({ tenant, params, body }) => changed(tenant.cancelPayment(paymentKey(params.id), body)),
  }),

  'payments.capture': route({
    method: 'POST',
    path: '/payments/{id}/capture',
    summary: 'Capture a payment, whole or in part',
    description:
      'Without an amount, captures everything that is left. An uncaptured rest settles at `execute_at`. A partial capture of a payment ' +
      'with legs is divided among the payees in proportion to their legs: in the order of the legs, each payee gets its share of the ' +
      'total captured so far, rounded half up to a minor unit, out of the amount that is left for it and the payees after it. If the ' +
      'payment needed approval, the persons that decided its terms cannot capture it before `execute_at`.',
    scope: 'payments:write',
    own: true,
    idempotency: 'required',
    params: Id,
    body: closed({ ...AMOUNT }),
    answer: Payment,
    example: { params, body: { amount: '4000' }, answer: { ...EXAMPLE, captured: '4000', captures: 1 } },
    async handle({ tenant, params: { id }, body }) {
      const key = paymentKey(id);
      const amount = await changedAmount(body, () => tenant.payment(key));
      return changed(tenant.capturePayment(key, { ...amount, idempotencyKey: 'request' }));
    },
  }),

  'payments.extend': route({
    method: 'POST',
    path: '/payments/{id}/extend',
    summary: 'Extend a payment',
    description: 'A later expiry of an approved payment requires approval again.',
    scope: 'payments:write',
    own: true,
    params: Id,
    body: closed({
      expires_at: instantIn('The new instant at which the payment expires if it is not settled by then.'),
    }),
    answer: Payment,
    example: {
      params,
      body: { expires_at: '2030-01-01T00:00:00Z' },
      answer: { ...EXAMPLE, expires_at: '2030-01-01T00:00:00.000Z' },
    },
    handle: ({ tenant, params: { id }, body }) =>
      changed(tenant.extendPayment(paymentKey(id), parseInstant(body.expires_at, 'expires_at'))),
  }),

  'payments.refund': route({
    method: 'POST',
    path: '/payments/{id}/refund',
    summary: 'Refund a settled payment',
    description:
      'Without an amount, refunds everything that was not refunded yet. For a partial refund of a payment with several payees, `from` ' +
      'names the payee that gives the money back.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    params: Id,
    body: closed({
      ...AMOUNT,
      from: Type.Optional(AccountName),
      reason: Type.Optional(Reason),
    }),
    answer: closed({ payment: Payment, refunds: Type.Array(Refund) }, { title: 'Refunded' }),
    example: {
      params,
      body: { amount: '2500', reason: 'one item was missing' },
      answer: {
        payment: {
          ...EXAMPLE,
          status: 'settled',
          captured: '10000',
          refunded: '2500',
          attempts: 1,
          ended_at: EXECUTE_AT,
        },
        refunds: [{ id: 'rfd_01k9ztb4n6q8s0v2x4z6b8d0f2', from: BOB, amount: '2500', created_at: EXECUTE_AT }],
      },
    },
    async handle({ tenant, params, body }) {
      const { from, amount: _amount, amount_decimal: _decimal, ...rest } = body;
      const id = paymentKey(params.id);
      const done = await tenant.refundPayment(id, {
        ...rest,
        ...(await changedAmount(body, () => tenant.payment(id))),
        ...(from === undefined ? {} : { from: accountKey(from) }),
        idempotencyKey: 'request',
      });
      const refunds = done.refunds.map((refund) => ({
        id: toTypeId('refund', refund.id),
        from: accountId(refund.accountId),
        amount: refund.amount.toString(),
        created_at: refund.createdAt.toISOString(),
      }));
      return { payment: showPayment(done.payment), refunds };
    },
  }),

  'payments.retry': route({
    method: 'POST',
    path: '/payments/{id}/retry',
    summary: 'Retry a failed payment',
    description: 'Funds are reserved again. The payment is due now, or at `execute_at` if that is later.',
    scope: 'ops:write',
    params: Id,
    body: WITH_REASON,
    answer: Payment,
    example: { params, body: { reason: 'the account was reactivated' }, answer: EXAMPLE },
    handle: ({ tenant, params, body }) => changed(tenant.retryPayment(paymentKey(params.id), body)),
  }),

  'payments.runNow': route({
    method: 'POST',
    path: '/payments/{id}/run-now',
    summary: 'Run a scheduled payment now',
    description:
      'If the payment needed approval, the persons that decided its terms cannot run it before `execute_at`; another person can.',
    scope: 'ops:write',
    params: Id,
    answer: Payment,
    example: { params, answer: EXAMPLE },
    handle: ({ tenant, params }) => changed(tenant.runPaymentNow(paymentKey(params.id))),
  }),

  'payments.fail': route({
    method: 'POST',
    path: '/payments/{id}/fail',
    summary: 'Fail a scheduled payment',
    description: 'Releases the reserved funds. The payment becomes a dead letter.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Reason }),
    answer: Payment,
    example: {
      params,
      body: { reason: 'the order was never shipped' },
      answer: {
        ...EXAMPLE,
        status: 'failed',
        released: '10000',
        last_error: { code: 'FAILED_BY_OPERATOR', detail: 'the order was never shipped' },
        ended_at: EXECUTE_AT,
      },
    },
    handle: ({ tenant, params, body }) => changed(tenant.failPayment(paymentKey(params.id), body.reason)),
  }),
};
