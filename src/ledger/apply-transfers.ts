// What transfers do to the balances, as one statement of differences: for movements that are nearly certain. Nothing is
// read first and nothing decided here; the statement itself asks of every balance what a book would (may it pay, may it
// be paid, is that much there, does the sum fit) and leaves out those that fail. Who calls must undo everything when the
// answer is false.
//
// Rows are locked in (account, asset) order, as everywhere: the sorted list drives a loop over the primary key. That is
// the plan's doing and no promise of SQL; if it ever differs, a deadlock is detected and the batch tried again.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { MAX_AMOUNT } from '../kernel/index.ts';
import type { Transfer } from './book.ts';
import { lookUnderLock } from './integrity-store.ts';
import type { Difference } from './balance-store.ts';
import { applyDifferences, insertWakes } from './balance-store.ts';
import { insertTransfers } from './store.ts';
import { derivedAccount } from './system-accounts.ts';

export interface Certain {
  /** From what is reserved. */
  readonly held: readonly Transfer[];
  /** From what is available. No payer is `world` or `fees`. */
  readonly drawn: readonly Transfer[];
}

/** False: at least one movement could not be made, or only a closer look could tell. */
export async function applyTransfers(tx: Transaction, { held, drawn }: Certain): Promise<boolean> {
  const changes = differences(held, drawn);
  if (changes.some(({ taken, drawn: out, added }) => taken > MAX_AMOUNT || out > MAX_AMOUNT || added > MAX_AMOUNT))
    return false;
  const [applied, { frozen }] = await tx.together([() => applyDifferences(tx, changes), () => lookUnderLock(tx)]);
  if (applied.count !== changes.length) return false;
  const touches = (transfers: readonly Transfer[]): boolean =>
    frozen.some((freeze) => transfers.some((one) => one.tenantId === freeze.tenantId && one.asset === freeze.asset));
  if (touches(held) || touches(drawn)) return false;
  if (applied.wakes.length > 0) await insertWakes(tx, applied.wakes, null);
  return true;
}

/** Writes live transfers whose differences were sent before: the balances are locked by then, so the server's time is theirs. */
export async function writeApplied(tx: Transaction, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length > 0) await insertTransfers(tx, transfers, { postedNow: true });
}

type Sums = { -readonly [field in keyof Difference]: Difference[field] };

function differences(held: readonly Transfer[], drawn: readonly Transfer[]): Difference[] {
  const changes = new Map<Uuid, Sums[]>();
  const changeOf = ({ tenantId, asset }: Transfer, accountId: Uuid): Sums => {
    const same = changes.get(accountId);
    const known = same?.find((change) => change.asset === asset);
    if (known) return known;
    const change = { tenantId, accountId, asset, taken: 0n, drawn: 0n, added: 0n };
    if (same) same.push(change);
    else changes.set(accountId, [change]);
    return change;
  };
  for (const transfer of held) changeOf(transfer, transfer.debitAccountId).taken += transfer.amount;
  for (const transfer of drawn) changeOf(transfer, transfer.debitAccountId).drawn += transfer.amount;
  for (const transfers of [held, drawn]) {
    for (const transfer of transfers) {
      if (derivedAccount(transfer.tenantId, transfer.creditAccountId)) continue;
      changeOf(transfer, transfer.creditAccountId).added += transfer.amount;
    }
  }
  return [...changes.values()].flat();
}
