import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  PRICE_FRESH_MS,
  fallbackSnapshot,
  feeInUsd,
  healthStatus,
  isFresh,
  reasonOfError,
  snapshotOf,
  statusAt,
  toChainUnits,
  toLedgerUnits,
} from '../../src/rails/index.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const FEE = { asset: 'SBX', decimals: 9, units: 2_000_000_000n, suggestedLimitUnits: 6_000_000_000n };

describe('an amount', () => {
  test.each([
    [1_500_000n, 6, 18, 1_500_000_000_000_000_000n],
    [150n, 2, 2, 150n],
    [1_500_000_000n, 9, 6, 1_500_000n],
    [1_500_000_001n, 9, 6, null],
    [1n, 1, 0, null],
  ])('of %s with scale %s is on a chain with %s decimals %s', (amount, scale, decimals, units) => {
    expect(toChainUnits(amount, scale, decimals)).toBe(units);
  });

  test('comes back as it was, or was refused', () => {
    const digits = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 63n - 1n), fc.integer({ min: 0, max: 9 }), digits, (amount, scale, decimals) => {
        const units = toChainUnits(amount, scale, decimals);
        if (units !== null) expect(toLedgerUnits(units, scale, decimals)).toBe(amount);
        else expect(amount % 10n ** BigInt(scale - decimals)).not.toBe(0n);
      }),
    );
  });
});

describe('the health of a chain', () => {
  test.each([
    [0, 0, 'healthy'],
    [0.1, 0.5, 'healthy'],
    [0.1001, 0, 'degraded'],
    [0, 0.5001, 'degraded'],
    [0.3, 0.8, 'degraded'],
    [0.3001, 0, 'unhealthy'],
    [0, 0.8001, 'unhealthy'],
    [Number.NaN, 0, 'unhealthy'],
    [0, -1, 'unhealthy'],
  ] as const)('with error rate %s and congestion %s is %s', (rpcErrorRate, congestionScore, status) => {
    expect(healthStatus({ rpcErrorRate, congestionScore })).toBe(status);
  });

  test('is unhealthy without a snapshot, and from a snapshot older than three intervals', () => {
    const metrics = { avgConfirmationSeconds: 6, rpcErrorRate: 0, p95LatencyMs: 40, congestionScore: 0, fee: FEE };
    expect(statusAt(null, NOW, 15_000)).toBe('unhealthy');
    expect(statusAt(snapshotOf('sandbox', before(45_000), metrics, 0.1), NOW, 15_000)).toBe('healthy');
    expect(statusAt(snapshotOf('sandbox', before(45_001), metrics, 0.1), NOW, 15_000)).toBe('unhealthy');
  });

  test('has a fallback snapshot that is unhealthy by its own numbers', () => {
    const snapshot = fallbackSnapshot('sandbox', NOW);
    expect(snapshot).toMatchObject({ avgConfirmationSeconds: 999, rpcErrorRate: 1, p95LatencyMs: 9999 });
    expect(snapshot).toMatchObject({ congestionScore: 1, estimatedFeeUsd: 999, status: 'unhealthy' });
    expect(healthStatus(snapshot)).toBe('unhealthy');
  });
});

describe('a price', () => {
  test('counts for five minutes, and not from the future', () => {
    expect(isFresh({ usd: 1, observedAt: before(PRICE_FRESH_MS) }, NOW)).toBe(true);
    expect(isFresh({ usd: 1, observedAt: before(PRICE_FRESH_MS + 1) }, NOW)).toBe(false);
    expect(isFresh({ usd: 1, observedAt: before(-60_001) }, NOW)).toBe(false);
    expect(isFresh({ usd: 0, observedAt: NOW }, NOW)).toBe(false);
    expect(isFresh({ usd: Number.NaN, observedAt: NOW }, NOW)).toBe(false);
  });

  test('turns a fee into dollars only while it is fresh', () => {
    expect(feeInUsd(FEE, { usd: 3, observedAt: NOW }, NOW)).toBe(6);
    expect(feeInUsd(FEE, { usd: 3, observedAt: before(PRICE_FRESH_MS + 1) }, NOW)).toBeNull();
    expect(feeInUsd(FEE, null, NOW)).toBeNull();
  });
});

test.each([
  ['request timed out', 'timeout'],
  ['read ECONNRESET', 'connection_lost'],
  ['already known', 'already_known'],
  ['This transaction has already been processed', 'already_known'],
  ['nonce too low: next nonce 5, tx nonce 4', 'nonce_too_low'],
  ['Blockhash not found', 'blockhash_unknown'],
  ['insufficient funds for gas * price + value', 'insufficient_funds'],
  ['something else', 'rpc_error'],
])('the error "%s" of an endpoint is named %s', (message, name) => {
  expect(reasonOfError(new Error(message))).toBe(name);
});
