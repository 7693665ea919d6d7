// A server that answered a moment ago and does not answer now: its machine is suspended, its disk stalls, it restarts. Whoever is
// starting waits for it, with a notice, rather than ending.
import { setTimeout as pause } from 'node:timers/promises';
import { isConnectionTrouble } from './connection-trouble.ts';

const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 500;

export interface Patience {
  readonly onNotice?: ((line: string) => void) | undefined;
  /** From the first failure on; default a minute. */
  readonly forMs?: number;
}

/** Does the work again while the connection is the trouble, for a while. The work must be such that it can be done again. */
export async function patiently<T>(
  work: () => Promise<T>,
  { onNotice, forMs = PATIENCE_MS }: Patience = {},
): Promise<T> {
  let untilMs: number | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionTrouble(error)) throw error;
      if (untilMs === null) {
        untilMs = performance.now() + forMs;
        onNotice?.(`the database does not answer: waiting up to ${forMs / 1_000} s for it`);
      }
      if (performance.now() >= untilMs) throw error;
      await pause(LOOK_AGAIN_MS);
    }
  }
}
