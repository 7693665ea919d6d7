// Lists of subscriptions, newest first, as bounded scans. A reference, a payer and a plan are looked up by their indexes;
// a status is looked for among the candidates, a bounded number of them for a page.
import type { Sql, Value } from '../../db/index.ts';
import { asText, readStretch, stretchStatement } from '../../db/index.ts';
import type { Stretch, Uuid } from '../../kernel/index.ts';
import { MAX_UUID } from '../../kernel/index.ts';
import { madeWithin } from '../list-store.ts';
import { LATEST, STATUS } from './store.ts';
import type { SubscriptionStatus } from './subscription.ts';

export interface SubscriptionFilter {
  /** Any of these. */
  readonly status?: readonly SubscriptionStatus[];
  readonly planId?: Uuid;
  readonly payerId?: Uuid;
  readonly reference?: string;
  readonly createdFrom?: Date;
  readonly createdBefore?: Date;
  /** Every pair; a value that is not text is compared as its JSON. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** How many candidates a page looks through at most. */
export const SUBSCRIPTION_SCAN = 5_000;

/** The ids of a page. `before` is the id to go on from; `reached` the same, where the scan ended before the page was full. */
export async function listSubscriptionIds(
  sql: Sql,
  tenantId: Uuid,
  filter: SubscriptionFilter,
  page: { readonly limit: number; readonly before: Uuid | null },
  scan: number,
): Promise<Stretch<Uuid, Uuid>> {
  const { status, planId, payerId, reference, createdFrom, createdBefore, metadata } = filter;
  const leavesOut = Object.keys(filter).length > 0;
  const values: Value[] = [tenantId, page.before ?? MAX_UUID, leavesOut ? scan : page.limit, page.limit];
  const given = (value: Value): string => `$${values.push(value)}`;
  const plan = planId === undefined ? null : `${given(planId)}::uuid`;
  const payer = payerId === undefined ? null : `s.payer_id = ${given(payerId)}::uuid`;
  const named = reference === undefined ? null : `s.reference = ${given(reference)}::text`;
  const schedules = named ?? payer;
  const candidates = schedules !== null ? ofSchedules(schedules) : plan !== null ? ofPlan(plan) : EVERY;
  const conditions = [
    ...(payer === null ? [] : [payer]),
    ...(plan === null ? [] : [`(select t.plan_id from (${LATEST}) t) = ${plan}`]),
    ...(status === undefined ? [] : [`${STATUS} = any (${given(status)}::text[])`]),
    ...madeWithin('s', { createdFrom, createdBefore, metadata }, given),
  ];
  const text = stretchStatement({
    // Each candidate by its key, whatever the planner expects of the number of them.
    page: `select c.id from (${candidates}) c
       cross join lateral (select * from usance.subscriptions a where a.tenant_id = $1::uuid and a.schedule_id = c.id limit 1) u
       cross join lateral (select * from usance.schedules a where a.tenant_id = $1::uuid and a.id = c.id limit 1) s
       left join lateral (select * from usance.schedule_due a where a.tenant_id = $1::uuid and a.schedule_id = c.id limit 1) d on true
       ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
       order by c.id desc limit $4::int`,
    limit: '$4::int',
    end: leavesOut ? `select e.id from (${candidates}) e order by e.id desc offset $3::int - 1 limit 1` : null,
    order: 'id desc',
  });
  return readStretch(await sql.query(text, values), (row) => asText(row['id']), asText);
}

const candidatesOf = (from: string, id: string, where: string): string =>
  `select distinct ${id} as id from ${from} where ${id} < $2::uuid and ${where} order by ${id} desc limit $3::int`;

const EVERY = candidatesOf('usance.subscriptions u', 'u.schedule_id', 'u.tenant_id = $1::uuid');

/** Subscriptions that had the plan at first, and those that a change brought, each once. Some of them have left it since. */
const ofPlan = (plan: string): string => {
  const first = `u.tenant_id = $1::uuid and u.plan_id = ${plan}`;
  const later = `v.tenant_id = $1::uuid and v.plan_id = ${plan}
    and not exists (select from usance.subscriptions u where ${first} and u.schedule_id = v.schedule_id)`;
  return `select id from (
     (${candidatesOf('usance.subscriptions u', 'u.schedule_id', first)}) union all
     (${candidatesOf('usance.subscription_changes v', 'v.schedule_id', later)})) m order by id desc limit $3::int`;
};

/** Schedules that are no subscriptions among them. */
const ofSchedules = (where: string): string =>
  candidatesOf('usance.schedules s', 's.id', `s.tenant_id = $1::uuid and ${where}`);
