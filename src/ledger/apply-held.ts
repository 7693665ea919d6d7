// What transfers from held funds do to the balances, as one statement of differences: for movements that are written
// already and nearly certain. Nothing is read first and nothing decided here; the statement itself asks of every
// balance what a book would (may it pay, may it be paid, is that much held, does the sum fit) and leaves out those that
// fail. Who calls must undo everything when the answer is false.
//
// Rows are locked in (account, asset) order, as everywhere: the sorted list drives a loop over the primary key. That is
// the plan's doing and no promise of SQL; if it ever differs, a deadlock is detected and the batch tried again.
import type { Transaction } from '../db/index.ts';
import type { Transfer } from './book.ts';
import { listFrozen } from './integrity-store.ts';
import type { HeldChange } from './store.ts';
import { applyHeldChanges, insertWakes } from './store.ts';
import { derivedAccount } from './system-accounts.ts';

/** False: at least one movement could not be made. */
export async function applyHeld(tx: Transaction, transfers: readonly Transfer[]): Promise<boolean> {
  const changes = differences(transfers);
  // What is frozen is read after the balances were locked: a freeze that was committed before is seen.
  const [applied, frozen] = await tx.together([() => applyHeldChanges(tx, changes), () => listFrozen(tx)]);
  if (applied.count !== changes.length) return false;
  if (frozen.some((freeze) => transfers.some((one) => one.tenantId === freeze.tenantId && one.asset === freeze.asset)))
    return false;
  if (applied.wakes.length > 0) await insertWakes(tx, applied.wakes, null);
  return true;
}

/** Per balance: what is taken from what is held, and what is added to what is available. */
function differences(transfers: readonly Transfer[]): HeldChange[] {
  const changes = new Map<string, { -readonly [field in keyof HeldChange]: HeldChange[field] }>();
  const changeOf = (transfer: Transfer, accountId: string): { taken: bigint; added: bigint } => {
    const key = accountId + transfer.asset;
    let change = changes.get(key);
    if (!change) {
      change = { tenantId: transfer.tenantId, accountId, asset: transfer.asset, taken: 0n, added: 0n };
      changes.set(key, change);
    }
    return change;
  };
  for (const transfer of transfers) {
    changeOf(transfer, transfer.debitAccountId).taken += transfer.amount;
    if (derivedAccount(transfer.tenantId, transfer.creditAccountId)) continue;
    changeOf(transfer, transfer.creditAccountId).added += transfer.amount;
  }
  return [...changes.values()];
}
