// What a process that runs handlers which do nothing tells its parent: in the same words for usance and for its peers.
export type NoOpNews =
  | { readonly is: 'ready' }
  /** The first handler is called. */
  | { readonly is: 'begun' }
  /** Every twentieth part. */
  | { readonly is: 'handled'; readonly done: number }
  | { readonly is: 'trouble'; readonly error: string }
  | { readonly is: 'stopped'; readonly cpuMs: number; readonly done: number };

export type NoOpCommand = 'start' | 'stop';

export interface NoOpReport {
  handled(jobs: number): void;
  trouble(error: string): void;
  ready(program: NoOpProgram): void;
}

export interface NoOpProgram {
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
}

export function reportNoOps(jobs: number): NoOpReport {
  const tell = (news: NoOpNews): void => void process.send?.(news);
  const part = Math.ceil(jobs / 20);
  let done = 0;
  let before = process.cpuUsage();
  const trouble = (error: string): void => tell({ is: 'trouble', error });
  return {
    handled(more) {
      if (done === 0) tell({ is: 'begun' });
      const parts = Math.floor(done / part);
      done += more;
      if (done >= jobs || Math.floor(done / part) > parts) tell({ is: 'handled', done });
    },
    trouble,
    ready(program) {
      process.on('message', (command: NoOpCommand) => {
        if (command === 'start') {
          before = process.cpuUsage();
          program.start().catch((error: unknown) => trouble(String(error)));
          return;
        }
        const doneThen = done;
        void program.stop().then(() => {
          const { user, system } = process.cpuUsage(before);
          tell({ is: 'stopped', cpuMs: (user + system) / 1_000, done: doneThen });
          process.disconnect?.();
        });
      });
      tell({ is: 'ready' });
    },
  };
}
