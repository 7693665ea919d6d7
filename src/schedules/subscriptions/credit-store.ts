// Credit of a subscription: derived, never stored. A change of plan grants it (the unused part of the period that it ends), charges
// use it, and a refund of the charge that had paid for that part takes it back.
import type { Sql } from '../../db/index.ts';
import { asBigInt, asText } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { PAID_OF_PAYMENTS } from '../../payments/index.ts';

/** The terms that hold for the occurrence `o`. */
const TERMS = `from usance.subscription_terms v
  where v.tenant_id = o.tenant_id and v.schedule_id = o.schedule_id and v.since <= o.slot order by v.version desc limit 1`;

/**
 * The open credit of the subscription of the schedule `s`; null where none was ever granted. A charge uses credit while it is open and
 * once it is paid: one that ends unpaid gives it back. Of a charge whose unused part became credit, a refund first returns the
 * part that was used, and then takes the credit.
 */
export const OPEN_CREDIT = `(
  select case when sum(c.credit) > 0 then
    sum(c.credit - greatest(0, coalesce(p.refunded - (p.captured - c.credit_paid), 0)))
    - coalesce((
        select sum(case o.status when 'made' then (select v.price ${TERMS}) - o.amount else o.amount end)
        from usance.occurrences o
        left join (${PAID_OF_PAYMENTS}) q on q.tenant_id = o.tenant_id and q.id = o.payment_id
        where o.tenant_id = s.tenant_id and o.schedule_id = s.id
          and (o.status = 'made' and (q.open or q.captured > 0) or o.status = 'skipped' and o.reason = 'credit')), 0) end
  from usance.subscription_changes c
  left join usance.occurrences e on e.tenant_id = c.tenant_id and e.schedule_id = c.schedule_id and e.slot = c.ended_slot
  left join (${PAID_OF_PAYMENTS}) p on p.tenant_id = e.tenant_id and p.id = e.payment_id
  where c.tenant_id = s.tenant_id and c.schedule_id = s.id)`;

/** Of subscriptions by id; those that were never granted any are left out. */
export async function readOpenCredit(
  sql: Sql,
  keys: readonly { readonly tenantId: Uuid; readonly id: Uuid }[],
): Promise<Map<Uuid, bigint>> {
  if (keys.length === 0) return new Map();
  const rows = await sql.query(
    `select s.id, ${OPEN_CREDIT}::text as credit from unnest($1::uuid[], $2::uuid[]) s (tenant_id, id)`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return new Map(
    rows.flatMap((row) => (row['credit'] === null ? [] : [[asText(row['id']), asBigInt(row['credit'])] as const])),
  );
}

/** What was agreed for one charge. */
export interface ChargeTerms {
  readonly planId: Uuid;
  readonly price: bigint;
  /** Where a change of plan ended its period early: the credit that its payment had paid for. Otherwise null. */
  readonly endedWith: bigint | null;
}

/** By id: that of an occurrence, or of its payment. */
export async function readChargeTerms(
  sql: Sql,
  keys: readonly { readonly tenantId: Uuid; readonly scheduleId: Uuid; readonly id: Uuid }[],
): Promise<Map<Uuid, ChargeTerms>> {
  if (keys.length === 0) return new Map();
  const rows = await sql.query(
    `select k.id, t.plan_id, t.price, c.credit_paid
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) k (tenant_id, schedule_id, id)
     join usance.occurrences o on o.tenant_id = k.tenant_id and o.schedule_id = k.schedule_id and k.id in (o.id, o.payment_id)
     cross join lateral (select v.plan_id, v.price ${TERMS}) t
     left join usance.subscription_changes c
       on c.tenant_id = o.tenant_id and c.schedule_id = o.schedule_id and c.ended_slot = o.slot`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.scheduleId), keys.map((key) => key.id)],
  );
  return new Map(
    rows.map((row) => [
      asText(row['id']),
      {
        planId: asText(row['plan_id']),
        price: asBigInt(row['price']),
        endedWith: row['credit_paid'] === null ? null : asBigInt(row['credit_paid']),
      },
    ]),
  );
}
