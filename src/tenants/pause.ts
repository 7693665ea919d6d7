// Pause switches stop what leaves: a whole tenant, one asset, or one rail. New payments are refused and due ones wait,
// without an attempt being counted. Setting and lifting are on record, told by whoever composes this with events (a lower
// module does not call a higher one).
import type { Transaction } from '../db/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { Pause, PauseOrder } from './pauses.ts';
import { countPauses, insertPause, liftPauseRow } from './store.ts';

/** Active pauses of one tenant. Every create reads all of them. */
export const MAX_PAUSES = 100;

/** Pausing what is paused changes nothing, and is false. */
export async function pause(tx: Transaction, order: PauseOrder): Promise<boolean> {
  if (order.reason.trim() === '') refuse('FIELD_INVALID', 'a pause needs a reason', { param: 'reason' });
  if ((order.scope === 'tenant') !== (order.value === '')) {
    refuse('FIELD_INVALID', 'a pause of an asset or rail names it; one of the whole tenant names nothing', {
      param: 'value',
    });
  }
  const active = await countPauses(tx, order.tenantId);
  const isNew = await insertPause(tx, newId(), order);
  if (isNew && active >= MAX_PAUSES)
    refuse(
      'PAUSES_TOO_MANY',
      `${active} pauses are active, at most ${MAX_PAUSES} may be; lift some, or pause the whole tenant`,
    );
  return isNew;
}

export async function liftPause(tx: Transaction, order: Pause & { actor: string }): Promise<void> {
  if (!(await liftPauseRow(tx, order))) refuse('PAUSE_NOT_FOUND', 'there is no such pause to lift');
}
