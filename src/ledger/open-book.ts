// Opening a book locks the balances it will need; writing it puts down what was decided. What happens between the two
// is the book's. A handful of statements to open and to write, whatever the size of the batch.
import type { Transaction } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import { invariant } from '../kernel/index.ts';
import type { Balance, BalanceKey } from './book.ts';
import { Book, keyOf } from './book.ts';
import type { UnderLock } from './integrity-store.ts';
import { lookUnderLock } from './integrity-store.ts';
import { ensureBalances, insertWakes, lockBalances, lockDerivedBalance, writeBalances } from './balance-store.ts';
import { insertReservations, insertTransfers, updateReservations } from './store.ts';
import { RecordingBook } from './recording-book.ts';
import { derivedAccount } from './system-accounts.ts';

export interface BookRequest {
  /** Balances that pay or hold. A `fees` account here is summed up; `world` needs nothing. */
  readonly debits: readonly BalanceKey[];
  /** Balances that are paid. One that does not exist yet is made. */
  readonly credits: readonly BalanceKey[];
  /**
   * Balances to go without if somebody else holds them at the moment (`Book.balance` is null for those). A `fees` account
   * here is one that pays.
   */
  readonly impatient?: readonly BalanceKey[];
}

export async function openBook(tx: Transaction, clock: Clock, request: BookRequest): Promise<Book> {
  const wanted = new Map<string, BalanceKey>();
  const impatient = new Map<string, BalanceKey>();
  for (const key of [...request.debits, ...request.credits]) {
    if (!derivedAccount(key.tenantId, key.accountId)) wanted.set(keyOf(key), key);
  }
  for (const key of request.impatient ?? []) {
    if (!wanted.has(keyOf(key)) && !derivedAccount(key.tenantId, key.accountId)) impatient.set(keyOf(key), key);
  }
  const keys = [...wanted.values()];
  let [balances, look] = await lockAndLook(tx, keys);
  if (balances.length < keys.length) {
    const found = new Set(balances.map(keyOf));
    const missing = request.credits.filter((key) => wanted.has(keyOf(key)) && !found.has(keyOf(key)));
    if (missing.length > 0) {
      await ensureBalances(tx, missing);
      [balances, look] = await lockAndLook(tx, keys);
    }
  }
  if (impatient.size > 0) {
    const spare = [...impatient.values()];
    await ensureBalances(tx, spare, { skipLocked: true });
    const [free, now] = await lockAndLook(tx, spare, { skipLocked: true });
    balances = [...balances, ...free];
    look = now;
  }
  const derived = [...(await sumDerived(tx, request.debits)), ...(await sumDerived(tx, request.impatient ?? [], true))];
  if (derived.length > 0) look = await lookUnderLock(tx);
  // Posted at an instant read after the last lock: a clock read before it could be earlier than the credit that funds this.
  const postedAt = clock.clockId === null ? look.at : clock.now;
  const contents = { balances, derived, frozen: look.frozen, now: clock.now, postedAt, clockId: clock.clockId };
  return tx.journal === null ? new Book(contents) : new RecordingBook(contents);
}

/**
 * The clock for decisions under a book's locks. A verb reads its clock before it waits for them, and what it decides by must not be
 * earlier than what it posts: a payment may have ended, and an hour begun, meanwhile.
 */
export function clockUnderLock(clock: Clock, book: Book): Clock {
  return book.postedAt > clock.now ? { ...clock, now: book.postedAt } : clock;
}

function lockAndLook(
  tx: Transaction,
  keys: readonly BalanceKey[],
  options: { skipLocked?: boolean } = {},
): Promise<readonly [Balance[], UnderLock]> {
  return tx.together([() => lockBalances(tx, keys, options), () => lookUnderLock(tx)]);
}

async function sumDerived(tx: Transaction, debits: readonly BalanceKey[], impatient = false): Promise<Balance[]> {
  const fees = new Map<string, BalanceKey>();
  for (const key of debits) if (derivedAccount(key.tenantId, key.accountId) === 'fees') fees.set(keyOf(key), key);
  const sums: Balance[] = [];
  for (const [, key] of [...fees].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const available = await lockDerivedBalance(tx, key, impatient);
    if (available === null) continue;
    sums.push({
      ...key,
      available,
      reserved: 0n,
      version: 0n,
      mayDebit: true,
      mayCredit: true,
      watched: false,
      limited: false,
      place: '',
    });
  }
  return sums;
}

export async function writeBook(tx: Transaction, book: Book): Promise<void> {
  await tx.together([() => writeBalancesOf(tx, book), () => writeHistoryOf(tx, book)]);
}

/** Each touched balance once, and the wakes of those that are watched. */
export async function writeBalancesOf(tx: Transaction, book: Book): Promise<void> {
  const { balances, wakes } = book.changes();
  if (book instanceof RecordingBook) tx.journal?.postings.push(...book.postings);
  if (balances.length > 0) {
    const written = await writeBalances(tx, balances);
    invariant(written === balances.length, 'every locked balance to still have the version it was locked at');
  }
  if (wakes.length > 0) await insertWakes(tx, wakes, book.clockId);
}

/** Reservations and transfers. */
export async function writeHistoryOf(tx: Transaction, book: Book): Promise<void> {
  const { newReservations, changedReservations, transfers } = book.changes();
  if (newReservations.length > 0) await insertReservations(tx, newReservations);
  if (changedReservations.length > 0) {
    const written = await updateReservations(tx, changedReservations);
    invariant(written === changedReservations.length, 'every reservation in the book to exist');
  }
  if (transfers.length > 0) await insertTransfers(tx, transfers);
}
