// Writes docs/reference/schema.txt: what the migrations make of an empty database, as the catalogue has it. A test compares
// it with a freshly migrated database, so that a change to the schema is seen by whoever reviews it.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPool, describeSchema, migrate, openEmbedded } from '../src/db/index.ts';

const target = join(import.meta.dirname, '..', 'docs', 'reference', 'schema.txt');

const dataDir = await mkdtemp(join(tmpdir(), 'usance-schema-'));
// Open to the account that runs the server when this runs as root.
await chmod(dataDir, 0o755);
const server = await openEmbedded({ dataDir, settings: { fsync: 'off' } });
const db = createPool({ url: server.ownerUrl, maxConnections: 1 });
try {
  await migrate(db);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, await describeSchema(db));
} finally {
  await db.close();
  await server.release();
  await rm(dataDir, { recursive: true, force: true });
}
