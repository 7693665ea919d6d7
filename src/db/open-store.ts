// Opening the store: an embedded server or the caller's own, migrated or checked, and the pool on it.
import { SetupError, isSchemaName } from '../kernel/index.ts';
import { RUNTIME_USER, openEmbedded } from './embedded/index.ts';
import type { MigrationReport } from './migrate.ts';
import { migrate, requireMigrated, requireSupportedServer } from './migrate.ts';
import { patiently } from './patience.ts';
import { createPool } from './pool.ts';
import type { Database, Notes, StatementHook } from './sql.ts';
import { explaining, placeOf } from './unreachable.ts';

/** Options of the database connection. */
export interface StoreOptions {
  /** Your own PostgreSQL. Left out, an embedded server in `dataDir` is used. */
  readonly databaseUrl?: string | null | undefined;
  /** The same database as the schema's owner; only migrating uses it. Default: `databaseUrl`. */
  readonly ownerUrl?: string | null;
  /** Folder of the embedded server, default `.usance`. */
  readonly dataDir?: string;
  /** The schema of the tables, default `usance`. */
  readonly schema?: string;
  /** Connections at most, default 10. */
  readonly poolSize?: number;
  /**
   * How long a transaction of the engine may be idle before the server ends it and frees its locks, in milliseconds, default 10,000: so
   * long may a process that was stopped, or whose machine vanished, hold up the payments it was working on.
   */
  readonly idleLimitMs?: number;
  /** Bring the schema up to date first; default true for the embedded server, false for your own. */
  readonly migrate?: boolean;
  /** Lines that an operator should see. Default: those of the embedded server are written to stderr. */
  readonly onNotice?: (line: string) => void;
  /** For tests: sees every statement before it is sent. */
  readonly onStatement?: StatementHook;
  /** Called with the changes of each transaction, after its commit. */
  readonly onNotes?: ((notes: Notes) => void) | undefined;
}

/** Which store this is: for screens and logs, nothing in it is secret. */
export interface StoreFacts {
  readonly embedded: boolean;
  /** A folder, or user@host:port/database. */
  readonly place: string;
  readonly serverVersion: string;
  readonly schemaVersion: number;
}

export interface Store {
  readonly db: Database;
  /** The address that `db` uses, with its password. */
  readonly url: string;
  readonly facts: StoreFacts;
  readonly migrated: MigrationReport | null;
  close(): Promise<void>;
}

const GRANT_LOCK = 8_612_003;

/** A first start takes long enough to be taken for a hang. */
function sayOnStderr(line: string): void {
  process.stderr.write(`usance: ${line}\n`);
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const schema = options.schema ?? 'usance';
  // It goes into statements as it is, before anything else is done with it.
  if (!isSchemaName(schema))
    throw new SetupError(`the schema "${schema}" must be a lower-case name of letters, digits and underscores`);
  const embedded = options.databaseUrl
    ? null
    : await openEmbedded({
        dataDir: options.dataDir ?? '.usance',
        onNotice: options.onNotice ?? sayOnStderr,
      });
  const pool = (url: string, maxConnections: number): Database =>
    createPool({
      url,
      schema,
      maxConnections,
      onNotes: options.onNotes,
      onConnectionLost: (error) => options.onNotice?.(`a database connection was lost: ${error.message}`),
      ...(options.idleLimitMs === undefined ? {} : { idleLimitMs: options.idleLimitMs }),
      ...(options.onStatement ? { onStatement: options.onStatement } : {}),
    });
  const url = embedded?.runtimeUrl ?? options.databaseUrl ?? '';
  const ownerUrl = embedded?.ownerUrl ?? options.ownerUrl ?? url;
  // An embedded server was there a moment ago. Of one's own, an address that does not answer is told at once.
  const checked = <T>(address: string, work: () => Promise<T>): Promise<T> =>
    explaining(address, () => (embedded ? patiently(work, { onNotice: options.onNotice }) : work()));
  let db: Database | null = null;
  try {
    const migrated =
      (options.migrate ?? embedded !== null)
        ? await checked(ownerUrl, () => migrateAs(pool(ownerUrl, 1), schema, embedded !== null))
        : null;
    const opened = (db = pool(url, options.poolSize ?? 10));
    const serverVersion = await checked(url, () => requireSupportedServer(opened));
    const schemaVersion = await checked(url, () => requireMigrated(opened));
    const place = embedded ? (options.dataDir ?? '.usance') : placeOf(url);
    return {
      db: opened,
      get url() {
        return embedded?.runtimeUrl ?? url;
      },
      facts: { embedded: embedded !== null, place, serverVersion, schemaVersion },
      migrated,
      async close() {
        await opened.close();
        await embedded?.release();
      },
    };
  } catch (error) {
    await db?.close();
    await embedded?.release();
    throw error;
  }
}

async function migrateAs(owner: Database, schema: string, isEmbedded: boolean): Promise<MigrationReport> {
  try {
    const report = await migrate(owner, { schema });
    if (isEmbedded) await letRuntimeCreateTables(owner);
    return report;
  } finally {
    await owner.close();
  }
}

/** Applications keep their own tables beside ours: on the embedded server nobody else could let the runtime role create them. */
async function letRuntimeCreateTables(owner: Database): Promise<void> {
  await owner.transaction(async (tx) => {
    // Programs start at the same moment, and two grants at once would fail.
    await tx.query(`select pg_advisory_xact_lock(${GRANT_LOCK})`);
    await tx.query(`do $$ begin
      if not has_schema_privilege('${RUNTIME_USER}', 'public', 'create') then grant create on schema public to ${RUNTIME_USER}; end if;
    end $$`);
  });
}
