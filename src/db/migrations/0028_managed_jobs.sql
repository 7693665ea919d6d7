-- Jobs of built-in processors, such as the deliveries of a webhook endpoint. src/jobs/README.md says what they add.
-- Safe for older workers: columns with defaults, a wider check, and indexes. An older worker has no built-in processor and claims none of
-- their executions.

-- A loop of built-in processors asks whether anyone has a job for them.
create index jobs_processor on usance.jobs (processor_name) where enabled and deleted_at is null;

-- A job may have a list of patterns.
alter table usance.jobs drop constraint jobs_event_pattern_check;
alter table usance.jobs add constraint jobs_event_pattern_check check (length(event_pattern) between 1 and 1000);

-- The job belongs to another resource, which has the same id.
alter table usance.jobs add column managed boolean not null default false;

-- Dead letters of one job, oldest first.
create index execution_dead_letters_job on usance.execution_dead_letters (tenant_id, job_id, execution_id);

-- An attempt that succeeded becomes an invocation when its execution is retried: its code and its error are empty.
alter table usance.invocations add column result jsonb;

-- Executions of an ordered job about one resource (`order_key`) run one after the other. One of them is open; the others are blocked, with a
-- due instant that never comes. src/jobs/order-store.ts says who opens the next one.
alter table usance.jobs add column ordered boolean not null default false;
alter table usance.execution_queue add column order_key uuid;
alter table usance.execution_queue add column blocked boolean not null default false;
-- Not valid: every row that exists is not blocked, and the queue need not be read.
alter table usance.execution_queue add constraint execution_queue_blocked
  check (not blocked or order_key is not null and worker_id is null and due_at = '9999-12-31 00:00Z') not valid;

-- The first row of a key is its open execution, or the next one if none is open.
create index execution_queue_order on usance.execution_queue (tenant_id, job_id, order_key, blocked, seq) where order_key is not null;

-- Keys that the matcher's loop has to look at, because a transaction could not know what another one did at that moment.
create table usance.execution_order_notes (
  id        bigint generated always as identity primary key,
  tenant_id uuid not null,
  job_id    uuid not null,
  order_key uuid not null
);

-- As before, and completed executions too if they are asked for. Executions of an ordered job go back blocked, with a note. The form without
-- the last parameter is for older workers.
create function usance.requeue_executions(tenant uuid, ids uuid[], clock uuid, due timestamptz, also_completed boolean) returns setof uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  first constant uuid := (select min(i::text)::uuid from unnest(ids) i);
  last constant uuid := (select max(i::text)::uuid from unnest(ids) i);
begin
  return query
  with gone as (
    delete from usance.executions e
    where e.tenant_id = tenant and e.id = any (ids) and e.id >= first and e.id <= last
      and (e.status = 'failed' or also_completed and e.status = 'completed')
    returning e.*
  ), letters as (
    delete from usance.execution_dead_letters l using gone g where l.tenant_id = g.tenant_id and l.execution_id = g.id
  ), kept as (
    insert into usance.invocations (tenant_id, id, execution_id, attempt, worker_id, started_at, ended_at, code, error, result)
    select g.tenant_id, usance.invocation_id(g.id, g.attempt), g.id, g.attempt, g.worker_id, g.attempted_at, g.ended_at,
           coalesce(g.code, ''), coalesce(g.error, ''), g.result
    from gone g where g.attempted_at is not null
  ), back as (
    select g.*, o.order_key
    from gone g join usance.jobs j on j.tenant_id = g.tenant_id and j.id = g.job_id
    left join lateral (
      select e.resource_id as order_key from usance.events e where j.ordered and e.tenant_id = g.tenant_id and e.id = g.event_id) o on true
  ), noted as (
    insert into usance.execution_order_notes (tenant_id, job_id, order_key)
    select distinct b.tenant_id, b.job_id, b.order_key from back b where b.order_key is not null
  )
  insert into usance.execution_queue
    (tenant_id, id, job_id, event_id, seq, clock_id, due_at, attempt, attempts_before, started_at, last_code, last_error, created_at,
     order_key, blocked)
  select b.tenant_id, b.id, b.job_id, b.event_id, b.seq, clock, case when b.order_key is null then due else '9999-12-31 00:00Z' end,
         b.attempt, b.attempt, b.started_at, b.code, b.error, b.created_at, b.order_key, b.order_key is not null
  from back b
  returning id;
end $$;

create or replace function usance.requeue_executions(tenant uuid, ids uuid[], clock uuid, due timestamptz) returns setof uuid
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select usance.requeue_executions(tenant, ids, clock, due, false)
$$;
