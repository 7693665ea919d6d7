// Pause switches stop what leaves: a whole tenant, one asset, or one rail. New payments are refused and due ones wait,
// without an attempt being counted. Setting and lifting are on record, told by whoever composes this with events (a lower
// module does not call a higher one).
import type { Transaction } from '../db/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { Pause, PauseOrder } from './pauses.ts';
import { insertPause, liftPauseRow } from './store.ts';

/** Pausing what is paused changes nothing, and is false. */
export async function pause(tx: Transaction, order: PauseOrder): Promise<boolean> {
  if (order.reason.trim() === '') refuse('FIELD_INVALID', 'a pause needs a reason', { param: 'reason' });
  if ((order.scope === 'tenant') !== (order.value === '')) {
    refuse('FIELD_INVALID', 'a pause of an asset or rail names it; one of the whole tenant names nothing', {
      param: 'value',
    });
  }
  return insertPause(tx, newId(), order);
}

export async function liftPause(tx: Transaction, order: Pause & { actor: string }): Promise<void> {
  if (!(await liftPauseRow(tx, order))) refuse('PAUSE_NOT_FOUND', 'there is no such pause to lift');
}
