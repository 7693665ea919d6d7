// Attempts of deliveries as they are read. Their ids are those of the invocations: one probe for each.
import type { Row, Sql } from '../db/index.ts';
import { asBoolean, asNumber, asNumberOrNull, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { OutboundCode } from '../outbound/index.ts';
import type { DeliveryAttempt } from './delivery.ts';

export type StoredAttempt = Pick<DeliveryAttempt, 'request' | 'response' | 'timing' | 'failure'>;

const bounds = (ids: readonly Uuid[]): [Uuid, Uuid] => {
  const sorted = ids.toSorted();
  return [sorted[0] ?? NIL_UUID, sorted.at(-1) ?? NIL_UUID];
};
const WANTED = 'tenant_id = $1::uuid and id = any ($2::uuid[]) and id >= $3::uuid and id <= $4::uuid';

export interface AttemptOutcome {
  readonly sent: boolean;
  readonly responseStatus: number | null;
}

/** By the id of the attempt. */
export async function readOutcomes(
  sql: Sql,
  tenantId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, AttemptOutcome>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    `select id, url is not null as sent, response_status from usance.delivery_attempts where ${WANTED}`,
    [tenantId, ids, ...bounds(ids)],
  );
  return new Map(
    rows.map((row) => [
      asText(row['id']),
      { sent: asBoolean(row['sent']), responseStatus: asNumberOrNull(row['response_status']) },
    ]),
  );
}

export async function readAttempts(
  sql: Sql,
  tenantId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, StoredAttempt>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    `select id, url, request_headers::text as request_headers, request_bytes, encode(request_digest, 'hex') as request_digest,
       response_status, response_headers::text as response_headers, response_body, response_truncated, dns_ms, connect_ms,
       first_byte_ms, total_ms, failure
     from usance.delivery_attempts where ${WANTED}`,
    [tenantId, ids, ...bounds(ids)],
  );
  return new Map(rows.map((row) => [asText(row['id']), storedAttempt(row)]));
}

const jsonOf = <T>(value: unknown): T | null => {
  const text = asTextOrNull(value);
  return text === null ? null : (JSON.parse(text) as T);
};

function storedAttempt(row: Row): StoredAttempt {
  const url = asTextOrNull(row['url']);
  const status = asNumberOrNull(row['response_status']);
  return {
    request:
      url === null
        ? null
        : {
            url,
            headers: jsonOf<Record<string, string | null>>(row['request_headers']) ?? {},
            bytes: asNumber(row['request_bytes']),
            digest: asTextOrNull(row['request_digest']),
          },
    response:
      status === null
        ? null
        : {
            status,
            headers: jsonOf<Record<string, string>>(row['response_headers']),
            body: asTextOrNull(row['response_body']),
            truncated: asBoolean(row['response_truncated']),
          },
    timing:
      row['total_ms'] === null
        ? null
        : {
            dnsMs: asNumber(row['dns_ms']),
            connectMs: asNumber(row['connect_ms']),
            firstByteMs: asNumber(row['first_byte_ms']),
            totalMs: asNumber(row['total_ms']),
          },
    failure: asTextOrNull(row['failure']) as OutboundCode | null,
  };
}
