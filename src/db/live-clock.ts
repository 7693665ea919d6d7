import type { Clock } from '../kernel/index.ts';
import { liveAt } from '../kernel/index.ts';
import { asDate, only } from './rows.ts';
import type { Sql, Transaction } from './sql.ts';

/** Live time is the database's, in whole milliseconds, rounded down. */
export async function readLiveClock(sql: Sql | Transaction): Promise<Clock> {
  if ('begunAt' in sql && sql.begunAt !== null) return liveAt(sql.begunAt);
  const row = only(await sql.query(`select date_trunc('milliseconds', clock_timestamp()) as now`));
  return liveAt(asDate(row['now']));
}
