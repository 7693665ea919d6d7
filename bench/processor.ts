// The engine in a process of its own, as an application would run it, with the loops it is asked to start. It reports every
// run to its parent, so that the parent knows when everything is settled without asking the database meanwhile.
import type { Engine } from '../src/engine.ts';
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
  /** The other loops have nothing left of earlier runs. */
  | { readonly is: 'warm' }
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
  const names = loops === 'all' ? usance.loops.map(({ name }) => name) : loops;
  let before = process.cpuUsage();
  process.on('message', (word) => {
    if (word === 'warm') {
      void warmUp(usance, names).then(() => tell({ is: 'warm' }));
    } else if (word === 'go') {
      before = process.cpuUsage();
      usance.start(names);
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

/** Starts every loop but the processor, and waits until `seal-check` has compared what earlier runs left. */
async function warmUp(usance: Engine, names: readonly string[]): Promise<void> {
  const others = names.filter((name) => name !== 'processor');
  if (others.includes('seal-check')) {
    const check = usance.loops.find(({ name }) => name === 'seal-check');
    while ((await check?.runOnce())?.more);
  }
  usance.start(others);
}
