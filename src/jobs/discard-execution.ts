// Discards dead letters of executions: the execution stays failed, and is off the desk.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { parseReason } from '../payments/index.ts';
import { deleteExecutionLetter } from './dead-letter-store.ts';
import { executionEvent } from './execution-events.ts';
import { findExecution } from './execution-store.ts';
import type { TenantCaller } from './job.ts';

export async function discardExecution(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: TenantCaller,
  id: Uuid,
  given: string,
): Promise<void> {
  const reason = parseReason(given.trim());
  if (!reason) return refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const isThere = await deleteExecutionLetter(tx, tenantId, id);
  const execution = isThere ? await findExecution(tx, tenantId, id) : null;
  if (!execution) return refuse('DEAD_LETTER_NOT_FOUND');
  await appendEvents(tx, [executionEvent(clock, caller, execution, 'discarded', { reason })]);
}
