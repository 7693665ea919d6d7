// The inputs of a choice of route, as they are stored with it: plain JSON, so that the choice can be computed again from the row
// years later. Amounts are decimal-integer strings; the other numbers are measurements, which survive JSON exactly.
import type { HealthStatus } from '../health/index.ts';

export const PRIORITIES = ['low_fee', 'fast', 'reliable'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** One chain that a payout could take. */
export interface RouteCandidate {
  readonly chain: string;
  /** Whether the payee gave a valid address on this chain. */
  readonly hasAddress: boolean;
  /** Available in the treasury's wallet, in units of the chain. */
  readonly walletUnits: string;
  /** Needed there: the payout, in units of the chain. */
  readonly neededUnits: string;
  /** After the age of the snapshot was considered. */
  readonly health: HealthStatus;
  /** Null without a fresh price. */
  readonly feeUsd: number | null;
  readonly confirmationSeconds: number;
  readonly rpcErrorRate: number;
  /** The same for the fee, in units of the fee asset. Absent: not compared. */
  readonly walletFeeUnits?: string;
  readonly neededFeeUnits?: string;
  /** The balance of the wallet could not be read. */
  readonly walletUnread?: boolean;
  /** The wallet signs nothing: its balance on the chain differs from the books. */
  readonly walletFrozen?: boolean;
  /** An attempt of this payout on this chain has ended without paying. */
  readonly attemptFailed?: boolean;
  /** The fee could not be estimated when the payout was to be signed. */
  readonly feeUnread?: boolean;
  /** Why payouts of the tenant may not take it: it is paused, the address is not allowed, or a cap is reached. */
  readonly barred?: string;
  /** What the other fields are from. Not part of the choice. */
  readonly basis?: Basis;
}

/** The asset, and the snapshot behind the numbers of a candidate. */
export interface Basis {
  readonly asset: string;
  readonly decimals: number;
  readonly feeAsset: string | null;
  readonly feeDecimals: number | null;
  readonly feeUnits: string | null;
  readonly priceUsd: number | null;
  readonly priceObservedAt: string | null;
  /** Null: the chain was never measured. */
  readonly snapshot: string | null;
  readonly takenAt: string | null;
  /** The fee is an estimate of the moment of signing, and not that of the snapshot. */
  readonly feeIsLive: boolean;
}

export interface RouteInputs {
  /** Of the rules. A change of a weight, floor or rule raises it, so that old choices are never judged by new rules. */
  readonly version: 1;
  readonly priority: Priority;
  readonly candidates: readonly RouteCandidate[];
}

/** In the order in which they are checked: a candidate has the first that applies. */
export const DISQUALIFICATIONS = [
  'no_address',
  'treasury_too_low',
  'chain_unhealthy',
  'price_stale',
  'wallet_unread',
  'wallet_frozen',
  'attempt_failed',
  'fee_unread',
  'barred',
] as const;
export type Disqualification = (typeof DISQUALIFICATIONS)[number];
