// Defends: with one account in every payment, two processors settle at least 0.7 times what one settles over 100,000
// accounts (the `settle` of the same run), while others deposit to that account and create holds on it. Measured in turns:
// spread out, the account as payee, the account as payer. The ratio is of the medians, the lower of the two.
import { setTimeout as pause } from 'node:timers/promises';
import { createEngine } from '../src/engine.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import type { Spread } from './books.ts';
import { ASSET, OVERDUE, addPayments, openBooks } from './books.ts';
import { settleWithCrew } from './crew.ts';
import { median, quantile } from './measure.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase } from './server.ts';
import { openServer } from './server.ts';

/** Deposits, and as many creates, a second: a busy shop's, far below what the processor does to the same row. */
const TRAFFIC_PER_SECOND = 25;
/** books.ts makes the account of rank 1 the hot one. */
const HOT = 'account-1';
const OTHER = 'account-2';

/** Payments of a round, and rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number]>> = {
  full: [60_000, 3],
  quick: [20_000, 1],
  smoke: [3_000, 1],
};

interface Run {
  readonly spread: Spread;
  readonly perSecond: number;
  /** Of the deposits and creates meanwhile, in ms. */
  readonly waits: readonly number[];
  readonly failures: readonly string[];
}

export const hot: Bench = {
  name: 'hot',
  defends: 'payments/s with one account in every payment ÷ payments/s over 100,000 accounts',
  async run({ size, say }): Promise<BenchResult> {
    const [count, rounds] = SIZES[size];
    const server = await openServer();
    try {
      const database = await server.database('hot');
      await openBooks(database);
      const runs: Run[] = [];
      const spreads: readonly Spread[] = ['uniform', 'hot-payee', 'hot-payer'];
      for (let round = 1; round <= rounds; round += 1) {
        for (const spread of spreads) {
          await addPayments(database, { count, spread, dueAt: OVERDUE });
          const processes = spread === 'uniform' ? 1 : 2;
          const crew = settleWithCrew({ databaseUrl: database.runtimeUrl, payments: count, processes });
          const { result, waits } =
            spread === 'uniform' ? { result: await crew, waits: [] } : await whileOthersTrade(database, crew);
          const run = { spread, perSecond: perSecond(count, result.ms), waits, failures: result.failures };
          say(`round ${round}, ${spread}: ${run.perSecond}/s${described(run)}`);
          runs.push(run);
        }
      }
      const of = (spread: Spread): Run[] => runs.filter((run) => run.spread === spread);
      const rate = (spread: Spread): number => median(of(spread).map((run) => run.perSecond));
      const ratio = (spread: Spread): number => rounded(rate(spread) / rate('uniform'));
      return {
        ratio: Math.min(ratio('hot-payee'), ratio('hot-payer')),
        atLeast: 0.7,
        table: spreads.map((spread) => {
          const waits = of(spread).flatMap((run) => run.waits);
          return {
            payments: spread,
            processors: spread === 'uniform' ? 1 : 2,
            'payments/s': rate(spread),
            ratio: spread === 'uniform' ? '' : ratio(spread),
            'deposits and creates': waits.length,
            'p50 ms': waits.length === 0 ? '' : Math.round(median(waits)),
            'p99 ms': waits.length === 0 ? '' : Math.round(quantile(waits, 0.99)),
          };
        }),
        details: {
          count,
          trafficPerSecond: 2 * TRAFFIC_PER_SECOND,
          runs: runs.map((run) => ({ ...run, waits: run.waits.length })),
        },
        troubles: await troublesOf(database),
      };
    } finally {
      await server.close();
    }
  },
};

function described({ waits, failures }: Run): string {
  const trade =
    waits.length === 0 ? '' : `, ${waits.length} deposits and creates, p99 ${Math.round(quantile(waits, 0.99))} ms`;
  return trade + (failures.length === 0 ? '' : `, ${failures.length} failed runs: ${failures[0]}`);
}

/** Deposits to the hot account and holds on it, paced, each awaited before the next of its kind, until the crew is done. */
async function whileOthersTrade<T>(
  database: BenchDatabase,
  crew: Promise<T>,
): Promise<{ result: T; waits: readonly number[] }> {
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 2 });
  const tenant = await usance.tenant('bench');
  const waits: number[] = [];
  const done = new AbortController();
  let keys = 0;
  const paced = async (act: (idempotencyKey: string) => Promise<unknown>): Promise<void> => {
    while (!done.signal.aborted) {
      const startedMs = performance.now();
      await act(`${process.pid}-${Date.now()}-${(keys += 1)}`);
      const tookMs = performance.now() - startedMs;
      waits.push(tookMs);
      await pause(Math.max(0, 1_000 / TRAFFIC_PER_SECOND - tookMs));
    }
  };
  const soon = new Date(Date.now() + 86_400_000);
  const traders = [
    paced((idempotencyKey) => tenant.deposit({ account: HOT, asset: ASSET, amount: 1n, idempotencyKey })),
    paced((idempotencyKey) =>
      tenant.createPayment({ from: HOT, to: OTHER, asset: ASSET, amount: 1n, executeAt: soon, idempotencyKey }),
    ),
  ];
  try {
    return { result: await crew, waits };
  } finally {
    done.abort();
    await Promise.all(traders);
    await usance.close();
  }
}
