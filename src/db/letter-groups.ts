// Dead letters by cause, for any of the tables that keep them: the newest 100,000 of a tenant are grouped.
import type { Uuid } from '../kernel/index.ts';
import { asBigInt, asDate, asNumber, asText, asTextOrNull } from './rows.ts';
import type { Sql } from './sql.ts';

export interface LetterGroup {
  readonly code: string;
  readonly asset: string | null;
  readonly jobId: Uuid | null;
  readonly count: number;
  readonly amount: bigint | null;
  readonly oldestAt: Date;
  readonly newestAt: Date;
  /** Of the letter with the newest id. */
  readonly detail: string;
}

export interface LetterTable {
  /** `usance.payment_dead_letters` */
  readonly table: string;
  readonly id: string;
  /** Columns, or `null` where the table has none. */
  readonly asset: string;
  readonly amount: string;
  readonly job: string;
}

export const LETTERS_GROUPED = 100_000;

/** Rides the primary key, which is (tenant_id, id). The details are read for the newest of each group only. */
export async function groupLetters(
  sql: Sql,
  tenantId: Uuid,
  { table, id, asset, amount, job }: LetterTable,
): Promise<LetterGroup[]> {
  const rows = await sql.query(
    `select g.*, l.detail from (
       select code, asset, job_id, count(*)::int as count, sum(amount)::text as amount, min(failed_at) as oldest_at,
              max(failed_at) as newest_at, max(id::text)::uuid as newest
       from (select ${id} as id, code, ${asset}::text as asset, ${job}::uuid as job_id, ${amount}::bigint as amount, failed_at
             from ${table} where tenant_id = $1::uuid order by ${id} desc limit $2::int) l
       group by code, asset, job_id
     ) g join ${table} l on l.tenant_id = $1::uuid and l.${id} = g.newest`,
    [tenantId, LETTERS_GROUPED],
  );
  return rows.map((row) => ({
    code: asText(row['code']),
    asset: asTextOrNull(row['asset']),
    jobId: asTextOrNull(row['job_id']),
    count: asNumber(row['count']),
    amount: row['amount'] === null ? null : asBigInt(row['amount']),
    oldestAt: asDate(row['oldest_at']),
    newestAt: asDate(row['newest_at']),
    detail: asText(row['detail']),
  }));
}
