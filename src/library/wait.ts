// Waits for work of a background loop. If no process runs the loop, the wait would never end, so it throws an error that names the
// missing call.
import { setTimeout as pause } from 'node:timers/promises';
import type { TestClock } from '../client/index.ts';
import type { Engine } from '../engine.ts';
import { SetupError } from '../kernel/index.ts';
import type { TestClocksResource } from './resources.ts';

/** Options of `testClocks.wait`. */
export interface WaitOptions {
  /** Ends the wait. The advance goes on. Default: none. */
  readonly signal?: AbortSignal;
}

/** Resolves with the clock once an advance has ended. Throws a `SetupError` if no process runs the loop `clocks`. */
export type WaitForClock = (id: string, options?: WaitOptions) => Promise<TestClock>;

/** Throws if neither this process nor another has run the loop for a minute. */
export type RequireLoop = (name: string) => Promise<void>;

const IDLE_MS = 60_000;
const PATIENCE_MS = 3_000;
const EVERY_MS = 50;

export function createRequireLoop(engine: Engine, started: ReadonlySet<string>): RequireLoop {
  return async (name) => {
    if (started.has(name)) return;
    const idleMs = await engine.loopIdleMs(name);
    if (idleMs !== null && idleMs < IDLE_MS) return;
    throw new SetupError(
      `this waits for the loop "${name}", which no process runs: call usance.start() here, or run \`usance worker\` beside it`,
    );
  };
}

export function createWaitForClock(testClocks: TestClocksResource, requireLoop: RequireLoop): WaitForClock {
  return async (id, { signal } = {}) => {
    const beganMs = performance.now();
    for (let checked = false; ;) {
      signal?.throwIfAborted();
      const clock = await testClocks.get(id);
      if (clock.status !== 'advancing') return clock;
      if (!checked && performance.now() - beganMs > PATIENCE_MS) {
        await requireLoop('clocks');
        checked = true;
      }
      await pause(EVERY_MS, undefined, signal ? { signal } : {});
    }
  };
}
