// A fresh database for a test file, and the engine on it.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Database, StatementHook } from '../../src/db/index.ts';
import { createPool } from '../../src/db/index.ts';
import type { TenantHandle, Engine, EngineOptions } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { createSecrets } from '../../src/secrets/index.ts';

export interface TestDatabase {
  /** The superuser: for corrupting what nobody else could. */
  readonly ownerUrl: string;
  /** What the engine uses: cannot rewrite history. */
  readonly runtimeUrl: string;
  readonly owner: Database;
  readonly db: Database;
  pool(options?: { onStatement?: StatementHook; maxConnections?: number }): Database;
}

/** Engines of tests have a key, so that contacts and endpoints can be created. */
export const TEST_KEY = 'dGVzdHMgc3RvcmUgbm90aGluZyB0aGF0IGlzIHNlY3I=';
export const TEST_SECRETS = createSecrets({ key: TEST_KEY });

let count = 0;

/** Call at the top of a file or describe block; use what it returns inside tests only. */
export function useDatabase(): TestDatabase {
  const name = `t_${process.pid}_${(count += 1)}`;
  const server = inject('testServer');
  const open = new Set<Database>();
  const state: { owner?: Database; db?: Database } = {};
  const urlOf = (url: string, database: string): string =>
    Object.assign(new URL(url), { pathname: `/${database}` }).href;
  const pool = (url: string, options: { onStatement?: StatementHook; maxConnections?: number } = {}): Database => {
    const made = createPool({ url, ...options });
    open.add(made);
    return made;
  };
  const ownerUrl = urlOf(server.ownerUrl, name);
  const runtimeUrl = urlOf(server.runtimeUrl, name);

  beforeAll(async () => {
    // Copying the template fails while somebody is connected to it, so files take turns.
    const maintenance = createPool({ url: urlOf(server.ownerUrl, 'postgres'), maxConnections: 1 });
    await maintenance.query(`select pg_advisory_lock(815)`);
    await maintenance.query(`create database ${name} template usance strategy file_copy`);
    await maintenance.close();
    state.owner = pool(ownerUrl);
    state.db = pool(runtimeUrl);
  });
  afterAll(async () => {
    for (const made of open) await made.close();
    const maintenance = createPool({ url: urlOf(server.ownerUrl, 'postgres'), maxConnections: 1 });
    await closed(maintenance, name);
    await maintenance.query(`drop database if exists ${name} with (force)`);
    await maintenance.close();
  });

  return {
    ownerUrl,
    runtimeUrl,
    get owner() {
      return state.owner ?? outside();
    },
    get db() {
      return state.db ?? outside();
    },
    pool: (options) => pool(runtimeUrl, options),
  };
}

/** Rounds of 10 ms. */
const MOST_ROUNDS = 200;

/**
 * Waits for connections that are saying goodbye, and for no others: one that a forced drop cuts off gets an error that nobody listens to, which
 * fails the whole run.
 */
async function closed(maintenance: Database, name: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const rows = await maintenance.query('select from pg_stat_activity where datname = $1::text limit 1', [name]);
    if (rows.length === 0) return;
    await pause(10);
  }
}

/** An engine on a fresh database, with a tenant that has an asset and no accounts. */
export function useUsance(
  options: EngineOptions = {},
): TestDatabase & { readonly usance: Engine; readonly tenant: TenantHandle } {
  const database = useDatabase();
  const state: { usance?: Engine; tenant?: TenantHandle } = {};
  beforeAll(async () => {
    const encryption = { key: TEST_KEY };
    state.usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, encryption, ...options });
    state.tenant = await state.usance.createTenant({ name: 'shop' });
    await state.tenant.createAsset('USD/2');
  });
  afterAll(() => state.usance?.close());
  return Object.defineProperties(database, {
    usance: { get: () => state.usance ?? outside() },
    tenant: { get: () => state.tenant ?? outside() },
  }) as TestDatabase & { readonly usance: Engine; readonly tenant: TenantHandle };
}

function outside(): never {
  throw new Error('the database exists inside tests only');
}
