// How many payments settled and failed lately, by their events.
import type { Sql } from '../db/index.ts';
import { asNumber, only } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';

/** The newest events that are counted at most. */
const MOST_COUNTED = 50_000;

export interface RecentOutcomes {
  readonly lastHour: { readonly settled: number; readonly failed: number };
  readonly lastDay: { readonly settled: number; readonly failed: number };
  /** The last day had more events than are counted: only the newest are. */
  readonly capped: boolean;
}

/**
 * Payments that settled and failed in the last hour and day, by the clock of the tenant. A range of the primary key, read from its end: ids are of
 * real time, which is that of a live tenant. Under a test clock a day can pass in a second, so the newest events are compared by their instants.
 */
export async function countRecentOutcomes(sql: Sql, tenantId: Uuid, { clockId, now }: Clock): Promise<RecentOutcomes> {
  const count = (type: string, more = ''): string => `count(*) filter (where type = '${type}'${more})::int`;
  const isLive = clockId === null;
  const since = (interval: string): string =>
    isLive
      ? `id >= usance.first_id_at($3::timestamptz - interval '${interval}')`
      : `occurred_at > $3::timestamptz - interval '${interval}'`;
  const hour = ` and ${since('1 hour')}`;
  const day = isLive ? '' : ` and ${since('1 day')}`;
  const row = only(
    await sql.query(
      `select ${count('payment.settled', day)} as day_settled, ${count('payment.failed', day)} as day_failed,
              ${count('payment.settled', hour)} as hour_settled,
              ${count('payment.failed', hour)} as hour_failed, count(*) = $2::int as capped
       from (select id, type, occurred_at from usance.events
             where tenant_id = $1::uuid${isLive ? ` and ${since('1 day')}` : ''}
             order by id desc limit $2::int) e`,
      [tenantId, MOST_COUNTED, now],
    ),
  );
  return {
    lastHour: { settled: asNumber(row['hour_settled']), failed: asNumber(row['hour_failed']) },
    lastDay: { settled: asNumber(row['day_settled']), failed: asNumber(row['day_failed']) },
    capped: row['capped'] === true,
  };
}
