// Payouts by a test clock: what an advance does with those that are due, and with attempts that are to be looked at. The same steps as live, at
// the instant of the due row; the simulated chain has blocks of the same clock.
import type { Sql } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { claimDueOfClock, firstDueOfClock } from '../payments/index.ts';
import type { TimedWork } from '../tenants/index.ts';
import { nextCheckAt } from './attempt-store.ts';
import { executeBatch } from './execute.ts';
import type { PayoutsOptions } from './loops.ts';
import { complete } from './loops.ts';
import { watchBatch } from './watch.ts';

export function payoutsByClock(given: Omit<PayoutsOptions, 'readClock'>): TimedWork {
  return {
    name: 'payouts',
    nextDue: (sql, { clockId }) => firstOf(sql, clockId),
    async runDue(db, clockId, readClock) {
      const options = complete({ ...given, readClock });
      await watchBatch(db, options);
      await executeBatch(
        db,
        async (tx, clock) => ({ rows: await claimDue(tx, clockId, clock, options.batchSize), nextInMs: null }),
        options,
      );
    },
  };
}

const claimDue = (tx: Sql, clockId: Uuid, { now }: Clock, limit: number): ReturnType<typeof claimDueOfClock> =>
  claimDueOfClock(tx, clockId, now, limit, 'payouts');

async function firstOf(sql: Sql, clockId: Uuid): Promise<Date | null> {
  const due = await firstDueOfClock(sql, clockId, 'payouts');
  const check = await nextCheckAt(sql, clockId);
  if (due === null || check === null) return due ?? check;
  return due < check ? due : check;
}
