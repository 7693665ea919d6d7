// Schedules by a test clock: what an advance does with those that fall due on its way. The same visits as a live batch, at
// the instant of the due row itself. A schedule whose visit throws is set aside until after the advance; the others go on.
import type { Database, Transaction } from '../db/index.ts';
import { isLastingError } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import type { OrderBounds } from '../payments/index.ts';
import type { TimedWork } from '../tenants/index.ts';
import { LeaseLost } from '../tenants/index.ts';
import type { ScheduleDue } from './due-store.ts';
import { claimSchedulesOfClock, lockScheduleDue, nextScheduleOfClock, postponeScheduleDue } from './due-store.ts';
import { visitSchedules } from './make.ts';
import type { Paces } from './pace.ts';

const BATCH_SIZE = 1_000;
const BOUNDED = { lockTimeoutMs: 1_000, probes: true };
const SET_ASIDE_MS = 15 * 60_000;

type ReadClock = (tx: Transaction) => Promise<Clock>;

export interface ClockWorkOptions {
  readonly paces?: Paces | null;
  /** Told of a schedule whose visit threw. */
  readonly onPoisoned?: (scheduleId: Uuid, error: unknown) => void;
}

export function schedulesByClock(bounds: OrderBounds, options: ClockWorkOptions = {}): TimedWork {
  const visit = async (tx: Transaction, clock: Clock, rows: readonly ScheduleDue[]): Promise<void> => {
    await visitSchedules(tx, clock, rows, bounds, { paces: options.paces ?? null });
  };

  async function visitAlone(db: Database, row: ScheduleDue, readClock: ReadClock): Promise<void> {
    const key = { tenantId: row.tenantId, id: row.scheduleId };
    try {
      await db.transaction(async (tx) => {
        const clock = await readClock(tx);
        const held = await lockScheduleDue(tx, key);
        if (held && held.dueAt <= clock.now) await visit(tx, clock, [held]);
      }, BOUNDED);
    } catch (error) {
      if (error instanceof LeaseLost || !isLastingError(error)) throw error;
      options.onPoisoned?.(row.scheduleId, error);
      await db.transaction(async (tx) => {
        const { now, until = now } = await readClock(tx);
        const later = Math.max(now.getTime() + SET_ASIDE_MS, until.getTime() + 1);
        await postponeScheduleDue(tx, key, now, new Date(later));
      }, BOUNDED);
    }
  }

  return {
    name: 'schedules',
    nextDue: (sql, clock) => nextScheduleOfClock(sql, clock.clockId),
    async runDue(db, clockId, readClock) {
      let claimed: readonly ScheduleDue[] = [];
      try {
        await db.transaction(async (tx) => {
          const clock = await readClock(tx);
          claimed = await claimSchedulesOfClock(tx, clockId, clock.now, BATCH_SIZE);
          await visit(tx, clock, claimed);
        }, BOUNDED);
      } catch (error) {
        if (claimed.length === 0 || error instanceof LeaseLost || !isLastingError(error)) throw error;
        for (const row of claimed) await visitAlone(db, row, readClock);
      }
    },
  };
}
