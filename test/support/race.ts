// Two at once, in every order that matters. One side is stopped before its first statement, then its second, and so on to
// its last; each time the other side runs until it is done or has to wait for a lock, and then the first goes on.
import type { Database, StatementHook } from '../../src/db/index.ts';
import type { Gate } from './gate.ts';
import { gate } from './gate.ts';

/** A hook that stops its engine once, before the n-th statement from now. */
export interface Stopper {
  readonly onStatement: StatementHook;
  stopBefore(n: number): { readonly arrived: Promise<void>; go(): void };
  /** Counts from now on. */
  count(): () => number;
}

export function stopper(): Stopper {
  let left = Infinity;
  let seen = 0;
  let gates: { arrived: Gate; go: Gate } | null = null;
  return {
    async onStatement() {
      seen += 1;
      left -= 1;
      if (left !== 0 || !gates) return;
      gates.arrived.open();
      await gates.go.passed;
    },
    count() {
      const before = seen;
      return () => seen - before;
    },
    stopBefore(n) {
      left = n;
      const made = (gates = { arrived: gate(), go: gate() });
      return { arrived: made.arrived.passed, go: () => made.go.open() };
    },
  };
}

export interface Race<S> {
  /** A fresh stage for each run. */
  arrange(): Promise<S>;
  /** The side that is stopped; it works through the engine that the stopper belongs to. */
  stopped(stage: S): Promise<string>;
  other(stage: S): Promise<string>;
  /** Looks at the end; what it finds wrong it throws. */
  judge(stage: S, stopped: string, other: string): Promise<void>;
}

/** Returns how many different orders were run. */
export async function runRace<S>(owner: Database, { stopBefore }: Stopper, race: Race<S>): Promise<number> {
  for (let n = 1; ; n += 1) {
    const stage = await race.arrange();
    const { arrived, go } = stopBefore(n);
    const first = race.stopped(stage);
    const stopped = await Promise.race([arrived.then(() => true), first.then(() => false)]);
    const second = race.other(stage);
    await doneOrWaiting(owner, second);
    go();
    await race.judge(stage, await first, await second);
    if (!stopped) return n;
  }
}

/** Until the work is done, or some session of this database waits for a lock. Asked again and again, never timed. */
export async function doneOrWaiting(owner: Database, work: Promise<unknown>): Promise<void> {
  const state = { done: false };
  void work.catch(() => undefined).finally(() => (state.done = true));
  while (!state.done) {
    const rows = await owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}
