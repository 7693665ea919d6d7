// Whether the fee of a chosen chain still is what it was chosen by: pure. The fee of a chain can rise many times over between the choice and the
// execution, and the payout was promised for the earlier one.
import type { Basis } from '../../rails/index.ts';

export const FEE_POLICIES = ['requote', 'fail'] as const;
/** What happens when the fee has left its tolerance: another choice is made, or the payout fails. */
export type FeePolicy = (typeof FEE_POLICIES)[number];

export interface FeeTolerance {
  /** By how much of itself a fee may rise: 0.5 is half. Default 0.5. */
  readonly share: number;
  /** A rise of at most so many US dollars is always tolerated: a share of a tiny fee is nothing. Default 0.01. */
  readonly usd: number;
  /** Default `requote`. */
  readonly policy: FeePolicy;
}

export const DEFAULT_FEE_TOLERANCE: FeeTolerance = { share: 0.5, usd: 0.01, policy: 'requote' };

/** Whether a fee now is within the tolerance of the fee that a route was chosen by. A fee that is not known is not. */
export function isTolerated(
  chosenUsd: number | null,
  nowUsd: number | null,
  { share, usd }: Pick<FeeTolerance, 'share' | 'usd'>,
): boolean {
  if (chosenUsd === null || nowUsd === null) return false;
  return nowUsd - chosenUsd <= Math.max(chosenUsd * share, usd);
}

/** The most units of the fee asset that the tolerance allows, never less than the fee is now. */
export function toleratedUnits(
  chosen: bigint,
  now: bigint,
  basis: Pick<Basis, 'feeDecimals' | 'priceUsd'> | null,
  { share, usd }: Pick<FeeTolerance, 'share' | 'usd'>,
): bigint {
  const { feeDecimals = null, priceUsd = null } = basis ?? {};
  const byShare = Number(chosen) * share;
  const byUsd = feeDecimals === null || priceUsd === null ? 0 : (usd / priceUsd) * 10 ** feeDecimals;
  const most = chosen + BigInt(Math.floor(Math.max(byShare, byUsd)));
  return most > now ? most : now;
}
