// The loop `jobs` of a process, with processors of its own or of a module that runs in a child process; and loops like it for built-in
// processors, under other names.
import type { Database } from '../db/index.ts';
import { SetupError } from '../kernel/index.ts';
import type { ProcessorHost } from './child/host.ts';
import { openProcessorFile } from './child/host.ts';
import type { LoopTerms } from './first-job.ts';
import type { Presenter, RunnableProcessor } from './processor.ts';
import type { JobWorker, WorkerLimits, WorkerOptions } from './worker.ts';
import { jobWorker } from './worker.ts';

/** Limits of the worker in this process. */
export interface JobOptions extends WorkerLimits {
  /** Memory of the child process that runs `processorFile`, in MiB, default 1,024. It is ended when it uses more. */
  readonly memoryMb?: number;
}

export interface JobLoopOptions extends Pick<WorkerOptions, 'schema' | 'onNotice' | 'onEnded' | 'keptFree'>, LoopTerms {
  /** The address of the database that the pool uses. */
  readonly url: () => string;
  /** The address of the server itself; null: `url`. `none`: there is none, and no lock can be held. */
  readonly listenUrl: string | null;
  readonly processors?: readonly RunnableProcessor[] | undefined;
  readonly host?: ProcessorHost | null;
  readonly presenter?: Presenter | undefined;
  readonly limits?: JobOptions | undefined;
}

const MOST = 10_000;

/** Checks the limits, and loads the module before anything else is open: a mistake in it is reported first. Null without a module. */
export async function openHost(
  file: string | null | undefined,
  limits: JobOptions = {},
  onNotice?: (line: string) => void,
): Promise<ProcessorHost | null> {
  requireLimits(limits);
  if (!file) return null;
  const { memoryMb } = limits;
  return openProcessorFile(file, { onNotice, ...(memoryMb === undefined ? {} : { memoryMb }) });
}

function requireLimits(limits: JobOptions): void {
  const rules = {
    concurrency: [1, MOST],
    tenantConcurrency: [1, MOST],
    drainMs: [0, 3_600_000],
    memoryMb: [64, 1_048_576],
  } as const satisfies Record<keyof JobOptions, readonly [number, number]>;
  for (const [name, [min, max]] of Object.entries(rules)) {
    const value = limits[name as keyof JobOptions];
    if (value === undefined) continue;
    if (!Number.isInteger(value) || value < min || value > max)
      throw new SetupError(`jobs.${name} must be a whole number from ${min} to ${max}`);
  }
}

export function jobsLoop(db: Database, options: JobLoopOptions): JobWorker {
  const { listenUrl, host, processors = [], presenter, limits = {} } = options;
  const direct = listenUrl === null || listenUrl === 'none' ? null : listenUrl;
  return jobWorker(db, {
    ...limits,
    ...(options.name === undefined ? {} : { name: options.name }),
    waitsForJob: options.waitsForJob ?? false,
    schema: options.schema,
    url: () => direct ?? options.url(),
    usesLock: listenUrl !== 'none',
    processors: [...processors, ...(host?.processors ?? [])],
    onNotice: options.onNotice,
    ...(options.keptFree === undefined ? {} : { keptFree: options.keptFree }),
    ...(options.onEnded ? { onEnded: options.onEnded } : {}),
    ...(presenter ? { presenter } : {}),
    ...(host ? { close: () => host.close() } : {}),
  });
}
