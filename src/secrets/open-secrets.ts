// The keys of a process, compared with those of the store when the process starts.
//
//   a key of the process is new to the store    it is registered, if it is the current one
//   a key of the store that the process has     its check value must match
//   another key of the store, with values       the process does not start: it could not read them
//   another key of the store, without values    it is removed: a rotation has ended, or the key was never used
//   the key in the file of the data folder, if  the process does not start: other processes of the folder use it. To replace it, it is
//   another key is given that is new            given as the previous one
//
// A process that needs no secrets can start without a key. With one, it is compared all the same.
//
// A process that still runs with a removed key can write no value with it: the foreign key of the column refuses that.
import type { Database, Sql, Transaction } from '../db/index.ts';
import { sqlState, violatedConstraint } from '../db/index.ts';
import { SetupError, refuse } from '../kernel/index.ts';
import type { EncryptedColumn } from './column.ts';
import { countValuesOf, hasValuesOf } from './column-store.ts';
import type { RegisteredKey } from './key-store.ts';
import { lockKeys, readKeys, registerKey, removeKey } from './key-store.ts';
import type { SecretKey } from './secret-key.ts';
import type { Secrets } from './secrets.ts';

const LOCK_TIMEOUT_MS = 10_000;
const FOREIGN_KEY_VIOLATION = '23503';

export const PREVIOUS_ALONE =
  'USANCE_ENCRYPTION_KEY_PREVIOUS is set, but USANCE_ENCRYPTION_KEY is not: take the first away, or set both';

/** The keys of the process do not fit those of the store. */
export class KeyMismatch extends SetupError {}

/** The key in the file of a data folder. */
export interface KeptKey {
  readonly file: string;
  readonly key: SecretKey;
}

export interface MatchOptions {
  readonly kept?: KeptKey | null | undefined;
  /** The process can do its work without a key. */
  readonly isOptional?: boolean | undefined;
  readonly onNotice?: ((line: string) => void) | undefined;
}

/** Throws a SetupError where the store has values that the process cannot decrypt. */
export async function matchKeys(
  db: Database,
  secrets: Secrets,
  columns: readonly EncryptedColumn[],
  { isOptional = false, onNotice = () => undefined, kept = null }: MatchOptions = {},
): Promise<void> {
  const registered = await readKeys(db);
  const strange = strangers(registered, secrets);
  if (strange.length === 0 && (registered[0]?.id ?? null) === secrets.keyId) return;
  if (!secrets.isEnabled) return isOptional ? undefined : requireUnused(db, strange, secrets, columns);
  const removed = await db.transaction(
    async (tx) => {
      await lockKeys(tx);
      const known = await readKeys(tx);
      const unused = strangers(known, secrets);
      if (kept !== null) requireKept(known, unused, secrets, kept);
      await requireUnused(tx, unused, secrets, columns);
      for (const { id } of unused) await removeUnused(tx, id);
      const [current] = secrets.keys;
      if (current && (await readKeys(tx))[0]?.id !== current.id) await registerKey(tx, current);
      return unused;
    },
    { lockTimeoutMs: LOCK_TIMEOUT_MS },
  );
  for (const { id } of removed)
    onNotice(
      `the encryption key ${id} was removed: nothing is encrypted with it, and this process has ${secrets.keyId}`,
    );
}

/** Keys of the store that the process does not have. */
function strangers(registered: readonly RegisteredKey[], { keys }: Secrets): RegisteredKey[] {
  return registered.filter(({ id, check }) => {
    const own = keys.find((key) => key.id === id);
    if (own && own.check.toString('hex') !== check)
      throw new SetupError(
        `the store has another encryption key with the id ${id}: print a new key with "usance encryption-key"`,
      );
    return own === undefined;
  });
}

/** Also where nothing is encrypted yet: the other processes of the folder could not write any more. */
function requireKept(
  known: readonly RegisteredKey[],
  strange: readonly RegisteredKey[],
  { keyId }: Secrets,
  { file, key }: KeptKey,
): void {
  if (!strange.some(({ id }) => id === key.id) || known.some(({ id }) => id === keyId)) return;
  throw new KeyMismatch(
    `the store uses the encryption key ${key.id} in ${file}, and USANCE_ENCRYPTION_KEY is ${keyId}: unset it, or, to replace the key, set USANCE_ENCRYPTION_KEY_PREVIOUS to the one in the file`,
  );
}

async function requireUnused(
  sql: Sql,
  strange: readonly RegisteredKey[],
  { keyId }: Secrets,
  columns: readonly EncryptedColumn[],
): Promise<void> {
  for (const { id } of strange) {
    for (const column of columns) {
      if (!(await hasValuesOf(sql, column, id))) continue;
      const stored = `${column.nouns} (${await countValuesOf(sql, column, id)}) are encrypted with the key ${id}`;
      throw new KeyMismatch(
        keyId === null
          ? `${stored}, and there is no key: set USANCE_ENCRYPTION_KEY (encryption.key in the library) to that key`
          : `${stored}, and the key is ${keyId}: set USANCE_ENCRYPTION_KEY (encryption.key in the library) to the key ${id}, or USANCE_ENCRYPTION_KEY_PREVIOUS (encryption.previousKey) during a rotation`,
      );
    }
  }
}

async function removeUnused(tx: Transaction, id: string): Promise<void> {
  try {
    await removeKey(tx, id);
  } catch (error) {
    // A process with that key wrote a value since.
    if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw new SetupError(
      `another process encrypts with the key ${id}: set USANCE_ENCRYPTION_KEY to the same key in every process`,
      { cause: error },
    );
  }
}

/** Runs statements that write encrypted values. A key that was removed since this process started is refused in words. */
export async function writingSecrets<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isOfRemovedKey(error)) refuse('ENCRYPTION_KEY_UNKNOWN/replaced');
    throw error;
  }
}

/** Whether the database refused a value because its key was removed. */
export function isOfRemovedKey(error: unknown): boolean {
  return violatedConstraint(error)?.endsWith('_encryption_key') ?? false;
}
