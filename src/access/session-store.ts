// Sessions and links that open one, by the digest of their secret. Every instant is the database's real time.
import type { Row, Sql } from '../db/index.ts';
import { asDate, asNumber, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

export interface Session {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly keyId: Uuid;
  readonly expiresAt: Date;
}

export interface FoundSession extends Session {
  readonly idleExpiresAt: Date;
  /** How long it is valid without further requests, in milliseconds. */
  readonly validForMs: number;
  /** The digest of its key, hexadecimal. */
  readonly keyDigest: string;
}

const session = (row: Row): Session => ({
  tenantId: asText(row['tenant_id']),
  id: asText(row['id']),
  keyId: asText(row['key_id']),
  expiresAt: asDate(row['expires_at']),
});

const ENDS = `least(s.expires_at, s.last_used_at + $2::bigint * interval '1 millisecond')`;

/** The sessions of a cookie that have not ended, in the order of their sign-in. Rides sessions_digest. */
export async function findSessions(sql: Sql, digest: string, idleMs: number): Promise<FoundSession[]> {
  const rows = await sql.query(
    `select s.tenant_id, s.id, s.key_id, s.expires_at, ${ENDS} as idle_expires_at, encode(k.digest, 'hex') as key_digest,
            floor(extract(epoch from ${ENDS} - clock_timestamp()) * 1000)::bigint as valid_for_ms
     from usance.sessions s join usance.api_keys k on k.tenant_id = s.tenant_id and k.id = s.key_id
     where s.digest = decode($1::text, 'hex') and s.ended_at is null and ${ENDS} > clock_timestamp()
     order by s.id`,
    [digest, idleMs],
  );
  return rows.map((row) => ({
    ...session(row),
    idleExpiresAt: asDate(row['idle_expires_at']),
    validForMs: asNumber(Number(row['valid_for_ms'])),
    keyDigest: asText(row['key_digest']),
  }));
}

/** Gives the sessions of a cookie another one; a cookie that was known before is worth nothing then. */
export async function changeDigest(sql: Sql, from: string, to: string): Promise<void> {
  await sql.query(
    `update usance.sessions set digest = decode($2::text, 'hex') where digest = decode($1::text, 'hex') and ended_at is null`,
    [from, to],
  );
}

export async function insertSession(
  sql: Sql,
  { tenantId, id, keyId }: Pick<Session, 'tenantId' | 'id' | 'keyId'>,
  digest: string,
  lifetimeMs: number,
): Promise<void> {
  await sql.query(
    `insert into usance.sessions (tenant_id, id, digest, key_id, expires_at)
     values ($1::uuid, $2::uuid, decode($3::text, 'hex'), $4::uuid, clock_timestamp() + $5::bigint * interval '1 millisecond')`,
    [tenantId, id, digest, keyId, lifetimeMs],
  );
}

/** Ends the sessions of a cookie, or only the one of a tenant. */
export async function endSessions(sql: Sql, digest: string, tenantId: Uuid | null): Promise<Session[]> {
  const rows = await sql.query(
    `update usance.sessions set ended_at = clock_timestamp()
     where digest = decode($1::text, 'hex') and ended_at is null and ($2::uuid is null or tenant_id = $2::uuid)
     returning tenant_id, id, key_id, expires_at`,
    [digest, tenantId],
  );
  return rows.map(session);
}

/** The key of a session. */
export type SessionKey = Pick<Session, 'tenantId' | 'keyId'>;

export interface EndedSession extends Session {
  /** The key that ended it: another key of the same lineage, if the key was rotated in between. */
  readonly byKeyId: Uuid;
}

/**
 * Ends every session whose key has the lineage of one of these keys. By key and not by cookie: the cookie of the sessions may have moved since
 * the keys were read, to whoever copied it. Rows are locked in the order of sessions_pkey, so that two browsers of one key wait for each other.
 * Reads the sessions of the tenant by that index: a week of sign-ins at most, and this is rare.
 */
export async function endSessionsOfKeys(
  sql: Sql,
  keys: readonly SessionKey[],
  idleMs: number,
): Promise<EndedSession[]> {
  const rows = await sql.query(
    `with held as (
       select s.tenant_id, s.id, o.key_id as by_key_id
       from unnest($1::uuid[], $3::uuid[]) o (tenant_id, key_id)
       join usance.api_keys own on own.tenant_id = o.tenant_id and own.id = o.key_id
       join usance.api_keys k on k.tenant_id = o.tenant_id and k.lineage_id = own.lineage_id
       join usance.sessions s on s.tenant_id = k.tenant_id and s.key_id = k.id
       where s.ended_at is null and ${ENDS} > clock_timestamp()
       order by s.tenant_id, s.id for no key update of s
     )
     update usance.sessions s set ended_at = clock_timestamp()
     from held h where s.tenant_id = h.tenant_id and s.id = h.id and s.ended_at is null
     returning s.tenant_id, s.id, s.key_id, s.expires_at, h.by_key_id`,
    [keys.map(({ tenantId }) => tenantId), idleMs, keys.map(({ keyId }) => keyId)],
  );
  return rows.map((row) => ({ ...session(row), byKeyId: asText(row['by_key_id']) }));
}

/** At most once a minute a session, however many processes serve it. A session that has ended stays ended. */
export async function touchSessions(sql: Sql, digest: string, idleMs: number): Promise<void> {
  await sql.query(
    `update usance.sessions s set last_used_at = clock_timestamp()
     where s.digest = decode($1::text, 'hex') and s.ended_at is null and ${ENDS} > clock_timestamp()
       and s.last_used_at < clock_timestamp() - interval '50 seconds'`,
    [digest, idleMs],
  );
}

export interface Link {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly keyId: Uuid;
  readonly keyDigest: string;
}

export async function insertLinks(
  sql: Sql,
  links: readonly Pick<Link, 'tenantId' | 'id' | 'keyId'>[],
  digest: string,
  lifetimeMs: number,
): Promise<void> {
  await sql.query(
    `insert into usance.sign_in_links (tenant_id, id, digest, key_id, position, expires_at)
     select l.tenant_id, l.id, decode($4::text, 'hex'), l.key_id, l.position, clock_timestamp() + $5::bigint * interval '1 millisecond'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality l (tenant_id, id, key_id, position)`,
    [
      links.map(({ tenantId }) => tenantId),
      links.map(({ id }) => id),
      links.map(({ keyId }) => keyId),
      digest,
      lifetimeMs,
    ],
  );
}

/** Uses a link: of several requests with it, one gets its rows. */
export async function useLink(sql: Sql, digest: string): Promise<Link[]> {
  const rows = await sql.query(
    `with used as (
       update usance.sign_in_links set used_at = clock_timestamp()
       where digest = decode($1::text, 'hex') and used_at is null and expires_at > clock_timestamp()
       returning tenant_id, id, key_id, position)
     select u.tenant_id, u.id, u.key_id, encode(k.digest, 'hex') as key_digest
     from used u join usance.api_keys k on k.tenant_id = u.tenant_id and k.id = u.key_id order by u.position`,
    [digest],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    keyId: asText(row['key_id']),
    keyDigest: asText(row['key_digest']),
  }));
}

/** A link that was used or has expired, for the audit log of its tenant. */
export async function findEndedLink(
  sql: Sql,
  digest: string,
): Promise<{ readonly tenantId: Uuid; readonly keyId: Uuid; readonly isUsed: boolean } | null> {
  const [row] = await sql.query(
    `select tenant_id, key_id, used_at is not null as is_used from usance.sign_in_links
     where digest = decode($1::text, 'hex') order by position limit 1`,
    [digest],
  );
  return row
    ? { tenantId: asText(row['tenant_id']), keyId: asText(row['key_id']), isUsed: row['is_used'] === true }
    : null;
}

/** Rows of sessions and links that expired a week ago, some at a time: a sign-in removes more than it adds. */
export async function removeExpired(sql: Sql): Promise<void> {
  for (const table of ['sessions', 'sign_in_links']) {
    await sql.query(
      `delete from usance.${table} where (tenant_id, id) in (
         select tenant_id, id from usance.${table} where expires_at < clock_timestamp() - interval '7 days'
         order by expires_at limit 100 for update skip locked)`,
    );
  }
}
