// Gives executions back: they wait again, and the attempt does not count. One whose cancel was requested ends instead: its processor must not be
// called again.
import type { Transaction } from '../db/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import { FAILURE_CODES } from './execution.ts';
import { failAttempts } from './fail-attempts.ts';
import type { GivenBack } from './queue-store.ts';
import { giveBackAttempts, lockCancelled } from './queue-store.ts';

const CANCELLED = { code: 'EXECUTION_CANCELLED', error: FAILURE_CODES.EXECUTION_CANCELLED, permanent: true } as const;

/** How many were still held. A cancel that commits in between is seen by the second statement. */
export async function giveBack(
  tx: Transaction,
  attempts: readonly GivenBack[],
): Promise<{ readonly given: number; readonly cancelled: number }> {
  const given = await giveBackAttempts(tx, attempts);
  // Another worker may have a free slot now.
  if (given > 0) noteWakeUp(tx, 'executions_due');
  if (given === attempts.length) return { given, cancelled: 0 };
  const requested = await lockCancelled(tx, attempts);
  const ended = await failAttempts(
    tx,
    requested.map((attempt) => ({ ...attempt, ...CANCELLED })),
  );
  return { given, cancelled: ended.length };
}
