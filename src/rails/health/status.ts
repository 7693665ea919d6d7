// Health of a chain, from its metrics: pure. The comparisons are strict: exactly 0.30 errors or 0.80 congestion is degraded.
import type { HealthMetrics } from '../rail.ts';

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy';

/** Above the first number a chain is degraded, above the second unhealthy. */
export const HEALTH_THRESHOLDS = {
  rpcErrorRate: { degraded: 0.1, unhealthy: 0.3 },
  congestionScore: { degraded: 0.5, unhealthy: 0.8 },
} as const;

/** A snapshot counts as unhealthy when it is older than this many collection intervals. */
export const STALE_AFTER_INTERVALS = 3;

/** The metrics of one chain at an instant. The fee is an estimate for comparing chains; it is never posted. */
export interface HealthSnapshot {
  readonly chain: string;
  readonly takenAt: Date;
  readonly status: HealthStatus;
  readonly avgConfirmationSeconds: number;
  readonly rpcErrorRate: number;
  readonly p95LatencyMs: number;
  readonly congestionScore: number;
  /** Null if there was no usable price. */
  readonly estimatedFeeUsd: number | null;
}

type Measured = Pick<HealthMetrics, 'rpcErrorRate' | 'congestionScore'>;

export function healthStatus({ rpcErrorRate, congestionScore }: Measured): HealthStatus {
  const { rpcErrorRate: errors, congestionScore: congestion } = HEALTH_THRESHOLDS;
  // A metric that is not a number would pass every comparison with `>` as healthy.
  if (!isShare(rpcErrorRate) || !isShare(congestionScore)) return 'unhealthy';
  if (rpcErrorRate > errors.unhealthy || congestionScore > congestion.unhealthy) return 'unhealthy';
  if (rpcErrorRate > errors.degraded || congestionScore > congestion.degraded) return 'degraded';
  return 'healthy';
}

const isShare = (value: number): boolean => value >= 0 && value <= 1;

export function snapshotOf(
  chain: string,
  takenAt: Date,
  metrics: HealthMetrics,
  estimatedFeeUsd: number | null,
): HealthSnapshot {
  const { avgConfirmationSeconds, rpcErrorRate, p95LatencyMs, congestionScore } = metrics;
  return {
    chain,
    takenAt,
    status: healthStatus(metrics),
    avgConfirmationSeconds,
    rpcErrorRate,
    p95LatencyMs,
    congestionScore,
    estimatedFeeUsd,
  };
}

/** The snapshot of a chain whose adapter failed. Its numbers are the worst that a reader of snapshots can meet. */
export function fallbackSnapshot(chain: string, takenAt: Date): HealthSnapshot {
  return {
    chain,
    takenAt,
    status: 'unhealthy',
    avgConfirmationSeconds: 999,
    rpcErrorRate: 1,
    p95LatencyMs: 9999,
    congestionScore: 1,
    estimatedFeeUsd: 999,
  };
}

/** The status to act on at `now`: without a snapshot, or with an old one, a chain is unhealthy. */
export function statusAt(snapshot: HealthSnapshot | null, now: Date, intervalMs: number): HealthStatus {
  if (snapshot === null) return 'unhealthy';
  const ageMs = now.getTime() - snapshot.takenAt.getTime();
  return ageMs > STALE_AFTER_INTERVALS * intervalMs ? 'unhealthy' : snapshot.status;
}
