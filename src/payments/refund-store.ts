// Refunds: transfers back of settled payments.
import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { PaymentKey } from './store.ts';

export interface Refund {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly paymentId: Uuid;
  /** The leg that gives back. */
  readonly accountId: Uuid;
  readonly amount: bigint;
  readonly createdAt: Date;
}

export async function insertRefunds(sql: Sql, refunds: readonly Refund[]): Promise<void> {
  await sql.query(
    `insert into usance.refunds (tenant_id, id, payment_id, account_id, amount, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::timestamptz[])`,
    [
      refunds.map((item) => item.tenantId),
      refunds.map((item) => item.id),
      refunds.map((item) => item.paymentId),
      refunds.map((item) => item.accountId),
      refunds.map((item) => item.amount),
      refunds.map((item) => item.createdAt),
    ],
  );
}

export async function listRefunds(sql: Sql, keys: readonly PaymentKey[]): Promise<Refund[]> {
  const rows = await sql.query(
    `select r.tenant_id, r.id, r.payment_id, r.account_id, r.amount, r.created_at
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id)
     join usance.refunds r using (tenant_id, payment_id) order by r.id`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    paymentId: asText(row['payment_id']),
    id: asText(row['id']),
    accountId: asText(row['account_id']),
    amount: asBigInt(row['amount']),
    createdAt: asDate(row['created_at']),
  }));
}
