// Old executions leave history: whole months by dropping their partitions, the rest row by row. The functions are in the migration, because the
// runtime role may not delete history.
import type { Sql } from '../db/index.ts';
import { asNumber, isLockTimeout, only } from '../db/index.ts';

export interface Forgotten {
  /** Partitions of months that were dropped. */
  readonly months: number;
  /** Rows that were deleted: of the default partitions, or of months that cannot be dropped; the greater number of the two. */
  readonly rows: number;
}

/** Executions that ended before an instant; dead letters stay until they are dealt with. At most one month and so many rows in one call. */
export async function forgetExecutions(sql: Sql, before: Date, limit: number): Promise<Forgotten> {
  const rows = await deleteBy(sql, 'forget_executions', before, limit);
  const months = await dropMonth(sql, before);
  const thinned = months === 0 ? await deleteBy(sql, 'thin_executions', before, limit) : 0;
  return { months: months ?? 0, rows: Math.max(rows, thinned) };
}

async function deleteBy(
  sql: Sql,
  name: 'forget_executions' | 'thin_executions',
  before: Date,
  limit: number,
): Promise<number> {
  const row = only(await sql.query(`select usance.${name}($1::timestamptz, $2::int) as rows`, [before, limit]));
  return asNumber(row['rows']);
}

/** Null: another transaction uses the tables just now; then another time. */
async function dropMonth(sql: Sql, before: Date): Promise<number | null> {
  try {
    const row = only(await sql.query('select usance.drop_old_executions($1::timestamptz) as months', [before]));
    return asNumber(row['months']);
  } catch (error) {
    if (isLockTimeout(error)) return null;
    throw error;
  }
}
