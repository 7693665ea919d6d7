// Verbs on payments that are scheduled: each takes a batch of orders and answers per order. They share one way in: the
// due rows are locked by key (waiting for a settlement that may have them), the payments loaded, the balances locked.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { Refusal, refuse, refused } from '../kernel/index.ts';
import type { Identities } from '../ledger/index.ts';
import { requireMayMove } from '../ledger/index.ts';
import { readPauses } from '../tenants/index.ts';
import { amountLimits } from './amount-limits.ts';
import type { Changed } from './answers.ts';
import { answer, inRounds } from './answers.ts';
import { askForApproval, requireApproved } from './approval.ts';
import type { MakerKey } from './approval-count.ts';
import { ApprovalCount, makerKeys } from './approval-count.ts';
import type { Batch, Item } from './batch.ts';
import { openBatch, payerBalance, writeBatch } from './batch.ts';
import { lockDue } from './due-store.ts';
import type { OrderBounds } from './order.ts';
import { parseExpiry, parseMetadata, parseReason, requireInRange } from './order.ts';
import { requireOwnTerms } from './owner-rules.ts';
import type { LimitParts, Payment } from './payment.ts';
import { countedOf, dueAtOf, flowOf, requireNotEnded, requireScheduled, restOf, termsOf } from './payment.ts';
import { openGuards } from './payout-guards.ts';
import { checkedPayout, isPayout } from './payout-terms.ts';
import { SecondPerson } from './second-person.ts';
import type { PaymentKey } from './store.ts';
import type { TenantLimits } from './tenant-limits.ts';
import { readPayments } from './store.ts';

/** Locks, loads, lets `decide` work on each order, writes. A Refusal thrown by `decide` is that order's answer. */
export function changeScheduled<T extends PaymentKey>(
  tx: Transaction,
  clock: Clock,
  orders: readonly T[],
  options: {
    caller: Caller;
    pays: boolean;
    verb: string;
    /** Cancel, fail and reject still work after expiry, before a processor runs. */
    allowedAfterExpiry?: boolean;
    limits?: TenantLimits;
    /** Whether the order lets money move, now or later: then external money asks for ledger:money. */
    moves: boolean | ((order: T) => boolean);
    /** Refuses what the payment's owner decides. */
    requireOwn?: (payment: Payment, order: T) => void;
    /** Reads what `decide` needs, under the locks. */
    prepare?: (batch: Batch) => Promise<void>;
  },
  decide: (batch: Batch, item: Item, order: T) => void,
): Promise<Changed[]> {
  const { caller, pays, verb, moves, allowedAfterExpiry = false, requireOwn, prepare, limits } = options;
  const movesMoney = typeof moves === 'boolean' ? () => moves : moves;
  return inRounds(orders, async (round) => {
    const due = await lockDue(tx, round);
    // A person's verb waits for locks: it does not inherit a processor's impatience.
    const patient = due.map((row) => ({ ...row, blocked: 0 }));
    const batch = await openBatch(tx, clock, { caller, due: patient, pays, ...(limits ? { limits } : {}) });
    const gone = round.filter((order) => !batch.item(order));
    const elsewhere = gone.length === 0 ? [] : await readPayments(tx, gone);
    await prepare?.(batch);
    const answers = round.map((order) =>
      answer(() => {
        const item = batch.item(order);
        const payment = item?.payment ?? find(elsewhere, order);
        if (payment && movesMoney(order)) requireMayMove(caller, flowOf(payment));
        if (!item) return refuseState(order, verb, payment);
        // One order of refusals for all verbs: external money, state, owner, expiry; in `decide` approval, pause, funds.
        requireScheduled(item.payment, verb);
        requireOwn?.(item.payment, order);
        if (!allowedAfterExpiry) requireNotEnded(item.payment, batch.lockedAt, verb);
        decide(batch, item, order);
        return { payment: item.payment };
      }),
    );
    await writeBatch(tx, batch);
    return answers;
  });
}

const find = (payments: readonly Payment[], key: PaymentKey): Payment | undefined =>
  payments.find(({ tenantId, id }) => tenantId === key.tenantId && id === key.id);

function refuseState({ id }: PaymentKey, verb: string, payment: Payment | undefined): never {
  if (!payment) return refuse('PAYMENT_NOT_FOUND', { payment: id });
  requireScheduled(payment, verb);
  return refuse('PAYMENT_STATE_CONFLICT/being_executed', { payment: id, verb });
}

export interface CancelOrder extends PaymentKey {
  readonly reason?: string;
}

/** Gives back what is reserved. A hold that was captured in part ends as settled, with its rest released. */
export function cancelPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly CancelOrder[],
): Promise<Changed[]> {
  const how = { caller, pays: false, verb: 'cancelled', moves: false, allowedAfterExpiry: true };
  return changeScheduled(tx, clock, orders, how, (batch, item, order) => {
    batch.endEarly(item, 'cancelled', { reason: parseReason(order.reason) });
  });
}

export interface CaptureOrder extends PaymentKey {
  /** Left out: everything that is left. */
  readonly amount?: bigint;
}

/** Takes a part of a hold now, from every leg in proportion (shares.ts). The last part settles it. */
export async function capturePayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly CaptureOrder[],
  identities: Identities,
): Promise<Changed[]> {
  const second = new SecondPerson(tx, caller, identities);
  const pauses = await readPauses(
    tx,
    orders.map((order) => order.tenantId),
  );
  const how = { caller, pays: true, verb: 'captured', moves: true, prepare: second.lookUp };
  return changeScheduled(tx, clock, orders, how, (batch, item, order) => {
    const { payment } = item;
    // Permanent refusals first: retrying after the pause or the approval would not help.
    if (isPayout(payment)) refuse('PAYMENT_STATE_CONFLICT/payout_not_captured', { payment: payment.id });
    if (payment.funding !== 'reserve') refuse('PAYMENT_STATE_CONFLICT/no_reserved_funds', { payment: payment.id });
    requireApproved(payment);
    second.requireToHurry(payment, batch.lockedAt);
    if (pauses.covers(payment)) refuse('PAUSED', { asset: payment.asset });
    const rest = restOf(payment);
    const amount = order.amount ?? rest;
    if (amount > rest) refuseCapture(payment, amount);
    const unpaid = batch.pay(item, amount, 'capture');
    if (unpaid) throw new Refusal(unpaid);
    const captured = payment.captured + amount;
    const captures = payment.captures + 1;
    const done = captured === payment.amount;
    batch.change(item, done ? 'settled' : 'scheduled', { captured, captures });
    if (done) batch.leaveDue(item);
    batch.tell(item, 'payment.captured', { capture: { number: captures, amount } });
    if (done) batch.tell(item, 'payment.settled', { old: { status: 'scheduled' } });
  });
}

function refuseCapture(payment: Payment, amount: bigint): never {
  const { id, asset } = payment;
  return refuse('CAPTURE_EXCEEDS_HOLD', {
    param: 'amount',
    payment: id,
    left: { amount: restOf(payment), asset },
    amount: { amount, asset },
  });
}

export interface EditOrder extends PaymentKey {
  readonly amount?: bigint;
  readonly executeAt?: Date;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const changesTerms = ({ amount, executeAt }: EditOrder): boolean => amount !== undefined || executeAt !== undefined;

/** Changes amount, instant or metadata. A larger amount of a hold needs the difference to be available. */
export async function editPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly EditOrder[],
  bounds: OrderBounds,
): Promise<Changed[]> {
  const named = orders.filter((order) => order.amount !== undefined);
  const before = orders.some(changesTerms) ? await readPayments(tx, orders.filter(changesTerms)) : [];
  const limits = await amountLimits(tx, named.length === 0 ? [] : before);
  const guarded = await openGuards(tx, bounds, before);
  const makersOf = (payment: Payment): MakerKey[] => makerKeys(payerBalance(payment), caller);
  const raised = new Set(named.map((order) => order.id));
  const prepare = async (batch: Batch): Promise<void> => {
    const counting = batch.items.flatMap(({ payment }) =>
      raised.has(payment.id) && limits.thresholdOf(payment) !== null ? makersOf(payment) : [],
    );
    if (counting.length > 0) batch.approvals = await ApprovalCount.open(tx, clock, counting);
  };
  const needsApproval = (batch: Batch, payment: Payment, more: bigint): boolean => {
    const threshold = limits.thresholdOf(payment);
    if (threshold === null || !batch.approvals) return false;
    return batch.approvals.needs(makersOf(payment), threshold, payment.amount, more);
  };
  const requireOwn = (payment: Payment, order: EditOrder): void => {
    if (changesTerms(order)) requireOwnTerms(payment);
  };
  const how = { caller, pays: false, verb: 'updated', moves: changesTerms, limits: limits.daily };
  const options = { ...how, requireOwn, prepare };
  return changeScheduled(tx, clock, orders, options, (batch, item, order) => {
    const before = item.payment;
    if (order.executeAt) requireInRange(order.executeAt, clock, before.funding, bounds);
    const executeAt = order.executeAt ?? before.executeAt;
    if (before.expiresAt) parseExpiry(before.expiresAt, executeAt);
    const metadata = order.metadata === undefined ? before.metadata : parseMetadata(order.metadata);
    const amount = order.amount ?? before.amount;
    // A chain may be unable to move the new amount exactly.
    if (amount !== before.amount) checkedPayout(before, { ...before, amount }, bounds);
    const overLimit = amount > before.amount ? limits.refused({ ...before, amount }) : null;
    if (overLimit) throw new Refusal(overLimit);
    const barred = changesTerms(order) ? guarded({ ...before, amount, executeAt }) : null;
    if (barred) throw new Refusal(barred);
    const fields = amount === before.amount ? {} : holdOther(batch, item, amount);
    batch.change(item, 'scheduled', { executeAt, metadata, ...fields });
    // A lower amount is within what was approved; a higher one, or another instant, is not.
    const moved = before.approval === 'given' && executeAt.getTime() !== before.executeAt.getTime();
    const more = amount - before.amount;
    const awaits = moved || before.approval === 'awaited';
    const asks = awaits || (more > 0n && needsApproval(batch, item.payment, more));
    const sameTerms = amount === before.amount && executeAt.getTime() === before.executeAt.getTime();
    // What is noted in the metadata is none of its terms: who asked stays who asked.
    if (before.approval === 'awaited' && sameTerms) return tellEdit(batch, item, before, order);
    if (asks) askForApproval(batch, item, bounds);
    else followEdit(batch, item, before, order);
    tellEdit(batch, item, before, order);
  });
}

function tellEdit(batch: Batch, item: Item, before: Payment, order: EditOrder): void {
  // Only an edit that sets the metadata stores it; every other event shows what the payment has.
  const { metadata } = item.payment;
  const changed = order.metadata === undefined ? {} : { changed: ['metadata'], metadata };
  batch.tell(item, 'payment.updated', { old: termsOf(before), new: termsOf(item.payment), ...changed });
}

/** What waits for its time, or for a credit, does so by the new terms. */
function followEdit(batch: Batch, item: Item, before: Payment, order: EditOrder): void {
  const { now } = batch.clock;
  // A new instant is when it is next tried, also where a retry or a credit was to come sooner.
  if (order.executeAt) batch.moveDue(item, dueAtOf(item.payment, now));
  // It lacked funds, and not merely so in a life before an operator's retry: a credit wakes it, but not before its instant.
  if (before.attempts === 0 || before.lastCode !== 'FUNDS_INSUFFICIENT') return;
  if (item.payment.executeAt > now) batch.waitingRemoved.push(item.payment);
  else batch.waitForCredit(item);
}

/** Holds more or gives back, as the new amount asks. */
function holdOther(batch: Batch, item: Item, amount: bigint): Partial<Payment> {
  const { payment } = item;
  if (payment.legs.length > 1) refuse('LEGS_INVALID/amount_fixed', { param: 'amount' });
  if (payment.captured > 0n) refuse('PAYMENT_STATE_CONFLICT/partly_captured', { payment: payment.id });
  const legs = payment.legs.map((leg) => ({ ...leg, amount }));
  if (payment.funding !== 'reserve') return { amount, legs };
  const payer = payerBalance(payment);
  const more = amount - payment.amount;
  if (more < 0n) {
    batch.spend.release(batch.book, payer, -more, countedOf(payment, -more));
    return { amount, legs, ...(payment.uncounted && { uncounted: atMost(payment.uncounted, amount) }) };
  }
  const unheld = batch.spend.hold(batch.book, payer, more);
  if (unheld) throw new Refusal(unheld);
  return { amount, legs, ...batch.spend.recount(payer, payment) };
}

const atMost = ({ account, tenant }: LimitParts, most: bigint): LimitParts => ({
  account: account < most ? account : most,
  tenant: tenant < most ? tenant : most,
});

export interface ExtendOrder extends PaymentKey {
  readonly expiresAt: Date;
}

/** Moves the expiry: later, or sooner as long as it stays ahead. A later one is not what was approved. */
export function extendPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly ExtendOrder[],
  bounds: OrderBounds,
): Promise<Changed[]> {
  const how = { caller, pays: false, verb: 'extended', moves: true };
  return changeScheduled(tx, clock, orders, how, (batch, item, order) => {
    const { payment } = item;
    const { lockedAt: now } = batch;
    parseExpiry(order.expiresAt, payment.executeAt);
    if (order.expiresAt <= now) refuse('EXPIRY_BEFORE_EXECUTION/in_past', { param: 'expiresAt' });
    batch.change(item, 'scheduled', { expiresAt: order.expiresAt });
    // What stands at the old expiry may be meant for later, what stands beyond the new one must come sooner. What awaits
    // approval is due where that ends.
    const isLater = payment.expiresAt !== null && order.expiresAt > payment.expiresAt;
    if (payment.approval === 'given' && isLater) askForApproval(batch, item, bounds);
    else if (payment.approval === 'awaited') batch.moveDue(item, dueAtOf(item.payment, now));
    else if (item.due && item.due.dueAt > order.expiresAt) batch.moveDue(item, order.expiresAt);
    batch.tell(item, 'payment.extended', { old: termsOf(payment), new: termsOf(item.payment) });
  });
}

export interface FailOrder extends PaymentKey {
  readonly reason: string;
}

/** An operator gives up on a payment. */
export function failPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly FailOrder[],
): Promise<Changed[]> {
  const how = { caller, pays: false, verb: 'failed', moves: false, allowedAfterExpiry: true };
  return changeScheduled(tx, clock, orders, how, (batch, item, order) => {
    const reason = parseReason(order.reason.trim());
    if (!reason) refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
    const { code, detail } = refused('FAILED_BY_OPERATOR', { explanation: reason });
    batch.fail(item, { code, detail }, item.payment.attempts, false);
  });
}

export interface RunNowOrder extends PaymentKey {
  readonly reason?: string;
}

/** Refuses a scheduled payment that the caller may not hurry. */
export function requireToRunNow(payment: Payment, second: SecondPerson, now: Date): void {
  requireApproved(payment);
  second.requireToHurry(payment, now);
}

/** Payments of a bulk run-now as its filter found them, and the filter, to be asked again under the locks. */
export interface FoundToRun {
  readonly payments: readonly Payment[];
  findAgain(now: Date): Promise<readonly Payment[]>;
}

/** Makes payments due now. Their terms stay; the next claim takes them. A payment that is due already stays as it is, without an event. */
export function runNow(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly RunNowOrder[],
  identities: Identities,
  found: FoundToRun | null = null,
): Promise<Changed[]> {
  const second = new SecondPerson(tx, caller, identities);
  const attempts = new Map(found?.payments.map((payment) => [payment.id, payment.attempts]));
  const unchanged = new Set<Uuid>();
  const prepare = async (batch: Batch): Promise<void> => {
    await second.lookUp(batch);
    for (const { id, attempts: made } of (await found?.findAgain(batch.lockedAt)) ?? [])
      if (attempts.get(id) === made) unchanged.add(id);
  };
  const how = { caller, pays: false, verb: 'run now', moves: true, prepare };
  return changeScheduled(tx, clock, orders, how, (batch, item, order) => {
    const reason = parseReason(order.reason);
    requireToRunNow(item.payment, second, batch.lockedAt);
    if (!item.due || item.due.dueAt <= batch.lockedAt) return;
    // While the call waited for the lock the payment was tried, or changed: to hurry it now would use up an attempt that the caller did not mean.
    if (found && !unchanged.has(order.id)) refuse('PAYMENT_STATE_CONFLICT/changed_since_found', { payment: order.id });
    batch.moveDue(item, clock.now);
    batch.tell(item, 'payment.run_now', { dueAt: item.due.dueAt, ...(reason === null ? {} : { reason }) });
  });
}
