// Compares what a worker runs with what it has in the database, and corrects the difference.
import type { Database } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Flusher } from './flush.ts';
import { giveBack } from './give-back.ts';
import { listHeld, lockFree, readAttemptNews } from './queue-store.ts';
import type { RunningInvocations } from './running.ts';

/** Gives back executions that a worker has claimed and does not run: the answer to their claim was lost. */
export async function giveBackUnknown(
  db: Database,
  workerId: Uuid,
  running: RunningInvocations,
  flusher: Flusher,
): Promise<void> {
  const held = await listHeld(db, workerId);
  // Read behind the rows: one that ended meanwhile is refused by its fence.
  const known = new Set<Uuid>();
  for (const { claimed } of running.all()) known.add(claimed.executionId);
  for (const { invocation } of flusher.all()) known.add(invocation.claimed.executionId);
  const unknown = held.filter(({ executionId }) => !known.has(executionId));
  if (unknown.length === 0) return;
  await db.transaction(
    async (tx) => {
      // One that a caller has locked is given back another time: the worker does not wait for it.
      const free = await lockFree(tx, unknown);
      const some = unknown.filter(({ executionId }) => free.get(executionId) === true);
      await giveBack(
        tx,
        some.map((attempt) => ({ ...attempt, suspected: null })),
      );
    },
    { probes: true },
  );
}

/** Aborts running executions that were cancelled or taken away. Those that began within the last `ageMs` are not looked at. */
export async function abortByNews(db: Database, running: RunningInvocations, ageMs: number): Promise<void> {
  const long = running.startedBefore(performance.now() - ageMs).filter(({ isAborted }) => !isAborted);
  if (long.length === 0) return;
  const news = await readAttemptNews(
    db,
    long.map(({ claimed }) => claimed),
  );
  for (const invocation of long) {
    const cause = news.get(invocation.claimed.executionId);
    if (cause) running.abort(invocation, cause);
  }
}
