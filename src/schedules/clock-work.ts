// Schedules by a test clock: what an advance does with those that fall due on its way. The same visits as a live batch, at
// the instant of the due row itself.
import type { OrderBounds } from '../payments/index.ts';
import type { TimedWork } from '../tenants/index.ts';
import { claimSchedulesOfClock, nextScheduleOfClock } from './due-store.ts';
import { visitSchedules } from './make.ts';
import type { Paces } from './pace.ts';

const BATCH_SIZE = 1_000;
const BOUNDED = { lockTimeoutMs: 1_000, probes: true };

export function schedulesByClock(bounds: OrderBounds, paces: Paces | null = null): TimedWork {
  return {
    name: 'schedules',
    nextDue: (sql, clock) => nextScheduleOfClock(sql, clock.clockId),
    runDue: (db, clockId, readClock) =>
      db.transaction(async (tx) => {
        const clock = await readClock(tx);
        const rows = await claimSchedulesOfClock(tx, clockId, clock.now, BATCH_SIZE);
        await visitSchedules(tx, clock, rows, bounds, { paces });
      }, BOUNDED),
  };
}
