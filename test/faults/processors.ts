// Processors as processes: started, stopped dead, let go on, killed and started anew.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EngineOptions } from '../../src/engine.ts';

export interface Said {
  readonly ready?: boolean;
  readonly settled?: number;
  readonly stopped?: boolean;
  readonly failed?: string;
  readonly notice?: string;
}

export interface Processor {
  /** The next thing it says of that kind. */
  hear(kind: keyof Said): Promise<Said>;
  /** Everything it said. */
  readonly said: readonly Said[];
  /** SIGSTOP in the middle of its next batch; returns when it stands still. */
  stop(): Promise<void>;
  /** SIGCONT. */
  goOn(): void;
  /** kill -9; returns when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end; returns when it has. */
  leave(): Promise<void>;
}

export async function startProcessor(options: EngineOptions, imports: readonly string[] = []): Promise<Processor> {
  const file = fileURLToPath(new URL('program.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [...imports.flatMap((module) => ['--import', module]), file, JSON.stringify(options)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const said: Said[] = [];
  const waiting = new Map<keyof Said, (message: Said) => void>();
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Said;
    said.push(message);
    for (const [kind, heard] of waiting) if (kind in message) heard(message);
  });
  const hear = (kind: keyof Said): Promise<Said> =>
    Promise.race([
      new Promise<Said>((resolve) => waiting.set(kind, resolve)),
      ended.then(() => {
        throw new Error(`the processor ended without saying "${kind}": ${JSON.stringify(said.slice(-3))}`);
      }),
    ]);
  const signal = (name: NodeJS.Signals): void => void child.kill(name);
  await hear('ready');
  return {
    hear,
    said,
    async stop() {
      const stopped = hear('stopped');
      child.stdin.write('stop\n');
      await stopped;
    },
    goOn: () => signal('SIGCONT'),
    async kill() {
      signal('SIGKILL');
      await ended;
    },
    async leave() {
      child.stdin.end();
      await ended;
    },
  };
}
