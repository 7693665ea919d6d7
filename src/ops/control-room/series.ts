// The charts of a tenant: outcomes, lateness and backlog in equal steps, up to now by the tenant's clock.
import { readOutcomeSeries } from '../../events/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { countDueByBucket } from '../../payments/index.ts';

export const SERIES_PERIODS = ['hour', 'day', 'week'] as const;
export type SeriesPeriod = (typeof SERIES_PERIODS)[number];

const MINUTE_MS = 60_000;
const STEPS: Readonly<Record<SeriesPeriod, { readonly stepMs: number; readonly count: number }>> = {
  hour: { stepMs: MINUTE_MS, count: 60 },
  day: { stepMs: 15 * MINUTE_MS, count: 96 },
  week: { stepMs: 120 * MINUTE_MS, count: 84 },
};

export interface SeriesPoint {
  /** Begin of the step. */
  readonly at: Date;
  readonly settled: number;
  readonly failed: number;
  readonly averageLateMs: number | null;
  readonly longestLateMs: number | null;
  /** Due and not done when the step ended. */
  readonly backlog: number;
}

export interface Series {
  readonly period: SeriesPeriod;
  readonly stepMs: number;
  /** False: the newest 50,000 events, or 10,000 due payments of a priority, are not all; earlier steps are lower bounds. */
  readonly countedAll: boolean;
  readonly points: readonly SeriesPoint[];
}

export async function series(context: VerbContext, period: SeriesPeriod): Promise<Series> {
  const { sql, tenantId } = context;
  const { stepMs, count } = STEPS[period];
  const clock = await context.moment(sql);
  // Whole steps, so that a chart that is drawn again moves by whole steps.
  const end = (Math.floor(clock.now.getTime() / stepMs) + 1) * stepMs;
  const from = new Date(end - count * stepMs);
  const [outcomes, due] = await Promise.all([
    readOutcomeSeries(sql, tenantId, { from, stepMs, count }, clock.clockId === null),
    countDueByBucket(sql, tenantId, clock, { from, stepMs }),
  ]);
  const ended = new Map(outcomes.buckets.map((bucket) => [bucket.bucket, bucket]));
  // How the backlog changes at each step: a payment joins where it was due, and leaves where it settled.
  const change = Array.from({ length: count + 1 }, () => 0);
  const add = (bucket: number, payments: number): void => {
    change[Math.min(bucket, count)] = (change[Math.min(bucket, count)] ?? 0) + payments;
  };
  for (const { dueBucket, settledBucket, payments } of outcomes.overhangs) {
    add(dueBucket, payments);
    add(settledBucket, -payments);
  }
  for (const { bucket, payments } of due.buckets) add(bucket, payments);
  let backlog = 0;
  const points = Array.from({ length: count }, (_, index): SeriesPoint => {
    backlog += change[index] ?? 0;
    const own = ended.get(index);
    return {
      at: new Date(from.getTime() + index * stepMs),
      settled: own?.settled ?? 0,
      failed: own?.failed ?? 0,
      averageLateMs: own?.averageLateMs ?? null,
      longestLateMs: own?.longestLateMs ?? null,
      backlog,
    };
  });
  return { period, stepMs, countedAll: outcomes.countedAll && due.countedAll, points };
}
