-- Jobs, their executions and every attempt, as the design that asked for them names them. Read-only; change things with verbs.

-- Jobs that exist: a deleted one leaves, its executions stay. retry_config is null where the default applies.
create view usance_docs._jobs as
select j.id, j.name, j.description, j.event_pattern, j.processor_name, j.enabled,
       case when j.retry is not null then
         jsonb_build_object('maxAttempts', j.retry -> 'maxAttempts', 'initialDelayMs', j.retry -> 'initialDelayMs',
                            'backoffMultiplier', j.retry -> 'multiplier', 'maxDelayMs', j.retry -> 'maxDelayMs') end as retry_config,
       j.created_at, j.updated_at, j.tenant_id
from usance.jobs j
join usance_docs.shown_tenants shown on shown.id = j.tenant_id
where j.deleted_at is null;

-- The design knows pending, running, completed and failed: a cancelled execution is failed, with the cause in `error`. `locked` is since when a
-- worker has it. next_retry_at is when the next attempt is due.
create view usance_docs._job_executions as
select q.id, q.job_id, q.event_id, case when q.worker_id is null then 'pending' else 'running' end as status,
       q.attempt as attempt_number, q.started_at, null::timestamptz as completed_at, q.last_error as error, null::jsonb as result,
       case when q.worker_id is null and not q.blocked then q.due_at end as next_retry_at, q.claimed_at as locked, q.created_at, q.tenant_id
from usance.execution_queue q
join usance_docs.shown_tenants shown on shown.id = q.tenant_id
union all
select e.id, e.job_id, e.event_id, case e.status when 'cancelled' then 'failed' else e.status end,
       e.attempt, e.started_at, e.ended_at, e.error, e.result, null, null, e.created_at, e.tenant_id
from usance.executions e
join usance_docs.shown_tenants shown on shown.id = e.tenant_id;

-- One row for each attempt: the running one, the one that ended its execution, and those before.
create view usance_docs._execution_invocations as
select usance.invocation_id(q.id, q.attempt) as id, q.id as execution_id, q.attempt as attempt_number, q.due_at as started_at,
       null::timestamptz as completed_at, 'running' as status, null::text as error, null::jsonb as result, q.due_at as created_at, q.tenant_id
from usance.execution_queue q
join usance_docs.shown_tenants shown on shown.id = q.tenant_id
where q.worker_id is not null
union all
select usance.invocation_id(e.id, e.attempt), e.id, e.attempt, e.attempted_at, e.ended_at,
       case e.status when 'completed' then 'success' else 'failed' end, e.error, e.result, e.attempted_at, e.tenant_id
from usance.executions e
join usance_docs.shown_tenants shown on shown.id = e.tenant_id
where e.attempted_at is not null
union all
select i.id, i.execution_id, i.attempt, i.started_at, i.ended_at, case i.code when '' then 'success' else 'failed' end,
       nullif(i.error, ''), i.result, i.started_at, i.tenant_id
from usance.invocations i
join usance_docs.shown_tenants shown on shown.id = i.tenant_id;
