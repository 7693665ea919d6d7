// Plans, and what subscribers agreed to. What a subscription does is in the tables of schedules.
import type { Row, Sql } from '../../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asNumberOrNull, asText, only } from '../../db/index.ts';
import type { RetryPolicy, Uuid } from '../../kernel/index.ts';
import type { Local } from '../rules/index.ts';
import { formatLocal } from '../rules/index.ts';
import { actorsOf, actorsText } from '../store.ts';
import type { Period, Plan } from './plan.ts';

const PLAN_COLUMNS = `p.tenant_id, p.id, p.name, p.payee_id, p.asset, p.price, p.period::text as period, p.zone, p.charges, p.months,
  p.trial_days, p.priority, p.retry::text as retry, p.after_failure, p.missed, p.created_by,
  p.changed_by::text as changed_by, p.counts_for::text as counts_for, p.created_at, p.updated_at`;

function planOf(row: Row): Plan {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    name: asText(row['name']),
    payeeId: asText(row['payee_id']),
    asset: asText(row['asset']),
    price: asBigInt(row['price']),
    period: JSON.parse(asText(row['period'])) as Period,
    zone: asText(row['zone']),
    charges: asNumberOrNull(row['charges']),
    months: asNumberOrNull(row['months']),
    trialDays: asNumber(row['trial_days']),
    priority: asNumber(row['priority']),
    retry: row['retry'] === null ? null : (JSON.parse(asText(row['retry'])) as RetryPolicy),
    afterFailure: asText(row['after_failure']) as Plan['afterFailure'],
    missed: asText(row['missed']) as Plan['missed'],
    createdBy: asText(row['created_by']),
    changedBy: actorsOf(row['changed_by']),
    countsFor: actorsOf(row['counts_for']),
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

export async function insertPlan(sql: Sql, plan: Plan): Promise<void> {
  await sql.query(
    `insert into usance.plans (tenant_id, id, name, payee_id, asset, price, period, zone, charges, months, after_failure, created_by,
       created_at, updated_at, missed, trial_days, priority, retry, counts_for)
     values ($1::uuid, $2::uuid, $3::text, $4::uuid, $5::text, $6::bigint, $7::jsonb, $8::text, $9::int, $10::int, $11::text, $12::text,
       $13::timestamptz, $13::timestamptz, $14::text, $15::int, $16::smallint, $17::jsonb, $18::jsonb)`,
    [
      plan.tenantId,
      plan.id,
      plan.name,
      plan.payeeId,
      plan.asset,
      plan.price,
      JSON.stringify(plan.period),
      plan.zone,
      plan.charges,
      plan.months,
      plan.afterFailure,
      plan.createdBy,
      plan.createdAt,
      plan.missed,
      plan.trialDays,
      plan.priority,
      plan.retry && JSON.stringify(plan.retry),
      JSON.stringify(plan.countsFor),
    ],
  );
}

export async function updatePlan(sql: Sql, plan: Plan): Promise<void> {
  only(
    await sql.query(
      `update usance.plans set name = $3::text, price = $4::bigint, period = $5::jsonb, zone = $6::text, charges = $7::int,
         months = $8::int, after_failure = $9::text, updated_at = $10::timestamptz,
         missed = $11::text, trial_days = $12::int, priority = $13::smallint, retry = $14::jsonb,
         changed_by = $15::jsonb, counts_for = $16::jsonb
       where tenant_id = $1::uuid and id = $2::uuid returning id`,
      [
        plan.tenantId,
        plan.id,
        plan.name,
        plan.price,
        JSON.stringify(plan.period),
        plan.zone,
        plan.charges,
        plan.months,
        plan.afterFailure,
        plan.updatedAt,
        plan.missed,
        plan.trialDays,
        plan.priority,
        plan.retry && JSON.stringify(plan.retry),
        actorsText(plan.changedBy),
        JSON.stringify(plan.countsFor),
      ],
    ),
  );
}

export async function findPlan(
  sql: Sql,
  key: { tenantId: Uuid; id: Uuid },
  options: { lock?: 'share' | 'update' } = {},
): Promise<Plan | null> {
  const [row] = await sql.query(
    `select ${PLAN_COLUMNS} from usance.plans p where p.tenant_id = $1::uuid and p.id = $2::uuid
     ${options.lock === undefined ? '' : options.lock === 'share' ? 'for share' : 'for no key update'}`,
    [key.tenantId, key.id],
  );
  return row ? planOf(row) : null;
}

/** Plans by id or name. Of one name at most two: that is enough to see that it is not the name of one plan. */
export async function findPlans(
  sql: Sql,
  tenantId: Uuid,
  wanted: { readonly ids: readonly Uuid[]; readonly names: readonly string[] },
): Promise<Plan[]> {
  const rows = await sql.query(
    `select ${PLAN_COLUMNS} from usance.plans p where p.tenant_id = $1::uuid and p.id = any (
       $2::uuid[] || array(
         select named.id from unnest($3::text[]) as wanted (name) cross join lateral (
           select n.id from usance.plans n where n.tenant_id = $1::uuid and n.name = wanted.name order by n.id limit 2) named))`,
    [tenantId, wanted.ids, wanted.names],
  );
  return rows.map(planOf);
}

/** Newest first; `before` is the id to go on from. */
export async function listPlans(
  sql: Sql,
  tenantId: Uuid,
  page: { limit: number; before?: Uuid | null },
): Promise<Plan[]> {
  const rows = await sql.query(
    `select ${PLAN_COLUMNS} from usance.plans p
     where p.tenant_id = $1::uuid and ($2::uuid is null or p.id < $2::uuid) order by p.id desc limit $3::int`,
    [tenantId, page.before ?? null, page.limit],
  );
  return rows.map(planOf);
}

/** What a payer agreed to. */
export interface Agreement {
  readonly tenantId: Uuid;
  readonly scheduleId: Uuid;
  readonly planId: Uuid;
  readonly price: bigint;
  /** Both null: open-ended. */
  readonly charges: number | null;
  readonly approved: bigint | null;
  /** When the first charge is due; null where it was made at once. */
  readonly trialEndsAt: Date | null;
}

export interface StoredAgreement extends Agreement {
  /** Of an imported one: how often it was charged before, and what was paid. The agreement is about the charges after that. */
  readonly chargesBefore: number;
  readonly paidBefore: bigint;
  /** The price of those charges, as agreed first. */
  readonly approvedBefore: bigint;
}

/** `chargesBefore`: of one that is imported. */
export async function insertAgreement(sql: Sql, agreement: Agreement, chargesBefore = 0): Promise<void> {
  await sql.query(
    `with agreed as (
       insert into usance.subscriptions (tenant_id, schedule_id, plan_id, price, charges, approved, trial_ends_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4::bigint, $5::int, $6::bigint, $7::timestamptz))
     insert into usance.subscription_counts (tenant_id, schedule_id, charges_paid) values ($1::uuid, $2::uuid, $8::int)`,
    [
      agreement.tenantId,
      agreement.scheduleId,
      agreement.planId,
      agreement.price,
      agreement.charges,
      agreement.approved,
      agreement.trialEndsAt,
      chargesBefore,
    ],
  );
}

/** New terms of a subscription, from a slot on. */
export interface TermsChange extends Omit<Agreement, 'trialEndsAt'> {
  readonly version: number;
  readonly proration: 'none' | 'charge';
  readonly since: Local;
  /** The slot of the period that it ended early; null where it ended none. */
  readonly endedSlot: Local | null;
  /** The unused part of that period, and how much of it the charge of that period had paid. */
  readonly credit: bigint;
  readonly creditPaid: bigint;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export async function insertTermsChange(sql: Sql, change: TermsChange): Promise<void> {
  await sql.query(
    `insert into usance.subscription_changes
       (tenant_id, schedule_id, version, plan_id, price, charges, approved, credit, proration, since, created_by, created_at,
        ended_slot, credit_paid)
     values ($1::uuid, $2::uuid, $3::int, $4::uuid, $5::bigint, $6::int, $7::bigint, $8::bigint, $9::text, $10::timestamp, $11::text,
       $12::timestamptz, $13::timestamp, $14::bigint)`,
    [
      change.tenantId,
      change.scheduleId,
      change.version,
      change.planId,
      change.price,
      change.charges,
      change.approved,
      change.credit,
      change.proration,
      formatLocal(change.since),
      change.createdBy,
      change.createdAt,
      change.endedSlot === null ? null : formatLocal(change.endedSlot),
      change.creditPaid,
    ],
  );
}

/** Versions of the terms, oldest first. */
export async function readTerms(
  sql: Sql,
  key: { tenantId: Uuid; id: Uuid },
): Promise<{ version: number; planId: Uuid; price: bigint }[]> {
  const rows = await sql.query(
    `select version, plan_id, price from usance.subscription_terms
     where tenant_id = $1::uuid and schedule_id = $2::uuid order by version`,
    [key.tenantId, key.id],
  );
  return rows.map((row) => ({
    version: asNumber(row['version']),
    planId: asText(row['plan_id']),
    price: asBigInt(row['price']),
  }));
}

/** How many charges were made, and what they come to. */
export async function sumCharges(sql: Sql, key: { tenantId: Uuid; id: Uuid }): Promise<{ count: number; sum: bigint }> {
  const row = only(
    await sql.query(
      `select count(*)::int as count, coalesce(sum(o.amount), 0)::text as sum from usance.occurrences o
       where o.tenant_id = $1::uuid and o.schedule_id = $2::uuid and o.status = 'made'`,
      [key.tenantId, key.id],
    ),
  );
  return { count: asNumber(row['count']), sum: asBigInt(row['sum']) };
}

/** The terms that hold from its next charge on. */
export const LATEST = `select v.* from usance.subscription_terms v
  where v.tenant_id = u.tenant_id and v.schedule_id = u.schedule_id order by v.version desc limit 1`;

/** As `subscriptionStatus` says it of a row. */
export const STATUS = `case s.status
    when 'active' then case when d.next_at = u.trial_ends_at then 'trialing' else 'active' end
    when 'paused' then case s.paused_by when 'request' then 'paused' else 'past_due' end
    when 'cancelled' then 'cancelled'
    else 'expired' end`;

/** By id, newest first. */
export async function readAgreements(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<StoredAgreement[]> {
  const rows = await sql.query(
    `select u.tenant_id, u.schedule_id, t.plan_id, t.price, t.charges, t.approved, u.trial_ends_at,
       coalesce(i.charges_before, 0) as charges_before, coalesce(i.paid_before, 0)::text as paid_before,
       (u.price::numeric * coalesce(i.charges_before, 0))::text as approved_before
     from usance.subscriptions u cross join lateral (${LATEST}) t
     left join usance.imported_subscriptions i on i.tenant_id = u.tenant_id and i.schedule_id = u.schedule_id
     where u.tenant_id = $1::uuid and u.schedule_id = any ($2::uuid[]) order by u.schedule_id desc`,
    [tenantId, ids],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    scheduleId: asText(row['schedule_id']),
    planId: asText(row['plan_id']),
    price: asBigInt(row['price']),
    charges: asNumberOrNull(row['charges']),
    approved: row['approved'] === null ? null : asBigInt(row['approved']),
    trialEndsAt: asDateOrNull(row['trial_ends_at']),
    chargesBefore: asNumber(row['charges_before']),
    paidBefore: asBigInt(row['paid_before']),
    approvedBefore: asBigInt(row['approved_before']),
  }));
}

export interface Charge {
  readonly scheduleId: Uuid;
  readonly paymentId: Uuid;
}

/** The payments of subscriptions, oldest first: all of each, which is at most one a day where a subscription is open-ended. */
export async function listCharges(sql: Sql, tenantId: Uuid, scheduleIds: readonly Uuid[]): Promise<Charge[]> {
  const rows = await sql.query(
    `select o.schedule_id, o.payment_id from usance.occurrences o
     where o.tenant_id = $1::uuid and o.schedule_id = any ($2::uuid[]) and o.status = 'made'
     order by o.schedule_id, o.slot`,
    [tenantId, scheduleIds],
  );
  return rows.map((row) => ({ scheduleId: asText(row['schedule_id']), paymentId: asText(row['payment_id']) }));
}
