// Defends: executions with a processor that does nothing, with the history of every attempt kept, end at least as fast as graphile-worker
// (tuned) runs jobs, of which it keeps nothing (aim: 3 times); and the memory of the worker does not grow with what it runs.
//
// Jobs of the peers are in their queues before the clock starts, and so are executions. `all in` begins one step earlier: events are
// committed, and sequencer, matcher and worker run in one process until the last execution has ended.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createEngine } from '../src/engine.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import { residentMb } from './crew.ts';
import type { JobWorkerNews, JobWorkerOrder } from './job-worker.ts';
import { NO_OP } from './job-worker.ts';
import type { Cost } from './measure.ts';
import { costOf, median } from './measure.ts';
import type { NoOpSettings } from './peers/no-op.ts';
import { addNoOps, installNoOp, runNoOps, versionOf } from './peers/no-op.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase, BenchServer } from './server.ts';
import { openServer } from './server.ts';

/** Executions of a round, rounds, and executions of the run that measures memory. */
const SIZES: Readonly<Record<Size, readonly [number, number, number]>> = {
  full: [100_000, 5, 1_000_000],
  quick: [20_000, 3, 60_000],
  smoke: [2_000, 1, 6_000],
};

/** As many as graphile-worker fetches at once. */
const CONCURRENCY = 500;
/** The defaults of a queue may be slow: they run for this long. */
const DEFAULTS_MS = 5_000;
const PATIENCE_MS = 600_000;
const EVENTS_A_CALL = 1_000;
const QUEUED = 'usance, queued';
const ALL_IN = 'usance, all in';

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

interface Run {
  readonly who: string;
  readonly done: number;
  readonly ms: number;
  readonly nodeCpuMs: number;
  readonly cost: Cost;
}

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
        keep(round, await usanceRun(server, database, ALL_IN, count, ['sequencer', 'matcher', 'rescuer', 'jobs']));
        for (const [who, peer] of peers ? Object.entries(PEERS) : []) {
          const own = queues.get(peer.queue);
          if (own) keep(round, await peerRun(server, own, who, peer, count));
        }
      }
      const memory = await memoryOver(database, many, say);
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

async function usanceRun(
  server: BenchServer,
  database: BenchDatabase,
  who: string,
  count: number,
  loops: readonly string[],
): Promise<Run> {
  const worker = await startWorker({ databaseUrl: database.runtimeUrl, loops, concurrency: CONCURRENCY });
  const { result: ms, cost } = await costOf(database.owner, server.pid, () => untilCompleted(worker, count));
  return { who, done: count, ms, nodeCpuMs: await stopWorker(worker), cost };
}

async function peerRun(
  server: BenchServer,
  database: BenchDatabase,
  who: string,
  peer: NoOpSettings,
  count: number,
): Promise<Run> {
  const table = peer.queue === 'pg-boss' ? 'pgboss.job' : 'graphile_worker._private_jobs';
  await addNoOps(peer.queue, database, count);
  const mostMs = peer.settings === null ? DEFAULTS_MS : PATIENCE_MS;
  const { result, cost } = await costOf(database.owner, server.pid, () =>
    runNoOps({ databaseUrl: database.ownerUrl, jobs: count, mostMs, with: peer }),
  );
  // The rest of what its defaults did not do.
  await database.owner.query(`delete from ${table}`);
  return { who, ...result, cost };
}

/** Resident memory of a worker after a twentieth of many executions, and at their end. */
async function memoryOver(
  database: BenchDatabase,
  many: number,
  say: (line: string) => void,
): Promise<{ readonly early: number; readonly late: number }> {
  await addEvents(database, many);
  const loops = ['sequencer', 'matcher', 'rescuer', 'jobs'];
  const worker = await startWorker({ databaseUrl: database.runtimeUrl, loops, concurrency: CONCURRENCY });
  let early = 0;
  const ms = await untilCompleted(worker, many, (done) => {
    if (early === 0 && done >= many / 20) early = residentMb(worker.pid ?? 0);
  });
  const late = residentMb(worker.pid ?? 0);
  await stopWorker(worker);
  say(`${many} executions, all in: ${perSecond(many, ms)}/s, ${early} MB after a twentieth, ${late} MB at the end`);
  return { early, late };
}

function startWorker(order: JobWorkerOrder): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'job-worker.ts'), [JSON.stringify(order)]);
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
    child.once('message', () => {
      child.removeAllListeners('exit');
      resolve(child);
    });
  });
}

function untilCompleted(worker: ChildProcess, count: number, onProgress?: (done: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let done = 0;
    const failures: string[] = [];
    const hung = setTimeout(
      () => reject(new Error(`${done} of ${count} completed: ${failures.slice(0, 3).join('; ')}`)),
      PATIENCE_MS,
    );
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
    worker.on('message', (news: JobWorkerNews) => {
      if (news.is === 'failed') failures.push(news.error);
      if (news.is !== 'completed') return;
      done += news.count;
      onProgress?.(done);
      if (done < count) return;
      clearTimeout(hung);
      worker.removeAllListeners('exit').removeAllListeners('message');
      resolve(performance.now() - startedMs);
    });
    const startedMs = performance.now();
    worker.send('go');
  });
}

function stopWorker(worker: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    worker.on('message', (news: JobWorkerNews) => {
      if (news.is === 'stopped') resolve(news.cpuMs);
    });
    worker.send('stop');
  });
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
      'WAL bytes': each(who, (run) => run.cost.walBytes),
    })),
    ...(peers ? { peer: `${versionOf('graphile-worker')}; ${versionOf('pg-boss')}` } : {}),
    details: { runs, memory },
  };
}
