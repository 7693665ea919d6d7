// Changes endpoints, and their jobs with them. A changed URL, header or form applies to attempts that have not begun; a changed pattern and
// order to events that are not matched yet. An endpoint that is enabled again begins at the end of the order: `recover` fetches the rest.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../db/index.ts';
import type { TenantCaller } from '../jobs/index.ts';
import { updateManagedJob } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { WEBHOOK_RETRY_PRESETS, refuse } from '../kernel/index.ts';
import type { EndpointTools } from './create-endpoint.ts';
import { encryptHeaders } from './create-endpoint.ts';
import type { WebhookEndpoint, WebhookEndpointChanges } from './endpoint.ts';
import { emitEndpointEvent, termsInEvents } from './endpoint-events.ts';
import { lockEndpoint, updateEndpointRow } from './endpoint-store.ts';
import { parseHeaders, parseTerms } from './parse-endpoint.ts';

export async function updateEndpoint(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  changes: WebhookEndpointChanges,
  { secrets, checkUrl }: EndpointTools,
): Promise<WebhookEndpoint> {
  const before = await holdEndpoint(tx, by, id);
  const terms = parseTerms(changes, before, checkUrl);
  // Headers are credentials of the receiver: one at another origin does not get them, unless the caller says them again, and so knows them.
  const isElsewhere = new URL(terms.url).origin !== new URL(before.url).origin;
  const given = changes.headers ?? (isElsewhere && before.headerNames.length > 0 ? null : changes.headers);
  const headers =
    given === undefined ? null : encryptHeaders(secrets, { ...before, url: terms.url }, parseHeaders(given));
  const { eventPattern, description, maxPerSecond, enabled } = changes;
  const job = await updateManagedJob(tx, clock, by, id, {
    ...(eventPattern === undefined ? {} : { eventPattern }),
    ...(description === undefined ? {} : { description }),
    ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(terms.retry === before.retry ? {} : { retry: WEBHOOK_RETRY_PRESETS[terms.retry] }),
    ordered: terms.ordered,
  });
  const changed: WebhookEndpoint = {
    ...before,
    ...terms,
    eventPattern: job.eventPattern,
    description: job.description,
    headerNames: headers?.names ?? before.headerNames,
    maxPerSecond: job.maxPerSecond,
    enabled: job.enabled,
    disabledReason: job.enabled ? null : (before.disabledReason ?? 'caller'),
  };
  const hasChanged = headers !== null || !isDeepStrictEqual(changed, before);
  if (!hasChanged) return before;
  // What failed was sent to another URL, or a while ago.
  const isAgain = changed.url !== before.url || (changed.enabled && !before.enabled);
  const updated = { ...changed, updatedAt: clock.now, ...(isAgain ? { failingSince: null } : {}) };
  await updateEndpointRow(tx, updated, headers, isAgain);
  const [old, now] = [termsInEvents(before), termsInEvents(updated)];
  // A new query of the URL, or new values of headers, are not shown, and are a change all the same.
  const isHidden = (field: string): boolean =>
    (field === 'url' && before.url !== updated.url) || (field === 'headerNames' && headers !== null);
  const fields = Object.keys(now).filter((field) => isHidden(field) || !isDeepStrictEqual(old[field], now[field]));
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(fields.map((name) => [name, from[name]]));
  await emitEndpointEvent(tx, clock, by.caller, updated, 'updated', { old: pick(old), new: pick(now) });
  return updated;
}

/** Locks it until the transaction ends. */
export async function holdEndpoint(tx: Transaction, { tenantId }: TenantCaller, id: Uuid): Promise<WebhookEndpoint> {
  return (await lockEndpoint(tx, tenantId, id)) ?? refuse('WEBHOOK_ENDPOINT_NOT_FOUND', { endpoint: id });
}
