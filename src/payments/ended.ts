// Verbs on payments that are over: refund what was settled, try again what failed. There is no due row to hold, so the
// payment's own row is locked, before the balances.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Refused } from '../ledger/index.ts';
import { isRefused } from '../ledger/index.ts';
import { readPauses } from '../tenants/index.ts';
import type { Batch } from './batch.ts';
import { newRefund, openBatch, payerBalance, writeBatch } from './batch.ts';
import { deleteDeadLetters } from './due-store.ts';
import { parseReason } from './order.ts';
import type { Payment } from './payment.ts';
import { NOT_DUE, restOf } from './payment.ts';
import type { Changed } from './scheduled.ts';
import type { PaymentKey, Refund } from './store.ts';
import { listRefunds, readPayments } from './store.ts';

export interface RefundOrder extends PaymentKey {
  /** Left out: everything that was not refunded yet. */
  readonly amount?: bigint;
  /** The payee that gives back, where there are several and it is not all of them. */
  readonly fromAccountId?: string;
  readonly reason?: string;
}

export interface Refunded {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
}

/** From the payees back to the payer, never more than was paid, leg by leg. Throws a Refusal. */
export async function refundPayment(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  order: RefundOrder,
): Promise<Refunded> {
  const reason = parseReason(order.reason);
  const pauses = await readPauses(tx);
  const { batch, refusalOf } = await openEnded(tx, clock, caller, [order], {
    isFit: wasPaid,
    reversed: true,
    ...REFUND,
  });
  const item = batch?.item(order);
  if (!batch || !item) return refuseWith(refusalOf(order));
  const { payment } = item;
  if (pauses.covers(payment)) refuse('PAUSED', 'outgoing payments are paused, and so are refunds; ask the operator');
  const parts = shareOfLegs(payment, await listRefunds(tx, order), order);
  const total = parts.reduce((sum, part) => sum + part.amount, 0n);
  if (total === 0n) refuse('REFUND_EXCEEDS_PAYMENT', 'everything that was paid has been refunded');

  const refunds = parts
    .filter((part) => part.amount > 0n)
    .map((part) => newRefund(item, part.accountId, part.amount, clock.now));
  const refused = batch.book.allOrNothing(() => {
    for (const refund of refunds) {
      const { tenantId, asset, payerId, id } = payment;
      const outcome = batch.book.transfer({
        tenantId,
        asset,
        debitAccountId: refund.accountId,
        creditAccountId: payerId,
        amount: refund.amount,
        kind: 'refund',
        paymentId: id,
        description: reason,
      });
      if (isRefused(outcome)) return outcome;
    }
    return null;
  });
  if (refused) refuse(refused.code, refused.detail);
  batch.refunds.push(...refunds);
  batch.change(item, payment.status, { refunded: payment.refunded + total });
  batch.tell(item, 'payment.refunded', {
    amount: total,
    refunded: item.payment.refunded,
    reason,
  });
  await writeBatch(tx, batch);
  return { payment: item.payment, refunds };
}

/** How much each payee gives back. */
function shareOfLegs(
  payment: Payment,
  earlier: readonly Refund[],
  order: RefundOrder,
): { accountId: string; amount: bigint }[] {
  const paid =
    payment.legs.length === 1 ? payment.legs.map((leg) => ({ ...leg, amount: payment.captured })) : payment.legs;
  const left = paid.map((leg) => {
    const back = earlier
      .filter((refund) => refund.accountId === leg.accountId)
      .reduce((sum, refund) => sum + refund.amount, 0n);
    return { accountId: leg.accountId, amount: leg.amount - back };
  });
  const from = order.fromAccountId;
  const chosen = from === undefined ? left : left.filter((leg) => leg.accountId === from);
  if (chosen.length === 0) refuse('LEGS_INVALID', 'that account was not paid by this payment', { param: 'from' });
  const most = chosen.reduce((sum, leg) => sum + leg.amount, 0n);
  const amount = order.amount ?? most;
  if (amount > most) refuse('REFUND_EXCEEDS_PAYMENT', `${most} is left to refund, ${amount} was asked`);
  if (amount === most) return chosen;
  const [only] = chosen;
  if (!only || chosen.length > 1)
    return refuse('LEGS_INVALID', 'a part of a payment with legs: say from which payee', { param: 'from' });
  return [{ accountId: only.accountId, amount }];
}

export interface RetryOrder extends PaymentKey {
  readonly reason?: string;
}

/** An operator's second chance for failed payments: attempts start over and funds are reserved anew. */
export async function retryPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly RetryOrder[],
): Promise<Changed[]> {
  const { batch, refusalOf } = await openEnded(tx, clock, caller, orders, {
    isFit: isFailed,
    reversed: false,
    ...RETRY,
  });
  const results = orders.map((order): Changed => {
    const item = batch?.item(order);
    if (!batch || !item) return { refused: refusalOf(order) };
    const reason = parseReason(order.reason);
    const { payment } = item;
    const refused = payment.funding === 'reserve' ? batch.book.hold(payerBalance(payment), restOf(payment)) : null;
    if (refused) return { refused };
    const expired = payment.expiresAt !== null && payment.expiresAt <= clock.now;
    batch.change(item, 'scheduled', { attempts: 0, released: 0n, ...(expired ? { expiresAt: null } : {}) });
    const { tenantId, id, clockId, priority } = payment;
    // What failed while it waited for approval waits for it again.
    const dueAt = payment.approval === 'awaited' ? NOT_DUE : clock.now;
    batch.dueAdded.push({ tenantId, paymentId: id, clockId, priority, dueAt, blocked: 0 });
    batch.lettersRemoved.push(payment);
    batch.tell(item, 'payment.retried', { old: { status: 'failed' }, new: { status: 'scheduled' }, reason });
    return { payment: item.payment };
  });
  if (batch) await writeBatch(tx, batch);
  return results;
}

/** Somebody looked and left it at that: no longer a dead letter, and failed as before. Throws a Refusal. */
export async function discardPayment(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  order: PaymentKey & { readonly reason: string },
): Promise<Payment> {
  const reason = parseReason(order.reason.trim());
  if (!reason) refuse('FIELD_INVALID', 'discarding needs a reason', { param: 'reason' });
  const [payment] = await readPayments(tx, [order], { lock: true });
  if (!payment || (await deleteDeadLetters(tx, [order])) === 0)
    return refuse('DEAD_LETTER_NOT_FOUND', 'there is no such dead letter');
  const { tenantId, id, asset } = payment;
  const of = { ...caller, tenantId, resource: 'payment', resourceId: id };
  const data = { asset, amount: restOf(payment), code: payment.lastCode, reason };
  await appendEvents(tx, [{ ...of, type: 'payment.discarded', data, occurredAt: clock.now }]);
  return payment;
}

const REFUND = { fit: 'a settled one, or what was captured of a failed one,', verb: 'refunded' };
const RETRY = { fit: 'a failed one', verb: 'retried' };

const isFailed = (payment: Payment): boolean => payment.status === 'failed';

/** Settled, or failed after a part of it was captured: that part was paid. */
const wasPaid = (payment: Payment): boolean =>
  payment.status === 'settled' || (payment.status === 'failed' && payment.captured > 0n);

/**
 * Refuses by the payments' state before any balance is locked: one that is scheduled after all may be in the hands of a
 * settlement, which has the balances and is about to write the payment that we hold.
 */
async function openEnded(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  keys: readonly PaymentKey[],
  wanted: { isFit: (payment: Payment) => boolean; fit: string; verb: string; reversed: boolean },
): Promise<{ batch: Batch | null; refusalOf: (key: PaymentKey) => Refused }> {
  const { isFit, fit, verb, reversed } = wanted;
  const found = await readPayments(tx, keys, { lock: true });
  const ended = found.filter(isFit);
  return {
    batch: ended.length === 0 ? null : await openBatch(tx, clock, { caller, due: [], ended, pays: false, reversed }),
    refusalOf(key) {
      const payment = found.find(({ id }) => id === key.id);
      if (!payment) return { code: 'PAYMENT_NOT_FOUND', detail: 'there is no such payment' };
      return { code: 'PAYMENT_STATE_CONFLICT', detail: `the payment is ${payment.status}: only ${fit} can be ${verb}` };
    },
  };
}

function refuseWith({ code, detail }: Refused): never {
  return refuse(code, detail);
}
