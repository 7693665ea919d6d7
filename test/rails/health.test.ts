// Health of chains: what is measured, what is stored, and what a reader makes of it.
import { describe, expect, test } from 'vitest';
import { readLiveClock } from '../../src/db/index.ts';
import type { Database } from '../../src/db/index.ts';
import { liveAt, newId } from '../../src/kernel/index.ts';
import type { PriceSource } from '../../src/rails/index.ts';
import {
  chainVerbs,
  countUnhealthyChains,
  firstOf,
  fixedPrices,
  healthLoop,
  measureChain,
} from '../../src/rails/index.ts';
import { useDatabase } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import type { FakeRail } from './fake-rail.ts';
import { fakeRail } from './fake-rail.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const PRICES = fixedPrices({ GAS: 1 });
const measured = (rail: FakeRail, prices: PriceSource = PRICES) => measureChain(rail, prices, liveAt(NOW), 50);

describe('a snapshot', () => {
  test('has the metrics, the fee in US dollars, and what it was converted by', async () => {
    const rail = fakeRail('solana');
    expect(await measured(rail, fixedPrices({ GAS: 150 }))).toMatchObject({
      chain: 'solana',
      takenAt: NOW,
      status: 'healthy',
      avgConfirmationSeconds: 8,
      rpcErrorRate: 0.05,
      p95LatencyMs: 180,
      congestionScore: 0.2,
      estimatedFeeUsd: 3,
      fee: { asset: 'GAS', units: 20_000_000n, decimals: 9 },
      price: { usd: 150, observedAt: NOW },
      failure: null,
    });
  });

  test.each([
    ['throws', new Error('connect ECONNREFUSED 10.0.0.1:8545'), 'connection_lost'],
    ['could not read the chain', { outcome: 'unknown', reason: 'endpoints_disagree' } as const, 'endpoints_disagree'],
    ['does not answer', 'never' as const, 'timeout'],
    ['reports no number', { rpcErrorRate: Number.NaN }, 'invalid_metrics'],
    ['reports more errors than calls', { rpcErrorRate: 1.5 }, 'invalid_metrics'],
    ['reports an endless latency', { p95LatencyMs: Infinity }, 'invalid_metrics'],
  ])('of an adapter that %s is the fallback', async (_what, answer, failure) => {
    const taken = await measured(Object.assign(fakeRail('solana'), { answer }));
    expect(taken).toMatchObject({
      status: 'unhealthy',
      avgConfirmationSeconds: 999,
      rpcErrorRate: 1,
      p95LatencyMs: 9999,
      congestionScore: 1,
      estimatedFeeUsd: 999,
      fee: null,
      price: null,
      failure,
    });
  });

  test.each<[string, PriceSource]>([
    ['without a price', fixedPrices({})],
    ['with a stale price', { priceOf: async () => ({ usd: 2, observedAt: new Date(NOW.getTime() - 300_001) }) }],
    ['with a price of nothing', { priceOf: async () => ({ usd: 0, observedAt: NOW }) }],
    ['of a price source that fails', { priceOf: () => Promise.reject(new Error('down')) }],
    ['of a price source that does not answer', { priceOf: () => new Promise(() => undefined) }],
  ])('%s has no fee in US dollars, and its other metrics', async (_what, prices) => {
    expect(await measured(fakeRail('solana'), prices)).toMatchObject({
      status: 'healthy',
      estimatedFeeUsd: null,
      avgConfirmationSeconds: 8,
    });
  });

  test('takes the first price that any source has', async () => {
    const down: PriceSource = { priceOf: () => Promise.reject(new Error('down')) };
    const taken = await measured(fakeRail('solana'), firstOf(down, fixedPrices({}), fixedPrices({ GAS: 100 })));
    expect(taken.estimatedFeeUsd).toBe(2);
  });
});

describe('the loop health', () => {
  const store = useDatabase();
  const loopOf = (db: Database, rails: readonly FakeRail[], { intervalMs = 15_000, keepMs = 3_600_000 } = {}) =>
    healthLoop(db, { rails, prices: PRICES, intervalMs, keepMs, readClock: readLiveClock, timeoutMs: 50 });
  const never = new AbortController().signal;
  const runOf = (rails: readonly FakeRail[], options = {}) =>
    loopOf(store.db, rails, options)
      .runOnce(never, true)
      .then(({ counts }) => counts);
  const chainOf = async (name: string) =>
    (await chainVerbs({ sql: store.db }).chains()).find((chain) => chain.name === name);
  const age = (chain: string, ms: number) =>
    store.owner.query(
      `update usance.chain_health_snapshots set taken_at = taken_at - make_interval(secs => $2::bigint / 1000.0) where chain = $1::text`,
      [chain, ms],
    );
  const makeDue = (chain: string) =>
    store.owner.query(`update usance.chains set measure_at = clock_timestamp() where name = $1::text`, [chain]);

  test('takes a snapshot also where a price was observed at an instant that no column holds', async () => {
    const source: PriceSource = {
      priceOf: (asset) =>
        Promise.resolve({ usd: 1, observedAt: asset === 'GAS' ? new Date(-8_640_000_000_000_000) : new Date() }),
    };
    const rails = [fakeRail('odd')];
    const loop = healthLoop(store.db, {
      rails,
      prices: source,
      intervalMs: 15_000,
      keepMs: 3_600_000,
      readClock: readLiveClock,
      timeoutMs: 50,
    });
    expect((await loop.runOnce(never, true)).counts).toMatchObject({ measured: 1 });
    expect((await chainOf('odd'))?.newest).toMatchObject({ price: null, estimatedFeeUsd: null });
  });

  test('takes a snapshot of each chain an interval, of one that fails too', async () => {
    const [good, bad] = [fakeRail('good'), Object.assign(fakeRail('bad'), { answer: new Error('timed out') })];
    expect(await runOf([good, bad])).toEqual({ measured: 2, unhealthy: 1, removed: 0 });
    expect(await runOf([good, bad])).toEqual({ measured: 0, unhealthy: 0, removed: 0 });
    expect([good.reads, bad.reads]).toEqual([1, 1]);
    expect(await chainOf('good')).toMatchObject({
      status: 'healthy',
      isStale: false,
      assets: [{ code: 'USDC', decimals: 6, minimumUnits: 1n }],
    });
    expect(await chainOf('bad')).toMatchObject({ status: 'unhealthy', isStale: false, newest: { failure: 'timeout' } });
  });

  test('sleeps until the next measurement is due', async () => {
    const loop = loopOf(store.db, [fakeRail('sleepy')], { intervalMs: 60_000 });
    const { nextInMs } = await loop.runOnce(never, true);
    expect(nextInMs).toBeGreaterThan(50_000);
    expect(nextInMs).toBeLessThanOrEqual(60_000);
  });

  test('measures once in five processes that are due at the same time', async () => {
    const rails = Array.from({ length: 5 }, () => fakeRail('shared'));
    await runOf(rails.slice(0, 1));
    await makeDue('shared');
    const runs = await Promise.all(rails.map((rail) => runOf([rail])));
    expect(runs.reduce((sum, counts) => sum + (counts['measured'] ?? 0), 0)).toBe(1);
    expect(await chainVerbs({ sql: store.db }).chainHistory('shared')).toHaveLength(2);
  });

  test('measures now where a single run is requested, and where the next measurement is too far ahead', async () => {
    const rail = fakeRail('now');
    await runOf([rail], { intervalMs: 3_600_000 });
    expect((await loopOf(store.db, [rail]).runOnce(never, false)).counts).toMatchObject({ measured: 1 });
    await runOf([rail], { intervalMs: 3_600_000 });
    await makeDue('now');
    await runOf([rail], { intervalMs: 3_600_000 });
    expect(await runOf([rail], { intervalMs: 1_000 })).toMatchObject({ measured: 1 });
  });

  test('a chain that nobody measures is unhealthy after three intervals, and not before', async () => {
    const rail = fakeRail('stale');
    const before = await countUnhealthyChains(store.db);
    await runOf([rail]);
    await age('stale', 40_000);
    expect(await chainOf('stale')).toMatchObject({ status: 'healthy', isStale: false });
    expect(await countUnhealthyChains(store.db)).toBe(before);
    await age('stale', 6_000);
    expect(await chainOf('stale')).toMatchObject({ status: 'unhealthy', isStale: true, newest: { status: 'healthy' } });
    expect(await countUnhealthyChains(store.db)).toBe(before + 1);
  });

  test('removes snapshots after their retention, but never the newest of a chain', async () => {
    const rail = fakeRail('kept');
    for (let count = 0; count < 3; count += 1) {
      await makeDue('kept');
      await runOf([rail]);
    }
    await age('kept', 7_200_000);
    expect(await runOf([], { keepMs: 3_600_000 })).toEqual({ measured: 0, unhealthy: 0, removed: 2 });
    expect(await chainVerbs({ sql: store.db }).chainHistory('kept')).toHaveLength(1);
    expect(await chainOf('kept')).toMatchObject({ isStale: true });
  });

  test('a newer adapter that has another asset is seen by the other processes', async () => {
    await runOf([fakeRail('grows')]);
    await runOf([fakeRail('grows', { assets: [{ code: 'EURC', decimals: 6, minimumUnits: 10n }] })]);
    expect(await chainOf('grows')).toMatchObject({ assets: [{ code: 'EURC', minimumUnits: 10n }] });
  });

  test('the history is in order of time, page by page', async () => {
    const rail = fakeRail('paged');
    for (const rpcErrorRate of [0.01, 0.2, 0.4]) {
      rail.answer = { rpcErrorRate };
      await makeDue('paged');
      await runOf([rail]);
    }
    const { chainHistory } = chainVerbs({ sql: store.db });
    const first = await chainHistory('paged', { limit: 2 });
    expect(first.map(({ status }) => status)).toEqual(['unhealthy', 'degraded']);
    const rest = await chainHistory('paged', { limit: 2, before: first[1]?.id ?? '' });
    expect(rest.map(({ status }) => status)).toEqual(['healthy']);
    expect(await chainHistory('paged', { before: newId() })).toEqual([]);
    expect(await refusalOf(chainHistory('solona'))).toBe('CHAIN_NOT_FOUND');
  });

  test('the view chain_health_snapshots has the columns of the design, and a row of every status', async () => {
    const columns = await store.owner.query(
      `select column_name from information_schema.columns where table_schema = 'usance_docs' and table_name = 'chain_health_snapshots'
       order by ordinal_position`,
    );
    expect(columns.map((row) => row['column_name'])).toEqual([
      'id',
      'chain',
      'status',
      'avg_confirmation_seconds',
      'rpc_error_rate',
      'p95_latency_ms',
      'congestion_score',
      'estimated_fee_usd',
      'created_at',
    ]);
    const rows = await store.db.query(
      `select status, rpc_error_rate from usance_docs.chain_health_snapshots where chain = 'paged' order by created_at`,
    );
    expect(rows).toEqual([
      { status: 'healthy', rpc_error_rate: 0.01 },
      { status: 'degraded', rpc_error_rate: 0.2 },
      { status: 'unhealthy', rpc_error_rate: 0.4 },
    ]);
  });
});
