// Endpoints, joined with their jobs. Changes lock the endpoint first and its job second. The health of an endpoint is written by the
// transactions that end deliveries (record-store.ts), which skip a row that is locked.
import type { Row, Sql } from '../db/index.ts';
import { asBoolean, asDate, asDateOrNull, asNumber, asNumberOrNull, asText, asTextOrNull, only } from '../db/index.ts';
import { MANAGED_JOBS } from '../jobs/index.ts';
import type { Uuid, WebhookRetryPreset } from '../kernel/index.ts';
import { writingSecrets } from '../secrets/index.ts';
import type { DisabledReason, Payload, WebhookEndpoint } from './endpoint.ts';

const COLUMNS = `w.tenant_id, w.id, w.url, j.event_pattern, w.description, w.payload, to_json(w.header_names)::text as header_names,
  w.plain_signature, j.ordered, w.retry_preset, j.max_per_second, w.send_test_events, j.enabled, w.disabled_reason,
  case when w.previous_secret_expires_at > clock_timestamp() then w.previous_secret_expires_at end as previous_secret_expires_at,
  w.last_success_at, w.failing_since, j.created_by, w.created_at, w.updated_at`;
const LIVE = `usance.webhook_endpoints w join (${MANAGED_JOBS}) j on j.tenant_id = w.tenant_id and j.id = w.id
  where w.tenant_id = $1::uuid and w.deleted_at is null`;

export function endpointOf(row: Row): WebhookEndpoint {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    url: asText(row['url']),
    eventPattern: asText(row['event_pattern']),
    description: asText(row['description']),
    payload: asText(row['payload']) as Payload,
    headerNames: JSON.parse(asText(row['header_names'])) as string[],
    plainSignature: asBoolean(row['plain_signature']),
    ordered: asBoolean(row['ordered']),
    retry: asText(row['retry_preset']) as WebhookRetryPreset,
    maxPerSecond: asNumberOrNull(row['max_per_second']),
    sendTestEvents: asBoolean(row['send_test_events']),
    enabled: asBoolean(row['enabled']),
    disabledReason: asTextOrNull(row['disabled_reason']) as DisabledReason | null,
    previousSecretExpiresAt: asDateOrNull(row['previous_secret_expires_at']),
    lastSuccessAt: asDateOrNull(row['last_success_at']),
    failingSince: asDateOrNull(row['failing_since']),
    createdBy: asText(row['created_by']),
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

export async function countEndpoints(sql: Sql, tenantId: Uuid): Promise<number> {
  const rows = await sql.query(
    'select count(*)::int as endpoints from usance.webhook_endpoints where tenant_id = $1::uuid and deleted_at is null',
    [tenantId],
  );
  return asNumber(only(rows)['endpoints']);
}

export async function findEndpoint(sql: Sql, tenantId: Uuid, id: Uuid): Promise<WebhookEndpoint | null> {
  const [row] = await sql.query(`select ${COLUMNS} from ${LIVE} and w.id = $2::uuid`, [tenantId, id]);
  return row ? endpointOf(row) : null;
}

/** Null if it is no endpoint, or a deleted one. By the primary key. */
export async function findEndpointUrl(sql: Sql, tenantId: Uuid, id: Uuid): Promise<string | null> {
  const [row] = await sql.query(
    'select url from usance.webhook_endpoints where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null',
    [tenantId, id],
  );
  return row ? asText(row['url']) : null;
}

/**
 * Locks it, and reads it by a statement of its own: the one that waited for the lock would join the job as it was before the wait, and a change made
 * from it would undo the one that was waited for.
 */
export async function lockEndpoint(sql: Sql, tenantId: Uuid, id: Uuid): Promise<WebhookEndpoint | null> {
  await sql.query('select from usance.webhook_endpoints where tenant_id = $1::uuid and id = $2::uuid for update', [
    tenantId,
    id,
  ]);
  return findEndpoint(sql, tenantId, id);
}

/** Newest first; a tenant has at most MOST_ENDPOINTS of them. */
export async function listEndpoints(
  sql: Sql,
  tenantId: Uuid,
  { enabled }: { readonly enabled?: boolean },
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<WebhookEndpoint[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from ${LIVE} and ($2::uuid is null or w.id < $2::uuid) and ($3::boolean is null or j.enabled = $3::boolean)
     order by w.id desc limit $4::int`,
    [tenantId, before, enabled ?? null, limit],
  );
  return rows.map(endpointOf);
}

/** Those of the ids that are endpoints of the tenant, deleted ones included. */
export async function endpointsAmong(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.query(
    'select id from usance.webhook_endpoints where tenant_id = $1::uuid and id = any ($2::uuid[])',
    [tenantId, [...new Set(ids)]],
  );
  return new Set(rows.map((row) => asText(row['id'])));
}

/** The newest 20,000, newest first, deleted ones included: for the same reason as `listJobIds` of the jobs. */
export async function listEndpointIds(sql: Sql, tenantId: Uuid): Promise<Uuid[]> {
  const rows = await sql.query(
    'select id from usance.webhook_endpoints where tenant_id = $1::uuid order by id desc limit 20000',
    [tenantId],
  );
  return rows.map((row) => asText(row['id']));
}

/** Whether a job belongs to an endpoint, and whether the endpoint is live. */
export async function readOwner(sql: Sql, tenantId: Uuid, id: Uuid): Promise<'live' | 'disabled' | 'deleted' | null> {
  const [row] = await sql.query(
    `select w.deleted_at is not null as deleted, j.enabled from usance.webhook_endpoints w
     join (${MANAGED_JOBS}) j on j.tenant_id = w.tenant_id and j.id = w.id where w.tenant_id = $1::uuid and w.id = $2::uuid`,
    [tenantId, id],
  );
  if (!row) return null;
  return asBoolean(row['deleted']) ? 'deleted' : asBoolean(row['enabled']) ? 'live' : 'disabled';
}

/** Encrypted values, as they are stored; null where there is none. */
export interface StoredHeaders {
  readonly names: readonly string[];
  readonly encrypted: Buffer | null;
}

const hex = (value: Buffer | null): string | null => value?.toString('hex') ?? null;
const NAMES = (at: number): string => `array(select json_array_elements_text($${at}::json))`;

export async function insertEndpoint(
  sql: Sql,
  made: WebhookEndpoint,
  headers: StoredHeaders,
  secret: Buffer,
): Promise<void> {
  await writingSecrets(
    sql.query(
      `insert into usance.webhook_endpoints
         (tenant_id, id, url, description, payload, header_names, headers, secret, plain_signature, retry_preset, send_test_events,
          disabled_reason, created_at, updated_at)
       values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, ${NAMES(6)}, decode($7::text, 'hex'), decode($8::text, 'hex'),
               $9::boolean, $10::text, $11::boolean, $12::text, $13::timestamptz, $13::timestamptz)`,
      [
        made.tenantId,
        made.id,
        made.url,
        made.description,
        made.payload,
        JSON.stringify(headers.names),
        hex(headers.encrypted),
        hex(secret),
        made.plainSignature,
        made.retry,
        made.sendTestEvents,
        made.disabledReason,
        made.createdAt,
      ],
    ),
  );
}

/** Its own columns; `headers` null: as they were. `isAgain`: its failures are forgotten. */
export async function updateEndpointRow(
  sql: Sql,
  changed: WebhookEndpoint,
  headers: StoredHeaders | null,
  isAgain: boolean,
): Promise<void> {
  await writingSecrets(
    sql.query(
      `update usance.webhook_endpoints
       set url = $3::text, description = $4::text, payload = $5::text, plain_signature = $6::boolean, retry_preset = $7::text,
           send_test_events = $8::boolean, disabled_reason = $9::text, updated_at = $10::timestamptz,
           header_names = case when $11::boolean then ${NAMES(12)} else header_names end,
           headers = case when $11::boolean then decode($13::text, 'hex') else headers end,
           failing_since = case when $14::boolean then null else failing_since end,
           last_failed_at = case when $14::boolean then null else last_failed_at end,
           warned_at = case when $14::boolean then null else warned_at end,
           gone_at = case when $14::boolean then null else gone_at end
       where tenant_id = $1::uuid and id = $2::uuid`,
      [
        changed.tenantId,
        changed.id,
        changed.url,
        changed.description,
        changed.payload,
        changed.plainSignature,
        changed.retry,
        changed.sendTestEvents,
        changed.disabledReason,
        changed.updatedAt,
        headers !== null,
        JSON.stringify(headers?.names ?? []),
        hex(headers?.encrypted ?? null),
        isAgain,
      ],
    ),
  );
}

/** Its secrets and headers are deleted at once; the row stays, for its deliveries. */
export async function markEndpointDeleted(sql: Sql, tenantId: Uuid, id: Uuid, at: Date): Promise<void> {
  await sql.query(
    `update usance.webhook_endpoints
     set deleted_at = $3::timestamptz, updated_at = $3::timestamptz, secret = null, previous_secret = null,
         previous_secret_expires_at = null, headers = null, header_names = '{}'
     where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id, at],
  );
}

/** Null after its key was given up. */
export async function readSecret(sql: Sql, tenantId: Uuid, id: Uuid): Promise<Buffer | null> {
  const row = only(
    await sql.query(
      `select encode(secret, 'hex') as secret from usance.webhook_endpoints where tenant_id = $1::uuid and id = $2::uuid`,
      [tenantId, id],
    ),
  );
  const digits = asTextOrNull(row['secret']);
  return digits === null ? null : Buffer.from(digits, 'hex');
}

/** Deletes previous secrets whose grace period is over. Rides webhook_endpoints_previous_secret_expiry. Returns how many. */
export async function deleteExpiredSecrets(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `update usance.webhook_endpoints w set previous_secret = null, previous_secret_expires_at = null
     from (select tenant_id, id from usance.webhook_endpoints where previous_secret_expires_at <= statement_timestamp()
           order by previous_secret_expires_at limit $1::int for no key update skip locked) over
     where w.tenant_id = over.tenant_id and w.id = over.id returning w.id`,
    [limit],
  );
  return rows.length;
}

/** The grace period is by the server's clock, also in a test tenant: signatures are. Returns its end. */
export async function replaceSecret(
  sql: Sql,
  tenantId: Uuid,
  id: Uuid,
  next: { readonly secret: Buffer; readonly previous: Buffer | null; readonly graceMs: number; readonly at: Date },
): Promise<Date | null> {
  const rows = await writingSecrets(
    sql.query(
      `update usance.webhook_endpoints
       set secret = decode($3::text, 'hex'), previous_secret = decode($4::text, 'hex'), updated_at = $6::timestamptz,
           previous_secret_expires_at = case when $4::text is not null
             then date_trunc('milliseconds', clock_timestamp() + make_interval(secs => $5::bigint / 1000.0)) end
       where tenant_id = $1::uuid and id = $2::uuid returning previous_secret_expires_at`,
      [tenantId, id, hex(next.secret), hex(next.previous), next.graceMs, next.at],
    ),
  );
  return asDateOrNull(only(rows)['previous_secret_expires_at']);
}
