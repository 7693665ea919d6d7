// Waking the underfunded. A payment that lacked funds watches its payer's balance; a credit of a watched balance leaves a
// wake in the same transaction. Here the wakes are taken and, payer by payer, the waiting payments that the balance
// now covers are made due at once, oldest first and only as far as it goes: waking a thousand for a credit that pays
// one would burn the attempts of the others.
import type { Database, Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { openBook, readBalances, takeWakes, writeBook } from '../ledger/index.ts';
import { expediteDue, listWaiting } from './due-store.ts';

const WAKES_AT_ONCE = 100;
const WAITING_AT_ONCE = 1_000;

/** Of live tenants, or of a test clock; returns how many payments were made due. */
export async function wakeWaiting(
  db: Database,
  readClock: (tx: Transaction) => Promise<Clock>,
  clockId: Uuid | null = null,
): Promise<number> {
  return db.transaction(
    async (tx) => {
      const keys = await takeWakes(tx, clockId, WAKES_AT_ONCE);
      if (keys.length === 0) return 0;
      const clock = await readClock(tx);
      let woken = 0;
      for (const key of keys.toSorted(byKey)) woken += await wakeAccount(tx, clock, key);
      return woken;
    },
    { lockTimeoutMs: 1_000 },
  );
}

async function wakeAccount(tx: Transaction, clock: Clock, key: BalanceKey): Promise<number> {
  // Read without a lock: this only chooses what to try, settlement decides.
  const balances = await readBalances(tx, key.tenantId, key.accountId);
  let left = balances.find((balance) => balance.asset === key.asset)?.available ?? 0n;
  let [woken, after, seen] = [0, NIL_UUID, 0];
  // Only what the rest covers is read, so that a small payment is found behind any number of larger ones.
  for (;;) {
    const page = await listWaiting(tx, key, { limit: WAITING_AT_ONCE, after, within: left });
    seen += page.length;
    const covered = page.filter((row) => {
      if (row.amount > left) return false;
      left -= row.amount;
      return true;
    });
    const keys = covered.map((row) => ({ tenantId: row.tenantId, id: row.paymentId }));
    if (keys.length > 0) woken += (await expediteDue(tx, keys, clock)).length;
    if (page.length < WAITING_AT_ONCE) break;
    after = page.at(-1)?.paymentId ?? after;
  }
  if (seen === 0) await stopWatching(tx, clock, key);
  return woken;
}

/** Payments join the waiting list under the balance's lock, so the list is looked at again once we hold it. */
async function stopWatching(tx: Transaction, clock: Clock, key: BalanceKey): Promise<void> {
  const book = await openBook(tx, clock, { debits: [], credits: [], impatient: [key] });
  if (!book.balance(key) || (await listWaiting(tx, key, { limit: 1 })).length > 0) return;
  book.watch(key, false);
  await writeBook(tx, book);
}

function byKey(a: BalanceKey, b: BalanceKey): number {
  return a.tenantId + a.accountId + a.asset < b.tenantId + b.accountId + b.asset ? -1 : 1;
}
