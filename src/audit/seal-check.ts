// Compares new blocks with their events soon after they are ordered. The digest of a block was made by the process that appended it: an event
// that was changed since, or a difference between what was hashed and what is stored, is found within a minute and not at year's end.
// The links themselves, and everything older, are compared by `usance verify`.
import type { Database } from '../db/index.ts';
import { readBlockEvents, readLinksFrom, readOrderEnd } from '../events/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import { faultInBlock, inParts } from './check-block.ts';

const POLL_MS = 30_000;
const LINKS_AT_ONCE = 500;
const EVENTS_A_RUN = 20_000;
/** A process begins so many events before the end: what was ordered while none ran. */
const BEGINS_BEHIND = 200_000n;

/** Called for a block that is not what was hashed. */
export type OnFault = (tenantId: Uuid, details: Readonly<Record<string, unknown>>) => Promise<void>;

export function sealCheckLoop(db: Database, onFault: OnFault): LoopDefinition {
  let position: bigint | null = null;
  return {
    name: 'seal-check',
    pollMs: POLL_MS,
    async runOnce() {
      const { position: end } = await readOrderEnd(db);
      // After a failover that lost commits the order is shorter than it was.
      if (position === null || position > end) position = end > BEGINS_BEHIND ? end - BEGINS_BEHIND : 1n;
      let [checked, faults] = [0, 0];
      while (checked < EVENTS_A_RUN) {
        const { links, next } = await readLinksFrom(db, position, LINKS_AT_ONCE);
        if (links.length === 0) break;
        for (const part of inParts(links)) {
          const events = await db.transaction((tx) => readBlockEvents(tx, part), { probes: true });
          for (const [index, link] of part.entries()) {
            const fault = faultInBlock(link, events[index] ?? []);
            if (!fault) continue;
            faults += 1;
            await onFault(link.tenantId, { seq: link.lastSeq.toString(), ...fault });
          }
        }
        checked += links.reduce((sum, link) => sum + link.events, 0);
        position = next;
      }
      return { counts: { checked, faults }, more: checked >= EVENTS_A_RUN };
    },
  };
}
