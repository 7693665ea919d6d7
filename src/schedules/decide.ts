// What to do about a schedule at an instant: pure. A look at a schedule (a *visit*) makes payments, skips slots, waits for
// a payment, or ends the schedule; it is made when a slot is due, or when a payment is waited for or watched.
//
// A slot is *missed* only when a later one is due too: one that is merely late is run, under every policy. Then `last` runs
// the newest alone, `skip` none, `all` every one of them, within a cap and a window. Slots that were moved to one instant
// (a Saturday's and a Monday's) miss nothing.
import type { Paces } from './pace.ts';
import type { Slot, Timetable } from './rules/index.ts';
import type { Position, Schedule, ScheduleStatus, SkipReason } from './schedule.ts';
import { amountAt, endOf } from './schedule.ts';

/** What became of the last payment. */
export interface LastPayment {
  readonly state: 'open' | 'done' | 'failed';
  readonly madeAtMs: number;
}

export interface Skipped {
  readonly first: Slot;
  readonly last: Slot;
  readonly slots: number;
  readonly reason: SkipReason;
}

export interface Decision {
  readonly make: readonly Slot[];
  /** Older than everything in `make`. */
  readonly skip: readonly Skipped[];
  /** After all of them. */
  readonly position: Position;
  /** When to look again; null where it leaves the due set. */
  readonly dueAtMs: number | null;
  /** The slot after the position; null where none is left, undefined where the position stays. */
  readonly nextAtMs?: number | null;
  readonly status: ScheduleStatus;
  readonly reason: string | null;
  /** Whether the last payment still matters, where none is made. */
  readonly remembers: boolean;
}

/** Payments one visit makes, at most. */
const MOST_MADE = 10;
/** Slots one visit looks at: two months of minutes. The rest comes with the next visit. */
const MOST_SEEN = 100_000;
const LOOK_AGAIN_MS = { soonest: 1_000, latest: 60_000 } as const;

type Policies = Pick<
  Schedule,
  | 'missed'
  | 'missedCap'
  | 'missedWindowMs'
  | 'overlap'
  | 'afterFailure'
  | 'guardCount'
  | 'guardAmount'
  | 'amount'
  | 'steps'
  | 'cancelAt'
>;

export function decide(
  schedule: Policies,
  timetable: Timetable,
  stand: {
    readonly position: Position;
    readonly last: LastPayment | null;
    /** A person has discarded what is due. */
    readonly discarded?: boolean;
  },
  nowMs: number,
  paces: Paces | null = null,
): Decision {
  const { last, position, discarded = false } = stand;
  const nothing = { make: [], skip: [], position, status: 'active', reason: null } as const;
  const open = last?.state === 'open';
  const again = looksAt(nowMs + lookAgainMs(last, nowMs), paces);

  if (last?.state === 'failed' && schedule.afterFailure !== 'continue') {
    const status = schedule.afterFailure === 'pause' ? 'paused' : 'expired';
    return { ...nothing, dueAtMs: null, status, reason: 'payment_failed', remembers: true };
  }
  const { long, due, next } = dueSlots(timetable, position, nowMs, paces);
  if (!discarded && isTooMuch(schedule, long, due))
    return { ...nothing, dueAtMs: null, status: 'paused', reason: 'outage_guard', remembers: open };
  const ends = nowMs >= endOf(schedule);
  if (!discarded && (due.length > 0 || ends) && open && schedule.overlap === 'wait')
    return { ...nothing, dueAtMs: again, remembers: true };
  if (ends) return { ...nothing, dueAtMs: null, status: 'cancelled', reason: 'period_end', remembers: false };

  const { make, skip, reason } = discarded
    ? skipAll(due, 'outage')
    : open && schedule.overlap === 'skip'
      ? skipAll(due, 'overlap')
      : chooseAmong(schedule, due, nowMs, long !== null);
  const most = schedule.overlap === 'wait' ? 1 : MOST_MADE;
  const made = make.slice(0, most);
  const rest = make.length > made.length;
  const reached = rest ? made.at(-1) : due.at(-1);
  const watching = schedule.afterFailure !== 'continue' && (made.length > 0 || open);
  const soon = made.length > 0 ? looksAt(nowMs + LOOK_AGAIN_MS.soonest, paces) : again;
  const comesAtMs = next ? comesAt(next, paces) : null;
  const dueAtMs = rest
    ? nowMs + (schedule.overlap === 'wait' ? LOOK_AGAIN_MS.soonest : 0)
    : watching
      ? Math.min(soon, comesAtMs ?? soon)
      : comesAtMs;
  return {
    make: made,
    skip: folded(skip, long && { ...long, reason }),
    position: reached ? { local: reached.local, ordinal: reached.ordinal } : position,
    dueAtMs,
    nextAtMs: (rest ? make[made.length] : next)?.at ?? null,
    status: dueAtMs === null ? 'completed' : 'active',
    reason: null,
    remembers: open,
  };
}

/** When a slot is dealt with: at its instant, or when the cron comes by that paces it. */
const comesAt = (slot: Slot, paces: Paces | null): number => paces?.scheduler?.next(slot.at) ?? slot.at;

/** When to look at an open payment: from an instant on, but not before the cron has come by that tries it. */
function looksAt(atMs: number, paces: Paces | null): number {
  const { soonest } = LOOK_AGAIN_MS;
  return paces?.processor ? paces.processor.next(atMs - soonest) + soonest : atMs;
}

export interface DueSlots {
  /** The slots before `due`, where more than MOST_SEEN are due: known by their ends, and counted by their ordinals. */
  readonly long: Omit<Skipped, 'reason'> | null;
  /** The newest, oldest first. */
  readonly due: readonly Slot[];
  readonly next: Slot | null;
}

export function dueSlots(timetable: Timetable, from: Position, nowMs: number, paces: Paces | null = null): DueSlots {
  const { due, next } = walk(timetable, from, nowMs, paces);
  const [first] = due;
  if (!first || !next || comesAt(next, paces) > nowMs) return { long: null, due, next };
  const newest = newestDue(timetable, from, nowMs, paces);
  const [before, ...kept] = newest.due;
  if (!before) return { long: null, due, next };
  return {
    long: { first, last: before, slots: before.ordinal - first.ordinal + 1 },
    due: kept,
    next: newest.next,
  };
}

function walk(
  timetable: Timetable,
  from: Position,
  nowMs: number,
  paces: Paces | null,
): { due: Slot[]; next: Slot | null } {
  const due: Slot[] = [];
  let next = timetable.next(from);
  for (; next && comesAt(next, paces) <= nowMs && due.length < MOST_SEEN; next = timetable.next(next)) due.push(next);
  return { due, next };
}

/** Slots are a minute apart at least, so that this far back there are no more than a visit looks at. */
const LOOK_BACK_MS = (MOST_SEEN - 1) * 60_000;
/** More than any cap keeps. */
const LEAST_KEPT = 1_100;

/** The newest due slots, without walking through those before them. Looks further back where a rule pauses for long. */
function newestDue(timetable: Timetable, from: Position, nowMs: number, paces: Paces | null): ReturnType<typeof walk> {
  const latest = timetable.localAt(nowMs);
  let found = { due: [] as Slot[], next: null as Slot | null };
  for (let back = LOOK_BACK_MS; latest - back > from.local; back *= 2) {
    const seen = walk(timetable, timetable.placeAt(latest - back), nowMs, paces);
    const isAll = !seen.next || comesAt(seen.next, paces) > nowMs;
    if (isAll) found = seen;
    if (!isAll || seen.due.length > LEAST_KEPT) break;
  }
  return found;
}

/** More is due at once than was foreseen: nobody came for long, or a clock is wrong. A person decides. */
function isTooMuch(schedule: Policies, long: DueSlots['long'], due: readonly Slot[]): boolean {
  const { guardCount, guardAmount } = schedule;
  if (guardCount !== null && (long?.slots ?? 0) + due.length > guardCount) return true;
  if (guardAmount === null) return false;
  const before = long ? sumOfOrdinals(schedule, long.first.ordinal, long.last.ordinal) : 0n;
  return due.reduce((sum, slot) => sum + amountAt(schedule, slot.ordinal), before) > guardAmount;
}

function sumOfOrdinals(schedule: Policies, first: number, last: number): bigint {
  const begins = [first, ...schedule.steps.map(({ from }) => from).filter((from) => from > first && from <= last)];
  return begins.reduce((sum, begin, index) => {
    const end = begins[index + 1] ?? last + 1;
    return sum + amountAt(schedule, begin) * BigInt(end - begin);
  }, 0n);
}

interface Choice {
  readonly make: readonly Slot[];
  readonly skip: readonly { slot: Slot; reason: SkipReason }[];
  /** Of slots that are older than all of these. */
  readonly reason: SkipReason;
}

function skipAll(slots: readonly Slot[], reason: SkipReason): Choice {
  return { make: [], skip: slots.map((slot) => ({ slot, reason })), reason };
}

function chooseAmong(
  { missed, missedCap, missedWindowMs }: Pick<Schedule, 'missed' | 'missedCap' | 'missedWindowMs'>,
  due: readonly Slot[],
  nowMs: number,
  isLong: boolean,
): Choice {
  if (due.length <= 1 && !isLong) return { make: due, skip: [], reason: 'missed' };
  const newest = due.filter((slot) => slot.at === due.at(-1)?.at);
  const older = due.slice(0, due.length - newest.length);
  if (older.length === 0 && !isLong) return { make: due, skip: [], reason: 'missed' };
  if (missed === 'skip') return skipAll(due, 'missed');
  if (missed === 'last') return { ...skipAll(older, 'missed'), make: newest };
  const oldest = missedWindowMs === null ? -Infinity : nowMs - missedWindowMs;
  const inside = older.filter((slot) => slot.at >= oldest);
  const kept = inside.slice(-(missedCap ?? inside.length));
  return {
    make: [...kept, ...newest],
    skip: [
      ...skipAll(older.slice(0, older.length - inside.length), 'outside_window').skip,
      ...skipAll(inside.slice(0, inside.length - kept.length), 'capped').skip,
    ],
    reason: inside.length < older.length ? 'outside_window' : 'capped',
  };
}

/** Neighbours that were skipped for one reason are one run. */
function folded(skip: Choice['skip'], long: Skipped | null): Skipped[] {
  const runs: Skipped[] = long ? [long] : [];
  for (const { slot, reason } of skip) {
    const run = runs.at(-1);
    if (run?.reason === reason) runs[runs.length - 1] = { ...run, last: slot, slots: run.slots + 1 };
    else runs.push({ first: slot, last: slot, slots: 1, reason });
  }
  return runs;
}

/** The longer a payment takes, the more seldom it is looked at: it may be in the middle of its retries. */
function lookAgainMs(last: LastPayment | null, nowMs: number): number {
  const age = last ? (nowMs - last.madeAtMs) / 2 : 0;
  return Math.min(Math.max(age, LOOK_AGAIN_MS.soonest), LOOK_AGAIN_MS.latest);
}
