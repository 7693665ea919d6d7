// Creates a quote, and takes one for a payout. A quote belongs to its tenant, lives five minutes by the tenant's clock, and is used once.
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { Refusal, newId, oneOf, parseAsset, parsePositiveAmount, refuse } from '../../kernel/index.ts';
import { chainNotAvailable } from '../../payments/index.ts';
import type { Priority } from '../../rails/index.ts';
import { PRIORITIES, routeFor, whyDisqualified } from '../../rails/index.ts';
import { readPauses } from '../../tenants/index.ts';
import { payoutChains } from '../validate-for-chain.ts';
import { barredChains } from '../guards/barred-chains.ts';
import type { Rails } from '../ports.ts';
import type { Destinations, Quote } from './quote.ts';
import { MOST_DESTINATIONS, QUOTE_LIFE_MS, isExpired } from './quote.ts';
import type { QuoteTools } from './read-inputs.ts';
import { readInputs } from './read-inputs.ts';
import { findQuote, insertQuote, markUsed } from './store.ts';

export interface QuoteOrder {
  readonly asset: string;
  readonly amount: bigint | number | string;
  /** The payee's address by chain. */
  readonly destinations: Destinations;
  /** Default `low_fee`. */
  readonly priority?: Priority;
}

export async function createQuote(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: { readonly tenantId: Uuid; readonly caller: Caller },
  order: QuoteOrder,
  tools: QuoteTools,
): Promise<Quote> {
  const asset = parseAsset(order.asset);
  const amount = parsePositiveAmount(order.amount);
  const priority = oneOf(order.priority ?? 'low_fee', PRIORITIES, 'priority');
  const destinations = requireDestinations(tools.rails, { tenantId, asset: asset.name, amount }, order.destinations);
  const barred = await reasonsToBar(tx, clock, { tenantId, asset: asset.name, amount }, destinations);
  const wanted = { tenantId, asset, amount, priority, destinations, barred };
  const route = routeFor(await readInputs(tx, clock, wanted, tools));
  const [best] = route.decision.ranked;
  if (!best) return refuse('QUOTE_NO_ROUTE', { reasons: whyDisqualified(route) });
  const quote: Quote = {
    ...route,
    tenantId,
    id: newId(),
    asset: asset.name,
    amount,
    priority,
    destinations,
    chain: best.chain,
    createdBy: caller.actor,
    createdAt: clock.now,
    expiresAt: new Date(clock.now.getTime() + QUOTE_LIFE_MS),
    usedAt: null,
  };
  await insertQuote(tx, quote);
  await emit(tx, clock, caller, quote, 'quote.created');
  return quote;
}

/**
 * Takes a quote for a payout: refused if it is unknown, of another tenant, expired or used. Call it in the transaction that creates the payout, whose
 * asset, amount, destinations and priority are those of the quote.
 */
export async function takeQuote(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: { readonly tenantId: Uuid; readonly caller: Caller },
  id: Uuid,
): Promise<Quote> {
  const quote = await findQuote(tx, tenantId, id, { lock: true });
  if (!quote) return refuse('QUOTE_NOT_FOUND', { quote: id });
  if (quote.usedAt !== null) return refuse('QUOTE_USED', { quote: id, usedAt: quote.usedAt });
  if (isExpired(quote, clock.now)) return refuse('QUOTE_EXPIRED', { quote: id, expiredAt: quote.expiresAt });
  await markUsed(tx, tenantId, id, clock.now);
  await emit(tx, clock, caller, quote, 'quote.accepted');
  return { ...quote, usedAt: clock.now };
}

async function emit(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  quote: Quote,
  type: 'quote.created' | 'quote.accepted',
): Promise<void> {
  const { tenantId, id, asset, amount, chain, priority, expiresAt } = quote;
  const data = { asset, amount: String(amount), chain, priority, expiresAt: expiresAt.toISOString() };
  await appendEvents(tx, [
    { ...caller, tenantId, type, resource: 'quote', resourceId: id, data, occurredAt: clock.now },
  ]);
}

/**
 * By chain that the guards of the tenant bar now: why. An address that is not listed refuses the quote, as it would refuse the payout: a payout may be sent to any
 * address that it names.
 */
async function reasonsToBar(
  tx: Transaction,
  clock: Clock,
  about: { readonly tenantId: Uuid; readonly asset: string; readonly amount: bigint },
  destinations: Destinations,
): Promise<Readonly<Record<string, string>>> {
  const { tenantId } = about;
  const asked = { ...about, id: newId(), payout: { destinations, priority: 'low_fee' as const, quoteId: null } };
  const barred = await barredChains(tx, clock, [asked], await readPauses(tx, [tenantId]));
  const causes = Object.entries(barred.get(asked.id) ?? {});
  for (const [, { cause, isTemporary }] of causes)
    if (cause.code === 'PAYOUT_DESTINATION_NOT_ALLOWED' && !isTemporary) throw new Refusal(cause);
  return Object.fromEntries(causes.map(([chain, { cause }]) => [chain, cause.detail]));
}

/** Every destination is checked, also those that would not be chosen: a wrong one would fail the payout on another day. */
function requireDestinations(
  rails: Rails,
  about: { readonly tenantId: Uuid; readonly asset: string; readonly amount: bigint },
  destinations: Destinations,
): Destinations {
  const chains = Object.keys(destinations).toSorted();
  if (chains.length === 0) refuse('FIELD_INVALID/too_few_items', { param: 'destinations', min: 1 });
  if (chains.length > MOST_DESTINATIONS)
    refuse('FIELD_INVALID/too_many_items', { param: 'destinations', max: MOST_DESTINATIONS });
  const { check } = payoutChains(rails);
  return Object.fromEntries(
    chains.map((chain) => {
      if (!rails.chains.includes(chain)) {
        throw new Refusal(chainNotAvailable('destinations', chain, rails.chains));
      }
      const checked = check({ ...about, chain, address: destinations[chain] ?? '', param: 'destinations' });
      if ('refused' in checked) throw new Refusal(checked.refused);
      return [chain, checked.address];
    }),
  );
}
