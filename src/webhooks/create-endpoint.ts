// Creates endpoints, each with its job. The secret is returned once, and stored encrypted.
import type { Transaction } from '../db/index.ts';
import type { TenantCaller } from '../jobs/index.ts';
import { createManagedJob, lockAndCountJobs } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { WEBHOOK_RETRY_PRESETS, newId, refuse, toTypeId } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow, requireSecrets } from '../secrets/index.ts';
import type { WebhookEndpoint, WebhookEndpointParams, WebhookEndpointWithSecret } from './endpoint.ts';
import { HEADERS, JOB_TIMEOUT_MS, MOST_ENDPOINTS, SECRET } from './endpoint.ts';
import { emitEndpointEvent, termsInEvents } from './endpoint-events.ts';
import type { StoredHeaders } from './endpoint-store.ts';
import { countEndpoints, insertEndpoint } from './endpoint-store.ts';
import type { CheckUrl } from './parse-endpoint.ts';
import { DEFAULT_TERMS, parseHeaders, parseSecret, parseTerms } from './parse-endpoint.ts';
import { newWebhookSecret } from './signature.ts';

/** Encrypts secrets, and judges URLs. */
export interface EndpointTools {
  readonly secrets: Secrets;
  readonly checkUrl: CheckUrl;
}

export async function createEndpoint(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  params: WebhookEndpointParams,
  { secrets, checkUrl }: EndpointTools,
): Promise<WebhookEndpointWithSecret> {
  requireSecrets(secrets);
  const { url, eventPattern, description = '', maxPerSecond = null, enabled = true } = params;
  if (url === undefined) refuse('FIELD_INVALID/required', { param: 'url' });
  const terms = parseTerms(params, DEFAULT_TERMS, checkUrl);
  const headers = parseHeaders(params.headers);
  const secret = params.secret === undefined ? newWebhookSecret() : parseSecret(params.secret);
  const { tenantId } = by;
  const key = { tenantId, id: newId() };
  // The lock that every create of a job takes: the number of endpoints is exact under it.
  await lockAndCountJobs(tx, tenantId);
  if ((await countEndpoints(tx, tenantId)) >= MOST_ENDPOINTS)
    refuse('WEBHOOK_ENDPOINTS_TOO_MANY', { max: MOST_ENDPOINTS });
  const { ordered, retry } = terms;
  const job = await createManagedJob(tx, clock, by, {
    id: key.id,
    name: toTypeId('webhookEndpoint', key.id),
    description,
    eventPattern,
    processorName: 'webhook-delivery',
    enabled,
    retry: WEBHOOK_RETRY_PRESETS[retry],
    timeoutMs: JOB_TIMEOUT_MS,
    maxPerSecond,
    ordered,
  });
  const stored = encryptHeaders(secrets, { ...key, url: terms.url }, headers);
  const endpoint: WebhookEndpoint = {
    ...key,
    ...terms,
    eventPattern: job.eventPattern,
    description: job.description,
    headerNames: stored.names,
    maxPerSecond: job.maxPerSecond,
    enabled: job.enabled,
    disabledReason: job.enabled ? null : 'caller',
    previousSecretExpiresAt: null,
    lastSuccessAt: null,
    failingSince: null,
    createdBy: job.createdBy,
    createdAt: clock.now,
    updatedAt: clock.now,
  };
  await insertEndpoint(tx, endpoint, stored, secrets.encrypt(secret, aboutRow(SECRET, key)));
  await emitEndpointEvent(tx, clock, by.caller, endpoint, 'created', { new: termsInEvents(endpoint) });
  return { endpoint, secret };
}

/** With the origin that they are for: they are credentials of its receiver, and are sent nowhere else. */
export function encryptHeaders(
  secrets: Secrets,
  endpoint: { readonly tenantId: Uuid; readonly id: Uuid; readonly url: string },
  headers: Readonly<Record<string, string>> | null,
): StoredHeaders {
  if (headers === null) return { names: [], encrypted: null };
  requireSecrets(secrets, 'headers');
  return {
    names: Object.keys(headers).toSorted(),
    encrypted: secrets.encrypt(
      JSON.stringify({ origin: new URL(endpoint.url).origin, headers }),
      aboutRow(HEADERS, endpoint),
    ),
  };
}
