// A subscription is a schedule with what its payer approved. Its states are those of the schedule, in other words; and what
// happens to the schedule is told in its words too.
import type { EventType } from '../../events/index.ts';
import type { Clock, Money, Refused, RetryPolicy, Uuid } from '../../kernel/index.ts';
import { RETRY_PRESETS, refused } from '../../kernel/index.ts';
import { isPayout } from '../../payments/index.ts';
import type { Schedule, ScheduleStatus } from '../schedule.ts';
import { endOf } from '../schedule.ts';

export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'paused', 'past_due', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A pause by a failed charge is `past_due`; a pause on request is `paused`, below. One that has made all its charges is `expired`. */
const STATUS_OF = {
  active: 'active',
  paused: 'past_due',
  completed: 'expired',
  cancelled: 'cancelled',
  expired: 'expired',
} as const satisfies Record<ScheduleStatus, SubscriptionStatus>;

/** `isTrial`: its first charge is still ahead, after a trial. */
export function subscriptionStatus(
  { status, pausedBy }: Pick<Schedule, 'status' | 'pausedBy'>,
  isTrial: boolean,
): SubscriptionStatus {
  if (status === 'active' && isTrial) return 'trialing';
  return status === 'paused' && pausedBy === 'request' ? 'paused' : STATUS_OF[status];
}

/** What a subscription may charge, and what it has: every charge that was made counts, because even one that failed can still be
 *  retried by a person. */
export interface Approval {
  /** No charge is more than this: the highest price of its terms. */
  readonly price: bigint;
  /** Of all charges together; null: open-ended. */
  readonly approved: bigint | null;
  /** Sum of the charges made; not read where there is no total. */
  readonly made: bigint;
  /** How many charges there may be (null: open-ended), and how many were made. */
  readonly charges: bigint | null;
  readonly count: bigint;
  /** What a change of plan left over, and is taken off the next charges. */
  readonly credit: bigint;
}

/** The approval that is left after a charge. */
export const afterCharge = (
  approval: Approval,
  { charge, credited }: { readonly charge: bigint; readonly credited: bigint },
): Approval => ({
  ...approval,
  made: approval.made + charge,
  count: approval.count + (charge > 0n ? 1n : 0n),
  credit: approval.credit - credited,
});

/** What is charged of an amount, and what is taken off it. */
export function afterCredit(approval: Approval | null, amount: bigint): { charge: bigint; credited: bigint } {
  const credit = approval?.credit ?? 0n;
  const credited = credit < amount ? credit : amount;
  return { charge: amount - credited, credited };
}

/** Cancelled, or past the end that its payer asked for: nothing is charged any more, also where no visit has cancelled it yet. */
export const hasEnded = (schedule: Pick<Schedule, 'status' | 'cancelAt'>, { now }: Clock): boolean =>
  schedule.status === 'cancelled' || now.getTime() >= endOf(schedule);

export const APPROVAL_USED_UP = 'approval_used_up';
/** All charges are dealt with, and fewer were made than approved: the others were skipped, covered by credit, or refused. */
const TERM_ENDED = 'term_ended';

/** What became of the charges of a subscription, imported ones included. */
export interface ChargeProgress {
  /** Approved; null: open-ended. */
  readonly charges: number | null;
  readonly made: number;
  /** Of the terms of now: periods for which nothing is charged, and those that credit has covered. */
  readonly skipped: number;
  readonly credited: number;
}

/** Why one ended whose last charge is dealt with. */
export const endReason = ({ charges, made }: ChargeProgress): string =>
  charges !== null && made < charges ? TERM_ENDED : APPROVAL_USED_UP;

/** Why a charge is refused for good; null where it is within what was approved. */
export function beyondApproval(approval: Approval | null, amount: bigint, asset: string): Refused | null {
  if (!approval) return null;
  const { price, approved, made, charges, count } = approval;
  const money = (minor: bigint): Money => ({ amount: minor, asset });
  if (amount > price)
    return refused('SUBSCRIPTION_APPROVAL_EXCEEDED/price', { price: money(price), amount: money(amount) });
  if (charges !== null && count >= charges && amount > 0n)
    return refused('SUBSCRIPTION_APPROVAL_EXCEEDED/charges', { charges, made: count });
  if (approved === null || made + amount <= approved) return null;
  return refused('SUBSCRIPTION_APPROVAL_EXCEEDED/total', {
    approved: money(approved),
    made: money(made),
    amount: money(amount),
  });
}

/** The event of a subscription whose schedule is no longer active. That of its end says what became of its charges. */
export function moveFact(
  status: Exclude<ScheduleStatus, 'active'>,
  reason: string | null,
  progress: ChargeProgress,
): { readonly type: EventType; readonly data: Readonly<Record<string, unknown>> } {
  const becomes = STATUS_OF[status];
  const why = status === 'completed' ? endReason(progress) : reason;
  const { charges, made, skipped, credited } = progress;
  const data = {
    old: { status: 'active' },
    new: { status: becomes },
    ...(why === null ? {} : { reason: why }),
    ...(becomes === 'expired'
      ? { charges, chargesMade: made, chargesSkipped: skipped, chargesCredited: credited }
      : {}),
  };
  return { type: `subscription.${becomes}`, data };
}

/** The policy that fields of a charge's `retry` override, where its plan has none. */
export const chargePreset = (of: Pick<Schedule, 'rail'>): RetryPolicy =>
  isPayout(of) ? RETRY_PRESETS.payout : RETRY_PRESETS.subscription;

/** As an application sees it. */
export interface Subscription {
  readonly tenantId: Uuid;
  /** That of its schedule. */
  readonly id: Uuid;
  readonly planId: Uuid;
  readonly payerId: Uuid;
  readonly payeeId: Uuid;
  readonly rail: Schedule['rail'];
  /** Where its charges may go over a chain; null if they pay the receiver's account. */
  readonly payout: Schedule['payout'];
  readonly asset: string;
  readonly price: bigint;
  readonly status: SubscriptionStatus;
  readonly statusReason: string | null;
  /** Of its charges. */
  readonly priority: number;
  readonly retry: Schedule['retry'];
  /** How many charges were approved (null: open-ended), how many were made, how many of them are paid. */
  readonly charges: number | null;
  readonly chargesMade: number;
  readonly chargesPaid: number;
  /**
   * Of the terms of now: charges that were skipped (missed, or due while it was paused, past due or expired), and those that credit covered.
   * They count as charges: what is left of `charges` after those that were made, skipped or credited is still to come, or was refused.
   */
  readonly chargesSkipped: number;
  readonly chargesCredited: number;
  /**
   * The most that is charged in all: the price times the charges, and after a change of plan what was charged before plus that of the new
   * terms. Null: open-ended, each charge is at most the price.
   */
  readonly approved: bigint | null;
  readonly paid: bigint;
  /** What a change of plan left over: it is taken off the next charges, and never paid out. */
  readonly credit: bigint;
  /** When the trial ends and the first charge is due; null where there is no trial. */
  readonly trialEndsAt: Date | null;
  /** When it is cancelled instead of charged; null where that is not asked for. */
  readonly cancelAt: Date | null;
  /** Null where no further charge will be made. */
  readonly nextDueAt: Date | null;
  /** The newest charge. */
  readonly lastPaymentId: Uuid | null;
  readonly reference: string | null;
  readonly metadata: Schedule['metadata'];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}
