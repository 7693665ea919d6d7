import type { Row, Sql } from '../db/index.ts';
import { asDate, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Tenant, TenantKind } from './tenant.ts';

const COLUMNS = 'id, name, kind, default_asset, created_at';

function tenant(row: Row): Tenant {
  return {
    id: asText(row['id']),
    name: asText(row['name']),
    kind: row['kind'] === 'test' ? 'test' : 'live',
    defaultAsset: asTextOrNull(row['default_asset']),
    createdAt: asDate(row['created_at']),
  };
}

/** Null when the name is taken. */
export async function insertTenant(sql: Sql, id: Uuid, name: string, kind: TenantKind): Promise<Tenant | null> {
  const [row] = await sql.query(
    `insert into usance.tenants (id, name, kind) values ($1::uuid, $2::text, $3::text)
     on conflict on constraint tenants_name_key do nothing returning ${COLUMNS}`,
    [id, name, kind],
  );
  return row ? tenant(row) : null;
}

/** By id or by name. */
export async function findTenant(sql: Sql, idOrName: string): Promise<Tenant | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.tenants where id::text = $1::text or name = $1::text`,
    [idOrName],
  );
  return row ? tenant(row) : null;
}

export async function listTenants(sql: Sql): Promise<Tenant[]> {
  return (await sql.query(`select ${COLUMNS} from usance.tenants order by id`)).map(tenant);
}

export async function setDefaultAsset(sql: Sql, tenantId: Uuid, asset: string): Promise<void> {
  await sql.query('update usance.tenants set default_asset = $2::text where id = $1::uuid', [tenantId, asset]);
}

interface Scope {
  readonly tenantId: Uuid;
  readonly actor: string;
  readonly key: string;
}

export async function tryLockIdempotencyKey(sql: Sql, scope: Scope): Promise<boolean> {
  const [row] = await sql.query(
    `select pg_try_advisory_xact_lock(hashtextextended($1::text || chr(31) || $2::text || chr(31) || $3::text, 7)) as got`,
    [scope.tenantId, scope.actor, scope.key],
  );
  return row?.['got'] === true;
}

export async function findIdempotencyRecord(
  sql: Sql,
  scope: Scope,
): Promise<{ fingerprint: string; answer: unknown } | null> {
  const [row] = await sql.query(
    `select fingerprint, answer::text as answer from usance.idempotency_keys
     where tenant_id = $1::uuid and actor = $2::text and key = $3::text`,
    [scope.tenantId, scope.actor, scope.key],
  );
  return row ? { fingerprint: asText(row['fingerprint']), answer: JSON.parse(asText(row['answer'])) as unknown } : null;
}

export async function insertIdempotencyRecord(
  sql: Sql,
  scope: Scope & { fingerprint: string },
  answer: string,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.idempotency_keys (tenant_id, actor, key, fingerprint, answer)
     values ($1::uuid, $2::text, $3::text, $4::text, $5::jsonb)
     on conflict (tenant_id, actor, key) do nothing returning 1 as written`,
    [scope.tenantId, scope.actor, scope.key, scope.fingerprint, answer],
  );
  return rows.length === 1;
}
