// Which event of a tenant was the last one at an instant. The order is not indexed by time: it is searched by halves.
import type { Sql } from '../db/index.ts';
import { asBigInt } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

/**
 * The seq of the last event that was ordered before an instant of real time; 0 if there is none. Blocks are ordered one after the other, so
 * that their instants grow with their seqs: some 40 probes of event_blocks_seq, in one statement, however many events there are.
 */
export async function lastSeqAt(sql: Sql, tenantId: Uuid, before: Date): Promise<bigint> {
  const [row] = await sql.query(
    `with recursive search as (
       select 0::bigint as low, coalesce(
         (select last_seq from usance.event_blocks where tenant_id = $1::uuid order by last_seq desc limit 1), 0) as high
       union all
       select case when b.is_before then b.last_seq else s.low end, case when b.is_before then s.high else b.last_seq - b.events end
       from search s cross join lateral (
         select last_seq, events, ordered_at < $2::timestamptz as is_before from usance.event_blocks
         where tenant_id = $1::uuid and last_seq >= (s.low + s.high + 1) / 2 order by last_seq limit 1) b
       where s.low < s.high
     )
     select max(low) as seq from search`,
    [tenantId, before],
  );
  return asBigInt(row?.['seq']);
}
