-- Deliveries to webhook endpoints, as the design of payouts names them. Read-only; change things with verbs.

-- One row for each event and endpoint. `delivered`: the last attempt was answered with 2xx. A delivery that ended without one is failed for good
-- (a dead letter) or was cancelled. webhook_url is the URL of now, without its query; event_type is null once the event was archived.
create view usance_docs.webhook_events as
select q.id, q.event_id, q.job_id as endpoint_id, e.type as event_type, split_part(split_part(w.url, '#', 1), '?', 1) as webhook_url,
       case when q.worker_id is null then 'pending' else 'running' end as status, false as delivered, q.attempt as attempts,
       coalesce(q.claimed_at, (select i.started_at from usance.invocations i
                               where i.tenant_id = q.tenant_id and i.id = usance.invocation_id(q.id, q.attempt))) as last_attempt_at,
       case when q.worker_id is null and not q.blocked then q.due_at end as next_attempt_at, q.last_error as error, q.created_at, q.tenant_id
from usance.execution_queue q
join usance.webhook_endpoints w on w.tenant_id = q.tenant_id and w.id = q.job_id
left join usance.events e on e.tenant_id = q.tenant_id and e.id = q.event_id
join usance_docs.shown_tenants shown on shown.id = q.tenant_id
union all
select x.id, x.event_id, x.job_id, e.type, split_part(split_part(w.url, '#', 1), '?', 1),
       x.status, x.status = 'completed', x.attempt,
       coalesce(x.attempted_at, (select i.started_at from usance.invocations i
                                 where i.tenant_id = x.tenant_id and i.id = usance.invocation_id(x.id, x.attempt))), null, x.error, x.created_at, x.tenant_id
from usance.executions x
join usance.webhook_endpoints w on w.tenant_id = x.tenant_id and w.id = x.job_id
left join usance.events e on e.tenant_id = x.tenant_id and e.id = x.event_id
join usance_docs.shown_tenants shown on shown.id = x.tenant_id;
