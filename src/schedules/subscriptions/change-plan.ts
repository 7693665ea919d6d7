// Changes the plan of a subscription: new terms from a slot on, in their own row. Earlier terms stay as they are.
//
//   none     from the next charge on: the period that runs is paid, and stays what it was
//   charge   at once: a new period begins now. The unused part of the one that runs becomes credit (credit-store.ts): the first charge of
//            the new terms is the price less the open credit, and what is left is taken off later charges, and never paid out
//
// The approved total becomes the amount charged so far plus all charges of the new terms. The locks are those of subscribing (the
// plan) and of the verbs on schedules (due row, schedule), in this order.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../db/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { MAX_AMOUNT, invariant, oneOf, refuse } from '../../kernel/index.ts';
import type { OrderBounds } from '../../payments/index.ts';
import { readPayments } from '../../payments/index.ts';
import type { HeldSchedule } from '../change.ts';
import { holdSchedule } from '../change.ts';
import { alsoDecidedBy, alsoMadeBy } from '../deciders.ts';
import { moveScheduleDue } from '../due-store.ts';
import { visitSchedules } from '../make.ts';
import { listOccurrences } from '../occurrence-store.ts';
import type { Timing, TimingInput } from '../rules/index.ts';
import { Timetable, fillTiming } from '../rules/index.ts';
import type { Occurrence, Position } from '../schedule.ts';
import type { ScheduleKey } from '../store.ts';
import { updateTerms } from '../store.ts';
import type { Changed } from './change.ts';
import type { Maker } from './create-plan.ts';
import { readChargeTerms } from './credit-store.ts';
import { withMonthDay } from './month-day.ts';
import type { Plan } from './plan.ts';
import { MOST_CHARGES, agreed } from './plan.ts';
import { unusedOf } from './proration.ts';
import type { TermsChange } from './store.ts';
import { findPlan, insertTermsChange, readTerms, sumCharges } from './store.ts';
import { chargeFirst } from './subscribe.ts';

/** From the next charge on, or at once with a credit. */
export const PRORATIONS = ['none', 'charge'] as const;

export interface PlanChange {
  readonly plan: Uuid;
  /** `none` (default): from the next charge on. `charge`: at once, the unused part of the paid period is credited. */
  readonly proration?: (typeof PRORATIONS)[number];
}

/** A subscription has at most so many charges in all, and so many versions of its terms: both are read with it. */
const MOST_CHARGES_IN_ALL = 10 * MOST_CHARGES;
const MOST_VERSIONS = 1_000;

export async function changeSubscriptionPlan(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: Maker,
  id: Uuid,
  change: PlanChange,
  bounds: OrderBounds,
): Promise<Changed> {
  const { proration = 'none' } = change;
  oneOf(proration, PRORATIONS, 'proration');
  const key: ScheduleKey = { tenantId, id, subscription: true };
  const plan = await findPlan(tx, { tenantId, id: change.plan }, { lock: 'share' });
  if (!plan) return refuse('PLAN_NOT_FOUND', { plan: change.plan, param: 'plan' });
  const held = await (proration === 'charge' ? holdUpToDate : hold)(tx, clock, caller, key, bounds);
  const { schedule, due, approval } = held;
  invariant(due !== null && approval !== null, `the active subscription ${id} to be in the due set`);
  requireSamePayee(plan, held);
  const last = await newestCharge(tx, key);
  const begins = await beginningOf(tx, held, plan, { proration, last, now: clock.now });
  const before = (await readTerms(tx, key)).at(-1);
  const granted = proration === 'charge' ? await unused(tx, clock, held, last) : NO_CREDIT;
  const agreement = { planId: plan.id, price: plan.price, ...inAll(begins, await sumCharges(tx, key)) };
  if ((before?.version ?? 1) >= MOST_VERSIONS)
    refuse('SCHEDULE_STATE_CONFLICT/too_many_changes', { max: MOST_VERSIONS });
  await insertTermsChange(tx, {
    tenantId,
    scheduleId: id,
    version: (before?.version ?? 1) + 1,
    ...agreement,
    ...granted,
    proration,
    since: begins.since,
    createdBy: caller.actor,
    createdAt: clock.now,
  });
  const { missed, afterFailure, price: amount } = plan;
  const edited = {
    ...schedule,
    amount,
    legs: schedule.legs.map((leg) => ({ ...leg, amount })),
    timing: begins.timing,
    missed,
    missedCap: missed === 'all' ? MOST_CHARGES : null,
    afterFailure,
    updatedAt: clock.now,
  };
  await updateTerms(tx, { ...edited, ...alsoMadeBy(caller, alsoDecidedBy(plan, schedule)) });
  const { position } = begins;
  if (proration === 'none') await moveScheduleDue(tx, [{ ...due, position }]);
  else {
    await moveScheduleDue(tx, [{ ...due, position, dueAt: clock.now, nextAt: clock.now }]);
    await chargeFirst(tx, clock, edited, bounds);
  }
  const old = { planId: before?.planId, price: before?.price };
  const credit = approval.credit + granted.credit;
  // `verify` compares the row of the new terms with this.
  const { credit: grantedCredit, creditPaid } = granted;
  const told = { version: (before?.version ?? 1) + 1, ...agreement, credit: grantedCredit, creditPaid };
  return { what: 'plan_changed', data: { old, new: told, proration, credit } };
}

/** The newest slot that was charged, covered by credit or refused; not one that was passed over. */
async function newestCharge(tx: Transaction, key: ScheduleKey): Promise<Occurrence | null> {
  const [newest = null] = await listOccurrences(tx, key, { limit: 1 });
  if (newest?.status !== 'skipped' || newest.reason === 'credit') return newest;
  const [made = null] = await listOccurrences(tx, key, { limit: 1, status: 'made' });
  return made;
}

async function hold(tx: Transaction, _clock: Clock, caller: Caller, key: ScheduleKey): Promise<HeldSchedule> {
  const held = await holdSchedule(tx, key, 'changed to another plan', ['active'], caller);
  if (held.schedule.cancelAt !== null)
    refuse('SCHEDULE_STATE_CONFLICT/cancellation_scheduled', { at: held.schedule.cancelAt });
  return held;
}

/** Runs the due visit first, as the scheduler would: a failed charge is noticed, and no charge of the period that ends is left out. */
async function holdUpToDate(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  bounds: OrderBounds,
): Promise<HeldSchedule> {
  const { due } = await hold(tx, clock, caller, key);
  if (due && (due.paymentId !== null || due.dueAt <= clock.now)) await visitSchedules(tx, clock, [due], bounds);
  const held = await hold(tx, clock, caller, key);
  if (held.due?.paymentId) refuseUnpaid();
  return held;
}

function requireSamePayee(plan: Plan, { schedule }: HeldSchedule): void {
  if (plan.asset === schedule.asset && plan.payeeId === schedule.legs[0]?.accountId) return;
  refuse('PLAN_INVALID/other_payee', { param: 'plan' });
}

interface Beginning {
  readonly timing: Timing;
  /** Of the new terms alone. */
  readonly charges: number | null;
  readonly approved: bigint | null;
  /** Where it stands before their first slot. */
  readonly position: Position;
  readonly since: number;
}

/** Charges and total of the new terms, with the charges made before them. */
function inAll(
  { charges, approved }: Pick<Beginning, 'charges' | 'approved'>,
  made: { readonly count: number; readonly sum: bigint },
): { charges: number | null; approved: bigint | null } {
  if (charges === null || approved === null) return { charges: null, approved: null };
  const all = { charges: made.count + charges, approved: made.sum + approved };
  if (all.charges > MOST_CHARGES_IN_ALL)
    refuse('PLAN_INVALID/too_many_charges_in_all', { charges: all.charges, max: MOST_CHARGES_IN_ALL, param: 'plan' });
  if (all.approved > MAX_AMOUNT) refuse('AMOUNT_TOO_LARGE/sum', { max: MAX_AMOUNT, param: 'plan' });
  return all;
}

/** A plan of the same period keeps the day on which it charges, also the 31st; any other is counted from its first charge. */
async function beginningOf(
  tx: Transaction,
  held: HeldSchedule,
  plan: Plan,
  how: { readonly proration: 'none' | 'charge'; readonly last: Occurrence | null; readonly now: Date },
): Promise<Beginning> {
  const { schedule, timetable, at } = held;
  const { proration, last, now } = how;
  const next = timetable.next(at.position);
  if (!next) return refuse('SCHEDULE_STATE_CONFLICT/no_further_charge');
  if (next.at <= now.getTime()) refuse('SCHEDULE_STATE_CONFLICT/charge_due');
  const start = proration === 'charge' ? now : new Date(next.at);
  const { timing: plain, charges, approved } = agreed({ ...plan, trialDays: 0 }, start);
  const input = proration === 'charge' || !last ? plain : await onItsDay(tx, plain, plan, start, last);
  const timing = fillTiming(input, start);
  const isSame = timing.zone === schedule.timing.zone && periodOf(timing) === periodOf(schedule.timing);
  if (isSame && proration === 'none') {
    const { count: _old, ...kept } = schedule.timing;
    const counted = charges === null ? kept : { ...kept, count: next.ordinal - 1 + charges };
    return { timing: counted, charges, approved, position: at.position, since: next.local };
  }
  const first = new Timetable(timing).first();
  invariant(first !== null, 'a plan to have a first charge');
  if (first.local <= at.position.local && proration === 'charge') refuse('SCHEDULE_STATE_CONFLICT/no_running_period');
  if (first.local <= at.position.local) refuse('PLAN_INVALID/charge_before_last', { param: 'plan' });
  const local = proration === 'charge' ? first.local - 1 : at.position.local;
  return { timing, charges, approved, position: { local, ordinal: 0 }, since: first.local };
}

const periodOf = ({ rule }: Timing): string =>
  JSON.stringify(rule, (name, value: unknown) => (name === 'daysOfMonth' ? undefined : value));

/** Back to the period of the last charge before anything else was charged: the day of that charge, also the 31st. */
async function onItsDay(
  tx: Transaction,
  input: TimingInput,
  plan: Plan,
  nextDueAt: Date,
  { tenantId, scheduleId, id, runAt }: Occurrence,
): Promise<TimingInput> {
  const kept = withMonthDay(input, plan.zone, { nextDueAt, startedAt: runAt });
  if (kept === input) return input;
  const planId = (await readChargeTerms(tx, [{ tenantId, scheduleId, id }])).get(id)?.planId;
  const before = planId === undefined ? null : await findPlan(tx, { tenantId, id: planId });
  return isDeepStrictEqual(before?.period, plan.period) ? kept : input;
}

type Granted = Pick<TermsChange, 'endedSlot' | 'credit' | 'creditPaid'>;

const NO_CREDIT: Granted = { endedSlot: null, credit: 0n, creditPaid: 0n };

/** The unused part of the running period, where it was paid. */
async function unused(
  tx: Transaction,
  clock: Clock,
  { schedule, timetable }: HeldSchedule,
  last: Occurrence | null,
): Promise<Granted> {
  const { tenantId, id } = schedule;
  const end = last ? timetable.next(timetable.placeAt(last.slot)) : null;
  const now = clock.now.getTime();
  if (!last || !end || end.at <= now) return NO_CREDIT;
  const terms = (await readChargeTerms(tx, [{ tenantId, scheduleId: id, id: last.id }])).get(last.id);
  // A change before this one ended that period.
  if (!terms || terms.endedWith !== null) return NO_CREDIT;
  const { paid, credited } = await valueOf(tx, last, terms.price);
  const credit = unusedOf({ startMs: last.runAt.getTime(), endMs: end.at, value: paid + credited }, now);
  return { endedSlot: last.slot, credit, creditPaid: credit < paid ? credit : paid };
}

/** What was paid for a slot and not refunded, and what was taken off a credit. */
async function valueOf(
  tx: Transaction,
  { tenantId, reason, amount, paymentId }: Occurrence,
  price: bigint,
): Promise<{ paid: bigint; credited: bigint }> {
  if (reason === 'credit') return { paid: 0n, credited: amount ?? 0n };
  const [payment] = paymentId === null ? [] : await readPayments(tx, [{ tenantId, id: paymentId }]);
  if (payment?.endedAt === null) return refuseUnpaid();
  if (payment?.status !== 'settled') return { paid: 0n, credited: 0n };
  return { paid: payment.captured - payment.refunded, credited: price - payment.amount };
}

const refuseUnpaid = (): never => refuse('SCHEDULE_STATE_CONFLICT/charge_unpaid');
