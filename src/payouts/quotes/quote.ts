// Quotes and routes as values. A quote says which chains could take a payout, and is valid for five minutes; a route is the choice that an attempt of a
// payout follows, stored with everything that it was chosen by.
import type { Uuid } from '../../kernel/index.ts';
import type { Priority, RouteCandidate, StoredRoute } from '../../rails/index.ts';

/** By the tenant's clock. */
export const QUOTE_LIFE_MS = 5 * 60_000;

/** The payee's address by chain: `{ sandbox: 'sbx…' }`. */
export type Destinations = Readonly<Record<string, string>>;

/** The most chains that one payout can name. */
export const MOST_DESTINATIONS = 10;

export interface Quote extends StoredRoute {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** `USDC/6`. */
  readonly asset: string;
  readonly amount: bigint;
  readonly priority: Priority;
  readonly destinations: Destinations;
  /** The chain with the highest score. */
  readonly chain: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When a payout was created with it; null: not yet. */
  readonly usedAt: Date | null;
}

export const ROUTE_CAUSES = ['quote', 'due', 'requote', 'retry', 'next_best'] as const;
/**
 * `quote`: the caller's quote. `due`: chosen when the payout was due. `requote`: the quoted chain did not hold. `retry`: the chain of an
 * earlier attempt again. `next_best`: another chain than that of an earlier attempt, of which nothing can land any more.
 */
export type RouteCause = (typeof ROUTE_CAUSES)[number];

export interface PayoutRoute extends StoredRoute {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly paymentId: Uuid;
  /** The first route of a payout is number 1. */
  readonly number: number;
  readonly attempt: number;
  readonly cause: RouteCause;
  readonly quoteId: Uuid | null;
  readonly chain: string;
  /** In units of the chain's fee asset. */
  readonly feeLimitUnits: bigint;
  /** By the tenant's clock. */
  readonly chosenAt: Date;
}

/** The candidate that was chosen; null if none qualified. */
export function chosenOf({ inputs, decision }: StoredRoute): RouteCandidate | null {
  const [best] = decision.ranked;
  return inputs.candidates.find(({ chain }) => chain === best?.chain) ?? null;
}

export const isExpired = (quote: Pick<Quote, 'expiresAt'>, now: Date): boolean =>
  now.getTime() >= quote.expiresAt.getTime();
