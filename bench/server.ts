// The bench's own server: the bundled PostgreSQL with the settings every user gets, in a temporary folder, durable
// (fsync on). Nothing of a number here comes from a setting that a reader would not run with.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/db/index.ts';
import { createPool, migrate, openEmbedded } from '../src/db/index.ts';

export interface BenchServer {
  /** The postmaster's. */
  readonly pid: number;
  readonly logFile: string;
  /** Makes an empty, migrated database. */
  database(name: string): Promise<BenchDatabase>;
  close(): Promise<void>;
}

export interface BenchDatabase {
  readonly ownerUrl: string;
  /** The role the engine runs as: cannot rewrite history. */
  readonly runtimeUrl: string;
  readonly owner: Database;
}

export async function openServer(settings: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'usance-bench-'));
  // Open to the account that the server runs as when this runs as root.
  chmodSync(dataDir, 0o755);
  const server = await openEmbedded({ dataDir, settings });
  const open: Database[] = [];
  const pool = (url: string): Database => {
    // One connection each: what it wrote is then in the server's counters as soon as it is asked to report (measure.ts).
    const made = createPool({ url, maxConnections: 1, name: 'bench' });
    open.push(made);
    return made;
  };
  const close = async (): Promise<void> => {
    for (const made of open.splice(0)) await made.close();
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  };
  // Somebody had enough: the server does not outlive the bench.
  const leave = (): void => void close().finally(() => process.exit(130));
  process.once('SIGINT', leave).once('SIGTERM', leave);
  return {
    pid: server.pid,
    logFile: server.logFile,
    async database(name) {
      await pool(server.ownerUrl).query(`create database ${name}`);
      const ownerUrl = server.databaseUrl(name, 'owner');
      const owner = pool(ownerUrl);
      await migrate(owner);
      return { ownerUrl, runtimeUrl: server.databaseUrl(name, 'runtime'), owner };
    },
    async close() {
      process.off('SIGINT', leave).off('SIGTERM', leave);
      await close();
    },
  };
}
