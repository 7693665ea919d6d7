import type { Row, Sql } from '../db/index.ts';
import { asDate, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { fromTypeId, isUuid } from '../kernel/index.ts';
import { ACTIVE_PAUSES } from './checks.ts';
import type { ActivePause, Pause, PauseOrder, PauseScope } from './pauses.ts';
import { Pauses } from './pauses.ts';
import type { Tenant, TenantKind } from './tenant.ts';

const COLUMNS = 'id, name, kind, default_asset, created_at, is_first';

function tenant(row: Row): Tenant {
  return {
    id: asText(row['id']),
    name: asText(row['name']),
    kind: row['kind'] === 'test' ? 'test' : 'live',
    defaultAsset: asTextOrNull(row['default_asset']),
    createdAt: asDate(row['created_at']),
    isFirst: row['is_first'] === true,
  };
}

/** Null when the name is taken. The first live tenant is marked as such; of several made at once, one is. */
export async function insertTenant(sql: Sql, id: Uuid, name: string, kind: TenantKind): Promise<Tenant | null> {
  // Until there is a first tenant, the next ones take turns.
  await sql.query(
    `select pg_advisory_xact_lock(hashtextextended('usance first tenant', 0))
     where not exists (select from usance.tenants where is_first)`,
  );
  const [row] = await sql.query(
    `insert into usance.tenants (id, name, kind, is_first)
     select $1::uuid, $2::text, $3::text, $3::text = 'live' and not exists (select from usance.tenants where is_first)
     on conflict on constraint tenants_name_key do nothing returning ${COLUMNS}`,
    [id, name, kind],
  );
  return row ? tenant(row) : null;
}

const TYPE_ID = /^ten_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text is an id of a tenant: as the outside sees it, or as it is stored. */
export const isTenantId = (text: string): boolean => isUuid(text) || TYPE_ID.test(text);

/** By id, in either form, or by name. */
export async function findTenant(sql: Sql, named: string): Promise<Tenant | null> {
  const idOrName = TYPE_ID.test(named) ? fromTypeId('tenant', named) : named;
  const [row] = await sql.query(`select ${COLUMNS} from usance.tenants where id::text = $1::text or name = $1::text`, [
    idOrName,
  ]);
  return row ? tenant(row) : null;
}

/** The first live tenant; null where there is none yet. */
export async function findFirstTenant(sql: Sql): Promise<Tenant | null> {
  const [row] = await sql.query(`select ${COLUMNS} from usance.tenants where is_first`);
  return row ? tenant(row) : null;
}

/** In the order they were made, by the database's clock. */
export async function listTenants(sql: Sql): Promise<Tenant[]> {
  return (await sql.query(`select ${COLUMNS} from usance.tenants order by created_at, id`)).map(tenant);
}

/** Returns what it was. */
export async function setDefaultAsset(sql: Sql, tenantId: Uuid, asset: string): Promise<string | null> {
  const row = only(
    await sql.query(
      `update usance.tenants t set default_asset = $2::text
       from (select id, default_asset as old from usance.tenants where id = $1::uuid for no key update) b
       where t.id = b.id returning b.old`,
      [tenantId, asset],
    ),
  );
  return asTextOrNull(row['old']);
}

export interface KeyScope {
  readonly tenantId: Uuid;
  readonly actor: string;
  readonly key: string;
}

const columnsOf = (scopes: readonly KeyScope[]): [Uuid[], string[], string[]] => [
  scopes.map((scope) => scope.tenantId),
  scopes.map((scope) => scope.actor),
  scopes.map((scope) => scope.key),
];

/** At i: whether we have the key now, until the transaction ends; false while somebody else works under it. */
export async function tryLockKeys(sql: Sql, scopes: readonly KeyScope[]): Promise<boolean[]> {
  const rows = await sql.query(
    `select pg_try_advisory_xact_lock(hashtextextended(tenant_id || chr(31) || actor || chr(31) || key, 7)) as got
     from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality k (tenant_id, actor, key, n) order by n`,
    columnsOf(scopes),
  );
  return rows.map((row) => row['got'] === true);
}

export interface KeyRecord extends KeyScope {
  readonly fingerprint: string;
  /** Null once it was erased: the request stays done, and can no longer be replayed. */
  readonly answer: string | null;
}

export async function findKeyRecords(sql: Sql, scopes: readonly KeyScope[]): Promise<KeyRecord[]> {
  const rows = await sql.query(
    `select r.tenant_id, r.actor, r.key, r.fingerprint, r.answer
     from unnest($1::uuid[], $2::text[], $3::text[]) k (tenant_id, actor, key)
     join usance.idempotency_keys r using (tenant_id, actor, key)`,
    columnsOf(scopes),
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    actor: asText(row['actor']),
    key: asText(row['key']),
    fingerprint: asText(row['fingerprint']),
    answer: asTextOrNull(row['answer']),
  }));
}

/** Returns how many were written: a key that has a record keeps it. */
export async function insertKeyRecords(sql: Sql, records: readonly KeyRecord[]): Promise<number> {
  const rows = await sql.query(
    `insert into usance.idempotency_keys (tenant_id, actor, key, fingerprint, answer)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
     on conflict (tenant_id, actor, key) do nothing returning 1 as written`,
    [...columnsOf(records), records.map((record) => record.fingerprint), records.map((record) => record.answer)],
  );
  return rows.length;
}

/** Up to so many records of before an instant, oldest pages first; rows that somebody holds are left for later. */
export async function deleteKeyRecordsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.idempotency_keys where ctid = any (array(
       select ctid from usance.idempotency_keys where created_at < $1::timestamptz limit $2::int for update skip locked))
     returning 1 as gone`,
    [before, limit],
  );
  return rows.length;
}

/**
 * Erases the remembered answers of a tenant that show one of the texts, and all that an actor got, with the digests of what was asked: who
 * guesses a request could compare it. The keys stay used. A scan of the tenant's
 * keys, for what is seldom done: an erased person would otherwise come back by a replay for 30 days.
 */
export async function eraseAnswers(
  sql: Sql,
  {
    tenantId,
    showing,
    actor,
  }: { readonly tenantId: Uuid; readonly showing: readonly string[]; readonly actor: string },
): Promise<void> {
  await sql.query(
    `update usance.idempotency_keys set answer = null, fingerprint = ''
     where tenant_id = $1::uuid and answer is not null
       and (actor = $3::text or exists (select from unnest($2::text[]) shown where strpos(answer, shown) > 0))`,
    [tenantId, showing, actor],
  );
}

/** False when it was there. */
export async function insertPause(sql: Sql, id: Uuid, order: PauseOrder): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.pauses (tenant_id, id, scope, value, reason, paused_by)
     values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text)
     on conflict (tenant_id, scope, value) where lifted_at is null do nothing returning 1 as paused`,
    [order.tenantId, id, order.scope, order.value, order.reason, order.actor],
  );
  return rows.length === 1;
}

export async function liftPauseRow(sql: Sql, order: Pause & { actor: string }): Promise<boolean> {
  const rows = await sql.query(
    `update usance.pauses set lifted_by = $4::text, lifted_at = clock_timestamp()
     where tenant_id = $1::uuid and scope = $2::text and value = $3::text and lifted_at is null returning 1 as lifted`,
    [order.tenantId, order.scope, order.value, order.actor],
  );
  return rows.length === 1;
}

/** Of these tenants, by the index of active pauses: another tenant's pauses cost nothing. */
export async function readPauses(sql: Sql, tenants: readonly Uuid[]): Promise<Pauses> {
  const rows = await sql.query(
    `select p.tenant_id, p.scope, p.value from (${ACTIVE_PAUSES}) p where p.tenant_id = any ($1::uuid[])`,
    [[...new Set(tenants)]],
  );
  return new Pauses(rows.map(pauseOf));
}

export const pauseOf = (row: Row): Pause => ({
  tenantId: asText(row['tenant_id']),
  scope: asText(row['scope']) as PauseScope,
  value: asText(row['value']),
});

/** The tenant's row is locked against another pause at the same moment, so that the count is exact. */
export async function countPauses(sql: Sql, tenantId: Uuid): Promise<number> {
  await sql.query('select from usance.tenants where id = $1::uuid for no key update', [tenantId]);
  const row = only(
    await sql.query(`select count(*)::int as n from (${ACTIVE_PAUSES}) p where p.tenant_id = $1::uuid`, [tenantId]),
  );
  return asNumber(row['n']);
}

/** One tenant's pauses that are not lifted, oldest first. */
export async function listPauses(sql: Sql, tenantId: Uuid): Promise<ActivePause[]> {
  const rows = await sql.query(
    `select id, scope, value, reason, paused_by, paused_at from usance.pauses
     where tenant_id = $1::uuid and lifted_at is null order by id`,
    [tenantId],
  );
  return rows.map((row) => ({
    tenantId,
    id: asText(row['id']),
    scope: asText(row['scope']) as PauseScope,
    value: asText(row['value']),
    reason: asText(row['reason']),
    pausedBy: asText(row['paused_by']),
    pausedAt: asDate(row['paused_at']),
  }));
}

/** Returns what it was. */
export async function setExecutionCap(sql: Sql, tenantId: Uuid, perSecond: number | null): Promise<number | null> {
  const row = only(
    await sql.query(
      `update usance.tenants t set executions_per_second = $2::int
       from (select id, executions_per_second as old from usance.tenants where id = $1::uuid for no key update) b
       where t.id = b.id returning b.old`,
      [tenantId, perSecond],
    ),
  );
  return row['old'] === null ? null : asNumber(row['old']);
}

/** The tenant's own cap; null where it has none. */
export async function readExecutionCap(sql: Sql, tenantId: Uuid): Promise<number | null> {
  const row = only(
    await sql.query('select executions_per_second as cap from usance.tenants where id = $1::uuid', [tenantId]),
  );
  return row['cap'] === null ? null : asNumber(row['cap']);
}

/** The live tenants and their caps. */
export async function listExecutors(sql: Sql): Promise<{ tenantId: Uuid; perSecond: number | null }[]> {
  const rows = await sql.query(`select id, executions_per_second from usance.tenants where kind = 'live' order by id`);
  return rows.map((row) => ({
    tenantId: asText(row['id']),
    perSecond: row['executions_per_second'] === null ? null : asNumber(row['executions_per_second']),
  }));
}

/**
 * Takes up to `wanted` executions out of the tenant's allowance of this second (real time), shared by every processor.
 * The row stays locked until the batch ends, so a capped tenant is worked on by one processor at a time; the others get
 * nothing of it for now and do not wait, because their batch has other tenants' payments too.
 */
export async function takeExecutions(sql: Sql, tenantId: Uuid, wanted: number, perSecond: number): Promise<number> {
  const take = (): Promise<Row[]> =>
    sql.query(
      `with held as (
         select tenant_id, case when second = date_trunc('second', clock_timestamp()) then used else 0 end as used
         from usance.execution_rates where tenant_id = $1::uuid for update skip locked
       )
       update usance.execution_rates r
       set second = date_trunc('second', clock_timestamp()), used = h.used + least($2::int, greatest($3::int - h.used, 0))
       from held h where r.tenant_id = h.tenant_id
       returning least($2::int, greatest($3::int - h.used, 0)) as granted`,
      [tenantId, wanted, perSecond],
    );
  let [row] = await take();
  if (!row) {
    // The first time there is no row. Where there is one, somebody has it: inserting over it would wait for him.
    await sql.query(
      `insert into usance.execution_rates (tenant_id, second, used)
       select $1::uuid, date_trunc('second', clock_timestamp()), 0
       where not exists (select from usance.execution_rates where tenant_id = $1::uuid)
       on conflict do nothing`,
      [tenantId],
    );
    [row] = await take();
  }
  return asNumber(row?.['granted'] ?? 0);
}

/** The row is the giver's still: what it did not use, others may this second. */
export async function giveBackExecutions(sql: Sql, tenantId: Uuid, unused: number): Promise<void> {
  await sql.query('update usance.execution_rates set used = used - $2::int where tenant_id = $1::uuid', [
    tenantId,
    unused,
  ]);
}
