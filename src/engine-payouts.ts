// The chains of a process as payouts use them: the rail that signs for each tenant, the coins of a new wallet on the simulated chain, the choice of a chain, and the loops.
import type { Database } from './db/index.ts';
import { readLiveClock } from './db/index.ts';
import type { Chains } from './engine-chains.ts';
import type { EngineOptions } from './engine-types.ts';
import type { Clock, LoopDefinition } from './kernel/index.ts';
import type { CheckResult, VerbContext } from './ledger/index.ts';
import type { PayoutChains, PayoutGuards } from './payments/index.ts';
import type { GuardVerbs, PayoutVerbs, PayoutsOptions, QuoteVerbs, Rails, TreasuryVerbs } from './payouts/index.ts';
import {
  PAYOUT_GUARDS,
  chooseByScore,
  guardVerbs,
  payoutChains,
  payoutLoops,
  payoutVerbs,
  payoutsByClock,
  quoteVerbs,
  treasuryLoop,
  treasuryVerbs,
  verifyRoutes,
} from './payouts/index.ts';
import type { ChainVerbs, Rail } from './rails/index.ts';
import { FEE_ASSET, chainVerbs, healthLoop } from './rails/index.ts';
import type { TimedWork } from './tenants/index.ts';

export interface PayoutParts {
  /** What a create asks of the chains, and of what the tenant allows. */
  readonly bounds: { readonly payouts: PayoutChains; readonly payoutGuards: PayoutGuards };
  readonly verbs: (context: VerbContext) => ChainVerbs & PayoutVerbs & QuoteVerbs & TreasuryVerbs & GuardVerbs;
  /** Of payouts, of the treasury, and of the health of chains. */
  readonly loops: readonly LoopDefinition[];
  readonly byClock: TimedWork;
  /** Computes every stored route again. */
  verify(): Promise<CheckResult>;
}

interface Given extends Omit<
  PayoutsOptions,
  'rails' | 'chooseRoute' | 'fund' | 'confirmEveryMs' | 'batchSize' | 'concurrency' | 'onTrouble'
> {
  readonly setAside: (kind: 'payment' | 'tenant', what?: string) => (id: string, error: unknown) => void;
}

/** Coins of a new wallet on the simulated chain: a million of each asset, and a thousand for fees. */
const ENDOWMENT = { asset: 1_000_000n, fees: 1_000n };

export function payoutParts(
  db: Database,
  watched: Chains,
  { payouts = {}, chains = {} }: Pick<EngineOptions, 'payouts' | 'chains'>,
  { setAside, ...settling }: Given,
): PayoutParts {
  const { rails: own, sandbox } = watched;
  const { chooseRoute, reconcileEveryMs, ...sizes } = payouts;
  const { feeTolerance } = chains;
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
  const choose = chooseRoute ?? chooseByScore(db, { rails, fund, ...(feeTolerance ? { feeTolerance } : {}) });
  const paying = { ...settling, onTrouble: setAside('payment'), rails, chooseRoute: choose, fund, ...sizes };
  return {
    bounds: { payouts: payoutChains(rails), payoutGuards: PAYOUT_GUARDS },
    verbs: (context) => ({
      ...chainVerbs(context),
      ...payoutVerbs(context, paying),
      ...quoteVerbs(context, { rails, fund }),
      ...treasuryVerbs(context),
      ...guardVerbs(context, rails),
    }),
    loops: [
      ...payoutLoops(db, paying),
      treasuryLoop(db, { rails, reconcileEveryMs, onTrouble: setAside('tenant', 'the wallets of tenant') }),
      healthLoop(db, { ...watched, readClock: readLiveClock }),
    ],
    byClock: payoutsByClock(paying),
    verify: () => verifyRoutes(db),
  };
}
