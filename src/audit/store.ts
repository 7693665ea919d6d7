import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asText, asTextOrNull, only } from '../db/index.ts';
import type { Caller, Uuid } from '../kernel/index.ts';
import { newId } from '../kernel/index.ts';
import type { Head, Seal } from './seal.ts';

/** Ends with the transaction. */
export async function becomeSealer(tx: Sql): Promise<boolean> {
  const row = only(await tx.query(`select pg_try_advisory_xact_lock(hashtext('usance.sealer')) as got`));
  return asBoolean(row['got']);
}

/** The same lock, for who changes what a sealer reads; waits for the one at work. */
export async function holdSealers(tx: Sql): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('usance.sealer'))`);
}

/** Up to where events are sealed. Rides seals_place_key backwards. */
export async function lastPlace(sql: Sql): Promise<bigint> {
  return asBigInt(only(await sql.query('select coalesce(max(place), 0) as place from usance.seals'))['place']);
}

/** Where the chains of these tenants end. */
export async function readHeads(sql: Sql, tenantIds: readonly Uuid[]): Promise<Map<Uuid, Head>> {
  const rows = await sql.query(
    `select t.tenant_id, s.seq, encode(s.hash, 'hex') as hash from unnest($1::uuid[]) t (tenant_id)
     cross join lateral (select seq, hash from usance.seals where tenant_id = t.tenant_id order by seq desc limit 1) s`,
    [tenantIds],
  );
  return new Map(
    rows.map((row) => [asText(row['tenant_id']), { seq: asBigInt(row['seq']), hash: bytes(row['hash']) }] as const),
  );
}

export async function insertSeals(tx: Sql, seals: readonly Seal[]): Promise<void> {
  const hex = (buffers: (Buffer | null)[]): (string | null)[] => buffers.map((item) => item?.toString('hex') ?? null);
  await tx.query(
    `insert into usance.seals (tenant_id, seq, place, event_id, salt, digest, previous, hash)
     select tenant_id, seq, place, event_id, decode(salt, 'hex'), decode(digest, 'hex'), decode(previous, 'hex'),
            decode(hash, 'hex')
     from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
       v (tenant_id, seq, place, event_id, salt, digest, previous, hash)`,
    [
      seals.map((seal) => seal.tenantId),
      seals.map((seal) => seal.seq),
      seals.map((seal) => seal.place),
      seals.map((seal) => seal.eventId),
      hex(seals.map((seal) => seal.salt)),
      hex(seals.map((seal) => seal.digest)),
      hex(seals.map((seal) => seal.previous)),
      hex(seals.map((seal) => seal.hash)),
    ],
  );
}

export interface Erasure extends Caller {
  readonly tenantId: Uuid;
  readonly events: readonly Uuid[];
  readonly reason: string;
  readonly at: Date;
}

/** Erases what the events told and their salts, and appends the event that names them. Under the sealers' lock. */
export async function forgetEvents(tx: Sql, erasure: Erasure): Promise<Uuid[]> {
  const { tenantId, events, reason, actor, at } = erasure;
  const rows = await tx.query(
    `select id from usance.erase_events($1::uuid, $2::uuid[], $3::uuid, $4::text, $5::text, $6::inet, $7::text, $8::text,
                                        $9::timestamptz) f (id)`,
    [
      tenantId,
      events,
      newId(),
      reason,
      actor,
      erasure.ip ?? null,
      erasure.userAgent ?? null,
      erasure.requestId ?? null,
      at,
    ],
  );
  return rows.map((row) => asText(row['id']));
}

const COLUMNS = `tenant_id, seq, place, event_id, encode(salt, 'hex') as salt, encode(digest, 'hex') as digest,
  encode(previous, 'hex') as previous, encode(hash, 'hex') as hash`;

/** A tenant's links beyond one, in order. */
export async function readSeals(sql: Sql, tenantId: Uuid, after: bigint, limit: number): Promise<Seal[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.seals where tenant_id = $1::uuid and seq > $2::bigint order by seq limit $3::int`,
    [tenantId, after, limit],
  );
  return rows.map(seal);
}

/** The links of events by their places. */
export async function readSealsAt(sql: Sql, places: readonly bigint[]): Promise<Map<bigint, Seal>> {
  const rows = await sql.query(`select ${COLUMNS} from usance.seals where place = any ($1::bigint[])`, [places]);
  return new Map(rows.map((row) => [asBigInt(row['place']), seal(row)] as const));
}

/** Every tenant there are links of, whether or not there is such a tenant. */
export async function sealedTenants(sql: Sql): Promise<Uuid[]> {
  // One probe a tenant, not a look at every link.
  const rows = await sql.query(
    `with recursive t (tenant_id) as (
       (select tenant_id from usance.seals order by tenant_id limit 1)
       union all
       select (select s.tenant_id from usance.seals s where s.tenant_id > t.tenant_id order by s.tenant_id limit 1)
       from t where t.tenant_id is not null
     ) select tenant_id from t where tenant_id is not null`,
  );
  return rows.map((row) => asText(row['tenant_id']));
}

function seal(row: Row): Seal {
  const salt = asTextOrNull(row['salt']);
  return {
    tenantId: asText(row['tenant_id']),
    seq: asBigInt(row['seq']),
    place: asBigInt(row['place']),
    eventId: asText(row['event_id']),
    salt: salt === null ? null : Buffer.from(salt, 'hex'),
    digest: bytes(row['digest']),
    previous: bytes(row['previous']),
    hash: bytes(row['hash']),
  };
}

const bytes = (value: unknown): Buffer => Buffer.from(asText(value), 'hex');
