// A schedule, and the table of its moves. The database has the same table (schedule_moves) and refuses the rest.
import type { RetryPolicy, Uuid } from '../kernel/index.ts';
import type { MoneyFlow } from '../ledger/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Funding, Leg, OwnerKind, PaymentRail, PayoutTerms } from '../payments/index.ts';
import type { Local, Timing } from './rules/index.ts';

export const SCHEDULE_MOVES = {
  active: ['active', 'paused', 'completed', 'cancelled', 'expired'],
  paused: ['paused', 'active', 'cancelled'],
  completed: [],
  cancelled: [],
  /** A subscription: resumed within its approved total, or cancelled for good. */
  expired: ['active', 'cancelled'],
} as const satisfies Record<string, readonly string[]>;

export type ScheduleStatus = keyof typeof SCHEDULE_MOVES;
export const SCHEDULE_STATUSES = Object.keys(SCHEDULE_MOVES) as ScheduleStatus[];

/** A person asked for it, a payment failed for good, or more was due at once than the guard allows. */
export const PAUSED_BY = ['request', 'failure', 'guard'] as const;
export type PausedBy = (typeof PAUSED_BY)[number];

/** What becomes of slots when several are due at once. */
export const MISSED = ['last', 'skip', 'all'] as const;
export type Missed = (typeof MISSED)[number];
/** What becomes of a slot whose predecessor's payment is not finished. */
export const OVERLAPS = ['wait', 'skip', 'allow'] as const;
export type Overlap = (typeof OVERLAPS)[number];
/** What becomes of the schedule when a payment failed for good. */
export const AFTER_FAILURES = ['continue', 'pause', 'expire'] as const;
export type AfterFailure = (typeof AFTER_FAILURES)[number];

/** From this ordinal on, this amount. */
export interface Step {
  readonly from: number;
  readonly amount: bigint;
}

export interface Schedule {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** What it is to its tenant: a plain schedule, or that of a subscription or an allowance. */
  readonly kind: OwnerKind;
  readonly status: ScheduleStatus;
  readonly statusReason: string | null;
  /** Of a paused one. */
  readonly pausedBy: PausedBy | null;
  /** Of a subscription: from this instant on it makes nothing more, and the next visit cancels it. */
  readonly cancelAt: Date | null;
  readonly payerId: Uuid;
  readonly legs: readonly Leg[];
  /** How its payments move. Never changes, like its payees. */
  readonly rail: PaymentRail;
  /** Where its payouts may go; null if it pays accounts. */
  readonly payout: PayoutTerms | null;
  readonly asset: string;
  readonly amount: bigint;
  readonly steps: readonly Step[];
  readonly funding: Funding;
  readonly priority: number;
  /** Null: the preset `hold`, of payouts the preset `payout`. */
  readonly retry: RetryPolicy | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly timing: Timing;
  readonly missed: Missed;
  /** Of `all`: how many of the missed are made at most, and how old they may be. */
  readonly missedCap: number | null;
  readonly missedWindowMs: number | null;
  /** More slots due at once, or more money, than this: it pauses and waits for a person. */
  readonly guardCount: number | null;
  readonly guardAmount: bigint | null;
  readonly overlap: Overlap;
  readonly afterFailure: AfterFailure;
  readonly clockId: Uuid | null;
  readonly createdBy: string;
  /** The names (`Caller.countsFor`) of everyone who decided its terms: approval thresholds count its payments under each. */
  readonly countsFor: readonly string[];
  /** Every actor that changed its terms, in order; of a subscription also those that decided the terms of its plans. */
  readonly changedBy: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

/** The last slot that is dealt with: made, skipped, or passed over. */
export interface Position {
  readonly local: Local;
  readonly ordinal: number;
}

export const OCCURRENCE_STATUSES = ['made', 'skipped', 'failed'] as const;
export type OccurrenceStatus = (typeof OCCURRENCE_STATUSES)[number];
export const SKIP_REASONS = [
  'missed',
  'capped',
  'outside_window',
  'overlap',
  'updated',
  'outage',
  'credit',
  'inactive',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What became of a slot, or of a run of slots that were skipped together. */
export interface Occurrence {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly scheduleId: Uuid;
  readonly slot: Local;
  /** How many slots it stands for; where it is more than one, `through` is the last of them. */
  readonly slots: number;
  readonly through: Local | null;
  readonly ordinal: number | null;
  readonly kind: 'rule' | 'trigger' | 'backfill';
  readonly status: OccurrenceStatus;
  /** `late`, why it was skipped, or the code of the refusal. */
  readonly reason: string | null;
  readonly detail: string | null;
  readonly amount: bigint | null;
  /** When it should have run. */
  readonly runAt: Date;
  readonly paymentId: Uuid | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Who made a payment that a schedule made: `schedule:…`, with its id. */
export const MAKER = 'schedule';

/** Slots at or after this instant are not made. */
export const endOf = ({ cancelAt }: Pick<Schedule, 'cancelAt'>): number => cancelAt?.getTime() ?? Infinity;

export function amountAt(schedule: Pick<Schedule, 'amount' | 'steps'>, ordinal: number): bigint {
  return schedule.steps.findLast((step) => step.from <= ordinal)?.amount ?? schedule.amount;
}

/** Refuses a schedule whose state does not allow a verb. */
export function requireStatus({ kind, status }: Schedule, verb: string, among: readonly ScheduleStatus[]): void {
  if (!among.includes(status)) refuse('SCHEDULE_STATE_CONFLICT/wrong_status', { kind, status, verb, allowed: among });
}

/** What its payments move. */
export const flowOf = ({ tenantId, payerId, legs }: Pick<Schedule, 'tenantId' | 'payerId' | 'legs'>): MoneyFlow => ({
  tenantId,
  from: [payerId],
  to: legs.map((leg) => leg.accountId),
});
