// No verb reads the time by itself: it is handed the instant it acts at. Live work is handed the database's time, so
// that workers on machines with different clocks agree; a test tenant is handed whatever its test clock says.
import type { Uuid } from './type-id.ts';

export interface Clock {
  /** The test clock's id, or null for live work. */
  readonly clockId: Uuid | null;
  /** Whole milliseconds, rounded down: nothing that compares with it can be early. */
  readonly now: Date;
  /** Target of an advancing test clock. Pauses and freezes cannot be lifted until it is reached. */
  readonly until?: Date;
}

export function liveAt(now: Date): Clock {
  return { clockId: null, now };
}
