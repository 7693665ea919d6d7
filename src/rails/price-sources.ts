// Price sources. usance asks no exchange: a price is fixed, or comes from a source of the application.
import type { Price, PriceSource } from './price.ts';
import { FEE_ASSET } from './sandbox/index.ts';

/** The fee asset of the sandbox has a fixed price, so that routes can be chosen without a price source. */
export const SANDBOX_PRICES: Readonly<Record<string, number>> = { [FEE_ASSET.code]: 1 };

/** Prices that do not change, always observed now. */
export const fixedPrices = (usd: Readonly<Record<string, number>>): PriceSource => ({
  priceOf: (asset, { now }) => {
    const price = Object.hasOwn(usd, asset) ? usd[asset] : undefined;
    return Promise.resolve(price === undefined ? null : { usd: price, observedAt: now });
  },
});

/** The first source that has a price. A source that fails is skipped. */
export const firstOf = (...sources: readonly PriceSource[]): PriceSource => ({
  async priceOf(asset, clock) {
    for (const source of sources) {
      const price: Price | null = await source.priceOf(asset, clock).catch(() => null);
      if (price !== null) return price;
    }
    return null;
  },
});
