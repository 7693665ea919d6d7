// Every instant here is the database's real time: a key's life does not follow a test clock.
import type { Row, Sql } from '../db/index.ts';
import { asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { ApiKey } from './api-key.ts';
import type { Kin } from './counts-for.ts';
import { isRole, isScope } from './scope.ts';

const COLUMNS = `tenant_id, id, name, prefix, role, array_to_string(scopes, ' ') as scopes, created_by, created_at,
  expires_at, revoked_at, last_used_at, replaces, lineage_id, parent_id, person`;

const isAdmin = (of: string): string => `(coalesce(${of}.role = 'admin', false) or 'admin' = any (${of}.scopes))`;
const isLive = (of: string): string =>
  `(${of}.revoked_at is null and (${of}.expires_at is null or ${of}.expires_at > clock_timestamp()))`;

function apiKey(row: Row): ApiKey {
  const role = asTextOrNull(row['role']);
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    name: asText(row['name']),
    prefix: asText(row['prefix']),
    role: role !== null && isRole(role) ? role : null,
    // A scope that is no more allows nothing.
    scopes: asText(row['scopes']).split(' ').filter(isScope),
    createdBy: asText(row['created_by']),
    createdAt: asDate(row['created_at']),
    expiresAt: asDateOrNull(row['expires_at']),
    revokedAt: asDateOrNull(row['revoked_at']),
    lastUsedAt: asDateOrNull(row['last_used_at']),
    replaces: asTextOrNull(row['replaces']),
    lineageId: asText(row['lineage_id']),
    parentId: asTextOrNull(row['parent_id']),
    person: asTextOrNull(row['person']),
  };
}

interface NewApiKey extends Omit<ApiKey, 'createdAt' | 'revokedAt' | 'lastUsedAt'> {
  /** Hexadecimal. */
  readonly digest: string;
}

/** Null where it would have expired already, or the key it replaces has been replaced. */
export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<ApiKey | null> {
  const [row] = await sql.query(
    `insert into usance.api_keys
       (tenant_id, id, name, prefix, digest, role, scopes, created_by, expires_at, replaces, lineage_id,
        parent_id, person)
     select $1::uuid, $2::uuid, $3::text, $4::text, decode($5::text, 'hex'), $6::text, $7::text[], $8::text,
            $9::timestamptz, $10::uuid, $11::uuid, $12::uuid, $13::text
     where ($9::timestamptz is null or $9::timestamptz > clock_timestamp())
       and ($10::uuid is null or not exists (
         select from usance.api_keys where tenant_id = $1::uuid and replaces = $10::uuid))
     on conflict (digest) do update set name = usance.api_keys.name
     returning ${COLUMNS}`,
    [
      key.tenantId,
      key.id,
      key.name,
      key.prefix,
      key.digest,
      key.role,
      key.scopes,
      key.createdBy,
      key.expiresAt,
      key.replaces,
      key.lineageId,
      key.parentId,
      key.person,
    ],
  );
  return row ? apiKey(row) : null;
}

export interface FoundKey {
  readonly key: ApiKey;
  readonly isLive: boolean;
  /** Null where it does not expire. */
  readonly validForMs: number | null;
  /** Its lineage and all its ancestors'. */
  readonly kin: readonly Kin[];
}

/** One statement, by the digest's index and those of lineages and ids: one row a lineage, however often that was rotated. */
export async function findKey(sql: Sql, digest: string): Promise<FoundKey | null> {
  const [row] = await sql.query(
    `with recursive found as (
       select ${COLUMNS}, floor(extract(epoch from expires_at - clock_timestamp()) * 1000) as valid_for_ms,
              revoked_at is null and (expires_at is null or expires_at > clock_timestamp()) as is_live
       from usance.api_keys where digest = decode($1::text, 'hex')
     ), line (tenant_id, lineage_id) as (
       select f.tenant_id, f.lineage_id from found f
       union
       select p.tenant_id, p.lineage_id from line l
       join usance.api_keys k on k.tenant_id = l.tenant_id and k.lineage_id = l.lineage_id
       join usance.api_keys p on p.tenant_id = k.tenant_id and p.id = k.parent_id
     ), kin as (
       select l.lineage_id as "lineageId", min(k.person) as person,
              bool_or(${isAdmin('k')}) as "isAdmin"
       from line l
       join usance.api_keys k on k.tenant_id = l.tenant_id and k.lineage_id = l.lineage_id
       group by l.lineage_id
     )
     select f.*, (select jsonb_agg(to_jsonb(kin)) from kin)::text as kin from found f`,
    [digest],
  );
  if (!row) return null;
  const validForMs = row['valid_for_ms'] === null ? null : asNumber(row['valid_for_ms']);
  const kin = JSON.parse(asText(row['kin'])) as Kin[];
  return { key: apiKey(row), isLive: row['is_live'] === true, validForMs, kin };
}

/** Newest first. */
export async function listApiKeys(
  sql: Sql,
  tenantId: Uuid,
  page: { readonly limit: number; readonly before: Uuid | null },
): Promise<ApiKey[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.api_keys
     where tenant_id = $1::uuid and ($2::uuid is null or id < $2::uuid) order by id desc limit $3::int`,
    [tenantId, page.before, page.limit],
  );
  return rows.map(apiKey);
}

/** The ids of every key of the lineage that a key belongs to; none where there is no such key. */
export async function lineageKeys(sql: Sql, tenantId: Uuid, id: Uuid): Promise<Uuid[]> {
  const rows = await sql.query(
    `select k.id from usance.api_keys o join usance.api_keys k on k.tenant_id = o.tenant_id and k.lineage_id = o.lineage_id
     where o.tenant_id = $1::uuid and o.id = $2::uuid order by k.id`,
    [tenantId, id],
  );
  return rows.map((row) => asText(row['id']));
}

/** These keys, all keys of their lineages, and all their ancestors with theirs. */
export async function relatedKeys(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<ApiKey[]> {
  const rows = await sql.query(
    `with recursive line (lineage_id) as (
       select k.lineage_id from usance.api_keys k where k.tenant_id = $1::uuid and k.id = any ($2::uuid[])
       union
       select p.lineage_id from line l
       join usance.api_keys k on k.tenant_id = $1::uuid and k.lineage_id = l.lineage_id
       join usance.api_keys p on p.tenant_id = $1::uuid and p.id = k.parent_id
     )
     select ${COLUMNS} from usance.api_keys
     where tenant_id = $1::uuid and lineage_id in (select lineage_id from line)`,
    [tenantId, ids],
  );
  return rows.map(apiKey);
}

/** One maker of keys of the tenant at a time, so that their number is exact. The first lock of a verb that makes a key. */
export async function lockKeys(sql: Sql, tenantId: Uuid): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('usance keys ' || $1::text, 0))`, [tenantId]);
}

/**
 * `live`: the tenant's keys that work, counted up to one more than `most`. `kin`: the size of the largest family (itself, and all
 * ancestors without admin) among the lineage and its descendants that work. A rotation by another key adds ancestors to all of them.
 */
export async function sizeOfFamily(
  sql: Sql,
  tenantId: Uuid,
  lineageId: Uuid,
  most: number,
): Promise<{ readonly live: number; readonly kin: number }> {
  const row = only(
    await sql.query(
      `with recursive made as materialized (
         select distinct p.lineage_id as parent, k.lineage_id as child
         from usance.api_keys k join usance.api_keys p on p.tenant_id = k.tenant_id and p.id = k.parent_id
         where k.tenant_id = $1::uuid and p.lineage_id <> k.lineage_id and not ${isAdmin('p')}
       ), below (id) as (
         select $2::uuid
         union
         select m.child from below b join made m on m.parent = b.id
       ), kin (of, id) as (
         select b.id, b.id from below b
         where exists (select from usance.api_keys k where k.tenant_id = $1::uuid and k.lineage_id = b.id and ${isLive('k')})
         union
         select k.of, m.parent from kin k join made m on m.child = k.id
       )
       select (select count(*) from (
                 select from usance.api_keys k where k.tenant_id = $1::uuid and ${isLive('k')} limit $3::int + 1) l)::int as live,
              coalesce((select max(n) from (select count(*) as n from kin group by of) s), 0)::int as kin`,
      [tenantId, lineageId, most],
    ),
  );
  return { live: asNumber(row['live']), kin: asNumber(row['kin']) };
}

export async function lockApiKey(
  sql: Sql,
  tenantId: Uuid,
  id: Uuid,
): Promise<(ApiKey & { readonly isLive: boolean }) | null> {
  const [row] = await sql.query(
    `select ${COLUMNS}, revoked_at is null and (expires_at is null or expires_at > clock_timestamp()) as is_live
     from usance.api_keys where tenant_id = $1::uuid and id = $2::uuid for no key update`,
    [tenantId, id],
  );
  return row ? { ...apiKey(row), isLive: row['is_live'] === true } : null;
}

export async function revokeApiKey(sql: Sql, { tenantId, id }: ApiKey, actor: string): Promise<ApiKey> {
  return apiKey(
    only(
      await sql.query(
        `update usance.api_keys set revoked_at = clock_timestamp(), revoked_by = $3::text
         where tenant_id = $1::uuid and id = $2::uuid returning ${COLUMNS}`,
        [tenantId, id, actor],
      ),
    ),
  );
}

/** Lets it work for so long and no longer; what would have ended earlier still does. */
export async function endApiKey(sql: Sql, { tenantId, id }: ApiKey, afterMs: number): Promise<ApiKey> {
  return apiKey(
    only(
      await sql.query(
        `update usance.api_keys
         set expires_at = least(expires_at, clock_timestamp() + $3::bigint * interval '1 millisecond')
         where tenant_id = $1::uuid and id = $2::uuid returning ${COLUMNS}`,
        [tenantId, id, afterMs],
      ),
    ),
  );
}

export interface KeyUse {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** How long ago, in milliseconds. */
  readonly agoMs: number;
}

/**
 * At most once a minute a key, however many processes it speaks to. Nobody waits: a row that somebody holds is left for the
 * next time.
 */
export async function touchApiKeys(sql: Sql, uses: readonly KeyUse[]): Promise<number> {
  const rows = await sql.query(
    `with held as (
       select k.tenant_id, k.id, clock_timestamp() - u.ago * interval '1 millisecond' as used_at
       from unnest($1::uuid[], $2::uuid[], $3::bigint[]) u (tenant_id, id, ago)
       join usance.api_keys k on k.tenant_id = u.tenant_id and k.id = u.id
       where k.last_used_at is null
          or k.last_used_at < clock_timestamp() - u.ago * interval '1 millisecond' - interval '1 minute'
       order by k.tenant_id, k.id for no key update of k skip locked
     )
     update usance.api_keys k set last_used_at = h.used_at
     from held h where k.tenant_id = h.tenant_id and k.id = h.id returning 1 as touched`,
    [uses.map((use) => use.tenantId), uses.map((use) => use.id), uses.map((use) => Math.max(0, Math.round(use.agoMs)))],
  );
  return rows.length;
}
