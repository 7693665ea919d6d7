// Choosing a route: pure. Equal inputs give the equal choice on every machine: the arithmetic is IEEE 754 in a fixed order, and ties are
// broken by the inputs.
import { DISQUALIFICATIONS } from './inputs.ts';
import type { Disqualification, Priority, RouteCandidate, RouteInputs } from './inputs.ts';

export interface Weights {
  readonly fee: number;
  readonly latency: number;
  readonly reliability: number;
}

export const WEIGHTS: Readonly<Record<Priority, Weights>> = {
  low_fee: { fee: 0.6, latency: 0.2, reliability: 0.2 },
  fast: { fee: 0.15, latency: 0.65, reliability: 0.2 },
  reliable: { fee: 0.1, latency: 0.15, reliability: 0.75 },
};

/** The least that fees and seconds are divided by: chains without fees or waits would divide by zero. */
export const FLOORS = { maxFeeUsd: 0.0001, maxSeconds: 1 } as const;

/** Factor of a degraded chain's score. Its congestion is in no part of the score, so it would rank like a healthy chain. */
export const DEGRADED_FACTOR = 0.5;

export interface ScoredRoute {
  readonly chain: string;
  readonly score: number;
  /** Each from 0 to 1, before weights. */
  readonly parts: Weights;
  readonly degraded: boolean;
}

export interface DisqualifiedRoute {
  readonly chain: string;
  readonly reason: Disqualification;
}

export interface RouteDecision {
  /** Best first. The first is the choice; without any the payout cannot be routed. */
  readonly ranked: readonly ScoredRoute[];
  readonly disqualified: readonly DisqualifiedRoute[];
}

const APPLIES: Readonly<Record<Disqualification, (candidate: RouteCandidate) => boolean>> = {
  no_address: ({ hasAddress }) => !hasAddress,
  treasury_too_low: (candidate) => candidate.walletUnread !== true && isTooLow(candidate),
  chain_unhealthy: ({ health }) => health === 'unhealthy',
  price_stale: ({ feeUsd }) => feeUsd === null,
  wallet_unread: ({ walletUnread }) => walletUnread === true,
  wallet_frozen: ({ walletFrozen }) => walletFrozen === true,
  attempt_failed: ({ attemptFailed }) => attemptFailed === true,
  fee_unread: ({ feeUnread }) => feeUnread === true,
  barred: ({ barred }) => barred !== undefined,
};

/** Of the asset, or of the asset that pays the fee. */
function isTooLow({ walletUnits, neededUnits, walletFeeUnits, neededFeeUnits }: RouteCandidate): boolean {
  if (BigInt(walletUnits) < BigInt(neededUnits)) return true;
  return (
    walletFeeUnits !== undefined && neededFeeUnits !== undefined && BigInt(walletFeeUnits) < BigInt(neededFeeUnits)
  );
}

/** Why a candidate cannot be chosen; null if it can. */
export function disqualification(candidate: RouteCandidate): Disqualification | null {
  return DISQUALIFICATIONS.find((reason) => APPLIES[reason](candidate)) ?? null;
}

export function decideRoute({ priority, candidates }: RouteInputs): RouteDecision {
  const judged = candidates.map((candidate) => ({ candidate, reason: disqualification(candidate) }));
  // Maxima over the candidates that qualify: the fallback snapshot of a failed chain (999 dollars) would make all others equal.
  const qualified = judged.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : []));
  const maxFee = Math.max(FLOORS.maxFeeUsd, ...qualified.map(({ feeUsd }) => feeUsd ?? 0));
  const maxSeconds = Math.max(FLOORS.maxSeconds, ...qualified.map(({ confirmationSeconds }) => confirmationSeconds));
  const fees = new Map(qualified.map(({ chain, feeUsd }) => [chain, feeUsd ?? 0]));
  const ranked = qualified
    .map((candidate) => scoreOf(candidate, WEIGHTS[priority], maxFee, maxSeconds))
    .toSorted(
      (a, b) =>
        b.score - a.score || (fees.get(a.chain) ?? 0) - (fees.get(b.chain) ?? 0) || (a.chain < b.chain ? -1 : 1),
    );
  const disqualified = judged.flatMap(({ candidate, reason }) =>
    reason === null ? [] : [{ chain: candidate.chain, reason }],
  );
  return { ranked, disqualified: disqualified.toSorted((a, b) => (a.chain < b.chain ? -1 : 1)) };
}

function scoreOf(candidate: RouteCandidate, weights: Weights, maxFee: number, maxSeconds: number): ScoredRoute {
  const parts = {
    fee: 1 - (candidate.feeUsd ?? 0) / maxFee,
    latency: 1 - candidate.confirmationSeconds / maxSeconds,
    reliability: 1 - candidate.rpcErrorRate,
  };
  const sum = weights.fee * parts.fee + weights.latency * parts.latency + weights.reliability * parts.reliability;
  const degraded = candidate.health === 'degraded';
  return { chain: candidate.chain, score: degraded ? sum * DEGRADED_FACTOR : sum, parts, degraded };
}
