// What the payments of an account held back over time, for the chart of its balance. Rides payments_payer and archived_payments_payer from their
// ends.
import type { Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asDateOrNull, asNumber, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { HeldChange, HistoryWindow } from '../ledger/index.ts';

const MOST_READ = 20_000;

/**
 * A payment that reserves its funds holds them from its creation (or its retry) and releases what it did not capture when it ends. One that is funded when
 * due holds what it pays in the instant in which it pays. An edited amount counts from the creation.
 */
export async function readHeldChanges(
  sql: Sql,
  key: { readonly tenantId: Uuid; readonly accountId: Uuid; readonly asset: string },
  { from, stepMs, steps }: HistoryWindow,
): Promise<{ readonly changes: readonly HeldChange[]; readonly readFrom: Date | null }> {
  const stepOf = (instant: string): string =>
    `least(floor((extract(epoch from ${instant}) * 1000 - $4::float8) / $5::float8), $6::int)::int`;
  const newest = (table: string, heldAt: string): string =>
    `(select id, funding, amount, captured, ${heldAt} as held_at, ended_at, created_at from usance.${table}
      where tenant_id = $1::uuid and payer_id = $2::uuid and asset = $3::text order by id desc limit $7::int)`;
  const rows = await sql.query(
    `with paid as materialized (${newest('payments', 'coalesce(held_at, created_at)')} union all ${newest('archived_payments', 'created_at')}),
     changed (at, reserved) as (
       select held_at, amount from paid where funding = 'reserve'
       union all select ended_at, captured - amount from paid where funding = 'reserve' and ended_at is not null
       union all select ended_at, captured from paid where funding <> 'reserve' and ended_at is not null
     )
     select ${stepOf('at')} as step, sum(reserved)::text as reserved, null::timestamptz as read_from, false as is_last
     from changed where at >= to_timestamp($4::float8 / 1000) group by 1
     union all
     select 0, '0', (select min(created_at) from paid having count(*) >= $7::int), true`,
    [key.tenantId, key.accountId, key.asset, from.getTime(), stepMs, steps, MOST_READ],
  );
  const last = only(rows.filter((row) => asBoolean(row['is_last'])));
  return {
    changes: rows
      .filter((row) => !asBoolean(row['is_last']))
      .map((row) => ({ step: asNumber(row['step']), reserved: asBigInt(row['reserved']) })),
    readFrom: asDateOrNull(last['read_from']),
  };
}
