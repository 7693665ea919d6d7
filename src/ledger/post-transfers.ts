// Transfers between available balances: deposits (from `world`), withdrawals (to `world`) and moves between accounts.
import type { Transaction } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { Movement, Refused, Transfer } from './book.ts';
import { openBook, writeBook } from './open-book.ts';
import type { GuardOutgoing } from './outgoing.ts';
import { UNGUARDED } from './outgoing.ts';

/** Decides the movements in order; the answer at i is the transfer, or why movement i was refused and changed nothing. */
export async function postTransfers(
  tx: Transaction,
  clock: Clock,
  movements: readonly Movement[],
  guard: GuardOutgoing = UNGUARDED,
): Promise<(Refused | Transfer)[]> {
  const book = await openBook(tx, clock, {
    debits: movements.map((movement) => ({ ...movement, accountId: movement.debitAccountId })),
    credits: movements.map((movement) => ({ ...movement, accountId: movement.creditAccountId })),
  });
  for (const movement of movements) await guard(tx, clock, book, movement);
  const outcomes = movements.map((movement) => book.transfer(movement));
  await writeBook(tx, book);
  return outcomes;
}
