// A payer agrees to a plan. The agreement is the plan as it is now, and stays that. Without a trial the first charge is made in the
// same transaction, so there is no subscription without it; with one it is due when the trial ends, and nothing is charged before.
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, RetryPolicy, Uuid } from '../../kernel/index.ts';
import { Refusal, invariant, refuse } from '../../kernel/index.ts';
import type { OrderBounds, PaymentOrder } from '../../payments/index.ts';
import { createSchedule } from '../create.ts';
import { lockScheduleDue } from '../due-store.ts';
import type { Visited } from '../make.ts';
import { visitSchedules } from '../make.ts';
import type { RecurringPayout } from '../order.ts';
import { Timetable } from '../rules/index.ts';
import type { Schedule } from '../schedule.ts';
import { agreed, parseTrialDays } from './plan.ts';
import { scheduleOf } from './schedule-of-plan.ts';
import { findPlan, insertAgreement } from './store.ts';

/** With a rail or destinations each charge is a payout, and the plan's receiver is `world`. */
export interface SubscriptionOrder extends RecurringPayout {
  readonly plan: Uuid;
  /** Who pays: an account's id or ref. */
  readonly payer: string;
  /** The tenant's own name for it, unique among schedules. */
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Days before the first charge, 0 to 730. Default: the plan's. */
  readonly trialDays?: number;
  /** Of its charges. Default: the plan's. */
  readonly priority?: NonNullable<PaymentOrder['priority']>;
  /** A preset, or fields that replace those of the plan's policy. Default: the plan's; for payouts to a plan without one the preset `payout`. */
  readonly retry?: string | Partial<RetryPolicy>;
}

export async function subscribe(
  tx: Transaction,
  clock: Clock,
  maker: { tenantId: Uuid; caller: Caller },
  order: SubscriptionOrder,
  bounds: OrderBounds,
): Promise<Schedule> {
  const { tenantId, caller } = maker;
  const { plan: planId } = order;
  const plan = await findPlan(tx, { tenantId, id: planId }, { lock: 'share' });
  if (!plan) return refuse('PLAN_NOT_FOUND', { plan: planId, param: 'plan' });
  const trialDays = order.trialDays === undefined ? plan.trialDays : parseTrialDays(order.trialDays);
  const { timing, charges, approved } = agreed({ ...plan, trialDays }, clock.now);
  const schedule = await createSchedule(tx, clock, maker, scheduleOf(plan, { ...order, timing }), {
    kind: 'subscription',
    begins: 'with its start',
    decidedBy: plan,
    bounds,
  });
  // What was agreed is whom the plan names: an address takes the place of no account.
  if (schedule.payout && plan.payeeId !== schedule.legs[0]?.accountId)
    refuse('PAYOUT_INVALID/plan_pays_account', { param: 'plan', rail: 'rail' });
  const trialEndsAt = trialDays === 0 ? null : firstRunOf(schedule);
  const { price } = plan;
  await insertAgreement(tx, { tenantId, scheduleId: schedule.id, planId, price, charges, approved, trialEndsAt });
  const status = trialEndsAt === null ? 'active' : 'trialing';
  await appendEvents(tx, [
    {
      ...caller,
      tenantId,
      type: 'subscription.created',
      resource: 'subscription',
      resourceId: schedule.id,
      data: { new: { status, planId, price, asset: plan.asset, charges, approved, trialEndsAt } },
      occurredAt: clock.now,
    },
  ]);
  if (trialEndsAt === null) await chargeFirst(tx, clock, schedule, bounds);
  return schedule;
}

function firstRunOf({ timing }: Schedule): Date {
  const first = new Timetable(timing).first();
  invariant(first !== null, 'a subscription to have a first charge');
  return new Date(first.at);
}

/** A first charge that is refused refuses the subscription. Where payments are paused, it is made when they go on. */
export async function chargeFirst(
  tx: Transaction,
  clock: Clock,
  schedule: Schedule,
  bounds: OrderBounds,
): Promise<void> {
  const row = await lockScheduleDue(tx, schedule);
  invariant(row !== null, 'a new subscription to be in the due set');
  const visited: Visited[] = [];
  const { failed } = await visitSchedules(tx, clock, [row], bounds, { visited });
  if (failed === 0) return;
  const [refused] = visited.flatMap((visit) => visit.refused);
  invariant(refused !== undefined, 'a failed charge to have a refusal');
  throw new Refusal(refused);
}
