// What waits to be paid by some accounts or to them: for whoever looks ahead.
import type { Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asDate, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { SHARES_OF_LEGS } from './shares.ts';

/** A scheduled payment, as one of its accounts will see it. */
export interface PaymentAhead {
  readonly accountId: Uuid;
  readonly paymentId: Uuid;
  readonly asset: string;
  /** Negative where the account pays. */
  readonly amount: bigint;
  /** It is reserved of the account's balance already. */
  readonly held: boolean;
  readonly dueAt: Date;
  readonly priority: number;
  readonly attempts: number;
}

/**
 * Of the newest `most` payments of each side of each account those that are due before an instant. Rides payments_payer,
 * payments_payee and payment_payees_pkey: no index could say which are open without slowing down every settlement.
 */
export async function paymentsAhead(
  sql: Sql,
  tenantId: Uuid,
  accountIds: readonly Uuid[],
  window: { until: Date; most: number },
): Promise<PaymentAhead[]> {
  const columns = `p.id, p.asset, p.funding, p.amount, p.captured, p.amount - p.captured as rest, p.legs, p.priority, p.attempts, p.ended_at, p.approval`;
  const newest = `p.tenant_id = $1::uuid order by p.id desc limit $4::int`;
  const share = `case when p.legs is null then p.rest else (
    select sum(s.amount - s.share)::bigint from ${SHARES_OF_LEGS} s where s.account_id = a.account_id) end`;
  const rows = await sql.query(
    `select p.account_id, p.id, p.asset, p.amount, p.held, d.due_at, p.priority, p.attempts
     from unnest($2::uuid[]) a (account_id)
     cross join lateral (
       select a.account_id, p.id, p.asset, -p.rest as amount, p.funding = 'reserve' as held, p.priority, p.attempts
       from (select ${columns} from usance.payments p where p.payer_id = a.account_id and ${newest}) p
       where p.ended_at is null and p.approval is distinct from 'awaited'
       union all
       select a.account_id, p.id, p.asset, ${share}, false, p.priority, p.attempts
       from (select ${columns} from usance.payments p where p.payee_id = a.account_id and ${newest}) p
       where p.ended_at is null and p.approval is distinct from 'awaited'
       union all
       select a.account_id, p.id, p.asset, ${share}, false, p.priority, p.attempts
       from (select ${columns} from usance.payment_payees o
             join usance.payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id and p.payee_id <> o.account_id
             where o.account_id = a.account_id and o.tenant_id = $1::uuid order by o.payment_id desc limit $4::int) p
       where p.ended_at is null and p.approval is distinct from 'awaited'
     ) p
     join usance.due d on d.tenant_id = $1::uuid and d.payment_id = p.id and d.due_at < $3::timestamptz
     order by d.due_at, p.id`,
    [tenantId, accountIds, window.until, window.most],
  );
  return rows.map((row) => ({
    accountId: asText(row['account_id']),
    paymentId: asText(row['id']),
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    held: asBoolean(row['held']),
    dueAt: asDate(row['due_at']),
    priority: asNumber(row['priority']),
    attempts: asNumber(row['attempts']),
  }));
}

/** Whether an account has paid, or was paid, more often than so many times: then its newest are not all. */
export async function hasMorePayments(sql: Sql, tenantId: Uuid, accountId: Uuid, than: number): Promise<boolean> {
  const beyond = [`payments where payer_id`, `payments where payee_id`, `payment_payees where account_id`].map(
    (side) => `exists (select from usance.${side} = $2::uuid and tenant_id = $1::uuid offset $3::int limit 1)`,
  );
  const row = only(await sql.query(`select ${beyond.join(' or ')} as more`, [tenantId, accountId, than]));
  return asBoolean(row['more']);
}

/** A due row, by its key, and who has to pay it out of what is available then; null where that is nobody, or later. */
export interface PayerDue {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly payerId: Uuid | null;
}

/** Due payments, live or of a test clock, in key order: a page is so many rows, whoever of them matters. */
export async function payersOfPayments(
  sql: Sql,
  clockId: Uuid | null,
  page: { after: { tenantId: Uuid; id: Uuid }; until: Date; limit: number },
): Promise<PayerDue[]> {
  const rows = await sql.query(
    `select d.tenant_id, d.payment_id,
            case when p.funding = 'at_execution' and p.approval is distinct from 'awaited' and d.due_at <= $4::timestamptz
                 then p.payer_id end as payer_id
     from (select d.tenant_id, d.payment_id, d.due_at from usance.due d
           where d.clock_id is not distinct from $1::uuid and (d.tenant_id, d.payment_id) > ($2::uuid, $3::uuid)
           order by d.tenant_id, d.payment_id limit $5::int) d
     join usance.payments p on p.tenant_id = d.tenant_id and p.id = d.payment_id
     order by d.tenant_id, d.payment_id`,
    [clockId, page.after.tenantId, page.after.id, page.until, page.limit],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    id: asText(row['payment_id']),
    payerId: asTextOrNull(row['payer_id']),
  }));
}
