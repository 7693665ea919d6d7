// Payment intents: payouts under the names of the payment intents design. An intent is a payment, with the id of the payment; what the two faces
// cannot both say is in docs/reference/compatibility.md.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Payment as EnginePayment, PaymentStatus, PayoutAttempt as Attempt, TenantVerbs } from '../../engine.ts';
import { PAYMENT_STATUSES, ROUTE_PRIORITIES } from '../../engine.ts';
import { refuse } from '../../kernel/index.ts';
import { WithRefs } from '../account-refs.ts';
import { before, stretch } from '../cursor.ts';
import { route } from '../route.ts';
import {
  AccountName,
  AssetName,
  DelayIn,
  Destinations,
  Metadata,
  Reason,
  Reference,
  closed,
  expandQuery,
  idOf,
  instantIn,
  listOf,
  oneGivenOf,
  oneOf,
  pageQuery,
  someOf,
} from '../schemas.ts';
import { accountKey, paymentKey } from '../wire-format.ts';
import { AMOUNT, orderAsset, requiredAmount } from './amount-input.ts';
import { EXECUTE_AT, PAYMENT } from './examples.ts';
import { EXAMPLE_INTENT, INTENT_STATUS, INTENT_STATUSES, PaymentIntent, showIntent } from './payout-shape.ts';
import type { IntentStatus } from './payout-shape.ts';

const Id = closed({ id: idOf('payment') });
const params = { id: PAYMENT };

const IntentOrder = closed(
  {
    from: AccountName,
    ...AMOUNT,
    asset: Type.Optional(AssetName),
    destinations: Destinations,
    priority: Type.Optional(
      oneOf(ROUTE_PRIORITIES, {
        description:
          'Priority of the choice of a chain: the fee, the time to finality, or the reliability. Default `low_fee`.',
      }),
    ),
    execute_at: Type.Optional(instantIn('When the payout is due; instead of `delay`. Default: now.')),
    delay: Type.Optional(DelayIn),
    expires_at: Type.Optional(instantIn('If no attempt has begun by then, the payout expires. Default: never.')),
    reference: Type.Optional(Reference),
    metadata: Type.Optional(Metadata),
  },
  { title: 'PaymentIntentCreateParams', ...oneGivenOf(['amount', 'amount_decimal']) },
);

/** A payment on the ledger is no intent. */
async function intent(tenant: TenantVerbs, id: string): Promise<EnginePayment> {
  const payment = await tenant.payment(id);
  return payment.payout ? payment : refuse('PAYMENT_NOT_FOUND', { payment: id });
}

async function shown(tenant: TenantVerbs, payment: EnginePayment): Promise<Static<typeof PaymentIntent>> {
  const [attempt] = await tenant.shownAttempts([payment.id]);
  return showIntent(payment, attempt);
}

const statusesOf = (words: readonly IntentStatus[]): PaymentStatus[] =>
  PAYMENT_STATUSES.filter((status) => words.includes(INTENT_STATUS[status]));

export const paymentIntentRoutes = {
  'paymentIntents.create': route({
    method: 'POST',
    path: '/payment-intents',
    summary: 'Create a payout',
    description:
      'The same as `POST /v1/payments` with `destinations`: the amount is reserved, and the chain is chosen among the destinations when the ' +
      'payout is due.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    body: IntentOrder,
    answer: PaymentIntent,
    example: {
      body: {
        from: 'alice',
        amount: '10000000',
        asset: 'USDC',
        destinations: EXAMPLE_INTENT.destinations,
        execute_at: EXECUTE_AT,
      },
      answer: EXAMPLE_INTENT,
    },
    async handle({ tenant, body }) {
      const asset = await orderAsset(tenant, body);
      const { from, destinations, priority, execute_at, delay, expires_at, reference, metadata } = body;
      const payment = await tenant.createPayment({
        from: accountKey(from),
        amount: requiredAmount(body, asset),
        asset,
        destinations,
        ...(priority === undefined ? {} : { routePriority: priority }),
        ...(execute_at === undefined ? {} : { executeAt: execute_at }),
        ...(delay === undefined ? {} : { delay }),
        ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
        ...(reference === undefined ? {} : { reference }),
        ...(metadata === undefined ? {} : { metadata }),
        idempotencyKey: 'request',
      });
      return showIntent(payment, undefined);
    },
  }),

  'paymentIntents.list': route({
    method: 'GET',
    path: '/payment-intents',
    summary: 'List payouts',
    description: 'Newest first. A page reads at most 20,000 payments, so it can be short or empty without being the last.',
    scope: 'payments:read',
    query: pageQuery({ status: Type.Optional(someOf(INTENT_STATUSES)), ...expandQuery(['from']) }),
    answer: listOf(PaymentIntent, 'PaymentIntentList'),
    example: { query: { status: 'route_selected' }, answer: { data: [EXAMPLE_INTENT], next_cursor: null } },
    async handle({ tenant, query }) {
      let attempts: ReadonlyMap<string, Attempt> = new Map();
      let refs: ReadonlyMap<string, string> | undefined;
      const status = query.status && statusesOf(query.status);
      const page = await stretch(
        query,
        async (limit, mark) => {
          const filter = { payouts: true, ...(status ? { status } : {}) };
          const read = await tenant.paymentsPage(filter, { limit, ...before(mark) });
          refs = read.refs;
          const found = await tenant.shownAttempts(read.payments.map(({ id }) => id));
          attempts = new Map(found.map((attempt) => [attempt.paymentId, attempt]));
          return { rows: read.payments, next: read.next };
        },
        (payment) => showIntent(payment, attempts.get(payment.id)),
      );
      return new WithRefs(page, refs);
    },
  }),

  'paymentIntents.get': route({
    method: 'GET',
    path: '/payment-intents/{id}',
    summary: 'Get a payout',
    scope: 'payments:read',
    params: Id,
    query: closed(expandQuery(['from'])),
    answer: PaymentIntent,
    example: { params, answer: EXAMPLE_INTENT },
    handle: async ({ tenant, params: { id } }) => shown(tenant, await intent(tenant, paymentKey(id))),
  }),

  'paymentIntents.cancel': route({
    method: 'POST',
    path: '/payment-intents/{id}/cancel',
    summary: 'Cancel a payout that has not begun',
    description: 'Refused once an attempt has begun: from then on the chain decides.',
    scope: 'payments:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: PaymentIntent,
    example: {
      params,
      body: { reason: 'the payee changed the address' },
      answer: { ...EXAMPLE_INTENT, status: 'cancelled', updated_at: EXECUTE_AT },
    },
    async handle({ tenant, params: { id }, body }) {
      const { id: key } = await intent(tenant, paymentKey(id));
      return shown(tenant, await tenant.cancelPayment(key, body));
    },
  }),
};
