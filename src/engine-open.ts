// Opens what an engine is built on: the store, the child process of processors, and the keys of stored secrets. If one of them cannot be
// opened, the others are closed.
import { join } from 'node:path';
import { requireFitOptions, runsInProduction } from './config.ts';
import type { Store } from './db/index.ts';
import { openStore } from './db/index.ts';
import type { EngineOptions } from './engine-types.ts';
import { openHost } from './jobs/index.ts';
import { SetupError } from './kernel/index.ts';
import { ENCRYPTED_COLUMNS, requireExecutionCap } from './ops/index.ts';
import type { Secrets } from './secrets/index.ts';
import {
  KEY_FILE,
  KeyMismatch,
  NO_SECRETS,
  PREVIOUS_ALONE,
  createSecrets,
  keptKey,
  matchKeys,
  parseSecretKey,
} from './secrets/index.ts';

interface Parts {
  readonly host: Awaited<ReturnType<typeof openHost>>;
  readonly store: Store;
  readonly secrets: Secrets;
}

/** Refuses what cannot be, before anything is open. */
export function requireOptions(options: EngineOptions): void {
  requireFitOptions(options);
  requireExecutionCap(options.executionsPerSecond ?? null, 'executionsPerSecond');
}

export async function openParts(options: EngineOptions): Promise<Parts> {
  // A key that cannot be read is refused before anything is open.
  createSecrets(options.encryption ?? {});
  const host = await openHost(options.processorFile, options.jobs, options.onNotice);
  let store: Store | null = null;
  try {
    store = await openStore(options);
    const secrets = await openSecrets(options, store.db);
    return { host, store, secrets };
  } catch (error) {
    await Promise.all([store?.close(), host?.close()]);
    throw error;
  }
}

/** Compares the keys with those of the store before anything is encrypted with them, in every process that opens one. */
async function openSecrets(options: EngineOptions, db: Store['db']): Promise<Secrets> {
  const { key = null, previousKey = null, isOptional } = options.encryption ?? {};
  const onNotice = options.onNotice ?? (() => undefined);
  const file = keyFileOf(options);
  const kept = file === null ? null : await keptKey(file, { make: key === null && makesKey(options) });
  // A key that is set takes over from the one in the file only in a rotation, with the latter as the previous key.
  if (key === null && kept === null && previousKey !== null) throw new SetupError(PREVIOUS_ALONE);
  const secrets = createSecrets({ key: key ?? kept, previousKey });
  const keptFile = file !== null && kept !== null ? { file, key: parseSecretKey(file, kept) } : null;
  try {
    await matchKeys(db, secrets, ENCRYPTED_COLUMNS, { isOptional, onNotice, kept: keptFile });
    return secrets;
  } catch (error) {
    // Stored values of a key that is lost can still be deleted by commands that need none: nobody chose the key in the file for them.
    if (key !== null || isOptional !== true || !(error instanceof KeyMismatch)) throw error;
    onNotice(`${error.message}. Until then this command runs without a key: it can delete, and encrypts nothing`);
    return NO_SECRETS;
  }
}

/** Outside production: beside an embedded store, or where "usance dev" keeps one. */
function keyFileOf({ encryption = {}, databaseUrl, dataDir = '.usance' }: EngineOptions): string | null {
  if (runsInProduction()) return null;
  return encryption.keyFile ?? (databaseUrl ? null : join(dataDir, KEY_FILE));
}

const makesKey = ({ encryption = {}, databaseUrl }: EngineOptions): boolean => encryption.makesKey ?? !databaseUrl;

/** Called with the close function of each part once it is open. */
export type AddCloser = (close: () => Promise<unknown>) => void;

/** Opens in steps, and closes what is open by then if a later step fails: an embedded server that is not released outlives its process. */
export async function closingOnFailure<T>(open: (addCloser: AddCloser) => Promise<T>): Promise<T> {
  const opened: (() => Promise<unknown>)[] = [];
  try {
    return await open((close) => opened.unshift(close));
  } catch (error) {
    for (const close of opened) await close().catch(() => undefined);
    throw error;
  }
}
