// A key in a file beside an embedded store, for development: it is made once, and lives and dies with the data. Programs that start at the
// same time end up with one key, whichever is killed when, and the key is on disk before a value is encrypted with it.
import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SetupError } from '../kernel/index.ts';
import { newSecretKey } from './secret-key.ts';

/** The name of the file in the data folder. */
export const KEY_FILE = 'encryption-key';

/** The key in the file; null if there is none, unless `make` asks for one. */
export async function keptKey(file: string, { make }: { readonly make: boolean }): Promise<string | null> {
  try {
    const kept = await readKept(file);
    if (kept !== null || !make) return kept;
    await makeKey(file);
    return await readKept(file);
  } catch (error) {
    throw new SetupError(
      `the encryption key in ${file} cannot be read or made (${codeOf(error)}): correct the folder, or set USANCE_ENCRYPTION_KEY`,
      { cause: error },
    );
  }
}

async function readKept(file: string): Promise<string | null> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    await chmod(file, 0o600).catch(() => undefined);
    return text;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function makeKey(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await sync(await open(draft, 'wx', 0o600), `${newSecretKey()}\n`);
    // A link, and not a rename: it fails where another program was first, whose key then is the one.
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await sync(await open(dirname(file), 'r'));
}

/** On disk when this returns. */
async function sync(handle: FileHandle, text?: string): Promise<void> {
  try {
    if (text !== undefined) await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
