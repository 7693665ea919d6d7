// Quotes of payouts, the payouts that are created with them, and the routes of payouts in words.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Quote as EngineQuote, StoredRoute, TenantVerbs } from '../../engine.ts';
import { PRIORITIES, ROUTE_CAUSES, ROUTE_PRIORITIES, explainRoute, parseInstant } from '../../engine.ts';
import { fromTypeId, refuse, toTypeId } from '../../kernel/index.ts';
import { newestFirst } from '../cursor.ts';
import { route } from '../route.ts';
import {
  AccountName,
  Amount,
  AssetName,
  DelayIn,
  Destinations,
  Instant,
  Metadata,
  Reference,
  closed,
  idOf,
  instantIn,
  listOf,
  nullable,
  oneGivenOf,
  oneOf,
  pageQuery,
} from '../schemas.ts';
import { accountKey, instantOrNull, paymentId, paymentKey } from '../wire-format.ts';
import { HEALTH } from './chains.ts';
import { AMOUNT, requireGiven, requiredAmount, scaledAsset } from './amount-input.ts';
import { AN_HOUR_LATER, CREATED_AT, PAYMENT } from './examples.ts';
import { Payment, showPayment } from './payment-shape.ts';
import { EXAMPLE_PAYOUT } from './payout-shape.ts';

const DISQUALIFIED = [
  'no_address',
  'treasury_too_low',
  'chain_unhealthy',
  'price_stale',
  'wallet_unread',
  'wallet_frozen',
  'attempt_failed',
  'fee_unread',
  'barred',
] as const;

const Score = Type.Number({ minimum: 0, maximum: 1 });

const Candidate = closed(
  {
    chain: Type.String({ examples: ['sandbox'] }),
    score: nullable(Score, {
      description: 'Weighted sum of the three shares, halved for a degraded chain; null if the chain does not qualify.',
    }),
    fee_share: nullable(Score, {
      description: '1 minus the fee divided by the highest fee of the chains that qualify.',
    }),
    latency_share: nullable(Score, {
      description: '1 minus the seconds divided by the most seconds of the chains that qualify.',
    }),
    reliability_share: nullable(Score, { description: '1 minus the share of failed calls.' }),
    disqualified: nullable(oneOf(DISQUALIFIED), { description: 'Why the chain does not qualify; null if it does.' }),
    health: oneOf(HEALTH),
    fee_usd: nullable(Type.Number(), { description: 'Estimated fee in US dollars; null without a fresh price.' }),
    confirmation_seconds: Type.Number({ description: 'Average time until a transaction is final, in seconds.' }),
    rpc_error_rate: Score,
  },
  { title: 'RouteCandidate' },
);

const CHOICE = {
  chain: Type.String({ description: 'The chain with the highest score.', examples: ['sandbox'] }),
  explanation: Type.Array(Type.String(), {
    description: 'One sentence for the choice, then one for each chain, the best first.',
  }),
  candidates: Type.Array(Candidate, { description: 'The best first, then those that do not qualify.' }),
};

export function showChoice(stored: StoredRoute): Static<ReturnType<typeof choiceOf>> {
  const { inputs, decision } = stored;
  const facts = (chain: string) => {
    const found = inputs.candidates.find((one) => one.chain === chain);
    return {
      chain,
      health: found?.health ?? 'unhealthy',
      fee_usd: found?.feeUsd ?? null,
      confirmation_seconds: found?.confirmationSeconds ?? 0,
      rpc_error_rate: found?.rpcErrorRate ?? 1,
    };
  };
  return {
    chain: decision.ranked[0]?.chain ?? '',
    explanation: explainRoute(stored),
    candidates: [
      ...decision.ranked.map(({ chain, score, parts }) => ({
        ...facts(chain),
        score,
        fee_share: parts.fee,
        latency_share: parts.latency,
        reliability_share: parts.reliability,
        disqualified: null,
      })),
      ...decision.disqualified.map(({ chain, reason }) => ({
        ...facts(chain),
        score: null,
        fee_share: null,
        latency_share: null,
        reliability_share: null,
        disqualified: reason,
      })),
    ],
  };
}

const choiceOf = () => closed(CHOICE);

const Quote = closed(
  {
    id: idOf('quote'),
    asset: AssetName,
    amount: Amount,
    destinations: Destinations,
    priority: oneOf(ROUTE_PRIORITIES, { description: 'The aim of the choice.' }),
    ...CHOICE,
    created_at: Instant,
    expires_at: {
      ...Instant,
      description: 'Five minutes after it was created, by the clock of the tenant. RFC 3339, UTC.',
    } as typeof Instant,
    accepted_at: nullable(Instant, { description: 'When a payout was created with it; null: not yet.' }),
  },
  { title: 'Quote' },
);

const showQuote = (quote: EngineQuote): Static<typeof Quote> => ({
  id: toTypeId('quote', quote.id),
  asset: quote.asset,
  amount: quote.amount.toString(),
  destinations: { ...quote.destinations },
  priority: quote.priority,
  ...showChoice(quote),
  created_at: quote.createdAt.toISOString(),
  expires_at: quote.expiresAt.toISOString(),
  accepted_at: instantOrNull(quote.usedAt),
});

export const PayoutRoute = closed(
  {
    payment_id: idOf('payment'),
    number: nullable(Type.Integer(), {
      description: 'The first route of a payout is number 1. Null: the payout has only its quote.',
    }),
    cause: oneOf(ROUTE_CAUSES, {
      description:
        '`quote`: the accepted quote. `due`: chosen when the payout was due. `requote`: the quoted chain did not qualify any more, or its fee had risen. ' +
        '`retry`: the chain of an earlier attempt again. `next_best`: another chain than that of an earlier attempt, of which nothing can land any more.',
    }),
    quote_id: nullable(idOf('quote'), { description: 'The accepted quote; null: none.' }),
    priority: oneOf(PRIORITIES),
    ...CHOICE,
    replays: Type.Boolean({ description: 'Whether the stored inputs, computed again now, give the stored choice.' }),
    chosen_at: Instant,
  },
  { title: 'PayoutRoute' },
);

const ADDRESS = 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c';
const QUOTE = 'qte_01k9zt5c7nmd3g5h8j1k4p6q9r';
const EXAMPLE_CHOICE = {
  chain: 'sandbox',
  explanation: [
    'Chosen: sandbox, the highest score for low fee (fee 60 %, latency 20 %, reliability 20 %).',
    'sandbox: 0.190, from fee 0.000, latency 0.000, reliability 0.950 (fee 0.02 USD, 8 s, 5 % failed calls).',
  ],
  candidates: [
    {
      chain: 'sandbox',
      score: 0.19,
      fee_share: 0,
      latency_share: 0,
      reliability_share: 0.95,
      disqualified: null,
      health: 'healthy' as const,
      fee_usd: 0.02,
      confirmation_seconds: 8,
      rpc_error_rate: 0.05,
    },
  ],
};
const EXAMPLE = {
  id: QUOTE,
  asset: 'USDC/6',
  amount: '10000000',
  destinations: { sandbox: ADDRESS },
  priority: 'low_fee' as const,
  ...EXAMPLE_CHOICE,
  created_at: CREATED_AT,
  expires_at: '2026-11-13T09:35:00.000Z',
  accepted_at: null,
};

export const EXAMPLE_ROUTE = {
  payment_id: PAYMENT,
  number: 1,
  cause: 'quote' as const,
  quote_id: QUOTE,
  priority: 'low_fee' as const,
  ...EXAMPLE_CHOICE,
  replays: true,
  chosen_at: AN_HOUR_LATER,
};

/** The route of the newest attempt of a payout, or of its quote. */
export async function shownRoute(tenant: TenantVerbs, id: string): Promise<Static<typeof PayoutRoute>> {
  const { routes, quote, replays } = await tenant.payoutRoute(id);
  const [current] = routes;
  const stored = current ?? quote;
  if (!stored) return refuse('ROUTE_NOT_CHOSEN', { payment: id });
  return {
    payment_id: paymentId(id),
    number: current?.number ?? null,
    cause: current?.cause ?? 'quote',
    quote_id: quote ? toTypeId('quote', quote.id) : null,
    priority: stored.inputs.priority,
    ...showChoice(stored),
    replays,
    chosen_at: (current?.chosenAt ?? quote?.createdAt ?? new Date(0)).toISOString(),
  };
}

const Id = closed({ id: idOf('quote') });
const key = (id: string): string => fromTypeId('quote', id);

export const quoteRoutes = {
  'quotes.create': route({
    method: 'POST',
    path: '/quotes',
    summary: 'Create a quote',
    description:
      'Scores the chains that a payout could take, and names the best. A quote is valid for five minutes, for one payout of the tenant. ' +
      'If no chain qualifies, the refusal names the reason for each chain.',
    scope: 'payments:write',
    status: 201,
    body: closed(
      {
        asset: AssetName,
        ...AMOUNT,
        destinations: Destinations,
        priority: Type.Optional(oneOf(ROUTE_PRIORITIES, { description: 'The aim of the choice. Default `low_fee`.' })),
      },
      { title: 'QuoteCreateParams', ...oneGivenOf(['amount', 'amount_decimal']) },
    ),
    answer: Quote,
    example: {
      body: { asset: 'USDC/6', amount: '10000000', destinations: { sandbox: ADDRESS } },
      answer: EXAMPLE,
    },
    async handle({ tenant, body }) {
      const { amount: _amount, amount_decimal: _decimal, ...rest } = body;
      requireGiven(body);
      // A quote has the full name, also of an asset that is named by its code.
      const asset = await scaledAsset(tenant, body.asset, true);
      return showQuote(await tenant.createQuote({ ...rest, asset, amount: requiredAmount(body, asset) }));
    },
  }),

  'quotes.list': route({
    method: 'GET',
    path: '/quotes',
    summary: 'List quotes',
    description: 'Newest first. A quote that was not accepted is kept for a day after it was created.',
    scope: 'payments:read',
    query: pageQuery({}),
    answer: listOf(Quote, 'QuoteList'),
    example: { query: { limit: '20' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) => newestFirst(query, (range) => tenant.quotes(range), showQuote),
  }),

  'quotes.get': route({
    method: 'GET',
    path: '/quotes/{id}',
    summary: 'Get a quote',
    description: 'A quote that was not accepted is kept for a day after it was created.',
    scope: 'payments:read',
    params: Id,
    answer: Quote,
    example: { params: { id: QUOTE }, answer: EXAMPLE },
    handle: async ({ tenant, params }) => showQuote(await tenant.quote(key(params.id))),
  }),

  'quotes.accept': route({
    method: 'POST',
    path: '/quotes/{id}/accept',
    summary: 'Accept a quote',
    description:
      'Creates a payout with the asset, amount, destinations and priority of the quote, paid by `from`. It takes the quoted chain, unless the ' +
      'chain does not qualify any more or its fee has risen beyond the tolerance when it runs.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    params: Id,
    body: closed(
      {
        from: AccountName,
        delay: Type.Optional(DelayIn),
        execute_at: Type.Optional(instantIn('When the payout runs; instead of `delay`. Default: at once.')),
        reference: Type.Optional(Reference),
        metadata: Type.Optional(Metadata),
      },
      { title: 'QuoteAcceptParams' },
    ),
    answer: Payment,
    example: {
      params: { id: QUOTE },
      body: { from: 'alice' },
      answer: {
        ...EXAMPLE_PAYOUT,
        execute_at: CREATED_AT,
      },
    },
    async handle({ tenant, params, body }) {
      const { delay, execute_at } = body;
      if (delay !== undefined && execute_at !== undefined)
        refuse('FIELD_INVALID/both_given', { param: 'execute_at', first: 'delay' });
      const quote = await tenant.takeQuote(key(params.id));
      const payment = await tenant.createPayment({
        from: accountKey(body.from),
        asset: quote.asset,
        amount: quote.amount,
        rail: 'any',
        destinations: quote.destinations,
        routePriority: quote.priority,
        quoteId: quote.id,
        ...(delay === undefined ? {} : { delay }),
        ...(execute_at === undefined ? {} : { executeAt: parseInstant(execute_at, 'execute_at') }),
        ...(body.reference === undefined ? {} : { reference: body.reference }),
        ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
        idempotencyKey: quote.id,
      });
      return showPayment(payment);
    },
  }),

  'payments.getRoute': route({
    method: 'GET',
    path: '/payments/{id}/route',
    summary: 'Get the route of a payout',
    description:
      'Why a payout takes its chain, in words, with every number that the choice was computed from. Before the first attempt it is the choice of the accepted quote; ' +
      'a payout without a quote is routed when it is due.',
    scope: 'payments:read',
    params: closed({ id: idOf('payment') }),
    answer: PayoutRoute,
    example: {
      params: { id: PAYMENT },
      answer: EXAMPLE_ROUTE,
    },
    handle: ({ tenant, params }) => shownRoute(tenant, paymentKey(params.id)),
  }),
};
