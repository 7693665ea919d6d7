// Seals what has its place, off the way of whoever did it. One sealer at a time, whoever gets the lock: it ends with the
// transaction, so one that is killed leaves no trace, and the next goes on behind the last link that was committed.
import type { Database } from '../db/index.ts';
import { readPlacedAfter } from '../events/index.ts';
import type { LoopDefinition } from '../kernel/index.ts';
import { sealBehind } from './seal.ts';
import { becomeSealer, insertSeals, lastPlace, readHeads } from './store.ts';

const EVENTS_AT_ONCE = 2_000;
const POLL_MS = 1_000;

export function sealerLoop(db: Database): LoopDefinition {
  return {
    name: 'sealer',
    pollMs: POLL_MS,
    async runOnce() {
      const sealed = await sealEvents(db);
      return { counts: { sealed: sealed ?? 0 }, more: sealed === EVENTS_AT_ONCE };
    },
  };
}

/** How many; null while somebody else seals. */
export async function sealEvents(db: Database, limit = EVENTS_AT_ONCE): Promise<number | null> {
  return db.transaction(
    async (tx) => {
      if (!(await becomeSealer(tx))) return null;
      // Places are given by one sequencer at a time, and so are never seen with one missing before them.
      const events = await readPlacedAfter(tx, await lastPlace(tx), limit);
      if (events.length === 0) return 0;
      const heads = await readHeads(tx, [...new Set(events.map((event) => event.tenantId))]);
      await insertSeals(tx, sealBehind(heads, events));
      return events.length;
    },
    { probes: true },
  );
}
