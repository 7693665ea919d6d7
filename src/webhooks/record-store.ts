// Statements of the transaction that ends attempts. They wait for no lock: an endpoint that a caller's transaction has locked keeps its
// health until its next attempt, and the end of an attempt is never held up.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { AttemptRecord } from './record.ts';
import type { EndpointKey } from './sending-store.ts';

export interface NewAttempt extends AttemptRecord {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly executionId: Uuid;
  readonly eventId: Uuid;
  readonly attempt: number;
}

/** The response to a delivery whose event was erased meanwhile is not kept: it may repeat the data of the event. */
export async function insertAttempts(
  sql: Sql,
  attempts: readonly NewAttempt[],
  erased: ReadonlySet<Uuid>,
): Promise<void> {
  if (attempts.length === 0) return;
  const kept = <T>(read: (attempt: NewAttempt) => T | null | undefined): (T | null)[] =>
    attempts.map((attempt) => (erased.has(attempt.eventId) ? null : (read(attempt) ?? null)));
  const timing = (name: 'dnsMs' | 'connectMs' | 'firstByteMs' | 'totalMs'): (number | null)[] =>
    attempts.map(({ answer }) => answer?.timing[name] ?? null);
  await sql.query(
    `insert into usance.delivery_attempts
       (tenant_id, id, execution_id, endpoint_id, attempt, ended_at, url, request_headers, request_bytes, request_digest, response_status,
        response_headers, response_body, response_truncated, dns_ms, connect_ms, first_byte_ms, total_ms, failure)
     select k.tenant_id, k.id, k.execution_id, k.endpoint_id, k.attempt, statement_timestamp(), k.url, k.request_headers, k.request_bytes,
       decode(k.request_digest, 'hex'), k.response_status, k.response_headers, k.response_body, k.response_truncated, k.dns_ms, k.connect_ms,
       k.first_byte_ms, k.total_ms, k.failure
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::jsonb[], $8::int[], $9::text[], $10::int[],
                 $11::jsonb[], $12::text[], $13::boolean[], $14::real[], $15::real[], $16::real[], $17::real[], $18::text[])
       k (tenant_id, id, execution_id, endpoint_id, attempt, url, request_headers, request_bytes, request_digest, response_status,
          response_headers, response_body, response_truncated, dns_ms, connect_ms, first_byte_ms, total_ms, failure)
     on conflict (tenant_id, id) do nothing`,
    [
      attempts.map(({ tenantId }) => tenantId),
      attempts.map(({ id }) => id),
      attempts.map(({ executionId }) => executionId),
      attempts.map(({ endpointId }) => endpointId),
      attempts.map(({ attempt }) => attempt),
      attempts.map(({ request }) => request?.url ?? null),
      attempts.map(({ request }) => (request ? JSON.stringify(request.headers) : null)),
      attempts.map(({ request }) => request?.bytes ?? null),
      kept(({ request }) => request?.digest.toString('hex')),
      attempts.map(({ answer }) => answer?.status ?? null),
      kept(({ answer }) => (answer ? JSON.stringify(answer.headers) : null)),
      kept(({ answer }) => answer?.body),
      attempts.map(({ answer }) => answer?.truncated ?? false),
      timing('dnsMs'),
      timing('connectMs'),
      timing('firstByteMs'),
      timing('totalMs'),
      attempts.map(({ failure }) => failure),
    ],
  );
}

const columns = (keys: readonly EndpointKey[]): [Uuid[], Uuid[]] => [
  keys.map(({ tenantId }) => tenantId),
  keys.map(({ id }) => id),
];

/** At most once a minute for an endpoint that goes on succeeding. */
export async function noteSuccesses(sql: Sql, keys: readonly EndpointKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `with free as (
       select w.tenant_id, w.id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id)
       join usance.webhook_endpoints w on w.tenant_id = k.tenant_id and w.id = k.id
       where w.deleted_at is null and (w.failing_since is not null or w.last_success_at is null
         or w.last_success_at < statement_timestamp() - interval '1 minute')
       for no key update of w skip locked)
     update usance.webhook_endpoints w
     set last_success_at = date_trunc('milliseconds', statement_timestamp()), failing_since = null, last_failed_at = null,
         warned_at = null, gone_at = null
     from free where w.tenant_id = free.tenant_id and w.id = free.id`,
    columns(keys),
  );
}

/** The first failure since the last success, and the last one to the minute. */
export async function noteFailures(
  sql: Sql,
  keys: readonly (EndpointKey & { readonly isGone: boolean })[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `with free as (
       select w.tenant_id, w.id, k.gone from unnest($1::uuid[], $2::uuid[], $3::boolean[]) k (tenant_id, id, gone)
       join usance.webhook_endpoints w on w.tenant_id = k.tenant_id and w.id = k.id
       where w.deleted_at is null and w.disabled_reason is null and (w.failing_since is null or w.last_failed_at is null
         or w.last_failed_at < statement_timestamp() - interval '1 minute' or k.gone and w.gone_at is null)
       for no key update of w skip locked)
     update usance.webhook_endpoints w
     set failing_since = coalesce(w.failing_since, date_trunc('milliseconds', statement_timestamp())),
         last_failed_at = date_trunc('milliseconds', statement_timestamp()),
         gone_at = case when free.gone then date_trunc('milliseconds', statement_timestamp()) else w.gone_at end
     from free where w.tenant_id = free.tenant_id and w.id = free.id`,
    [...columns(keys), keys.map(({ isGone }) => isGone)],
  );
}
