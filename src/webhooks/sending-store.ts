// Endpoints as a worker needs them to send: with their secrets and headers, encrypted.
import type { Row, Sql } from '../db/index.ts';
import { asBoolean, asText, asTextOrNull } from '../db/index.ts';
import { MANAGED_JOBS } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Payload } from './endpoint.ts';

export interface EndpointKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
}

/** Encrypted values are null where there is none. */
export interface SendingEndpoint extends EndpointKey {
  readonly url: string;
  readonly payload: Payload;
  readonly plainSignature: boolean;
  readonly sendTestEvents: boolean;
  readonly enabled: boolean;
  /** It answered 410, and will be disabled in a moment. */
  readonly isGone: boolean;
  readonly headers: Buffer | null;
  /** Null after its key was given up, until it is rotated. */
  readonly secret: Buffer | null;
  /** Only within its grace period. */
  readonly previousSecret: Buffer | null;
}

/** Those of the keys that exist, by id. */
export async function readSending(sql: Sql, keys: readonly EndpointKey[]): Promise<ReadonlyMap<Uuid, SendingEndpoint>> {
  const rows = await sql.query(
    `select w.tenant_id, w.id, w.url, w.payload, w.plain_signature, w.send_test_events, j.enabled,
       w.gone_at is not null as is_gone, encode(w.headers, 'hex') as headers,
       encode(w.secret, 'hex') as secret,
       case when w.previous_secret_expires_at > clock_timestamp() then encode(w.previous_secret, 'hex') end as previous_secret
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id)
     join usance.webhook_endpoints w on w.tenant_id = k.tenant_id and w.id = k.id and w.deleted_at is null
     join (${MANAGED_JOBS}) j on j.tenant_id = w.tenant_id and j.id = w.id`,
    [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [asText(row['id']), sending(row)]));
}

const bytesOf = (value: unknown): Buffer | null => {
  const digits = asTextOrNull(value);
  return digits === null ? null : Buffer.from(digits, 'hex');
};

function sending(row: Row): SendingEndpoint {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    url: asText(row['url']),
    payload: asText(row['payload']) as Payload,
    plainSignature: asBoolean(row['plain_signature']),
    sendTestEvents: asBoolean(row['send_test_events']),
    enabled: asBoolean(row['enabled']),
    isGone: asBoolean(row['is_gone']),
    headers: bytesOf(row['headers']),
    secret: bytesOf(row['secret']),
    previousSecret: bytesOf(row['previous_secret']),
  };
}
