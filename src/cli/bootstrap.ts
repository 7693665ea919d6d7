// The first API key of a store: the operator's own from USANCE_API_KEY, or a key that is created once and kept in the data folder,
// readable only by its owner. In production no key is created automatically.
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import type { TenantHandle, Engine } from '../engine.ts';
import { SetupError } from '../kernel/index.ts';
import { commandCaller } from './run.ts';

/** Created if a key is needed and there is no tenant yet. */
const FIRST_TENANT = 'main';

export interface BootstrapKey {
  readonly secret: string;
  /** The file that has the key; null if it came from the environment. */
  readonly file: string | null;
}

/**
 * The key belongs to the demo tenant, if there is one, so that the commands of the first screen can be pasted; otherwise to the
 * first tenant.
 */
export async function ensureBootstrapKey(
  engine: Engine,
  config: Config,
  demo: TenantHandle | null = null,
): Promise<BootstrapKey | null> {
  const file = config.apiKey === null && !config.production ? join(config.dataDir, 'api-key') : null;
  const secret = file === null ? config.apiKey : await keptSecret(file);
  if (secret === null) return null;
  if ((await engine.authenticate(secret)) === null) {
    const tenant = demo ?? (await firstTenant(engine));
    await tenant.createApiKey({ name: 'bootstrap', role: 'admin', secret });
    // Creating an existing key changes nothing, and a revoked key stays revoked.
    if ((await engine.authenticate(secret)) === null) {
      throw new SetupError(`the key in ${file ?? 'USANCE_API_KEY'} was revoked or has expired: use another key`);
    }
  }
  return { secret, file };
}

async function firstTenant(engine: Engine): Promise<TenantHandle> {
  const first = (await engine.tenants()).find(({ isFirst }) => isFirst);
  const caller = commandCaller();
  return first ? engine.tenant(first.id, caller) : engine.createTenant({ name: FIRST_TENANT }, caller);
}

/** The secret in a file that only its owner reads. Two commands that start at the same time may both create it; both then use the one in the file. */
export async function keptSecret(file: string): Promise<string> {
  const kept = await readSecret(file);
  if (kept !== null) return kept;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The name is random and the file must be new, so a link planted in the folder is never written through.
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(draft, `usk_${randomBytes(30).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const made = await readSecret(file);
  if (made === null) throw new SetupError(`the API key in ${file} cannot be read: remove the file to create a new key`);
  return made;
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const secret = (await readFile(file, 'utf8')).trim();
    await chmod(file, 0o600);
    return secret.length >= 24 ? secret : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
