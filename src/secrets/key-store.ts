// The keys that values of this store are, or will be, encrypted with. A process writes here only when it starts.
import type { Row, Sql, Transaction } from '../db/index.ts';
import { asText } from '../db/index.ts';
import type { SecretKey } from './secret-key.ts';

export interface RegisteredKey {
  readonly id: string;
  /** Hexadecimal digits. */
  readonly check: string;
}

/** Processes that start at the same moment take turns. */
export async function lockKeys(tx: Transaction): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('usance.encryption_keys', 0))`);
}

/** The latest current key first. */
export async function readKeys(sql: Sql): Promise<RegisteredKey[]> {
  const rows = await sql.query(
    `select id, encode(check_value, 'hex') as check_value from usance.encryption_keys order by current_since desc, id`,
  );
  return rows.map((row: Row) => ({ id: asText(row['id']), check: asText(row['check_value']) }));
}

/** Makes a key the latest. */
export async function registerKey(tx: Transaction, { id, check }: SecretKey): Promise<void> {
  await tx.query(
    `insert into usance.encryption_keys (id, check_value, current_since) values ($1::text, decode($2::text, 'hex'), clock_timestamp())
     on conflict (id) do update set current_since = excluded.current_since`,
    [id, check.toString('hex')],
  );
}

/** Fails where a value is encrypted with the key: a foreign key of each column sees to it. */
export async function removeKey(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from usance.encryption_keys where id = $1::text', [id]);
}
