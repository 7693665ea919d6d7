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
}

export interface RouteInputs {
  /** Of the rules. A change of a weight, floor or rule raises it, so that old choices are never judged by new rules. */
  readonly version: 1;
  readonly priority: Priority;
  readonly candidates: readonly RouteCandidate[];
}

/** In the order in which they are checked: a candidate has the first that applies. */
export const DISQUALIFICATIONS = ['no_address', 'treasury_too_low', 'chain_unhealthy', 'price_stale'] as const;
export type Disqualification = (typeof DISQUALIFICATIONS)[number];
