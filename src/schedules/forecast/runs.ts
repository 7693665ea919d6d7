// The payments that a schedule is going to make, as far as can be said: what its scheduler would do now, and its slots to come.
// Pure. That a payment before is still open, or fails, is not foreseen; neither is what people will change.
import { decide } from '../decide.ts';
import type { Paces } from '../pace.ts';
import type { Slot } from '../rules/index.ts';
import { formatLocal } from '../rules/index.ts';
import type { Position } from '../schedule.ts';
import { amountAt, endOf } from '../schedule.ts';
import type { StoredSchedule } from '../store.ts';
import { afterCharge, afterCredit, beyondApproval } from '../subscriptions/subscription.ts';

export interface Run {
  readonly at: number;
  readonly slot: string;
  readonly amount: bigint;
}

/** Of an active schedule that stands at a position: its runs before `until`, in order, computed as they are asked for. */
export function* runsAhead(
  stored: Pick<StoredSchedule, 'schedule' | 'timetable' | 'approval'>,
  position: Position,
  window: { readonly now: number; readonly until: number },
  paces: Paces,
): Generator<Run, undefined> {
  const { schedule, timetable, approval } = stored;
  const { now, until } = window;
  const pace = approval && paces.scheduler;
  let left = approval;
  /** Null where nothing more comes. */
  const runAt = (slot: Slot, at: number): Run | null => {
    const { charge: amount, credited } = afterCredit(left, amountAt(schedule, slot.ordinal));
    if (slot.at >= endOf(schedule) || beyondApproval(left, amount, schedule.asset)) return null;
    left = left && afterCharge(left, { charge: amount, credited });
    return { at: (approval && paces.processor?.next(at)) ?? at, slot: formatLocal(slot.local), amount };
  };

  let from: Position = position;
  for (;;) {
    const visit = decide(schedule, timetable, { position: from, last: null }, now, approval && paces);
    if (visit.status === 'paused' || visit.status === 'cancelled') return;
    for (const slot of visit.make) {
      const run = runAt(slot, now);
      if (!run || run.at >= until) return;
      if (run.amount > 0n) yield run;
    }
    from = visit.position;
    if (visit.make.length === 0) break;
  }
  for (let slot = timetable.next(from, until); slot; slot = timetable.next(slot, until)) {
    const at = pace?.next(slot.at) ?? slot.at;
    if (at >= until) return;
    const run = runAt(slot, at);
    if (!run || run.at >= until) return;
    if (run.amount > 0n) yield run;
  }
}
