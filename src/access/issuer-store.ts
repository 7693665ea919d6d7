import type { Row, Sql } from '../db/index.ts';
import { asDate, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Algorithm, PublicJwk, TokenIssuer } from './issuer.ts';

/** Issuers whose keys a token is tried with: each costs a signature check. */
export const MOST_CANDIDATES = 20;

const COLUMNS =
  'tenant_id, id, issuer, audience, algorithm, keys::text as keys, created_by, keyed_by, created_at, updated_at';

function tokenIssuer(row: Row): TokenIssuer {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    issuer: asText(row['issuer']),
    audience: asText(row['audience']),
    algorithm: asText(row['algorithm']) as Algorithm,
    keys: JSON.parse(asText(row['keys'])) as PublicJwk[],
    createdBy: asText(row['created_by']),
    keyedBy: row['keyed_by'] as string[],
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

/** Null where the tenant has that issuer and audience already. */
export async function insertIssuer(
  sql: Sql,
  issuer: Omit<TokenIssuer, 'createdAt' | 'updatedAt'>,
): Promise<TokenIssuer | null> {
  const [row] = await sql.query(
    `insert into usance.token_issuers (tenant_id, id, issuer, audience, algorithm, keys, created_by, keyed_by)
     values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::jsonb, $7::text, $8::text[])
     on conflict (tenant_id, issuer, audience) where removed_at is null do nothing returning ${COLUMNS}`,
    [
      issuer.tenantId,
      issuer.id,
      issuer.issuer,
      issuer.audience,
      issuer.algorithm,
      JSON.stringify(issuer.keys),
      issuer.createdBy,
      issuer.keyedBy,
    ],
  );
  return row ? tokenIssuer(row) : null;
}

export async function listIssuers(sql: Sql, tenantId: Uuid): Promise<TokenIssuer[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.token_issuers where tenant_id = $1::uuid and removed_at is null order by id`,
    [tenantId],
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
  keys: readonly PublicJwk[],
  actor: string,
): Promise<TokenIssuer> {
  return tokenIssuer(
    only(
      await sql.query(
        `update usance.token_issuers set keys = $3::jsonb, updated_at = clock_timestamp(),
           keyed_by = array_append(array_remove(keyed_by, $4::text), $4::text)
         where tenant_id = $1::uuid and id = $2::uuid returning ${COLUMNS}`,
        [tenantId, id, JSON.stringify(keys), actor],
      ),
    ),
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
