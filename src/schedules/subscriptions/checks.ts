// The invariants of subscriptions, for `usance verify` and the continuous check.
import { READABLE_EVENTS, lastEvents } from '../../events/index.ts';
import type { Check } from '../../ledger/index.ts';
import { MADE_BY_SCHEDULES } from '../../payments/index.ts';
import { OPEN_CREDIT } from './credit-store.ts';
import { LATEST } from './store.ts';

const within = (column: string): string => `($1::uuid[] is null or ${column} = any ($1::uuid[]))`;

/** The terms of a change of plan, as its event names them. */
const CHANGED_TO = `jsonb_build_object('version', c.version, 'planId', c.plan_id, 'price', c.price::text, 'charges', c.charges,
  'approved', c.approved::text, 'credit', c.credit::text, 'creditPaid', c.credit_paid::text)`;

const CANCELLATIONS = `'subscription.cancellation_scheduled', 'subscription.cancellation_withdrawn'`;

export const SUBSCRIPTION_CHECKS: readonly Check[] = [
  {
    name: 'charges-are-approved',
    kind: 'money',
    says: 'no subscription was paid more, can still be paid more by open charges, or was charged more often or more at once, than its payer approved',
    counted: 'select count(*) as rows from usance.subscriptions',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'price', t.price::text, 'approved', t.approved::text,
                       'charged', coalesce(p.charged, 0)::text, 'charges', o.charges) as details
                from usance.subscriptions u
                cross join lateral (${LATEST}) t
                join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
                left join (
                  select tenant_id, schedule_id, sum(case when open then amount else captured end) as charged,
                         max(case when open then amount else captured end) as most
                  from (${MADE_BY_SCHEDULES}) m where owner_kind = 'subscription' group by 1, 2) p
                  on p.tenant_id = u.tenant_id and p.schedule_id = u.schedule_id
                cross join lateral (
                  select coalesce(sum(amount), 0) as charged, count(*) as charges,
                         bool_or(amount > (
                           select v.price from usance.subscription_terms v
                           where v.tenant_id = u.tenant_id and v.schedule_id = u.schedule_id and v.since <= slot
                           order by v.version desc limit 1)) as dear
                  from usance.occurrences where tenant_id = u.tenant_id and schedule_id = u.schedule_id and status = 'made') o
                where (p.charged > t.approved or o.charged > t.approved or o.charges > t.charges or o.dear or p.most > (
                         select max(v.price) from usance.subscription_terms v
                         where v.tenant_id = u.tenant_id and v.schedule_id = u.schedule_id)) and ${within('s.payer_id')}`,
  },
  {
    name: 'credit-is-granted',
    kind: 'money',
    says: 'no subscription has used or given back more credit than its changes of plan granted',
    counted: 'select count(*) as rows from usance.subscription_changes where credit > 0',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'credit', o.credit::text) as details
                from (select distinct tenant_id, schedule_id from usance.subscription_changes where credit > 0) c
                join usance.schedules s on s.tenant_id = c.tenant_id and s.id = c.schedule_id
                cross join lateral (select ${OPEN_CREDIT} as credit) o
                where o.credit < 0 and ${within('s.payer_id')}`,
  },
  {
    name: 'subscriptions-are-as-agreed',
    kind: 'money',
    says: 'the schedule of every subscription charges the agreed price to the agreed receiver, one charge at a time',
    counted: 'select count(*) as rows from usance.subscriptions',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'price', s.amount::text,
                       'approved', t.approved::text, 'charges', t.charges) as details
                from usance.subscriptions u
                cross join lateral (${LATEST}) t
                join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
                join usance.plans p on p.tenant_id = u.tenant_id and p.id = t.plan_id
                where (s.amount <> t.price or s.payee_id <> p.payee_id or s.asset <> p.asset
                       or s.steps is not null or s.legs is not null or s.overlap <> 'wait' or s.after_failure = 'continue' or s.kind <> 'subscription'
                       or (s.timing ->> 'count' is null) <> (t.charges is null)
                       or t.version = 1 and (s.timing ->> 'count')::int is distinct from t.charges)
                  and ${within('s.payer_id')}`,
  },
  {
    name: 'charges-are-told',
    kind: 'bookkeeping',
    says: 'every paid charge of a subscription has one event, and their numbers follow those that were imported without a gap',
    counted: 'select count(*) as rows from usance.subscriptions',
    whole: true,
    // The number of an erased event is gone.
    offenders: `with paid as materialized (
                  select tenant_id, schedule_id, count(*) as charges from (${MADE_BY_SCHEDULES}) m
                  where owner_kind = 'subscription' and not open and captured > 0 group by 1, 2
                ), told as materialized (
                  select tenant_id, resource_id as schedule_id, count(*) as events, bool_or(data ? 'erased') as erased,
                         count(distinct data ->> 'charge') as numbers, max((data ->> 'charge')::int) as last
                  from (${READABLE_EVENTS}) e where type = 'subscription.charged' group by 1, 2)
                select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'charges_paid', c.charges_paid,
                       'paid', coalesce(p.charges, 0), 'events', coalesce(t.events, 0)) as details
                from usance.subscriptions u
                join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
                left join usance.subscription_counts c on c.tenant_id = u.tenant_id and c.schedule_id = u.schedule_id
                left join usance.imported_subscriptions i on i.tenant_id = u.tenant_id and i.schedule_id = u.schedule_id
                left join paid p on p.tenant_id = u.tenant_id and p.schedule_id = u.schedule_id
                left join told t on t.tenant_id = u.tenant_id and t.schedule_id = u.schedule_id
                where $1::uuid[] is null
                  and (c.charges_paid is distinct from coalesce(i.charges_before, 0) + coalesce(p.charges, 0)
                       or coalesce(t.events, 0) <> coalesce(p.charges, 0)
                       or not t.erased and (t.numbers <> t.events or t.last <> c.charges_paid))`,
  },
  {
    name: 'plan-changes-are-told',
    kind: 'money',
    says: 'every change of a subscription’s plan has the price, total and credit that its event names',
    counted: 'select count(*) as rows from usance.subscription_changes',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'terms', ${CHANGED_TO}) as details
                from usance.subscription_changes c
                join usance.schedules s on s.tenant_id = c.tenant_id and s.id = c.schedule_id
                where ${within('s.payer_id')} and not exists (
                  select from (${READABLE_EVENTS}) e
                  where e.tenant_id = c.tenant_id and e.resource_id = c.schedule_id and e.type = 'subscription.plan_changed'
                    and (e.data ? 'erased' or e.data -> 'new' @> ${CHANGED_TO}))`,
  },
  {
    name: 'cancellations-are-told',
    kind: 'bookkeeping',
    says: 'every subscription is set to end with its period exactly if the last event about that says so',
    counted: 'select count(*) as rows from usance.schedules where cancel_at is not null',
    whole: true,
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'cancel_at', s.cancel_at, 'event', e.data) as details
                from (select * from usance.schedules where kind = 'subscription') s
                left join ${lastEvents(CANCELLATIONS)} e on e.tenant_id = s.tenant_id and e.resource_id = s.id
                where $1::uuid[] is null
                  and case when e.type is distinct from 'subscription.cancellation_scheduled' then s.cancel_at is not null
                           when e.data ? 'erased' then s.cancel_at is null
                           else s.cancel_at is distinct from (e.data ->> 'cancelAt')::timestamptz end`,
  },
];
