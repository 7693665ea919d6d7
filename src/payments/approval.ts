// Approval. Above a set amount a payment is made, its funds are set aside, and then it waits, out of reach of every processor, until
// another person than those who decided its terms approves or rejects it (approve.ts). Who is the same person is decided by
// the access module.
import { refuse } from '../kernel/index.ts';
import type { Batch, Item } from './batch.ts';
import type { Payment } from './payment.ts';
import { NOT_DUE } from './payment.ts';

/** Its terms are such that somebody else has to agree, again if somebody did before. */
export function askForApproval(batch: Batch, item: Item): void {
  batch.change(item, 'scheduled', { approval: 'awaited' });
  batch.moveDue(item, NOT_DUE);
  // A credit must not wake it.
  if (item.mayWait) batch.waitingRemoved.push(item.payment);
  batch.tell(item, 'payment.approval_requested', { amount: item.payment.amount, asset: item.payment.asset });
}

export function requireApproved(payment: Payment): void {
  if (payment.approval === 'awaited')
    refuse('APPROVAL_AWAITED', 'the payment waits for the approval of a second person');
}
