// Sends a delivery again that has completed or failed, with all its attempts. The receiver gets the same webhook-id, by which it deduplicates.
import type { Transaction } from '../db/index.ts';
import type { TenantCaller } from '../jobs/index.ts';
import { findExecution, retryExecutions } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { Refusal, refuse } from '../kernel/index.ts';
import { readOwner } from './endpoint-store.ts';

export async function redeliver(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  { reason }: { readonly reason?: string },
): Promise<void> {
  const { tenantId } = by;
  const execution = await findExecution(tx, tenantId, id);
  const owner = execution ? await readOwner(tx, tenantId, execution.jobId) : null;
  if (!execution || owner === null) return refuse('DELIVERY_NOT_FOUND', { delivery: id });
  if (owner === 'disabled') refuse('WEBHOOK_ENDPOINT_DISABLED', { endpoint: execution.jobId });
  if (owner === 'deleted') refuse('WEBHOOK_ENDPOINT_NOT_FOUND', { endpoint: execution.jobId });
  const options = { completed: true, ...(reason === undefined ? {} : { reason }) };
  const [refused = null] = await retryExecutions(tx, clock, by, [id], options);
  if (refused?.code === 'EXECUTION_NOT_RETRYABLE') {
    const status = (await findExecution(tx, tenantId, id))?.status ?? execution.status;
    refuse('DELIVERY_NOT_REDELIVERABLE', { delivery: id, status });
  }
  if (refused) throw new Refusal(refused);
}
