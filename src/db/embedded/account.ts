// Under which account the server runs. PostgreSQL refuses to run as root, so root lends it one without rights; everyone
// else runs it as themselves. Whether that account can reach a file is found out by trying under it: modes of every
// folder above, access lists, mount options and security modules all have a say, and only the kernel knows them all.
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` on every Linux. A number with a name matters: initdb refuses an account that has none. */
const UNPRIVILEGED: Account = { uid: 65534, gid: 65534 };

/** The account to lend, or null to run as we are. An existing cluster keeps its owner, so that `sudo` does no harm. */
export async function serverAccount(pgdata: string | null): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  if (pgdata === null) return UNPRIVILEGED;
  const owner = await stat(pgdata).catch(() => UNPRIVILEGED);
  return owner.uid === 0 ? UNPRIVILEGED : { uid: owner.uid, gid: owner.gid };
}

/** What PostgreSQL needs of the environment: where programs, libraries and temporary files are, and the time zone. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'TZ',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
];
const PASSED_ON_WINDOWS = [
  'SystemRoot',
  'SystemDrive',
  'windir',
  'ComSpec',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];

/** An allow-list: secrets (JWT_SECRET, USANCE_API_KEY) and PG* variables that are meant for another server stay here. */
export function serverEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const names = [...PASSED_ON, ...PASSED_ON_WINDOWS];
  const passed = names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
  // English messages, because a start that failed is understood by them.
  return { ...(Object.fromEntries(passed) as NodeJS.ProcessEnv), LC_ALL: 'C' };
}

/** Runs a program to its end. An exit code of null means that it could not be run at all, and the output says why. */
export function runAs(
  account: Account | null,
  file: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    // The working folder of this program may be closed to the account.
    const child = spawn(file, args, {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}

/** Whether a line of shell, with $1 … as given, succeeds under the account. */
export async function canDo(account: Account | null, line: string, ...args: string[]): Promise<boolean> {
  return (await runAs(account, '/bin/sh', ['-c', line, 'sh', ...args])).code === 0;
}
