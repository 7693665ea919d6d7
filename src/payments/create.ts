// Creating payments: many at once, each with its own outcome. Refusals are decided without raising anything in the
// database, so that one bad order never spoils the others of its batch; the funds of those that reserve are taken in
// order, as if each had come alone.
import type { Transaction } from '../db/index.ts';
import { appendEvents, textsData } from '../events/index.ts';
import type { Caller, Clock, RefusalError, Refused, Uuid } from '../kernel/index.ts';
import {
  Refusal,
  eachTogether,
  errorOf,
  namingAccount,
  newId,
  refuse,
  refused,
  together,
  within,
} from '../kernel/index.ts';
import type { Book, BookRequest } from '../ledger/index.ts';
import {
  clockUnderLock,
  derivedAccount,
  ensureBalances,
  openBook,
  writeBook,
  requireMayMove,
} from '../ledger/index.ts';
import type { Pauses } from '../tenants/index.ts';
import { readPauses } from '../tenants/index.ts';
import { amountLimits } from './amount-limits.ts';
import type { Changed } from './answers.ts';
import { answer } from './answers.ts';
import { payeeBalances, payerBalance, paymentFact } from './batch.ts';
import { CreateApprovals } from './create-approvals.ts';
import { Directory } from './directory.ts';
import { insertDue } from './due-store.ts';
import type { OrderBounds, ParsedOrder, PaymentOrder } from './order.ts';
import { parseOrder, payeesOf } from './order.ts';
import type { Owner, Payment } from './payment.ts';
import { dueAtOf, namespaceOf } from './payment.ts';
import { checkedPayout, duePriorityOf } from './payout-terms.ts';
import { isPaused, openGuards } from './payout-guards.ts';
import type { SpendingPayer } from './spend.ts';
import { Spend } from './spend.ts';
import { insertPayments, takenReferences } from './store.ts';

export interface CreateOrder {
  readonly tenantId: Uuid;
  readonly caller: Caller;
  readonly order: PaymentOrder;
  /**
   * Agreed on long before, by a schedule: its accounts are ids that are there and have their balances. It is made although
   * one of them is suspended: its attempts find that out, and find out when it is over. Whoever asks now is told at once.
   */
  readonly agreed?: boolean;
  /** Every actor beside the caller that decided its terms: none of them can approve it. */
  readonly termsBy?: readonly string[];
  /** What makes it, where that is not the caller. Only the schedules module sets it: no order of a caller carries one. */
  readonly owner?: Owner;
  /** Refused as `BUSY`, instead of waiting, where another transaction holds the payer's balance or the tenant's daily total. */
  readonly impatient?: boolean;
}

/** `held` says what another transaction holds, of an impatient order that is refused as `BUSY`. */
export type Created = Changed | { readonly refused: Refused & Partial<Held> };

type Held = Refused & { readonly held: 'payer' | 'total' };

export const MAX_BULK = 10_000;

const PAYER_BUSY: Held = { ...refused('BUSY/payer_balance'), held: 'payer' };
const MAKER_BUSY: Held = { ...refused('BUSY/maker_total'), held: 'payer' };
const TOTAL_BUSY: Held = { ...refused('BUSY/tenant_total'), held: 'total' };

/** The answer at i is of order i. What is refused has changed nothing. */
export async function createPayments(
  tx: Transaction,
  clock: Clock,
  orders: readonly CreateOrder[],
  bounds: OrderBounds,
  /** Hears the refs of the accounts that the orders name, which are read anyway. */
  onRefs?: (refs: ReadonlyMap<Uuid, string>) => void,
): Promise<Created[]> {
  if (orders.length === 0) return [];
  const tenants = [...new Set(orders.map((order) => order.tenantId))];
  const [directory, pauses] = await tx.together([() => Directory.read(tx, orders), () => readPauses(tx, tenants)]);
  onRefs?.(directory.refs);
  const results: Created[] = orders.map((order) =>
    answer(() => ({ payment: plan(order, clock, bounds, directory, pauses) })),
  );
  const planned = (): Payment[] => results.flatMap((result) => ('payment' in result ? [result.payment] : []));
  const refuseWhere = (find: (payment: Payment, index: number) => Refused | null): void => {
    results.forEach((result, index) => {
      const found = 'payment' in result ? find(result.payment, index) : null;
      if (found) results[index] = { refused: namingAccount(found, (id) => directory.nameIn(orders[index], id)) };
    });
  };

  const taken = await referencesTaken(tx, planned());
  refuseWhere((payment) => takenReference(payment, taken));
  const limits = await amountLimits(tx, planned());
  refuseWhere(limits.refused);
  refuseWhere(await openGuards(tx, bounds, planned()));
  const writes: (() => Promise<void>)[] = [];
  const payers = payersOf(results, orders);
  const book = payers.length > 0 ? await openBook(tx, clock, bookRequest(payers)) : null;
  const now = book ? clockUnderLock(clock, book).now : clock.now;
  const spend = book ? await Spend.open(tx, { ...clock, now }, book, payers, limits.daily) : null;
  const approvals = await CreateApprovals.open(tx, clock, orders, results, limits);
  refuseWhere((_, index) => (orders[index]?.impatient && approvals?.isBusy(index) ? MAKER_BUSY : null));
  if (book && spend) {
    // Only who gets its funds takes its reference: after a refusal the next order of that reference has its chance.
    refuseWhere(
      (payment, index) =>
        takenReference(payment, taken) ??
        (orders[index]?.impatient ? requireFree(book, spend, payment) : null) ??
        reserve(book, spend, payment) ??
        take(payment, taken),
    );
    // Counted at the instant of the lock, and given back there: an hour or a limit may have begun since the payment was asked for.
    const heldAt = now > clock.now ? now : null;
    results.forEach((result, index) => {
      if (!('payment' in result) || result.payment.funding !== 'reserve') return;
      const counted = spend.countedBy(payerBalance(result.payment));
      if (counted > 0) results[index] = { payment: { ...result.payment, counted, heldAt } };
    });
    writes.push(
      () => writeBook(tx, book),
      () => spend.write(tx),
    );
  } else {
    refuseWhere((payment) => takenReference(payment, taken) ?? take(payment, taken));
  }
  approvals?.askWhereNeeded(results, bounds);
  if (approvals) writes.push(() => approvals.write(tx));
  // So that settling finds a balance to credit, and need not make one between its locks. One that somebody is making at
  // the moment is left to him: a create waits for no payee.
  const made = orders.flatMap(({ caller, agreed }, index) => {
    const result = results[index];
    return result && 'payment' in result ? [{ caller, agreed, payment: result.payment }] : [];
  });
  if (made.length > 0) {
    const payees = made.flatMap(({ payment, agreed }) => (agreed ? [] : payeeBalances(payment)));
    if (payees.length > 0) writes.push(() => ensureBalances(tx, payees, { skipLocked: true }));
    writes.push(...insertion(tx, clock, made));
  }
  await tx.together(writes);
  return results;
}

/** The same, but all or none: where one is refused the transaction must be rolled back by the caller, who gets the refusals. */
export function requireAll(results: readonly Created[]): void {
  const index = results.findIndex((result) => 'refused' in result);
  const first = results[index];
  if (!first || 'payment' in first) return;
  throw new BulkRefusal(results, index, within(`payments[${index}]`, first.refused));
}

/** A refused payment of an atomic request. */
export interface BulkRefusalError extends RefusalError {
  /** Its index in `payments`, from 0. */
  readonly index: number;
}

/** A refused `createMany` with `atomic`: no payment was created. Its code and message are those of the first refused payment. */
export class BulkRefusal extends Refusal {
  /** `BulkRefusal`. */
  override readonly name = 'BulkRefusal';
  /** Every refused payment, in the order of the request. Field names are relative to the payment. */
  override readonly errors: readonly BulkRefusalError[];
  readonly #results: readonly Created[];

  /** @internal */
  constructor(results: readonly Created[], index: number, first: Refused) {
    super(first);
    this.message = `payments[${index}]: ${this.message}`;
    this.#results = results;
    this.errors = results.flatMap((result, at) =>
      'refused' in result ? [{ index: at, ...errorOf(result.refused, 'camel') }] : [],
    );
  }

  /**
   * The outcome of each payment: those that were not refused themselves are aborted with the others.
   * @internal
   */
  get results(): readonly { readonly refused: Refused }[] {
    const aborted = { refused: refused('BATCH_ABORTED') };
    return this.#results.map((result) => ('refused' in result ? result : aborted));
  }
}

function plan(wanted: CreateOrder, clock: Clock, bounds: OrderBounds, directory: Directory, pauses: Pauses): Payment {
  const { tenantId, caller } = wanted;
  const { order, payerId, asset, payees } = together({
    order: (): ParsedOrder => parseOrder(wanted.order, clock, bounds),
    payerId: () => directory.account(wanted, wanted.order.from, 'from'),
    asset: () => directory.asset(tenantId, wanted.order.asset),
    payees: () => eachTogether(payeesOf(wanted.order), ({ to, param }) => directory.account(wanted, to, param)),
  });
  const legs = order.legs.map((leg, index) => {
    const accountId = payees[index] ?? directory.world(tenantId);
    if (accountId === payerId) refuse('SELF_TRANSFER', { param: wanted.order.legs ? `legs[${index}].to` : 'to' });
    return { accountId, amount: leg.amount };
  });
  if (legs.length > 1 && new Set(legs.map((leg) => leg.accountId)).size < legs.length) {
    refuse('LEGS_INVALID/duplicate_account', { param: 'legs' });
  }
  requireMayMove(caller, { tenantId, from: [payerId], to: [] }, 'from');
  requireMayMove(
    caller,
    { tenantId, from: [], to: legs.map((leg) => leg.accountId) },
    order.legs.length === 1 ? 'to' : 'legs',
  );
  const { rail } = order;
  // What was agreed was checked then. A chain that is not there now may be when the payout runs.
  const payout = wanted.agreed ? order.payout : checkedPayout(order, { tenantId, asset, amount: order.amount }, bounds);
  if (isPaused(pauses, { tenantId, asset, rail, payout })) refuse('PAUSED', { asset });
  return {
    tenantId,
    id: newId(),
    status: 'scheduled',
    rail,
    payout,
    funding: order.funding,
    payerId,
    legs,
    asset,
    amount: order.amount,
    captured: 0n,
    released: 0n,
    refunded: 0n,
    captures: 0,
    executeAt: order.executeAt,
    expiresAt: order.expiresAt,
    priority: order.priority,
    attempts: 0,
    retry: order.retry ?? (wanted.owner && bounds.retries?.[wanted.owner.kind]) ?? null,
    reference: order.reference,
    metadata: order.metadata,
    lastCode: null,
    lastDetail: null,
    approval: null,
    approvalUntil: null,
    termsVersion: 1,
    termsBy: wanted.termsBy ?? [],
    heldAt: null,
    counted: 0,
    uncounted: null,
    clockId: clock.clockId,
    owner: wanted.owner ?? null,
    createdBy: caller.actor,
    createdAt: clock.now,
    updatedAt: clock.now,
    endedAt: null,
  };
}

function reserve(book: Book, spend: Spend, payment: Payment): Refused | null {
  return payment.funding === 'reserve' ? spend.hold(book, payerBalance(payment), payment.amount) : null;
}

/** Of the payments that reserve. */
function payersOf(results: readonly Created[], orders: readonly CreateOrder[]): SpendingPayer[] {
  return results.flatMap((result, index) =>
    'payment' in result && result.payment.funding === 'reserve'
      ? [{ ...payerBalance(result.payment), impatient: orders[index]?.impatient ?? false }]
      : [],
  );
}

function bookRequest(payers: readonly SpendingPayer[]): BookRequest {
  const { debits = [], impatient = [] } = Object.groupBy(payers, (payer) => (payer.impatient ? 'impatient' : 'debits'));
  return { debits, credits: [], impatient };
}

/** An impatient order's balance exists, so one that is not in the book is held by another transaction. */
function requireFree(book: Book, spend: Spend, payment: Payment): Held | null {
  if (payment.funding === 'reserve' && spend.isBusy(payment)) return TOTAL_BUSY;
  const isFree =
    payment.funding !== 'reserve' ||
    derivedAccount(payment.tenantId, payment.payerId) !== null ||
    book.balance(payerBalance(payment)) !== null;
  return isFree ? null : PAYER_BUSY;
}

function insertion(
  tx: Transaction,
  clock: Clock,
  planned: readonly { payment: Payment; caller: Caller }[],
): (() => Promise<void>)[] {
  const payments = planned.map(({ payment }) => payment);
  const due = payments.map((payment) => ({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    clockId: payment.clockId,
    priority: duePriorityOf(payment),
    rail: payment.rail,
    dueAt: payment.approval === 'awaited' ? dueAtOf(payment, clock.now) : payment.executeAt,
    blocked: 0,
  }));
  const facts = planned.flatMap(({ payment, caller }) => {
    const created = paymentFact(caller, clock, payment, 'payment.created', textsData(payment));
    if (payment.approval === null) return [created];
    return [created, paymentFact(caller, clock, payment, 'payment.approval_requested', { termsVersion: 1 })];
  });
  return [
    async () => {
      const [lost] = await insertPayments(tx, payments);
      // Free when we looked, taken now: funds are reserved already, so the whole batch must go. Alone it is refused
      // cleanly.
      if (lost) throw new Refusal(referenceExists(lost));
    },
    () => insertDue(tx, due),
    () => appendEvents(tx, facts),
  ];
}

async function referencesTaken(tx: Transaction, payments: readonly Payment[]): Promise<Set<string>> {
  const wanted = payments.flatMap(({ tenantId, reference, createdBy }) =>
    reference === null ? [] : [{ tenantId, reference, namespace: namespaceOf(createdBy) }],
  );
  return wanted.length === 0 ? new Set() : takenReferences(tx, wanted);
}

function takenReference(payment: Payment, taken: ReadonlySet<string>): Refused | null {
  if (payment.reference === null || !taken.has(referenceKey(payment))) return null;
  return referenceExists(payment);
}

const referenceExists = ({ reference }: Pick<Payment, 'reference'>): Refused =>
  refused('REFERENCE_EXISTS/payment', { param: 'reference', reference: reference ?? '' });

/** The second of two orders with one reference is refused. */
function take(payment: Payment, taken: Set<string>): null {
  if (payment.reference !== null) taken.add(referenceKey(payment));
  return null;
}

const referenceKey = ({ tenantId, createdBy, reference }: Payment): string =>
  `${tenantId}${namespaceOf(createdBy)}${reference}`;
