-- Subscriptions as the document that asked for them names them, and their charges as its jobs. A job is the payment of a
-- charge, under the payment's id; a charge that was refused before it became one is a job that failed. Read-only; the verbs of
-- payments are how a job is failed, or run now.

create view usance_docs.subscriptions as
select s.id, t.plan_id, s.payer_id, s.payee_id as receiver_id, s.amount as price, s.asset,
       -- The document knows ACTIVE, PAST_DUE, CANCELLED and EXPIRED.
       case s.status when 'active' then case when d.next_at = u.trial_ends_at then 'TRIALING' else 'ACTIVE' end
                     when 'paused' then case s.paused_by when 'request' then 'PAUSED' else 'PAST_DUE' end
                     when 'cancelled' then 'CANCELLED'
                     else 'EXPIRED' end as status,
       -- As many periods after the first charge as are dealt with, counted from that first one: the 31st stays the 31st.
       case when s.cancel_at is null and (s.timing ->> 'count' is null or d.passed < (s.timing ->> 'count')::int) then
         ((s.timing ->> 'start')::timestamp + d.passed * coalesce((s.timing #>> '{rule,every}')::int, 1)
           * case s.timing #>> '{rule,frequency}'
               when 'DAILY' then interval '1 day'
               when 'WEEKLY' then interval '7 days'
               when 'MONTHLY' then interval '1 month'
               when 'YEARLY' then interval '1 year'
               else make_interval(secs => (s.timing #>> '{rule,everySeconds}')::int) end
           + coalesce(later.days, interval '0'))
         at time zone (s.timing ->> 'zone') end as next_due_at,
       t.charges + coalesce(i.charges_before, 0) as charges,
       t.approved::numeric + u.price::numeric * coalesce(i.charges_before, 0) as approved,
       u.trial_ends_at, s.cancel_at, s.created_at, s.updated_at, s.ended_at, s.tenant_id
from usance.subscriptions u
cross join lateral (
  select v.* from usance.subscription_terms v
  where v.tenant_id = u.tenant_id and v.schedule_id = u.schedule_id order by v.version desc limit 1) t
join usance_docs.shown_tenants shown on shown.id = u.tenant_id
join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
left join usance.schedule_due d on d.tenant_id = u.tenant_id and d.schedule_id = u.schedule_id
left join usance.imported_subscriptions i on i.tenant_id = u.tenant_id and i.schedule_id = u.schedule_id
-- An imported one that was next due on the last day of a short month names its own day.
left join lateral (
  select make_interval(days => least((s.timing #>> '{rule,daysOfMonth,0}')::int, extract(day from last_day)::int) - extract(day from slot)::int) as days
  from (select slot, date_trunc('month', slot) + interval '1 month' - interval '1 day' as last_day
        from (select (s.timing ->> 'start')::timestamp
                     + d.passed * coalesce((s.timing #>> '{rule,every}')::int, 1) * interval '1 month' as slot) month) days
  where s.timing #> '{rule,daysOfMonth}' is not null) later on true;

create view usance_docs.relayer_jobs as
select coalesce(p.id, o.id) as id, o.schedule_id as subscription_id,
       -- Not before then; of one that has ended, when it was to run.
       coalesce(due.due_at, p.execute_at, o.run_at) as next_retry_at,
       case when p.id is null then o.created_at else p.ended_at end as executed_at,
       case when p.id is null then 'FAILED'
            when p.ended_at is null then 'PENDING'
            when p.status = 'settled' then 'SUCCESS'
            else 'FAILED' end as status,
       -- As in payment_holds; 0 to 5 with the default of six attempts.
       coalesce(usance_docs.retry_count(p.status, p.attempts, p.last_code), 0) as retry_count,
       coalesce(p.last_detail, o.detail) as error_message,
       usance_docs.last_duration_ms(p.tenant_id, p.id) as duration_ms,
       o.tenant_id
from usance.subscriptions u
join usance_docs.shown_tenants shown on shown.id = u.tenant_id
join usance.occurrences o on o.tenant_id = u.tenant_id and o.schedule_id = u.schedule_id and o.status in ('made', 'failed')
left join usance.all_payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
left join usance.due on due.tenant_id = p.tenant_id and due.payment_id = p.id;

-- How many of those that have ended were paid: the document's success rate counts what still waits, too.
create view usance_docs.relayer_job_success as
select count(*) filter (where status = 'SUCCESS') as success, count(*) filter (where status = 'FAILED') as failed,
       round(count(*) filter (where status = 'SUCCESS') * 100.0 / count(*), 2) as percentage, tenant_id
from usance_docs.relayer_jobs where status in ('SUCCESS', 'FAILED') group by tenant_id;
