import type { Row, Sql } from '../db/index.ts';
import { asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Algorithm, PublicJwk, TokenIssuer } from './issuer.ts';

/** Issuers whose keys a token is tried with: each costs a signature check. */
export const MOST_CANDIDATES = 20;

const COLUMNS =
  'tenant_id, id, issuer, audience, algorithm, keys::text as keys, jwks_url, keys_fetched_at, keys_error, created_by, keyed_by, created_at, updated_at';

function tokenIssuer(row: Row): TokenIssuer {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    issuer: asText(row['issuer']),
    audience: asText(row['audience']),
    algorithm: asText(row['algorithm']) as Algorithm,
    keys: JSON.parse(asText(row['keys'])) as PublicJwk[],
    jwksUrl: asTextOrNull(row['jwks_url']),
    keysFetchedAt: asDateOrNull(row['keys_fetched_at']),
    keysError: asTextOrNull(row['keys_error']),
    createdBy: asText(row['created_by']),
    keyedBy: row['keyed_by'] as string[],
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

/** Null where the tenant has that issuer and audience already. */
export async function insertIssuer(
  sql: Sql,
  issuer: Omit<TokenIssuer, 'createdAt' | 'updatedAt' | 'keysFetchedAt' | 'keysError'>,
): Promise<TokenIssuer | null> {
  const [row] = await sql.query(
    `insert into usance.token_issuers (tenant_id, id, issuer, audience, algorithm, keys, jwks_url, created_by, keyed_by)
     values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::jsonb, $7::text, $8::text, $9::text[])
     on conflict (tenant_id, issuer, audience) where removed_at is null do nothing returning ${COLUMNS}`,
    [
      issuer.tenantId,
      issuer.id,
      issuer.issuer,
      issuer.audience,
      issuer.algorithm,
      JSON.stringify(issuer.keys),
      issuer.jwksUrl,
      issuer.createdBy,
      issuer.keyedBy,
    ],
  );
  return row ? tokenIssuer(row) : null;
}

/** Creates of a tenant count one after the other, so that two at the same time do not both find room. */
export async function lockAndCountIssuers(tx: Sql, tenantId: Uuid): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('token issuers ' || $1::text, 0))`, [tenantId]);
  const rows = await tx.query(
    'select count(*)::int as issuers from usance.token_issuers where tenant_id = $1::uuid and removed_at is null',
    [tenantId],
  );
  return asNumber(only(rows)['issuers']);
}

/** Oldest first. Rides the primary key. */
export async function listIssuers(
  sql: Sql,
  tenantId: Uuid,
  { limit, after }: { readonly limit: number; readonly after: Uuid | null },
): Promise<TokenIssuer[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.token_issuers
     where tenant_id = $1::uuid and removed_at is null and ($2::uuid is null or id > $2::uuid) order by id limit $3::int`,
    [tenantId, after, limit],
  );
  return rows.map(tokenIssuer);
}

/** The actors that ever installed a key of an issuer of the tenant, removed issuers included. */
export async function issuerKeyers(sql: Sql, tenantId: Uuid): Promise<string[]> {
  const rows = await sql.query(
    `select distinct keyer from usance.token_issuers, unnest(keyed_by) as keyer where tenant_id = $1::uuid`,
    [tenantId],
  );
  return rows.map((row) => asText(row['keyer']));
}

export async function lockIssuer(sql: Sql, tenantId: Uuid, id: Uuid): Promise<TokenIssuer | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.token_issuers
     where tenant_id = $1::uuid and id = $2::uuid and removed_at is null for no key update`,
    [tenantId, id],
  );
  return row ? tokenIssuer(row) : null;
}

export async function updateIssuerKeys(
  sql: Sql,
  { tenantId, id }: TokenIssuer,
  { keys, jwksUrl }: Pick<TokenIssuer, 'keys' | 'jwksUrl'>,
  actor: string,
): Promise<TokenIssuer> {
  return tokenIssuer(
    only(
      await sql.query(
        `update usance.token_issuers set keys = $3::jsonb, jwks_url = $5::text, updated_at = clock_timestamp(),
           keys_tried_at = null, keys_fetched_at = null, keys_error = null,
           keyed_by = array_append(array_remove(keyed_by, $4::text), $4::text)
         where tenant_id = $1::uuid and id = $2::uuid returning ${COLUMNS}`,
        [tenantId, id, JSON.stringify(keys), actor, jwksUrl],
      ),
    ),
  );
}

/** Null if it was removed. */
export async function readIssuer(sql: Sql, { tenantId, id }: TokenIssuer): Promise<TokenIssuer | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.token_issuers where tenant_id = $1::uuid and id = $2::uuid and removed_at is null`,
    [tenantId, id],
  );
  return row ? tokenIssuer(row) : null;
}

/** One process's turn to fetch the keys of an issuer; `tried` is its fence. */
export interface FetchClaim {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly url: string;
  readonly tried: string;
}

/** Null if the keys were tried in the last minute, or the issuer has no URL any more. */
export async function claimFetch(sql: Sql, { tenantId, id }: TokenIssuer): Promise<FetchClaim | null> {
  const [row] = await sql.query(
    `update usance.token_issuers set keys_tried_at = clock_timestamp()
     where tenant_id = $1::uuid and id = $2::uuid and removed_at is null and jwks_url is not null
     and (keys_tried_at is null or keys_tried_at < clock_timestamp() - interval '1 minute')
     returning jwks_url, keys_tried_at::text as tried`,
    [tenantId, id],
  );
  return row ? { tenantId, id, url: asText(row['jwks_url']), tried: asText(row['tried']) } : null;
}

/** Null if the issuer was changed, removed or claimed again meanwhile. */
export async function storeFetched(
  sql: Sql,
  { tenantId, id, url, tried }: FetchClaim,
  keys: readonly PublicJwk[],
): Promise<{ issuer: TokenIssuer; isChanged: boolean } | null> {
  const [row] = await sql.query(
    `with known (owner, number, before) as (
       select tenant_id, id, keys from usance.token_issuers
       where tenant_id = $1::uuid and id = $2::uuid and removed_at is null and jwks_url = $3::text
       and keys_tried_at = $4::timestamptz for no key update)
     update usance.token_issuers set keys = $5::jsonb, keys_fetched_at = clock_timestamp(), keys_error = null,
       updated_at = case when before = $5::jsonb then updated_at else clock_timestamp() end
     from known where tenant_id = owner and id = number
     returning ${COLUMNS}, before <> $5::jsonb as is_changed`,
    [tenantId, id, url, tried, JSON.stringify(keys)],
  );
  return row ? { issuer: tokenIssuer(row), isChanged: row['is_changed'] === true } : null;
}

export async function storeFetchError(sql: Sql, { tenantId, id, url, tried }: FetchClaim, why: string): Promise<void> {
  await sql.query(
    `update usance.token_issuers set keys_error = $5::text
     where tenant_id = $1::uuid and id = $2::uuid and removed_at is null and jwks_url = $3::text
     and keys_tried_at = $4::timestamptz`,
    [tenantId, id, url, tried, why],
  );
}

export async function removeIssuer(sql: Sql, { tenantId, id }: TokenIssuer): Promise<void> {
  await sql.query(
    `update usance.token_issuers set removed_at = clock_timestamp() where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id],
  );
}

/**
 * Those of all tenants, or of one, that a token with these claims could be from, the oldest first; one more than are tried, where
 * there are more. And the real time, which tokens live by.
 */
export async function findIssuers(
  sql: Sql,
  issuer: string,
  audiences: readonly string[],
  tenantId: Uuid | null,
): Promise<{ now: Date; issuers: TokenIssuer[] }> {
  const rows = await sql.query(
    `select clock_timestamp() as now, i.* from (select 1) one
     left join (select ${COLUMNS} from usance.token_issuers
                where issuer = $1::text and audience = any ($2::text[]) and removed_at is null
                and ($4::uuid is null or tenant_id = $4::uuid)) i on true
     order by i.created_at, i.id limit $3::int`,
    [issuer, audiences, MOST_CANDIDATES + 1, tenantId],
  );
  const found = rows.filter((row) => row['id'] !== null);
  return { now: asDate(rows[0]?.['now']), issuers: found.map(tokenIssuer) };
}

/** Tokens of an account that were issued before now hold no longer. */
export async function writeRevocation(sql: Sql, tenantId: Uuid, accountId: Uuid, by: string): Promise<Date> {
  const row = only(
    await sql.query(
      `insert into usance.token_revocations as r (tenant_id, account_id, revoked_at, revoked_by)
       values ($1::uuid, $2::uuid, clock_timestamp(), $3::text)
       on conflict (tenant_id, account_id) do update
       set revoked_at = greatest(r.revoked_at, excluded.revoked_at), revoked_by = excluded.revoked_by
       returning revoked_at`,
      [tenantId, accountId, by],
    ),
  );
  return asDate(row['revoked_at']);
}

/** Null where none of an account's tokens was ever revoked. */
export async function readRevocation(sql: Sql, tenantId: Uuid, accountId: Uuid): Promise<Date | null> {
  const [row] = await sql.query(
    `select revoked_at from usance.token_revocations where tenant_id = $1::uuid and account_id = $2::uuid`,
    [tenantId, accountId],
  );
  return row ? asDate(row['revoked_at']) : null;
}
