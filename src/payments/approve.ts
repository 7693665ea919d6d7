// The decision of a second person: a payment that awaits approval (approval.ts) is approved, or rejected and thereby cancelled.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Identities } from '../ledger/index.ts';
import type { Changed } from './answers.ts';
import { parseReason } from './order.ts';
import type { Payment } from './payment.ts';
import { dueAtOf, makersOf, termsOf } from './payment.ts';
import { changeScheduled } from './scheduled.ts';
import { SecondPerson } from './second-person.ts';
import type { PaymentKey } from './store.ts';

export interface RejectionOrder extends PaymentKey {
  readonly reason: string;
}

export interface ApprovalOrder extends PaymentKey {
  /** The payment's `termsVersion` that the approver saw. */
  readonly termsVersion: number;
  readonly reason?: string;
}

/** From now on it runs like any other: at its instant, or at once where that has passed. */
export function approvePayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly ApprovalOrder[],
  identities: Identities,
): Promise<Changed[]> {
  const second = new SecondPerson(tx, caller, identities);
  const how = { caller, pays: false, verb: 'approved', moves: true, prepare: second.lookUp };
  return changeScheduled(tx, clock, orders, how, (batch, item, order) => {
    const reason = parseReason(order.reason);
    second.requireToDecide(item.payment);
    requireSeen(item.payment, order.termsVersion);
    batch.change(item, 'scheduled', { approval: 'given' });
    batch.moveDue(item, dueAtOf(item.payment, clock.now));
    const [old, next] = [{ approval: 'awaited' }, { approval: 'given' }];
    const terms = termsOf(item.payment);
    batch.tell(item, 'payment.approved', { old, new: next, ...terms, termsBy: makersOf(item.payment), reason });
  });
}

/** Ends a payment that awaits approval as cancelled and releases its funds. */
export function rejectPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly RejectionOrder[],
  identities: Identities,
): Promise<Changed[]> {
  const second = new SecondPerson(tx, caller, identities);
  const how = { caller, pays: false, verb: 'rejected', moves: false, allowedAfterExpiry: true, prepare: second.lookUp };
  return changeScheduled(tx, clock, orders, how, (batch, item, order) => {
    const { payment } = item;
    const reason = parseReason(order.reason.trim());
    if (!reason) refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
    second.requireToDecide(payment);
    batch.endEarly(item, 'rejected', { termsBy: makersOf(payment), reason });
  });
}

function requireSeen({ id, termsVersion, amount, asset, executeAt }: Payment, seen: number): void {
  if (!Number.isSafeInteger(seen) || seen < 1)
    refuse('FIELD_INVALID/not_whole_number_from', { param: 'termsVersion', min: 1 });
  if (seen === termsVersion) return;
  refuse('APPROVAL_TERMS_CHANGED', {
    param: 'termsVersion',
    payment: id,
    current: termsVersion,
    amount: { amount, asset },
    executeAt,
    seen,
  });
}
