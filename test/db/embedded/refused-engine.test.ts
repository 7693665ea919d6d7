// An engine that is refused on an embedded store: no server is left behind, for nobody else would stop it.
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readPostmaster } from '../../../src/db/embedded/postmaster.ts';
import { createEngine } from '../../../src/engine.ts';
import { createUsance } from '../../../src/index.ts';
import { SetupError } from '../../../src/kernel/index.ts';
import { TEST_KEY } from '../../support/database.ts';
import { emptyFolder, madeFolder } from './world.ts';

test('a simulated chain in production is refused before a server starts', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataDir = join(await emptyFolder(), '.usance');
  await expect(createUsance({ dataDir, chains: { sandbox: true } })).rejects.toThrow(
    new SetupError('chains.sandbox is set, which NODE_ENV=production refuses'),
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('what is refused after its server has started stops the server', async () => {
  const dataDir = await madeFolder();
  const chains = { sandbox: { assets: [{ code: 'SBX', decimals: 9, minimumUnits: 1n }] } };
  await expect(createEngine({ dataDir, encryption: { key: TEST_KEY }, chains })).rejects.toThrow(
    'SBX pays the fees of the chain "sandbox" and cannot be an asset of payouts',
  );
  expect(await readPostmaster(await realpath(join(dataDir, 'cluster', 'pgdata')))).toBeNull();
});
