// Defends: with 5 million payments waiting, of mixed priority, churned, beside an old open snapshot, the processor settles
// at least 0.8 times what it settles with 50,000 waiting. Two databases of one server, in turns: in each, payments that
// are due are settled while the waiting ones wait.
//
// An hour-old snapshot does its harm through the dead rows that nobody may remove while it is open. So it is opened, then
// as many payments are made and settled as an hour leaves behind at 140 a second, and then it is measured, the
// snapshot still open. Buffers per claimed payment are printed: of a claim that goes on from where the last one ended, which
// is nearly every one, and of one from the beginning.
import type { Sql, Transaction, Value } from '../src/db/index.ts';
import { asDate, createPool, only } from '../src/db/index.ts';
import { liveAt } from '../src/kernel/index.ts';
import { Claimer } from '../src/payments/index.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import { addPayments, openBooks } from './books.ts';
import { settleWithCrew } from './crew.ts';
import { median } from './measure.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase, BenchServer } from './server.ts';
import { openServer } from './server.ts';

const FAR_AHEAD = `now() + interval '1 day' + random() * interval '30 days'`;
/** Written at once; more would need a lot of room for sorting. */
const CHUNK = 500_000;

/** Payments that wait, many and few; settled under the snapshot; due in a round; rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number, number, number, number]>> = {
  full: [5_000_000, 50_000, 500_000, 50_000, 3],
  quick: [500_000, 50_000, 100_000, 20_000, 2],
  smoke: [20_000, 5_000, 4_000, 2_000, 1],
};

interface Place {
  readonly waiting: number;
  readonly database: BenchDatabase;
  readonly slices: number;
  slice: number;
  readonly rates: number[];
  buffers: { first: number; next: number };
}

export const growth: Bench = {
  name: 'growth',
  defends: 'payments/s with 5,000,000 waiting and an old snapshot ÷ payments/s with 50,000 waiting',
  async run({ size, say }): Promise<BenchResult> {
    const [large, small, churn, due, rounds] = SIZES[size];
    const server = await openServer();
    try {
      // The hour is cut in slices, one for each time that payments are made and settled: what is due now was never due before
      // what is dead by now.
      const slices = churn / due + rounds + 1;
      const few = await prepare(server, 'few', { waiting: small, slices, say });
      const many = await prepare(server, 'many', { waiting: large, slices, say });
      const snapshot = await openSnapshot(many.database);
      try {
        for (let left = churn; left > 0; left -= due) await settleDue(many, due);
        say(`${churn} payments were made and settled under the snapshot`);
        for (let round = 1; round <= rounds; round += 1) {
          for (const place of [few, many]) {
            place.rates.push(await settleDue(place, due));
            say(`round ${round}, ${place.waiting} waiting: ${place.rates.at(-1)}/s`);
          }
        }
        for (const place of [few, many]) {
          await addDue(place, 6_000);
          place.buffers = await buffersOfClaims(place.database);
        }
      } finally {
        await snapshot.close();
      }
      return {
        ratio: rounded(median(many.rates) / median(few.rates)),
        atLeast: 0.8,
        table: [few, many].map((place) => ({
          waiting: place.waiting,
          'settled under the snapshot': place === many ? churn + rounds * due : 0,
          'payments/s': median(place.rates),
          'buffers per claimed payment': place.buffers.next,
          'from the beginning': place.buffers.first,
        })),
        details: {
          churn,
          due,
          runs: [few, many].map(({ waiting, rates, buffers }) => ({ waiting, rates, buffers })),
        },
        troubles: [...(await troublesOf(few.database)), ...(await troublesOf(many.database))],
      };
    } finally {
      await server.close();
    }
  },
};

interface PlaceOrder {
  readonly waiting: number;
  readonly slices: number;
  readonly say: (line: string) => void;
}

async function prepare(server: BenchServer, name: string, { waiting, slices, say }: PlaceOrder): Promise<Place> {
  const database = await server.database(name);
  await openBooks(database);
  const startedMs = performance.now();
  for (let left = waiting; left > 0; left -= CHUNK) {
    const count = Math.min(left, CHUNK);
    await addPayments(database, { count, spread: 'uniform', dueAt: FAR_AHEAD, mixedPriorities: true });
    say(`${waiting - left + count} of ${waiting} wait`);
  }
  // They came over weeks, and vacuum came by meanwhile; here it would come in the middle of what is measured.
  await database.owner.query('vacuum analyze');
  await database.owner.query('checkpoint');
  say(`${waiting} were made in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  return { waiting, database, slices, slice: 0, rates: [], buffers: { first: 0, next: 0 } };
}

async function addDue(place: Place, count: number): Promise<void> {
  const dueAt = `now() - interval '1 hour' * (${place.slices - place.slice} - i::float8 / $1::int) / ${place.slices}`;
  place.slice += 1;
  await addPayments(place.database, { count, spread: 'uniform', dueAt, mixedPriorities: true });
}

async function settleDue(place: Place, count: number): Promise<number> {
  await addDue(place, count);
  const { ms } = await settleWithCrew({ databaseUrl: place.database.runtimeUrl, payments: count });
  return perSecond(count, ms);
}

/** A transaction that somebody forgot: it sees the database as it is now, for as long as it is open. */
async function openSnapshot(database: BenchDatabase): Promise<{ close(): Promise<void> }> {
  const pool = createPool({ url: database.runtimeUrl, maxConnections: 1, name: 'snapshot' });
  let end = (): void => undefined;
  const asked = new Promise<void>((resolve) => (end = resolve));
  const seen = Promise.withResolvers<void>();
  const open = pool.transaction(
    async (tx) => {
      await tx.query('select count(*) from usance.due where due_at <= now()');
      seen.resolve();
      await asked;
    },
    { snapshot: true, idleLimitMs: 0 },
  );
  await Promise.race([seen.promise, open]);
  return {
    async close() {
      end();
      await open;
      await pool.close();
    },
  };
}

/** Buffers per payment of two claims, the second going on from the first. Rolled back: nothing is settled. */
async function buffersOfClaims(database: BenchDatabase): Promise<{ first: number; next: number }> {
  const pool = createPool({ url: database.runtimeUrl, maxConnections: 1 });
  const read: number[] = [];
  const enough = new Error('enough');
  const claiming = pool.transaction(
    async (tx) => {
      const row = only(await tx.query(`select date_trunc('milliseconds', clock_timestamp()) as now`));
      const clock = liveAt(asDate(row['now']));
      const claimer = new Claimer();
      for (let claim = 0; claim < 2; claim += 1) {
        let buffers = 0;
        const looking = explained(tx, (more) => (buffers += more));
        const { rows } = await claimer.claim(looking, clock, 1_000);
        read.push(rounded(buffers / rows.length));
      }
      throw enough;
    },
    { probes: true },
  );
  await claiming.catch((error: unknown) => {
    if (error !== enough) throw error;
  });
  await pool.close();
  return { first: read[0] ?? NaN, next: read[1] ?? NaN };
}

/** Explains every statement on the due set before it is run. */
function explained(tx: Transaction, onBuffers: (buffers: number) => void): Transaction {
  const query: Sql['query'] = async <R extends Record<string, unknown>>(
    text: string,
    values: readonly Value[] = [],
  ) => {
    if (text.includes('usance.due')) {
      const row = only(await tx.query(`explain (analyze, buffers, format json) ${text}`, values));
      const [{ Plan: plan }] = row['QUERY PLAN'] as [{ Plan: Record<string, number> }];
      onBuffers((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0));
    }
    return tx.query<R>(text, values);
  };
  return { ...tx, query };
}
