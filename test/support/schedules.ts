// Schedules in states that only time would bring them into.
import type { Sql } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { newId } from '../../src/kernel/index.ts';
import { key } from './books.ts';

type Order = Parameters<TenantHandle['createSchedule']>[0];

/** Daily, and due for half a minute. The trigger that lets no schedule go back is off meanwhile. */
export async function dueSchedule(owner: Sql, tenant: TenantHandle, order: Partial<Order> = {}): Promise<string> {
  const start = new Date(Date.now() - 30_000).toISOString().slice(0, 19);
  const { id } = await tenant.createSchedule({
    from: 'alice',
    to: 'bob',
    asset: 'USD/2',
    amount: 100,
    rule: { everySeconds: 86_400 },
    start,
    idempotencyKey: key(),
    ...order,
  });
  await owner.query(
    `begin; set local session_replication_role = replica;
     update usance.schedule_due set due_at = clock_timestamp() - interval '1 ms', passed = 0, passed_slot = timestamp '${start}' - interval '1 ms'
     where schedule_id = '${id}'; commit`,
  );
  return id;
}

/** An outage that waits for a person, though nothing is held by it. */
export async function addOutage(owner: Sql, tenantId: string): Promise<string> {
  const id = newId();
  await owner.query(
    `insert into usance.outages (tenant_id, id, status, since, through, overdue)
     values ($1::uuid, $2::uuid, 'waiting', '2020-01-01', '2020-01-02', '[{"asset": "USD/2", "count": 3, "amount": "300"}]')`,
    [tenantId, id],
  );
  return id;
}

/** A daily cron, in UTC, that came by so many minutes ago, or up to one more; and when it comes next. */
export function cronOf(minutesAgo: number): { cron: string; next: Date } {
  const last = new Date(Math.floor(Date.now() / 60_000 - minutesAgo) * 60_000);
  return {
    cron: `${last.getUTCMinutes()} ${last.getUTCHours()} * * *`,
    next: new Date(last.getTime() + 86_400_000),
  };
}
