// How the balance of an account changed, in equal steps: the newest entries only, so that the read is bounded. Rides transfers_credit,
// transfers_debit and reservations_account from their ends.
import type { Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asDateOrNull, asNumber, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

const MOST_READ = 20_000;

export interface HistoryWindow {
  readonly from: Date;
  readonly stepMs: number;
  readonly steps: number;
}

export interface BalanceNow {
  readonly available: bigint;
  readonly reserved: bigint;
}

/** What changed in a step; `step` = `steps`: after the window. */
export interface BalanceChange {
  readonly step: number;
  readonly total: bigint;
  readonly reserved: bigint;
}

export interface BalanceChanges {
  readonly now: BalanceNow;
  readonly changes: readonly BalanceChange[];
  /** Changes before this instant were not read; null if all were. */
  readonly readFrom: Date | null;
}

/**
 * One statement and so one snapshot. A reservation is held from its creation; captures are transfers, and the rest is released when it is
 * resolved. Every transfer of a payment counts as a capture: `heldByPayments` of the module payments evens out those of payments that reserved nothing.
 */
export async function readBalanceChanges(
  sql: Sql,
  key: { readonly tenantId: Uuid; readonly accountId: Uuid; readonly asset: string },
  { from, stepMs, steps }: HistoryWindow,
): Promise<BalanceChanges> {
  const stepOf = (instant: string): string =>
    `least(floor((extract(epoch from ${instant}) * 1000 - $4::float8) / $5::float8), $6::int)::int`;
  const side = (column: string, sign: string): string =>
    `(select posted_at, ${sign}amount as signed, case when '${sign}' = '-' and (reservation_id is not null or payment_id is not null) and kind <> 'refund' then amount else 0 end as captured
      from usance.transfers where tenant_id = $1::uuid and ${column} = $2::uuid and asset = $3::text order by id desc limit $7::int)`;
  const rows = await sql.query(
    `with moved as materialized (${side('credit_account_id', '')} union all ${side('debit_account_id', '-')}),
     held as materialized (
       select created_at, resolved_at, amount, released from usance.reservations
       where tenant_id = $1::uuid and account_id = $2::uuid and asset = $3::text order by id desc limit $7::int
     ), changed (at, total, reserved) as (
       select posted_at, signed, -captured from moved
       union all select created_at, 0, amount from held
       union all select resolved_at, 0, -released from held where resolved_at is not null
     )
     select ${stepOf('at')} as step, sum(total)::text as total, sum(reserved)::text as reserved,
            null::bigint as available, null::timestamptz as read_from, false as is_now
     from changed where at >= to_timestamp($4::float8 / 1000) group by 1
     union all
     select 0, '0', coalesce((select reserved from usance.balances where account_id = $2::uuid and asset = $3::text and tenant_id = $1::uuid), 0)::text,
            coalesce((select available from usance.balances where account_id = $2::uuid and asset = $3::text and tenant_id = $1::uuid), 0),
            greatest((select min(posted_at) from moved having count(*) >= $7::int), (select min(created_at) from held having count(*) >= $7::int)), true`,
    [key.tenantId, key.accountId, key.asset, from.getTime(), stepMs, steps, MOST_READ],
  );
  const now = only(rows.filter((row) => asBoolean(row['is_now'])));
  return {
    now: { available: asBigInt(now['available']), reserved: asBigInt(now['reserved']) },
    changes: rows
      .filter((row) => !asBoolean(row['is_now']))
      .map((row) => ({
        step: asNumber(row['step']),
        total: asBigInt(row['total']),
        reserved: asBigInt(row['reserved']),
      })),
    readFrom: asDateOrNull(now['read_from']),
  };
}
