// The engine in a process of its own with a processor that does nothing.
import { createEngine } from '../src/engine.ts';
import { reportNoOps } from './no-op-report.ts';

export interface JobWorkerOrder {
  readonly databaseUrl: string;
  readonly loops: readonly string[];
  readonly concurrency: number;
  readonly jobs: number;
}

export const NO_OP = 'no-op';

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}') as JobWorkerOrder);

async function serve({ databaseUrl, loops, concurrency, jobs }: JobWorkerOrder): Promise<void> {
  const report = reportNoOps(jobs);
  const usance = await createEngine({
    databaseUrl,
    migrate: false,
    processors: [{ name: NO_OP, description: 'Does nothing.', run: () => report.handled(1) }],
    jobs: { concurrency },
    onNotice: report.trouble,
    loops: { failed: (_name, error) => report.trouble(String(error)) },
  });
  await usance.jobWorker.announce();
  report.ready({
    start: () => Promise.resolve(usance.start(loops)),
    stop: () => usance.close(),
  });
}
