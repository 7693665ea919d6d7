// Creates plans.
import type { Transaction } from '../../db/index.ts';
import type { EventVerb } from '../../events/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { newId, refuse } from '../../kernel/index.ts';
import { findAsset, requireMayMove } from '../../ledger/index.ts';
import { directory } from '../create.ts';
import { PRIORITY_NAMES } from '../../payments/index.ts';
import type { ParsedTerms, Plan, PlanOrder } from './plan.ts';
import { parsePlanTerms } from './plan.ts';
import { insertPlan } from './store.ts';

export interface Maker {
  readonly tenantId: Uuid;
  readonly caller: Caller;
}

export async function createPlan(tx: Transaction, clock: Clock, maker: Maker, order: PlanOrder): Promise<Plan> {
  const { tenantId, caller } = maker;
  const terms = parsePlanTerms(order, clock.now);
  const payeeId = (await directory(tx, tenantId, [order.receiver]))(order.receiver, 'receiver');
  requireMayMove(caller, { tenantId, from: [], to: [payeeId] }, 'receiver');
  const asset = await findAsset(tx, tenantId, order.asset);
  if (!asset) return refuse('ASSET_NOT_FOUND', { asset: order.asset, param: 'asset' });
  const plan: Plan = {
    tenantId,
    id: newId(),
    ...terms,
    payeeId,
    asset: asset.name,
    createdBy: caller.actor,
    changedBy: [],
    countsFor: caller.countsFor,
    createdAt: clock.now,
    updatedAt: clock.now,
  };
  await insertPlan(tx, plan);
  await emitPlanEvent(tx, clock, caller, plan, 'created', {
    new: { ...shownTerms(terms), payeeId, asset: plan.asset },
  });
  return plan;
}

/** What its events show of it. */
export const shownTerms = (terms: ParsedTerms): Readonly<Record<keyof ParsedTerms, unknown>> => ({
  ...terms,
  period: periodOf(terms.period),
  priority: PRIORITY_NAMES[terms.priority],
});

const periodOf = (period: Plan['period']): Plan['period'] =>
  'everySeconds' in period
    ? { everySeconds: period.everySeconds }
    : { frequency: period.frequency, ...(period.every === undefined ? {} : { every: period.every }) };

export async function emitPlanEvent(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  plan: Plan,
  what: EventVerb<'plan'>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { tenantId, id } = plan;
  const about = { tenantId, resource: 'plan', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, type: `plan.${what}`, data }]);
}
