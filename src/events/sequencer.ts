// Gives committed events their places. Rows leave the inbox as they are placed, but while any old snapshot is open
// anywhere they are still in its index; so a drain starts beyond what the last one took, and a sweep from the beginning,
// which is what finds events that committed late, is made as often as is cheap.
import type { Database } from '../db/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import { becomeSequencer, insertOrder, takeInbox } from './store.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const EVENTS_AT_ONCE = 2_000;
const POLL_MS = 200;
const SWEEP_EVERY_MS = 200;
const SWEEP_SHARE = 20;

export function sequencerLoop(db: Database): LoopDefinition {
  let mark: Uuid = FIRST;
  let sweptAtMs = -Infinity;
  let sweepCostMs = 0;
  return {
    name: 'sequencer',
    pollMs: POLL_MS,
    async runOnce() {
      const startedMs = performance.now();
      const sweeps = startedMs - sweptAtMs > Math.max(SWEEP_EVERY_MS, SWEEP_SHARE * sweepCostMs);
      const placed = await placeEvents(db, sweeps ? FIRST : mark);
      if (placed === null) return { counts: { placed: 0 } };
      if (sweeps) {
        sweptAtMs = performance.now();
        sweepCostMs = sweptAtMs - startedMs;
      }
      if (placed.last > mark) mark = placed.last;
      return { counts: { placed: placed.count }, more: placed.count === EVENTS_AT_ONCE };
    },
  };
}

/** Null when another process is the sequencer. */
export async function placeEvents(db: Database, after: Uuid): Promise<{ count: number; last: Uuid } | null> {
  return db.transaction(
    async (tx) => {
      const lastSeq = await becomeSequencer(tx);
      if (lastSeq === null) return null;
      const taken = (await takeInbox(tx, after, EVENTS_AT_ONCE)).toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
      if (taken.length > 0) await insertOrder(tx, lastSeq + 1n, taken);
      return { count: taken.length, last: taken.at(-1)?.eventId ?? FIRST };
    },
    { probes: true },
  );
}
