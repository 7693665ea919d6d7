// What a person or a program asked for waits for locks only so long: whoever waits keeps a connection, and enough of them
// behind one held balance would keep everybody else out.
import { refuse } from '../kernel/index.ts';
import { isLockTimeout } from './transaction.ts';

export const LOCK_WAIT_MS = 5_000;

/** A refusal instead of the server's error: nothing was done, and the same request may be sent again. */
export async function refusingBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return refuse('BUSY', 'somebody else has held what this needs for several seconds; nothing was done, ask again');
  }
}
