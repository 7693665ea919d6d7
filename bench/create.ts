// Defends: `POST /v1/holds` with 64 requests at once makes at least 2 times as many holds a second as the same server does
// with groups of 1, that is, each in a transaction of its own, ten of them at once (the pool). And: one request at a time is
// no more than 1.1 times slower than with groups of 1; `POST /v1/payments/bulk` of 1,000 makes at least 10 times as many
// payments a second as one client that sends `POST /v1/payments` one after the other. In turns, on the same tables, over
// 100,000 accounts; the ratio is of the medians.
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import { ACCOUNTS, ASSET, openBooks } from './books.ts';
import { startServer } from './http-server.ts';
import type { LoadRequest } from './load.ts';
import { sendAll } from './load.ts';
import { median, quantile } from './measure.ts';
import { troublesOf } from './proof.ts';
import { openServer } from './server.ts';
import { apiKey } from './tenant.ts';

const AT_ONCE = 64;
const BULK = 1_000;
const SLICES = 5;

/** Holds at 64 at once and one at a time, bulk requests, rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number, number, number]>> = {
  full: [10_000, 1_000, 10, 5],
  quick: [2_000, 200, 2, 1],
  smoke: [300, 50, 1, 1],
};

type Who = 'groups of 256' | 'groups of 1';

interface Run {
  readonly what: string;
  readonly made: number;
  readonly ms: number;
  readonly waits: readonly number[];
}

export const create: Bench = {
  name: 'create',
  defends: 'holds/s at 64 at once ÷ the same with groups of 1',
  async run({ size, say }): Promise<BenchResult> {
    const [many, alone, bulks, rounds] = SIZES[size];
    const server = await openServer();
    try {
      const database = await server.database('creates');
      await openBooks(database);
      const secret = await apiKey(database);
      const start = (maxGroup: number) => startServer({ is: 'usance', databaseUrl: database.runtimeUrl, maxGroup });
      const servers = { 'groups of 256': await start(256), 'groups of 1': await start(1) };
      const runs: Run[] = [];

      const measured = async (what: string, who: Who, atOnce: number, requests: LoadRequest[], each = 1) => {
        const order = { url: servers[who].url, secret, atOnce, requests, status: each > 1 ? 200 : 201 };
        const { ms, waits } = await sendAll(order);
        const made = requests.length * each;
        runs.push({ what, made, ms, waits });
        say(`${what}: ${perSecond(made, ms)}/s`);
      };
      const holds = (who: Who, atOnce: number) =>
        measured(
          `${atOnce} at once, ${who}`,
          who,
          atOnce,
          times(atOnce === 1 ? alone / SLICES : many, () => post('/v1/holds', anyOrder())),
        );

      for (let round = 0; round <= rounds; round += 1) {
        // The first one is for warming up, and not counted.
        if (round === 1) runs.length = 0;
        say(round === 0 ? 'warming up' : `round ${round}`);
        // Who comes second finds the tables a little larger: they take turns in that too.
        const order: readonly Who[] =
          round % 2 === 0 ? ['groups of 256', 'groups of 1'] : ['groups of 1', 'groups of 256'];
        for (const who of order) await holds(who, AT_ONCE);
        // Slices, so that what else the machine does meets both.
        for (let slice = 0; slice < SLICES; slice += 1) for (const who of order) await holds(who, 1);
        const payments = times(alone, () => post('/v1/payments', anyOrder()));
        await measured('POST /payments, one after the other', 'groups of 256', 1, payments);
        const bulk = times(bulks, () => post('/v1/payments/bulk', { payments: times(BULK, anyOrder) }));
        await measured('POST /payments/bulk of 1,000', 'groups of 256', 1, bulk, BULK);
      }
      for (const running of Object.values(servers)) await running.stop();

      const of = (what: string): Run[] => runs.filter((run) => run.what === what);
      const rate = (what: string): number => median(of(what).map((run) => perSecond(run.made, run.ms)));
      const ratios = {
        atOnce: rounded(rate('64 at once, groups of 256') / rate('64 at once, groups of 1')),
        alone: rounded(rate('1 at once, groups of 1') / rate('1 at once, groups of 256')),
        bulk: rounded(rate('POST /payments/bulk of 1,000') / rate('POST /payments, one after the other')),
      };
      return {
        ratio: ratios.atOnce,
        atLeast: 2,
        claims: [
          { what: 'one at a time: holds/s with groups of 1 ÷ holds/s', is: ratios.alone, atMost: 1.1 },
          { what: 'payments/s in bulk ÷ payments/s one after the other', is: ratios.bulk, atLeast: 10 },
          { what: 'holds/s at 64 at once', is: rate('64 at once, groups of 256') },
        ],
        table: [...new Set(runs.map((run) => run.what))].map((what) => {
          const waits = of(what).flatMap((run) => run.waits);
          return {
            what,
            'made/s': rate(what),
            'p50 ms': rounded(median(waits), 1),
            'p99 ms': rounded(quantile(waits, 0.99), 1),
          };
        }),
        details: { many, alone, bulks, ratios, runs: runs.map(({ waits: _waits, ...run }) => run) },
        troubles: await troublesOf(database),
      };
    } finally {
      await server.close();
    }
  },
};

let keys = 0;

const post = (path: string, body: unknown): LoadRequest => ({
  method: 'POST',
  path,
  body,
  key: `bench-${process.pid}-${(keys += 1)}`,
});

function anyOrder(): object {
  const payer = 1 + Math.floor(Math.random() * ACCOUNTS);
  const payee = 1 + ((payer + Math.floor(Math.random() * (ACCOUNTS - 1))) % ACCOUNTS);
  return { from: `account-${payer}`, to: `account-${payee}`, asset: ASSET, amount: '100', delay: '24h' };
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
