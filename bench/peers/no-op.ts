// Job queues that run a handler which does nothing, each in a process of its own: graphile-worker and pg-boss. Jobs are added in
// bulk before the clock starts. `OPEN_NO_OPS` is true until the last completion is written.
//
// The queues are loaded by name because they are installed in bench/node_modules only, which the project's own compile does not see.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportNoOps } from '../no-op-report.ts';
import type { BenchDatabase } from '../server.ts';
import type { GraphileSettings } from './graphile-worker.ts';
import { load as loadGraphile } from './graphile-worker.ts';

const TASK = 'no_op';

/** Options of `work()` of pg-boss. */
export interface BossSettings {
  readonly batchSize: number;
  readonly localConcurrency: number;
  readonly pollingIntervalSeconds: number;
  readonly burstWhenBatchFull: boolean;
}

/** Null: the defaults of the queue. */
export type NoOpSettings =
  | { readonly queue: 'graphile-worker'; readonly settings: GraphileSettings | null }
  | { readonly queue: 'pg-boss'; readonly settings: BossSettings | null };

export interface NoOpOrder {
  readonly databaseUrl: string;
  readonly jobs: number;
  readonly with: NoOpSettings;
}

/** Whether a job is not recorded as completed: graphile-worker deletes completed jobs, pg-boss keeps them. */
export const OPEN_NO_OPS: Readonly<Record<NoOpSettings['queue'], string>> = {
  'graphile-worker': 'select exists (select from graphile_worker._private_jobs) as is_open',
  'pg-boss': `select exists (select from pgboss.job where state < 'completed') as is_open`,
};

interface Boss {
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  on(name: 'error', listener: (error: unknown) => void): unknown;
  createQueue(name: string): Promise<void>;
  insert(name: string, jobs: readonly object[]): Promise<unknown>;
  work(name: string, options: object, handler: (jobs: readonly unknown[]) => Promise<void>): Promise<string>;
}

if (import.meta.main) {
  const order = JSON.parse(process.argv[2] ?? '{}') as NoOpOrder;
  const report = reportNoOps(order.jobs);
  const start = order.with.queue === 'pg-boss' ? await readyBoss(order) : await readyGraphile(order);
  let stop = (): Promise<void> => Promise.resolve();
  report.ready({
    start: async () => {
      ({ stop } = await start(report.handled));
    },
    stop: () => stop(),
  });
}

type Start = (count: (jobs: number) => void) => Promise<{ stop(): Promise<void> }>;

/** The queue's tables in an empty database. */
export async function installNoOp(queue: NoOpSettings['queue'], { ownerUrl }: BenchDatabase): Promise<void> {
  if (queue === 'graphile-worker') {
    const worker = await loadGraphile();
    await worker.runMigrations({ connectionString: ownerUrl, logger: new worker.Logger(() => () => undefined) });
    return;
  }
  const boss = await loadBoss(ownerUrl);
  await boss.start();
  await boss.createQueue(TASK);
  await boss.stop({ graceful: false });
}

export async function addNoOps(
  queue: NoOpSettings['queue'],
  { owner, ownerUrl }: BenchDatabase,
  count: number,
): Promise<void> {
  if (queue === 'graphile-worker') {
    await owner.query(
      `select count(*) from graphile_worker.add_jobs(array(
         select row('${TASK}', json_build_object('n', n), null, null, null, null, null, null)::graphile_worker.job_spec
         from generate_series(1, $1::int) n))`,
      [count],
    );
    await owner.query('vacuum analyze graphile_worker._private_jobs');
    return;
  }
  const boss = await loadBoss(ownerUrl);
  await boss.start();
  for (let added = 0; added < count; added += 5_000) {
    const part = Math.min(5_000, count - added);
    await boss.insert(
      TASK,
      Array.from({ length: part }, (_, n) => ({ data: { n: added + n } })),
    );
  }
  await boss.stop({ graceful: false });
  await owner.query('vacuum analyze');
}

/** The version that is installed. */
export function versionOf(queue: NoOpSettings['queue']): string {
  const manifest = join(import.meta.dirname, '..', 'package.json');
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> };
  return `${queue} ${dependencies[queue]}`;
}

async function readyGraphile({ databaseUrl: connectionString, with: given }: NoOpOrder): Promise<Start> {
  const worker = await loadGraphile();
  const tuned = given.queue === 'graphile-worker' ? given.settings : null;
  return (count) =>
    worker.run({
      logger: new worker.Logger(() => () => undefined),
      noHandleSignals: true,
      preset: {
        worker: {
          connectionString,
          ...(tuned && {
            maxPoolSize: tuned.concurrentJobs + 2,
            concurrentJobs: tuned.concurrentJobs,
            completeJobBatchDelay: tuned.completeJobBatchDelay,
            failJobBatchDelay: tuned.completeJobBatchDelay,
            ...(tuned.localQueue > 1 ? { localQueue: { size: tuned.localQueue } } : {}),
          }),
        },
      },
      taskList: { [TASK]: async () => count(1) },
    });
}

async function readyBoss({ databaseUrl, with: given }: NoOpOrder): Promise<Start> {
  const boss = await loadBoss(databaseUrl);
  await boss.start();
  const tuned = given.queue === 'pg-boss' ? given.settings : null;
  return async (count) => {
    await boss.work(TASK, tuned ?? {}, async (jobs) => count(jobs.length));
    return { stop: () => boss.stop({ graceful: false }) };
  };
}

async function loadBoss(connectionString: string): Promise<Boss> {
  const name = 'pg-boss';
  const { PgBoss } = (await import(name)) as { PgBoss: new (options: object) => Boss };
  const boss = new PgBoss({ connectionString, max: 20 });
  boss.on('error', (error) => console.error(`pg-boss: ${String(error)}`));
  return boss;
}
