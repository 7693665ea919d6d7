// Somebody agrees to a plan. What they agree to is the plan as it is now, and stays that. The first charge is made in the same
// transaction, so there is no subscription without it; the next is due one period later.
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { Refusal, invariant, refuse } from '../../kernel/index.ts';
import type { OrderBounds } from '../../payments/index.ts';
import { createSchedule } from '../create.ts';
import { lockScheduleDue } from '../due-store.ts';
import { visitSchedules } from '../make.ts';
import { occurrencesBetween } from '../occurrence-store.ts';
import type { Schedule } from '../schedule.ts';
import { MOST_CHARGES, agreed } from './plan.ts';
import { findPlan, insertAgreement } from './store.ts';

export interface SubscriptionOrder {
  readonly plan: Uuid;
  /** Who pays: an account's id or ref. */
  readonly payer: string;
  /** The tenant's own name for it, unique among schedules. */
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export async function subscribe(
  tx: Transaction,
  clock: Clock,
  maker: { tenantId: Uuid; caller: Caller },
  order: SubscriptionOrder,
  bounds: OrderBounds,
): Promise<Schedule> {
  const { tenantId, caller } = maker;
  const { plan: planId, payer, reference, metadata } = order;
  const plan = await findPlan(tx, { tenantId, id: planId }, { lock: 'share' });
  if (!plan) return refuse('PLAN_NOT_FOUND', `there is no plan ${planId}`, { param: 'plan' });
  const { timing, charges, approved } = agreed(plan, clock.now);
  const schedule = await createSchedule(
    tx,
    clock,
    maker,
    {
      from: payer,
      to: plan.payeeId,
      asset: plan.asset,
      amount: plan.price,
      ...timing,
      funding: 'at_execution',
      retry: 'subscription',
      // One open charge at a time, also of several that were missed.
      overlap: 'wait',
      missed: plan.missed,
      ...(plan.missed === 'all' ? { missedCap: MOST_CHARGES } : {}),
      afterFailure: plan.afterFailure,
      ...(reference === undefined ? {} : { reference }),
      ...(metadata === undefined ? {} : { metadata }),
    },
    { kind: 'subscription', begins: 'with its start' },
  );
  await insertAgreement(tx, { tenantId, scheduleId: schedule.id, planId, charges, approved });
  await appendEvents(tx, [
    {
      ...caller,
      tenantId,
      type: 'subscription.created',
      resource: 'subscription',
      resourceId: schedule.id,
      data: { new: { status: 'active', planId, price: plan.price, asset: plan.asset, charges, approved } },
      occurredAt: clock.now,
    },
  ]);
  await chargeFirst(tx, clock, schedule, bounds);
  return schedule;
}

/** A first charge that is refused refuses the subscription. Where payments are paused, it is made when they go on. */
async function chargeFirst(tx: Transaction, clock: Clock, schedule: Schedule, bounds: OrderBounds): Promise<void> {
  const row = await lockScheduleDue(tx, schedule);
  invariant(row !== null, 'a new subscription to be in the due set');
  const { failed } = await visitSchedules(tx, clock, [row], bounds);
  if (failed === 0) return;
  const first = row.position.local + 1;
  const [occurrence] = await occurrencesBetween(tx, schedule, first, first);
  // The code of a refusal is one of the catalogue.
  throw new Refusal((occurrence?.reason ?? 'UNEXPECTED') as Refusal['code'], occurrence?.detail ?? 'it was refused');
}
