// Making and changing plans.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { newId, refuse } from '../../kernel/index.ts';
import { findAsset, requireMayMove } from '../../ledger/index.ts';
import { PRIORITY_NAMES } from '../../payments/index.ts';
import { directory } from '../create.ts';
import { alsoMadeBy } from '../deciders.ts';
import type { Plan, PlanOrder, PlanTerms } from './plan.ts';
import { parsePlanTerms } from './plan.ts';
import { findPlan, insertPlan, updatePlan } from './store.ts';

interface Maker {
  readonly tenantId: Uuid;
  readonly caller: Caller;
}

export async function createPlan(tx: Transaction, clock: Clock, maker: Maker, order: PlanOrder): Promise<Plan> {
  const { tenantId, caller } = maker;
  const terms = parsePlanTerms(order, clock.now);
  const payeeId = (await directory(tx, tenantId, [order.receiver]))(order.receiver, 'receiver');
  requireMayMove(caller, { tenantId, from: [], to: [payeeId] }, 'receiver');
  const asset = await findAsset(tx, tenantId, order.asset);
  if (!asset) return refuse('ASSET_NOT_FOUND', `there is no asset "${order.asset}"`, { param: 'asset' });
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
  await tell(tx, clock, caller, plan, 'created', { new: { ...terms, payeeId, asset: plan.asset } });
  return plan;
}

/** What is left out stays. Duration is one thing: a number of charges takes the place of months, and the other way round; null takes it away. */
export type PlanEdit = Partial<PlanTerms>;

/** For later subscriptions. */
export async function editPlan(tx: Transaction, clock: Clock, maker: Maker, id: Uuid, edit: PlanEdit): Promise<Plan> {
  const { tenantId, caller } = maker;
  const plan = await findPlan(tx, { tenantId, id }, { lock: 'update' });
  if (!plan) return refuse('PLAN_NOT_FOUND', `there is no plan ${id}`);
  requireMayMove(caller, { tenantId, from: [], to: [plan.payeeId] });
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) as PlanEdit;
  const { charges, months, ...kept } = plan;
  const duration = (given.charges ?? given.months ?? null) !== null ? {} : { charges, months };
  const priority = PRIORITY_NAMES[plan.priority] ?? 'normal';
  const terms = parsePlanTerms({ ...kept, priority, ...duration, ...given }, clock.now);
  const after: Plan = { ...plan, ...terms, updatedAt: clock.now };
  const edited = chargesSame(plan, after) ? after : { ...after, ...alsoMadeBy(caller, plan) };
  await updatePlan(tx, edited);
  await tell(tx, clock, caller, plan, 'updated', { changed: Object.keys(given), new: given });
  return edited;
}

/** What decides how much its subscriptions charge, how often and when. */
const CHARGING = [
  'price',
  'period',
  'zone',
  'charges',
  'months',
  'trialDays',
  'missed',
] as const satisfies readonly (keyof Plan)[];

const chargesSame = (before: Plan, after: Plan): boolean =>
  CHARGING.every((field) => isDeepStrictEqual(before[field], after[field]));

async function tell(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  plan: Plan,
  what: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { tenantId, id } = plan;
  const about = { tenantId, resource: 'plan', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, type: `plan.${what}`, data }]);
}
