// Approval. Above a set amount a payment is made, its funds are set aside, and then it waits until another person than those who decided
// its terms approves or rejects it (approve.ts), but no longer than `approvalWithinMs`. Its due row stands at the end of that time, or at
// `expires_at` where that is sooner, and what comes due there expires. Who is the same person is decided by the access module.
import type { Clock } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Batch, Item } from './batch.ts';
import type { OrderBounds } from './order.ts';
import type { Payment } from './payment.ts';
import { dueAtOf } from './payment.ts';

/** Its terms are such that somebody else has to agree, again if somebody did before. */
export function askForApproval(batch: Batch, item: Item, bounds: OrderBounds): void {
  batch.change(item, 'scheduled', { approval: 'awaited', approvalUntil: approvalUntil(batch.clock, bounds) });
  batch.moveDue(item, dueAtOf(item.payment, batch.clock.now));
  // A credit must not wake it.
  if (item.mayWait) batch.waitingRemoved.push(item.payment);
  batch.tell(item, 'payment.approval_requested', { amount: item.payment.amount, asset: item.payment.asset });
}

/** The end of the time in which it can be given, where it is asked for now. */
export function approvalUntil(clock: Clock, bounds: OrderBounds): Date {
  return new Date(clock.now.getTime() + bounds.approvalWithinMs);
}

export function requireApproved(payment: Payment): void {
  if (payment.approval === 'awaited')
    refuse('APPROVAL_AWAITED', 'the payment waits for the approval of a second person');
}
