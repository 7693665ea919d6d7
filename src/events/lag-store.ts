// Blocks that wait to be ordered: the lag of the sequencer.
import type { Sql } from '../db/index.ts';
import { asBigInt, asDateOrNull, asNumber, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

export interface Waiting {
  readonly count: number;
  /** When the oldest was appended. */
  readonly oldest: Date | null;
}

const MOST_CALLS = 10_000;

/** Committed events without a seq, in the first 10,000 calls of the inbox. */
export async function countUnordered(sql: Sql): Promise<Waiting> {
  const row = only(
    await sql.query(
      `select coalesce(sum((select sum(c) from unnest(i.counts) c)), 0)::bigint as count, min(i.recorded_at) as oldest
       from (select counts, recorded_at from usance.event_inbox limit $1::int) i`,
      [MOST_CALLS],
    ),
  );
  return { count: asNumber(row['count']), oldest: asDateOrNull(row['oldest']) };
}

/** The same for one tenant. */
export async function countUnorderedOf(sql: Sql, tenantId: Uuid): Promise<Waiting> {
  const row = only(
    await sql.query(
      `select coalesce(sum(b.events), 0)::bigint as count, min(i.recorded_at) as oldest
       from (select tenant_ids, counts, recorded_at from usance.event_inbox limit $2::int) i
       cross join lateral unnest(i.tenant_ids, i.counts) b (tenant_id, events)
       where b.tenant_id = $1::uuid`,
      [tenantId, MOST_CALLS],
    ),
  );
  return { count: asNumber(row['count']), oldest: asDateOrNull(row['oldest']) };
}

/** The position behind the last ordered event of a tenant: a follower of all tenants that has come there has seen everything of it. */
export async function positionBehind(sql: Sql, tenantId: Uuid): Promise<bigint> {
  const [row] = await sql.query(
    `select first_position + events as position from usance.event_blocks where tenant_id = $1::uuid order by last_seq desc limit 1`,
    [tenantId],
  );
  return row ? asBigInt(row['position']) : 1n;
}
