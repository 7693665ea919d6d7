// Whose the first key is.
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureBootstrapKey } from '../../src/cli/bootstrap.ts';
import { ensureDemo } from '../../src/cli/demo.ts';
import { loadConfig } from '../../src/config.ts';
import { createEngine } from '../../src/engine.ts';
import { useDatabase } from '../support/database.ts';

const store = useDatabase();

test('a test tenant that was there first is neither the demo nor has the first key', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'usance-bootstrap-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await createEngine({ databaseUrl: store.runtimeUrl });
  onTestFinished(() => engine.close());
  await engine.createTenant({ name: 'rehearsal', kind: 'test' });
  const demo = await ensureDemo(engine);
  const key = await ensureBootstrapKey(engine, loadConfig('dev', { USANCE_DATA_DIR: dataDir }));
  const shown = await engine.authenticate(key?.secret ?? '');
  expect(shown?.handle.name).toBe('demo');
  expect(demo?.id).toBe(shown?.handle.id);
});

test('the first key is in a private folder and file, and nothing planted there is written through', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'usance-bootstrap-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const engine = await createEngine({ databaseUrl: store.runtimeUrl });
  onTestFinished(() => engine.close());
  const dataDir = join(parent, 'data');
  const made = await ensureBootstrapKey(engine, loadConfig('dev', { USANCE_DATA_DIR: dataDir }));
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'api-key'))).mode & 0o777).toBe(0o600);
  expect((await readFile(join(dataDir, 'api-key'), 'utf8')).trim()).toBe(made?.secret);

  const victim = join(parent, 'victim');
  await writeFile(victim, 'untouched');
  await rm(join(dataDir, 'api-key'));
  await symlink(victim, join(dataDir, `api-key.${process.pid}`));
  await ensureBootstrapKey(engine, loadConfig('dev', { USANCE_DATA_DIR: dataDir }));
  expect(await readFile(victim, 'utf8')).toBe('untouched');
});
