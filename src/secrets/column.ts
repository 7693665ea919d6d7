import type { Uuid } from '../kernel/index.ts';
import type { About } from './cipher.ts';

/**
 * A column of encrypted values. The module that owns the table describes it; the loop `encrypt`, the check at the start of a process and
 * the doctor work on every column that is described.
 */
export interface EncryptedColumn {
  /** A table of the schema `usance` with `tenant_id` and `id`. */
  readonly table: string;
  /** `bytea`; null where a row has no such value. */
  readonly column: string;
  /** `text`, equal to `usance.encryption_key_of(column)` and a foreign key to `encryption_keys` whose name ends in `_encryption_key`. */
  readonly keyColumn: string;
  /** The key column is generated from the value, so it is not written. */
  readonly keyIsGenerated?: true;
  /** The purpose of its values: see `About`. */
  readonly purpose: string;
  /** What its values are, in the plural, for messages: `contacts of accounts`. */
  readonly nouns: string;
  /** A column, `text` or `jsonb`, with values from before encryption, which the loop encrypts and clears. */
  readonly plainColumn?: string;
}

/** What the value of a row is about. */
export const aboutRow = ({ purpose }: EncryptedColumn, row: { readonly tenantId: Uuid; readonly id: Uuid }): About => ({
  tenantId: row.tenantId,
  purpose,
  id: row.id,
});
