// Measures a chain: one snapshot, also of a chain whose adapter fails or does not answer. No request waits for it: a choice of a route
// reads stored snapshots.
import type { Clock, Uuid } from '../../kernel/index.ts';
import { newId } from '../../kernel/index.ts';
import type { Price, PriceSource } from '../price.ts';
import { feeInUsd } from '../price.ts';
import type { FeeEstimate, HealthMetrics, Rail, Reading } from '../rail.ts';
import { reasonOfError } from '../rpc-error.ts';
import type { HealthSnapshot } from './status.ts';
import { fallbackSnapshot, snapshotOf } from './status.ts';

/** A snapshot as it is stored: with the fee in units of its asset, and the price that it was converted by. */
export interface TakenSnapshot extends HealthSnapshot {
  readonly id: Uuid;
  /** Null in a fallback snapshot. */
  readonly fee: FeeInUnits | null;
  /** Null if there was none. A reader compares `observedAt`: the price can be stale by then. */
  readonly price: Price | null;
  /** Why the chain could not be measured; null if it was. */
  readonly failure: string | null;
}

export type FeeInUnits = Pick<FeeEstimate, 'asset' | 'decimals' | 'units'>;

/** A rail that does not answer for this long has failed. */
export const MEASURE_TIMEOUT_MS = 10_000;

export async function measureChain(
  rail: Rail,
  prices: PriceSource,
  clock: Clock,
  timeoutMs: number = MEASURE_TIMEOUT_MS,
): Promise<TakenSnapshot> {
  const read = await within(timeoutMs, () => rail.getHealthMetrics(clock));
  if (read.outcome === 'unknown') return failed(rail.chain, clock, read.reason);
  const metrics = read.value;
  if (!isValid(metrics)) return failed(rail.chain, clock, 'invalid_metrics');
  const { asset, decimals, units } = metrics.fee;
  const priced = await within(timeoutMs, async () => known(await prices.priceOf(asset, clock)));
  const price = priced.outcome === 'known' && isPrice(priced.value) ? priced.value : null;
  const snapshot = snapshotOf(rail.chain, clock.now, metrics, feeInUsd(metrics.fee, price, clock.now));
  return { ...snapshot, id: newId(), fee: { asset, decimals, units }, price, failure: null };
}

const known = <T>(value: T): Reading<T> => ({ outcome: 'known', value });

const failed = (chain: string, clock: Clock, failure: string): TakenSnapshot => ({
  ...fallbackSnapshot(chain, clock.now),
  id: newId(),
  fee: null,
  price: null,
  failure,
});

/** An adapter computes these from an endpoint's answers, so any of them can be NaN or out of range. */
function isValid({ avgConfirmationSeconds, rpcErrorRate, p95LatencyMs, congestionScore, fee }: HealthMetrics): boolean {
  const shares = [rpcErrorRate, congestionScore].every((share) => share >= 0 && share <= 1);
  const sizes = [avgConfirmationSeconds, p95LatencyMs].every((size) => size >= 0 && Number.isFinite(size));
  const { units, decimals } = fee;
  return shares && sizes && units >= 0n && Number.isInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS;
}

const MOST_DECIMALS = 36;

/** The store would refuse any other, and the chain would have no snapshot at all. */
const isPrice = (price: Price | null): price is Price =>
  price !== null && price.usd > 0 && Number.isFinite(price.usd) && isInstant(price.observedAt.getTime());

const YEAR_10000_MS = 253_402_300_800_000;
const isInstant = (ms: number): boolean => ms >= 0 && ms < YEAR_10000_MS;

async function within<T>(timeoutMs: number, ask: () => Promise<Reading<T>>): Promise<Reading<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Reading<T>>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, { outcome: 'unknown', reason: 'timeout' });
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    return { outcome: 'unknown', reason: reasonOfError(error) };
  } finally {
    clearTimeout(timer);
  }
}
