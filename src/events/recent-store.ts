// How many payments settled and failed lately, by their events.
import type { Sql } from '../db/index.ts';
import { asNumber, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

/** The newest events that are counted at most. */
const MOST_COUNTED = 50_000;

export interface RecentOutcomes {
  readonly lastHour: { readonly settled: number; readonly failed: number };
  readonly lastDay: { readonly settled: number; readonly failed: number };
  /** The last day had more events than are counted: only the newest are. */
  readonly capped: boolean;
}

/** Payments that settled and failed in the last hour and day. Ids are of real time: a range of the primary key, read from its end. */
export async function countRecentOutcomes(sql: Sql, tenantId: Uuid): Promise<RecentOutcomes> {
  const count = (type: string, more = ''): string => `count(*) filter (where type = '${type}'${more})::int`;
  const hour = ` and id >= usance.first_id_at(now() - interval '1 hour')`;
  const row = only(
    await sql.query(
      `select ${count('payment.settled')} as day_settled, ${count('payment.failed')} as day_failed,
              ${count('payment.settled', hour)} as hour_settled,
              ${count('payment.failed', hour)} as hour_failed, count(*) = $2::int as capped
       from (select id, type from usance.events
             where tenant_id = $1::uuid and id >= usance.first_id_at(now() - interval '1 day')
             order by id desc limit $2::int) e`,
      [tenantId, MOST_COUNTED],
    ),
  );
  return {
    lastHour: { settled: asNumber(row['hour_settled']), failed: asNumber(row['hour_failed']) },
    lastDay: { settled: asNumber(row['day_settled']), failed: asNumber(row['day_failed']) },
    capped: row['capped'] === true,
  };
}
