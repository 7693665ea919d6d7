// Verbs on payments that are over: refund what was settled, try again what failed. There is no due row to hold, so the
// payment's own row is locked, before the balances.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { isRefused } from '../ledger/index.ts';
import type { Batch, Item } from './batch.ts';
import { newRefund, openBatch, payerBalance, writeBatch } from './batch.ts';
import { parseReason } from './order.ts';
import type { Payment, PaymentStatus } from './payment.ts';
import { restOf } from './payment.ts';
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
  const wanted = { status: 'settled', verb: 'refunded', reversed: true } as const;
  const { batch, item } = await openEnded(tx, clock, caller, order, wanted);
  const { payment } = item;
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
  batch.change(item, 'settled', { refunded: payment.refunded + total });
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

/** An operator's second chance for a failed payment: attempts start over and funds are reserved anew. Throws a Refusal. */
export async function retryPayment(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: PaymentKey & { reason?: string },
): Promise<Payment> {
  const reason = parseReason(key.reason);
  const wanted = { status: 'failed', verb: 'retried', reversed: false } as const;
  const { batch, item } = await openEnded(tx, clock, caller, key, wanted);
  const { payment } = item;
  const refused = payment.funding === 'reserve' ? batch.book.hold(payerBalance(payment), restOf(payment)) : null;
  if (refused) refuse(refused.code, refused.detail);
  const expired = payment.expiresAt !== null && payment.expiresAt <= clock.now;
  const fields = { attempts: 0, released: 0n, ...(expired ? { expiresAt: null } : {}) };
  batch.change(item, 'scheduled', fields);
  const { tenantId, id, clockId, priority } = payment;
  batch.dueAdded.push({ tenantId, paymentId: id, clockId, priority, dueAt: clock.now, blocked: 0 });
  batch.lettersRemoved.push(payment);
  batch.tell(item, 'payment.retried', { old: { status: 'failed' }, new: { status: 'scheduled' }, reason });
  await writeBatch(tx, batch);
  return item.payment;
}

/**
 * Refuses by the payment's state before any balance is locked: one that is scheduled after all may be in the hands of a
 * settlement, which has the balances and is about to write the payment that we hold.
 */
async function openEnded(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: PaymentKey,
  wanted: { status: PaymentStatus; verb: string; reversed: boolean },
): Promise<{ batch: Batch; item: Item }> {
  const { status, verb, reversed } = wanted;
  const [payment] = await readPayments(tx, [key], { lock: true });
  if (payment && payment.status !== status)
    refuse('PAYMENT_STATE_CONFLICT', `the payment is ${payment.status}: only a ${status} one can be ${verb}`);
  const batch = await openBatch(tx, clock, { caller, due: [], ended: [key], pays: false, reversed });
  const [item] = batch.items;
  return item ? { batch, item } : refuse('PAYMENT_NOT_FOUND', 'there is no such payment');
}
