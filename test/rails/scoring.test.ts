import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DISQUALIFICATIONS,
  PRIORITIES,
  decideRoute,
  disqualification,
  explainRoute,
  replays,
  routeFor,
} from '../../src/rails/index.ts';
import type { RouteCandidate, StoredRoute } from '../../src/rails/index.ts';

const candidate = (chain: string, given: Partial<RouteCandidate> = {}): RouteCandidate => ({
  chain,
  hasAddress: true,
  walletUnits: '1000',
  neededUnits: '100',
  health: 'healthy',
  feeUsd: 0.5,
  confirmationSeconds: 10,
  rpcErrorRate: 0.01,
  ...given,
});
const ETHEREUM = candidate('ethereum', { feeUsd: 1.83, confirmationSeconds: 75, rpcErrorRate: 0.02 });
const SOLANA = candidate('solana', { feeUsd: 0.02, confirmationSeconds: 8, rpcErrorRate: 0.05 });
const EXAMPLE = { version: 1, priority: 'low_fee', candidates: [ETHEREUM, SOLANA] } as const;

const anyCandidate = fc.record({
  hasAddress: fc.boolean(),
  walletUnits: fc.bigInt(0n, 300n).map(String),
  neededUnits: fc.bigInt(1n, 200n).map(String),
  health: fc.constantFrom('healthy', 'degraded', 'unhealthy'),
  feeUsd: fc.option(fc.double({ min: 0, max: 500, noNaN: true })),
  confirmationSeconds: fc.double({ min: 0, max: 5000, noNaN: true }),
  rpcErrorRate: fc.double({ min: 0, max: 1, noNaN: true }),
});
const anyInputs = fc
  .tuple(fc.constantFrom(...PRIORITIES), fc.array(anyCandidate, { maxLength: 6 }))
  .map(([priority, some]) => ({
    version: 1 as const,
    priority,
    candidates: some.map((one, index) => ({ ...one, chain: `c${index}` })),
  }));

describe('a route', () => {
  test('scores the worked example: Ethereum 0.196, Solana 0.962', () => {
    const { ranked } = decideRoute(EXAMPLE);
    expect(ranked.map(({ chain, score }) => [chain, score.toFixed(3)])).toEqual([
      ['solana', '0.962'],
      ['ethereum', '0.196'],
    ]);
  });

  test.each([
    ['fast', 'ethereum', 'solana', { feeUsd: 9, confirmationSeconds: 1 }],
    ['reliable', 'ethereum', 'solana', { feeUsd: 9, rpcErrorRate: 0 }],
    ['low_fee', 'solana', 'ethereum', { feeUsd: 9, confirmationSeconds: 1 }],
  ] as const)('follows the priority %s to %s', (priority, first, second, given) => {
    const slow = candidate('solana', { feeUsd: 0.02, confirmationSeconds: 60, rpcErrorRate: 0.3 });
    const { ranked } = decideRoute({ ...EXAMPLE, priority, candidates: [slow, candidate('ethereum', given)] });
    expect(ranked.map(({ chain }) => chain)).toEqual([first, second]);
  });

  test('names the first reason that applies to a chain that does not qualify', () => {
    const all = {
      hasAddress: false,
      walletUnits: '99',
      health: 'unhealthy',
      feeUsd: null,
      walletFrozen: true,
      attemptFailed: true,
      feeUnread: true,
      barred: 'payouts over a are paused',
    } as const;
    const cured = { hasAddress: true, walletUnits: '100', health: 'degraded', feeUsd: 0 } as const;
    const steps = [
      {},
      { hasAddress: cured.hasAddress },
      { walletUnits: cured.walletUnits },
      { health: cured.health },
      { feeUsd: cured.feeUsd, walletUnread: true },
      { walletUnread: false },
      { walletFrozen: false },
      { attemptFailed: false },
      { feeUnread: false },
    ];
    const reasons = steps.map((_, count) =>
      disqualification(candidate('a', { ...all, ...Object.assign({}, ...steps.slice(0, count + 1)) })),
    );
    expect(reasons).toEqual([...DISQUALIFICATIONS]);
    expect(disqualification(candidate('a', cured))).toBeNull();
  });

  test('is not influenced by the numbers of a chain that does not qualify', () => {
    const failed = candidate('failed', { health: 'unhealthy', feeUsd: 999, confirmationSeconds: 999, rpcErrorRate: 1 });
    expect(decideRoute({ ...EXAMPLE, candidates: [ETHEREUM, failed, SOLANA] }).ranked).toEqual(
      decideRoute(EXAMPLE).ranked,
    );
  });

  test('divides by the floors if chains have no fee and no wait', () => {
    const free = candidate('free', { feeUsd: 0, confirmationSeconds: 0, rpcErrorRate: 0 });
    expect(decideRoute({ ...EXAMPLE, candidates: [free] }).ranked[0]?.score).toBeCloseTo(1, 12);
    const cheap = candidate('cheap', { feeUsd: 0.00005, confirmationSeconds: 0.5 });
    expect(decideRoute({ ...EXAMPLE, candidates: [cheap] }).ranked[0]?.parts).toMatchObject({ fee: 0.5, latency: 0.5 });
  });

  test('replays from its stored inputs, and shows a stored decision that was changed', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const stored = JSON.parse(JSON.stringify(routeFor(inputs))) as StoredRoute;
        expect(replays(stored)).toBe(true);
        const [best] = stored.decision.ranked;
        if (!best) return;
        const changed = [{ ...best, score: best.score + 0.001 }, ...stored.decision.ranked.slice(1)];
        expect(replays({ ...stored, decision: { ...stored.decision, ranked: changed } })).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('ranks every chain that qualifies, lists every other, and does not depend on their order', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const decision = decideRoute(inputs);
        const chains = [...decision.ranked, ...decision.disqualified].map(({ chain }) => chain);
        expect(chains.toSorted()).toEqual(inputs.candidates.map(({ chain }) => chain).toSorted());
        for (const { score } of decision.ranked) expect(score >= 0 && score <= 1 + 1e-12).toBe(true);
        const scores = decision.ranked.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(decideRoute({ ...inputs, candidates: inputs.candidates.toReversed() })).toEqual(decision);
      }),
      { numRuns: 300 },
    );
  });

  test('scores a degraded chain lower than the same chain when healthy', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const as = (health: 'healthy' | 'degraded') => {
          const candidates = inputs.candidates.map((one, index) => (index === 0 ? { ...one, health } : one));
          return decideRoute({ ...inputs, candidates }).ranked.find(({ chain }) => chain === 'c0')?.score;
        };
        const [healthy, degraded] = [as('healthy'), as('degraded')];
        expect(degraded === undefined).toBe(healthy === undefined);
        if (healthy !== undefined && degraded !== undefined && healthy > 1e-9) expect(degraded).toBeLessThan(healthy);
      }),
      { numRuns: 300 },
    );
  });

  test('is explained in words', () => {
    const poor = candidate('tron', { walletUnits: '5' });
    expect(explainRoute(routeFor({ ...EXAMPLE, candidates: [ETHEREUM, SOLANA, poor] }))).toEqual([
      'Chosen: solana, the highest score for low fee (fee 60 %, latency 20 %, reliability 20 %).',
      'solana: 0.962, from fee 0.989, latency 0.893, reliability 0.950 (fee 0.02 USD, 8 s, 5 % failed calls).',
      'ethereum: 0.196, from fee 0.000, latency 0.000, reliability 0.980 (fee 1.83 USD, 75 s, 2 % failed calls).',
      'tron: not considered, the treasury has 5 units there and the payout needs 100 units.',
    ]);
    expect(explainRoute(routeFor({ ...EXAMPLE, candidates: [poor] }))[0]).toBe('No chain can take this payout.');
  });
});
