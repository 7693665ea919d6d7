// A second person's word: what awaits approval (approval.ts) is approved, or rejected and thereby cancelled.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Changed } from './answers.ts';
import { parseReason } from './order.ts';
import type { Payment } from './payment.ts';
import { dueAtOf } from './payment.ts';
import { changeScheduled } from './scheduled.ts';
import type { PaymentKey } from './store.ts';

export interface ApprovalOrder extends PaymentKey {
  readonly reason?: string;
}

/** From now on it runs like any other: at its instant, or at once where that has passed. */
export function approvePayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly ApprovalOrder[],
): Promise<Changed[]> {
  return changeScheduled(tx, clock, orders, { caller, pays: false, verb: 'approved' }, (batch, item, order) => {
    const reason = parseReason(order.reason);
    requireSecondPerson(item.payment, caller);
    batch.change(item, 'scheduled', { approval: 'given' });
    batch.moveDue(item, dueAtOf(item.payment, clock.now));
    const [old, next] = [{ approval: 'awaited' }, { approval: 'given' }];
    batch.tell(item, 'payment.approved', { old, new: next, askedBy: item.payment.approvalAskedBy, reason });
  });
}

/** Cancelled, with what it set aside given back. */
export function rejectPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly (ApprovalOrder & { readonly reason: string })[],
): Promise<Changed[]> {
  return changeScheduled(tx, clock, orders, { caller, pays: false, verb: 'rejected' }, (batch, item, order) => {
    const { payment } = item;
    const reason = parseReason(order.reason.trim());
    if (!reason) refuse('FIELD_INVALID', 'rejecting a payment needs a reason', { param: 'reason' });
    requireSecondPerson(payment, caller);
    const released = batch.releaseRest(item);
    batch.change(item, 'cancelled', { released: payment.released + released });
    batch.leaveDue(item);
    const [old, next] = [{ status: 'scheduled' }, { status: 'cancelled' }];
    batch.tell(item, 'payment.rejected', { old, new: next, askedBy: payment.approvalAskedBy, released, reason });
  });
}

function requireSecondPerson(payment: Payment, caller: Caller): void {
  if (payment.approval !== 'awaited') refuse('PAYMENT_STATE_CONFLICT', 'the payment waits for nobody’s approval');
  if ([payment.createdBy, payment.approvalAskedBy].includes(caller.actor))
    refuse(
      'APPROVAL_NEEDS_ANOTHER',
      'who made the payment or changed its terms cannot decide on it; ask somebody else',
    );
}
