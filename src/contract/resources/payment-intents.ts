// Payment intents: payouts under the names of the payment intents API (docs/reference/compatibility.md). An intent is a payment, and has its id.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type {
  Payment as EnginePayment,
  PaymentOrder,
  PaymentStatus,
  PayoutAttempt,
  TenantVerbs,
} from '../../engine.ts';
import { ROUTE_PRIORITIES } from '../../engine.ts';
import { fromTypeId, refuse } from '../../kernel/index.ts';
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
import { AN_HOUR_LATER, EXECUTE_AT, PAYMENT } from './examples.ts';
import { STATUSES } from './payment-shape.ts';
import type { IntentStatus } from './payout-shape.ts';
import {
  EXAMPLE_INTENT,
  INTENT_STATUS,
  INTENT_STATUSES,
  PaymentIntent,
  showIntent,
  shownIntent,
} from './payout-shape.ts';
import { EXAMPLE_ROUTE, PayoutRoute, shownRoute } from './quotes.ts';

const Id = closed({ id: idOf('payment') });
const params = { id: PAYMENT };

const IntentOrder = closed(
  {
    from: AccountName,
    quote_id: Type.Optional({
      ...idOf('quote'),
      description: 'A quote, whose asset, amount, destinations and priority the payout takes. It can be used once.',
    }),
    ...AMOUNT,
    asset: Type.Optional(AssetName),
    destinations: Type.Optional(Destinations),
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
  { title: 'PaymentIntentCreateParams', ...oneGivenOf(['quote_id', 'destinations']) },
);

type Order = Static<typeof IntentOrder>;
type What = Pick<PaymentOrder, 'asset' | 'amount' | 'rail' | 'destinations' | 'routePriority' | 'quoteId'>;

/** The amount and its destinations, by the quote or by the fields of the request. */
async function what(tenant: TenantVerbs, body: Order): Promise<What> {
  const { quote_id, destinations, priority } = body;
  if (quote_id === undefined) {
    if (destinations === undefined) return refuse('FIELD_INVALID/required', { param: 'destinations' });
    const asset = await orderAsset(tenant, body);
    const amount = requiredAmount(body, asset);
    return { asset, amount, rail: 'any', destinations, ...(priority === undefined ? {} : { routePriority: priority }) };
  }
  const quote = await tenant.takeQuote(fromTypeId('quote', quote_id));
  for (const param of ['destinations', 'asset', 'amount', 'amount_decimal', 'priority'] as const)
    if (body[param] !== undefined) refuse('FIELD_INVALID/both_given', { param, first: 'quote_id' });
  const { asset, amount, destinations: quoted, priority: routePriority, id: quoteId } = quote;
  return { asset, amount, rail: 'any', destinations: quoted, routePriority, quoteId };
}

/** A payment on the ledger is no intent. */
async function intent(tenant: TenantVerbs, id: string): Promise<EnginePayment> {
  const payment = await tenant.payment(id);
  return payment.payout ? payment : refuse('PAYMENT_NOT_FOUND', { payment: id });
}

const statusesOf = (words: readonly IntentStatus[]): PaymentStatus[] =>
  STATUSES.filter((status) => words.includes(INTENT_STATUS[status]));

export const paymentIntentRoutes = {
  'paymentIntents.create': route({
    method: 'POST',
    path: '/payment-intents',
    summary: 'Create a payout',
    description:
      'The same as `POST /v1/payments` with `destinations`, or, with `quote_id`, as accepting the quote. The amount is reserved, and the chain is ' +
      'chosen among the destinations when the payout is due.',
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
        delay: 'PT1H',
      },
      answer: { ...EXAMPLE_INTENT, execute_at: AN_HOUR_LATER },
    },
    async handle({ tenant, body }) {
      const { from, execute_at, delay, expires_at, reference, metadata } = body;
      const payment = await tenant.createPayment({
        from: accountKey(from),
        ...(await what(tenant, body)),
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
    description:
      'Newest first. With `status` a page reads at most 20,000 payouts, so it can be short or empty without being the last: continue with `next_cursor`.',
    scope: 'payments:read',
    query: pageQuery({
      status: Type.Optional(someOf(INTENT_STATUSES)),
      reference: Type.Optional(Reference),
      ...expandQuery(['from']),
    }),
    answer: listOf(PaymentIntent, 'PaymentIntentList'),
    example: { query: { status: 'route_selected' }, answer: { data: [EXAMPLE_INTENT], next_cursor: null } },
    async handle({ tenant, query }) {
      let attempts: ReadonlyMap<string, PayoutAttempt> = new Map();
      let refs: ReadonlyMap<string, string> | undefined;
      const status = query.status && statusesOf(query.status);
      const page = await stretch(
        query,
        async (limit, mark) => {
          const { reference } = query;
          const filter = {
            payouts: true,
            ...(status ? { status } : {}),
            ...(reference === undefined ? {} : { reference }),
          };
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
    handle: async ({ tenant, params: { id } }) => shownIntent(tenant, await intent(tenant, paymentKey(id))),
  }),

  'paymentIntents.getRoute': route({
    method: 'GET',
    path: '/payment-intents/{id}/route',
    summary: 'Get the route of a payout',
    description: 'The same as `GET /v1/payments/{id}/route`: why the payout takes its chain.',
    scope: 'payments:read',
    params: Id,
    answer: PayoutRoute,
    example: { params, answer: EXAMPLE_ROUTE },
    handle: async ({ tenant, params: { id } }) => shownRoute(tenant, (await intent(tenant, paymentKey(id))).id),
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
      return shownIntent(tenant, await tenant.cancelPayment(key, body));
    },
  }),
};
