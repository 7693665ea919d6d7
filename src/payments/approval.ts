// Approval. A payment above the threshold reserves its funds and waits for a second person (approve.ts), for at most `approvalWithinMs`.
// Its due row is set to approval_until, or to expires_at if earlier; the processor expires it then. The access module decides which
// callers are the same person.
import type { Clock } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Batch, Item } from './batch.ts';
import type { OrderBounds } from './order.ts';
import type { Payment } from './payment.ts';
import { dueAtOf } from './payment.ts';

/** Puts the payment back to awaiting approval, even if it was approved before. */
export function askForApproval(batch: Batch, item: Item, bounds: OrderBounds): void {
  batch.change(item, 'scheduled', { approval: 'awaited', approvalUntil: approvalUntil(batch.clock, bounds) });
  batch.moveDue(item, dueAtOf(item.payment, batch.clock.now));
  // A credit must not wake it.
  if (item.mayWait) batch.waitingRemoved.push(item.payment);
  const { termsVersion } = item.payment;
  batch.tell(item, 'payment.approval_requested', { termsVersion });
}

/** Deadline of an approval requested now. */
export function approvalUntil(clock: Clock, bounds: OrderBounds): Date {
  return new Date(clock.now.getTime() + bounds.approvalWithinMs);
}

export function requireApproved(payment: Payment): void {
  if (payment.approval === 'awaited') refuse('APPROVAL_AWAITED', { payment: payment.id });
}
