import type { Sql } from '../db/index.ts';
import { asNumber, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

/** Committed events without a place in the order: how many (counted up to 10,000), and the first of them. */
export async function readUnplaced(sql: Sql): Promise<{ count: number; first: Uuid | null }> {
  const row = only(
    await sql.query(
      `select count(*)::int as count, min(event_id::text) as first
       from (select event_id from usance.event_inbox order by event_id limit 10000) i`,
    ),
  );
  return { count: asNumber(row['count']), first: asTextOrNull(row['first']) };
}
