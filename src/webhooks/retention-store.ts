// Old attempts leave history, and bodies leave attempts, by functions of the migration: the runtime role may not change either.
import type { Sql } from '../db/index.ts';
import { asNumber, isLockTimeout, only } from '../db/index.ts';

/** Deletes responses, and digests of requests, of attempts that ended before an instant. Returns how many. */
export async function deleteDeliveryBodies(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query('select usance.delete_delivery_bodies($1::timestamptz, $2::int) as rows', [
    before,
    limit,
  ]);
  return asNumber(only(rows)['rows']);
}

export interface ForgottenAttempts {
  /** Partitions of months that were dropped. */
  readonly months: number;
  readonly rows: number;
}

export async function forgetDeliveryAttempts(sql: Sql, before: Date, limit: number): Promise<ForgottenAttempts> {
  try {
    const rows = await sql.query('select usance.forget_delivery_attempts($1::timestamptz, $2::int) as rows', [
      before,
      limit,
    ]);
    const count = asNumber(only(rows)['rows']);
    return count < 0 ? { months: 1, rows: 0 } : { months: 0, rows: count };
  } catch (error) {
    // Another transaction uses the table just now; then another time.
    if (isLockTimeout(error)) return { months: 0, rows: 0 };
    throw error;
  }
}
