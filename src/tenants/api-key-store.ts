import type { Row, Sql } from '../db/index.ts';
import { asDate, asDateOrNull, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { ApiKey } from './api-key.ts';

const COLUMNS = `tenant_id, id, name, prefix, array_to_string(scopes, ' ') as scopes, created_at, expires_at, revoked_at`;

function apiKey(row: Row): ApiKey {
  const scopes = asText(row['scopes']);
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    name: asText(row['name']),
    prefix: asText(row['prefix']),
    scopes: scopes === '' ? [] : scopes.split(' '),
    createdAt: asDate(row['created_at']),
    expiresAt: asDateOrNull(row['expires_at']),
    revokedAt: asDateOrNull(row['revoked_at']),
  };
}

interface NewApiKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  readonly prefix: string;
  /** Hexadecimal. */
  readonly digest: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<ApiKey> {
  return apiKey(
    only(
      await sql.query(
        `insert into usance.api_keys (tenant_id, id, name, prefix, digest, scopes, expires_at)
         values ($1::uuid, $2::uuid, $3::text, $4::text, decode($5::text, 'hex'), $6::text[], $7::timestamptz)
         on conflict (digest) do update set name = usance.api_keys.name
         returning ${COLUMNS}`,
        [key.tenantId, key.id, key.name, key.prefix, key.digest, key.scopes, key.expiresAt],
      ),
    ),
  );
}

export async function findApiKey(sql: Sql, digest: string): Promise<ApiKey | null> {
  const [row] = await sql.query(`select ${COLUMNS} from usance.api_keys where digest = decode($1::text, 'hex')`, [
    digest,
  ]);
  return row ? apiKey(row) : null;
}
