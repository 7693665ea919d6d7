// One sample for `usance top`: the money of one tenant, and the loops of the store. Every read is bounded: those of the overview, the
// charts, one page of payments in review, and the readings of the metrics, which are made at most every few seconds.
import type { Engine, TenantHandle } from '../../engine.ts';
import { LOOP_NAMES } from '../../engine.ts';

const REVIEW_PAGE = 100;
const HOURS = 24;

export interface Sum {
  readonly asset: string;
  readonly count: number;
  readonly amount: bigint;
}

export interface Sample {
  readonly tenant: string;
  readonly at: Date;
  readonly waiting: { readonly count: number; readonly more: boolean; readonly nextDueAt: Date | null };
  /** Payments of the next 24 hours, by asset. */
  readonly nextDay: readonly Sum[];
  readonly overdue: { readonly count: number; readonly lateMs: number; readonly amounts: readonly Sum[] };
  readonly awaitingApproval: readonly Sum[];
  readonly review: { readonly count: number; readonly more: boolean };
  readonly deadLetters: { readonly amounts: readonly Sum[]; readonly executions: number };
  readonly lastHour: { readonly settled: number; readonly failed: number };
  readonly lastDay: { readonly settled: number; readonly failed: number };
  /** Settled payments a minute, oldest first, by the clock of the tenant. */
  readonly perMinute: readonly number[];
  readonly longestLateMs: number | null;
  readonly stops: readonly string[];
  readonly integrity: { readonly state: 'ok' | 'frozen' | 'unknown'; readonly checkedAt: Date | null };
  /** Over all tenants. */
  readonly backlog: readonly { readonly loop: string; readonly count: number; readonly oldestSeconds: number | null }[];
  /** When each loop last ended well in any process, in milliseconds; null if it never did. */
  readonly loops: readonly { readonly name: string; readonly idleMs: number | null }[];
}

/** The readings of the metrics by loop: how much waits, and since when. */
const BACKLOG = [
  ['processor', 'usance_due_payments', 'usance_due_oldest_seconds'],
  ['scheduler', 'usance_due_schedules', 'usance_due_schedules_oldest_seconds'],
  ['sequencer', 'usance_events_unordered', 'usance_events_unordered_oldest_seconds'],
  ['matcher', 'usance_events_unmatched', null],
  ['jobs', 'usance_executions_pending', 'usance_executions_oldest_seconds'],
] as const;

export async function takeSample(engine: Engine, tenant: TenantHandle): Promise<Sample> {
  const [seen, ahead, series, review, metrics, loops] = await Promise.all([
    tenant.overview(),
    tenant.dueAhead({ hours: HOURS, shown: 1 }),
    tenant.series('hour'),
    tenant.payments({ status: ['review'] }, { limit: REVIEW_PAGE }),
    engine.monitoring.metrics(),
    Promise.all(LOOP_NAMES.map(async (name) => ({ name, idleMs: await engine.loopIdleMs(name) }))),
  ]);
  const lates = series.points.flatMap(({ longestLateMs }) => (longestLateMs === null ? [] : [longestLateMs]));
  return {
    tenant: tenant.name,
    at: seen.at,
    waiting: { count: seen.waiting, more: seen.capped, nextDueAt: seen.nextDueAt },
    nextDay: sumsOf(ahead.hours),
    overdue: { count: seen.due, lateMs: seen.lateMs, amounts: seen.dueAmounts },
    awaitingApproval: seen.awaitingApproval,
    review: { count: review.length, more: review.length === REVIEW_PAGE },
    deadLetters: { amounts: seen.deadLetters, executions: seen.deadExecutions },
    lastHour: seen.lastHour,
    lastDay: seen.lastDay,
    perMinute: series.points.map(({ settled }) => settled),
    longestLateMs: lates.length === 0 ? null : Math.max(...lates),
    stops: [
      ...seen.freezes.map(({ asset }) => `${asset} is frozen`),
      ...seen.pauses.map(({ scope, value, reason }) => `paused: ${scope === 'tenant' ? 'all' : value} (${reason})`),
      ...(seen.outages.length > 0 ? ['runs are held after an outage'] : []),
    ],
    integrity: seen.integrity,
    backlog: backlogOf(metrics),
    loops,
  };
}

function sumsOf(hours: readonly Sum[]): Sum[] {
  const byAsset = Map.groupBy(hours, ({ asset }) => asset);
  return [...byAsset].map(([asset, own]) => ({
    asset,
    count: own.reduce((total, { count }) => total + count, 0),
    amount: own.reduce((total, { amount }) => total + amount, 0n),
  }));
}

/** Readings are left out of the metrics while the database takes too long. */
function backlogOf(metrics: string): Sample['backlog'] {
  const valueOf = (name: string): number | null => {
    const [, value] = new RegExp(`^${name} ([\\d.e+]+)$`, 'm').exec(metrics) ?? [];
    return value === undefined ? null : Number(value);
  };
  return BACKLOG.flatMap(([loop, name, oldest]) => {
    const count = valueOf(name);
    return count === null ? [] : [{ loop, count, oldestSeconds: oldest === null ? null : valueOf(oldest) }];
  });
}
