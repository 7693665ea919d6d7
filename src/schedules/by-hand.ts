// Runs that a person asks for: one more now (trigger), slots of the past that were not paid (backfill). Each is a payment at
// once; a refusal is told to whoever asked, and nothing is changed. A slot that failed is on the desk of dead-letters.ts too.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { Refusal, newId, refuse } from '../kernel/index.ts';
import type { OrderBounds, Payment } from '../payments/index.ts';
import { createPayments } from '../payments/index.ts';
import type { HeldSchedule } from './change.ts';
import { holdSchedule, tell } from './change.ts';
import { deleteOccurrenceLetters } from './letter-store.ts';
import { orderOf } from './make.ts';
import { insertOccurrences, occurrencesBetween, updateOccurrences } from './occurrence-store.ts';
import type { Local, Slot } from './rules/index.ts';
import { formatLocal, parseLocal } from './rules/index.ts';
import type { Occurrence, Schedule } from './schedule.ts';
import { SCHEDULE_STATUSES, amountAt } from './schedule.ts';
import type { ScheduleKey } from './store.ts';

const MOST_BACKFILLED = 100;

/** One more payment, now, beside those of the rule. Its slot is the local time it was asked for. */
export async function triggerSchedule(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  bounds: OrderBounds,
): Promise<Occurrence> {
  const { schedule, timetable, at } = await holdSchedule(tx, key, 'triggered', ['active', 'paused'], caller);
  const amount = amountAt(schedule, Math.max(1, at.position.ordinal));
  let slot = timetable.localAt(clock.now.getTime());
  // Slots of rules are whole seconds, of this rule and of any that it is edited to: a triggered one never is. It differs from another
  // that was triggered in the same millisecond too.
  while (slot % 1_000 === 0 || (await occurrencesBetween(tx, key, slot, slot)).some((each) => each.slot === slot))
    slot += 1;
  const [payment] = await pay(tx, clock, caller, schedule, [amount], bounds);
  const occurrence = {
    ...blank(schedule, clock),
    slot,
    kind: 'trigger',
    amount,
    paymentId: payment?.id ?? null,
  } as const;
  await insertOccurrences(tx, [occurrence]);
  await tell(tx, clock, caller, schedule, 'triggered', {
    slot: formatLocal(slot),
    amount,
    paymentId: occurrence.paymentId,
  });
  return occurrence;
}

export interface BackfillOrder {
  /** Local dates, or dates and times: every slot from the one to the other, both included. */
  readonly start: string;
  readonly end: string;
}

/** The slots of the past that were never paid: skipped, failed, from before the schedule was made, or while it was paused. */
export async function backfillSchedule(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  order: BackfillOrder & { readonly dryRun?: boolean },
  bounds: OrderBounds,
): Promise<Occurrence[]> {
  const held = await holdSchedule(tx, key, 'backfilled', SCHEDULE_STATUSES, order.dryRun ? null : caller);
  const { schedule } = held;
  const from = parseLocal(order.start, 'start');
  const to = parseLocal(order.end, 'end', 'ends');
  if (to < from) refuse('END_BEFORE_START', { end: formatLocal(to), start: formatLocal(from), param: 'end' });
  const known = await occurrencesBetween(tx, key, from, to);
  const slots = unpaidSlots(held, known, from, to, clock);
  const planned = slots.map((slot): Occurrence => {
    const old = known.find((each) => each.slots === 1 && each.slot === slot.local);
    return {
      ...(old ?? blank(schedule, clock)),
      slot: slot.local,
      ordinal: slot.ordinal,
      kind: 'backfill',
      status: 'made',
      reason: 'late',
      detail: null,
      amount: amountAt(schedule, slot.ordinal),
      runAt: new Date(slot.at),
      updatedAt: clock.now,
    };
  });
  if (order.dryRun) return planned;
  const payments = await pay(
    tx,
    clock,
    caller,
    schedule,
    planned.map((each) => each.amount ?? schedule.amount),
    bounds,
  );
  const made = planned.map((each, index) => ({ ...each, paymentId: payments[index]?.id ?? null }));
  const shorter = giveUp(held, known, made, clock);
  const olds = new Set(known.map((each) => each.id));
  const again = made.filter(({ id }) => olds.has(id));
  const fresh = made.filter(({ id }) => !olds.has(id));
  // Runs first: what is made now may be a slot that one of them stood for.
  if (shorter.length > 0) await updateOccurrences(tx, shorter);
  if (again.length > 0) await updateOccurrences(tx, again);
  if (again.length > 0) await deleteOccurrenceLetters(tx, again);
  if (fresh.length > 0) await insertOccurrences(tx, fresh);
  await tell(tx, clock, caller, schedule, 'backfilled', { start: order.start, end: order.end, slots: made.length });
  return made;
}

/** What lies beyond the position is the scheduler's still. */
function unpaidSlots(
  { timetable, at }: HeldSchedule,
  known: readonly Occurrence[],
  from: Local,
  to: Local,
  clock: Clock,
): Slot[] {
  const made = new Set(known.filter((each) => each.status === 'made').map((each) => each.slot));
  const last = Math.min(to, at.position.local);
  const slots = timetable
    .between(from, last, MOST_BACKFILLED + made.size + 1)
    .filter((slot) => slot.at <= clock.now.getTime() && !made.has(slot.local));
  if (slots.length > MOST_BACKFILLED) {
    refuse('BACKFILL_TOO_LARGE', { max: MOST_BACKFILLED, param: 'end' });
  }
  return slots;
}

/** A run of skipped slots stands for the fewer that are left of it, or becomes one of those that are made. */
function giveUp(
  { timetable }: HeldSchedule,
  known: readonly Occurrence[],
  made: Occurrence[],
  clock: Clock,
): Occurrence[] {
  const shorter: Occurrence[] = [];
  const paid = new Set(known.filter((each) => each.status === 'made').map((each) => each.slot));
  for (const run of known.filter((each) => each.slots > 1)) {
    const last = run.through ?? run.slot;
    const taken = new Set(made.filter(({ slot }) => slot >= run.slot && slot <= last).map(({ slot }) => slot));
    if (taken.size === 0) continue;
    // Between its first and its last there may be slots that were paid before: it stands for none of them.
    const left = timetable
      .between(run.slot, last, run.slots + paid.size)
      .filter(({ local }) => !taken.has(local) && !paid.has(local));
    const [first] = left;
    if (!first) {
      const index = made.findIndex(({ slot }) => taken.has(slot));
      made[index] = { ...(made[index] as Occurrence), id: run.id, createdAt: run.createdAt };
      continue;
    }
    const through = left.length > 1 ? (left.at(-1)?.local ?? null) : null;
    shorter.push({
      ...run,
      slot: first.local,
      ordinal: first.ordinal,
      runAt: new Date(first.at),
      slots: left.length,
      through,
      updatedAt: clock.now,
    });
  }
  return shorter;
}

/** All or none. */
async function pay(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  schedule: Schedule,
  amounts: readonly bigint[],
  bounds: OrderBounds,
): Promise<Payment[]> {
  const created = await createPayments(
    tx,
    clock,
    amounts.map((amount) => orderOf(schedule, amount, caller)),
    bounds,
  );
  return created.map((each) => {
    if ('payment' in each) return each.payment;
    throw new Refusal(each.refused);
  });
}

function blank(schedule: Schedule, clock: Clock): Occurrence {
  return {
    tenantId: schedule.tenantId,
    id: newId(),
    scheduleId: schedule.id,
    slot: 0,
    slots: 1,
    through: null,
    ordinal: null,
    kind: 'rule',
    status: 'made',
    reason: null,
    detail: null,
    amount: null,
    runAt: clock.now,
    paymentId: null,
    createdAt: clock.now,
    updatedAt: clock.now,
  };
}
