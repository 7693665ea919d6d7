// graphile-worker in a process of its own, running one prepared statement a job. Jobs are added in bulk before the clock
// starts, and completing them is batched where that is quicker.
//
// It is loaded by name because it is installed in bench/node_modules only, which the project's own compile does not see.
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../src/kernel/index.ts';

export interface GraphileSettings {
  readonly concurrentJobs: number;
  /** Jobs fetched at once. */
  readonly localQueue: number;
  /** Completions of this many milliseconds are written together; -1: each alone. */
  readonly completeJobBatchDelay: number;
}

/** The statement of a job. Its parameters are fields of the job's payload, then new ids; the last 16 bits of a `block` are zero. */
export interface JobStatement {
  readonly text: string;
  readonly fields: readonly string[];
  readonly ids: readonly ('id' | 'block')[];
}

export interface GraphileOrder extends GraphileSettings {
  readonly databaseUrl: string;
  readonly jobs: number;
  readonly statement: JobStatement;
}

export interface GraphileReport {
  readonly ms: number;
  readonly nodeCpuMs: number;
  readonly failures: readonly string[];
}

interface Client {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<unknown>;
}
interface JobHelpers {
  withPgClient<T>(work: (client: Client) => Promise<T>): Promise<T>;
}
interface GraphileWorker {
  readonly Logger: new (factory: () => () => void) => unknown;
  runMigrations(options: object): Promise<void>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
}

export const TASK = 'settle';

/** After the last statement, until its completion is handed to the batch: a worker that stops before drops it. */
const HAND_OVER_MS = 100;

if (import.meta.main) {
  const report = await settleJobs(JSON.parse(process.argv[2] ?? '{}') as GraphileOrder);
  process.send?.(report);
  process.disconnect?.();
}

async function settleJobs(order: GraphileOrder): Promise<GraphileReport> {
  const worker = await load();
  const { databaseUrl: connectionString, statement } = order;
  let done = 0;
  const failures: string[] = [];
  const all = Promise.withResolvers<void>();
  const valuesOf = (payload: Readonly<Record<string, unknown>>): unknown[] => [
    ...statement.fields.map((field) => payload[field]),
    ...statement.ids.map((kind) => (kind === 'id' ? newId() : `${newId().slice(0, -4)}0000`)),
  ];
  const before = process.cpuUsage();
  const runner = await worker.run({
    logger: new worker.Logger(() => () => undefined),
    noHandleSignals: true,
    preset: {
      worker: {
        connectionString,
        maxPoolSize: order.concurrentJobs + 2,
        concurrentJobs: order.concurrentJobs,
        completeJobBatchDelay: order.completeJobBatchDelay,
        failJobBatchDelay: order.completeJobBatchDelay,
        ...(order.localQueue > 1 ? { localQueue: { size: order.localQueue } } : {}),
      },
    },
    taskList: {
      [TASK]: async (payload: Readonly<Record<string, unknown>>, helpers: JobHelpers): Promise<void> => {
        try {
          await helpers.withPgClient((client) =>
            client.query({ name: TASK, text: statement.text, values: valuesOf(payload) }),
          );
        } catch (error) {
          failures.push(String(error));
          throw error;
        } finally {
          done += 1;
          if (done === order.jobs) all.resolve();
        }
      },
    },
  });
  // From the moment it is ready to the end of the last statement: its start and its last completions are not counted.
  const startedMs = performance.now();
  await all.promise;
  const ms = performance.now() - startedMs;
  await pause(HAND_OVER_MS + Math.max(0, order.completeJobBatchDelay));
  await runner.stop();
  const { user, system } = process.cpuUsage(before);
  return { ms, nodeCpuMs: (user + system) / 1_000, failures };
}

export async function load(): Promise<GraphileWorker> {
  const name = 'graphile-worker';
  return (await import(name)) as GraphileWorker;
}
