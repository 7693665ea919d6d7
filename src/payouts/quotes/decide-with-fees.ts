// The choice of a chain when a payout is to be signed. It is pure except for one call: the best chain is asked for its fee. If that fee is within the tolerance
// of the one that the choice was made by, the chain is chosen; otherwise the choice is made again with the fee of now. Each chain is asked at most once, so it ends.
import type { Rail, RouteInputs, StoredRoute } from '../../rails/index.ts';
import { routeFor } from '../../rails/index.ts';
import type { FeeTolerance } from './fee-tolerance.ts';
import { isTolerated, toleratedUnits } from './fee-tolerance.ts';
import { inUsd, withLiveFee } from './route-inputs.ts';
import { chosenOf } from './quote.ts';

export type DecidedWithFees =
  | {
      readonly outcome: 'chosen';
      readonly chain: string;
      readonly route: StoredRoute;
      readonly feeLimitUnits: bigint;
      /** Whether the choice was made again because the fee of an earlier best chain had left its tolerance, or could not be read. */
      readonly isRequoted: boolean;
    }
  | { readonly outcome: 'none'; readonly route: StoredRoute }
  /** By the policy `fail`. */
  | {
      readonly outcome: 'fee_exceeded';
      readonly chain: string;
      readonly chosenUsd: number | null;
      readonly nowUsd: number | null;
    };

type EstimateFee = (chain: string) => Promise<Awaited<ReturnType<Rail['estimateFee']>>>;

/** From a stored choice (a quote) it starts with that choice, which stands if its fee is tolerated. */
export async function decideWithFees(
  start: RouteInputs | StoredRoute,
  estimateFee: EstimateFee,
  tolerance: FeeTolerance,
): Promise<DecidedWithFees> {
  let route = 'decision' in start ? start : routeFor(start);
  let isRequoted = false;
  const live = new Map<string, bigint>();
  for (;;) {
    const chosen = chosenOf(route);
    if (chosen === null) return { outcome: 'none', route };
    const { chain, feeUsd, basis } = chosen;
    const known = live.get(chain);
    if (known !== undefined) return { ...limited(chain, route, known), isRequoted };
    const fee = await estimateFee(chain);
    if (fee.outcome === 'unknown') {
      route = routeFor(withLiveFee(route.inputs, chain, null));
      isRequoted = true;
      continue;
    }
    const { units, suggestedLimitUnits } = fee.value;
    const nowUsd = inUsd(units, basis?.feeDecimals ?? null, basis?.priceUsd ?? null);
    if (isTolerated(feeUsd, nowUsd, tolerance)) {
      const most = toleratedUnits(BigInt(basis?.feeUnits ?? units), units, basis ?? null, tolerance);
      return { ...limited(chain, route, suggestedLimitUnits < most ? suggestedLimitUnits : most), isRequoted };
    }
    if (tolerance.policy === 'fail') return { outcome: 'fee_exceeded', chain, chosenUsd: feeUsd, nowUsd };
    // Chosen again by what it costs now: if it is still the best, it is taken at that fee.
    live.set(chain, suggestedLimitUnits);
    route = routeFor(withLiveFee(route.inputs, chain, units));
    isRequoted = true;
  }
}

const limited = (chain: string, route: StoredRoute, feeLimitUnits: bigint) =>
  ({ outcome: 'chosen', chain, route, feeLimitUnits }) as const;
