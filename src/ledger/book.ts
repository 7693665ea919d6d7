// The book: some balances, locked by whoever opened it, and the verbs that move money among them. Pure and in memory.
// Each verb decides as if it ran alone at that point of the sequence: it sees what earlier verbs of the same book did,
// and a refusal is a value and leaves the book as it was. So a batch equals executing it one by one.
import type { Refused, Uuid } from '../kernel/index.ts';
import { BrokenInvariant, invariant, newId, refused } from '../kernel/index.ts';
import { isWorld, mayHold, mayPay, mayReceive, notActive, sameAccount, stillOpen } from './book-refusals.ts';

export interface BalanceKey {
  readonly tenantId: Uuid;
  readonly accountId: Uuid;
  readonly asset: string;
}

export interface Balance extends BalanceKey {
  readonly available: bigint;
  readonly reserved: bigint;
  readonly version: bigint;
  readonly mayDebit: boolean;
  readonly mayCredit: boolean;
  /** Somebody wants to know when it is next credited. */
  readonly watched: boolean;
  /** There are limits on what it may pay. The book does not know them; whoever asks it to pay has to. */
  readonly limited: boolean;
  /** Where its row lies, as long as its lock is held. */
  readonly place: string;
}

export interface Reservation extends BalanceKey {
  readonly id: Uuid;
  readonly amount: bigint;
  readonly captured: bigint;
  readonly released: bigint;
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
}

export interface Transfer {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly debitAccountId: Uuid;
  readonly creditAccountId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
  readonly kind: string;
  readonly reservationId: Uuid | null;
  readonly paymentId: Uuid | null;
  readonly description: string | null;
  readonly postedAt: Date;
}

export type { Refused };

/** A transfer wanted, before it has an id. */
export interface Movement {
  readonly tenantId: Uuid;
  readonly debitAccountId: Uuid;
  readonly creditAccountId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
  readonly kind: string;
  readonly paymentId?: Uuid | null;
  readonly description?: string | null;
}

export interface ReserveOrder extends BalanceKey {
  readonly id: Uuid;
  readonly amount: bigint;
}

/** What the book has come to: the rows to write. */
export interface BookChanges {
  readonly balances: readonly Balance[];
  readonly transfers: readonly Transfer[];
  readonly newReservations: readonly Reservation[];
  readonly changedReservations: readonly Reservation[];
  /** Watched balances that were credited. */
  readonly wakes: readonly BalanceKey[];
}

interface Entry {
  balance: Balance;
  /** False for `fees`, whose amount is derived: it is checked like a balance and never written. */
  readonly stored: boolean;
  touched: boolean;
  credited: boolean;
}

export interface BookContents {
  readonly balances: readonly Balance[];
  /** What `fees` accounts hold, for those that pay in this book. */
  readonly derived?: readonly Balance[];
  /** (tenant, asset) from which nothing may leave. */
  readonly frozen?: readonly { readonly tenantId: Uuid; readonly asset: string }[];
  readonly now: Date;
  /** The instant of its transfers, read after the balances were locked. Default `now`, for a book without locks. */
  readonly postedAt?: Date;
  /** Whose wakes are left behind: null for live work. */
  readonly clockId?: Uuid | null;
  /** For foreseeing: funds are there and everybody may be paid. Its balances are never written. */
  readonly imagined?: boolean;
}

export class Book {
  readonly now: Date;
  /** When its transfers are posted. */
  readonly postedAt: Date;
  readonly clockId: Uuid | null;
  /** By account, then a few by asset: looked up without building a key. */
  readonly #entries = new Map<Uuid, Entry[]>();
  readonly #frozen: ReadonlySet<string>;
  readonly #imagined: boolean;
  readonly #transfers: Transfer[] = [];
  readonly #newReservations = new Map<Uuid, Reservation>();
  readonly #changedReservations = new Map<Uuid, Reservation>();
  /** How to take back each step since the outermost `allOrNothing` began. */
  #undo: (() => void)[] | null = null;

  constructor(contents: BookContents) {
    this.now = contents.now;
    this.postedAt = contents.postedAt ?? contents.now;
    this.clockId = contents.clockId ?? null;
    this.#imagined = contents.imagined ?? false;
    for (const balance of contents.balances) this.#add(balance, true);
    for (const balance of contents.derived ?? []) this.#add(balance, false);
    this.#frozen = new Set((contents.frozen ?? []).map((freeze) => freeze.tenantId + freeze.asset));
  }

  #add(balance: Balance, stored: boolean): void {
    const entry = { balance, stored, touched: false, credited: false };
    const same = this.#entries.get(balance.accountId);
    if (same) same.push(entry);
    else this.#entries.set(balance.accountId, [entry]);
  }

  #entry(tenantId: Uuid, accountId: Uuid, asset: string): Entry | null {
    const same = this.#entries.get(accountId);
    return same?.find(({ balance }) => balance.asset === asset && balance.tenantId === tenantId) ?? null;
  }

  #entryOf(key: BalanceKey): Entry | null {
    return this.#entry(key.tenantId, key.accountId, key.asset);
  }

  balance(key: BalanceKey): Balance | null {
    return this.#entryOf(key)?.balance ?? null;
  }

  /** available → available. */
  transfer(movement: Movement): Refused | Transfer {
    const { tenantId, asset, amount } = movement;
    if (this.#imagined) return sameAccount(movement) ?? this.#post(movement, null);
    const debit = { tenantId, asset, accountId: movement.debitAccountId };
    const credit = { tenantId, asset, accountId: movement.creditAccountId };
    const [payer, payee] = [this.#entryOf(debit), this.#entryOf(credit)];
    const denied =
      sameAccount(movement) ??
      // What arrives from outside is no danger to books in doubt.
      (isWorld(debit) ? null : this.#mayLeave(movement)) ??
      mayPay(debit, payer?.balance ?? null, amount) ??
      mayReceive(credit, payee?.balance ?? null, amount);
    if (denied) return denied;
    this.#change(payer, -amount, 0n);
    this.#change(payee, amount, 0n);
    return this.#post(movement, null);
  }

  /** available → reserved. Whoever asks keeps the record of it: a reservation's row, or a payment's own. */
  hold(key: BalanceKey, amount: bigint): Refused | null {
    const entry = this.#entryOf(key);
    const denied = mayHold(key) ?? this.#mayLeave(key) ?? mayPay(key, entry?.balance ?? null, amount);
    if (denied) return denied;
    this.#change(entry, -amount, amount);
    return null;
  }

  /** reserved → the same account's available. Nothing leaves, so neither a freeze nor a suspension stops it. */
  unhold(key: BalanceKey, amount: bigint): void {
    this.#change(this.#mustHave(key), amount, -amount);
  }

  /** reserved → another's available. */
  payHeld(movement: Movement, reservationId: Uuid | null = null): Refused | Transfer {
    const denied = this.#moveHeld(movement);
    return denied ?? this.#post(movement, reservationId);
  }

  /** reserved → another's available, because it has happened outside: no freeze and no suspension can take it back. */
  bookHeld(movement: Movement): Transfer {
    const { tenantId, asset, amount } = movement;
    this.#change(this.#mustHave({ tenantId, asset, accountId: movement.debitAccountId }), 0n, -amount);
    this.#change(this.#entry(tenantId, movement.creditAccountId, asset), amount, 0n);
    return this.#post(movement, null);
  }

  /** available → reserved of what has left already: it is not asked whether it may. */
  holdTaken(key: BalanceKey, amount: bigint): void {
    this.#change(this.#mustHave(key), -amount, amount);
  }

  /** Whether the asset is frozen: nothing may leave. */
  isFrozen({ tenantId, asset }: Pick<BalanceKey, 'tenantId' | 'asset'>): boolean {
    return this.#frozen.has(tenantId + asset);
  }

  #moveHeld(movement: Movement): Refused | null {
    const denied = sameAccount(movement) ?? this.#mayLeave(movement);
    if (denied || this.#imagined) return denied;
    const { tenantId, asset, amount } = movement;
    const debit = { tenantId, asset, accountId: movement.debitAccountId };
    const credit = { tenantId, asset, accountId: movement.creditAccountId };
    const [payer, payee] = [this.#mustHave(debit), this.#entryOf(credit)];
    const inactive =
      (payer.balance.mayDebit ? null : notActive(debit)) ?? mayReceive(credit, payee?.balance ?? null, amount);
    if (inactive) return inactive;
    this.#change(payer, 0n, -amount);
    this.#change(payee, amount, 0n);
    return null;
  }

  /** Holds under a reservation of the caller's id. */
  reserve(order: ReserveOrder): Refused | null {
    const denied = this.hold(order, order.amount);
    if (denied) return denied;
    const { tenantId, accountId, asset, id, amount } = order;
    const reservation = {
      tenantId,
      accountId,
      asset,
      id,
      amount,
      captured: 0n,
      released: 0n,
      createdAt: this.now,
      resolvedAt: null,
    };
    this.#newReservations.set(id, reservation);
    this.#undo?.push(() => this.#newReservations.delete(id));
    return null;
  }

  /** Pays from a reservation. Returns it as it is now. */
  capture(
    reservation: Reservation,
    movement: Omit<Movement, 'tenantId' | 'debitAccountId' | 'asset'>,
  ): Refused | Reservation {
    const { tenantId, asset, accountId: debitAccountId } = reservation;
    const outcome =
      stillOpen(reservation, movement.amount) ??
      this.payHeld({ ...movement, tenantId, asset, debitAccountId }, reservation.id);
    return isRefused(outcome) ? outcome : this.#advance(reservation, movement.amount, 0n);
  }

  /** Gives back from a reservation. Returns it as it is now. */
  release(reservation: Reservation, amount: bigint): Refused | Reservation {
    const denied = stillOpen(reservation, amount);
    if (denied) return denied;
    this.unhold(reservation, amount);
    return this.#advance(reservation, 0n, amount);
  }

  /** Asks for a wake-up at the next credit, or no longer. Held with the balance's lock, so no credit can slip between. */
  watch(key: BalanceKey, watched = true): void {
    const entry = this.#mustHave(key);
    if (!entry.stored || entry.balance.watched === watched) return;
    entry.balance = { ...entry.balance, watched };
    entry.touched = true;
  }

  /** Runs several verbs so that a refusal of one takes back those before it: the legs of one payment. */
  allOrNothing<T extends Refused | null>(verbs: () => T): T {
    invariant(this.#undo === null, 'allOrNothing not to be nested');
    this.#undo = [];
    try {
      const outcome = verbs();
      if (outcome !== null) for (const takeBack of this.#undo.toReversed()) takeBack();
      return outcome;
    } finally {
      this.#undo = null;
    }
  }

  changes(): BookChanges {
    const stored = [...this.#entries.values()].flat().filter((entry) => entry.stored);
    return {
      balances: stored.filter((entry) => entry.touched).map((entry) => entry.balance),
      transfers: this.#transfers,
      newReservations: [...this.#newReservations.values()],
      changedReservations: [...this.#changedReservations.values()],
      wakes: stored.filter((entry) => entry.credited && entry.balance.watched).map((entry) => entry.balance),
    };
  }

  #mayLeave(key: { readonly tenantId: Uuid; readonly asset: string }): Refused | null {
    if (!this.#frozen.has(key.tenantId + key.asset)) return null;
    return refused('ASSET_FROZEN', { asset: key.asset });
  }

  /** Nothing to keep for `world`, nor for what `fees` is paid: the transfer is the whole record. */
  #change(entry: Entry | null, available: bigint, reserved: bigint): void {
    if (!entry) return;
    const { balance: before, touched, credited } = entry;
    const after = { ...before, available: before.available + available, reserved: before.reserved + reserved };
    if (after.available < 0n || after.reserved < 0n)
      throw new BrokenInvariant(`expected ${keyOf(before)} not to become negative`);
    entry.balance = after;
    entry.touched = true;
    entry.credited ||= available > 0n;
    this.#undo?.push(() => {
      entry.balance = before;
      entry.touched = touched;
      entry.credited = credited;
    });
  }

  #post(movement: Movement, reservationId: Uuid | null): Transfer {
    const { tenantId, debitAccountId, creditAccountId, asset, amount, kind } = movement;
    invariant(amount > 0n, 'a transfer to be positive');
    const transfer = {
      tenantId,
      id: newId(),
      debitAccountId,
      creditAccountId,
      asset,
      amount,
      kind,
      reservationId,
      paymentId: movement.paymentId ?? null,
      description: movement.description ?? null,
      postedAt: this.postedAt,
    };
    this.#transfers.push(transfer);
    this.#undo?.push(() => this.#transfers.pop());
    return transfer;
  }

  #advance(reservation: Reservation, captured: bigint, released: bigint): Reservation {
    const next = {
      ...reservation,
      captured: reservation.captured + captured,
      released: reservation.released + released,
    };
    const after = { ...next, resolvedAt: next.captured + next.released === next.amount ? this.now : null };
    const map = this.#newReservations.has(reservation.id) ? this.#newReservations : this.#changedReservations;
    const before = map.get(reservation.id);
    map.set(reservation.id, after);
    this.#undo?.push(() => (before ? map.set(reservation.id, before) : map.delete(reservation.id)));
    return after;
  }

  #mustHave(key: BalanceKey): Entry {
    const entry = this.#entryOf(key);
    if (!entry) throw new BrokenInvariant(`expected balance ${keyOf(key)} to be in the book`);
    return entry;
  }
}

export function isRefused<T extends object>(outcome: Refused | T | null): outcome is Refused {
  return outcome !== null && 'code' in outcome;
}

export function keyOf(key: BalanceKey): string {
  return key.tenantId + key.accountId + key.asset;
}
