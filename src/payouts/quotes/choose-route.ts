// ChooseRoute by scores: the chain of the accepted quote if it still qualifies, or a choice of now. What is chosen is stored before anything is signed.
//
// Nothing that was signed for an earlier attempt can land any more (the port says so), so a chain on which an attempt failed gives way to the next-best one.
// If no other chain qualifies, the same chain is tried again.
import type { Database } from '../../db/index.ts';
import { firstIdAt, newId, parseAsset, refused } from '../../kernel/index.ts';
import type { Rail, RouteInputs, StoredRoute } from '../../rails/index.ts';
import { disqualification, routeFor, whyDisqualified } from '../../rails/index.ts';
import type { ChooseRoute, RouteChoice, RouteRequest } from '../ports.ts';
import { bounded } from '../bounded.ts';
import type { DecidedWithFees } from './decide-with-fees.ts';
import { decideWithFees } from './decide-with-fees.ts';
import type { FeeTolerance } from './fee-tolerance.ts';
import { DEFAULT_FEE_TOLERANCE } from './fee-tolerance.ts';
import type { Quote, RouteCause } from './quote.ts';
import type { QuoteTools } from './read-inputs.ts';
import { readInputs } from './read-inputs.ts';
import { deleteUntaken, findQuote, insertRoute, listRoutes } from './store.ts';

export interface ChooseOptions extends QuoteTools {
  readonly feeTolerance?: FeeTolerance;
  /** How long a rail may take to estimate a fee, in milliseconds. */
  readonly feeTimeoutMs?: number;
}

const FEE_TIMEOUT_MS = 5_000;
/** No lease lasts so long. */
const UNTAKEN_AFTER_MS = 3_600_000;

export function chooseByScore(db: Database, options: ChooseOptions): ChooseRoute {
  const { feeTolerance = DEFAULT_FEE_TOLERANCE, feeTimeoutMs = FEE_TIMEOUT_MS } = options;
  return async (request, clock) => {
    const { tenantId, paymentId, attempt, failedOn } = request;
    const inputs = await readInputs(db, clock, { ...request, asset: parseAsset(request.asset) }, options);
    const quote = attempt === 1 ? await acceptedQuote(db, request) : null;
    const estimateFee = async (chain: string): ReturnType<Rail['estimateFee']> => {
      const rail = options.rails.of(chain, tenantId);
      if (!rail) return { outcome: 'unknown', reason: 'no_rail' };
      return bounded(rail.estimateFee(clock), feeTimeoutMs).catch(
        () => ({ outcome: 'unknown', reason: 'timeout' }) as const,
      );
    };
    const promised = quote && qualifiesNow(quote, inputs) ? quote : null;
    let decided = await decideWithFees(promised ? storedOf(promised) : inputs, estimateFee, feeTolerance);
    // The inputs of the quote are as old as the quote: another choice is made by those of now.
    const isBroken =
      promised !== null && (decided.outcome === 'none' || (decided.outcome === 'chosen' && decided.isRequoted));
    if (isBroken) decided = await decideWithFees(inputs, estimateFee, feeTolerance);
    if (decided.outcome === 'none' && failedOn.length > 0) {
      decided = await decideWithFees(withoutFailures(inputs), estimateFee, feeTolerance);
    }
    if (decided.outcome !== 'chosen') return refusalOf(decided, request, options.rails.chains);
    const id = newId();
    const [latest] = failedOn.length > 0 ? await listRoutes(db, tenantId, paymentId, 1) : [];
    const cause = causeOf({
      decided,
      quote,
      isPromised: promised !== null && !isBroken,
      failedOn,
      latest: latest?.chain,
    });
    const { chain, route, feeLimitUnits } = decided;
    await deleteUntaken(db, tenantId, paymentId, firstIdAt(new Date(clock.now.getTime() - UNTAKEN_AFTER_MS)));
    await insertRoute(db, {
      ...route,
      tenantId,
      id,
      paymentId,
      attempt,
      cause,
      quoteId: quote?.id ?? null,
      chain,
      feeLimitUnits,
      chosenAt: clock.now,
    });
    return { outcome: 'chosen', chain, feeLimitUnits, routeId: id };
  };
}

/** The quote that the payout was created with. One that does not fit was never taken for it, and promises nothing. */
async function acceptedQuote(db: Database, request: RouteRequest): Promise<Quote | null> {
  const { tenantId, quoteId, asset, amount, priority, destinations } = request;
  if (quoteId === null) return null;
  const quote = await findQuote(db, tenantId, quoteId);
  const fits =
    quote !== null &&
    quote.usedAt !== null &&
    quote.asset === parseAsset(asset).name &&
    quote.amount === amount &&
    quote.priority === priority &&
    quote.destinations[quote.chain] === destinations[quote.chain];
  return fits ? quote : null;
}

/** Whether the chain of a quote still qualifies. Its fee is compared next, by decideWithFees. */
function qualifiesNow(quote: Quote, inputs: RouteInputs): boolean {
  const candidate = inputs.candidates.find(({ chain }) => chain === quote.chain);
  return candidate !== undefined && disqualification(candidate) === null;
}

const storedOf = ({ inputs, decision }: Quote): StoredRoute => ({ inputs, decision });

function withoutFailures(inputs: RouteInputs): RouteInputs {
  return { ...inputs, candidates: inputs.candidates.map((candidate) => ({ ...candidate, attemptFailed: false })) };
}

interface Circumstances {
  readonly decided: Extract<DecidedWithFees, { outcome: 'chosen' }>;
  readonly quote: Quote | null;
  readonly isPromised: boolean;
  readonly failedOn: readonly string[];
  readonly latest: string | undefined;
}

function causeOf({ decided, quote, isPromised, failedOn, latest }: Circumstances): RouteCause {
  if (failedOn.length > 0) return failedOn.includes(decided.chain) || latest === decided.chain ? 'retry' : 'next_best';
  if (isPromised) return 'quote';
  return quote ? 'requote' : 'due';
}

function refusalOf(
  decided: Exclude<DecidedWithFees, { outcome: 'chosen' }>,
  { destinations }: RouteRequest,
  chains: readonly string[],
): RouteChoice {
  if (decided.outcome === 'fee_exceeded') {
    const { chain, chosenUsd, nowUsd } = decided;
    const cause = refused('ROUTE_FEE_EXCEEDED', { chain, chosen: shown(chosenUsd), now: shown(nowUsd) });
    return { outcome: 'refused', cause };
  }
  const named = Object.keys(destinations);
  if (!named.some((chain) => chains.includes(chain)))
    return { outcome: 'not_now', cause: refused('PAYOUT_WAITS/not_here', { chain: named.join(', ') }) };
  const reasons = whyDisqualified(routeFor(decided.route.inputs));
  const explanation = reasons.length > 0 ? reasons.join('; ') : 'no chain has the asset';
  return { outcome: 'not_now', cause: refused('PAYOUT_WAITS/no_chain', { explanation }) };
}

const shown = (usd: number | null): string => (usd === null ? 'unknown' : String(Number(usd.toPrecision(4))));
