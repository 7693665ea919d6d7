// The price port. A price turns a fee in a chain's own asset into US dollars, only to compare chains: it is an estimate and is never
// posted. A stale price is no price: a route chosen by yesterday's price can cost a hundred times the fee that it was chosen for.
import type { Clock } from '../kernel/index.ts';
import type { FeeEstimate } from './rail.ts';

export interface Price {
  /** US dollars for one whole unit of the asset. */
  readonly usd: number;
  /** When the source observed it. */
  readonly observedAt: Date;
}

export interface PriceSource {
  /** The latest price of an asset code; null if the source has none. */
  priceOf(assetCode: string, clock: Clock): Promise<Price | null>;
}

/** A price counts for this long after it was observed. */
export const PRICE_FRESH_MS = 5 * 60_000;

/** A price from the future is as wrong as an old one: a source with a wrong clock would stay fresh for ever. */
const MOST_AHEAD_MS = 60_000;

export function isFresh(price: Price, now: Date): boolean {
  const ageMs = now.getTime() - price.observedAt.getTime();
  return price.usd > 0 && Number.isFinite(price.usd) && ageMs <= PRICE_FRESH_MS && ageMs >= -MOST_AHEAD_MS;
}

/** The fee in US dollars; null without a fresh price. */
export function feeInUsd(fee: FeeEstimate, price: Price | null, now: Date): number | null {
  if (price === null || !isFresh(price, now)) return null;
  return (Number(fee.units) / 10 ** fee.decimals) * price.usd;
}
