// Reservations: funds set aside now, taken or given back later. Each verb takes a batch and answers per item.
import type { Transaction } from '../db/index.ts';
import type { Fact } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { invariant, refused } from '../kernel/index.ts';
import type { Book, Refused, Reservation, ReserveOrder } from './book.ts';
import { isRefused } from './book.ts';
import { reservationChanged } from './facts.ts';
import { openBook, writeBook } from './open-book.ts';
import type { GuardOutgoing } from './outgoing.ts';
import { UNGUARDED } from './outgoing.ts';
import { readReservations } from './store.ts';

export async function reserveFunds(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly ReserveOrder[],
): Promise<(Refused | null)[]> {
  const book = await openBook(tx, clock, { debits: orders, credits: [] });
  const outcomes = orders.map((order) => book.reserve(order));
  const { newReservations } = book.changes();
  await writeBook(tx, book);
  await appendEvents(
    tx,
    newReservations.map((made) =>
      reservationChanged(caller, clock, 'reservation.created', made, { amount: made.amount }),
    ),
  );
  return outcomes;
}

export interface CaptureOrder {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly amount: bigint;
  readonly creditAccountId: Uuid;
  readonly kind: string;
  readonly description?: string | null;
}

export async function captureReservations(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly CaptureOrder[],
  guard: GuardOutgoing = UNGUARDED,
): Promise<(Refused | null)[]> {
  return changeReservations(
    tx,
    clock,
    orders,
    (book, reservation, order) => book.capture(reservation, order),
    (after, _before, { amount, creditAccountId: to }) =>
      reservationChanged(caller, clock, 'reservation.captured', after, { amount, to }),
    (book, { tenantId, accountId: debitAccountId, asset }, { amount }) =>
      guard(tx, clock, book, { tenantId, debitAccountId, asset, amount }),
  );
}

export interface ReleaseOrder {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** Everything that is left, where unset. */
  readonly amount?: bigint;
}

export async function releaseReservations(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly ReleaseOrder[],
): Promise<(Refused | null)[]> {
  return changeReservations(
    tx,
    clock,
    orders,
    (book, reservation, order) =>
      book.release(reservation, order.amount ?? reservation.amount - reservation.captured - reservation.released),
    (after, before) =>
      reservationChanged(caller, clock, 'reservation.released', after, { amount: after.released - before.released }),
  );
}

type Change = { readonly tenantId: Uuid; readonly id: Uuid; readonly creditAccountId?: Uuid };

/** Reads which balances are involved, locks them, reads the reservations again now that nobody can change them. */
async function changeReservations<T extends Change>(
  tx: Transaction,
  clock: Clock,
  orders: readonly T[],
  decide: (book: Book, reservation: Reservation, order: T) => Refused | Reservation,
  told: (after: Reservation, before: Reservation, order: T) => Fact,
  guarded?: (book: Book, reservation: Reservation, order: T) => Promise<void>,
): Promise<(Refused | null)[]> {
  const facts: Fact[] = [];
  const before = new Map((await readReservations(tx, orders)).map((item) => [item.tenantId + item.id, item]));
  const known = (order: T): Reservation | undefined => before.get(order.tenantId + order.id);
  const book = await openBook(tx, clock, {
    debits: [...before.values()],
    credits: orders.flatMap((order) => {
      const { creditAccountId } = order;
      const reservation = known(order);
      return creditAccountId && reservation ? [{ ...reservation, accountId: creditAccountId }] : [];
    }),
  });
  const current = new Map((await readReservations(tx, orders)).map((item) => [item.tenantId + item.id, item]));
  for (const order of guarded ? orders : []) {
    const reservation = current.get(order.tenantId + order.id);
    if (reservation) await guarded?.(book, reservation, order);
  }
  const outcomes = orders.map((order) => {
    const key = order.tenantId + order.id;
    const reservation = current.get(key);
    if (!reservation) return refused('RESERVATION_NOT_FOUND', { reservation: order.id });
    const outcome = decide(book, reservation, order);
    if (isRefused(outcome)) return outcome;
    current.set(key, outcome);
    facts.push(told(outcome, reservation, order));
    return null;
  });
  invariant(current.size === before.size, 'reservations never to vanish');
  await writeBook(tx, book);
  await appendEvents(tx, facts);
  return outcomes;
}
