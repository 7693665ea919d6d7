// A guardian that is removed from a child's account stops paying: the allowance is OFF with the removal, in the same transaction.
import type { Transaction } from '../../db/index.ts';
import type { Caller, Clock } from '../../kernel/index.ts';
import type { GuardiansRemoved } from '../../ledger/index.ts';
import { holdSchedule, pauseHeld } from '../change.ts';
import { SCHEDULE_STATUSES } from '../schedule.ts';
import { tellOf } from './facts.ts';
import type { PairKey } from './store.ts';
import { lockAllowance } from './store.ts';

const REASON = 'guardian_removed';

export const stopAllowances: GuardiansRemoved = async (tx, clock, caller, { guardianIds, ...child }) => {
  for (const guardianId of guardianIds.toSorted()) await stop(tx, clock, caller, { ...child, guardianId });
};

/** As OFF does: a credit that is being tried again is cancelled. A guardian who is added again turns it ON again. */
async function stop(tx: Transaction, clock: Clock, caller: Caller, pair: PairKey): Promise<void> {
  const id = await lockAllowance(tx, pair);
  if (id === null) return;
  const held = await holdSchedule(tx, { tenantId: pair.tenantId, id }, 'paused', SCHEDULE_STATUSES, null);
  if (held.schedule.status !== 'active') return;
  await pauseHeld(tx, clock, caller, held, { reason: REASON, cancelPayment: true });
  await tellOf(tx, clock, caller, { ...pair, scheduleId: id }, 'updated', {
    changed: ['status'],
    old: { status: 'ON' },
    new: { status: 'OFF' },
    reason: REASON,
  });
}
