// A test clock is the time of one test tenant. It stands still until a caller advances it, and then runs, in order, what
// would have happened on the way. A live tenant has none, and a tenant with a clock has no other time. A caller may cancel an
// advance, and delete a clock that is not advancing.
import type { Uuid } from '../kernel/index.ts';

export type ClockStatus = 'ready' | 'advancing' | 'failed';

/** `failed` is not final: the clock stands where it got to, the tenant goes on from there, and may be advanced again. */
export const CLOCK_MOVES: Readonly<Record<ClockStatus, readonly ClockStatus[]>> = {
  ready: ['advancing'],
  advancing: ['ready', 'failed'],
  failed: ['advancing'],
};

export interface TestClock {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** The id of the tenant's first clock, shared by all later ones: due rows carry it as `clock_id`. */
  readonly timelineId: Uuid;
  readonly name: string;
  readonly now: Date;
  readonly status: ClockStatus;
  /** Real time. */
  readonly createdAt: Date;
  /** Real time. */
  readonly deletedAt: Date | null;
  /** The one under way, or the last one. */
  readonly advance: Advance | null;
}

export interface Advance {
  readonly from: Date;
  readonly to: Date;
  /** Transactions it took so far. */
  readonly steps: number;
  /** Real time, as is `finishedAt`. */
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  /** What it did was told between these two. */
  readonly beganEventId: Uuid;
  readonly endedEventId: Uuid | null;
  /** Why it failed. */
  readonly code: string | null;
  readonly detail: string | null;
  /** Ended by a caller: the clock stands where it got to, and what was done on the way stays done. */
  readonly cancelled: boolean;
}

/** Leap day and all: two years. */
export const MAX_ADVANCE_DAYS = 731;
export const MAX_ADVANCE_MS = MAX_ADVANCE_DAYS * 24 * 3_600_000;
export const MAX_STEPS = 100_000;

/** A payment may lie five years ahead of its clock, and an instant is written with four digits of a year. */
export const FIRST_INSTANT_MS = Date.UTC(1970, 0, 1);
export const LAST_INSTANT_MS = Date.UTC(9990, 0, 1);
