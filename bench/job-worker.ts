// The engine in a process of its own with a processor that does nothing. It reports every run of the loop `jobs` to its parent.
import { createEngine } from '../src/engine.ts';

export interface JobWorkerOrder {
  readonly databaseUrl: string;
  readonly loops: readonly string[];
  readonly concurrency: number;
}

export type JobWorkerNews =
  | { readonly is: 'ready' }
  | { readonly is: 'completed'; readonly count: number }
  | { readonly is: 'failed'; readonly error: string }
  | { readonly is: 'stopped'; readonly cpuMs: number };

export const NO_OP = 'no-op';

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}') as JobWorkerOrder);

async function serve({ databaseUrl, loops, concurrency }: JobWorkerOrder): Promise<void> {
  const tell = (news: JobWorkerNews): void => void process.send?.(news);
  const usance = await createEngine({
    databaseUrl,
    migrate: false,
    processors: [{ name: NO_OP, description: 'Does nothing.', run: () => undefined }],
    jobs: { concurrency },
    onNotice: (error) => tell({ is: 'failed', error }),
    loops: {
      ran: (loop, counts) => {
        if (loop === 'jobs' && counts['completed']) tell({ is: 'completed', count: counts['completed'] });
      },
      failed: (_name, error) => tell({ is: 'failed', error: String(error) }),
    },
  });
  await usance.jobWorker.announce();
  let before = process.cpuUsage();
  process.on('message', (word) => {
    if (word === 'go') {
      before = process.cpuUsage();
      usance.start(loops);
    } else {
      void usance.close().then(() => {
        const { user, system } = process.cpuUsage(before);
        tell({ is: 'stopped', cpuMs: (user + system) / 1_000 });
        process.disconnect?.();
      });
    }
  });
  tell({ is: 'ready' });
}
