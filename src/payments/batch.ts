// A batch: some payments whose due rows we hold, the book open on their balances, and everything that was decided about
// them. Verbs decide through the methods here and touch no table; writeBatch puts all of it down in sets, events
// included, so that each verb is a few lines and a crash leaves the whole of it or nothing.
import type { Transaction } from '../db/index.ts';
import type { EventType, Fact, LaterAppend } from '../events/index.ts';
import { appendEvents, paymentData } from '../events/index.ts';
import type { Caller, Clock, Code, Uuid } from '../kernel/index.ts';
import { invariant, newId } from '../kernel/index.ts';
import type { BalanceKey, Book, Refused, Transfer } from '../ledger/index.ts';
import {
  clockUnderLock,
  derivedAccount,
  isRefused,
  openBook,
  systemAccountId,
  writeBalancesOf,
  writeHistoryOf,
} from '../ledger/index.ts';
import type { ApprovalCount } from './approval-count.ts';
import type { DeadLetter, DueRow, NewDueRow, WaitingRow } from './due-store.ts';
import {
  deleteDeadLetters,
  deleteDue,
  deleteWaiting,
  insertDeadLetters,
  insertDue,
  insertWaiting,
  moveDue,
} from './due-store.ts';
import { attemptNote } from './attempt-note.ts';
import { balancesOf, payerBalance } from './batch-balances.ts';
import type { SettlingOwners } from './owner-rules.ts';
import type { Payment, PaymentKind, PaymentStatus } from './payment.ts';
import { PAYMENT_MOVES, countedOf, hasSameTerms, heldBy, kindOf, makersOf, restOf } from './payment.ts';
import { partsOf } from './shares.ts';
import { Spend } from './spend.ts';
import type { Refund } from './refund-store.ts';
import { insertRefunds } from './refund-store.ts';
import type { PaymentKey } from './store.ts';
import type { TenantLimits } from './tenant-limits.ts';
import { loadPayments, readPayments, settlePayments, updatePayments } from './store.ts';

export { payeeBalances, payerBalance } from './batch-balances.ts';

export interface Item {
  payment: Payment;
  /** Null for a payment that is not scheduled. */
  readonly due: DueRow | null;
  /** Where the payment's row lies. */
  readonly place: string;
  /** It failed before, so it may be on the waiting list. */
  readonly mayWait: boolean;
}

export interface Cause {
  readonly code: Code | string;
  readonly detail: string;
}

/** How a payment ends before its time, and as what, where nothing of it was captured. */
const ENDED_AS = { cancelled: 'cancelled', rejected: 'cancelled', expired: 'expired' } as const;

export class Batch {
  readonly clock: Clock;
  /** The instant under the locks: what ends by it has ended, and what is counted is counted in its hour. */
  readonly lockedAt: Date;
  readonly book: Book;
  readonly spend: Spend;
  readonly caller: Caller;
  /**
   * Of each attempt of this batch, in milliseconds: from the claim to the decision, for which balances are locked unless the outcome was
   * foreseen. A batch is one transaction, so all its attempts have the same. By a test clock an attempt takes no time.
   */
  readonly durationMs: number;
  readonly #attempts = new Map<PaymentKind, number>();
  readonly items: readonly Item[];
  #byKey: ReadonlyMap<string, Item> | null = null;
  readonly changed = new Set<Item>();
  /** Of the changed, those that only became settled: written by a narrower statement. */
  readonly paidWhole = new Set<Item>();
  readonly dueAdded: NewDueRow[] = [];
  readonly dueMoved: DueRow[] = [];
  readonly dueRemoved: DueRow[] = [];
  readonly waitingAdded: WaitingRow[] = [];
  readonly waitingRemoved: PaymentKey[] = [];
  readonly lettersAdded: DeadLetter[] = [];
  readonly lettersRemoved: PaymentKey[] = [];
  readonly refunds: Refund[] = [];
  readonly facts: Fact[] = [];
  /** Of a verb that raises amounts where a threshold of approval is set. */
  approvals: ApprovalCount | null = null;
  /** Where payments are settled, some of them with an owner that counts them. */
  owners: SettlingOwners | null = null;

  constructor(
    clock: Clock,
    caller: Caller,
    items: readonly Item[],
    book: Book,
    spend: Spend,
    begunMs = performance.now(),
  ) {
    this.clock = clock;
    this.durationMs = clock.clockId === null ? Math.round(performance.now() - begunMs) : 0;
    this.lockedAt = clockUnderLock(clock, book).now;
    this.caller = caller;
    this.items = items;
    this.book = book;
    this.spend = spend;
  }

  item(key: PaymentKey): Item | undefined {
    this.#byKey ??= new Map(this.items.map((item) => [item.payment.tenantId + item.payment.id, item]));
    return this.#byKey.get(key.tenantId + key.id);
  }

  /**
   * Moves the payment to a state (or lets it stay) with the given fields changed. Every change of its terms goes through here, so
   * here is where they get their next version, and the caller joins those who cannot approve it.
   */
  change(item: Item, status: PaymentStatus, fields: Partial<Payment>): void {
    const before = item.payment;
    const moves: readonly PaymentStatus[] = PAYMENT_MOVES[before.status];
    invariant(moves.includes(status), `payment ${before.id} not to go from ${before.status} to ${status}`);
    const ended = status === 'settled' || status === 'failed' || status === 'cancelled' || status === 'expired';
    const endedAt = ended ? (before.endedAt ?? this.clock.now) : null;
    const after: Payment = { ...before, ...fields, status, updatedAt: this.clock.now, endedAt };
    item.payment = hasSameTerms(before, after) ? after : { ...after, ...this.#nextTerms(before) };
    this.changed.add(item);
  }

  #nextTerms(before: Payment): Pick<Payment, 'termsVersion' | 'termsBy'> {
    const { actor } = this.caller;
    const termsBy = makersOf(before).includes(actor) ? before.termsBy : [...before.termsBy, actor];
    return { termsVersion: before.termsVersion + 1, termsBy };
  }

  /** Paid whole at this attempt. */
  settle(item: Item): void {
    const { amount, attempts } = item.payment;
    this.change(item, 'settled', { attempts: attempts + 1, captured: amount, lastCode: null, lastDetail: null });
    this.paidWhole.add(item);
    this.leaveDue(item);
  }

  /** The payment is over: out of the due set, and off the waiting list if it could be on it. */
  leaveDue(item: Item): void {
    if (item.due) this.dueRemoved.push(item.due);
    if (item.mayWait) this.waitingRemoved.push(item.payment);
  }

  moveDue(item: Item, dueAt: Date, blocked = 0): void {
    invariant(item.due !== null, `payment ${item.payment.id} to be in the due set`);
    this.dueMoved.push({ ...item.due, dueAt, blocked });
  }

  /** On the waiting list of its payer, whose next credit then wakes it; the balance is locked, so none can slip by. */
  waitForCredit({ payment }: Item): void {
    const payer = payerBalance(payment);
    if (derivedAccount(payer.tenantId, payer.accountId) || !this.book.balance(payer)) return;
    this.book.watch(payer);
    this.waitingAdded.push({ ...payer, paymentId: payment.id, amount: restOf(payment) });
  }

  /** Gives back what is still held; returns how much that was. */
  releaseRest(item: Item): bigint {
    const held = heldBy(item.payment);
    if (held > 0n) this.spend.release(this.book, payerBalance(item.payment), held, countedOf(item.payment, held));
    return held;
  }

  /**
   * Ends a payment before its time and releases the rest. A hold that was captured in part was paid in that part: it ends as
   * settled, with `payment.released` and `payment.settled`, and as nothing else in views and metrics.
   */
  endEarly(item: Item, how: keyof typeof ENDED_AS, data: Readonly<Record<string, unknown>>): PaymentStatus {
    const { payment } = item;
    const released = this.releaseRest(item);
    const status = payment.captured > 0n ? 'settled' : ENDED_AS[how];
    this.change(item, status, { released: payment.released + released });
    this.leaveDue(item);
    const moved = { old: { status: payment.status } };
    if (status === 'settled') {
      this.tell(item, 'payment.released', { because: how, ...data });
      this.tell(item, 'payment.settled', moved);
    } else {
      this.tell(item, `payment.${how}`, { ...moved, ...data });
    }
    return status;
  }

  /** Takes `amount` from the payer to the payees, from what is held where it is; all legs or none, each with its part (shares.ts). */
  pay(item: Item, amount: bigint, kind: string): Refused | null {
    const { tenantId, asset, payerId, id, legs, funding, captured } = item.payment;
    const parts = legs.length === 1 ? legs.map((leg) => ({ ...leg, amount })) : partsOf(legs, captured, amount);
    return this.book.allOrNothing(() => {
      for (const leg of parts) {
        const credit = { creditAccountId: leg.accountId, amount: leg.amount, kind, paymentId: id };
        const movement = { tenantId, asset, debitAccountId: payerId, ...credit };
        const outcome = funding === 'reserve' ? this.book.payHeld(movement) : this.book.transfer(movement);
        if (isRefused(outcome)) return outcome;
      }
      return null;
    });
  }

  /** A chain has paid it: booked whatever is frozen or suspended. */
  payOut({ payment }: Item): Transfer {
    const { tenantId, asset, payerId, id, amount } = payment;
    const creditAccountId = systemAccountId(tenantId, 'world');
    const movement = { tenantId, asset, debitAccountId: payerId, creditAccountId, amount, paymentId: id };
    return this.book.bookHeld({ ...movement, kind: 'settlement' });
  }

  /** What the event of an attempt says of it, beside its number. */
  attempted({ payment }: Item): { readonly durationMs: number } {
    const kind = kindOf(payment);
    this.#attempts.set(kind, (this.#attempts.get(kind) ?? 0) + 1);
    return { durationMs: this.durationMs };
  }

  /** For metrics, once it has committed. */
  noteAttempts(tx: Transaction): void {
    for (const [kind, count] of this.#attempts) tx.note(attemptNote(kind, this.durationMs), count);
  }

  /** Given up on: what was reserved is released and the payment rests as a dead letter. `tried`: by an attempt, not by a person. */
  fail(item: Item, cause: Cause, attempts: number, tried = true): void {
    const { payment } = item;
    const released = this.releaseRest(item);
    const fields = { attempts, released: payment.released + released, lastCode: cause.code, lastDetail: cause.detail };
    this.change(item, 'failed', fields);
    this.leaveDue(item);
    const { tenantId, id, asset } = payment;
    this.lettersAdded.push({ tenantId, id, asset, amount: restOf(payment), ...cause, failedAt: this.clock.now });
    this.tell(item, 'payment.failed', {
      old: { status: payment.status },
      ...(tried ? this.attempted(item) : {}),
      ...cause,
    });
  }

  /** The event about its owner, after that of the payment. */
  tellOwner({ payment }: Item): void {
    const fact = this.owners?.settled(payment);
    if (fact) this.facts.push(fact);
  }

  /** An event about the payment as it is now, after the change; of a change with the `old` values. */
  tell(item: Item, type: EventType, more: Readonly<Record<string, unknown>>): void {
    this.facts.push(paymentFact(this.caller, this.clock, item.payment, type, more));
  }
}

export function paymentFact(
  caller: Caller,
  { now: occurredAt }: Clock,
  payment: Payment,
  type: EventType,
  more: Readonly<Record<string, unknown>>,
): Fact {
  const { tenantId, id } = payment;
  const about = { tenantId, type, resource: 'payment', resourceId: id, kind: kindOf(payment) };
  return { ...caller, ...about, data: paymentData(payment, more), occurredAt };
}

export interface BatchRequest {
  readonly caller: Caller;
  readonly due: readonly DueRow[];
  /** Payments beyond those of the due rows: ended ones, whose own row is then locked. */
  readonly ended?: readonly PaymentKey[];
  /** Payees are locked as well; without it only what is reserved can be given back. */
  readonly pays: boolean;
  /** Refunds: the payees pay and the payer is paid. */
  readonly reversed?: boolean;
  /** Daily limits set at tenant level, for a verb that may send or reserve more. */
  readonly limits?: TenantLimits;
  /** Which payments this verb may count in daily limits; default all. */
  readonly counts?: (payment: Payment) => boolean;
  /** Whether payers of payments without reserved funds get a balance, because their funds are to be reserved. */
  readonly holds?: boolean;
  /** Which payments move money of their payers; the balances of the others are not locked. Default all. */
  readonly moves?: (payment: Payment) => boolean;
  /** Other balances that the verb moves. */
  readonly others?: readonly BalanceKey[];
  /** When its rows were claimed, by the monotonic clock; default now. */
  readonly begunMs?: number;
}

/** Loads and locks what the due rows stand for. The due rows themselves are held by the caller. */
export async function openBatch(tx: Transaction, clock: Clock, request: BatchRequest): Promise<Batch> {
  const items = await loadItems(tx, request.due, request.ended);
  return openBatchOf(tx, clock, items, request);
}

export async function openBatchOf(
  tx: Transaction,
  clock: Clock,
  items: readonly Item[],
  request: Omit<BatchRequest, 'due' | 'ended'>,
): Promise<Batch> {
  const { begunMs = performance.now() } = request;
  const { counts = () => true, moves, others = [] } = request;
  const moved = moves ? items.filter(({ payment }) => moves(payment)) : items;
  const balances = balancesOf(moved, request);
  const book = await openBook(tx, clock, { ...balances, debits: [...balances.debits, ...others] });
  const payers = moved.flatMap(({ payment, due }) =>
    counts(payment) ? [{ ...payerBalance(payment), impatient: due !== null && due.blocked > 0 }] : [],
  );
  const spend = await Spend.open(tx, clockUnderLock(clock, book), book, payers, request.limits);
  return new Batch(clock, request.caller, items, book, spend, begunMs);
}

/**
 * The payments of due rows that we hold. Holding the due row (or, for an ended payment, its own) is enough: nobody else
 * changes the payment.
 */
export async function loadItems(
  tx: Transaction,
  due: readonly DueRow[],
  endedKeys: readonly PaymentKey[] = [],
): Promise<Item[]> {
  const keys = due.map((row) => ({ tenantId: row.tenantId, id: row.paymentId }));
  const scheduled = await loadPayments(tx, keys);
  const ended = endedKeys.length > 0 ? await readPayments(tx, endedKeys, { lock: true }) : [];
  const itemOf = (payment: Payment, row: DueRow | null, place = ''): Item => ({
    payment,
    due: row,
    place,
    mayWait: payment.lastCode !== null,
  });
  return [
    ...due.flatMap((row, index) => {
      const found = scheduled[index];
      return found ? [itemOf(found.payment, row, found.place)] : [];
    }),
    ...ended.map((payment) => itemOf(payment, null)),
  ];
}

/** Everything but the balances: can be written before they are locked, if the decisions are checked again under the lock. */
export async function writeBatchHistory(
  tx: Transaction,
  batch: Batch,
  options: { withTransfers?: boolean; events?: LaterAppend } = {},
): Promise<void> {
  const { withTransfers = true, events } = options;
  const changed = [...batch.changed].filter((item) => !batch.paidWhole.has(item)).map((item) => item.payment);
  const written = async (count: Promise<number>, expected: number): Promise<void> =>
    invariant((await count) === expected, 'every payment of a batch to exist');
  const steps: (() => Promise<unknown>)[] = withTransfers ? [() => writeHistoryOf(tx, batch.book)] : [];
  steps.push(() => batch.spend.write(tx));
  const { approvals, owners } = batch;
  if (approvals) steps.push(() => approvals.write(tx));
  if (owners) steps.push(() => owners.write(tx));
  if (changed.length > 0) steps.push(() => written(updatePayments(tx, changed), changed.length));
  if (batch.paidWhole.size > 0) {
    steps.push(() => written(settlePayments(tx, [...batch.paidWhole], batch.clock.now), batch.paidWhole.size));
  }
  if (batch.dueRemoved.length > 0) steps.push(() => deleteDue(tx, batch.dueRemoved));
  if (batch.dueMoved.length > 0) steps.push(() => moveDue(tx, batch.dueMoved));
  if (batch.dueAdded.length > 0) steps.push(() => insertDue(tx, batch.dueAdded));
  if (batch.waitingRemoved.length > 0) steps.push(() => deleteWaiting(tx, batch.waitingRemoved));
  if (batch.waitingAdded.length > 0) steps.push(() => insertWaiting(tx, batch.waitingAdded));
  if (batch.lettersRemoved.length > 0) steps.push(() => deleteDeadLetters(tx, batch.lettersRemoved));
  if (batch.lettersAdded.length > 0) steps.push(() => insertDeadLetters(tx, batch.lettersAdded));
  if (batch.refunds.length > 0) steps.push(() => insertRefunds(tx, batch.refunds));
  steps.push(() => (events ? events.write() : appendEvents(tx, batch.facts)));
  await tx.together(steps);
  batch.noteAttempts(tx);
}

export async function writeBatch(tx: Transaction, batch: Batch): Promise<void> {
  await tx.together([() => writeBalancesOf(tx, batch.book), () => writeBatchHistory(tx, batch)]);
}

export function newRefund(item: Item, accountId: Uuid, amount: bigint, at: Date): Refund {
  return { tenantId: item.payment.tenantId, id: newId(), paymentId: item.payment.id, accountId, amount, createdAt: at };
}
