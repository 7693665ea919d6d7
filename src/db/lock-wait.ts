// A request waits for locks only so long: it keeps a connection meanwhile, and enough requests behind one held balance would take
// every connection.
import { refuse } from '../kernel/index.ts';
import { isDeadlock, isLockTimeout } from './transaction.ts';

export const LOCK_WAIT_MS = 5_000;

/**
 * A refusal instead of the server's error for a lock that was held too long, or a deadlock: nothing was done, and the same request may
 * be sent again. `waited` says how long, where the wait is not LOCK_WAIT_MS.
 */
export async function refusingBusy<T>(work: Promise<T>, waited = `over ${LOCK_WAIT_MS / 1_000} s`): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isLockTimeout(error))
      return refuse('BUSY', `another transaction held a required lock for ${waited}; nothing was changed, retry`);
    if (isDeadlock(error))
      return refuse('BUSY', 'another transaction and this one waited for each other; nothing was changed, retry');
    throw error;
  }
}
