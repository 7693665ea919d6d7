import type { Transaction } from '../db/index.ts';
import { APPEND_WATCH } from './append-watch.ts';
import type { NewBlock } from './blocks.ts';
import { blocksOf } from './blocks.ts';
import type { Fact } from './event.ts';
import { insertBlocks, insertEvents, insertInbox } from './append-store.ts';
import { isOwnResourceId } from './own-event.ts';

/** Blocks in one row of the inbox; the database refuses more than 10,000. */
const MOST_BLOCKS = 10_000;
/** The name under which own events are counted. */
const OWN = 'own';

/** Appends facts in the caller's transaction, in the order given for each tenant, and counts them for metrics by type, or `type/kind`. */
export async function appendEvents(tx: Transaction, facts: readonly Fact[]): Promise<void> {
  await appendBlocks(tx, facts);
}

/** The same; returns the blocks, in which every event has its id. */
export async function appendBlocks(tx: Transaction, facts: readonly Fact[]): Promise<readonly NewBlock[]> {
  if (facts.length === 0) return [];
  APPEND_WATCH.onAppend?.(facts);
  const blocks = blocksOf(facts);
  for (const part of inRows(blocks)) await insertBlocks(tx, part);
  noteEvents(tx, facts);
  return blocks;
}

/** An append in two steps of one transaction. */
export interface LaterAppend {
  /** Writes the events, at any time. */
  write(): Promise<void>;
  /** Gives them their place in the order. Call it behind the last lock: transactions that were waited for then come before them. */
  place(): Promise<void>;
}

/** For a batch that writes before it locks: the inbox row, which gives the events their place in the order, is written under the locks. */
export function appendLater(tx: Transaction, facts: readonly Fact[]): LaterAppend {
  const blocks = blocksOf(facts);
  return {
    async write() {
      if (blocks.length === 0) return;
      APPEND_WATCH.onAppend?.(facts);
      await insertEvents(tx, blocks);
    },
    async place() {
      for (const part of inRows(blocks)) await insertInbox(tx, part);
      noteEvents(tx, facts);
    },
  };
}

function inRows(blocks: readonly NewBlock[]): NewBlock[][] {
  const rows: NewBlock[][] = [];
  for (let at = 0; at < blocks.length; at += MOST_BLOCKS) rows.push(blocks.slice(at, at + MOST_BLOCKS));
  return rows;
}

function noteEvents(tx: Transaction, facts: readonly Fact[]): void {
  tx.journal?.events.push(...facts.map(({ type }) => type));
  const counts = new Map<string, number>();
  for (const { type, kind, resourceId } of facts) {
    // The types of applications are without number: a metric has one label for all of them.
    const name = isOwnResourceId(resourceId) ? OWN : kind === undefined ? type : `${type}/${kind}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [type, count] of counts) tx.note(type, count);
}
