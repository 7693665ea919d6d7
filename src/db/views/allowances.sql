-- Allowances as the document that asked for them names them: what guardians pay their children, and what became of each
-- date. Amounts are minor units of `asset`. Read-only; change things with verbs.

-- Allowances that exist: a deleted one leaves, its credits stay. next_run_at is the next date, also while the credit before is tried
-- again, and null while it is OFF; last_run_at is the date of the last credit that was paid. Both are as over HTTP.
create view usance_docs.allowance_schedules as
select a.schedule_id as id, a.guardian_id, a.junior_id, s.amount,
       s.timing #>> '{rule,frequency}' as frequency,
       case s.status when 'active' then 'ON' else 'OFF' end as status,
       d.next_at as next_run_at,
       usance.last_paid_run(a.tenant_id, a.schedule_id) as last_run_at,
       s.timing ->> 'zone' as zone,
       s.created_at, s.updated_at, s.asset, s.tenant_id
from usance.allowances a
join usance_docs.shown_tenants shown on shown.id = a.tenant_id
join usance.schedules s on s.tenant_id = a.tenant_id and s.id = a.schedule_id
left join usance.schedule_due d on d.tenant_id = a.tenant_id and d.schedule_id = a.schedule_id
where a.ended_at is null and s.status in ('active', 'paused');

-- A row for every date, whatever became of it: the document deletes that of a failed credit, and loses its audit with it. run_at is
-- the date it is for, however late it was paid; dates that were missed together are one row with their number.
create view usance_docs.allowance_credits as
select o.id, o.schedule_id, t.id as transaction_id, coalesce(o.amount, s.amount) as amount, o.run_at,
       case when p.status = 'settled' then p.ended_at end as credited_at,
       case when o.status = 'skipped' then 'SKIPPED'
            when o.status = 'failed' or p.status in ('failed', 'expired') then 'FAILED'
            when p.status = 'cancelled' then 'CANCELLED'
            when p.status = 'settled' then 'CREDITED'
            else 'PENDING' end as status,
       coalesce(p.attempts, 0) as attempts,
       coalesce(o.detail, p.last_detail, case when o.status = 'skipped' then o.reason end) as last_error,
       usance_docs.last_duration_ms(p.tenant_id, p.id) as duration_ms,
       o.slots, o.payment_id, s.asset, o.tenant_id
from usance.allowances a
join usance_docs.shown_tenants shown on shown.id = a.tenant_id
join usance.schedules s on s.tenant_id = a.tenant_id and s.id = a.schedule_id
join usance.occurrences o on o.schedule_id = a.schedule_id and o.tenant_id = a.tenant_id
left join usance.all_payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
left join usance.transfers t on t.tenant_id = p.tenant_id and t.payment_id = p.id and t.credit_account_id = a.junior_id;
