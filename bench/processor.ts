// The engine in a process of its own, as an application would run it, with the loops it is asked to start. It reports every
// run to its parent, so that the parent knows when everything is settled without asking the database meanwhile.
import { createEngine } from '../src/engine.ts';

export interface ProcessorOrder {
  readonly databaseUrl: string;
  readonly batchSize?: number;
  readonly lanes?: number;
  /** Loops that run in it, `all` for those of `usance dev`; default: only the processor. */
  readonly loops?: readonly string[] | 'all';
}

export type ProcessorNews =
  | { readonly is: 'ready' }
  | { readonly is: 'ran'; readonly loop: string; readonly counts: Readonly<Record<string, number>> }
  | { readonly is: 'failed'; readonly error: string }
  | { readonly is: 'stopped'; readonly cpuMs: number };

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}') as ProcessorOrder);

async function serve({ databaseUrl, loops = ['processor'], ...processor }: ProcessorOrder): Promise<void> {
  const tell = (news: ProcessorNews): void => void process.send?.(news);
  const usance = await createEngine({
    databaseUrl,
    migrate: false,
    processor,
    onNotice: (error) => tell({ is: 'failed', error }),
    loops: {
      ran: (loop, counts) => tell({ is: 'ran', loop, counts }),
      failed: (_name, error) => tell({ is: 'failed', error: String(error) }),
    },
  });
  let before = process.cpuUsage();
  process.on('message', (word) => {
    if (word === 'go') {
      before = process.cpuUsage();
      if (loops === 'all') usance.start();
      else usance.start(loops);
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
