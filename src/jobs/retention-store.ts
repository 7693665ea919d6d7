// Old executions leave history: whole months by dropping their partitions, the rest row by row. The functions are in the migration, because the
// runtime role may not delete history.
import type { Sql } from '../db/index.ts';
import { asNumber, isLockTimeout, only } from '../db/index.ts';

export interface Forgotten {
  /** Partitions of months that were dropped. */
  readonly months: number;
  /** Rows of the default partitions that were deleted. */
  readonly rows: number;
}

/** Executions that ended before an instant; dead letters stay until they are dealt with. At most one month and so many rows in one call. */
export async function forgetExecutions(sql: Sql, before: Date, limit: number): Promise<Forgotten> {
  const rows = only(
    await sql.query('select usance.forget_executions($1::timestamptz, $2::int) as rows', [before, limit]),
  );
  return { months: await dropMonth(sql, before), rows: asNumber(rows['rows']) };
}

/** Another transaction may use the tables just now: then another time. */
async function dropMonth(sql: Sql, before: Date): Promise<number> {
  try {
    const row = only(await sql.query('select usance.drop_old_executions($1::timestamptz) as months', [before]));
    return asNumber(row['months']);
  } catch (error) {
    if (isLockTimeout(error)) return 0;
    throw error;
  }
}
