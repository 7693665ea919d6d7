// Forward-only migrations. Any number of programs may migrate at once: each step takes one advisory lock for the length
// of its transaction (no session state, so it works through a pooler), looks again at what is applied, and does the
// next file or nothing. A file that was applied is never edited: its checksum is compared on every start.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { SetupError } from '../kernel/index.ts';
import { dropDocumentViews, ensureDocumentViews } from './document-views.ts';
import { asNumber, asText, only } from './rows.ts';
import type { Database, Sql, Transaction } from './sql.ts';
import { quoteIdentifier, sqlState } from './sql.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

export interface MigrationReport {
  readonly from: number;
  readonly to: number;
  /** Names of the files this run applied; others may have been applied by another migrator meanwhile. */
  readonly applied: readonly string[];
}

export interface MigrateOptions {
  /** Where everything lives, default `usance`. The database handed in must have been opened for the same schema. */
  readonly schema?: string;
  /** For tests: other files than the program's own. */
  readonly migrations?: readonly Migration[];
}

/** PostgreSQL 15 and up. */
export const OLDEST_SERVER = 150_000;

const FILE = /^(\d{4})_[a-z0-9_]+\.sql$/;

export async function loadMigrations(folder = new URL('./migrations/', import.meta.url)): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  names.forEach((name, index) => {
    // Two branches may have taken the same number, or one was skipped: better said here than found in a schema.
    const expected = String(index + 1).padStart(4, '0');
    if (!FILE.test(name) || !name.startsWith(`${expected}_`)) {
      throw new SetupError(`migration ${name} should be called ${expected}_what_it_does.sql`);
    }
  });
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    }),
  );
}

/** Brings the schema up to what this program knows. Run as the schema's owner. */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<MigrationReport> {
  const migrations = options.migrations ?? (await loadMigrations());
  const schema = options.schema ?? 'usance';
  await requireSupportedServer(db);
  const from = await db.transaction(async (tx) => {
    await lockMigrations(tx);
    await tx.query(`create schema if not exists ${quoteIdentifier(schema)}`);
    await tx.query(`create table if not exists usance.migrations (
      version int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`);
    const version = await appliedVersion(tx, migrations);
    if (version < (migrations.at(-1)?.version ?? 0)) await dropDocumentViews(tx, schema);
    return version;
  });
  const applied: string[] = [];
  for (const migration of migrations) {
    const done = await db.transaction(async (tx) => {
      await lockMigrations(tx);
      if ((await appliedVersion(tx, migrations)) >= migration.version) return false;
      await tx.query(migration.text);
      await tx.query('insert into usance.migrations (version, name, checksum) values ($1::int, $2::text, $3::text)', [
        migration.version,
        migration.name,
        migration.checksum,
      ]);
      return true;
    });
    if (done) applied.push(migration.name);
  }
  await db.transaction(async (tx) => {
    await lockMigrations(tx);
    await grantRuntime(tx, schema);
    await ensurePartitions(tx);
    if (!options.migrations) await ensureDocumentViews(tx, schema);
  });
  return { from, to: migrations.at(-1)?.version ?? 0, applied };
}

/** The schema's version, if it is exactly what this program knows; says what to do when it is not. */
export async function requireMigrated(db: Sql, known?: readonly Migration[]): Promise<number> {
  const migrations = known ?? (await loadMigrations());
  const [table] = await db.query(`select to_regclass('usance.migrations')::text as name`);
  const version = table?.['name'] ? await appliedVersion(db, migrations) : 0;
  const newest = migrations.at(-1)?.version ?? 0;
  if (version < newest) {
    throw new SetupError(`the schema is at version ${version}, this program needs ${newest}: run "usance migrate"`);
  }
  return version;
}

/** The server's version, such as "18.4". */
export async function requireSupportedServer(db: Sql): Promise<string> {
  const row = only(
    await db.query(`select current_setting('server_version_num') as number, current_setting('server_version') as name`),
  );
  if (asNumber(row['number']) < OLDEST_SERVER) {
    throw new SetupError(`the database is PostgreSQL ${asText(row['name'])}; usance needs 15 or newer`);
  }
  return asText(row['name']);
}

/** The newest applied version, after checking that history and files agree. */
async function appliedVersion(sql: Sql, migrations: readonly Migration[]): Promise<number> {
  const rows = await sql.query('select version, name, checksum from usance.migrations order by version');
  let newest = 0;
  for (const [index, row] of rows.entries()) {
    const version = asNumber(row['version']);
    const file = migrations.find((migration) => migration.version === version);
    if (!file) {
      throw new SetupError(
        `the schema has migration ${asText(row['name'])}, which this program does not know: it is newer than the program. Update usance`,
      );
    }
    if (file.checksum !== row['checksum']) {
      throw new SetupError(
        `migration ${file.name} differs from what was applied to this database. No version is released yet, and databases of earlier ` +
          'builds cannot be upgraded: create a new database, or another schema',
      );
    }
    const skipped = migrations[index];
    if (skipped && skipped.version < version) {
      throw new SetupError(`the schema has migration ${file.name} but not ${skipped.name}, which comes before it`);
    }
    newest = version;
  }
  return newest;
}

async function lockMigrations(sql: Sql): Promise<void> {
  // Keyed by the schema's name, so that two schemas in one database do not wait for each other.
  await sql.query(`select pg_advisory_xact_lock(hashtext('usance.migrations'))`);
}

const HISTORY = ['events', 'transfers', 'executions', 'invocations', 'delivery_attempts'] as const;

/** This month's partitions and the next three months', and those at the end of the order. What fails for one table is made for the others. */
export async function ensurePartitions(sql: Sql): Promise<number> {
  const months = 'select usance.ensure_partitions($1::text, now()::date, 4) as made';
  const steps = [
    ...HISTORY.map((table) => () => sql.query(months, [table])),
    () => sql.query('select usance.ensure_block_partitions(0, 2) as made'),
  ];
  const failures: unknown[] = [];
  let made = 0;
  for (const step of steps) {
    const [row] = await step().catch((error: unknown) => (failures.push(error), []));
    made += row ? asNumber(row['made']) : 0;
  }
  if (failures.length > 0) throw failures[0];
  return made;
}

/** What the runtime role may not do with a table: `w` update, `d` delete, `a` insert. Everything else it may. */
const WITHHELD = {
  tenants: 'd',
  test_clocks: 'd',
  api_keys: 'd',
  token_issuers: 'd',
  token_revocations: 'd',
  pauses: 'd',
  balances: 'd',
  freezes: 'd',
  opening_balances: 'wd',
  transfers: 'wd',
  events: 'wd',
  event_blocks: 'wd',
  event_inbox: 'w',
  assets: 'wd',
  accounts: 'd',
  reservations: 'd',
  payments: 'd',
  archived_payments: 'awd',
  refunds: 'wd',
  payment_payees: 'wd',
  payment_moves: 'awd',
  schedules: 'd',
  schedule_moves: 'awd',
  occurrences: 'd',
  outages: 'd',
  plans: 'd',
  subscriptions: 'wd',
  subscription_counts: 'd',
  subscription_changes: 'wd',
  imported_subscriptions: 'wd',
  allowances: 'd',
  jobs: 'd',
  job_matcher: 'd',
  executions: 'wd',
  invocations: 'wd',
  execution_dead_letters: 'w',
  webhook_endpoints: 'd',
  delivery_attempts: 'wd',
  payout_policies: 'd',
  payout_destinations: 'd',
  payout_wallets: 'd',
  payout_wallet_assets: 'wd',
  payout_routes: 'w',
  migrations: 'awd',
} as const;

const ERASES = [
  'usance.erase_events(uuid, uuid)',
  'usance.lock_erasable(uuid, uuid[])',
  'usance.erase_payment_texts(uuid, uuid, uuid[])',
  'usance.erase_executions(uuid, uuid[])',
] as const;

/**
 * Says the rights of the runtime role again after every migrate. Partitions get none of their own: they are reached
 * through their parent. Where we may not make roles this is left out, and the triggers on the history tables are the
 * guard; `usance doctor` says so.
 */
async function grantRuntime(tx: Transaction, schema: string): Promise<void> {
  const name = quoteIdentifier(schema);
  // PostgreSQL lets everyone execute a new function. Nobody does here unless granted below.
  await tx.query(`revoke execute on all functions in schema ${name} from public`);
  if (!(await ensureRole(tx, 'usance_runtime'))) return;
  await tx.query(`grant usage on schema ${name} to usance_runtime`);
  await tx.query(`grant execute on all functions in schema ${name} to usance_runtime`);
  await grantEraser(tx);
  const tables = await tx.query(
    `select relname, relkind from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`,
    [name],
  );
  for (const row of tables) {
    const table = asText(row['relname']);
    const withheld = row['relkind'] === 'v' ? 'awd' : withheldOf(table);
    const rights = [
      'select',
      ...(withheld.includes('a') ? [] : ['insert']),
      ...(withheld.includes('w') ? [] : ['update']),
      ...(withheld.includes('d') ? [] : ['delete']),
    ];
    await tx.query(`grant ${rights.join(', ')} on usance.${quoteIdentifier(table)} to usance_runtime`);
  }
}

const withheldOf = (table: string): string => (table in WITHHELD ? WITHHELD[table as keyof typeof WITHHELD] : '');

/** A role of its own: a runtime process that was taken over cannot empty the audit log. */
async function grantEraser(tx: Transaction): Promise<void> {
  for (const signature of ERASES) {
    const [erases] = await tx.query(`select 1 from pg_proc where oid = to_regprocedure('${signature}')`);
    if (!erases) return;
    await tx.query(`revoke execute on function ${signature} from usance_runtime`);
    if (await ensureRole(tx, 'usance_eraser'))
      await tx.query(`grant execute on function ${signature} to usance_eraser`);
  }
}

/** Roles belong to the whole server, so another database's migrator may be making it at this moment. */
async function ensureRole(tx: Transaction, role: 'usance_runtime' | 'usance_eraser'): Promise<boolean> {
  const [existing] = await tx.query('select 1 from pg_roles where rolname = $1::text', [role]);
  if (existing) return true;
  try {
    await tx.savepoint((inner) => inner.query(`create role ${role} nologin`));
    return true;
  } catch (error) {
    const state = sqlState(error);
    if (state === '42501') return false; // insufficient_privilege
    if (state === '42710' || state === '23505') return true; // it was just made
    throw error;
  }
}
