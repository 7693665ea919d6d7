// The composition root: the one file that knows every module. Everything the library, the commands and the HTTP API do
// goes through what is put together here.
import type { Database, ForeignTransaction, MigrationReport, Sql, StatementHook, Transaction } from './db/index.ts';
import {
  adoptTransaction,
  asDate,
  createPool,
  explaining,
  migrate,
  only,
  openEmbedded,
  placeOf,
  requireMigrated,
  requireSupportedServer,
} from './db/index.ts';
import type { Clock, Loop, LoopObserver } from './kernel/index.ts';
import { createLoop, liveAt, refuse } from './kernel/index.ts';
import type {
  Check,
  CheckResult,
  Freeze,
  ImportOrder,
  ImportReport,
  LedgerVerbs,
  VerbContext,
} from './ledger/index.ts';
import {
  LEDGER_CHECKS,
  importOpeningBalances,
  integrityLoop,
  ledgerVerbs,
  listFreezes,
  openSystemAccounts,
  reservedCheck,
  verify,
} from './ledger/index.ts';
import type { OrderBounds, PaymentVerbs, ProcessorOptions } from './payments/index.ts';
import { DEFAULT_BOUNDS, HELD_BY_PAYMENTS, PAYMENT_CHECKS, paymentVerbs, processorLoop } from './payments/index.ts';
import type { Tenant, TenantOrder } from './tenants/index.ts';
import { createTenant, findTenant, listTenants } from './tenants/index.ts';

// For the commands and the HTTP API, which see no module but this one.
export { explainUnreachable } from './db/index.ts';
export type { MigrationReport } from './db/index.ts';
export type { CheckResult, Freeze, ImportReport, Offender } from './ledger/index.ts';
export { examine } from './ops/index.ts';
export type { Finding, Patient } from './ops/index.ts';

export interface UsanceOptions {
  /** Your own PostgreSQL. Left out, an embedded server in `dataDir` is used. */
  readonly databaseUrl?: string | null;
  /** The same database as the schema's owner; only migrating uses it. Default: `databaseUrl`. */
  readonly ownerUrl?: string | null;
  /** Folder of the embedded server, default `.usance`. */
  readonly dataDir?: string;
  /** Default `usance`. */
  readonly schema?: string;
  /** Connections at most, default 10. */
  readonly poolSize?: number;
  /** Bring the schema up to date first; default true for the embedded server, false for your own. */
  readonly migrate?: boolean;
  /** How far ahead holds may lie. */
  readonly bounds?: Partial<OrderBounds>;
  readonly processor?: Pick<ProcessorOptions, 'batchSize' | 'lanes'>;
  /** Fail this many first attempts of every payment, to try out what happens then. */
  readonly simulateFailures?: number;
  /** Lines an operator should see. */
  readonly onNotice?: (line: string) => void;
  readonly loops?: LoopObserver;
  /** For tests: sees every statement before it is sent. */
  readonly onStatement?: StatementHook;
}

/** Everything one tenant can do. */
export interface TenantHandle extends LedgerVerbs, PaymentVerbs {
  readonly id: string;
  readonly name: string;
  /** The same verbs inside a transaction of yours: they commit or vanish with it. */
  within(transaction: ForeignTransaction): TenantHandle;
  importOpeningBalances(order: Omit<ImportOrder, 'tenantId' | 'actor'>): Promise<ImportReport>;
}

/** Which store this is: for screens and logs, nothing in it is secret. */
export interface StoreFacts {
  readonly embedded: boolean;
  /** A folder, or user@host:port/database. */
  readonly place: string;
  readonly serverVersion: string;
  readonly schemaVersion: number;
}

export interface Usance {
  readonly db: Database;
  readonly store: StoreFacts;
  /** What migrating did at the start, where it was asked for. */
  readonly migrated: MigrationReport | null;
  createTenant(order: TenantOrder): Promise<TenantHandle>;
  tenants(): Promise<Tenant[]>;
  /** By id or name. `actor` is who the deeds done through the handle are recorded for. */
  tenant(idOrName: string, actor?: string): Promise<TenantHandle>;
  /** Every invariant over the whole store. */
  verify(onChecked?: (result: CheckResult) => void): Promise<CheckResult[]>;
  freezes(options?: { activeOnly?: boolean }): Promise<Freeze[]>;
  /** The background loops, by name. */
  readonly loops: readonly Loop[];
  start(): void;
  /** Stops the loops, lets what is in flight finish, leaves the database. */
  close(): Promise<void>;
}

const CHECKS: readonly Check[] = [...LEDGER_CHECKS, reservedCheck([HELD_BY_PAYMENTS]), ...PAYMENT_CHECKS];

export async function createUsance(options: UsanceOptions = {}): Promise<Usance> {
  const store = await openStore(options);
  const { db } = store;
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const loops = [
    createLoop(
      processorLoop(db, {
        ...options.processor,
        readClock,
        simulateFailures: options.simulateFailures ?? 0,
        onPoisoned: (id, error) => options.onNotice?.(`payment ${id} could not be executed: ${String(error)}`),
      }),
      options.loops,
    ),
    createLoop(
      integrityLoop(db, CHECKS, () => readClock(db)),
      options.loops,
    ),
  ];

  const handle = (tenant: Tenant, actor: string): TenantHandle => {
    const own: VerbContext = {
      tenantId: tenant.id,
      actor,
      sql: db,
      run: (work) => db.transaction(async (tx) => work(tx, await readClock(tx)), { probes: true }),
    };
    const over = (context: VerbContext): TenantHandle => ({
      ...ledgerVerbs(context),
      ...paymentVerbs(context, bounds),
      id: tenant.id,
      name: tenant.name,
      within: (foreign) => over(withinForeign(context, foreign, options)),
      importOpeningBalances: async (order) =>
        importOpeningBalances(db, await readClock(db), { ...order, tenantId: tenant.id, actor }),
    });
    return over(own);
  };

  return {
    db,
    store: store.facts,
    migrated: store.migrated,
    loops,
    async createTenant(order) {
      const tenant = await db.transaction(async (tx) => {
        const made = await createTenant(tx, order);
        await openSystemAccounts(tx, await readClock(tx), made.id);
        return made;
      });
      return handle(tenant, 'library');
    },
    tenants: () => listTenants(db),
    async tenant(idOrName, actor = 'library') {
      const tenant = await findTenant(db, idOrName);
      return tenant ? handle(tenant, actor) : refuse('TENANT_NOT_FOUND', `there is no tenant "${idOrName}"`);
    },
    verify: (onChecked) => verify(db, CHECKS, onChecked),
    freezes: ({ activeOnly = true } = {}) => listFreezes(db, { activeOnly }),
    start() {
      for (const loop of loops) loop.start();
    },
    async close() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await store.close();
    },
  };
}

/** Live time is the database's, in whole milliseconds, rounded down. */
async function readClock(sql: Sql): Promise<Clock> {
  const row = only(await sql.query(`select date_trunc('milliseconds', clock_timestamp()) as now`));
  return liveAt(asDate(row['now']));
}

function withinForeign(context: VerbContext, foreign: ForeignTransaction, options: UsanceOptions): VerbContext {
  const tx: Transaction = adoptTransaction(foreign, {
    schema: options.schema ?? 'usance',
    ...(options.onStatement ? { onStatement: options.onStatement } : {}),
  });
  return { ...context, sql: tx, run: (work) => tx.savepoint(async (inner) => work(inner, await readClock(inner))) };
}

interface Store {
  readonly db: Database;
  readonly facts: StoreFacts;
  readonly migrated: MigrationReport | null;
  close(): Promise<void>;
}

async function openStore(options: UsanceOptions): Promise<Store> {
  const embedded = options.databaseUrl
    ? null
    : await openEmbedded({
        dataDir: options.dataDir ?? '.usance',
        ...(options.onNotice ? { onNotice: options.onNotice } : {}),
      });
  const schema = options.schema ?? 'usance';
  const pool = (url: string, maxConnections: number): Database =>
    createPool({
      url,
      schema,
      maxConnections,
      onConnectionLost: (error) => options.onNotice?.(`a database connection was lost: ${error.message}`),
      ...(options.onStatement ? { onStatement: options.onStatement } : {}),
    });
  const url = embedded?.runtimeUrl ?? options.databaseUrl ?? '';
  const ownerUrl = embedded?.ownerUrl ?? options.ownerUrl ?? url;
  let db: Database | null = null;
  try {
    const migrated =
      (options.migrate ?? embedded !== null)
        ? await explaining(ownerUrl, () => migrateAs(pool(ownerUrl, 1), schema))
        : null;
    const opened = (db = pool(url, options.poolSize ?? 10));
    const serverVersion = await explaining(url, () => requireSupportedServer(opened));
    const schemaVersion = await explaining(url, () => requireMigrated(opened));
    const place = embedded ? (options.dataDir ?? '.usance') : placeOf(url);
    return {
      db: opened,
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

async function migrateAs(owner: Database, schema: string): Promise<MigrationReport> {
  try {
    return await migrate(owner, { schema });
  } finally {
    await owner.close();
  }
}
