// A higher module's rules for money that a verb of the ledger moves out of an account: pauses, limits, approval. The ledger knows none of
// these; the engine injects the guard.
import type { Transaction } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { Book, Movement } from './book.ts';

/** Called when the balances are locked, before the movement. Throws a Refusal, or counts the movement in the same transaction. */
export type GuardOutgoing = (
  tx: Transaction,
  clock: Clock,
  book: Book,
  movement: Pick<Movement, 'tenantId' | 'debitAccountId' | 'asset' | 'amount'>,
) => Promise<void>;

export const UNGUARDED: GuardOutgoing = () => Promise.resolve();
