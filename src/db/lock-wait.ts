// What a person or a program asked for waits for locks only so long: whoever waits keeps a connection, and enough of them
// behind one held balance would keep everybody else out.
import { refuse } from '../kernel/index.ts';
import { sqlState } from './sql.ts';

export const LOCK_WAIT_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** A refusal instead of the server's error: nothing was done, and the same request may be sent again. */
export async function refusingBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    return refuse('BUSY', 'somebody else has held what this needs for several seconds; nothing was done, ask again');
  }
}
