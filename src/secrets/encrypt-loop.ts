// The loop `encrypt`: encrypts values from before encryption, and re-encrypts values of the previous key, a batch in each transaction. It
// skips rows that another transaction holds and finds them in its next run. A process that dies leaves every row either as it was or done. A
// value that cannot be decrypted or written is set aside alone.
import type { Database, Transaction } from '../db/index.ts';
import { bisect } from '../db/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import type { EncryptedColumn } from './column.ts';
import { aboutRow } from './column.ts';
import type { Range, StoredValue } from './column-store.ts';
import { lockPlainValues, lockValuesOf, writeValues } from './column-store.ts';
import { readKeys } from './key-store.ts';
import { isOfRemovedKey } from './open-secrets.ts';
import type { Secrets } from './secrets.ts';

export interface EncryptOptions {
  readonly batchSize?: number;
  /** A value that cannot be decrypted or written, such as one that was changed in the database. It stays as it is. */
  readonly onSetAside?: (column: EncryptedColumn, id: Uuid, error: unknown) => void;
}

const BATCH = 500;

/** Values of one column that are still to be encrypted with the current key. */
interface Task {
  readonly name: string;
  readonly column: EncryptedColumn;
  lock(tx: Transaction, range: Range): Promise<StoredValue[]>;
  plainOf(stored: StoredValue): Buffer | string;
}

export function encryptLoop(
  db: Database,
  secrets: Secrets,
  columns: readonly EncryptedColumn[],
  { batchSize = BATCH, onSetAside }: EncryptOptions = {},
): LoopDefinition {
  /** Where the next batch of a task begins, by its name. Empty between two passes. */
  const places = new Map<string, Uuid>();
  /** Reported once, and not in every pass. */
  const reported = new Set<string>();

  const setAside = (column: EncryptedColumn, id: Uuid, error: unknown): void => {
    const name = `${column.table} ${column.column} ${id}`;
    if (!reported.has(name)) onSetAside?.(column, id, error);
    reported.add(name);
  };

  const tasks = async (): Promise<Task[]> => {
    const [latest, ...others] = await readKeys(db);
    // Only if the key of this process is the latest: another process encrypts otherwise.
    if (secrets.keyId === null || latest?.id !== secrets.keyId) return [];
    const previous = others.filter(({ id }) => secrets.keys.some((key) => key.id === id));
    return columns.flatMap((column): Task[] => [
      ...(column.plainColumn === undefined ? [] : [plainTask(column)]),
      ...previous.map(({ id }) => taskOfKey(secrets, column, id)),
    ]);
  };

  const encryptBatch = async ({ name, column, lock, plainOf }: Task): Promise<number> => {
    const { encrypted, next } = await db.transaction(async (tx) => {
      const stored = await lock(tx, { after: places.get(name) ?? null, limit: batchSize });
      const values = stored.flatMap((row) => {
        try {
          return [{ ...row, value: secrets.encrypt(plainOf(row), aboutRow(column, row)) }];
        } catch (error) {
          setAside(column, row.id, error);
          return [];
        }
      });
      const write = async (some: readonly (typeof values)[number][]): Promise<number> => {
        await tx.savepoint((inner) => writeValues(inner, column, some));
        return some.length;
      };
      const written = await write(values).catch((error: unknown) => {
        if (isOfRemovedKey(error)) throw error;
        return bisect(values, write, (row, reason) => setAside(column, row.id, reason));
      });
      const last = stored.length < batchSize ? undefined : stored.at(-1);
      return { encrypted: [written].flat().reduce((sum, count) => sum + count, 0), next: last?.id };
    });
    // After the commit: a transaction can be tried again.
    if (next === undefined) places.delete(name);
    else places.set(name, next);
    return encrypted;
  };

  return {
    name: 'encrypt',
    pollMs: 60_000,
    async runOnce() {
      const all = secrets.isEnabled ? await tasks() : [];
      // A task that is done rests until the next pass: finding nothing is slow while vacuum has not removed what was encrypted.
      const begun = all.filter(({ name }) => places.has(name));
      if (begun.length === 0) places.clear();
      let encrypted = 0;
      for (const task of begun.length === 0 ? all : begun) encrypted += await encryptBatch(task);
      return { counts: { encrypted }, more: places.size > 0 };
    },
  };
}

const plainTask = (column: EncryptedColumn): Task => ({
  name: `${column.table} ${column.column} plain`,
  column,
  lock: (tx, range) => lockPlainValues(tx, column, range),
  plainOf: ({ value }) => value,
});

const taskOfKey = (secrets: Secrets, column: EncryptedColumn, keyId: string): Task => ({
  name: `${column.table} ${column.column} ${keyId}`,
  column,
  lock: (tx, range) => lockValuesOf(tx, column, keyId, range),
  plainOf: (row) => secrets.decrypt(Buffer.from(row.value, 'hex'), aboutRow(column, row)),
});
