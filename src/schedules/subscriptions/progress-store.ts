// What became of the charges of subscriptions, for views and for the event of their end.
import type { Sql } from '../../db/index.ts';
import { asNumber, asText } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { LATEST } from './store.ts';
import type { ChargeProgress } from './subscription.ts';

/** By subscription. `o.slot >= t.since`: the terms before those of now have their own number of charges, and it no longer counts. */
export async function readProgress(
  sql: Sql,
  keys: readonly { readonly tenantId: Uuid; readonly id: Uuid }[],
): Promise<Map<Uuid, ChargeProgress>> {
  const rows = await sql.query(
    `select u.schedule_id, t.charges + coalesce(i.charges_before, 0) as charges, c.made + coalesce(i.charges_before, 0) as made,
       c.skipped, c.credited
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, schedule_id)
     join usance.subscriptions u using (tenant_id, schedule_id)
     cross join lateral (${LATEST}) t
     left join usance.imported_subscriptions i on i.tenant_id = u.tenant_id and i.schedule_id = u.schedule_id
     cross join lateral (
       select count(*) filter (where o.status = 'made')::int as made,
         coalesce(sum(o.slots) filter (where o.status = 'skipped' and o.reason <> 'credit' and o.slot >= t.since), 0)::int as skipped,
         coalesce(sum(o.slots) filter (where o.status = 'skipped' and o.reason = 'credit' and o.slot >= t.since), 0)::int as credited
       from usance.occurrences o where o.tenant_id = u.tenant_id and o.schedule_id = u.schedule_id) c`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return new Map(
    rows.map((row) => [
      asText(row['schedule_id']),
      {
        charges: row['charges'] === null ? null : asNumber(row['charges']),
        made: asNumber(row['made']),
        skipped: asNumber(row['skipped']),
        credited: asNumber(row['credited']),
      },
    ]),
  );
}
