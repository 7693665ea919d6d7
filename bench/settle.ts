// Defends: the processor settles at least 5 times as many payments a second as graphile-worker runs jobs that do the same
// to the ledger, one statement each (see graphile-worker.ts). Holds over 100,000 accounts, evenly and skewed, on the same
// server and the same tables, in turns; the peer's settings are tuned first. The ratio is of the medians, the lower of
// the two spreads.
import type { Bench, BenchResult } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import type { Spread } from './books.ts';
import { ACCOUNTS, OVERDUE, addPayments, openBooks } from './books.ts';
import { settleWithCrew } from './crew.ts';
import type { Cost } from './measure.ts';
import { costOf, median } from './measure.ts';
import { addJobs, described, installPeer, runPeer, tunePeer } from './peer.ts';
import { troublesOf } from './proof.ts';
import { openServer } from './server.ts';

const SPREADS: readonly Spread[] = ['uniform', 'skewed'];

interface Run {
  readonly spread: Spread;
  readonly who: string;
  readonly payments: number;
  readonly ms: number;
  readonly nodeCpuMs: number;
  readonly cost: Cost;
}

export const settle: Bench = {
  name: 'settle',
  defends: 'payments/s of the processor ÷ jobs/s of graphile-worker, at least 5',
  async run({ quick, say }): Promise<BenchResult> {
    const [ours, theirs, rounds] = quick ? [30_000, 6_000, 1] : [100_000, 20_000, 3];
    const server = await openServer();
    try {
      const database = await server.database('settle');
      const tenantId = await openBooks(database);
      await installPeer(database);
      const tuned = await tunePeer(database, tenantId, { count: quick ? 3_000 : 8_000, spread: 'uniform', say });
      const runs: Run[] = [];

      const usanceRun = async (spread: Spread): Promise<Run> => {
        await addPayments(database, tenantId, { count: ours, spread, dueAt: OVERDUE });
        const { result, cost } = await costOf(database.owner, server.pid, () =>
          settleWithCrew({ databaseUrl: database.runtimeUrl, payments: ours }),
        );
        return { spread, who: 'usance', payments: ours, ms: result.ms, nodeCpuMs: result.nodeCpuMs, cost };
      };
      const peerRun = async (spread: Spread): Promise<Run> => {
        await addPayments(database, tenantId, { count: theirs, spread, dueAt: OVERDUE });
        const jobs = await addJobs(database);
        const { result, cost } = await costOf(database.owner, server.pid, () =>
          runPeer(database, jobs, tuned.settings),
        );
        return { spread, who: 'graphile-worker', payments: jobs, ms: result.ms, nodeCpuMs: result.nodeCpuMs, cost };
      };
      for (let round = 1; round <= rounds; round += 1) {
        for (const spread of SPREADS) {
          for (const run of [usanceRun, peerRun]) {
            const done = await run(spread);
            say(`round ${round}, ${spread}, ${done.who}: ${perSecond(done.payments, done.ms)}/s`);
            runs.push(done);
          }
        }
      }

      const rate = (who: string, spread: Spread): number =>
        median(
          runs.filter((run) => run.who === who && run.spread === spread).map((run) => perSecond(run.payments, run.ms)),
        );
      const ratios = SPREADS.map((spread) => rate('usance', spread) / rate('graphile-worker', spread));
      return {
        ratio: rounded(Math.min(...ratios)),
        atLeast: 5,
        table: SPREADS.flatMap((spread, index) =>
          ['usance', 'graphile-worker'].map((who) => ({
            accounts: `${ACCOUNTS}, ${spread}`,
            who,
            'payments/s': rate(who, spread),
            ratio: who === 'usance' ? rounded(ratios[index] ?? NaN) : '',
            ...costPerPayment(runs.filter((run) => run.who === who && run.spread === spread)),
          })),
        ),
        details: {
          peer: described(tuned.settings),
          tried: tuned.tried,
          // Of processor time instead of time: what the ratio would come to if nothing ever waited. Hardly disturbed by
          // what else the machine does.
          cpuRatios: Object.fromEntries(SPREADS.map((spread) => [spread, rounded(cpuRatio(runs, spread))])),
          ratios: Object.fromEntries(SPREADS.map((spread, index) => [spread, rounded(ratios[index] ?? NaN)])),
          runs: runs.map(({ cost, ...run }) => ({ ...run, ...cost })),
        },
        troubles: await troublesOf(database),
      };
    } finally {
      await server.close();
    }
  },
};

function cpuRatio(runs: readonly Run[], spread: Spread): number {
  const of = (who: string): number =>
    median(
      runs
        .filter((run) => run.who === who && run.spread === spread)
        .map((run) => (run.nodeCpuMs + run.cost.serverCpuMs) / run.payments),
    );
  return of('graphile-worker') / of('usance');
}

function costPerPayment(runs: readonly Run[]): Record<string, number> {
  const of = (value: (run: Run) => number): number => median(runs.map((run) => value(run) / run.payments));
  return {
    'rows written': rounded(of((run) => Object.values(run.cost.rows).reduce((sum, rows) => sum + rows, 0))),
    'WAL bytes': Math.round(of((run) => run.cost.walBytes)),
    'server µs': Math.round(of((run) => run.cost.serverCpuMs * 1_000)),
    'Node µs': Math.round(of((run) => run.nodeCpuMs * 1_000)),
  };
}
