import type { Row, Sql } from '../db/index.ts';
import { asDate, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Algorithm, PublicJwk, TokenIssuer } from './issuer.ts';

const COLUMNS = 'tenant_id, id, issuer, audience, algorithm, keys::text as keys, created_by, created_at, updated_at';

function tokenIssuer(row: Row): TokenIssuer {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    issuer: asText(row['issuer']),
    audience: asText(row['audience']),
    algorithm: asText(row['algorithm']) as Algorithm,
    keys: JSON.parse(asText(row['keys'])) as PublicJwk[],
    createdBy: asText(row['created_by']),
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

/** Null where somebody has that issuer and audience: a token would not say whose it is. */
export async function insertIssuer(
  sql: Sql,
  issuer: Omit<TokenIssuer, 'createdAt' | 'updatedAt'>,
): Promise<TokenIssuer | null> {
  const [row] = await sql.query(
    `insert into usance.token_issuers (tenant_id, id, issuer, audience, algorithm, keys, created_by)
     values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::jsonb, $7::text)
     on conflict (issuer, audience) where removed_at is null do nothing returning ${COLUMNS}`,
    [
      issuer.tenantId,
      issuer.id,
      issuer.issuer,
      issuer.audience,
      issuer.algorithm,
      JSON.stringify(issuer.keys),
      issuer.createdBy,
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
): Promise<TokenIssuer> {
  return tokenIssuer(
    only(
      await sql.query(
        `update usance.token_issuers set keys = $3::jsonb, updated_at = clock_timestamp()
         where tenant_id = $1::uuid and id = $2::uuid returning ${COLUMNS}`,
        [tenantId, id, JSON.stringify(keys)],
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

/** Of whichever tenant: those that a token with these claims could be from. And the real time, which tokens live by. */
export async function findIssuers(
  sql: Sql,
  issuer: string,
  audiences: readonly string[],
): Promise<{ now: Date; issuers: TokenIssuer[] }> {
  const rows = await sql.query(
    `select clock_timestamp() as now, i.* from (select 1) one
     left join (select ${COLUMNS} from usance.token_issuers
                where issuer = $1::text and audience = any ($2::text[]) and removed_at is null) i on true`,
    [issuer, audiences],
  );
  const found = rows.filter((row) => row['id'] !== null);
  return { now: asDate(rows[0]?.['now']), issuers: found.map(tokenIssuer) };
}
