// The invariants of subscriptions, for `usance verify` and the continuous check.
import type { Check } from '../../ledger/index.ts';
import { MADE_BY_SCHEDULES } from '../../payments/index.ts';

const within = (column: string): string => `($1::uuid[] is null or ${column} = any ($1::uuid[]))`;

export const SUBSCRIPTION_CHECKS: readonly Check[] = [
  {
    name: 'charges-are-approved',
    kind: 'money',
    says: 'no subscription was paid more, can still be paid more by open charges, or was charged more often or more at once, than its payer approved',
    counted: 'select count(*) as rows from usance.subscriptions',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'price', u.price::text, 'approved', u.approved::text,
                       'charged', coalesce(p.charged, 0)::text, 'charges', o.charges) as details
                from usance.subscriptions u
                join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
                left join (
                  select tenant_id, schedule_id, sum(case when open then amount else captured end) as charged,
                         max(case when open then amount else captured end) as most
                  from (${MADE_BY_SCHEDULES}) m where owner_kind = 'subscription' group by 1, 2) p
                  on p.tenant_id = u.tenant_id and p.schedule_id = u.schedule_id
                cross join lateral (
                  select coalesce(sum(amount), 0) as charged, count(*) as charges, max(amount) as most from usance.occurrences
                  where tenant_id = u.tenant_id and schedule_id = u.schedule_id and status = 'made') o
                where (p.charged > u.approved or o.charged > u.approved or o.charges > u.charges or p.most > u.price or o.most > u.price) and ${within('s.payer_id')}`,
  },
  {
    name: 'subscriptions-are-as-agreed',
    kind: 'money',
    says: 'the schedule of every subscription charges what was agreed: its price, its receiver, one charge at a time',
    counted: 'select count(*) as rows from usance.subscriptions',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('subscription', s.id, 'price', s.amount::text,
                       'approved', u.approved::text, 'charges', u.charges) as details
                from usance.subscriptions u
                join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
                join usance.plans p on p.tenant_id = u.tenant_id and p.id = u.plan_id
                where (s.amount <> u.price or s.payee_id <> p.payee_id or s.asset <> p.asset
                       or s.steps is not null or s.legs is not null or s.overlap <> 'wait' or s.after_failure = 'continue' or s.kind <> 'subscription'
                       or (s.timing ->> 'count')::int is distinct from u.charges)
                  and ${within('s.payer_id')}`,
  },
];
