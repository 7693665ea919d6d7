// Orders committed blocks and links each into the hash chain of its tenant, in one transaction: an event that has a seq is sealed.
//
// The order. Blocks are taken in the order of `n`, which counts append calls in real time. If transaction B saw what A did, A committed
// before B appended, so that A's n is smaller, and a take that sees B sees A: no effect is ordered before its cause, whatever the clocks
// of the processes say. A transaction that commits late is ordered when it has committed, and delays no other.
//
// A take moves rows from the inbox into the order. It finds the rows that the last take could not see: of transactions that were in progress
// then, or had not begun. Its cost is that of the new rows, whatever old snapshots or transactions are open. The process remembers in memory
// what its last take saw, and uses that only if the server is the same, has lost no transaction, and the order ends with the link that this
// process wrote. Otherwise, after any error, and every minute, the take is cold: it reads the whole inbox. A backlog is listed once and then
// taken in parts. Transactions that commit meanwhile come behind the list, because nothing in the list can have seen them.
//
// Nothing that a tenant wrote is parsed here, and the constraints of the inbox admit only rows that can be ordered: no row stops the others.
// A block that was ordered before is left out.
// One process at a time orders, whichever gets the advisory lock. It ends with the transaction: a process that is killed leaves no trace.
import type { Database, Transaction } from '../db/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import type { ChainPath } from './chain.ts';
import { linkBlock } from './chain.ts';
import type { InboxBlock, InboxKey, OrderEnd, OrderedBlock, Unseen } from './order-store.ts';
import {
  PARTITION_EVENTS,
  SEEN_NOTHING,
  becomeSequencer,
  ensureBlockPartitions,
  insertOrdered,
  keyOf,
  listInbox,
  readOrderEnd,
  readPaths,
  readRepeated,
  takeInbox,
  takeListed,
} from './order-store.ts';

const CALLS_AT_ONCE = 2_000;
/** A backlog is listed up to this many takes ahead. */
const LISTED_TAKES = 50;
const POLL_MS = 200;
const COLD_EVERY_MS = 60_000;
/** Cold takes may use a twentieth of the time: with a large inbox they are less frequent. */
const COLD_SHARE = 20;
/** Tenants whose chain ends are remembered. */
const MOST_PATHS = 10_000;

export interface Sequencer {
  /** Orders what has committed. Null while another process does. */
  order(options?: { readonly cold?: boolean }): Promise<Ordered | null>;
}

export interface Ordered {
  readonly blocks: number;
  readonly events: number;
  /** The inbox had more calls than one take: order again at once. */
  readonly more: boolean;
}

export function createSequencer(db: Database, callsAtOnce = CALLS_AT_ONCE): Sequencer {
  let known: Known | null = null;
  let hasPartitionsOf = -1n;

  const take = (last: Known | null) =>
    db.transaction(
      async (tx) => {
        if (!(await becomeSequencer(tx))) return null;
        const end = await readOrderEnd(tx);
        const same = last && isSame(last, end) ? last : null;
        const { waiting, unseen } = same ?? { waiting: [], unseen: SEEN_NOTHING };
        const listed = waiting.slice(0, callsAtOnce);
        const isListed = listed.length > 0;
        const taken = isListed ? await takeListed(tx, listed) : await takeInbox(tx, unseen, callsAtOnce);
        const remembered = same?.paths ?? new Map<Uuid, ChainPath>();
        const blocks = await withoutRepeated(tx, taken.blocks);
        const tenantIds = [...new Set(blocks.map((block) => block.tenantId))];
        const unknown = tenantIds.filter((id) => !remembered.has(id));
        // A separate map: if the transaction is retried, it starts again from the remembered ends.
        const paths = unknown.length > 0 ? await readPaths(tx, unknown) : new Map<Uuid, ChainPath>();
        for (const id of tenantIds) if (!paths.has(id)) paths.set(id, remembered.get(id) ?? []);
        const ordered = orderBlocks(blocks, end.position, paths);
        if (ordered.length > 0) await insertOrdered(tx, ordered);
        const isFull = taken.calls === callsAtOnce;
        const next = isListed
          ? { waiting: waiting.slice(listed.length), unseen }
          : isFull
            ? await listInbox(tx, unseen, LISTED_TAKES * callsAtOnce)
            : { waiting: [], unseen: taken.unseen };
        const position = endPosition(ordered) ?? end.position;
        const hash = ordered.at(-1)?.hash.toString('hex') ?? end.hash;
        const events = Number(position - end.position);
        return {
          done: { blocks: ordered.length, events, more: isListed || isFull },
          known: { ...next, position, hash, serverStarted: end.serverStarted, paths: remembered },
          paths,
        };
      },
      { probes: true },
    );

  return {
    async order({ cold = false } = {}) {
      const last = cold ? null : known;
      // Until the commit is known to have happened, nothing is remembered.
      known = null;
      const position = last?.position ?? (await readOrderEnd(db)).position;
      if (position / PARTITION_EVENTS !== hasPartitionsOf) {
        await ensureBlockPartitions(db, position);
        hasPartitionsOf = position / PARTITION_EVENTS;
      }
      const taken = await take(last);
      if (taken === null) {
        // Another process orders. If it finds nothing, the end stays where this one left it.
        known = last;
        return null;
      }
      const { paths } = taken.known;
      if (paths.size > MOST_PATHS) paths.clear();
      for (const [tenantId, path] of taken.paths) paths.set(tenantId, path);
      known = taken.known;
      return taken.done;
    },
  };
}

/** A block is ordered once. Our programs never append one twice; a copy from another writer is left out. */
async function withoutRepeated(tx: Transaction, blocks: readonly InboxBlock[]): Promise<readonly InboxBlock[]> {
  if (blocks.length === 0) return blocks;
  const seen = await readRepeated(tx, blocks);
  return blocks.filter((block) => {
    const key = keyOf(block);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The state after the last take of this process. */
interface Known {
  /** Calls of a backlog, in order: they are taken first. */
  readonly waiting: readonly InboxKey[];
  /** Transactions to look for once the backlog is taken. */
  readonly unseen: Unseen;
  readonly position: bigint;
  readonly hash: string;
  readonly serverStarted: string;
  readonly paths: Map<Uuid, ChainPath>;
}

/** Whether the order and the server are as this process left them. */
function isSame({ position, hash, serverStarted, unseen }: Known, end: OrderEnd): boolean {
  return (
    position === end.position &&
    hash === end.hash &&
    serverStarted === end.serverStarted &&
    end.xmax >= BigInt(unseen.xmax)
  );
}

/** Numbers and links blocks in the order given, and moves the paths to their new ends. */
function orderBlocks(
  blocks: readonly InboxBlock[],
  firstPosition: bigint,
  paths: Map<Uuid, ChainPath>,
): OrderedBlock[] {
  let position = firstPosition;
  return blocks.map((block) => {
    const { link, path } = linkBlock(paths.get(block.tenantId) ?? [], block);
    paths.set(block.tenantId, path);
    const ordered = { ...link, firstPosition: position, recordedAt: block.recordedAt };
    position += BigInt(block.events);
    return ordered;
  });
}

function endPosition(ordered: readonly OrderedBlock[]): bigint | null {
  const last = ordered.at(-1);
  return last ? last.firstPosition + BigInt(last.events) : null;
}

export function sequencerLoop(db: Database): LoopDefinition {
  const sequencer = createSequencer(db);
  let coldAtMs = -Infinity;
  let coldCostMs = 0;
  return {
    name: 'sequencer',
    pollMs: POLL_MS,
    async runOnce() {
      const startedMs = performance.now();
      const cold = startedMs - coldAtMs > Math.max(COLD_EVERY_MS, COLD_SHARE * coldCostMs);
      const ordered = await sequencer.order({ cold });
      if (cold && ordered !== null) {
        coldAtMs = performance.now();
        coldCostMs = coldAtMs - startedMs;
      }
      return { counts: { ordered: ordered?.events ?? 0 }, more: ordered?.more ?? false };
    },
  };
}

/** One cold take: everything that has committed, up to the size of a take. Null while another process orders. */
export function orderEvents(db: Database): Promise<Ordered | null> {
  return createSequencer(db).order();
}
