// How many schedules have a slot that is due and not dealt with. Each query counts only so far, and reads nothing that is due later.
import type { Sql } from '../db/index.ts';
import { asDateOrNull, asNumber, only } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';

export interface ScheduleBacklog {
  readonly due: number;
  readonly oldest: Date | null;
}

const COUNTED_UP_TO = 100_000;
const COUNTED_OF_ONE = 10_000;

/** Of live tenants, up to 100,000 each. Rides schedule_due_live from tenant to tenant. */
export async function scheduleBacklog(sql: Sql, now: Date): Promise<ScheduleBacklog> {
  const row = only(
    await sql.query(
      `with recursive tenants as (
         (select tenant_id from usance.schedule_due where clock_id is null order by tenant_id limit 1)
         union all
         select n.tenant_id
         from tenants t cross join lateral (
           select d.tenant_id from usance.schedule_due d
           where d.clock_id is null and d.tenant_id > t.tenant_id order by d.tenant_id limit 1) n
       )
       select count(*)::int as due, min(d.next_at) as oldest
       from tenants t cross join lateral (
         select d.next_at from usance.schedule_due d
         where d.clock_id is null and d.tenant_id = t.tenant_id
           and d.due_at <= $1::timestamptz and d.next_at <= $1::timestamptz
         order by d.due_at limit $2::int
       ) d`,
      [now, COUNTED_UP_TO],
    ),
  );
  return { due: asNumber(row['due']), oldest: asDateOrNull(row['oldest']) };
}

/** Of one tenant, by its own clock, up to 10,000. Rides schedule_due_live, or schedule_due_test. */
export async function scheduleBacklogOf(sql: Sql, tenantId: Uuid, clock: Clock): Promise<ScheduleBacklog> {
  const own = clock.clockId === null ? 'd.clock_id is null and $4::uuid is null' : 'd.clock_id = $4::uuid';
  const row = only(
    await sql.query(
      `select count(*)::int as due, min(d.next_at) as oldest
       from (select d.next_at from usance.schedule_due d
             where ${own} and d.tenant_id = $1::uuid and d.due_at <= $2::timestamptz and d.next_at <= $2::timestamptz
             order by d.due_at limit $3::int) d`,
      [tenantId, clock.now, COUNTED_OF_ONE, clock.clockId],
    ),
  );
  return { due: asNumber(row['due']), oldest: asDateOrNull(row['oldest']) };
}
