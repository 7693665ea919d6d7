// The chains of a process as payouts use them: the rail that signs for each tenant, and the coins of a new wallet on the simulated chain.
import type { Chains } from './engine-chains.ts';
import type { EngineOptions } from './engine-types.ts';
import type { Database } from './db/index.ts';
import type { Clock, LoopDefinition } from './kernel/index.ts';
import type { VerbContext } from './ledger/index.ts';
import type { PayoutChains } from './payments/index.ts';
import type { PayoutVerbs, PayoutsOptions, Rails } from './payouts/index.ts';
import { firstChain, payoutChains, payoutLoops, payoutVerbs, payoutsByClock } from './payouts/index.ts';
import type { Rail } from './rails/index.ts';
import { FEE_ASSET } from './rails/index.ts';
import type { TimedWork } from './tenants/index.ts';

export interface PayoutParts {
  /** What a create asks of the chains. */
  readonly chains: PayoutChains;
  verbs(context: VerbContext): PayoutVerbs;
  loops(db: Database): LoopDefinition[];
  /** Payouts of test tenants. */
  readonly byClock: TimedWork;
}

type Shared = Omit<PayoutsOptions, 'rails' | 'chooseRoute' | 'fund'>;

/** Coins of a new wallet on the simulated chain: a million of each asset, and a thousand for fees. */
const ENDOWMENT = { asset: 1_000_000n, fees: 1_000n };

export function payoutParts(
  { rails: own, sandbox }: Chains,
  { payouts = {} }: Pick<EngineOptions, 'payouts'>,
  shared: Shared,
): PayoutParts {
  const { chooseRoute, ...sizes } = payouts;
  const rails: Rails = {
    chains: own.map(({ chain }) => chain),
    of: (chain, tenantId) =>
      chain === sandbox?.rail.chain ? sandbox.railOf(tenantId) : (own.find((rail) => rail.chain === chain) ?? null),
  };
  const fund = async (rail: Rail, clock: Clock): Promise<void> => {
    if (!sandbox || rail.chain !== sandbox.rail.chain) return;
    const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals);
    for (const { code, decimals } of rail.assets)
      await sandbox.endow(clock, rail.wallet, code, units(ENDOWMENT.asset, decimals));
    await sandbox.endow(clock, rail.wallet, FEE_ASSET.code, units(ENDOWMENT.fees, FEE_ASSET.decimals));
  };
  const paying = { ...shared, rails, chooseRoute: chooseRoute ?? firstChain(rails), fund, ...sizes };
  return {
    chains: payoutChains(rails),
    verbs: (context) => payoutVerbs(context, paying),
    loops: (db) => payoutLoops(db, paying),
    byClock: payoutsByClock(paying),
  };
}
