// What people do to a subscription: edit, cancel, pause, resume. Each works on its schedule, under the schedule's locks, and is told in
// the words of both.
import type { EventVerb } from '../../events/index.ts';
import type { Transaction } from '../../db/index.ts';
import type { Caller, Clock, RetryPolicy } from '../../kernel/index.ts';
import { parseRetryPolicy, refuse } from '../../kernel/index.ts';
import type { PaymentOrder } from '../../payments/index.ts';
import { cancelPayments, parseReason } from '../../payments/index.ts';
import type { Deed } from '../change.ts';
import { cancelSchedule, editSchedule, holdSchedule, pauseHeld, resumeHeld } from '../change.ts';
import { requireStatus } from '../schedule.ts';
import type { ScheduleKey } from '../store.ts';
import { updateCancelAt } from '../store.ts';
import { listCharges } from './store.ts';

/** What is left out stays. Holds from the next charge on; an open charge keeps what it was made with. */
export interface SubscriptionEdit {
  /** `high`, `normal` or `low`. */
  readonly priority?: NonNullable<PaymentOrder['priority']>;
  /** A preset, or some fields of the preset `subscription`, of payouts `payout`; null: that preset. */
  readonly retry?: string | Partial<RetryPolicy> | null;
  /** Null takes it away. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

export async function editSubscription(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  edit: SubscriptionEdit,
  preset: RetryPolicy,
): Promise<void> {
  const { priority, retry, metadata } = edit;
  await editSchedule(tx, clock, caller, key, {
    ...(priority === undefined ? {} : { priority }),
    ...(retry === undefined ? {} : { retry: parseRetryPolicy(retry, preset) }),
    ...(metadata === undefined ? {} : { metadata }),
  });
}

export const CANCEL_AT = ['now', 'period_end'] as const;

export interface SubscriptionCancel extends Deed {
  /** `now` (default), or `period_end`: when the next charge would be due. */
  readonly at?: (typeof CANCEL_AT)[number];
}

/** The event of a change, and what it says besides. */
export interface Changed {
  readonly what: EventVerb<'subscription'>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** At once. Its open charges are cancelled with it. */
export async function cancelSubscription(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  deed: Deed,
): Promise<void> {
  const { tenantId, id } = key;
  const { reason = 'the subscription was cancelled' } = deed;
  await cancelSchedule(tx, clock, caller, key, { ...deed, reason }, ['active', 'paused', 'expired']);
  // Not only the newest: an older charge may have been tried again since. One that has ended stays as it is.
  const charges = await listCharges(tx, tenantId, [id]);
  const open = charges.map(({ paymentId }) => ({ tenantId, id: paymentId, reason }));
  await cancelPayments(tx, clock, caller, open);
}

/** When the next charge is due: the scheduler cancels it then, and does not charge. */
export async function cancelAtPeriodEnd(tx: Transaction, clock: Clock, key: ScheduleKey, deed: Deed): Promise<Changed> {
  const verb = 'cancelled at the end of its period';
  const { schedule, timetable, at } = await holdSchedule(tx, key, verb, ['active'], null);
  if (schedule.cancelAt !== null) refuse('SCHEDULE_STATE_CONFLICT/cancellation_scheduled', { at: schedule.cancelAt });
  const next = timetable.next(at.position) ?? refuse('SCHEDULE_STATE_CONFLICT/no_further_charge');
  const cancelAt = new Date(next.at);
  await updateCancelAt(tx, key, cancelAt, clock.now);
  const reason = parseReason(deed.reason);
  return { what: 'cancellation_scheduled', data: { cancelAt, ...(reason === null ? {} : { reason }) } };
}

/** An open charge stays as it is; what falls in the pause is skipped. */
export async function pauseSubscription(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  deed: Deed,
): Promise<void> {
  const held = await holdSchedule(tx, key, 'paused', ['active'], null);
  if (held.timetable.next(held.at.position) === null) refuse('SCHEDULE_STATE_CONFLICT/no_further_charge');
  await pauseHeld(tx, clock, caller, held, deed);
}

/** Of an active one: withdraws its cancellation at the end of the period. */
export async function resumeSubscription(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  deed: Deed,
): Promise<Changed | null> {
  const held = await holdSchedule(tx, key, 'resumed', ['active', 'paused', 'expired'], caller);
  const { schedule } = held;
  if (schedule.status !== 'active' || schedule.cancelAt === null) {
    requireStatus(schedule, 'resumed', ['paused', 'expired']);
    await resumeHeld(tx, clock, caller, held, deed);
    return null;
  }
  await updateCancelAt(tx, key, null, clock.now);
  return { what: 'cancellation_withdrawn', data: { cancelAt: schedule.cancelAt, ...deed } };
}
