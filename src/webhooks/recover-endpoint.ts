// Sends again what an endpoint did not get since an instant: deliveries that failed for good, page by page, and events that it missed while it
// was disabled. Deliveries that completed are left alone.
import type { Transaction } from '../db/index.ts';
import type { RecoveredPage, TenantCaller } from '../jobs/index.ts';
import { recoverJob } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import { parseInstant } from '../payments/index.ts';
import { shownUrl } from './endpoint.ts';
import { emitEndpointEvent } from './endpoint-events.ts';
import { holdEndpoint } from './update-endpoint.ts';

export interface RecoverEndpointParams {
  /** Only events from this instant on, in real time. */
  readonly since: Date | string;
  /** `next` of the page before. Default: the first page. */
  readonly after?: Uuid;
  readonly reason?: string;
}

export async function recoverEndpoint(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  { since, after, reason }: RecoverEndpointParams,
): Promise<RecoveredPage> {
  const from = parseInstant(since, 'since', { isFilter: true });
  if (after !== undefined && !isUuid(after)) refuse('ID_INVALID/not_a_cursor', { param: 'after' });
  const endpoint = await holdEndpoint(tx, by, id);
  if (!endpoint.enabled) refuse('WEBHOOK_ENDPOINT_DISABLED', { endpoint: id });
  const order = { jobId: id, since: from, after: after ?? null };
  const page = await recoverJob(tx, clock, by, reason === undefined ? order : { ...order, reason });
  const data = { url: shownUrl(endpoint.url), since: from.toISOString(), retried: page.retried };
  await emitEndpointEvent(tx, clock, by.caller, endpoint, 'recovered', data);
  return page;
}
