// Defends: at 30 % of the processor's full rate in the same run, a payment is settled at most 2 times as late after its due
// instant as a bare timer notices one, at the 99th percentile, and never early. The bare timer is the obvious first
// implementation: a setTimeout a payment, and one select of its row when it fires; its lateness ends with the answer. A payment
// is settled when its transaction has committed (track_commit_timestamp, on for this bench only). Two more rows are for
// information: the processor beside every other loop of `usance dev`, and the least that could be done, one timer for the next due row
// and one select of all that are due.
//
// Arrivals are even, for some seconds, in turns. The ratio is the bare p99 ÷ the processor's.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/db/index.ts';
import { createPool } from '../src/db/index.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import { OVERDUE, addPayments, openBooks } from './books.ts';
import { settleWithCrew } from './crew.ts';
import { median, quantile } from './measure.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase } from './server.ts';
import { openServer } from './server.ts';

const LOAD = 0.3;
const AT_MOST = 2;
/** Between making the payments and the first of them being due: time to write them and to start the processes. */
const LEAD_S = 15;

interface Load {
  readonly count: number;
  readonly seconds: number;
}

const KINDS = ['usance', 'usance, every loop', 'timer and select each', 'one timer, one select'] as const;
type Kind = (typeof KINDS)[number];

/** Seconds of arrivals, rounds, and payments of a run that finds the full rate. */
const SIZES: Readonly<Record<Size, readonly [number, number, number]>> = {
  full: [15, 3, 60_000],
  quick: [5, 1, 20_000],
  smoke: [2, 1, 2_000],
};

export const lateness: Bench = {
  name: 'lateness',
  defends: 'at 30 % load: p99 lateness of a bare timer and select ÷ p99 lateness of a payment',
  async run({ size, say }): Promise<BenchResult> {
    const [seconds, rounds, settled] = SIZES[size];
    const server = await openServer({ track_commit_timestamp: 'on' });
    try {
      const database = await server.database('lateness');
      await openBooks(database);
      const full = await fullRate(database, settled);
      const load = { count: Math.round(full * LOAD * seconds), seconds };
      say(`settles ${full}/s, so ${Math.round(full * LOAD)}/s for ${seconds} s`);

      const late: Record<Kind, number[][]> = {
        usance: [],
        'usance, every loop': [],
        'timer and select each': [],
        'one timer, one select': [],
      };
      let early = 0;
      for (let round = 1; round <= rounds; round += 1) {
        for (const kind of ['usance', 'usance, every loop'] as const) {
          const ours = await latenessOfPayments(database, load, kind === 'usance' ? ['processor'] : 'all');
          early += ours.filter((ms) => ms < 0).length;
          late[kind].push(ours);
        }
        late['timer and select each'].push(await latenessOfTimers(database, load));
        late['one timer, one select'].push(await latenessOfOneTimer(database, load));
        for (const kind of KINDS) {
          const last = late[kind].at(-1) ?? [];
          say(`round ${round}, ${kind}: p50 ${rounded(median(last))} ms, p99 ${rounded(quantile(last, 0.99))} ms`);
        }
      }
      const of = (kind: Kind, share: number): number =>
        rounded(median(late[kind].map((round) => quantile(round, share))));
      return {
        ratio: rounded(of('timer and select each', 0.99) / of('usance', 0.99)),
        atLeast: 1 / AT_MOST,
        claims: [
          { what: 'payments settled early', is: early, atMost: 0 },
          { what: 'p99 lateness of a payment in ms', is: of('usance', 0.99) },
          { what: 'p99 lateness of a payment in ms, every loop running', is: of('usance, every loop', 0.99) },
        ],
        table: KINDS.map((kind) => ({
          who: kind,
          'a second': Math.round(load.count / load.seconds),
          'p50 ms': of(kind, 0.5),
          'p99 ms': of(kind, 0.99),
          'longest ms': rounded(Math.max(...late[kind].map((round) => quantile(round, 1)))),
          'least ms': rounded(Math.min(...late[kind].map((round) => quantile(round, 0)))),
        })),
        details: { full, load, early },
        troubles: await troublesOf(database),
      };
    } finally {
      await server.close();
    }
  },
};

async function fullRate(database: BenchDatabase, count: number): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await addPayments(database, { count, spread: 'uniform', dueAt: OVERDUE });
    const { ms } = await settleWithCrew({ databaseUrl: database.runtimeUrl, payments: count });
    rates.push(perSecond(count, ms));
  }
  return median(rates);
}

/** SQL of the i-th instant. */
function instants({ seconds }: Load): string {
  return `now() + interval '${LEAD_S} seconds' + (i::float8 / $1::int) * interval '${seconds} seconds'`;
}

async function latenessOfPayments(
  database: BenchDatabase,
  load: Load,
  loops: readonly string[] | 'all',
): Promise<number[]> {
  await addPayments(database, { count: load.count, spread: 'uniform', dueAt: instants(load) });
  const [due] = await database.owner.query('select min(due_at) > clock_timestamp() as ahead from usance.due');
  if (due?.['ahead'] !== true) throw new Error(`making the payments took longer than ${LEAD_S} s`);
  await settleWithCrew({ databaseUrl: database.runtimeUrl, payments: load.count, loops });
  const rows = await database.owner.query(
    `select (extract(epoch from pg_xact_commit_timestamp(xmin) - execute_at) * 1000)::float8 as late
     from usance.payments where status = 'settled' order by id desc limit $1::int`,
    [load.count],
  );
  return rows.map((row) => Number(row['late']));
}

interface Timer {
  readonly id: number;
  readonly atMs: number;
}

/** The same instants in a bare table. */
async function makeTimers(database: BenchDatabase, load: Load): Promise<Timer[]> {
  await database.owner.query('drop table if exists bench.timers');
  await database.owner.query(
    `create table bench.timers as select i as id, date_trunc('milliseconds', ${instants(load)}) as due_at
     from generate_series(1, $1::int) i`,
    [load.count],
  );
  await database.owner.query('alter table bench.timers add primary key (id)');
  await database.owner.query('create index on bench.timers (due_at, id)');
  await database.owner.query('vacuum analyze bench.timers');
  const rows = await database.owner.query(
    'select id, (extract(epoch from due_at) * 1000)::float8 as at from bench.timers order by id',
  );
  return rows.map((row) => ({ id: Number(row['id']), atMs: Number(row['at']) }));
}

/** Wall clock with a fraction of a millisecond. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

async function withPool<T>(database: BenchDatabase, work: (pool: Database) => Promise<T>): Promise<T> {
  const pool = createPool({ url: database.ownerUrl, maxConnections: 10 });
  try {
    await Promise.all(Array.from({ length: 10 }, () => pool.query('select pg_sleep(0.1)')));
    return await work(pool);
  } finally {
    await pool.close();
  }
}

async function latenessOfTimers(database: BenchDatabase, load: Load): Promise<number[]> {
  const timers = await makeTimers(database, load);
  return withPool(database, (pool) =>
    Promise.all(
      timers.map(async ({ id, atMs }) => {
        await pause(atMs - nowMs());
        // A timer may fire a fraction early: who must not be early looks again.
        while (nowMs() < atMs) await pause(1);
        await pool.query('select id, due_at from bench.timers where id = $1::int', [id]);
        return nowMs() - atMs;
      }),
    ),
  );
}

async function latenessOfOneTimer(database: BenchDatabase, load: Load): Promise<number[]> {
  const timers = await makeTimers(database, load);
  return withPool(database, async (pool) => {
    const late: number[] = [];
    while (late.length < timers.length) {
      const next = timers[late.length]?.atMs ?? 0;
      await pause(Math.max(0, next - nowMs()));
      const rows = await pool.query(
        // `now()` bounds the scan of the index; clock_timestamp() would read on through all that is not due.
        `select id from bench.timers
         where (due_at, id) > (coalesce((select due_at from bench.timers where id = $1::int), '-infinity'), $1::int) and due_at <= now()
         order by due_at, id limit 1000`,
        [late.length],
      );
      const answeredMs = nowMs();
      for (const row of rows) late.push(answeredMs - (timers[Number(row['id']) - 1]?.atMs ?? 0));
    }
    return late;
  });
}
