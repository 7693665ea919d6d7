// The admin key of the demo world, beside the bootstrap key in the data folder: the first screen prints it, and its link signs in with it.
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { ApiKey, Engine, TenantHandle } from '../../engine.ts';
import { keptSecret } from '../bootstrap.ts';

/** Worlds of earlier versions have a key of this name: if an operator has revoked it, none is created in its place. */
const KEY_NAME = 'bootstrap';
const KEYS_READ = 100;
const FILE = 'demo-world-api-key';

export interface WorldKey {
  readonly key: ApiKey;
  readonly secret: string;
  readonly file: string;
}

/** Null if an operator has revoked it. A key of an earlier version, whose secret was not stored, stays valid; another is created beside it. */
export async function ensureWorldKey(
  engine: Engine,
  { dataDir }: Pick<Config, 'dataDir'>,
  tenant: TenantHandle,
): Promise<WorldKey | null> {
  const known = (await tenant.apiKeys({ limit: KEYS_READ })).filter(({ name }) => name === KEY_NAME);
  if (known.length > 0 && known.every(({ revokedAt }) => revokedAt !== null)) return null;
  const file = join(dataDir, FILE);
  const secret = await keptSecret(file);
  const find = async (): Promise<ApiKey | null> => {
    const found = await engine.authenticate(secret);
    return found?.handle.id === tenant.id ? found.key : null;
  };
  let key = await find();
  if (key === null) {
    // Creating an existing key changes nothing, and a revoked key stays revoked.
    await tenant.createApiKey({ name: KEY_NAME, role: 'admin', secret });
    key = await find();
  }
  return key && { key, secret, file };
}
