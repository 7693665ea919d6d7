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
  if (order.reason.trim() === '') refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const condition = { param: 'value', other: 'scope', value: order.scope };
  if (order.scope === 'tenant' && order.value !== '') refuse('FIELD_INVALID/not_allowed_with', condition);
  if (order.scope !== 'tenant' && order.value === '') refuse('FIELD_INVALID/required_with', condition);
  const active = await countPauses(tx, order.tenantId);
  const isNew = await insertPause(tx, newId(), order);
  if (isNew && active >= MAX_PAUSES) refuse('PAUSES_TOO_MANY', { active, max: MAX_PAUSES });
  return isNew;
}

export async function liftPause(tx: Transaction, order: Pause & { actor: string }): Promise<void> {
  if (!(await liftPauseRow(tx, order))) refuse('PAUSE_NOT_FOUND');
}
