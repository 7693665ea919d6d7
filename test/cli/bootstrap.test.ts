// Whose the first key is.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureBootstrapKey } from '../../src/cli/bootstrap.ts';
import { ensureDemo } from '../../src/cli/demo.ts';
import { loadConfig } from '../../src/config.ts';
import { createUsance } from '../../src/index.ts';
import { useDatabase } from '../support/database.ts';

const store = useDatabase();

test('a test tenant that was there first is neither the demo nor has the first key', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'usance-bootstrap-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await createUsance({ databaseUrl: store.runtimeUrl });
  onTestFinished(() => engine.close());
  await engine.createTenant({ name: 'rehearsal', kind: 'test' });
  const demo = await ensureDemo(engine);
  const key = await ensureBootstrapKey(engine, loadConfig('dev', { USANCE_DATA_DIR: dataDir }));
  const shown = await engine.authenticate(key?.secret ?? '');
  expect(shown?.handle.name).toBe('demo');
  expect(demo?.id).toBe(shown?.handle.id);
});
