import type { Transaction } from '../db/index.ts';
import { blocksOf } from './blocks.ts';
import type { Fact } from './event.ts';
import { insertBlocks } from './append-store.ts';

/** Appends facts in the caller's transaction, in the order given for each tenant; each is noted under its type, or `type/kind`. */
export async function appendEvents(tx: Transaction, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  await insertBlocks(tx, blocksOf(facts));
  tx.journal?.events.push(...facts.map(({ type }) => type));
  const counts = new Map<string, number>();
  for (const { type, kind } of facts) {
    const name = kind === undefined ? type : `${type}/${kind}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [type, count] of counts) tx.note(type, count);
}
