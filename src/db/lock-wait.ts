// A request waits for locks only so long: it keeps a connection meanwhile, and enough requests behind one held balance would take
// every connection.
import { refuse } from '../kernel/index.ts';
import { isLockTimeout } from './transaction.ts';

export const LOCK_WAIT_MS = 5_000;

/** A refusal instead of the server's error: nothing was done, and the same request may be sent again. */
export async function refusingBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return refuse(
      'BUSY',
      `another transaction held a required lock for over ${LOCK_WAIT_MS / 1_000} s; nothing was changed, retry`,
    );
  }
}
