// Defends: webhooks reach a receiver on this machine at least half as fast as a bare loop of `fetch` with a signature sends the same bodies, as many
// at the same time, although each delivery is claimed, judged and recorded; and while one receiver of ten hangs, the first attempts at the
// other nine are at most twice as late after the commit of their event (p99).
//
// Rate: events are ordered and matched before the clock starts, which is with the first request at the receiver. It stops when the last end is
// recorded: the queue is empty. The bare loop stops with its last answer; it keeps nothing, retries nothing, and one of its bodies is ready before the
// clock starts. `all in` begins with committed events, and the start of the process counts. Lateness: an event is committed every so many
// milliseconds, for ten endpoints, with every loop in one process; from the answer to the commit to the arrival at the receiver.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, TenantHandle } from '../src/engine.ts';
import { createEngine } from '../src/engine.ts';
import { toTypeId } from '../src/kernel/index.ts';
import type { BareWebhooksOrder } from './bare-webhooks.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import type { Cost } from './measure.ts';
import { costOf, median, quantile } from './measure.ts';
import type { NoOpCommand, NoOpNews } from './no-op-report.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase, BenchServer } from './server.ts';
import { openServer } from './server.ts';
import type { Arrival, SinkCommand, SinkNews } from './webhook-sink.ts';
import { machineMs } from './webhook-sink.ts';
import type { WebhookWorkerOrder } from './webhook-worker.ts';

interface Sizes {
  /** Events of a round; each is delivered to ten endpoints. */
  readonly events: number;
  readonly rounds: number;
  /** Seconds of even arrivals. */
  readonly seconds: number;
}

const SIZES: Readonly<Record<Size, Sizes>> = {
  full: { events: 5_000, rounds: 5, seconds: 30 },
  quick: { events: 1_000, rounds: 1, seconds: 12 },
  smoke: { events: 50, rounds: 1, seconds: 2 },
};

const ENDPOINTS = 10;
const AT_ONCE = 100;
const EVENTS_PER_SECOND = 10;
const KEY = Buffer.from('the bench keeps nothing secret..').toString('base64');
// Random bytes once: endpoints refuse a secret that repeats itself.
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const EVERY_LOOP = ['sequencer', 'matcher', 'rescuer', 'webhooks'];
const PATIENCE_MS = 300_000;
const NO_COST: Cost = { rows: {}, walBytes: 0, serverCpuMs: 0 };

const QUEUED = 'usance, queued';
const ALL_IN = 'usance, all in';
const BARE = 'fetch with a signature';

interface RateRun {
  readonly who: string;
  readonly deliveries: number;
  readonly ms: number;
  readonly nodeCpuMs: number;
  readonly cost: Cost;
}

interface LateRun {
  readonly withDead: boolean;
  /** Of the nine, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export const webhooks: Bench = {
  name: 'webhooks',
  defends: 'deliveries/s, recorded ÷ requests/s of a bare loop of fetch with a signature',
  async run({ size, say }): Promise<BenchResult> {
    const { events, rounds, seconds } = SIZES[size];
    const server = await openServer();
    const sink = await openSink();
    try {
      const database = await server.database('webhooks');
      const { usance, tenant } = await open(database);
      const urls = Array.from({ length: ENDPOINTS }, (_, n) => `${sink.url}/${n}`);
      try {
        for (const url of urls)
          await tenant.createWebhookEndpoint({ url, eventPattern: 'bench.*', secret: SECRET, retry: 'webhook' });
        const bench: World = { server, database, usance, tenant, sink, say };
        const rates: RateRun[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          const before = rates.length;
          await appendEvents(tenant, events);
          await match(usance);
          rates.push(await bareRun(bench, urls, events));
          rates.push(await usanceRun(bench, QUEUED, ['webhooks'], events));
          await appendEvents(tenant, events);
          rates.push(await usanceRun(bench, ALL_IN, EVERY_LOOP, events));
          for (const { who, deliveries, ms } of rates.slice(before))
            say(`round ${round}, ${who}: ${perSecond(deliveries, ms)}/s`);
        }
        const late: LateRun[] = [];
        for (let round = 1; round <= rounds; round += 1)
          for (const withDead of round % 2 === 0 ? [true, false] : [false, true])
            late.push(await lateRun(bench, seconds, withDead));
        return { ...reported(rates, late), troubles: await troublesOf(database) };
      } finally {
        await usance.close();
      }
    } finally {
      sink.close();
      await server.close();
    }
  },
};

interface World {
  readonly server: BenchServer;
  readonly database: BenchDatabase;
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  readonly sink: Sink;
  readonly say: (line: string) => void;
}

async function open(database: BenchDatabase): Promise<{ usance: Engine; tenant: TenantHandle }> {
  const usance = await createEngine({
    databaseUrl: database.runtimeUrl,
    migrate: false,
    ownEventsPerDay: 0,
    encryption: { key: KEY },
    outbound: { loopback: true },
  });
  return { usance, tenant: await usance.createTenant({ name: 'bench' }) };
}

/** Committed and not ordered. */
async function appendEvents(tenant: TenantHandle, count: number): Promise<void> {
  for (let added = 0; added < count; added += 1_000)
    await tenant.appendEvents(Array.from({ length: Math.min(1_000, count - added) }, (_, n) => eventOf(added + n)));
}

const eventOf = (n: number) => ({
  type: 'bench.added',
  resource: 'item',
  resourceId: `item-${n}`,
  data: { n, text: 'as long as the data of a payment usually is, more or less: '.repeat(6) },
});

async function match(usance: Engine): Promise<void> {
  for (const name of ['sequencer', 'matcher']) {
    const loop = usance.loops.find((one) => one.name === name);
    while ((await loop?.runOnce())?.more);
  }
}

async function usanceRun(bench: World, who: string, loops: readonly string[], events: number): Promise<RateRun> {
  const { server, database, sink } = bench;
  await sink.clear();
  const work = (): Promise<Omit<RateRun, 'cost'>> => deliverAll(bench, who, loops, events * ENDPOINTS);
  const { result, cost } = await costOf(database.owner, server.pid, work);
  return { ...result, cost };
}

async function deliverAll(
  { database, sink }: World,
  who: string,
  loops: readonly string[],
  deliveries: number,
): Promise<Omit<RateRun, 'cost'>> {
  const before = await recorded(database);
  const worker = await startProgram('webhook-worker.ts', workerOrder(database, loops));
  const startedMs = machineMs();
  worker.send('start');
  await until(async () => (await sink.count()).count >= deliveries, `${who} did not send all`);
  await until(async () => (await recorded(database)) - before >= deliveries, `${who} did not record all`);
  const endedMs = machineMs();
  const { firstMs } = await sink.count();
  const nodeCpuMs = await worker.stop();
  return { who, deliveries, ms: endedMs - (who === QUEUED ? firstMs : startedMs), nodeCpuMs };
}

async function bareRun({ database, sink }: World, urls: readonly string[], events: number): Promise<RateRun> {
  await sink.clear();
  const order: BareWebhooksOrder = {
    databaseUrl: database.runtimeUrl,
    urls,
    secret: SECRET,
    events,
    atOnce: AT_ONCE,
  };
  const bare = await startProgram('bare-webhooks.ts', order);
  const done = bare.handled(events * ENDPOINTS);
  bare.send('start');
  await done;
  const endedMs = machineMs();
  const { count, firstMs } = await sink.count();
  return { who: BARE, deliveries: count, ms: endedMs - firstMs, nodeCpuMs: await bare.stop(), cost: NO_COST };
}

/** Even arrivals, with every loop in one process. With a dead one the tenth endpoint hangs. */
async function lateRun({ database, tenant, sink, say }: World, seconds: number, withDead: boolean): Promise<LateRun> {
  const [tenth] = (await tenant.webhookEndpoints()).filter(({ url }) => url.endsWith(`/${ENDPOINTS - 1}`));
  if (tenth) await tenant.deleteWebhookEndpoint(tenth.id);
  const url = `${sink.url}/${withDead ? 'hang' : ENDPOINTS - 1}`;
  const made = await tenant.createWebhookEndpoint({ url, eventPattern: 'bench.*', secret: SECRET, retry: 'webhook' });
  const worker = await startProgram('webhook-worker.ts', workerOrder(database, EVERY_LOOP));
  worker.send('start');
  // The first events start what is started once: connections, prepared statements.
  await spread(tenant, 1);
  await sink.clear();
  const committed = await spread(tenant, seconds);
  const wanted = committed.size * (ENDPOINTS - 1);
  const ofNine = ([id, path]: Arrival): boolean =>
    committed.has(id) && path !== '/hang' && path !== `/${ENDPOINTS - 1}`;
  await until(async () => (await sink.arrivals()).filter(ofNine).length >= wanted, 'the nine did not get all');
  const waits = (await sink.arrivals()).filter(ofNine).map(([id, , atMs]) => atMs - (committed.get(id) ?? NaN));
  await worker.stop();
  if (withDead) {
    await tenant.deleteWebhookEndpoint(made.endpoint.id);
    await tenant.createWebhookEndpoint({
      url: `${sink.url}/${ENDPOINTS - 1}`,
      eventPattern: 'bench.*',
      secret: SECRET,
      retry: 'webhook',
    });
  }
  const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
  say(`first attempts ${withDead ? 'with one that hangs' : 'to ten'}: p50 ${rounded(p50)} ms, p99 ${rounded(p99)} ms`);
  return { withDead, p50, p99 };
}

/** The instant of the answer to each commit, by event. */
async function spread(tenant: TenantHandle, seconds: number): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  const startedMs = machineMs();
  for (let n = 0; n < seconds * EVENTS_PER_SECOND; n += 1) {
    await pause(Math.max(0, startedMs + (n * 1_000) / EVENTS_PER_SECOND - machineMs()));
    const [event] = await tenant.appendEvents([eventOf(n)]);
    if (event) committed.set(toTypeId('event', event.id), machineMs());
  }
  return committed;
}

const workerOrder = (database: BenchDatabase, loops: readonly string[]): WebhookWorkerOrder => ({
  databaseUrl: database.runtimeUrl,
  key: KEY,
  loops,
  concurrency: AT_ONCE,
});

async function recorded(database: BenchDatabase): Promise<number> {
  const [row] = await database.owner.query(
    `select count(*)::int as count from usance.executions where status = 'completed'`,
  );
  return Number(row?.['count']);
}

async function until(isSo: () => Promise<boolean>, trouble: string): Promise<void> {
  const untilMs = machineMs() + PATIENCE_MS;
  while (!(await isSo())) {
    if (machineMs() > untilMs) throw new Error(trouble);
    await pause(10);
  }
}

interface Program {
  send(command: NoOpCommand): void;
  /** Resolves when so many are handled. */
  handled(count: number): Promise<void>;
  /** Returns its processor time since it started to work. */
  stop(): Promise<number>;
}

async function startProgram(file: string, order: object): Promise<Program> {
  const child = forked(file, [JSON.stringify(order)]);
  child.on('message', (news: NoOpNews) => {
    if (news.is === 'trouble') console.error(`${file}: ${news.error}`);
  });
  await heard<NoOpNews, 'ready'>(child, 'ready');
  return {
    send: (command) => void child.send(command),
    handled: (count) =>
      new Promise((resolve) => {
        child.on('message', (news: NoOpNews) => {
          if (news.is === 'handled' && news.done >= count) resolve();
        });
      }),
    async stop() {
      const stopped = heard<NoOpNews, 'stopped'>(child, 'stopped');
      child.send('stop' satisfies NoOpCommand);
      return (await stopped).cpuMs;
    },
  };
}

interface Sink {
  readonly url: string;
  clear(): Promise<void>;
  count(): Promise<{ readonly count: number; readonly firstMs: number }>;
  arrivals(): Promise<readonly Arrival[]>;
  close(): void;
}

async function openSink(): Promise<Sink> {
  const child = forked('webhook-sink.ts', []);
  const { port } = await heard<SinkNews, 'ready'>(child, 'ready');
  const ask = <Is extends SinkNews['is']>(command: SinkCommand, is: Is) => {
    const answer = heard<SinkNews, Is>(child, is);
    child.send(command);
    return answer;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    clear: async () => void (await ask('clear', 'cleared')),
    count: () => ask('count', 'count'),
    arrivals: async () => (await ask('arrivals', 'arrivals')).arrivals,
    close: () => void (child.connected && child.send('stop' satisfies SinkCommand)),
  };
}

const forked = (file: string, args: readonly string[]): ChildProcess => fork(join(import.meta.dirname, file), args);

function heard<News extends { readonly is: string }, Is extends News['is']>(
  child: ChildProcess,
  is: Is,
): Promise<Extract<News, { is: Is }>> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`a program of the bench ended with ${code}`));
    const listen = (news: News): void => {
      if (news.is !== is) return;
      child.off('message', listen).off('exit', gone);
      resolve(news as Extract<News, { is: Is }>);
    };
    child.on('message', listen).once('exit', gone);
  });
}

function reported(rates: readonly RateRun[], late: readonly LateRun[]): Omit<BenchResult, 'troubles'> {
  const of = (who: string): RateRun[] => rates.filter((run) => run.who === who);
  const rate = (who: string): number => median(of(who).map((run) => perSecond(run.deliveries, run.ms)));
  const each = (who: string, value: (run: RateRun) => number): number =>
    rounded(median(of(who).map((run) => value(run) / run.deliveries)), 1);
  const lateness = (withDead: boolean, which: 'p50' | 'p99'): number =>
    rounded(median(late.filter((run) => run.withDead === withDead).map((run) => run[which])));
  return {
    ratio: rounded(rate(QUEUED) / rate(BARE)),
    atLeast: 0.5,
    claims: [
      {
        what: 'first attempts at nine endpoints, p99: while a tenth hangs ÷ while it does not',
        is: rounded(lateness(true, 'p99') / lateness(false, 'p99')),
        atMost: 2,
      },
      { what: `deliveries/s, ${QUEUED}`, is: rate(QUEUED) },
      { what: `deliveries/s, ${ALL_IN}`, is: rate(ALL_IN) },
      { what: 'first attempt after the commit, ms at p50', is: lateness(false, 'p50') },
      { what: 'first attempt after the commit, ms at p99', is: lateness(false, 'p99') },
    ],
    table: [QUEUED, ALL_IN, BARE].map((who) => ({
      who,
      'deliveries/s': rate(who),
      'Node µs': each(who, (run) => run.nodeCpuMs * 1_000),
      'server µs': each(who, (run) => run.cost.serverCpuMs * 1_000),
      rows: each(who, (run) => Object.values(run.cost.rows).reduce((sum, count) => sum + count, 0)),
      'WAL bytes': each(who, (run) => run.cost.walBytes),
    })),
    details: { rates, late },
  };
}
