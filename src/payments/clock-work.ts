// Payments by a test clock: what an advance does with those that fall due on its way. The same decisions as a live batch,
// at the instant of the due row itself. Nobody else writes to the tenant meanwhile, so nothing is foreseen and nobody
// steps aside: where a lock is held all the same (a person with psql), the advance waits in real time and the payment is
// as punctual as ever.
import type { Database } from '../db/index.ts';
import { isContention } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { hasWakes } from '../ledger/index.ts';
import type { TimedWork } from '../tenants/index.ts';
import type { DueRow } from './due-store.ts';
import { claimDueOfClock, firstDueOfClock } from './due-store.ts';
import type { SettleOptions } from './settle.ts';
import { settleRows } from './settle.ts';
import { BOUNDED, settleOneByOne } from './settle-due.ts';
import { wakeWaiting } from './wake.ts';

const BATCH_SIZE = 1_000;

export function paymentsByClock(
  options: Pick<SettleOptions, 'simulateFailures' | 'onPoisoned' | 'paced' | 'ownerRules'>,
): TimedWork {
  return {
    name: 'payments',
    nextDue: async (sql, clock) =>
      (await hasWakes(sql, clock.clockId)) ? clock.now : firstDueOfClock(sql, clock.clockId),
    async runDue(db, clockId, readClock) {
      if (await hasWakes(db, clockId)) await wakeWaiting(db, readClock, clockId);
      await settleDueOfClock(db, clockId, { ...options, readClock, batchSize: BATCH_SIZE });
    },
  };
}

async function settleDueOfClock(db: Database, clockId: Uuid, options: SettleOptions): Promise<void> {
  let claimed: readonly DueRow[] = [];
  try {
    await db.transaction(async (tx) => {
      const clock = await options.readClock(tx);
      claimed = await claimDueOfClock(tx, clockId, clock.now, options.batchSize);
      await settleRows(tx, clock, claimed, options);
    }, BOUNDED);
  } catch (error) {
    if (claimed.length === 0 || isContention(error)) throw error;
    await settleOneByOne(db, claimed, options, error);
  }
}
