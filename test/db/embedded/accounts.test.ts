// Who runs the server: a plain user as themselves, root under an account without rights, from wherever it can be
// reached.
import { access, chmod, chown, cp, lstat, mkdir, readdir, readlink, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { preparePackage } from '../../../src/db/embedded/binaries.ts';
import { bundledBinaries } from '../../../src/db/embedded/index.ts';
import { ask, emptyFolder, endServerOf, isRoot, madeFolder, open, startProgram } from './world.ts';

const NOBODY = 65534;
const POSTGRES_15 = '/usr/lib/postgresql/15/bin';

if (!isRoot) console.warn('SKIPPED: the tests that start the embedded server as root and as another user need root');

describe('the embedded server', () => {
  test.runIf(isRoot)('runs without rights when root starts it', async () => {
    const dataDir = await emptyFolder();
    const server = await open(dataDir);
    expect((await stat(`/proc/${server.pid}`)).uid).toBe(NOBODY);
    expect((await stat(join(dataDir, 'cluster', 'pgdata'))).uid).toBe(NOBODY);
    expect((await lstat(join(dataDir, 'cluster'))).isDirectory()).toBe(true);
  });

  test.runIf(isRoot)('has its cluster elsewhere when root starts it in a folder closed to others', async () => {
    const dataDir = join(await emptyFolder(), 'closed', '.usance');
    await mkdir(dirname(dataDir), { mode: 0o700 });
    const notices: string[] = [];
    const server = await open(dataDir, { onNotice: (line) => notices.push(line) });
    const home = await readlink(join(dataDir, 'cluster'));
    forgetAfterwards(dataDir, home);
    expect(home).toMatch(/^\/var\/lib\/usance\/closed-[0-9a-f]{12}-[0-9a-f]{6}$/);
    expect(notices).toEqual([
      expect.stringContaining(`Creating a database in ${dataDir}, once`),
      expect.stringContaining(`its cluster is in ${home}`),
    ]);
    await ask(server.ownerUrl, 'create table kept (n int)');
    await server.release();
    const again = await open(dataDir);
    expect(await ask(again.ownerUrl, 'select * from kept')).toEqual([]);
  });

  test.runIf(isRoot)('is one even if several start it at once in a folder closed to others', async () => {
    const dataDir = join(await emptyFolder(), 'closed', '.usance');
    await mkdir(dirname(dataDir), { mode: 0o700 });
    const servers = await Promise.all([open(dataDir), open(dataDir), open(dataDir)]);
    const home = await readlink(join(dataDir, 'cluster'));
    forgetAfterwards(dataDir, home);
    expect(new Set(servers.map(({ pid }) => pid)).size).toBe(1);
    const prefix = home.slice('/var/lib/usance/'.length, -'-abcdef'.length);
    expect((await readdir('/var/lib/usance')).filter((name) => name.startsWith(prefix))).toHaveLength(1);
  });

  test.runIf(isRoot)('runs from a copy when the binaries are closed to others', async () => {
    const folder = await emptyFolder(tmpdir());
    const bundled = await bundledBinaries();
    const closed = join(folder, 'native');
    await cp(dirname(bundled.binDir), closed, { recursive: true, verbatimSymlinks: true });
    await chmod(join(closed, 'share'), 0o700);
    const server = await open(join(folder, '.usance'), { binaries: { binDir: join(closed, 'bin') } });
    expect(await realpath(`/proc/${server.pid}/exe`)).toMatch(/^\/var\/lib\/usance\/postgres-18\.\d+\/bin\/postgres$/);
  });

  test.runIf(isRoot)('runs as a plain user, and keeps its owner when root joins in between', async () => {
    const node = await stat(process.execPath);
    const folder = await emptyFolder();
    const dataDir = join(folder, '.usance');
    await chown(folder, NOBODY, NOBODY);
    expect(node.mode & 0o005).toBe(0o005);
    const program = startProgram(dataDir, { uid: NOBODY });
    const { pid } = await program.hear('port');
    expect((await stat(`/proc/${pid}`)).uid).toBe(NOBODY);
    expect((await stat(join(dataDir, 'cluster', 'password'))).uid).toBe(NOBODY);
    await program.leave();

    const asRoot = await open(dataDir);
    expect((await stat(`/proc/${asRoot.pid}`)).uid).toBe(NOBODY);
    await asRoot.release();

    const after = startProgram(dataDir, { uid: NOBODY });
    expect((await after.hear('port')).adopted).toBe(false);
    await after.leave();
  });

  test.runIf(isRoot)("tells a plain user that the cluster is somebody else's", async () => {
    const folder = await madeFolder();
    const program = startProgram(folder, { uid: NOBODY });
    expect((await program.hear('error')).error).toMatch(/^SetupError: cannot read .*password \(EACCES\): run as/);
  });

  test("runs although the package's install script did not", async () => {
    const packageDir = join(await emptyFolder(tmpdir()), 'package');
    const bundled = await bundledBinaries();
    await cp(dirname(dirname(bundled.binDir)), packageDir, { recursive: true, verbatimSymlinks: true });
    const lib = join(packageDir, 'native', 'lib');
    for (const entry of await readdir(lib, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(join(lib, entry.name));
    }
    const binDir = join(packageDir, 'native', 'bin');
    await chmod(join(binDir, 'postgres'), 0o644);
    await preparePackage(packageDir);
    const server = await open(join(dirname(packageDir), '.usance'), { binaries: { binDir } });
    expect(await realpath(`/proc/${server.pid}/exe`)).toBe(join(binDir, 'postgres'));
  });

  test('runs PostgreSQL 15 as well', async (context) => {
    if (!(await canRead(POSTGRES_15))) {
      console.warn(`SKIPPED: there is no PostgreSQL 15 in ${POSTGRES_15}`);
      return context.skip();
    }
    const folder = await emptyFolder();
    const server = await open(folder, { binaries: { binDir: POSTGRES_15 } });
    expect(await ask(server.runtimeUrl, "select current_setting('server_version_num')::int / 10000 as major")).toEqual([
      { major: 15 },
    ]);
  });
});

/** The link is the only way back to a cluster elsewhere, so it is kept in mind before the folder goes. */
function forgetAfterwards(dataDir: string, home: string): void {
  onTestFinished(async () => {
    await endServerOf(dataDir);
    await rm(home, { recursive: true, force: true });
  });
}

function canRead(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
