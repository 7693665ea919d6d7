// Gives committed events their places. Rows leave the inbox as they are placed, but while any old snapshot is open
// anywhere they are still in its index; so a drain starts beyond what the last one took, and a sweep from the beginning,
// which is what finds events that committed late, is made as often as is cheap.
import type { Database, Transaction } from '../db/index.ts';
import { bisect, isLastingError } from '../db/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import { becomeSequencer, insertOrder, listInbox, takeInbox, takeFromInbox } from './store.ts';

const EVENTS_AT_ONCE = 2_000;
const POLL_MS = 200;
const SWEEP_EVERY_MS = 200;
const SWEEP_SHARE = 20;

/** Events that could not be placed and are left out for a while: so many at most. */
const MOST_SET_ASIDE = 1_000;
const SET_ASIDE_FOR_MS = 5 * 60_000;

export interface SequencerOptions {
  /** Told of an event that could not be given a place. */
  readonly onSetAside?: (eventId: Uuid, error: unknown) => void;
}

export function sequencerLoop(db: Database, options: SequencerOptions = {}): LoopDefinition {
  /** With when each is tried again, so that no event is forgotten for a reason that has passed. */
  const aside = new Map<Uuid, number>();
  let mark: Uuid = NIL_UUID;
  let sweptAtMs = -Infinity;
  let sweepCostMs = 0;
  return {
    name: 'sequencer',
    pollMs: POLL_MS,
    async runOnce() {
      const startedMs = performance.now();
      const sweeps = startedMs - sweptAtMs > Math.max(SWEEP_EVERY_MS, SWEEP_SHARE * sweepCostMs);
      const after = sweeps ? NIL_UUID : mark;
      for (const [eventId, untilMs] of aside) if (untilMs <= startedMs) aside.delete(eventId);
      const placed = await placeEvents(db, after, [...aside.keys()]).catch(async (error: unknown) => {
        if (!isLastingError(error) || aside.size >= MOST_SET_ASIDE) throw error;
        const page = await listInbox(db, after, EVENTS_AT_ONCE, [...aside.keys()]);
        const poison = new Map<Uuid, unknown>();
        const placeSome = (ids: readonly Uuid[]) => place(db, (tx) => takeFromInbox(tx, ids));
        await bisect(page, placeSome, (eventId, cause) => poison.set(eventId, cause));
        // Not one of many could be placed: the cause is not in the events.
        if (poison.size > 1 && poison.size === page.length) throw error;
        for (const [eventId, cause] of [...poison].slice(0, MOST_SET_ASIDE - aside.size)) {
          aside.set(eventId, startedMs + SET_ASIDE_FOR_MS);
          options.onSetAside?.(eventId, cause);
        }
        return placeEvents(db, after, [...aside.keys()]);
      });
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
export async function placeEvents(
  db: Database,
  after: Uuid,
  aside: readonly Uuid[] = [],
): Promise<{ count: number; last: Uuid } | null> {
  return place(db, (tx) => takeInbox(tx, after, EVENTS_AT_ONCE, aside));
}

async function place(
  db: Database,
  take: (tx: Transaction) => Promise<{ tenantId: Uuid; eventId: Uuid }[]>,
): Promise<{ count: number; last: Uuid } | null> {
  return db.transaction(
    async (tx) => {
      const lastSeq = await becomeSequencer(tx);
      if (lastSeq === null) return null;
      const taken = (await take(tx)).toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
      if (taken.length > 0) await insertOrder(tx, lastSeq + 1n, taken);
      return { count: taken.length, last: taken.at(-1)?.eventId ?? NIL_UUID };
    },
    { probes: true },
  );
}
