// Sends again what an endpoint did not get since an instant: deliveries that failed for good, page by page, and events that it missed while it
// was disabled. Deliveries that completed are left alone, and so are events from before the endpoint existed: it never missed them.
import type { Transaction } from '../db/index.ts';
import { readLiveClock } from '../db/index.ts';
import type { RecoveredPage, TenantCaller } from '../jobs/index.ts';
import { recoverJob } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { idInstant, isUuid, refuse } from '../kernel/index.ts';
import { parseInstant } from '../payments/index.ts';
import { shownUrl } from './endpoint.ts';
import { emitEndpointEvent } from './endpoint-events.ts';
import { holdEndpoint } from './update-endpoint.ts';

export interface RecoverEndpointParams {
  /** Only events from this instant on, in real time, and none from before the endpoint was created. */
  readonly since: Date | string;
  /** `next` of the page before. Default: the first page. */
  readonly after?: Uuid;
  readonly reason?: string;
}

export interface RecoveredEndpoint extends RecoveredPage {
  /** The first instant whose events are sent: `since`, or when the endpoint was created. */
  readonly from: Date;
}

export async function recoverEndpoint(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  { since, after, reason }: RecoverEndpointParams,
): Promise<RecoveredEndpoint> {
  const asked = parseInstant(since, 'since', { isFilter: true });
  const now = tx.begunAt ?? (await readLiveClock(tx)).now;
  if (asked > now) refuse('FIELD_INVALID/not_in_the_future', { param: 'since' });
  if (after !== undefined && !isUuid(after)) refuse('ID_INVALID/not_a_cursor', { param: 'after' });
  const endpoint = await holdEndpoint(tx, by, id);
  if (!endpoint.enabled) refuse('WEBHOOK_ENDPOINT_DISABLED', { endpoint: id });
  // In a test tenant `createdAt` is of its clock; the id has the real instant in every tenant.
  const created = clock.clockId === null ? endpoint.createdAt : idInstant(id);
  const from = asked < created ? created : asked;
  const order = { jobId: id, since: asked, bornAt: created, after: after ?? null };
  const page = await recoverJob(tx, clock, by, reason === undefined ? order : { ...order, reason });
  const data = { url: shownUrl(endpoint.url), since: from.toISOString(), retried: page.retried, missed: page.missed };
  await emitEndpointEvent(tx, clock, by.caller, endpoint, 'recovered', data);
  return { ...page, from };
}
