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

/** A batch, and the id after which the next one begins; null at the end. */
interface Done {
  readonly encrypted: number;
  readonly next: Uuid | null;
}

export function encryptLoop(
  db: Database,
  secrets: Secrets,
  columns: readonly EncryptedColumn[],
  { batchSize = BATCH, onSetAside }: EncryptOptions = {},
): LoopDefinition {
  /** By column and key, where the next batch begins. */
  const places = new Map<string, Uuid>();
  /** Reported once, and not in every run. */
  const reported = new Set<string>();

  const setAside = (column: EncryptedColumn, id: Uuid, error: unknown): void => {
    const name = `${column.table} ${column.column} ${id}`;
    if (!reported.has(name)) onSetAside?.(column, id, error);
    reported.add(name);
  };

  const encrypt = async (
    column: EncryptedColumn,
    lock: (tx: Transaction, range: Range) => Promise<StoredValue[]>,
    plainOf: (stored: StoredValue) => Buffer | string,
    after: Uuid | null,
  ): Promise<Done> =>
    db.transaction(async (tx) => {
      const stored = await lock(tx, { after, limit: batchSize });
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
      const encrypted = [written].flat().reduce((sum, count) => sum + count, 0);
      return { encrypted, next: stored.length < batchSize ? null : (stored.at(-1)?.id ?? null) };
    });

  const oneBatch = async (name: string, work: (after: Uuid | null) => Promise<Done>): Promise<Done> => {
    const done = await work(places.get(name) ?? null);
    if (done.next === null) places.delete(name);
    else places.set(name, done.next);
    return done;
  };

  return {
    name: 'encrypt',
    pollMs: 60_000,
    async runOnce() {
      if (!secrets.isEnabled) return { counts: { encrypted: 0 } };
      const registered = await readKeys(db);
      // The key of this process was replaced: another process encrypts.
      if (!registered.some(({ id }) => id === secrets.keyId)) return { counts: { encrypted: 0 } };
      const [latest, ...others] = registered;
      // Only values of keys that this process has, and only if its own key is the latest.
      const isLatest = latest?.id === secrets.keyId;
      const previous = others.filter(({ id }) => isLatest && secrets.keys.some((key) => key.id === id));
      const done: Done[] = [];
      for (const column of columns) {
        if (column.plainColumn !== undefined)
          done.push(
            await oneBatch(`${column.table} ${column.column} plain`, (after) =>
              encrypt(
                column,
                (tx, range) => lockPlainValues(tx, column, range),
                ({ value }) => value,
                after,
              ),
            ),
          );
        for (const { id } of previous)
          done.push(
            await oneBatch(`${column.table} ${column.column} ${id}`, (after) =>
              encrypt(
                column,
                (tx, range) => lockValuesOf(tx, column, id, range),
                (row) => secrets.decrypt(Buffer.from(row.value, 'hex'), aboutRow(column, row)),
                after,
              ),
            ),
          );
      }
      const encrypted = done.reduce((sum, one) => sum + one.encrypted, 0);
      return { counts: { encrypted }, more: done.some(({ next }) => next !== null) };
    },
  };
}
