-- Delayed payments as the document that asked for them names them: accounts, balances, reservations, holds, what happened
-- to them, who did it, and the counters. Amounts are minor units of `asset`. Read-only; change things with verbs.

-- `amount` is what a hold was made for, whatever became of it; `captured` is what of it was paid, `released` what was given back. These
-- are the fields of the same names over HTTP.

-- The words of the document for our states; null stays null.
create function usance_docs.hold_status(status text) returns text language sql immutable parallel safe as $$
  select case status
           when 'scheduled' then 'PENDING'
           when 'processing' then 'PROCESSING'
           when 'submitted' then 'PROCESSING'
           when 'review' then 'PROCESSING'
           when 'settled' then 'COMPLETED'
           else upper(status) end
$$;

-- The id of a step of an event: ids of events have version 7, so that another one is no event's, and sorts within the same millisecond.
create function usance_docs.with_version(id uuid, version text) returns uuid language sql immutable parallel safe as $$
  select overlay(id::text placing version from 15 for 1)::uuid
$$;

create view usance_docs.user_accounts as
select a.id as user_id, a.ref as username,
       case a.status when 'closed' then 'DELETED' else upper(a.status) end as status,
       a.created_at, a.tenant_id
from usance.accounts a join usance_docs.shown_tenants shown on shown.id = a.tenant_id;

-- A balance keeps no time of its own: it changed when money last moved, was set aside or was given back.
create view usance_docs.user_balances as
select b.account_id as user_id, b.available as available_balance, b.reserved as reserved_balance,
       b.available + b.reserved as total_balance,
       greatest(a.created_at, moved.at, held.at) as last_updated,
       b.version, b.asset, b.tenant_id
from usance.balances b
join usance_docs.shown_tenants shown on shown.id = b.tenant_id
join usance.accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
cross join lateral (
  select max(t.posted_at) as at from (
    (select posted_at from usance.transfers t
     where t.tenant_id = b.tenant_id and t.debit_account_id = b.account_id and t.asset = b.asset
     order by t.id desc limit 1)
    union all
    (select posted_at from usance.transfers t
     where t.tenant_id = b.tenant_id and t.credit_account_id = b.account_id and t.asset = b.asset
     order by t.id desc limit 1)
  ) t
) moved
cross join lateral (
  select max(p.updated_at) as at from usance.all_payments p
  where p.tenant_id = b.tenant_id and p.payer_id = b.account_id and p.asset = b.asset and p.funding = 'reserve'
) held;

-- A hold is its own reservation; reservations made by themselves have no hold.
create view usance_docs.balance_reservations as
select p.id as reservation_id, p.payer_id as user_id, p.amount, p.id as hold_id, p.created_at, p.expires_at,
       case when p.status = 'expired' then 'EXPIRED'
            when p.ended_at is null then 'ACTIVE'
            when p.captured > 0 then 'CAPTURED'
            else 'RELEASED' end as status,
       p.asset, p.tenant_id
from usance.all_payments p join usance_docs.shown_tenants shown on shown.id = p.tenant_id
where p.funding = 'reserve'
union all
select r.id, r.account_id, r.amount, null, r.created_at, null,
       case when r.resolved_at is null then 'ACTIVE' when r.captured > 0 then 'CAPTURED' else 'RELEASED' end,
       r.asset, r.tenant_id
from usance.reservations r join usance_docs.shown_tenants shown on shown.id = r.tenant_id;

-- The failed attempts that another follows: the number of `ATTEMPT_FAILED` events since the payment was made, or since an operator's
-- retry. The attempt that paid is none of them, nor is the one that was the last; a cancel, a capture or an operator's fail is no attempt.
create function usance_docs.retry_count(status text, attempts int, last_code text) returns int language sql immutable parallel safe as $$
  select case when attempts > 0 and (status = 'settled' and last_code is null
                                     or status = 'failed' and last_code is distinct from 'FAILED_BY_OPERATOR')
              then attempts - 1 else attempts end
$$;

-- One row a hold, whatever it pays. A hold with legs pays several accounts: its to_user_id is null, and `legs` has them with their
-- shares. For a hold with one payee `legs` is null.
create view usance_docs.payment_holds as
select p.id as hold_id, p.payer_id as from_user_id, case when p.legs is null then p.payee_id end as to_user_id, p.amount,
       p.created_at, p.execute_at,
       usance_docs.hold_status(p.status) as status,
       p.id as reservation_id,
       usance_docs.retry_count(p.status, p.attempts, p.last_code) as retry_count,
       p.last_detail as last_error,
       coalesce(p.metadata, '{}'::jsonb) as metadata,
       case when p.status = 'settled' then p.ended_at end as completed_at,
       case when p.status = 'cancelled' then p.ended_at end as cancelled_at,
       p.captured, p.released, p.legs, p.asset, p.tenant_id
from usance.all_payments p join usance_docs.shown_tenants shown on shown.id = p.tenant_id
where p.funding = 'reserve' and p.rail = 'ledger';

-- event_type is the name of the event without `payment.`, as in the timeline and the metrics, but for COMPLETED, which is
-- `payment.settled`: ATTEMPT_FAILED is a failed attempt that another follows, RETRIED an operator's retry. Some events are several steps:
--
--   SCHEDULED   follows CREATED, and UPDATED where the edit moved execute_at: the hold is set to its instant
--   PROCESSING  precedes the outcome of each attempt (COMPLETED, ATTEMPT_FAILED or FAILED). An attempt is one transaction, so that both have
--               the instant of its claim as created_at; duration_ms says how long it took
--   RELEASED    precedes CANCELLED, REJECTED, EXPIRED and FAILED, which give back what was held; a hold that was captured in part has
--               an event of its own
--
-- A step has the id of its event with another version, which sorts it before or after it. from_status and to_status are the hold's
-- states before and after the step, the same one twice where it changed none; only CREATED has no state before.
-- `GET /v1/holds/{id}/events` shows the same steps (src/contract/resources/hold-events.ts).
create view usance_docs.hold_events as
select step.event_id, e.resource_id as hold_id, step.event_type, step.from_status, step.to_status,
       e.occurred_at as created_at, e.data::jsonb as details,
       case when step.event_type <> 'PROCESSING' then (e.data ->> 'durationMs')::int end as duration_ms, e.tenant_id
from usance.events e
join usance_docs.shown_tenants shown on shown.id = e.tenant_id
join usance.all_payments p on p.tenant_id = e.tenant_id and p.id = e.resource_id
-- The state during an event that does not name it: a hold is discarded once it has failed; a failed attempt, an edit, a capture of a part
-- or an approval happens while it is scheduled.
cross join lateral (select case e.type when 'payment.discarded' then 'failed' else 'scheduled' end as status) kept
cross join lateral (
  select e.data::jsonb ? 'durationMs' as is_attempt,
         case when e.data::jsonb ? 'durationMs' then 'PROCESSING'
              else usance_docs.hold_status(coalesce(e.data #>> '{old,status}', kept.status)) end as from_status,
         -- Every event has the state after it; those that changed it have the state before it too.
         usance_docs.hold_status(case when e.data #>> '{old,status}' is null then kept.status else e.data ->> 'status' end) as to_status
) change
cross join lateral (
  select usance_docs.with_version(e.id, '5') as event_id, 'PROCESSING' as event_type, 'PENDING' as from_status,
         'PROCESSING' as to_status
  where change.is_attempt
  union all
  select usance_docs.with_version(e.id, '6'), 'RELEASED', change.from_status, change.from_status
  where e.type in ('payment.cancelled', 'payment.rejected', 'payment.expired', 'payment.failed')
  union all
  select e.id,
         case e.type when 'payment.settled' then 'COMPLETED' else upper(split_part(e.type, '.', 2)) end,
         case when e.type <> 'payment.created' then change.from_status end,
         change.to_status
  union all
  select usance_docs.with_version(e.id, '8'), 'SCHEDULED', change.to_status, change.to_status
  where e.type = 'payment.created'
     or (e.type = 'payment.updated' and e.data #>> '{old,executeAt}' is distinct from e.data #>> '{new,executeAt}')
) step
where e.resource = 'payment' and p.funding = 'reserve' and p.rail = 'ledger';

-- Whoever paid is the user of a payment's record; otherwise the account it is about. The engine itself is nobody.
create view usance_docs.audit_events as
select e.id as event_id,
       coalesce(p.payer_id, a.id) as user_id,
       case e.type when 'payment.settled' then 'PAYMENT_COMPLETED'
                   else upper(replace(e.type, '.', '_')) end as action_type,
       e.resource as resource_type, e.resource_id,
       e.recorded_at as "timestamp",
       case when e.type = 'payment.settled'
            then e.data::jsonb || jsonb_build_object('amount', p.amount, 'captured', p.captured, 'recipient',
                                              case when p.legs is null then p.payee_id end) else e.data::jsonb end as details,
       e.ip::inet as ip_address, e.user_agent, e.actor, e.request_id, e.tenant_id
from usance.events e
join usance_docs.shown_tenants shown on shown.id = e.tenant_id
left join usance.all_payments p on e.resource = 'payment' and p.tenant_id = e.tenant_id and p.id = e.resource_id
left join usance.accounts a on e.resource = 'account' and a.tenant_id = e.tenant_id and a.id = e.resource_id;

-- Counted by processes, for the whole store.
create view usance_docs.system_metrics as
select m.id as metric_id, m.name as metric_name, m.value as metric_value, m.labels, m.recorded_at as "timestamp"
from usance.system_metrics m;
