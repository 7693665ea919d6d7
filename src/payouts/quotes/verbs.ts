// Quotes and routes as an application sees them.
import type { Uuid } from '../../kernel/index.ts';
import { isUuid, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { readPayments } from '../../payments/index.ts';
import { explainRoute, replays } from '../../rails/index.ts';
import type { QuoteOrder } from './create-quote.ts';
import { createQuote, takeQuote } from './create-quote.ts';
import type { PayoutRoute, Quote } from './quote.ts';
import type { QuoteTools } from './read-inputs.ts';
import { findQuote, listQuotes, listRoutes } from './store.ts';

/** The route of a payout, in words. */
export interface ExplainedRoute {
  /** The newest first. Empty while the payout has only its quote. */
  readonly routes: readonly PayoutRoute[];
  /** The quote that the payout was created with; null: none. */
  readonly quote: Quote | null;
  /** One sentence for the choice, then one for each chain, the best first. */
  readonly explanation: readonly string[];
  /** Whether the stored inputs give the stored choice. */
  readonly replays: boolean;
}

export interface QuoteVerbs {
  createQuote(order: QuoteOrder): Promise<Quote>;
  quote(id: Uuid): Promise<Quote>;
  /** Newest first. */
  quotes(page?: { limit?: number; before?: Uuid }): Promise<Quote[]>;
  /** Takes a quote for a payout that is created in the same transaction. */
  takeQuote(id: Uuid): Promise<Quote>;
  payoutRoute(paymentId: Uuid): Promise<ExplainedRoute>;
}

const MOST_ROUTES = 20;
const PAGE = 100;

export function quoteVerbs(context: VerbContext, tools: QuoteTools): QuoteVerbs {
  const { tenantId, caller, sql } = context;
  const by = { tenantId, caller };
  const noQuote = (quote: Uuid): never => refuse('QUOTE_NOT_FOUND', { quote });
  return {
    createQuote: (order) => context.run((tx, clock) => createQuote(tx, clock, by, order, tools)),
    quote: async (id) => (isUuid(id) ? await findQuote(sql, tenantId, id) : null) ?? noQuote(id),
    quotes: (page = {}) => listQuotes(sql, tenantId, { limit: page.limit ?? PAGE, before: page.before ?? null }),
    takeQuote: (id) => (isUuid(id) ? context.run((tx, clock) => takeQuote(tx, clock, by, id)) : noQuote(id)),
    async payoutRoute(paymentId) {
      const [payment] = isUuid(paymentId) ? await readPayments(sql, [{ tenantId, id: paymentId }]) : [];
      if (!payment) return refuse('PAYMENT_NOT_FOUND', { payment: paymentId });
      const routes = await listRoutes(sql, tenantId, paymentId, MOST_ROUTES);
      const quoteId = payment.payout?.quoteId ?? null;
      const quote = quoteId === null ? null : await findQuote(sql, tenantId, quoteId);
      const [current = quote] = routes;
      if (!current) return refuse('ROUTE_NOT_CHOSEN', { payment: paymentId });
      return { routes, quote, explanation: explainRoute(current), replays: replays(current) };
    },
  };
}
