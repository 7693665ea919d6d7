// The cluster on disk: made once, found ever after.
//
//   <data folder>/server.log
//   <data folder>/cluster/password, password-runtime     0600, of whoever runs the program
//   <data folder>/cluster/pgdata/                         PostgreSQL's own, of the account the server runs under
//
// It is built in `cluster.new-<pid>-…` and takes its name in one rename, so that a kill in the middle leaves nothing
// that could be mistaken for a cluster, and of several programs that build at once one wins and the others drop their
// own. As root in a folder that the server's account cannot enter, the cluster is built in /var/lib/usance and
// `cluster` is a link to it; making the link is the one step then. Each such cluster has a name of its own, so that
// removing the data folder and starting again gives an empty one, as it does elsewhere, and not the old one back.
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SetupError } from '../../kernel/index.ts';
import type { Account } from './account.ts';
import { canDo, runAs, serverAccount } from './account.ts';
import type { ServerBinaries } from './binaries.ts';
import { SHARED_HOME, bundledBinaries, reachableBinaries } from './binaries.ts';
import { makePrivateFolder, reason, sweep, syncFolder, unwritable, writeSecret } from './files.ts';

export const OWNER = 'usance_owner';

export interface Cluster {
  /** Without links in it: the server is recognised by it. */
  readonly pgdata: string;
  readonly binDir: string;
  readonly account: Account | null;
  readonly ownerPassword: string;
  readonly runtimePassword: string;
}

export interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries?: ServerBinaries;
  /** Leave flushing the new files to the system. Only where the server itself does not flush either. */
  readonly unsynced: boolean;
  readonly notice: (line: string) => void;
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, notice } = options;
  await makePrivateFolder(dataDir).catch((error: unknown) => unwritable(dataDir, error));
  const found = await findCluster(dataDir);
  const account = await serverAccount(found && join(found, 'pgdata'));
  const binaries = await reachableBinaries(options.binaries ?? (await bundledBinaries()), account, notice);
  if (found === null) {
    notice(`Creating a database in ${dataDir}, once: this takes from a few seconds to half a minute.`);
    await makeCluster(options, binaries, account);
  }
  const home = found ?? (await findCluster(dataDir));
  if (home === null) throw new SetupError(`the cluster in ${dataDir} was removed while it was being opened`);
  // The passwords first: that they cannot be read is how another user's cluster shows.
  const ownerPassword = await readPassword(home, 'password');
  const runtimePassword = await readPassword(home, 'password-runtime');
  const pgdata = join(home, 'pgdata');
  if (!(await canEnter(account, pgdata))) {
    const who = account === null ? 'this user' : `user ${account.uid}, under which PostgreSQL runs for root,`;
    throw new SetupError(`${who} cannot enter ${pgdata}: open the folders above it, or move the data folder`);
  }
  return { pgdata, binDir: binaries.binDir, account, ownerPassword, runtimePassword };
}

async function findCluster(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'cluster');
  try {
    return await realpath(path);
  } catch (error) {
    if (reason(error) !== 'ENOENT') return unwritable(dataDir, error);
    const dangling = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!dangling) return null;
    throw new SetupError(
      `${path} links to a cluster that is gone: put it back, or remove the link to start with an empty store`,
    );
  }
}

async function makeCluster(options: ClusterOptions, binaries: ServerBinaries, account: Account | null): Promise<void> {
  const { dataDir, notice } = options;
  const tag = `new-${process.pid}-${randomBytes(3).toString('hex')}`;
  await sweep(dataDir, 'cluster.new-');
  const here = join(dataDir, `cluster.${tag}`);
  await layFoundation(here, account).catch((error: unknown) => unwritable(dataDir, error));
  if (await canEnter(account, join(here, 'pgdata'))) {
    await fill(here, options, binaries, account);
    await settleHere(here, dataDir);
    return;
  }

  await rm(here, { recursive: true, force: true });
  const name = `${await nameFor(dataDir)}-${randomBytes(3).toString('hex')}`;
  const away = join(SHARED_HOME, `${name}.${tag}`);
  try {
    await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 });
    await chmod(SHARED_HOME, 0o755);
    await sweep(SHARED_HOME, `${await nameFor(dataDir)}-`);
    await layFoundation(away, account);
  } catch (error) {
    throw new SetupError(`${dataDir} is closed to all but root, and a cluster cannot be in ${away}: ${reason(error)}`);
  }
  await fill(away, options, binaries, account);
  const home = join(SHARED_HOME, name);
  if (!(await settleAway(away, home, dataDir))) return;
  notice(`PostgreSQL cannot run as root, and ${dataDir} is closed to others: its cluster is in ${home}`);
}

/** Only pgdata belongs to the server's account; the folder around it is ours, and it need not see the passwords. */
async function layFoundation(home: string, account: Account | null): Promise<void> {
  await mkdir(home);
  await chmod(home, account === null ? 0o700 : 0o711);
  await mkdir(join(home, 'pgdata'), { mode: 0o700 });
  if (account !== null) await chown(join(home, 'pgdata'), account.uid, account.gid);
}

function canEnter(account: Account | null, folder: string): Promise<boolean> {
  return canDo(account, 'cd "$1" && test -w .', folder);
}

async function fill(
  home: string,
  options: ClusterOptions,
  binaries: ServerBinaries,
  account: Account | null,
): Promise<void> {
  const password = join(home, 'password');
  await writeSecret(password, randomBytes(24).toString('hex'));
  await writeSecret(join(home, 'password-runtime'), randomBytes(24).toString('hex'));
  // initdb reads the owner's password by itself, so the file is lent to its account meanwhile.
  if (account !== null) await chown(password, account.uid, account.gid);
  const { code, output } = await runAs(account, join(binaries.binDir, 'initdb'), [
    `--pgdata=${join(home, 'pgdata')}`,
    `--username=${OWNER}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Order by bytes, in every version alike: no system's collation can change under an index.
    '--locale=C',
    '--data-checksums',
    ...(options.unsynced ? ['--no-sync'] : []),
  ]);
  if (code !== 0) {
    await rm(home, { recursive: true, force: true });
    const said = output.split('\n').find((line) => /error|fatal/i.test(line)) ?? output.split('\n').at(-1) ?? '';
    throw new SetupError(`cannot make a PostgreSQL cluster in ${options.dataDir}: ${said}`);
  }
  if (account !== null) await chown(password, 0, 0);
  await syncFolder(home);
}

async function settleHere(building: string, dataDir: string): Promise<void> {
  try {
    await rename(building, join(dataDir, 'cluster'));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(reason(error))) throw error;
    await rm(building, { recursive: true, force: true });
  }
  await syncFolder(dataDir);
  await syncFolder(dirname(dataDir)).catch(() => undefined);
}

/** False when another program was quicker. */
async function settleAway(building: string, home: string, dataDir: string): Promise<boolean> {
  await rename(building, home);
  await syncFolder(SHARED_HOME);
  try {
    await symlink(home, join(dataDir, 'cluster'));
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    return reason(error) === 'EEXIST' ? false : unwritable(dataDir, error);
  }
  await syncFolder(dataDir);
  await syncFolder(dirname(dataDir)).catch(() => undefined);
  return true;
}

/** Readable for the operator who meets it, and of this data folder alone. */
async function nameFor(dataDir: string): Promise<string> {
  const path = await realpath(dataDir);
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12);
  const project = basename(dirname(path))
    .replace(/[^A-Za-z0-9_-]/g, '')
    .slice(0, 40);
  return `${project || 'cluster'}-${hash}`;
}

async function readPassword(home: string, name: string): Promise<string> {
  const path = join(home, name);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (reason(error) === 'ENOENT') {
      throw new SetupError(
        `the cluster's password is lost: put ${path} back, or remove ${home} to start with an empty store`,
      );
    }
    throw new SetupError(`cannot read ${path} (${reason(error)}): run as the user who made the cluster`);
  }
}
