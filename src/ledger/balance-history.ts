// The balance of an account over time, for a chart: from the balance as it is, backwards through what changed it.
import { refuse } from '../kernel/index.ts';
import type { StoredAccount } from './account.ts';
import { derivedBalance } from './balance-store.ts';
import type { HistoryWindow } from './balance-history-store.ts';
import { readBalanceChanges } from './balance-history-store.ts';
import { derivedAccount } from './system-accounts.ts';
import type { VerbContext } from './verbs.ts';

export interface BalanceHistoryOrder {
  readonly asset: string;
  /** Default: 30 days before `until`. */
  readonly from?: Date;
  /** Default: now, by the tenant's clock. */
  readonly until?: Date;
  /** From 2 to 200, default 60. */
  readonly points?: number;
}

/** What payments reserved in a step, less what they released. Their captures are transfers, and counted as those. */
export interface HeldChange {
  readonly step: number;
  readonly reserved: bigint;
}

export interface Held {
  readonly changes: readonly HeldChange[];
  /** Changes before this instant were not read; null if all were. */
  readonly readFrom: Date | null;
}

export interface BalancePoint {
  readonly at: Date;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly total: bigint;
}

export interface BalanceHistory {
  readonly asset: string;
  readonly from: Date;
  readonly until: Date;
  /** Oldest first; the last is at `until`. Fewer than asked for if the account has changed more often than is read. */
  readonly points: readonly BalancePoint[];
}

const MONTH_MS = 30 * 86_400_000;
export const MOST_BALANCE_POINTS = 200;
const DEFAULT_POINTS = 60;

export async function balanceHistory(
  context: VerbContext,
  account: StoredAccount,
  order: BalanceHistoryOrder,
  readHeld: (window: HistoryWindow) => Promise<Held>,
): Promise<BalanceHistory> {
  const { sql, tenantId } = context;
  const { now } = await context.moment(sql);
  const until = order.until ?? now;
  const from = order.from ?? new Date(until.getTime() - MONTH_MS);
  if (from >= until) refuse('FIELD_INVALID/not_after', { param: 'until', start: 'from' });
  const steps = (order.points ?? DEFAULT_POINTS) - 1;
  const stepMs = (until.getTime() - from.getTime()) / steps;
  const key = { tenantId, accountId: account.id, asset: order.asset };
  const window = { from, stepMs, steps };
  const [{ now: current, changes, readFrom }, held] = await Promise.all([
    readBalanceChanges(sql, key, window),
    readHeld(window),
  ]);
  const isDerived = derivedAccount(tenantId, account.id) !== null;
  let total = isDerived ? await derivedBalance(sql, key) : current.available + current.reserved;
  let { reserved } = current;
  const points: BalancePoint[] = [];
  for (let step = steps; step >= 0; step -= 1) {
    const at = new Date(Math.round(from.getTime() + step * stepMs));
    for (const change of changes.filter((each) => each.step === step)) {
      total -= change.total;
      reserved -= change.reserved;
    }
    for (const change of held.changes.filter((each) => each.step === step)) reserved -= change.reserved;
    if ([readFrom, held.readFrom].some((instant) => instant !== null && at < instant)) break;
    points.push({ at, available: total - reserved, reserved, total });
  }
  return { asset: order.asset, from, until, points: points.toReversed() };
}
