// An outage, as a tenant's schedules see one: nobody came for a while, and now more is due at once than was foreseen. What was
// due up to then waits for a person, who releases it (it is made, each schedule by its own policies) or discards it (its slots
// are skipped, on record). What falls due later is not held up.
import type { Uuid } from '../../kernel/index.ts';
import type { AtStake } from '../../payments/index.ts';

export const OUTAGE_STATUSES = ['waiting', 'released', 'discarded'] as const;
export type OutageStatus = (typeof OUTAGE_STATUSES)[number];

export interface Outage {
  readonly id: Uuid;
  readonly status: OutageStatus;
  /** When the oldest of it was due. */
  readonly since: Date;
  /** Everything due up to here waits; that is when it was noticed. */
  readonly through: Date;
  /** Schedules that were overdue, and what they were to pay at a slot each; the oldest 100,000 are counted. */
  readonly overdue: readonly AtStake[];
  /** Why it was decided so. */
  readonly reason: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

/** What may be overdue at once: so many schedules, so much of an asset. Null: any number. */
export interface OutageGuard {
  readonly count: number | null;
  readonly amounts: readonly { readonly asset: string; readonly amount: bigint }[];
}

/** Due for longer than this is overdue: schedulers that run look every second. */
export const OVERDUE_AFTER_MS = 5 * 60_000;

export function isBeyond(guard: OutageGuard, overdue: readonly AtStake[]): boolean {
  const schedules = overdue.reduce((sum, { count }) => sum + count, 0);
  if (guard.count !== null && schedules > guard.count) return true;
  return guard.amounts.some(({ asset, amount }) => (overdue.find((own) => own.asset === asset)?.amount ?? 0n) > amount);
}
