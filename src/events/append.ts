import type { Transaction } from '../db/index.ts';
import { APPEND_WATCH } from './append-watch.ts';
import { blocksOf } from './blocks.ts';
import type { Fact } from './event.ts';
import { insertBlocks } from './append-store.ts';

/** Blocks in one row of the inbox; the database refuses more than 10,000. */
const MOST_BLOCKS = 10_000;

/** Appends facts in the caller's transaction, in the order given for each tenant; each is noted under its type, or `type/kind`. */
export async function appendEvents(tx: Transaction, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  APPEND_WATCH.onAppend?.(facts);
  const blocks = blocksOf(facts);
  for (let at = 0; at < blocks.length; at += MOST_BLOCKS) await insertBlocks(tx, blocks.slice(at, at + MOST_BLOCKS));
  tx.journal?.events.push(...facts.map(({ type }) => type));
  const counts = new Map<string, number>();
  for (const { type, kind } of facts) {
    const name = kind === undefined ? type : `${type}/${kind}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [type, count] of counts) tx.note(type, count);
}
