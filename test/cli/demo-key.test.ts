// The key of the demo world: kept beside the bootstrap key, the same at every start, and not given again after an operator revoked it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureWorldKey } from '../../src/cli/demo-world/key.ts';
import { useUsance } from '../support/database.ts';

const store = useUsance();
let worlds = 0;

async function prepare() {
  const dataDir = await mkdtemp(join(tmpdir(), 'usance-demo-key-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const tenant = await store.usance.createTenant({ name: `world-${(worlds += 1)}`, kind: 'test' });
  return { dataDir, tenant, ensure: () => ensureWorldKey(store.usance, { dataDir }, tenant) };
}

test('is made once, and kept in a file of the data folder', async () => {
  const { dataDir, tenant, ensure } = await prepare();
  const [made, again] = [await ensure(), await ensure()];
  expect(again).toEqual(made);
  expect((await readFile(join(dataDir, 'demo-world-api-key'), 'utf8')).trim()).toBe(made?.secret);
  expect((await store.usance.authenticate(made?.secret ?? ''))?.handle.id).toBe(tenant.id);
  expect(await tenant.apiKeys()).toHaveLength(1);
});

test('is made beside one of an earlier version, whose secret nothing kept', async () => {
  const { tenant, ensure } = await prepare();
  await tenant.createApiKey({ name: 'bootstrap', role: 'admin' });
  const made = await ensure();
  expect((await store.usance.authenticate(made?.secret ?? ''))?.handle.id).toBe(tenant.id);
});

test('is not given again after it was revoked, nor is another made', async () => {
  const { tenant, ensure } = await prepare();
  const made = await ensure();
  await tenant.revokeApiKey(made?.key.id ?? '');
  expect(await ensure()).toBeNull();
  expect(await tenant.apiKeys()).toHaveLength(1);
});
