// The payments that a schedule is going to make, as far as can be said: what its scheduler would do now, and its slots to come.
// Pure. That a payment before is still open, or fails, is not foreseen; neither is what people will change.
import { decide } from '../decide.ts';
import type { Paces } from '../pace.ts';
import type { Slot } from '../rules/index.ts';
import { formatLocal } from '../rules/index.ts';
import type { Position } from '../schedule.ts';
import { amountAt } from '../schedule.ts';
import type { StoredSchedule } from '../store.ts';
import { beyondApproval } from '../subscriptions/subscription.ts';

export interface Run {
  readonly at: number;
  readonly slot: string;
  readonly amount: bigint;
}

/** Of an active schedule that stands at a position: its runs before `until`, at most so many. */
export function runsAhead(
  stored: Pick<StoredSchedule, 'schedule' | 'timetable' | 'approval'>,
  position: Position,
  window: { readonly now: number; readonly until: number; readonly most: number },
  paces: Paces,
): Run[] {
  const { schedule, timetable, approval } = stored;
  const pace = approval && paces.scheduler;
  const settlesAt = (at: number): number => (approval && paces.processor?.next(at)) ?? at;
  const runs: Run[] = [];
  let made = approval?.made ?? 0n;
  /** False where nothing more comes. */
  const take = (slot: Slot, at: number): boolean => {
    const amount = amountAt(schedule, slot.ordinal);
    if (beyondApproval(approval && { ...approval, made }, amount)) return false;
    made += amount;
    runs.push({ at: settlesAt(at), slot: formatLocal(slot.local), amount });
    return runs.length < window.most;
  };

  let from: Position = position;
  for (;;) {
    const visit = decide(schedule, timetable, { position: from, last: null }, window.now, approval && paces);
    if (visit.status === 'paused' || !visit.make.every((slot) => take(slot, window.now))) return runs;
    from = visit.position;
    if (visit.make.length === 0) break;
  }
  for (let slot = timetable.next(from); slot; slot = timetable.next(slot)) {
    const at = pace?.next(slot.at) ?? slot.at;
    if (at >= window.until || !take(slot, at)) break;
  }
  return runs.filter((run) => run.at < window.until);
}
