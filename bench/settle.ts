// Defends: payments are settled *all in* at least 2.6 times as fast (aim: 4) as graphile-worker settles them on plain tables, and at
// least 6 times as fast (aim: 10) as it does on usance's own tables; and all in costs at most 1.2 times the processor time of
// settling alone. All in: every loop of `usance dev` runs, and the clock stops when the last event is ordered and sealed.
// Settling alone: only the processor runs, the clock stops at the last settlement, and nobody orders the events.
//
// The payments are of 100,000 accounts, evenly and skewed. All sides are on one server, each peer in a database of its own
// with its settings tuned first (peers/), in turns; the ratios are of the medians, the worse of the two spreads. The same with
// 1,000 tenants, where a batch has one event of each tenant, is for information: a peer knows no tenants, so its rate with
// evenly spread accounts is the other side.
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import type { Spread } from './books.ts';
import { ACCOUNTS, OVERDUE, addPayments, openBooks } from './books.ts';
import { warmCrew } from './crew.ts';
import type { MeasuredRun } from './measure.ts';
import { costOf, cpuPerPayment, median, perPayment } from './measure.ts';
import type { Peer, Tuned } from './peers/peer.ts';
import { addJobs, described, installPeer, peerVersion, runPeer, tunePeer } from './peers/peer.ts';
import { onPlainTables } from './peers/plain-tables.ts';
import { onUsanceTables } from './peers/usance-tables.ts';
import { troublesOf } from './proof.ts';
import { sealAll, untilSealed } from './sealed.ts';
import type { BenchDatabase, BenchServer } from './server.ts';
import { openServer } from './server.ts';

const ALL_IN = 'usance, all in';
const ALONE = 'usance, only the processor';
const PEERS: readonly Peer[] = [onPlainTables, onUsanceTables];

/** Payments of a round for usance and for a peer; jobs of a candidate in tuning, and candidates; rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number, number, number, number]>> = {
  full: [100_000, 20_000, 8_000, 9, 5],
  quick: [30_000, 6_000, 3_000, 9, 1],
  smoke: [3_000, 500, 300, 2, 1],
};

interface Case {
  readonly name: string;
  readonly tenants: number;
  readonly spread: Spread;
}

const ONE_TENANT: readonly Case[] = [
  { name: '1 tenant, uniform', tenants: 1, spread: 'uniform' },
  { name: '1 tenant, skewed', tenants: 1, spread: 'skewed' },
];
const MANY_TENANTS: Case = { name: '1,000 tenants, uniform', tenants: 1_000, spread: 'uniform' };
const CASES: readonly Case[] = [...ONE_TENANT, MANY_TENANTS];

interface Run extends MeasuredRun {
  readonly case: string;
  readonly who: string;
  /** Until the last payment was settled. */
  readonly settledMs: number;
  /** What the other loops did meanwhile. */
  readonly otherCounts?: Readonly<Record<string, number>>;
}

interface InstalledPeer {
  readonly peer: Peer;
  readonly database: BenchDatabase;
  readonly tuned: Tuned;
}

export const settle: Bench = {
  name: 'settle',
  defends: 'payments/s all in ÷ jobs/s of graphile-worker on plain tables',
  hasPeers: true,
  async run({ size, peers, say }): Promise<BenchResult> {
    const [ours, theirs, tuning, candidates, rounds] = SIZES[size];
    const server = await openServer();
    try {
      const databases = new Map<number, BenchDatabase>();
      for (const tenants of new Set(CASES.map((each) => each.tenants))) {
        const database = await server.database(`settle_${tenants}`);
        await openBooks(database, { tenants });
        await sealAll(database);
        databases.set(tenants, database);
      }
      const installed: InstalledPeer[] = [];
      for (const [index, peer] of (peers ? PEERS : []).entries()) {
        const database = await server.database(`peer_${index}`);
        await installPeer(peer, database);
        installed.push({ peer, database, tuned: await tunePeer(peer, database, { count: tuning, candidates, say }) });
      }

      const runs: Run[] = [];
      const keep = (round: number, run: Run): void => {
        say(`round ${round}, ${run.case}, ${run.who}: ${perSecond(run.payments, run.ms)}/s`);
        runs.push(run);
      };
      for (let round = 1; round <= rounds; round += 1) {
        for (const each of CASES) {
          const database = databases.get(each.tenants);
          if (!database) throw new Error(`there is no database of ${each.tenants} tenants`);
          // The store grows meanwhile, so that each is the first in every other round.
          const sides = [ALL_IN, ALONE] as const;
          for (const who of round % 2 === 1 ? sides : sides.toReversed())
            keep(round, await usanceRun(server, database, each, who, ours));
          if (each.tenants > 1) continue;
          for (const one of installed) keep(round, await peerRun(server, one, each, theirs));
        }
      }
      const troubles: string[] = [];
      for (const database of databases.values()) troubles.push(...(await troublesOf(database)));
      for (const { peer, database } of installed) troubles.push(...(await peer.troubles(database)));
      return { ...reported(runs, installed), troubles };
    } finally {
      await server.close();
    }
  },
};

async function usanceRun(
  server: BenchServer,
  database: BenchDatabase,
  { name, spread }: Case,
  who: typeof ALL_IN | typeof ALONE,
  payments: number,
): Promise<Run> {
  const allIn = who === ALL_IN;
  await addPayments(database, { count: payments, spread, dueAt: OVERDUE });
  const crew = await warmCrew({
    databaseUrl: database.runtimeUrl,
    payments,
    loops: allIn ? 'all' : ['processor'],
    ...(allIn ? { untilSealed: () => untilSealed(database.owner) } : {}),
  });
  const { result, cost } = await costOf(database.owner, server.pid, () => crew.settle(), { indexEntries: true });
  if (!allIn) await sealAll(database);
  const { ms, settledMs, nodeCpuMs, otherCounts } = result;
  return { case: name, who, payments, ms, settledMs, nodeCpuMs, otherCounts, cost };
}

async function peerRun(server: BenchServer, one: InstalledPeer, { name, spread }: Case, count: number): Promise<Run> {
  const { peer, database, tuned } = one;
  const payments = await addJobs(peer, database, { count, spread });
  const { result, cost } = await costOf(
    database.owner,
    server.pid,
    () => runPeer(peer, database, payments, tuned.settings),
    { indexEntries: true },
  );
  const { ms, nodeCpuMs } = result;
  return { case: name, who: peer.name, payments, ms, settledMs: ms, nodeCpuMs, cost };
}

function reported(runs: readonly Run[], installed: readonly InstalledPeer[]): Omit<BenchResult, 'troubles'> {
  // A peer with 1,000 tenants is the same peer: its runs are those of evenly spread accounts.
  const of = (who: string, { name, spread }: Case): Run[] => {
    const exact = runs.filter((run) => run.who === who && run.case === name);
    return exact.length > 0 ? exact : runs.filter((run) => run.who === who && run.case === `1 tenant, ${spread}`);
  };
  const rate = (who: string, each: Case): number => median(of(who, each).map((run) => perSecond(run.payments, run.ms)));
  const times = (who: string, each: Case): number => rounded(rate(ALL_IN, each) / rate(who, each));
  const cpuTimes = (who: string, each: Case): number =>
    rounded(cpuPerPayment(of(ALL_IN, each)) / cpuPerPayment(of(who, each)));
  const worst = (who: string): number => Math.min(...ONE_TENANT.map((each) => times(who, each)));
  const sides = [ALL_IN, ALONE, ...installed.map(({ peer }) => peer.name)];
  const [uniform] = ONE_TENANT;
  const measured = installed.length > 0;
  return {
    ratio: measured ? worst(onPlainTables.name) : null,
    atLeast: 2.6,
    claims: [
      ...(measured
        ? [
            {
              what: 'payments/s all in ÷ jobs/s of graphile-worker on usance tables',
              is: worst(onUsanceTables.name),
              atLeast: 6,
            },
          ]
        : []),
      {
        what: 'processor time of a payment all in ÷ without the other loops',
        is: Math.max(...ONE_TENANT.map((each) => cpuTimes(ALONE, each))),
        atMost: 1.2,
      },
      ...installed.map(({ peer }) => ({
        what: `1,000 tenants: payments/s all in ÷ jobs/s of ${peer.name}`,
        is: times(peer.name, MANY_TENANTS),
      })),
      {
        what: '1,000 tenants: processor time of a payment all in ÷ without the other loops',
        is: cpuTimes(ALONE, MANY_TENANTS),
      },
      ...(uniform
        ? [ALL_IN, ALONE].map((who) => ({ what: `payments/s, ${who}`, is: Math.round(rate(who, uniform)) }))
        : []),
    ],
    table: CASES.flatMap((each) =>
      sides
        .filter((who) => runs.some((run) => run.who === who && run.case === each.name))
        .map((who) => ({
          payments: each.name,
          who,
          ...perPayment(of(who, each)),
          'all in: rate ×': who === ALL_IN ? '' : times(who, each),
          'all in: processor time ×': who === ALL_IN ? '' : cpuTimes(who, each),
        })),
    ),
    ...(measured
      ? {
          peer: `${peerVersion()}; ${installed.map(({ peer, tuned }) => `${peer.name}: ${described(tuned.settings)}`).join('; ')}`,
        }
      : {}),
    details: {
      accounts: ACCOUNTS,
      tried: Object.fromEntries(installed.map(({ peer, tuned }) => [peer.name, tuned.tried])),
      runs: runs.map(({ cost, ...run }) => ({ ...run, ...cost })),
    },
  };
}
