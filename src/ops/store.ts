// Facts about the server. Reads only catalogues and settings, no table of usance.
import type { Sql } from '../db/index.ts';
import { asBoolean, asDate, asNumber, asText, asTextOrNull, only } from '../db/index.ts';

export interface ServerSettings {
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: string;
  readonly maxConnections: number;
  /** Kept for superusers and the like. */
  readonly reservedConnections: number;
  readonly usedConnections: number;
}

export async function readSettings(sql: Sql): Promise<ServerSettings> {
  const row = only(
    await sql.query(
      `select current_setting('fsync')::boolean as fsync, current_setting('full_page_writes')::boolean as full_page_writes,
              current_setting('synchronous_commit') as synchronous_commit,
              current_setting('max_connections')::int as max_connections,
              current_setting('superuser_reserved_connections')::int
                + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved_connections,
              (select sum(numbackends) from pg_stat_database where datid <> 0)::int as used_connections`,
    ),
  );
  return {
    fsync: asBoolean(row['fsync']),
    fullPageWrites: asBoolean(row['full_page_writes']),
    synchronousCommit: asText(row['synchronous_commit']),
    maxConnections: asNumber(row['max_connections']),
    reservedConnections: asNumber(row['reserved_connections']),
    usedConnections: asNumber(row['used_connections']),
  };
}

export async function readServerTime(sql: Sql): Promise<Date> {
  return asDate(only(await sql.query('select clock_timestamp() as now'))['now']);
}

/** How many sessions of this name the database has, of any user. */
export async function countSessions(sql: Sql, name: string): Promise<number> {
  const row = only(
    await sql.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = $1::text`,
      [name],
    ),
  );
  return asNumber(row['count']);
}

export interface LongTransactions {
  readonly count: number;
  readonly oldestMinutes: number;
  /** A process, or the name of a prepared transaction. */
  readonly oldest: string | null;
  /** Sessions of other users that this one may not look at. */
  readonly hidden: number;
}

export async function readLongTransactions(sql: Sql, minutes: number): Promise<LongTransactions> {
  const row = only(
    await sql.query(
      `with open as (
         select 'process ' || pid as who, xact_start as since from pg_stat_activity
         where datname = current_database() and xact_start < now() - make_interval(mins => $1::int)
         union all
         select 'prepared transaction ' || gid, prepared from pg_prepared_xacts
         where database = current_database() and prepared < now() - make_interval(mins => $1::int))
       select (select count(*) from open)::int as count,
              coalesce((select extract(epoch from now() - min(since)) / 60 from open), 0)::int as oldest_minutes,
              (select who from open order by since limit 1) as oldest,
              (select count(*) from pg_stat_activity
               where datname = current_database() and query = '<insufficient privilege>')::int as hidden`,
      [minutes],
    ),
  );
  return {
    count: asNumber(row['count']),
    oldestMinutes: asNumber(row['oldest_minutes']),
    oldest: asTextOrNull(row['oldest']),
    hidden: asNumber(row['hidden']),
  };
}

export interface RoleRights {
  readonly name: string;
  readonly superuser: boolean;
  readonly owner: boolean;
  /** May change or remove rows of a history table, as far as rights go; the triggers refuse it still. */
  readonly mayRewrite: boolean;
}

/** History tables are the partitioned ones. */
export async function readRights(sql: Sql, schema: string): Promise<RoleRights> {
  const row = only(
    await sql.query(
      `select current_user::text as name,
              (select rolsuper from pg_roles where rolname = current_user) as superuser,
              coalesce(bool_or(pg_has_role(c.relowner, 'member')), false) as owner,
              coalesce(bool_or(has_table_privilege(c.oid, 'update') or has_table_privilege(c.oid, 'delete')
                               or has_table_privilege(c.oid, 'truncate')), false) as may_rewrite
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1::text and c.relkind = 'p'`,
      [schema],
    ),
  );
  return {
    name: asText(row['name']),
    superuser: asBoolean(row['superuser']),
    owner: asBoolean(row['owner']),
    mayRewrite: asBoolean(row['may_rewrite']),
  };
}

export interface Partitions {
  readonly table: string;
  readonly hasNextMonth: boolean;
  /** Read from the file's size: the runtime role may not look inside, and need not. */
  readonly defaultHasRows: boolean;
}

export async function readPartitions(sql: Sql, schema: string): Promise<Partitions[]> {
  const rows = await sql.query(
    `select c.relname::text as table,
            coalesce(bool_or(p.relname = c.relname || to_char((now() at time zone 'UTC') + interval '1 month', '_YYYY_MM')),
                     false) as has_next_month,
            coalesce(bool_or(pg_get_expr(p.relpartbound, p.oid) = 'DEFAULT' and pg_relation_size(p.oid) > 0),
                     false) as default_has_rows
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     left join pg_inherits i on i.inhparent = c.oid
     left join pg_class p on p.oid = i.inhrelid
     -- The sequencer makes those of event_blocks, which are not of months.
     where n.nspname = $1::text and c.relkind = 'p' and c.relname <> 'event_blocks'
     group by c.relname order by c.relname`,
    [schema],
  );
  return rows.map((row) => ({
    table: asText(row['table']),
    hasNextMonth: asBoolean(row['has_next_month']),
    defaultHasRows: asBoolean(row['default_has_rows']),
  }));
}

/** `18.4` */
export async function readServerVersion(sql: Sql): Promise<string> {
  return asText(
    only(await sql.query(`select split_part(current_setting('server_version'), ' ', 1) as version`))['version'],
  );
}
