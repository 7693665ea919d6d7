// A shop on a durable server of its own, for faults that a server without durability could not survive.
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/db/index.ts';
import type { TenantHandle, Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { gate } from '../support/gate.ts';
import type { Told } from './load.ts';

export interface Shop {
  readonly dataDir: string;
  /** The address of the server, as the role that processors use. */
  readonly url: string;
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  readonly accounts: readonly string[];
  /** What every load so far was told. */
  readonly told: Told[];
  /** kill -9 of the server; returns when it is back. */
  killServer(): Promise<void>;
  close(): Promise<void>;
}

/** What every account has at first. */
export const FUNDS = 100_000_000;

export async function openShop(accounts: number, root = tmpdir()): Promise<Shop> {
  const dataDir = await realpath(await mkdtemp(join(root, 'usance-faults-')));
  // Open to the account that runs the server when the tests run as root.
  await chmod(dataDir, 0o755);
  let back = gate();
  const server = await openEmbedded({
    dataDir,
    onNotice: (line) => {
      if (line.startsWith('PostgreSQL is back')) back.open();
    },
  });
  const { runtimeUrl: url, ownerUrl } = server;
  const usance = await createEngine({ databaseUrl: url, ownerUrl, migrate: true, poolSize: 20 });
  const tenant = await usance.createTenant({ name: 'shop' });
  await tenant.createAsset('USD/2');
  const refs = Array.from({ length: accounts }, (_, index) => `account-${index}`);
  for (const ref of refs) {
    await tenant.openAccount({ ref });
    await tenant.deposit({ account: ref, asset: 'USD', amount: FUNDS, idempotencyKey: ref });
  }
  return {
    dataDir,
    url,
    usance,
    tenant,
    accounts: refs,
    told: [],
    async killServer() {
      back = gate();
      process.kill(server.pid, 'SIGKILL');
      await back.passed;
    },
    async close() {
      await usance.close();
      await server.release();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
