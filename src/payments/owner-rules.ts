// Rules of the owner of a payment: of the subscription, allowance or schedule that made it. What the row itself can tell is
// decided here; what takes the owner's own rows is decided by the schedules module, which lies above this one and hands its
// rules in. Every way to a verb goes through the verb, so none goes past them.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse, toTypeId } from '../kernel/index.ts';
import type { Refused } from '../ledger/index.ts';
import type { Owner, Payment } from './payment.ts';

export interface OwnedPayment extends Pick<Payment, 'tenantId' | 'id'> {
  readonly owner: Owner;
}

export interface OwnerRules {
  /**
   * Which of these failed payments may not be tried again, and why. It locks the owners, and is asked before the payments are
   * locked: their owners come first in the order of locks.
   */
  retry(tx: Transaction, payments: readonly OwnedPayment[]): Promise<ReadonlyMap<Uuid, Refused>>;
}

/** A subscription charges, and an allowance credits, what was agreed, when it was agreed. */
export function requireOwnTerms({ owner }: Payment): void {
  if (owner?.kind === 'subscription')
    refuse(
      'PAYMENT_OWNED',
      `the payment is a charge of the subscription ${toTypeId('subscription', owner.id)}, which decides its amount and instant; cancel the charge, or cancel the subscription and begin another`,
    );
  if (owner?.kind === 'allowance')
    refuse(
      'PAYMENT_OWNED',
      `the payment is a credit of the allowance ${toTypeId('schedule', owner.id)}, which decides its amount and instant; cancel the credit, or change the allowance`,
    );
}
