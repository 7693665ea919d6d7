// Defends: reads through the whole of HTTP (who asks, the route, its schemas, our names for things, JSON) answer at least
// 0.6 times as many requests a second as a bare Fastify route that sends the same statement to the same database and returns
// its rows as they are. 16 at once, in turns; the ratio is of the medians, the lowest of the reads.
import { createEngine } from '../src/engine.ts';
import { toTypeId } from '../src/kernel/index.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import { OVERDUE, addPayments, openBooks } from './books.ts';
import type { BareRead } from './http-server.ts';
import { startServer } from './http-server.ts';
import { sendAll } from './load.ts';
import { median, quantile } from './measure.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase } from './server.ts';
import { openServer } from './server.ts';
import { apiKey } from './tenant.ts';

const AT_ONCE = 16;
const SAMPLE = 5_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Requests of a read, and rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number]>> = {
  full: [10_000, 5],
  quick: [3_000, 1],
  smoke: [300, 1],
};

/** One read: as usance is asked, as the bare route is, and what the engine sends for it. */
interface Read {
  readonly name: string;
  readonly whole: (id: string) => string;
  readonly bare: BareRead;
  /** As the engine names them. */
  readonly ids: readonly string[];
  /** That the statement finds. */
  readonly rows: number;
}

interface Run {
  readonly read: string;
  readonly who: 'usance' | 'bare';
  readonly perSecond: number;
  readonly waits: readonly number[];
}

export const http: Bench = {
  name: 'http',
  defends: 'reads/s through the whole of HTTP ÷ reads/s of a bare Fastify route with the same statement',
  async run({ size, say }): Promise<BenchResult> {
    const [requests, rounds] = SIZES[size];
    const server = await openServer();
    try {
      const database = await server.database('reads');
      await openBooks(database);
      await addPayments(database, { count: 50_000, spread: 'uniform', dueAt: OVERDUE });
      const secret = await apiKey(database);
      const reads = await readsOf(database);
      const whole = await startServer({ is: 'usance', databaseUrl: database.runtimeUrl });
      const bare = await startServer({
        is: 'bare',
        databaseUrl: database.runtimeUrl,
        reads: reads.map((read) => read.bare),
      });
      const runs: Run[] = [];

      const run = async (read: Read, who: Run['who']): Promise<void> => {
        const pathOf = (id: string): string => (who === 'usance' ? read.whole(id) : read.bare.path.replace(':id', id));
        const { ms, waits } = await sendAll({
          url: who === 'usance' ? whole.url : bare.url,
          secret,
          atOnce: AT_ONCE,
          status: 200,
          requests: Array.from({ length: requests }, (_, n) => ({
            method: 'GET',
            path: pathOf(read.ids[n % read.ids.length] ?? ''),
          })),
        });
        runs.push({ read: read.name, who, perSecond: perSecond(requests, ms), waits });
        say(`${read.name}, ${who}: ${perSecond(requests, ms)}/s`);
      };
      for (let round = 0; round <= rounds; round += 1) {
        // The first one is for warming up, and not counted.
        if (round === 1) runs.length = 0;
        say(round === 0 ? 'warming up' : `round ${round}`);
        for (const read of reads) {
          for (const who of round % 2 === 0 ? (['usance', 'bare'] as const) : (['bare', 'usance'] as const))
            await run(read, who);
        }
      }
      await Promise.all([whole.stop(), bare.stop()]);

      const of = (read: string, who: Run['who']): Run[] => runs.filter((one) => one.read === read && one.who === who);
      const rate = (read: string, who: Run['who']): number => median(of(read, who).map((one) => one.perSecond));
      const p99 = (read: string, who: Run['who']): number =>
        rounded(
          quantile(
            of(read, who).flatMap((one) => one.waits),
            0.99,
          ),
          1,
        );
      const ratioOf = ({ name }: Read): number => rounded(rate(name, 'usance') / rate(name, 'bare'));
      return {
        ratio: Math.min(...reads.map(ratioOf)),
        atLeast: 0.6,
        table: reads.map((read) => ({
          read: read.name,
          'usance/s': rate(read.name, 'usance'),
          'bare/s': rate(read.name, 'bare'),
          ratio: ratioOf(read),
          'usance p99 ms': p99(read.name, 'usance'),
          'bare p99 ms': p99(read.name, 'bare'),
        })),
        details: { requests, atOnce: AT_ONCE, runs: runs.map(({ waits: _waits, ...one }) => one) },
        troubles: await troublesOf(database),
      };
    } finally {
      await server.close();
    }
  },
};

const nulls = (count: number): null[] => Array.from({ length: count }, () => null);

/** The statements are heard from the engine itself, so that the bare routes send the same ones, whatever they become. */
async function readsOf(database: BenchDatabase): Promise<Read[]> {
  const heard: string[] = [];
  const usance = await createEngine({
    databaseUrl: database.runtimeUrl,
    migrate: false,
    poolSize: 1,
    onStatement: (text) => void heard.push(text),
  });
  const tenant = await usance.tenant('bench');
  /** What is not given is null, however many parameters the statement has. */
  const filled = (text: string, given: readonly (string | null)[]): BareRead['values'] => {
    const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    return Array.from({ length: count }, (_, at) => given[at] ?? null);
  };
  const only = async (work: () => Promise<unknown>): Promise<string> => {
    heard.length = 0;
    await work();
    const [text, ...more] = heard;
    if (text === undefined || more.length > 0) throw new Error(`expected one statement, not ${heard.length}`);
    return text;
  };
  try {
    const payments = await database.owner.query(
      `select id::text as id from usance.payments order by random() limit ${SAMPLE}`,
    );
    const accounts = await database.owner.query(
      `select 'account-' || rank as ref from bench.accounts order by rank limit ${SAMPLE}`,
    );
    const paymentIds = payments.map((row) => String(row['id']));
    const refs = accounts.map((row) => String(row['ref']));
    const account = await only(() => tenant.accountWithBalances(refs[0] ?? ''));
    const payment = await only(() => tenant.shownPayment(paymentIds[0] ?? ''));
    const list = await only(() => tenant.paymentsPage({}, { limit: 50 }));
    const reads: Read[] = [
      {
        name: 'GET /accounts/{ref}',
        whole: (ref) => `/v1/accounts/${ref}`,
        ids: refs,
        rows: 1,
        bare: { path: '/accounts/:id', text: account, values: filled(account, [tenant.id, '{ID}', '{}']) },
      },
      {
        name: 'GET /payments/{id}',
        whole: (id) => `/v1/payments/${toTypeId('payment', id)}`,
        ids: paymentIds,
        rows: 1,
        bare: { path: '/payments/:id', text: payment, values: filled(payment, [tenant.id, 'ID']) },
      },
      {
        name: 'GET /payments, a page of 50',
        whole: () => '/v1/payments',
        ids: [''],
        rows: 51,
        bare: {
          path: '/payments',
          text: list,
          // All payments, as many as the page has and one more; references in the tenant's own namespace.
          values: filled(list, [tenant.id, LAST_ID, ...nulls(4), '51', ...nulls(5), '51', '', FIRST_ID]),
        },
      },
    ];
    for (const { name, ids, bare, rows } of reads) await requireRows(database, bare, ids[0] ?? '', rows, name);
    return reads;
  } finally {
    await usance.close();
  }
}

/** A statement that is asked for nothing answers soon, and compares with nothing. */
async function requireRows(
  { owner }: BenchDatabase,
  bare: BareRead,
  id: string,
  rows: number,
  name: string,
): Promise<void> {
  const values = bare.values.map((value) => value && value.replace('ID', id));
  const found = await owner.query(bare.text, values);
  if (found.length !== rows) throw new Error(`the bare ${name} answers with ${found.length} rows instead of ${rows}`);
}
