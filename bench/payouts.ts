// Defends: payouts over the simulated chain, from their create to a final block, reach at least a quarter of the rate of as many bare calls of `prepare` and
// `broadcast` of its rail, as many at the same time. A payout is also reserved, routed by scores, leased, committed with its signed bytes, confirmed by both
// endpoints and booked with its fee; the bare calls keep nothing and confirm nothing.
//
// The clock starts with the first create (a thousand in a request) and stops when the last payout is settled; both loops run at the same time, in the process
// of the bench, as do the bare calls. The simulator is the larger part of both sides: each call to an endpoint is a durable transaction that locks its chain,
// and a payout makes more of them. Both sides take turns on one server, each on a chain of its own. Blocks take 100 ms and are final after five; a transaction
// is looked at after a second.
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, TenantHandle } from '../src/engine.ts';
import { createEngine } from '../src/engine.ts';
import { liveAt, newId } from '../src/kernel/index.ts';
import type { Sandbox } from '../src/rails/index.ts';
import { FEE_ASSET, openSandbox, walletKey } from '../src/rails/index.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import type { Cost } from './measure.ts';
import { costOf, median } from './measure.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase, BenchServer } from './server.ts';
import { openServer } from './server.ts';

/** Payouts of a round, rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number]>> = {
  full: [1_000, 5],
  quick: [200, 2],
  smoke: [50, 1],
};

const AT_LEAST = 0.25;
/** Payouts of the round that is not counted. */
const WARM_UP = 50;
const ASSET = 'USDC/6';
const AMOUNT = 10_000n;
const PAYEE = walletKey('payee').address;
const BULK = 1_000;
/** That of the loops. */
const AT_ONCE = 16;
const CHAIN = { seed: 'bench', blockMs: 100, finalityBlocks: 5, validityBlocks: 6_000 } as const;
const PATIENCE_MS = 300_000;

const USANCE = 'usance, create to final';
const BARE = 'prepare and broadcast';

interface Run {
  readonly who: string;
  readonly payouts: number;
  readonly ms: number;
  /** Of it, until all were created. */
  readonly createMs: number;
  readonly nodeCpuMs: number;
  readonly cost: Cost;
}

interface World {
  readonly server: BenchServer;
  readonly database: BenchDatabase;
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  readonly bare: Sandbox;
}

export const payouts: Bench = {
  name: 'payouts',
  defends: 'payouts/s, create to final block ÷ bare prepare and broadcast calls/s of the sandbox rail',
  async run({ size, say }): Promise<BenchResult> {
    const [count, rounds] = SIZES[size];
    const server = await openServer();
    try {
      const database = await server.database('payouts');
      const bare = openSandbox({ url: database.runtimeUrl, production: false, name: 'bare', ...CHAIN });
      const usance = await createEngine({
        databaseUrl: database.runtimeUrl,
        migrate: false,
        ownEventsPerDay: 0,
        chains: { sandbox: CHAIN },
        payouts: { confirmEveryMs: 1_000, concurrency: AT_ONCE },
      });
      try {
        const world: World = { server, database, usance, tenant: await open(usance), bare };
        const runs: Run[] = [];
        // The first round warms up, and is not counted: the wallet is opened, statements are prepared.
        for (let round = 0; round <= rounds; round += 1) {
          const some = round === 0 ? Math.min(count, WARM_UP) : count;
          const order = round % 2 === 0 ? [usanceRun, bareRun] : [bareRun, usanceRun];
          for (const work of order) {
            const run = await measured(world, some, work);
            if (round > 0) runs.push(run);
            say(`${round === 0 ? 'warming up' : `round ${round}`}, ${run.who}: ${perSecond(run.payouts, run.ms)}/s`);
          }
        }
        const all = Math.min(count, WARM_UP) + count * rounds;
        return {
          ...reported(runs),
          troubles: [...(await notLanded(world, all)), ...(await troublesOf(database))],
        };
      } finally {
        await usance.close();
        await bare.close();
      }
    } finally {
      await server.close();
    }
  },
};

async function open(usance: Engine): Promise<TenantHandle> {
  const tenant = await usance.createTenant({ name: 'bench' });
  await tenant.createAsset(ASSET);
  await tenant.openAccount({ ref: 'payer' });
  await tenant.deposit({ account: 'payer', asset: ASSET, amount: 10n ** 12n, idempotencyKey: 'bench' });
  // Without a fresh snapshot no chain qualifies.
  await loopOf(usance, 'health').runOnce();
  usance.start(['health']);
  return tenant;
}

type Work = (world: World, count: number) => Promise<Pick<Run, 'who' | 'ms' | 'createMs'>>;

async function measured(world: World, count: number, work: Work): Promise<Run> {
  const { database, server } = world;
  const { result, cost } = await costOf(database.owner, server.pid, async () => {
    const before = process.cpuUsage();
    const done = await work(world, count);
    const { user, system } = process.cpuUsage(before);
    return { ...done, nodeCpuMs: (user + system) / 1_000 };
  });
  return { ...result, payouts: count, cost };
}

async function usanceRun({ usance, tenant }: World, count: number): Promise<Pick<Run, 'who' | 'ms' | 'createMs'>> {
  const startedMs = performance.now();
  let settled = 0;
  const isDone = (): boolean => settled >= count;
  const working = Promise.all([
    drive(usance, 'payouts', isDone, () => undefined),
    drive(usance, 'confirmations', isDone, (counts) => (settled += counts['settled'] ?? 0)),
  ]);
  const creating = create(tenant, count).then(() => performance.now() - startedMs);
  const [createMs] = await Promise.all([creating, working]);
  return { who: USANCE, ms: performance.now() - startedMs, createMs };
}

async function create(tenant: TenantHandle, count: number): Promise<void> {
  for (let made = 0; made < count; made += BULK) {
    const orders = Array.from({ length: Math.min(BULK, count - made) }, () => ({
      from: 'payer',
      asset: ASSET,
      amount: AMOUNT,
      rail: 'sandbox',
      destination: PAYEE,
    }));
    await tenant.createPayments(orders, { idempotencyKey: newId(), atomic: true });
  }
}

/** Runs a loop without its waits: what is measured is the work, not the interval. */
async function drive(
  usance: Engine,
  name: string,
  isDone: () => boolean,
  ran: (counts: Readonly<Record<string, number>>) => void,
): Promise<void> {
  const loop = loopOf(usance, name);
  const untilMs = performance.now() + PATIENCE_MS;
  while (!isDone()) {
    const { counts, more } = await loop.runOnce();
    ran(counts);
    if (more) continue;
    if (performance.now() > untilMs) throw new Error('the payouts are not settled in time');
    await pause(10);
  }
}

function loopOf(usance: Engine, name: string): Engine['loops'][number] {
  const loop = usance.loops.find((one) => one.name === name);
  if (!loop) throw new Error(`there is no loop ${name}`);
  return loop;
}

/** The two calls of a payout that put it on the chain, and nothing else. */
async function bareRun({ bare }: World, count: number): Promise<Pick<Run, 'who' | 'ms' | 'createMs'>> {
  const { rail } = bare;
  const now = () => liveAt(new Date());
  for (const asset of ['USDC', FEE_ASSET.code]) await bare.endow(now(), rail.wallet, asset, 10n ** 15n);
  const fee = await rail.estimateFee(now());
  if (fee.outcome === 'unknown') throw new Error(`the bare chain has no fee: ${fee.reason}`);
  const order = {
    to: PAYEE,
    asset: { code: 'USDC', scale: 6 },
    amount: AMOUNT,
    feeLimitUnits: fee.value.suggestedLimitUnits,
  };
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const prepared = await rail.prepare({ ...order, memo: `${newId()}.1` }, now());
      if (prepared.outcome !== 'prepared') throw new Error(`not prepared: ${prepared.reason}`);
      const sent = await rail.broadcast(prepared.signed, now());
      if (sent.outcome !== 'accepted') throw new Error(`not accepted: ${sent.reason}`);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return { who: BARE, ms: performance.now() - startedMs, createMs: 0 };
}

/** Each chain has as many transactions as there were payouts: a rate with lost or doubled payouts is worth nothing. */
async function notLanded({ database, bare }: World, wanted: number): Promise<string[]> {
  // The last blocks of the bare calls.
  await pause(CHAIN.blockMs * (CHAIN.finalityBlocks + 5));
  await bare.landed(liveAt(new Date()));
  const rows = await database.owner.query(
    `select c.name, count(*) filter (where t.state = 'included')::int as landed
     from usance.sandbox_chains c join usance.sandbox_transactions t on t.chain_id = c.id group by 1 order by 1`,
  );
  return rows.flatMap(({ name, landed }) =>
    Number(landed) === wanted ? [] : [`on the chain ${String(name)} ${Number(landed)} of ${wanted} have landed`],
  );
}

function reported(runs: readonly Run[]): Omit<BenchResult, 'troubles'> {
  const of = (who: string): Run[] => runs.filter((run) => run.who === who);
  const rate = (who: string): number => median(of(who).map((run) => perSecond(run.payouts, run.ms)));
  const each = (who: string, value: (run: Run) => number): number =>
    Math.round(median(of(who).map((run) => value(run) / run.payouts)));
  const cpu = (who: string): number => each(who, (run) => (run.nodeCpuMs + run.cost.serverCpuMs) * 1_000);
  return {
    ratio: rounded(
      median(of(USANCE).map((run) => run.payouts / run.ms)) / median(of(BARE).map((run) => run.payouts / run.ms)),
    ),
    atLeast: AT_LEAST,
    claims: [
      { what: 'payouts/s, create to final block', is: rate(USANCE) },
      { what: 'processor time of a payout, µs (server and Node)', is: cpu(USANCE) },
      { what: 'processor time of a payout ÷ of a bare prepare and broadcast', is: rounded(cpu(USANCE) / cpu(BARE)) },
    ],
    table: [USANCE, BARE].map((who) => ({
      who,
      'per second': rate(who),
      'server µs': each(who, (run) => run.cost.serverCpuMs * 1_000),
      'Node µs': each(who, (run) => run.nodeCpuMs * 1_000),
      'WAL bytes': each(who, (run) => run.cost.walBytes),
    })),
    details: { runs },
  };
}
