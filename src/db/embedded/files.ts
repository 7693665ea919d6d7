// What the other files of this folder ask of the file system.
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetupError } from '../../kernel/index.ts';

/** `EACCES`, or the message where there is no such code: what a SetupError says about a failed call. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

/**
 * A folder that only its owner can read. The account that the server runs under for root has to pass through it, and can do
 * no more. A folder that exists keeps its mode.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** With its parents. Node's own `recursive` never returns where mkdir says ENOENT in a folder that exists (/proc). */
async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (reason(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (reason(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode }).catch((again: unknown) => {
      // Made by another program meanwhile.
      if (reason(again) !== 'EEXIST') throw again;
    });
  }
}

/** A rename is on disk once its folder is: without this a power cut could undo it and orphan what was written since. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file that only its owner can read, on disk when this returns. */
export async function writeSecret(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function unwritable(dataDir: string, error: unknown): never {
  const why = reason(error);
  throw new SetupError(`cannot write in the data folder ${dataDir} (${why}): choose another with USANCE_DATA_DIR`);
}

/** Removes what programs that were killed while building have left. Never mind if it cannot: it is only in the way. */
export async function sweep(folder: string, prefix: string): Promise<void> {
  for (const entry of await readdir(folder).catch(() => [])) {
    const pid = entry.startsWith(prefix) ? /\.new-(\d+)-/.exec(entry)?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(folder, entry), { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return reason(error) === 'EPERM';
  }
}
