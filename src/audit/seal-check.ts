// Compares new blocks with their events soon after they are ordered. The process that appends a block makes its digest, and the sequencer
// does not read events: a change after the commit, or a defect in hashing, is found here within a minute. `usance verify` compares the
// links themselves and everything older.
import type { Database } from '../db/index.ts';
import { bisect } from '../db/index.ts';
import type { Link } from '../events/index.ts';
import { readBlockEvents, readHashBefore, readLinksFrom, readOrderEnd } from '../events/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import type { BlockFault } from './check-block.ts';
import { faultInBlock, partsByEvents } from './check-block.ts';

const POLL_MS = 30_000;
const LINKS_AT_ONCE = 500;
const EVENTS_A_RUN = 20_000;
/** A process begins this many events before the end, to cover those that were ordered while no process ran. */
const BEGINS_BEHIND = 200_000n;

/** Called for a block that is not what was hashed. */
export type OnFault = (tenantId: Uuid, details: Readonly<Record<string, unknown>>) => Promise<void>;

interface Faulty {
  readonly link: Link;
  readonly fault: BlockFault;
}

/** A block that cannot be read is a fault; the others are still compared. */
async function faultsIn(db: Database, links: readonly Link[]): Promise<Faulty[]> {
  const unreadable: Faulty[] = [];
  const read = await bisect(
    links,
    async (part) => {
      const events = await db.transaction((tx) => readBlockEvents(tx, part), { probes: true });
      return part.flatMap((link, index) => {
        const fault = faultInBlock(link, events[index] ?? []);
        return fault ? [{ link, fault }] : [];
      });
    },
    (link) => unreadable.push({ link, fault: { found: 'its events cannot be read' } }),
  );
  return [...read.flat(), ...unreadable];
}

export function sealCheckLoop(db: Database, onFault: OnFault): LoopDefinition {
  let position: bigint | null = null;
  let hash: string | null = null;
  return {
    name: 'seal-check',
    pollMs: POLL_MS,
    async runOnce() {
      const { position: end } = await readOrderEnd(db);
      // After a failover that lost commits the order has, or ends with, another link where this process was.
      if (position === null || (hash !== null && (await readHashBefore(db, position)) !== hash)) {
        position = end > BEGINS_BEHIND ? end - BEGINS_BEHIND : 1n;
        hash = null;
      }
      let [checked, faults] = [0, 0];
      while (checked < EVENTS_A_RUN) {
        const { links, next } = await readLinksFrom(db, position, LINKS_AT_ONCE);
        if (links.length === 0) break;
        for (const part of partsByEvents(links)) {
          for (const { link, fault } of await faultsIn(db, part)) {
            faults += 1;
            await onFault(link.tenantId, { seq: link.lastSeq.toString(), ...fault });
          }
        }
        checked += links.reduce((sum, link) => sum + link.events, 0);
        position = next;
        hash = links.at(-1)?.hash.toString('hex') ?? hash;
      }
      return { counts: { checked, faults }, more: checked >= EVENTS_A_RUN };
    },
  };
}
