// Statements over described columns. Table and column names come from the descriptions in the code, never from a request.
//
// Rows are taken in the order of their ids after the last one of the batch before, on an index that begins with the key: rows that were
// re-encrypted are dead entries of that index until the next vacuum, and would be read again by every batch that began at the start.
import type { Row, Sql, Transaction } from '../db/index.ts';
import { asBoolean, asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { EncryptedColumn } from './column.ts';

export interface StoredValue {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** Encrypted, or as text in the plain column. */
  readonly value: string;
}

export interface Range {
  readonly after: Uuid | null;
  readonly limit: number;
}

/** Whether a value of the column is encrypted with the key. */
export async function hasValuesOf(sql: Sql, { table, keyColumn }: EncryptedColumn, keyId: string): Promise<boolean> {
  const text = `select exists (select 1 from usance.${table} where ${keyColumn} = $1::text) as used`;
  return asBoolean(only(await sql.query(text, [keyId]))['used']);
}

export async function countValuesOf(sql: Sql, { table, keyColumn }: EncryptedColumn, keyId: string): Promise<number> {
  const text = `select count(*)::int as count from usance.${table} where ${keyColumn} = $1::text`;
  return asNumber(only(await sql.query(text, [keyId]))['count']);
}

export async function countPlainValues(sql: Sql, { table, plainColumn }: EncryptedColumn): Promise<number> {
  if (plainColumn === undefined) return 0;
  const text = `select count(*)::int as count from usance.${table} where ${plainColumn} is not null`;
  return asNumber(only(await sql.query(text))['count']);
}

/** Values of a key, as hexadecimal digits. A row that another transaction holds is left for a later run. */
export async function lockValuesOf(
  tx: Transaction,
  { table, column, keyColumn }: EncryptedColumn,
  keyId: string,
  { after, limit }: Range,
): Promise<StoredValue[]> {
  const rows = await tx.query(
    `select tenant_id, id, encode(${column}, 'hex') as value from usance.${table}
     where ${keyColumn} = $1::text and id > $2::uuid order by id limit $3::int for no key update skip locked`,
    [keyId, after ?? NIL_UUID, limit],
  );
  return rows.map(storedValue);
}

/** Values that are not encrypted yet. */
export async function lockPlainValues(
  tx: Transaction,
  { table, plainColumn = '' }: EncryptedColumn,
  { after, limit }: Range,
): Promise<StoredValue[]> {
  const rows = await tx.query(
    `select tenant_id, id, ${plainColumn}::text as value from usance.${table}
     where ${plainColumn} is not null and id > $1::uuid order by id limit $2::int for no key update skip locked`,
    [after ?? NIL_UUID, limit],
  );
  return rows.map(storedValue);
}

/** Writes encrypted values of rows that this transaction has locked, and clears their plain ones. */
export async function writeValues(
  tx: Transaction,
  { table, column, keyColumn, keyIsGenerated, plainColumn }: EncryptedColumn,
  values: readonly (Pick<StoredValue, 'tenantId' | 'id'> & { readonly value: Buffer })[],
): Promise<void> {
  if (values.length === 0) return;
  const key = keyIsGenerated ? '' : `, ${keyColumn} = usance.encryption_key_of(decode(v.value, 'hex'))`;
  const clear = plainColumn === undefined ? '' : `, ${plainColumn} = null`;
  await tx.query(
    `update usance.${table} t set ${column} = decode(v.value, 'hex')${key}${clear}
     from unnest($1::uuid[], $2::uuid[], $3::text[]) v (tenant_id, id, value) where t.tenant_id = v.tenant_id and t.id = v.id`,
    [
      values.map(({ tenantId }) => tenantId),
      values.map(({ id }) => id),
      values.map(({ value }) => value.toString('hex')),
    ],
  );
}

function storedValue(row: Row): StoredValue {
  return { tenantId: asText(row['tenant_id']), id: asText(row['id']), value: asText(row['value']) };
}
