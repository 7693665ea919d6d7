// A request waits for locks only so long: it keeps a connection meanwhile, and enough requests behind one held balance would take
// every connection.
import { refuse } from '../kernel/index.ts';
import { isDeadlock, isLockTimeout } from './transaction.ts';

export const LOCK_WAIT_MS = 5_000;

/**
 * A refusal instead of the server's error for a lock that was held too long, or a deadlock: nothing was done, and the same request may
 * be sent again. `lockTimeout` says whose limit the wait had: LOCK_WAIT_MS, or that of the caller's transaction.
 */
export async function refusingBusy<T>(work: Promise<T>, lockTimeout: 'ours' | 'callers' = 'ours'): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isLockTimeout(error)) {
      if (lockTimeout === 'callers') return refuse('BUSY/your_lock_timeout');
      return refuse('BUSY/lock_timeout', { seconds: LOCK_WAIT_MS / 1_000 });
    }
    if (isDeadlock(error)) return refuse('BUSY/deadlock');
    throw error;
  }
}
