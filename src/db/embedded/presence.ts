// A program's presence at the server: one connection that holds a shared lock for as long as the program uses the
// server. Whoever leaves gives its share back and tries for the whole lock; only the last one out gets it. PostgreSQL
// frees the share of a program that was killed, so there is no count that could be wrong.
import pg from 'pg';
import { SetupError } from '../../kernel/index.ts';
import { sqlState } from '../sql.ts';
import type { Cluster } from './cluster.ts';
import { OWNER } from './cluster.ts';

export const DATABASE = 'usance';
export const RUNTIME_USER = 'usance_app';
const RUNTIME_GROUP = 'usance_runtime';
/** Erases from the audit log. Here one login does everything; elsewhere it is granted to the login that erases alone. */
const ERASER_GROUP = 'usance_eraser';

// Advisory locks belong to a database; nothing else of ours takes any in the database `postgres`.
const PRESENCE_LOCK = 8_612_001;
const PREPARE_LOCK = 8_612_002;

export interface Presence {
  /** Settles when the connection is gone, whoever ended it. */
  readonly lost: Promise<void>;
  /** Gives our share back, and says whether the whole lock is ours now: then nobody else is here or can come in. */
  giveUpShare(): Promise<boolean>;
  close(): Promise<void>;
}

export async function enter(cluster: Cluster, port: number): Promise<Presence> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: OWNER,
    password: cluster.ownerPassword,
    database: 'postgres',
    ssl: false,
    application_name: 'usance presence',
    connectionTimeoutMillis: 10_000,
  });
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    // Without a listener the server's death would be this program's. 'end' follows it.
    client.on('error', () => undefined);
  });
  try {
    await client.connect();
    // Waits while the last one out is stopping the server, which then ends this connection: the caller tries again.
    await client.query(`select pg_advisory_lock_shared(${PRESENCE_LOCK})`);
    await prepare(client, cluster.runtimePassword);
  } catch (error) {
    await client.end().catch(() => undefined);
    if (sqlState(error)?.startsWith('28')) {
      throw new SetupError(`the server on port ${port} refuses the password kept beside ${cluster.pgdata}`);
    }
    throw error;
  }
  return {
    lost,
    async giveUpShare() {
      await client.query(`select pg_advisory_unlock_shared(${PRESENCE_LOCK})`);
      const { rows } = await client.query<{ last: boolean }>(`select pg_try_advisory_lock(${PRESENCE_LOCK}) as last`);
      return rows[0]?.last === true;
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** Roles and database. Each is looked for by itself, so that a kill between two is mended by the next start. */
async function prepare(client: pg.Client, runtimePassword: string): Promise<void> {
  if ((await missing(client)).size === 0) return;
  await client.query(`select pg_advisory_lock(${PREPARE_LOCK})`);
  const lacks = await missing(client);
  for (const group of [RUNTIME_GROUP, ERASER_GROUP])
    if (lacks.has(group)) await client.query(`create role ${group} nologin`);
  if (lacks.has(RUNTIME_USER)) {
    // Hexadecimal, written by us: it needs no quoting, and this statement takes no parameters.
    await client.query(`create role ${RUNTIME_USER} login in role ${RUNTIME_GROUP} password '${runtimePassword}'`);
  }
  if (lacks.has('membership')) await client.query(`grant ${RUNTIME_GROUP}, ${ERASER_GROUP} to ${RUNTIME_USER}`);
  if (lacks.has(DATABASE)) await client.query(`create database ${DATABASE}`);
  await client.query(`select pg_advisory_unlock(${PREPARE_LOCK})`);
}

async function missing(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest(array['${RUNTIME_GROUP}', '${ERASER_GROUP}', '${RUNTIME_USER}']) name
      where not exists (select from pg_roles where rolname = name)
     union all
     select '${DATABASE}' where not exists (select from pg_database where datname = '${DATABASE}')
     union all
     select 'membership' where 2 > (
       select count(distinct roleid) from pg_auth_members
        where roleid in (to_regrole('${RUNTIME_GROUP}'), to_regrole('${ERASER_GROUP}'))
          and member = to_regrole('${RUNTIME_USER}'))`,
  );
  return new Set(rows.map((row) => row.name));
}
