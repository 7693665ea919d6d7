// Defends: executions with a processor that does nothing, with the history of every attempt kept, end at least as fast as graphile-worker
// (tuned) runs jobs, of which it keeps nothing (aim: 3 times); and the memory of the worker does not grow with what it runs.
//
// Jobs of the peers are in their queues before the clock starts, and so are executions. The clock starts with the first handler and stops when the last completion is
// written, the same for every side (no-op-run.ts): graphile-worker has deleted all its jobs, pg-boss has completed all, the queue of usance is empty
// and its history has every execution. Neither the start of a process nor its first fetch counts. `all in` begins earlier: events are committed, and
// sequencer, matcher, rescuer and worker run in one process from its start until the last execution is recorded. Sides run in turns.
import { createEngine } from '../src/engine.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import type { JobWorkerOrder } from './job-worker.ts';
import { NO_OP } from './job-worker.ts';
import { median } from './measure.ts';
import type { NoOpRun as Run } from './no-op-run.ts';
import { runNoOps } from './no-op-run.ts';
import type { NoOpSettings } from './peers/no-op.ts';
import { addNoOps, installNoOp, OPEN_NO_OPS, versionOf } from './peers/no-op.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase, BenchServer } from './server.ts';
import { openServer } from './server.ts';

/** Executions of a round, rounds, and executions of the run that measures memory. */
const SIZES: Readonly<Record<Size, readonly [number, number, number]>> = {
  full: [100_000, 5, 1_000_000],
  quick: [20_000, 3, 60_000],
  smoke: [2_000, 1, 6_000],
};

/** Slots of the worker of usance, which claims up to 2,000 at once. graphile-worker is fastest with a local queue of 500, pg-boss has four fetches of 1,000. */
const CONCURRENCY = 4_000;
/** The defaults of a queue may be slow: they run for this long. */
const DEFAULTS_MS = 5_000;
const EVENTS_A_CALL = 1_000;
const QUEUED = 'usance, queued';
const ALL_IN = 'usance, all in';
const EVERY_LOOP = ['sequencer', 'matcher', 'rescuer', 'jobs'];

const PEERS: Readonly<Record<string, NoOpSettings>> = {
  'graphile-worker, tuned': {
    queue: 'graphile-worker',
    settings: { concurrentJobs: 16, localQueue: 500, completeJobBatchDelay: 250 },
  },
  'graphile-worker, defaults': { queue: 'graphile-worker', settings: null },
  'pg-boss, tuned': {
    queue: 'pg-boss',
    settings: { batchSize: 1_000, localConcurrency: 4, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
  },
  'pg-boss, defaults': { queue: 'pg-boss', settings: null },
};

export const jobs: Bench = {
  name: 'jobs',
  defends: 'executions/s with history ÷ jobs/s of graphile-worker, tuned',
  hasPeers: true,
  async run({ size, peers, say }): Promise<BenchResult> {
    const [count, rounds, many] = SIZES[size];
    const server = await openServer();
    try {
      const database = await server.database('jobs');
      await openJob(database);
      const queues = new Map<string, BenchDatabase>();
      for (const { queue } of peers ? Object.values(PEERS) : []) {
        if (queues.has(queue)) continue;
        const own = await server.database(queue.replace('-', '_'));
        await installNoOp(queue, own);
        queues.set(queue, own);
      }
      const runs: Run[] = [];
      const keep = (round: number, run: Run): void => {
        say(`round ${round}, ${run.who}: ${perSecond(run.done, run.ms)}/s`);
        runs.push(run);
      };
      for (let round = 1; round <= rounds; round += 1) {
        await addEvents(database, count);
        await match(database);
        keep(round, await usanceRun(server, database, QUEUED, count, ['jobs']));
        await addEvents(database, count);
        keep(round, await usanceRun(server, database, ALL_IN, count, EVERY_LOOP));
        for (const [who, peer] of peers ? Object.entries(PEERS) : []) {
          const own = queues.get(peer.queue);
          if (own) keep(round, await peerRun(server, own, who, peer, count));
        }
      }
      const memory = await memoryOver(server, database, many, say);
      return { ...reported(runs, memory, peers), troubles: await troublesOf(database) };
    } finally {
      await server.close();
    }
  },
};

async function openJob(database: BenchDatabase): Promise<void> {
  const usance = await createEngine({
    databaseUrl: database.runtimeUrl,
    migrate: false,
    processors: [{ name: NO_OP, description: 'Does nothing.', run: () => undefined }],
  });
  try {
    await usance.jobWorker.announce();
    const tenant = await usance.createTenant({ name: 'bench' });
    await tenant.createJob({ name: NO_OP, eventPattern: 'bench.*', processorName: NO_OP });
  } finally {
    await usance.close();
  }
}

/** Events of an application, committed and not ordered. */
async function addEvents(database: BenchDatabase, count: number): Promise<void> {
  const usance = await createEngine({
    databaseUrl: database.runtimeUrl,
    migrate: false,
    ownEventsPerDay: 0,
  });
  try {
    const tenant = await usance.tenant('bench');
    for (let added = 0; added < count; added += EVENTS_A_CALL) {
      const part = Math.min(EVENTS_A_CALL, count - added);
      await tenant.appendEvents(
        Array.from({ length: part }, (_, n) => ({
          type: 'bench.added',
          resource: 'item',
          resourceId: `item-${added + n}`,
          data: { n: added + n },
        })),
      );
    }
  } finally {
    await usance.close();
  }
}

/** Orders and matches all events: their executions wait. */
async function match(database: BenchDatabase): Promise<void> {
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false });
  try {
    for (const name of ['sequencer', 'matcher']) {
      const loop = usance.loops.find((one) => one.name === name);
      while ((await loop?.runOnce())?.more);
    }
  } finally {
    await usance.close();
  }
  await database.owner.query('vacuum analyze usance.execution_queue');
}

/** An execution that has ended is in history, so that an empty queue means that all are recorded. */
const OPEN_EXECUTIONS = 'select exists (select from usance.execution_queue) as is_open';

async function usanceRun(
  server: BenchServer,
  database: BenchDatabase,
  who: string,
  jobs: number,
  loops: readonly string[],
): Promise<Run> {
  const order: JobWorkerOrder = { databaseUrl: database.runtimeUrl, loops, concurrency: CONCURRENCY, jobs };
  const from = who === QUEUED ? 'first handler' : 'start';
  const work = { who, server, database, jobs, from, order, program: 'job-worker.ts', open: OPEN_EXECUTIONS } as const;
  const before = await recorded(database);
  const run = await runNoOps(work);
  const kept = (await recorded(database)) - before;
  if (kept !== jobs) throw new Error(`${who}: ${kept} of ${jobs} executions are in history`);
  return run;
}

async function recorded(database: BenchDatabase): Promise<number> {
  const [row] = await database.owner.query(
    `select count(*)::int as count from usance.executions where status = 'completed'`,
  );
  return Number(row?.['count']);
}

async function peerRun(
  server: BenchServer,
  database: BenchDatabase,
  who: string,
  peer: NoOpSettings,
  jobs: number,
): Promise<Run> {
  const table = peer.queue === 'pg-boss' ? 'pgboss.job' : 'graphile_worker._private_jobs';
  await addNoOps(peer.queue, database, jobs);
  const order = { databaseUrl: database.ownerUrl, jobs, with: peer };
  const work = { who, server, database, jobs, order, program: 'peers/no-op.ts', open: OPEN_NO_OPS[peer.queue] };
  const run = await runNoOps({
    ...work,
    from: 'first handler',
    ...(peer.settings === null ? { mostMs: DEFAULTS_MS } : {}),
  });
  // What its defaults did not do, and what pg-boss keeps.
  await database.owner.query(`delete from ${table}`);
  return run;
}

/** Resident memory of a worker after a twentieth of many executions, and at their end. */
async function memoryOver(
  server: BenchServer,
  database: BenchDatabase,
  many: number,
  say: (line: string) => void,
): Promise<Run['memoryMb']> {
  await addEvents(database, many);
  const { ms, memoryMb } = await usanceRun(server, database, 'memory', many, EVERY_LOOP);
  const { early, late } = memoryMb;
  say(`${many} executions, all in: ${perSecond(many, ms)}/s, ${early} MB after a twentieth, ${late} MB at the end`);
  return memoryMb;
}

function reported(
  runs: readonly Run[],
  memory: { readonly early: number; readonly late: number },
  peers: boolean,
): Omit<BenchResult, 'troubles'> {
  const of = (who: string): Run[] => runs.filter((run) => run.who === who);
  const rate = (who: string): number => median(of(who).map((run) => perSecond(run.done, run.ms)));
  const each = (who: string, value: (run: Run) => number): number =>
    rounded(median(of(who).map((run) => value(run) / run.done)), 1);
  const names = [QUEUED, ALL_IN, ...(peers ? Object.keys(PEERS) : [])];
  const tuned = 'graphile-worker, tuned';
  return {
    ratio: peers ? rounded(rate(QUEUED) / rate(tuned)) : null,
    atLeast: 1,
    claims: [
      ...(peers
        ? [
            { what: `executions/s all in ÷ jobs/s of ${tuned}`, is: rounded(rate(ALL_IN) / rate(tuned)) },
            {
              what: 'executions/s with history ÷ jobs/s of pg-boss, tuned',
              is: rounded(rate(QUEUED) / rate('pg-boss, tuned')),
            },
          ]
        : []),
      {
        what: 'memory of a worker at the end ÷ after a twentieth',
        is: rounded(memory.late / memory.early),
        atMost: 1.3,
      },
      { what: `executions/s, ${QUEUED}`, is: rate(QUEUED) },
      { what: `executions/s, ${ALL_IN}`, is: rate(ALL_IN) },
    ],
    table: names.map((who) => ({
      who,
      'jobs/s': rate(who),
      'server µs': each(who, (run) => run.cost.serverCpuMs * 1_000),
      'Node µs': each(who, (run) => run.nodeCpuMs * 1_000),
      rows: each(who, (run) => Object.values(run.cost.rows).reduce((sum, count) => sum + count, 0)),
      'index entries': each(who, (run) => run.cost.indexEntries ?? NaN),
      'WAL bytes': each(who, (run) => run.cost.walBytes),
    })),
    ...(peers ? { peer: `${versionOf('graphile-worker')}; ${versionOf('pg-boss')}` } : {}),
    details: { runs, memory },
  };
}
