// Deliveries as callers see them: executions of the jobs of endpoints, with what their attempts sent and got.
import type { Sql } from '../db/index.ts';
import type { StoredExecution } from '../jobs/index.ts';
import { findExecution, invocationIdOf, listExecutions, listInvocations } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { pageOf } from '../kernel/index.ts';
import { readAttempts, readOutcomes } from './attempt-store.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import type { Delivery, DeliveryFilter, DeliveryPage, DeliveryWithAttempts } from './delivery.ts';
import { endpointsAmong, listEndpointIds, readOwner } from './endpoint-store.ts';

/** Newest first; one bounded scan. */
export async function listDeliveries(
  sql: Sql,
  tenantId: Uuid,
  { endpointId, ...filter }: DeliveryFilter,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<DeliveryPage> {
  if (endpointId !== undefined && (await endpointsAmong(sql, tenantId, [endpointId])).size === 0)
    return { deliveries: [], next: null };
  // Of an event or a resource, executions of other jobs would leave pages empty: only those of endpoints are looked for.
  const isProbed = filter.eventId !== undefined || filter.resourceId !== undefined;
  const ofEndpoints = endpointId === undefined && isProbed ? { jobIds: await listEndpointIds(sql, tenantId) } : {};
  const wanted = { ...filter, ...ofEndpoints, ...(endpointId === undefined ? {} : { jobId: endpointId }) };
  const { items, next } = await pageOf(
    limit,
    (most) => listExecutions(sql, tenantId, wanted, { limit: most, before }),
    ({ id }) => id,
  );
  // Executions of other jobs are left out here: the page is then shorter, and `next` goes on behind them.
  const endpoints = await endpointsAmong(
    sql,
    tenantId,
    items.map(({ jobId }) => jobId),
  );
  const own = items.filter(({ jobId }) => endpoints.has(jobId));
  const outcomes = await readOutcomes(sql, tenantId, own.flatMap(lastEnded));
  return { deliveries: own.map((one) => shown(one, outcomes)), next };
}

/** Null if there is none, or if the execution is of another job. */
export async function findDelivery(sql: Sql, tenantId: Uuid, id: Uuid): Promise<DeliveryWithAttempts | null> {
  const execution = await findExecution(sql, tenantId, id);
  if (!execution || (await readOwner(sql, tenantId, execution.jobId)) === null) return null;
  const invocations = await listInvocations(sql, execution);
  const stored = await readAttempts(
    sql,
    tenantId,
    invocations.map((one) => one.id),
  );
  const outcomes = await readOutcomes(sql, tenantId, lastEnded(execution));
  const attempts = invocations.map((one) => ({
    id: one.id,
    number: one.attemptNumber,
    status: one.status,
    startedAt: one.startedAt,
    completedAt: one.completedAt,
    code: one.code,
    error: one.error,
    ...(stored.get(one.id) ?? { request: null, response: null, timing: null, failure: null }),
  }));
  return { ...shown(execution, outcomes), attempts };
}

/** The id of the last attempt that ended. */
function lastEnded({ id, attemptNumber, status }: StoredExecution): Uuid[] {
  const last = status === 'running' ? attemptNumber - 1 : attemptNumber;
  return last < 1 ? [] : [invocationIdOf(id, last)];
}

function shown(of: StoredExecution, outcomes: ReadonlyMap<Uuid, AttemptOutcome>): Delivery {
  const [last] = lastEnded(of);
  const outcome = last === undefined ? undefined : outcomes.get(last);
  return {
    tenantId: of.tenantId,
    id: of.id,
    endpointId: of.jobId,
    eventId: of.eventId,
    seq: of.seq,
    status: of.status,
    attemptNumber: of.attemptNumber,
    sent: outcome?.sent ?? null,
    responseStatus: outcome?.responseStatus ?? null,
    startedAt: of.startedAt,
    completedAt: of.completedAt,
    nextRetryAt: of.nextRetryAt,
    createdAt: of.createdAt,
    code: of.code,
    error: of.error,
  };
}
