// How many charges of each subscription are paid, imported ones included: one row each, so that settling a charge reads one row
// and not all charges before it. The row is locked from reading the number to the commit, so two charges of one subscription never
// get the same number.
import type { Sql } from '../../db/index.ts';
import { asNumber, asText, only } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';

export interface ChargeCount {
  readonly tenantId: Uuid;
  readonly scheduleId: Uuid;
  readonly paid: number;
}

/** By schedule. Subscriptions that another transaction holds are left out, or waited for with `waits`. */
export async function lockChargeCounts(
  sql: Sql,
  keys: readonly Omit<ChargeCount, 'paid'>[],
  options: { readonly waits: boolean },
): Promise<Map<Uuid, number>> {
  const rows = await sql.query(
    `select c.schedule_id, c.charges_paid
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, schedule_id) join usance.subscription_counts c using (tenant_id, schedule_id)
     order by c.tenant_id, c.schedule_id for no key update of c ${options.waits ? '' : 'skip locked'}`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.scheduleId)],
  );
  return new Map(rows.map((row) => [asText(row['schedule_id']), asNumber(row['charges_paid'])]));
}

/** Subscriptions without a row, which is damage: each has one from its creation on. */
export async function withoutChargeCount(
  sql: Sql,
  keys: readonly Omit<ChargeCount, 'paid'>[],
): Promise<readonly Uuid[]> {
  const rows = await sql.query(
    `select k.schedule_id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, schedule_id)
     where not exists (select from usance.subscription_counts c where c.tenant_id = k.tenant_id and c.schedule_id = k.schedule_id)`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.scheduleId)],
  );
  return rows.map((row) => asText(row['schedule_id']));
}

/** Returns how many rows there were. */
export async function writeChargeCounts(sql: Sql, counts: readonly ChargeCount[]): Promise<number> {
  const row = only(
    await sql.query(
      `with written as (
         update usance.subscription_counts c set charges_paid = v.paid
         from unnest($1::uuid[], $2::uuid[], $3::int[]) v (tenant_id, schedule_id, paid)
         where c.tenant_id = v.tenant_id and c.schedule_id = v.schedule_id
         returning 1)
       select count(*)::int as count from written`,
      [counts.map((each) => each.tenantId), counts.map((each) => each.scheduleId), counts.map((each) => each.paid)],
    ),
  );
  return asNumber(row['count']);
}
