// Rules of the owner of a payment: the subscription, allowance or schedule that made it. Rules that need only the payment row are
// here. Rules that need the subscription's rows are injected by schedules, which imports this module. The verbs themselves apply them, so
// no caller can bypass them.
import type { Sql, Transaction } from '../db/index.ts';
import type { Fact } from '../events/index.ts';
import type { Clock, Refused, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Owner, Payment } from './payment.ts';

export interface OwnedPayment extends Pick<Payment, 'tenantId' | 'id'> {
  readonly owner: Owner;
}

export interface OwnerRules {
  /**
   * Which of these failed payments may not be tried again, and why. It locks the owners, and is asked before the payments are
   * locked: their owners come first in the order of locks.
   */
  retry(tx: Transaction, clock: Clock, payments: readonly OwnedPayment[]): Promise<ReadonlyMap<Uuid, Refused>>;
  /** Limits refunds of these payments. It locks the owners as `retry` does. */
  refund(tx: Transaction, payments: readonly OwnedPayment[]): Promise<RefundRule>;
  /**
   * Which of these due payouts begin no further attempt, and why: their owner was cancelled while one was with its chain. Locks nothing: the
   * due rows are held already, and a cancel that comes later finds an attempt that has begun.
   */
  attempt(sql: Sql, clock: Clock, payments: readonly OwnedPayment[]): Promise<ReadonlyMap<Uuid, Refused>>;
  /** Locks what the owners of these due payments count, before any balance is locked. Null where no owner counts its payments. */
  settle(tx: Transaction, clock: Clock, payments: readonly OwnedPayment[]): Promise<SettlingOwners | null>;
}

/** The owners of a batch of payments that are settled. */
export interface SettlingOwners {
  /** Payments whose owner another transaction holds: they go back for a moment. */
  readonly busy: ReadonlySet<Uuid>;
  /** Counts a payment that was just paid. Returns the event about its owner; null where there is none. */
  settled(payment: Payment): Fact | null;
  /** Writes the counts that have changed since the last write. */
  write(tx: Transaction): Promise<void>;
}

/** Why `amount` more of a payment may not be refunded; null where it may, and then it counts as refunded for the next question. */
export type RefundRule = (payment: Payment, amount: bigint) => Refused | null;

/** A subscription charges, and an allowance credits, what was agreed, when it was agreed. */
export function requireOwnTerms({ owner }: Payment): void {
  if (owner?.kind === 'subscription') refuse('PAYMENT_OWNED/subscription', { subscription: owner.id });
  if (owner?.kind === 'allowance') refuse('PAYMENT_OWNED/allowance', { allowance: owner.id });
}
