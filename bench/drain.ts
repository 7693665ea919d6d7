// Defends: a million payments due within one second are settled without the processor's memory growing: resident memory at
// the end is at most 1.5 times what it was a twentieth of the way in. The ratio is that quotient, turned over so that
// more is better; payments/s are printed.
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import { addPayments, openBooks } from './books.ts';
import { residentMb, settleWithCrew } from './crew.ts';
import { costOf } from './measure.ts';
import { troublesOf } from './proof.ts';
import { openServer } from './server.ts';

const WITHIN_A_SECOND = `date_trunc('second', now()) - interval '2 seconds' + random() * interval '1 second'`;

const SIZES: Readonly<Record<Size, number>> = { full: 1_000_000, quick: 100_000, smoke: 10_000 };

export const drain: Bench = {
  name: 'drain',
  defends: 'memory of the processor at 5 % of a million payments that are due in one second ÷ at the end',
  async run({ size, say }): Promise<BenchResult> {
    const count = SIZES[size];
    const server = await openServer();
    try {
      const database = await server.database('drain');
      await openBooks(database);
      await addPayments(database, { count, spread: 'uniform', dueAt: WITHIN_A_SECOND });
      say(`${count} payments are due`);
      const samples: { settled: number; mb: number; ms: number }[] = [];
      const startedMs = performance.now();
      const { result, cost } = await costOf(database.owner, server.pid, () =>
        settleWithCrew({
          databaseUrl: database.runtimeUrl,
          payments: count,
          onProgress(settled, [pid = 0]) {
            samples.push({ settled, mb: residentMb(pid), ms: performance.now() - startedMs });
            if (samples.length % 20 === 0) say(`${settled} settled, ${residentMb(pid)} MB`);
          },
        }),
      );
      const at = (share: number): { settled: number; mb: number; ms: number } =>
        samples.find(({ settled }) => settled >= count * share) ?? { settled: 0, mb: 0, ms: 0 };
      const rateBetween = (from: number, to: number): number =>
        perSecond(at(to).settled - at(from).settled, at(to).ms - at(from).ms);
      return {
        ratio: rounded(at(0.05).mb / at(1).mb),
        atLeast: 0.67,
        table: [
          {
            payments: count,
            'payments/s': perSecond(count, result.ms),
            'first half/s': rateBetween(0.05, 0.5),
            'second half/s': rateBetween(0.5, 1),
            'MB at 5 %': at(0.05).mb,
            'MB at 50 %': at(0.5).mb,
            'MB at the end': at(1).mb,
            'WAL bytes a payment': Math.round(cost.walBytes / count),
          },
        ],
        details: { count, ms: result.ms, nodeCpuMs: result.nodeCpuMs, ...cost, failures: result.failures, samples },
        troubles: await troublesOf(database),
      };
    } finally {
      await server.close();
    }
  },
};
