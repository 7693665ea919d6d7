// A chain whose answers a test sets.
import type { HealthMetrics, Rail, Reading } from '../../src/rails/index.ts';

export interface FakeRail extends Rail {
  /** The answer of the next reads of its metrics: metrics, a failed reading, an error that is thrown, or no answer at all. */
  answer: Partial<HealthMetrics> | Reading<HealthMetrics> | Error | 'never';
  reads: number;
}

export const GOOD: HealthMetrics = {
  avgConfirmationSeconds: 8,
  rpcErrorRate: 0.05,
  p95LatencyMs: 180,
  congestionScore: 0.2,
  fee: { asset: 'GAS', decimals: 9, units: 20_000_000n, suggestedLimitUnits: 60_000_000n },
};

export function fakeRail(chain: string, overrides: Partial<Rail> = {}): FakeRail {
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const rail: FakeRail = {
    chain,
    assets: [{ code: 'USDC', decimals: 6, minimumUnits: 1n }],
    wallet: `${chain}-wallet`,
    validateAddress: (address) =>
      address.startsWith(`${chain}:`)
        ? { valid: true, address }
        : { valid: false, reason: `not an address of ${chain}` },
    getBalance: unused,
    estimateFee: unused,
    prepare: unused,
    broadcast: unused,
    checkConfirmation: unused,
    lookUp: unused,
    ...overrides,
    answer: {},
    reads: 0,
    getHealthMetrics() {
      rail.reads += 1;
      const { answer } = rail;
      if (answer === 'never') return new Promise(() => undefined);
      if (answer instanceof Error) return Promise.reject(answer);
      if ('outcome' in answer) return Promise.resolve(answer);
      return Promise.resolve({ outcome: 'known', value: { ...GOOD, ...answer } });
    },
  };
  return rail;
}
