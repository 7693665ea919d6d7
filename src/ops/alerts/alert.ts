// An alert: a measurement of a tenant that crossed its threshold. Pure: the rules of each kind, and when one is raised and cleared.
import type { Uuid } from '../../kernel/index.ts';

/** The unit of value and threshold, by kind. */
export const ALERT_KINDS = {
  payout_success: 'share',
  settlement_time: 'seconds',
  treasury_floor: 'minor_units',
  chain_health: 'seconds',
  webhook_delivery: 'share',
  manual_review: 'payouts',
} as const satisfies Record<string, string>;
export type AlertKind = keyof typeof ALERT_KINDS;
export type AlertUnit = (typeof ALERT_KINDS)[AlertKind];
export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKind[];
export const ALERT_UNITS = [...new Set(Object.values(ALERT_KINDS))];

const MINUTE_MS = 60_000;
export const WINDOW_MS = 15 * MINUTE_MS;
/** Kinds that measure a window; the others measure what is now. */
const ROLLING: ReadonlySet<AlertKind> = new Set<AlertKind>([
  'payout_success',
  'settlement_time',
  'chain_health',
  'webhook_delivery',
]);
export const windowOf = (kind: AlertKind): number | null => (ROLLING.has(kind) ? WINDOW_MS : null);

/** Below this share, in hundredths. */
export const LEAST_SHARE = { payout_success: 95n, webhook_delivery: 90n } as const;
/** Samples from which on an alert is raised. One that is open stays for fewer. */
export const LEAST_SAMPLES = { payout_success: 10, settlement_time: 5, webhook_delivery: 10 } as const;
/** Above this average from the signed bytes to finality. The simulated chain is final within seconds. */
export const SETTLEMENT_MS: Readonly<Record<string, number>> = {
  solana: 5 * MINUTE_MS,
  ethereum: 15 * MINUTE_MS,
  sandbox: 2 * MINUTE_MS,
};
export const OTHER_SETTLEMENT_MS = 15 * MINUTE_MS;
export const settlementThresholdMs = (chain: string): number =>
  Object.hasOwn(SETTLEMENT_MS, chain) ? (SETTLEMENT_MS[chain] ?? OTHER_SETTLEMENT_MS) : OTHER_SETTLEMENT_MS;

/** The subject of an alert: a tenant has one open alert of each. */
export interface AlertKey {
  readonly kind: AlertKind;
  readonly chain: string | null;
  readonly asset: string | null;
}

/** Numbers are decimal text in the unit of the kind: an amount of a wallet is no float. */
export interface Measurement extends AlertKey {
  readonly value: string;
  readonly threshold: string;
  readonly count: number;
  /** Raises an alert if none is open. */
  readonly raises: boolean;
  /** Clears one that is open. Neither: an alert stays as it is. */
  readonly clears: boolean;
}

export interface Alert extends AlertKey {
  readonly id: Uuid;
  readonly unit: AlertUnit;
  /** Measured when it was raised. */
  readonly value: string;
  readonly threshold: string;
  readonly count: number;
  readonly windowMs: number | null;
  /** By the tenant's clock. */
  readonly raisedAt: Date;
  /** Null while it is open. */
  readonly clearedAt: Date | null;
  /** Null while it is open, and if nothing was left to measure. */
  readonly clearedValue: string | null;
}

export const sameKey = (one: AlertKey, other: AlertKey): boolean =>
  one.kind === other.kind && one.chain === other.chain && one.asset === other.asset;

type Samples = { readonly good: number; readonly count: number };

/** A share of good samples: below `LEAST_SHARE` it is crossed. Compared in whole numbers; the text is rounded down, so that it is never shown as the threshold. */
export function shareOf(kind: keyof typeof LEAST_SHARE, chain: string | null, { good, count }: Samples): Measurement {
  const percent = LEAST_SHARE[kind];
  const crossed = BigInt(good) * 100n < BigInt(count) * percent;
  return {
    kind,
    chain,
    asset: null,
    value: decimal(count === 0 ? 0n : (BigInt(good) * 10_000n) / BigInt(count), 4),
    threshold: decimal(percent, 2),
    count,
    raises: crossed && count >= LEAST_SAMPLES[kind],
    clears: !crossed,
  };
}

/** An average: above the threshold of the chain it is crossed. */
export function settlementOf(
  chain: string,
  { totalMs, count }: { readonly totalMs: bigint; readonly count: number },
): Measurement {
  const thresholdMs = BigInt(settlementThresholdMs(chain));
  const crossed = totalMs > thresholdMs * BigInt(count);
  return {
    kind: 'settlement_time',
    chain,
    asset: null,
    // Rounded up, for the same reason.
    value: decimal(count === 0 ? 0n : (totalMs + BigInt(count) - 1n) / BigInt(count), 3),
    threshold: decimal(thresholdMs, 3),
    count,
    raises: crossed && count >= LEAST_SAMPLES.settlement_time,
    clears: !crossed,
  };
}

export function floorOf(
  subject: { readonly chain: string; readonly asset: string },
  { available, floor }: { readonly available: bigint; readonly floor: bigint },
): Measurement {
  const crossed = available < floor;
  const numbers = { value: String(available), threshold: String(floor), count: 1 };
  return { kind: 'treasury_floor', ...subject, ...numbers, raises: crossed, clears: !crossed };
}

/** Raised by the newest snapshot, cleared by three in a row, so that a chain that flickers is one alert. */
export function healthOf({
  chain,
  isUnhealthy,
  isSteady,
  unhealthyMs,
  count,
}: {
  readonly chain: string;
  readonly isUnhealthy: boolean;
  readonly isSteady: boolean;
  readonly unhealthyMs: number;
  readonly count: number;
}): Measurement {
  const numbers = { value: decimal(BigInt(unhealthyMs), 3), threshold: '0', count };
  return { kind: 'chain_health', chain, asset: null, ...numbers, raises: isUnhealthy, clears: isSteady };
}

export const reviewOf = ({ chain, count }: { readonly chain: string; readonly count: number }): Measurement => ({
  kind: 'manual_review',
  chain,
  asset: null,
  value: String(count),
  threshold: '0',
  count,
  raises: count > 0,
  clears: count === 0,
});

/** `decimal(9130n, 4)` is `0.913`. */
function decimal(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0{1,4}$/, '');
  return fraction === '' ? digits.slice(0, -scale) : `${digits.slice(0, -scale)}.${fraction}`;
}

export interface Decision {
  readonly raise: readonly Measurement[];
  /** Null: there is nothing left to measure. */
  readonly clear: readonly { readonly alert: Alert; readonly measured: Measurement | null }[];
}

/** A crossing is raised once: an alert that is open is not raised again. An alert without a measurement is cleared. */
export function decide(open: readonly Alert[], measured: readonly Measurement[]): Decision {
  return {
    raise: measured.filter((one) => one.raises && !open.some((alert) => sameKey(alert, one))),
    clear: open.flatMap((alert) => {
      const found = measured.find((one) => sameKey(alert, one)) ?? null;
      return found === null || found.clears ? [{ alert, measured: found }] : [];
    }),
  };
}
