// What people do to a schedule: edit, pause, resume, cancel. Each takes the due row's lock first, which is the mutex of an
// active schedule (a scheduler that has it is waited for), then the schedule's own.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../db/index.ts';
import type { EventVerb } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { Refusal, invariant, newId, refuse } from '../kernel/index.ts';
import { requireMayMove } from '../ledger/index.ts';
import type { OrderBounds } from '../payments/index.ts';
import { PRIORITY_NAMES, cancelPayments, parseReason } from '../payments/index.ts';
import { goOn, isSameTiming } from './create.ts';
import { dueSlots } from './decide.ts';
import { alsoMadeBy } from './deciders.ts';
import type { ScheduleDue } from './due-store.ts';
import { deleteScheduleDue, insertScheduleDue, lockScheduleDue, moveScheduleDue } from './due-store.ts';
import { insertOccurrences } from './occurrence-store.ts';
import type { Terms } from './order.ts';
import { parseTerms } from './order.ts';
import { payableBy } from './payable.ts';
import type { TimingInput } from './rules/index.ts';
import { Timetable, fillTiming, formatLocal } from './rules/index.ts';
import type { Position, Schedule, ScheduleStatus, SkipReason } from './schedule.ts';
import { flowOf, requireStatus } from './schedule.ts';
import type { ScheduleKey, Stand, StoredSchedule } from './store.ts';
import { readSchedules, updateStatuses, updateTerms } from './store.ts';
import { beyondApproval } from './subscriptions/subscription.ts';

/** What is left out stays; null takes it away. */
export type ScheduleEdit = {
  readonly [F in keyof (Terms & TimingInput)]?: (Terms & TimingInput)[F] | null;
};

export interface HeldSchedule extends StoredSchedule {
  /** Null where it is not active. */
  readonly due: ScheduleDue | null;
  /** Where it stands, active or not. */
  readonly at: Stand;
}

/** Locks a schedule for a verb and requires its state; `mover` is the caller of a verb that lets its money move, now or later. */
export async function holdSchedule(
  tx: Transaction,
  key: ScheduleKey,
  verb: string,
  among: readonly ScheduleStatus[],
  mover: Caller | null,
): Promise<HeldSchedule> {
  const due = await lockScheduleDue(tx, key);
  const [stored] = await readSchedules(tx, [key], { lock: true });
  if (stored?.approval && !key.subscription) {
    refuse('SCHEDULE_OF_SUBSCRIPTION/use_subscription', { subscription: key.id, verb });
  }
  if (!stored) return refuse('SCHEDULE_NOT_FOUND', { schedule: key.id });
  if (mover) requireMayMove(mover, flowOf(stored.schedule));
  requireStatus(stored.schedule, verb, among);
  const at = due ? { position: due.position, paymentId: due.paymentId } : stored.stand;
  if (at) return { ...stored, due, at };
  // Became active between the two locks: whoever resumed it is done, so another look finds its row.
  const late = await lockScheduleDue(tx, key);
  invariant(late !== null, `the active schedule ${key.id} to be in the due set`);
  return { ...stored, due: late, at: { position: late.position, paymentId: late.paymentId } };
}

const NOT_ENDED = ['active', 'paused'] as const;

export async function editSchedule(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  edit: ScheduleEdit,
  bounds: Pick<OrderBounds, 'payouts' | 'payoutGuards'> = {},
): Promise<void> {
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
  const changesTerms = Object.keys(given).some((field) => field !== 'metadata');
  const held = await holdSchedule(tx, key, 'updated', NOT_ENDED, changesTerms ? caller : null);
  const { schedule, due, at } = held;
  const { rail } = schedule;
  const terms = parseTerms({ ...(withoutNulls({ ...termsOf(schedule), ...given }) as unknown as Terms), rail });
  const isOtherAmount = 'amount' in given || 'steps' in given;
  if (isOtherAmount) await payableBy(tx, clock, bounds, { ...schedule, ...terms });
  // A start that is given is what is counted from; one that is taken away is chosen anew.
  const { countedFrom, ...kept } = schedule.timing;
  const counted = countedFrom === undefined || 'start' in given ? kept : schedule.timing;
  const timing = fillTiming(
    withoutNulls({ ...counted, ...pick(given, TIMING_FIELDS) }) as unknown as TimingInput,
    clock.now,
  );
  const retimed = !isSameTiming(timing, schedule.timing);
  const legs = legsFor(schedule, terms);
  if (retimed) {
    // From now on: what was due by the old rule and not made yet is passed over, on record.
    // The position is never behind a slot on record, whatever the new zone shows: that slot would be made a second time.
    const passed = due ? await passOver(tx, clock, caller, held, 'updated') : at.position;
    const { first, position } = goOn(new Timetable(timing), clock, passed);
    if (due) {
      await moveScheduleDue(tx, [{ ...due, dueAt: new Date(first.at), nextAt: new Date(first.at), position }]);
    }
  }
  const after: Schedule = { ...schedule, ...terms, legs, timing, updatedAt: clock.now };
  await updateTerms(tx, paysSame(schedule, after) ? after : { ...after, ...alsoMadeBy(caller, schedule) });
  const changed = Object.keys(given);
  await tell(tx, clock, caller, schedule, 'updated', { changed, new: pick(shownTerms(after), changed) });
}

/** What its events show of it, by the names of an edit. What metadata holds is the tenant's own; that it changed is told. */
function shownTerms({ timing, ...schedule }: Schedule): Readonly<Record<string, unknown>> {
  const { amount, steps, funding, retry, missed, missedCap, missedWindowMs, guardCount, guardAmount } = schedule;
  const { until = null, count = null, exclude = null, monthEnd = null, businessDays = null } = timing;
  return {
    amount,
    steps,
    funding,
    priority: PRIORITY_NAMES[schedule.priority],
    retry,
    missed,
    missedCap,
    missedWindow: missedWindowMs === null ? null : `PT${missedWindowMs / 1_000}S`,
    guardCount,
    guardAmount,
    overlap: schedule.overlap,
    afterFailure: schedule.afterFailure,
    rule: timing.rule,
    zone: timing.zone,
    start: timing.start,
    until,
    count,
    exclude,
    monthEnd,
    businessDays,
  };
}

/** What decides how much it pays, how often and when. */
const PAYING = [
  'amount',
  'steps',
  'timing',
  'missed',
  'missedCap',
  'missedWindowMs',
  'guardCount',
  'guardAmount',
  'overlap',
] as const satisfies readonly (keyof Schedule)[];

const paysSame = (before: Schedule, after: Schedule): boolean =>
  PAYING.every((field) => isDeepStrictEqual(before[field], after[field]));

/** One payee gets whatever the amount is now; several keep their shares, which still have to make up the whole. */
function legsFor({ legs, amount }: Schedule, terms: Pick<Schedule, 'amount' | 'steps'>): Schedule['legs'] {
  if (legs.length === 1) return legs.map((leg) => ({ ...leg, amount: terms.amount }));
  if (terms.amount !== amount) refuse('LEGS_INVALID/schedule_amount_fixed', { param: 'amount' });
  if (terms.steps.length > 0) refuse('STEPS_INVALID/with_legs', { param: 'steps' });
  return legs;
}

const WEEK = 7 * 24 * 60 * 60_000;
const TIMING_FIELDS = ['rule', 'zone', 'start', 'until', 'count', 'exclude', 'monthEnd', 'businessDays'];

function termsOf(schedule: Schedule): Terms {
  const { guardCount, guardAmount } = schedule;
  const { amount, steps, funding, retry, metadata, missed, missedCap, missedWindowMs, overlap, afterFailure } =
    schedule;
  return {
    amount,
    steps,
    funding,
    priority: PRIORITY_NAMES[schedule.priority] ?? 'normal',
    ...(retry ? { retry } : {}),
    ...(metadata ? { metadata } : {}),
    missed,
    ...(missedCap === null ? {} : { missedCap }),
    ...(missedWindowMs === null ? {} : { missedWindow: asDelay(missedWindowMs) }),
    ...(guardCount === null ? {} : { guardCount }),
    ...(guardAmount === null ? {} : { guardAmount }),
    overlap,
    afterFailure,
  };
}

/** Exactly, and within what a duration may count of each. */
const asDelay = (ms: number): string => `P${Math.floor(ms / WEEK)}WT${(ms % WEEK) / 1_000}S`;

const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const pick = (fields: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/**
 * Slots that are due and not made, because a payment is waited for, no scheduler has come yet or the schedule was not active, are on
 * record as skipped. Returns the last of them, or where the schedule stands.
 */
async function passOver(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  held: HeldSchedule,
  reason: SkipReason,
): Promise<Position> {
  const { schedule, timetable, at } = held;
  const { long, due } = dueSlots(timetable, at.position, clock.now.getTime());
  const first = long?.first ?? due[0];
  const last = due.at(-1) ?? long?.last;
  if (!first || !last) return at.position;
  const slots = (long?.slots ?? 0) + due.length;
  const { tenantId } = schedule;
  await insertOccurrences(tx, [
    {
      tenantId,
      id: newId(),
      scheduleId: schedule.id,
      slot: first.local,
      slots,
      through: slots > 1 ? last.local : null,
      ordinal: first.ordinal,
      kind: 'rule',
      status: 'skipped',
      reason,
      detail: null,
      amount: null,
      runAt: new Date(first.at),
      paymentId: null,
      createdAt: clock.now,
      updatedAt: clock.now,
    },
  ]);
  const data = { slot: formatLocal(first.local), slots, reason };
  await appendEvents(tx, [
    {
      ...caller,
      tenantId,
      type: 'schedule.occurrence_skipped',
      resource: 'schedule',
      resourceId: schedule.id,
      data,
      occurredAt: clock.now,
    },
  ]);
  return { local: last.local, ordinal: last.ordinal };
}

export interface Deed {
  readonly reason?: string;
}

/** With `cancelPayment` its last payment is cancelled too, if that is still scheduled: its retries stop. */
export async function pauseSchedule(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  deed: Deed & { readonly cancelPayment?: boolean },
): Promise<void> {
  await pauseHeld(tx, clock, caller, await holdSchedule(tx, key, 'paused', ['active'], null), deed);
}

export async function pauseHeld(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  held: HeldSchedule,
  deed: Deed & { readonly cancelPayment?: boolean },
): Promise<void> {
  await leave(tx, clock, held, 'paused', parseReason(deed.reason));
  if (deed.cancelPayment) await cancelLast(tx, clock, caller, held, deed.reason ?? 'its schedule was paused');
  await tell(tx, clock, caller, held.schedule, 'paused', {
    old: { status: 'active' },
    new: { status: 'paused' },
    ...deed,
  });
}

/** Continues with the first slot ahead: what would have run meanwhile is not paid back. */
export async function resumeSchedule(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  deed: Deed,
  among: readonly ScheduleStatus[] = ['paused'],
): Promise<void> {
  await resumeHeld(tx, clock, caller, await holdSchedule(tx, key, 'resumed', among, caller), deed);
}

export async function resumeHeld(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  held: HeldSchedule,
  deed: Deed,
): Promise<void> {
  const { schedule, timetable, at, approval } = held;
  const beyond = beyondApproval(approval, schedule.amount, schedule.asset);
  if (beyond) throw new Refusal(beyond);
  // A subscription counts its charges, so those that it passes over are on record.
  const passed = approval ? await passOver(tx, clock, caller, held, 'inactive') : at.position;
  const { first, position } = goOn(timetable, clock, passed);
  const { tenantId, id, cancelAt } = schedule;
  // Who resumes what failed has looked at the payment. A subscription that was paused on request has not been looked at.
  const paymentId = approval && schedule.pausedBy === 'request' ? at.paymentId : null;
  const isDue = paymentId !== null || (cancelAt !== null && cancelAt <= clock.now);
  await updateStatuses(tx, [{ tenantId, id, status: 'active', reason: null, stand: null, at: clock.now }]);
  await insertScheduleDue(tx, {
    tenantId,
    scheduleId: id,
    clockId: schedule.clockId,
    dueAt: isDue ? clock.now : new Date(first.at),
    nextAt: new Date(first.at),
    position,
    paymentId,
  });
  await tell(tx, clock, caller, schedule, 'resumed', {
    old: { status: schedule.status },
    new: { status: 'active' },
    ...deed,
  });
}

/** With `cancelPayment` its last payment is cancelled too, if that is still scheduled: its retries stop. */
export async function cancelSchedule(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  deed: Deed & { readonly cancelPayment?: boolean },
  among: readonly ScheduleStatus[] = NOT_ENDED,
): Promise<void> {
  const held = await holdSchedule(tx, key, 'cancelled', among, null);
  const { schedule } = held;
  await leave(tx, clock, held, 'cancelled', parseReason(deed.reason));
  if (deed.cancelPayment) await cancelLast(tx, clock, caller, held, deed.reason ?? 'its schedule was cancelled');
  await tell(tx, clock, caller, schedule, 'cancelled', {
    old: { status: schedule.status },
    new: { status: 'cancelled' },
    ...deed,
  });
}

async function cancelLast(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { schedule, at }: HeldSchedule,
  reason: string,
): Promise<void> {
  if (at.paymentId === null) return;
  // One that has ended meanwhile stays as it is.
  await cancelPayments(tx, clock, caller, [{ tenantId: schedule.tenantId, id: at.paymentId, reason }]);
}

async function leave(
  tx: Transaction,
  clock: Clock,
  { schedule, due, at }: HeldSchedule,
  status: ScheduleStatus,
  reason: string | null,
): Promise<void> {
  const { tenantId, id } = schedule;
  if (due) await deleteScheduleDue(tx, [due]);
  const pausedBy = status === 'paused' ? 'request' : null;
  await updateStatuses(tx, [{ tenantId, id, status, reason, pausedBy, stand: at, at: clock.now }]);
}

/** A person's deed, on record with who did it. */
export async function tell(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  schedule: Pick<Schedule, 'tenantId' | 'id'>,
  what: EventVerb<'schedule'>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { tenantId, id } = schedule;
  const about = { tenantId, resource: 'schedule', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, type: `schedule.${what}`, data }]);
}
