// A payment, and the table of its moves. The database has the same table (payment_moves) and refuses the rest.
import { isDeepStrictEqual } from 'node:util';
import type { RetryPolicy, Uuid } from '../kernel/index.ts';
import { RETRY_PRESETS, invariant, oneOf, refuse } from '../kernel/index.ts';
import type { MoneyFlow } from '../ledger/index.ts';
import type { PaymentRail, PayoutTerms } from './payout-terms.ts';
import { isPayout } from './payout-terms.ts';

export const PAYMENT_MOVES = {
  scheduled: ['scheduled', 'processing', 'settled', 'failed', 'cancelled', 'expired'],
  processing: ['submitted', 'scheduled', 'review', 'failed'],
  submitted: ['settled', 'review', 'scheduled'],
  review: ['settled', 'scheduled', 'failed'],
  settled: ['settled'],
  failed: ['scheduled', 'failed'],
  cancelled: [],
  expired: [],
} as const satisfies Record<string, readonly string[]>;

export type PaymentStatus = keyof typeof PAYMENT_MOVES;
export const PAYMENT_STATUSES = Object.keys(PAYMENT_MOVES) as PaymentStatus[];
export type Funding = 'reserve' | 'at_execution';

/** Urgency. Lower levels keep a share of every batch. */
export const PRIORITIES = { high: 0, normal: 1, low: 2 } as const;
export type Priority = keyof typeof PRIORITIES;
export const PRIORITY_NAMES = Object.keys(PRIORITIES) as Priority[];

export interface Leg {
  readonly accountId: Uuid;
  readonly amount: bigint;
}

/** What made a payment where that was not a caller: a schedule, by what it is to its tenant. Verbs on the payment obey its rules. */
export interface Owner {
  readonly kind: OwnerKind;
  /** The schedule's. */
  readonly id: Uuid;
}
export const OWNER_KINDS = ['schedule', 'subscription', 'allowance'] as const;
export type OwnerKind = (typeof OWNER_KINDS)[number];

export interface Payment {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly status: PaymentStatus;
  readonly rail: PaymentRail;
  /** Where a payment over a chain may go; null for one between accounts. */
  readonly payout: PayoutTerms | null;
  readonly funding: Funding;
  readonly payerId: Uuid;
  /** One to ten accounts that are paid together; their amounts add up to `amount`. */
  readonly legs: readonly Leg[];
  readonly asset: string;
  readonly amount: bigint;
  readonly captured: bigint;
  readonly released: bigint;
  readonly refunded: bigint;
  /** How many captures there were. */
  readonly captures: number;
  readonly executeAt: Date;
  readonly expiresAt: Date | null;
  readonly priority: number;
  readonly attempts: number;
  /** Null: the preset `hold`, for a payout the preset `payout`. */
  readonly retry: RetryPolicy | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly lastCode: string | null;
  readonly lastDetail: string | null;
  /** Above a set amount a second person has to agree: `awaited` until then, `given` since. Null: nobody was asked. */
  readonly approval: 'awaited' | 'given' | null;
  /** While approval is awaited: when the payment expires without it. */
  readonly approvalUntil: Date | null;
  /** Starts at 1 and grows with every change of amount, payees, execute_at or expires_at. An approval names the one it saw. */
  readonly termsVersion: number;
  /** Every actor beside `createdBy` that decided its terms, in order: none of them can approve it. */
  readonly termsBy: readonly string[];
  /** When its funds were set aside anew; null: when it was made. */
  readonly heldAt: Date | null;
  /** Which daily limits counted its funds when they were reserved: the bits `COUNTED_BY_ACCOUNT` and `COUNTED_BY_TENANT`. */
  readonly counted: number;
  /** What those limits do not count of its amount: reserved before they were set, or over a day before the last raise. Null: nothing. */
  readonly uncounted: LimitParts | null;
  readonly clockId: Uuid | null;
  /** Null: a caller made it. */
  readonly owner: Owner | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

/** Amounts, by the limit that counts them: the payer's daily limit, and the tenant's daily total. */
export interface LimitParts {
  readonly account: bigint;
  readonly tenant: bigint;
}

/** Bits of `Payment.counted`: the payer's daily limit, and the tenant's daily total. */
export const COUNTED_BY_ACCOUNT = 1;
export const COUNTED_BY_TENANT = 2;

export function retryPolicyOf(payment: Payment): RetryPolicy {
  return payment.retry ?? (isPayout(payment) ? RETRY_PRESETS.payout : RETRY_PRESETS.hold);
}

/** What is held of the payer's balance: a scheduled payment that reserves is its own reservation. */
export function heldBy(payment: Payment): bigint {
  if (payment.funding !== 'reserve' || payment.endedAt) return 0n;
  return payment.amount - payment.captured - payment.released;
}

/** Whether two versions of a payment agree in everything that an approval is about. */
export function hasSameTerms(before: Payment, after: Payment): boolean {
  return (
    before.amount === after.amount &&
    before.executeAt.getTime() === after.executeAt.getTime() &&
    before.expiresAt?.getTime() === after.expiresAt?.getTime() &&
    (before.legs === after.legs || isDeepStrictEqual(before.legs, after.legs))
  );
}

/** Its terms, as events tell them. `usance verify` compares a payment with the event of its last change (checks.ts). */
export const termsOf = ({
  amount,
  executeAt,
  expiresAt,
  termsVersion,
}: Payment): Pick<Payment, 'amount' | 'executeAt' | 'expiresAt' | 'termsVersion'> => ({
  amount,
  executeAt,
  expiresAt,
  termsVersion,
});

/** What it moves, now or later. */
export const flowOf = ({ tenantId, payerId, legs }: Payment): MoneyFlow => ({
  tenantId,
  from: [payerId],
  to: legs.map((leg) => leg.accountId),
});

/** Everyone who decided its terms. */
export const makersOf = ({ createdBy, termsBy }: Payment): string[] => [createdBy, ...termsBy];

/** Whose a payment's reference is: one namespace for the tenant and one for each end user. */
export const namespaceOf = (createdBy: string): string => (createdBy.startsWith('user:') ? createdBy : '');

/** What a payment is, for metrics. */
export const PAYMENT_KINDS = ['hold', 'charge', 'allowance', 'schedule', 'payment'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export const parseKind = (kind: string): PaymentKind => oneOf(kind, PAYMENT_KINDS, 'kind');

/** The maker decides: a charge of a subscription is a charge, whether it reserves its funds or not. */
export function kindOf({ owner, funding }: Pick<Payment, 'owner' | 'funding'>): PaymentKind {
  if (owner) return owner.kind === 'subscription' ? 'charge' : owner.kind;
  return funding === 'reserve' ? 'hold' : 'payment';
}

export const heldAtOf = (payment: Payment): Date => payment.heldAt ?? payment.createdAt;

/** What a release of this much takes off, and of which instant. The part that was reserved last, which is counted, goes first. */
export function countedOf(payment: Payment, released: bigint): LimitParts & { readonly at: Date } {
  const part = (bit: number, uncounted = 0n): bigint => {
    const counted = payment.counted & bit ? payment.amount - uncounted : 0n;
    return counted < released ? counted : released;
  };
  const { uncounted } = payment;
  return {
    at: heldAtOf(payment),
    account: part(COUNTED_BY_ACCOUNT, uncounted?.account),
    tenant: part(COUNTED_BY_TENANT, uncounted?.tenant),
  };
}

/** Whether daily limits count it when it is paid; a payment that reserves is counted by then. */
export const countsWhenPaid = ({ funding }: Payment): boolean => funding === 'at_execution';

/** Why a scheduled payment ends unpaid, as `payment.expired` tells it. */
export type ExpiryReason = 'expires_at' | 'approval_not_given';

/** When a scheduled payment ends unpaid, and why; null where nothing ends it. */
export function endOf(payment: Payment): { readonly at: Date; readonly reason: ExpiryReason } | null {
  const { expiresAt, approval, approvalUntil } = payment;
  const until = approval === 'awaited' ? approvalUntil : null;
  if (until !== null && (expiresAt === null || until < expiresAt)) return { at: until, reason: 'approval_not_given' };
  return expiresAt === null ? null : { at: expiresAt, reason: 'expires_at' };
}

/** Why it has ended by this instant, although no processor has come by yet; null where it has not. */
export function endedBy(payment: Payment, now: Date): ExpiryReason | null {
  const end = endOf(payment);
  return end !== null && end.at <= now ? end.reason : null;
}

/** When to look at a payment again: at an instant, or sooner where it ends before that. */
export function noLaterThanEnd(payment: Payment, at: Date, now: Date): Date {
  const end = endOf(payment)?.at;
  return end !== undefined && end > now && end < at ? end : at;
}

/** When to try a payment: at an instant, or at its own where that comes later. */
const notBefore = ({ executeAt }: Payment, at: Date): Date => (executeAt > at ? executeAt : at);

/** When a failed attempt is followed by the next: not before its instant, and expiry is due work too. */
export function retryAt(payment: Payment, delayMs: number, now: Date): Date {
  const at = new Date(now.getTime() + delayMs);
  invariant(!Number.isNaN(at.getTime()), `the retry policy of payment ${payment.id} to give an instant`);
  return noLaterThanEnd(payment, notBefore(payment, at), now);
}

/** When a scheduled payment is next to be looked at, as far as its terms say. One that awaits approval is due to expire. */
export function dueAtOf(payment: Payment, now: Date): Date {
  if (payment.approval === 'awaited') return endOf(payment)?.at ?? now;
  return payment.executeAt > now ? payment.executeAt : now;
}

/** A payment that has ended can be given up, not changed, although no processor has come by yet to end it. */
export function requireNotEnded(payment: Payment, now: Date, verb: string): void {
  const end = endOf(payment);
  if (end === null || end.at > now) return;
  const reason = end.reason === 'expires_at' ? 'expired' : 'approval_expired';
  refuse(`PAYMENT_STATE_CONFLICT/${reason}`, { payment: payment.id, at: end.at, verb });
}

/** What is still to be paid. */
export function restOf(payment: Payment): bigint {
  return payment.amount - payment.captured;
}

export function requireScheduled({ id, status }: Payment, verb: string): void {
  if (status === 'scheduled') return;
  const isWithChain = status === 'processing' || status === 'submitted' || status === 'review';
  refuse(`PAYMENT_STATE_CONFLICT/${isWithChain ? 'with_chain' : 'wrong_status'}`, { payment: id, status, verb });
}
