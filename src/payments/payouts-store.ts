// Payouts among the payments, for alerts: each statement rides payments_payouts or the primary key, whatever the tenant has beside them.
import type { Sql } from '../db/index.ts';
import { asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { PaymentStatus } from './payment.ts';

export interface PayoutState {
  readonly id: Uuid;
  readonly status: PaymentStatus;
  /** A chain, or `any`. */
  readonly rail: string;
}

const state = (row: Readonly<Record<string, unknown>>): PayoutState => ({
  id: asText(row['id']),
  status: asText(row['status']) as PaymentStatus,
  rail: asText(row['rail']),
});

/** Those of the ids that are payouts and not archived. */
export async function readPayoutStates(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<PayoutState[]> {
  if (ids.length === 0) return [];
  const rows = await sql.query(
    `select p.id, p.status, p.rail from unnest($2::uuid[]) k (id)
     cross join lateral (
       select * from usance.payments o where o.tenant_id = $1::uuid and o.id = k.id limit 1) p
     where p.rail <> 'ledger'`,
    [tenantId, ids],
  );
  return rows.map(state);
}

/** The chains that the newest payouts of a tenant may still take. */
export async function listChainsAhead(sql: Sql, tenantId: Uuid, newest: number): Promise<string[]> {
  const rows = await sql.query(
    `select distinct d.chain from (
       select p.rail, p.payout, p.status from usance.payments p
       where p.tenant_id = $1::uuid and p.rail <> 'ledger' order by p.id desc limit $2::int) n
     cross join lateral jsonb_object_keys(n.payout -> 'destinations') d (chain)
     where n.status in ('scheduled', 'processing', 'submitted', 'review') and n.rail in ('any', d.chain)
     order by d.chain`,
    [tenantId, newest],
  );
  return rows.map((row) => asText(row['chain']));
}

/** Tenants that have payouts: one look at the index for each, however many payouts they have. */
export async function listTenantsWithPayouts(sql: Sql): Promise<Uuid[]> {
  const first = (more: string): string =>
    `(select p.tenant_id from usance.payments p where p.rail <> 'ledger' ${more} order by p.tenant_id, p.id limit 1)`;
  const rows = await sql.query(
    `with recursive own as (
       ${first('')}
       union all
       select ${first('and p.tenant_id > own.tenant_id')} from own where own.tenant_id is not null)
     select tenant_id from own where tenant_id is not null`,
  );
  return rows.map((row) => asText(row['tenant_id']));
}
