// A subscription is a schedule with what its payer approved. Its states are those of the schedule, in other words; and what
// happens to the schedule is told in its words too.
import type { Uuid } from '../../kernel/index.ts';
import type { Schedule, ScheduleStatus } from '../schedule.ts';

export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Only a final failure pauses one, so a paused one is past due; one that has made all its charges has used up its approval. */
const STATUS_OF: Readonly<Record<ScheduleStatus, SubscriptionStatus>> = {
  active: 'active',
  paused: 'past_due',
  completed: 'expired',
  cancelled: 'cancelled',
  expired: 'expired',
};

export const subscriptionStatus = (status: ScheduleStatus): SubscriptionStatus => STATUS_OF[status];

export const SCHEDULE_STATUSES_OF = (status: SubscriptionStatus): ScheduleStatus[] =>
  (Object.keys(STATUS_OF) as ScheduleStatus[]).filter((each) => STATUS_OF[each] === status);

/** What a subscription may charge in all, and what it has: every charge that was made counts, for even one that failed may
 *  still be retried by a person. */
export interface Approval {
  readonly approved: bigint;
  readonly made: bigint;
}

export const APPROVAL_USED_UP = 'approval_used_up';

/** Why a charge is refused for good; null where it is within what was approved. */
export function beyondApproval(
  approval: Approval | null,
  amount: bigint,
): { readonly code: 'SUBSCRIPTION_APPROVAL_EXCEEDED'; readonly detail: string } | null {
  if (!approval || approval.made + amount <= approval.approved) return null;
  const { approved, made } = approval;
  return {
    code: 'SUBSCRIPTION_APPROVAL_EXCEEDED',
    detail: `${made} of ${approved} approved are charged already; ${amount} more would be beyond it`,
  };
}

/** The fact that tells a subscription's followers of a move of its schedule; null for a schedule that is none. */
export function moveFact(
  approval: Approval | null,
  status: ScheduleStatus,
  reason: string | null,
): { readonly type: string; readonly data: Readonly<Record<string, unknown>> } | null {
  const becomes = subscriptionStatus(status);
  if (!approval || becomes === 'active') return null;
  const why = status === 'completed' ? APPROVAL_USED_UP : reason;
  const data = { old: { status: 'active' }, new: { status: becomes }, ...(why === null ? {} : { reason: why }) };
  return { type: `subscription.${becomes}`, data };
}

/** As an application sees it. */
export interface Subscription {
  readonly tenantId: Uuid;
  /** That of its schedule. */
  readonly id: Uuid;
  readonly planId: Uuid;
  readonly payerId: Uuid;
  readonly payeeId: Uuid;
  readonly asset: string;
  readonly price: bigint;
  readonly status: SubscriptionStatus;
  readonly statusReason: string | null;
  /** How many charges were approved, how many were made, how many of them are paid. */
  readonly charges: number;
  readonly chargesMade: number;
  readonly chargesPaid: number;
  readonly approved: bigint;
  readonly paid: bigint;
  /** Null where nothing is due any more. */
  readonly nextDueAt: Date | null;
  /** The newest charge. */
  readonly lastPaymentId: Uuid | null;
  readonly reference: string | null;
  readonly metadata: Schedule['metadata'];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}
