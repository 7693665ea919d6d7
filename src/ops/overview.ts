// A tenant at a glance: what waits, what is late, what moved and what failed, what is stopped, and what needs a person.
import { countRecentOutcomes, countUnorderedOf } from '../events/index.ts';
import { countExecutionLetters } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Freeze, VerbContext } from '../ledger/index.ts';
import { listFreezes } from '../ledger/index.ts';
import type { Ahead, AtStake } from '../payments/index.ts';
import { readAhead, sumAwaiting, sumDeadLetters, sumDue, sumWaiting } from '../payments/index.ts';
import { sumInReview } from '../payouts/index.ts';
import type { Outage } from '../schedules/index.ts';
import { listOutages, scheduleBacklogOf, sumOccurrenceLetters } from '../schedules/index.ts';
import type { ActivePause } from '../tenants/index.ts';
import { listPauses } from '../tenants/index.ts';
import type { Alert } from './alerts/index.ts';
import { listOpenAlerts } from './alerts/index.ts';
import type { ExecutionCap } from './execution-cap.ts';
import { readIntegrity } from './loop-store.ts';
import { executionCapOf } from './execution-cap.ts';

export interface Overview extends Ahead {
  readonly at: Date;
  /** How late the oldest due payment is. */
  readonly lateMs: number;
  /** Schedules with a due slot that has not run, and since when; counted up to 10,000. */
  readonly dueSchedules: { readonly count: number; readonly oldest: Date | null };
  readonly lastHour: { readonly settled: number; readonly failed: number };
  readonly lastDay: { readonly settled: number; readonly failed: number };
  /** The day had more events than are counted: its numbers are at least that. */
  readonly recentCapped: boolean;
  /** Payments and occurrences together. */
  readonly deadLetters: readonly AtStake[];
  /** Executions that are dead letters, counted up to 100,000. */
  readonly deadExecutions: number;
  readonly awaitingApproval: readonly AtStake[];
  /** Payouts that were not final ten minutes after they were sent: a person decides, or the chain does. */
  readonly inReview: readonly AtStake[];
  /** By asset, counted up to 10,000 a priority. */
  readonly dueAmounts: readonly AtStake[];
  /** Counts the first 2,000 of each priority. */
  readonly waitingAmounts: readonly AtStake[];
  /** `frozen`: an asset of the tenant is frozen. `unknown`: the integrity check has not ended well in ten minutes. */
  readonly integrity: { readonly state: 'ok' | 'frozen' | 'unknown'; readonly checkedAt: Date | null };
  /** Outages that wait to be released or discarded; at most one. */
  readonly outages: readonly Outage[];
  /** The newest 100 that are open. */
  readonly alerts: readonly Alert[];
  readonly freezes: readonly Freeze[];
  readonly pauses: readonly ActivePause[];
  readonly executionCap: ExecutionCap;
  /** Events that are not ordered yet, and since when. */
  readonly unordered: { readonly count: number; readonly oldest: Date | null };
}

const MOST_ALERTS = 100;

export async function overview(context: VerbContext, tenantId: Uuid, defaultCap: number | null): Promise<Overview> {
  const { sql } = context;
  const clock = await context.moment(sql);
  const [
    ahead,
    schedules,
    recent,
    payments,
    occurrences,
    executions,
    awaiting,
    outages,
    freezes,
    pauses,
    cap,
    unordered,
    dueAmounts,
    waitingAmounts,
    inReview,
    checked,
    alerts,
  ] = await Promise.all([
    readAhead(sql, tenantId, clock),
    scheduleBacklogOf(sql, tenantId, clock),
    countRecentOutcomes(sql, tenantId, clock),
    sumDeadLetters(sql, tenantId),
    sumOccurrenceLetters(sql, tenantId),
    countExecutionLetters(sql, tenantId),
    sumAwaiting(sql, tenantId),
    listOutages(sql, tenantId, { status: 'waiting' }, { limit: 1 }),
    listFreezes(sql, { activeOnly: true }),
    listPauses(sql, tenantId),
    executionCapOf(sql, tenantId, defaultCap),
    countUnorderedOf(sql, tenantId),
    sumDue(sql, tenantId, clock),
    sumWaiting(sql, tenantId, clock),
    sumInReview(sql, tenantId),
    readIntegrity(sql),
    listOpenAlerts(sql, tenantId, MOST_ALERTS),
  ]);
  const frozen = freezes.filter((freeze) => freeze.tenantId === tenantId);
  const { capped: recentCapped, ...counts } = recent;
  return {
    ...ahead,
    ...counts,
    recentCapped,
    at: clock.now,
    lateMs: ahead.oldestDueAt ? Math.max(0, clock.now.getTime() - ahead.oldestDueAt.getTime()) : 0,
    dueSchedules: { count: schedules.due, oldest: schedules.oldest },
    deadLetters: byAsset([...payments, ...occurrences]),
    deadExecutions: executions,
    awaitingApproval: awaiting,
    outages,
    alerts,
    inReview,
    dueAmounts,
    waitingAmounts,
    integrity: {
      state: frozen.length > 0 ? 'frozen' : checked.isRecent ? 'ok' : 'unknown',
      checkedAt: checked.at,
    },
    freezes: frozen,
    pauses,
    executionCap: cap,
    unordered,
  };
}

function byAsset(stakes: readonly AtStake[]): AtStake[] {
  const sums = new Map<string, AtStake>();
  for (const { asset, count, amount } of stakes) {
    const sum = sums.get(asset) ?? { count: 0, amount: 0n };
    sums.set(asset, { asset, count: sum.count + count, amount: sum.amount + amount });
  }
  return [...sums.values()].toSorted((a, b) => (a.asset < b.asset ? -1 : 1));
}
