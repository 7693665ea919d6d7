// A worker as a process, for tests that kill and stop it. It says on stdout what it runs; a processor goes on when it is asked to on
// stdin, or after some time.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from '../../src/db/index.ts';
import type { WorkerOptions } from '../../src/jobs/index.ts';
import { jobWorker } from '../../src/jobs/index.ts';
import { createLoop } from '../../src/kernel/index.ts';

export interface ProgramOptions extends Pick<WorkerOptions, 'timing' | 'concurrency'> {
  readonly url: string;
  /** How long a processor takes at most; null: until it is asked to go on. */
  readonly takesMs?: number | null;
}

const { takesMs = null, ...options } = JSON.parse(process.argv[2] ?? '{}') as ProgramOptions;
const db = createPool({ url: options.url });
const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const waiting: (() => void)[] = [];

const worker = jobWorker(db, {
  ...options,
  schema: 'usance',
  url: () => options.url,
  usesLock: true,
  onNotice: (notice) => say({ notice }),
  processors: [
    {
      name: 'work',
      description: '',
      run: async (_event, execution, { signal }) => {
        const { id } = execution as { id: string };
        if (takesMs !== null) await pause(Math.random() * takesMs);
        else {
          signal.addEventListener('abort', () => say({ aborted: id }));
          say({ running: id });
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
        return { by: process.pid };
      },
    },
  ],
});
const loop = createLoop(worker);
createInterface({ input: process.stdin }).on('line', () => waiting.splice(0).forEach((go) => go()));
loop.start();
