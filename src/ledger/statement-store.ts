// Balances in time, from transfers alone. Both ride transfers_debit and transfers_credit, and read an account's whole
// history up to the instant: posted_at is the tenant's clock and ids are real time, so no range of ids is safe to skip.
//
// Lines are in the order in which the balance changed. posted_at and recorded_at are both read by the server while the
// balance is locked: posted_at in whole milliseconds of the tenant's clock, recorded_at in real microseconds. The id only
// separates transfers of one statement; ids come from several machines' clocks.
import type { Sql, Transaction } from '../db/index.ts';
import { asBigInt, asDate, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Transfer } from './book.ts';
import type { StatementOrder } from './statement.ts';
import { transfer } from './store.ts';

/** The total of every asset the account ever held, as it was at an instant; what was posted at that instant counts. */
export async function totalsAt(
  sql: Sql,
  tenantId: Uuid,
  accountId: Uuid,
  at: Date,
): Promise<{ asset: string; total: bigint }[]> {
  const rows = await sql.query(
    `select asset, sum(signed)::text as total from (
       select asset, amount as signed from usance.transfers
       where tenant_id = $1::uuid and credit_account_id = $2::uuid and posted_at <= $3::timestamptz
       union all
       select asset, -amount from usance.transfers
       where tenant_id = $1::uuid and debit_account_id = $2::uuid and posted_at <= $3::timestamptz
     ) t group by asset order by asset`,
    [tenantId, accountId, at],
  );
  return rows.map((row) => ({ asset: asText(row['asset']), total: asBigInt(row['total']) }));
}

/** One statement, and so one snapshot: a transfer that commits meanwhile is in neither the opening nor the lines. */
export async function readStatement(
  sql: Sql,
  order: StatementOrder,
  limit: number,
): Promise<{ opening: bigint; transfers: Transfer[] }> {
  const rows = await sql.query(
    `with own as (
       select *, amount as signed from usance.transfers
       where tenant_id = $1::uuid and credit_account_id = $2::uuid and asset = $3::text and posted_at < $5::timestamptz
       union all
       select *, -amount from usance.transfers
       where tenant_id = $1::uuid and debit_account_id = $2::uuid and asset = $3::text and posted_at < $5::timestamptz
     )
     select b.opening, l.* from
       (select coalesce(sum(signed), 0)::text as opening from own where posted_at < $4::timestamptz) b
       left join (select * from own where posted_at >= $4::timestamptz order by posted_at, recorded_at, id limit $6::int) l on true
     order by l.posted_at, l.recorded_at, l.id`,
    [order.tenantId, order.accountId, order.asset, order.from, order.to, limit],
  );
  return {
    opening: asBigInt(rows[0]?.['opening']),
    transfers: rows.filter((row) => row['id'] !== null).map(transfer),
  };
}

/**
 * The instant before which nothing more can be posted to the account. A posting reads its instant while it holds the
 * balance, so once we hold it too, every posting of an earlier instant has committed. The account's own row is locked
 * first: a transaction that is making the account's first balance of an asset holds that row.
 */
export async function readPostedThrough(tx: Transaction, tenantId: Uuid, accountId: Uuid): Promise<Date> {
  const [, , rows] = await tx.together([
    () =>
      tx.query('select from usance.accounts where tenant_id = $1::uuid and id = $2::uuid for no key update', [
        tenantId,
        accountId,
      ]),
    () =>
      tx.query(
        'select from usance.balances where account_id = $2::uuid and tenant_id = $1::uuid order by asset for share',
        [tenantId, accountId],
      ),
    () => tx.query(`select date_trunc('milliseconds', clock_timestamp()) as at`),
  ]);
  return asDate(only(rows)['at']);
}
