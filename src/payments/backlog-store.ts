// How much waits: for commands and metrics. Each is asked every few seconds at most, and counts only so far, so that a
// store with ten million payments ahead of it answers as quickly as an empty one.
import type { Sql } from '../db/index.ts';
import { asDateOrNull, asNumber, only } from '../db/index.ts';

const COUNTED_UP_TO = 100_000;

/**
 * What is due now and since when, live tenants only; counted up to 100,000 a tenant and priority. Goes from range to range
 * of due_live: what is due later is never read.
 */
export async function backlog(sql: Sql, now: Date): Promise<{ due: number; oldest: Date | null }> {
  const row = only(
    await sql.query(
      `with recursive ranges as (
         (select tenant_id, priority from usance.due where clock_id is null order by tenant_id, priority limit 1)
         union all
         select n.tenant_id, n.priority
         from ranges r cross join lateral (
           select d.tenant_id, d.priority from usance.due d
           where d.clock_id is null and (d.tenant_id, d.priority) > (r.tenant_id, r.priority)
           order by d.tenant_id, d.priority limit 1
         ) n
       )
       select count(*)::int as due, min(d.due_at) as oldest
       from ranges r cross join lateral (
         select d.due_at from usance.due d
         where d.clock_id is null and d.tenant_id = r.tenant_id and d.priority = r.priority and d.due_at <= $1::timestamptz
         order by d.due_at limit $2::int
       ) d`,
      [now, COUNTED_UP_TO],
    ),
  );
  return { due: asNumber(row['due']), oldest: asDateOrNull(row['oldest']) };
}

/** What waits for funds, and what waits for a person; each counted up to 100,000. */
export async function countResting(sql: Sql): Promise<{ underfunded: number; deadLetters: number }> {
  const row = only(
    await sql.query(
      `select (select count(*) from (select from usance.waiting limit $1::int) w)::int as underfunded,
              (select count(*) from (select from usance.payment_dead_letters limit $1::int) l)::int as dead_letters`,
      [COUNTED_UP_TO],
    ),
  );
  return { underfunded: asNumber(row['underfunded']), deadLetters: asNumber(row['dead_letters']) };
}
