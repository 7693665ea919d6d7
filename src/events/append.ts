import type { Transaction } from '../db/index.ts';
import type { Fact } from './event.ts';
import { insertEvents } from './store.ts';

/** Appends facts in the caller's transaction, in the order given. */
export async function appendEvents(tx: Transaction, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  await insertEvents(tx, facts);
  for (const fact of facts) tx.note(fact.type, 1);
}
