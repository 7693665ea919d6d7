// Edits plans, for later subscriptions.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../db/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import { refuse } from '../../kernel/index.ts';
import { requireMayMove } from '../../ledger/index.ts';
import { PRIORITY_NAMES } from '../../payments/index.ts';
import { alsoMadeBy } from '../deciders.ts';
import type { Maker } from './create-plan.ts';
import { emitPlanEvent, shownTerms } from './create-plan.ts';
import type { Plan, PlanTerms } from './plan.ts';
import { parsePlanTerms } from './plan.ts';
import { findPlan, updatePlan } from './store.ts';

/** What is left out stays. Duration is one thing: a number of charges takes the place of months, and the other way round; null takes it away. */
export type PlanEdit = Partial<PlanTerms>;

/** For later subscriptions. */
export async function editPlan(tx: Transaction, clock: Clock, maker: Maker, id: Uuid, edit: PlanEdit): Promise<Plan> {
  const { tenantId, caller } = maker;
  const plan = await findPlan(tx, { tenantId, id }, { lock: 'update' });
  if (!plan) return refuse('PLAN_NOT_FOUND', { plan: id });
  requireMayMove(caller, { tenantId, from: [], to: [plan.payeeId] });
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) as PlanEdit;
  const { charges, months, ...kept } = plan;
  const duration = (given.charges ?? given.months ?? null) !== null ? {} : { charges, months };
  const priority = PRIORITY_NAMES[plan.priority] ?? 'normal';
  const terms = parsePlanTerms({ ...kept, priority, ...duration, ...given }, clock.now);
  const after: Plan = { ...plan, ...terms, updatedAt: clock.now };
  const edited = chargesSame(plan, after) ? after : { ...after, ...alsoMadeBy(caller, plan) };
  await updatePlan(tx, edited);
  const changed = Object.keys(given) as (keyof PlanTerms)[];
  const shown = shownTerms(terms);
  await emitPlanEvent(tx, clock, caller, plan, 'updated', {
    changed,
    new: Object.fromEntries(changed.map((field) => [field, shown[field]])),
  });
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
