// Opens the chains of payouts: the simulated one if it is switched on, and those that the application brings.
import { runsInProduction } from './config.ts';
import type { EngineOptions } from './engine-types.ts';
import { SetupError } from './kernel/index.ts';
import type { PriceSource, Rail, Sandbox } from './rails/index.ts';
import { SANDBOX_PRICES, firstOf, fixedPrices, openSandbox } from './rails/index.ts';

export interface Chains {
  readonly rails: readonly Rail[];
  readonly prices: PriceSource;
  /** Null: switched off. */
  readonly sandbox: Sandbox | null;
  readonly intervalMs: number;
  readonly keepMs: number;
  close(): Promise<void>;
}

const FIFTEEN_SECONDS_MS = 15_000;
const SEVEN_DAYS_MS = 7 * 24 * 3_600_000;

/** Opens no connection yet: the sandbox connects when it is used. */
export function openChains({ chains = {}, schema }: Pick<EngineOptions, 'chains' | 'schema'>, url: string): Chains {
  const {
    sandbox: wanted = false,
    rails: given = [],
    prices,
    fixedPrices: fixed = {},
    measureEveryMs,
    keepHealthMs,
  } = chains;
  const more = typeof wanted === 'boolean' ? {} : wanted;
  const sandbox = wanted
    ? openSandbox({ ...more, url, ...(schema === undefined ? {} : { schema }), production: runsInProduction() })
    : null;
  const rails = [...(sandbox ? [sandbox.rail] : []), ...given];
  const twice = rails.find((rail, at) => rails.some(({ chain }, other) => other < at && chain === rail.chain));
  if (twice) throw new SetupError(`chains.rails has two chains with the name "${twice.chain}"`);
  return {
    rails,
    prices: firstOf(...(prices ? [prices] : []), fixedPrices({ ...(sandbox ? SANDBOX_PRICES : {}), ...fixed })),
    sandbox,
    intervalMs: measureEveryMs ?? FIFTEEN_SECONDS_MS,
    keepMs: keepHealthMs ?? SEVEN_DAYS_MS,
    close: async () => sandbox?.close(),
  };
}
