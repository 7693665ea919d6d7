// Opens what an engine is built on: the store, the child process of processors, and the keys of stored secrets. If one of them cannot be
// opened, the others are closed.
import { join } from 'node:path';
import { runsInProduction } from './config.ts';
import type { Store } from './db/index.ts';
import { openStore } from './db/index.ts';
import type { EncryptionOptions, EngineOptions } from './engine-types.ts';
import { openHost } from './jobs/index.ts';
import { ENCRYPTED_COLUMNS } from './ops/index.ts';
import type { Secrets } from './secrets/index.ts';
import { KEY_FILE, createSecrets, keptKey, matchKeys } from './secrets/index.ts';

interface Parts {
  readonly host: Awaited<ReturnType<typeof openHost>>;
  readonly store: Store;
  readonly secrets: Secrets;
}

export async function openParts(options: EngineOptions): Promise<Parts> {
  // A key that cannot be read is refused before anything is open.
  createSecrets(options.encryption ?? {});
  const host = await openHost(options.processorFile, options.jobs, options.onNotice);
  let store: Store | null = null;
  try {
    store = await openStore(options);
    const secrets = createSecrets(await encryptionKeys(options));
    const { encryption, onNotice } = options;
    await matchKeys(store.db, secrets, ENCRYPTED_COLUMNS, { isOptional: encryption?.isOptional, onNotice });
    return { host, store, secrets };
  } catch (error) {
    await Promise.all([store?.close(), host?.close()]);
    throw error;
  }
}

/** The given keys, or outside production the one in a file, which an embedded store makes for itself. */
async function encryptionKeys(options: EngineOptions): Promise<Pick<EncryptionOptions, 'key' | 'previousKey'>> {
  const { encryption = {}, databaseUrl, dataDir = '.usance' } = options;
  const isEmbedded = !databaseUrl;
  const file = encryption.keyFile ?? (isEmbedded ? join(dataDir, KEY_FILE) : null);
  if (file === null || runsInProduction()) return encryption;
  const make = (encryption.key ?? null) === null && (encryption.makesKey ?? isEmbedded);
  const kept = await keptKey(file, { make });
  // A key that is set later takes over from the one in the file.
  if (encryption.key) return { ...encryption, previousKey: encryption.previousKey ?? kept };
  return { ...encryption, key: kept };
}
