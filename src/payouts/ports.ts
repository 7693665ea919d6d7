// The ports of this module: the choice of a chain, and the rails of this process. The loops that move money know no scores, prices or health; a chooser
// knows no attempts, leases or postings. The engine connects them.
import type { Clock, Refused, Uuid } from '../kernel/index.ts';
import type { Priority, Rail } from '../rails/index.ts';

/** A payout that is about to be signed: choose its chain now. */
export interface RouteRequest {
  readonly tenantId: Uuid;
  readonly paymentId: Uuid;
  /** The number of the attempt, from 1. No earlier attempt can land any more. */
  readonly attempt: number;
  /** The ledger's asset, `USDC/6`. */
  readonly asset: string;
  /** In minor units of the ledger. */
  readonly amount: bigint;
  /** The payee's address on each chain that may be used. */
  readonly destinations: Readonly<Record<string, string>>;
  readonly priority: Priority;
  /** The quote that the caller accepted; null: none. */
  readonly quoteId: Uuid | null;
  /** Chains on which an earlier attempt of this payout ended without paying. */
  readonly failedOn: readonly string[];
  /** Chains that it may not take now, and why: paused, not allowed, or beyond a cap. */
  readonly barred?: Readonly<Record<string, string>>;
}

export type RouteChoice =
  | {
      readonly outcome: 'chosen';
      readonly chain: string;
      /** The most that the wallet pays as a fee, in units of the chain's fee asset. */
      readonly feeLimitUnits: bigint;
      /** The stored route, which explains and replays the choice; null if the chooser stores none. */
      readonly routeId: Uuid | null;
    }
  /** Not now: no attempt is counted, and the chain is chosen again after a wait. */
  | { readonly outcome: 'not_now'; readonly cause: Refused }
  /** Never: the payout fails, and its funds are released. */
  | { readonly outcome: 'refused'; readonly cause: Refused };

/** Called outside transactions; may read the database and ask chains, and stores the route that it returns. It signs and sends nothing. */
export type ChooseRoute = (request: RouteRequest, clock: Clock) => Promise<RouteChoice>;

/** The rails of this process. Each tenant has a wallet of its own on each chain. */
export interface Rails {
  /** Names of the chains. */
  readonly chains: readonly string[];
  /** The rail that signs for a tenant; null for a chain that this process does not have. */
  of(chain: string, tenantId: Uuid): Rail | null;
}
