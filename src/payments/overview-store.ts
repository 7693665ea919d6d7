// One tenant's payments at a glance. Each is asked by a person or a dashboard every few seconds, so each rides an index and
// counts only so far: a tenant with ten million payments ahead of it answers as quickly as one with ten.
import type { Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asDateOrNull, asNumber, asText, only } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';

export const COUNTED_UP_TO = 10_000;

export interface Ahead {
  /** Scheduled for later; counted up to 10,000 a priority. */
  readonly waiting: number;
  readonly nextDueAt: Date | null;
  /** Due and not yet done; counted likewise. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
  /** There is more than was counted. */
  readonly capped: boolean;
}

/**
 * Rides due_live, or due_test for a tenant that lives by a test clock. Payments that await approval are in neither `waiting` nor
 * `nextDueAt`: their due row is where they expire.
 */
export async function readAhead(sql: Sql, tenantId: Uuid, clock: Clock): Promise<Ahead> {
  const own = clock.clockId === null ? 'd.clock_id is null and $4::uuid is null' : 'd.clock_id = $4::uuid';
  const side = (when: string): string =>
    `select d.due_at, d.payment_id from usance.due d where ${own} and d.tenant_id = $1::uuid and d.priority = p.priority and ${when}
     order by d.due_at limit $3::int`;
  const row = only(
    await sql.query(
      `select greatest(coalesce(sum(w.count), 0) - (
                select count(*) from usance.payments a
                where a.tenant_id = $1::uuid and a.approval = 'awaited' and a.status = 'scheduled'), 0)::int as waiting,
              min(f.due_at) as next_due_at,
              coalesce(sum(n.count), 0)::int as due, min(n.first) as oldest_due_at,
              bool_or(w.count = $3::int or n.count = $3::int) as capped
       from (values (0::smallint), (1::smallint), (2::smallint), (10::smallint), (11::smallint), (12::smallint)) p (priority)
       cross join lateral (select count(*) from (${side('d.due_at > $2::timestamptz')}) a) w
       left join lateral (select w.due_at from (${side('d.due_at > $2::timestamptz')}) w
                          where not exists (select from usance.payments a where a.tenant_id = $1::uuid
                                            and a.id = w.payment_id and a.approval = 'awaited' and a.status = 'scheduled')
                          order by w.due_at limit 1) f on true
       cross join lateral (select count(*), min(due_at) as first from (${side('d.due_at <= $2::timestamptz')}) a) n`,
      [tenantId, clock.now, COUNTED_UP_TO, clock.clockId],
    ),
  );
  return {
    waiting: asNumber(row['waiting']),
    nextDueAt: asDateOrNull(row['next_due_at']),
    due: asNumber(row['due']),
    oldestDueAt: asDateOrNull(row['oldest_due_at']),
    capped: asBoolean(row['capped']),
  };
}

export interface AtStake {
  readonly asset: string;
  readonly count: number;
  readonly amount: bigint;
}

const atStake = (row: Readonly<Record<string, unknown>>): AtStake => ({
  asset: asText(row['asset']),
  count: asNumber(row['count']),
  amount: asBigInt(row['amount']),
});

/** Exact: it is money that somebody has to look at. */
export async function sumDeadLetters(sql: Sql, tenantId: Uuid): Promise<AtStake[]> {
  const rows = await sql.query(
    `select asset, count(*)::int as count, sum(amount)::text as amount from usance.payment_dead_letters
     where tenant_id = $1::uuid group by asset order by asset`,
    [tenantId],
  );
  return rows.map(atStake);
}

/** What waits for a second person. Rides payments_awaiting. */
export async function sumAwaiting(sql: Sql, tenantId: Uuid): Promise<AtStake[]> {
  const rows = await sql.query(
    `select asset, count(*)::int as count, sum(amount)::text as amount from usance.payments
     where tenant_id = $1::uuid and approval = 'awaited' and status = 'scheduled' group by asset order by asset`,
    [tenantId],
  );
  return rows.map(atStake);
}
