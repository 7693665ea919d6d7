-- Jobs: code that runs on events. src/jobs/README.md has the states and the invariants.
-- Safe for older workers: new tables only, and a wider list of history tables.

-- What a job runs on, and how. `after_seq`, `joined_seq` and `backfilled_seq` are numbers of events of the tenant:
--   after_seq       events up to here are not the job's
--   joined_seq      the matcher took the job in behind this event, and matches all later ones; null until it has
--   backfilled_seq  how far the events between after_seq and joined_seq are matched
create table usance.jobs (
  tenant_id       uuid not null references usance.tenants (id),
  id              uuid not null,
  name            text not null check (length(name) between 1 and 100),
  description     text not null check (length(description) <= 1000),
  event_pattern   text not null check (length(event_pattern) between 1 and 100),
  processor_name  text not null check (length(processor_name) between 1 and 100),
  enabled         boolean not null,
  -- The whole policy; null: the default.
  retry           jsonb check (jsonb_typeof(retry) = 'object'),
  timeout_ms      int not null check (timeout_ms between 100 and 86400000),
  max_concurrency int check (max_concurrency between 1 and 10000),
  max_per_second  int check (max_per_second between 1 and 100000),
  after_seq       bigint not null check (after_seq >= 0),
  joined_seq      bigint check (joined_seq >= after_seq),
  backfilled_seq  bigint not null check (backfilled_seq >= after_seq),
  created_by      text not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  deleted_at      timestamptz,
  -- Of a deleted job: none of its executions waits any more, and none can be added.
  swept           boolean not null default false check (not swept or deleted_at is not null),
  primary key (tenant_id, id),
  constraint jobs_backfill_ends check (backfilled_seq <= coalesce(joined_seq, after_seq))
);

-- The name of a deleted job is free again.
create unique index jobs_name on usance.jobs (tenant_id, name) where deleted_at is null;
create index jobs_matched on usance.jobs (tenant_id) where enabled and deleted_at is null;
create index jobs_to_join on usance.jobs (tenant_id, id) where enabled and deleted_at is null
  and (joined_seq is null or backfilled_seq < joined_seq);
create index jobs_to_sweep on usance.jobs (tenant_id, id) where deleted_at is not null and not swept;

-- How far the matcher has read the order of all tenants: the position of the next event. One row; none is as if it were the first.
create table usance.job_matcher (
  is_only  boolean primary key default true check (is_only),
  position bigint not null check (position > 0)
);
insert into usance.job_matcher (position) values (1);

-- Executions that wait or run. Rows leave when the execution ends. An id is made of its job and its event, so that the primary key
-- admits one execution of a job for an event. `due_at` is by the tenant's clock; everything about the lease is by the server's.
create table usance.execution_queue (
  tenant_id        uuid not null,
  id               uuid not null,
  job_id           uuid not null,
  event_id         uuid not null,
  seq              bigint not null,
  clock_id         uuid,
  due_at           timestamptz not null,
  -- Attempts that were claimed, and those that do not count since a dead letter was retried.
  attempt          int not null default 0,
  attempts_before  int not null default 0,
  -- The worker that has it; null while it waits. Together with `attempt` the fence of every write about a running attempt.
  worker_id        uuid,
  claimed_at       timestamptz,
  started_at       timestamptz,
  last_code        text,
  last_error       text,
  cancel_requested boolean not null default false,
  created_at       timestamptz not null,
  primary key (tenant_id, id),
  constraint execution_queue_running_has_start check ((worker_id is null) = (claimed_at is null)),
  constraint execution_queue_attempts check (attempts_before >= 0 and attempt >= attempts_before),
  -- A claim reads rows of many tenants: none of them may be one that cannot be read.
  constraint execution_queue_readable check (due_at between '1900-01-01 00:00Z' and '9999-12-31 23:59Z')
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- A claim rides execution_queue_due: one range for each job, in order of time. Those of test tenants have an index of their own: a clock that nobody
-- advances keeps what waits for it.
create index execution_queue_due on usance.execution_queue (tenant_id, job_id, due_at, id) where worker_id is null and clock_id is null;
create index execution_queue_clock on usance.execution_queue (clock_id, job_id, due_at, id) where worker_id is null and clock_id is not null;
create index execution_queue_running on usance.execution_queue (worker_id, job_id) where worker_id is not null;

-- Executions that ended, with their last attempt. Partitioned by id, whose instant is that of the event. Rows leave when a failed execution is
-- retried (requeue_executions), and when they are old (drop_old_executions): the runtime role may only insert.
create table usance.executions (
  tenant_id    uuid not null,
  id           uuid not null,
  job_id       uuid not null,
  event_id     uuid not null,
  seq          bigint not null,
  status       text not null check (status in ('completed', 'failed', 'cancelled')),
  attempt      int not null,
  worker_id    uuid,
  -- Start of the first attempt; null if there was none. Start of the attempt that ended it; null if it ended while it waited: then every
  -- attempt is in `invocations`.
  started_at   timestamptz,
  attempted_at timestamptz,
  ended_at     timestamptz not null,
  code         text,
  error        text,
  result       jsonb,
  created_at   timestamptz not null,
  primary key (tenant_id, id),
  constraint executions_ran check (attempted_at is not null or status <> 'completed')
) partition by range (id);

create index executions_job on usance.executions (job_id, id);
-- A few pages: which months still have rows that ended lately.
create index executions_ended on usance.executions using brin (ended_at);

-- Attempts that ended before the last one of their execution. The last one is in `executions`, the present one in `execution_queue`.
create table usance.invocations (
  tenant_id    uuid not null,
  id           uuid not null,
  execution_id uuid not null,
  attempt      int not null check (attempt > 0),
  worker_id    uuid,
  started_at   timestamptz not null,
  ended_at     timestamptz not null,
  code         text not null,
  error        text not null,
  primary key (tenant_id, id)
) partition by range (id);

create index invocations_ended on usance.invocations using brin (ended_at);

-- Executions that failed for good and that an operator has not dealt with. Rows leave when it is retried or discarded.
create table usance.execution_dead_letters (
  tenant_id    uuid not null,
  execution_id uuid not null,
  job_id       uuid not null,
  code         text not null,
  detail       text not null,
  failed_at    timestamptz not null,
  primary key (tenant_id, execution_id)
);

-- What processes can run. A worker's lease is that of everything it runs: one row to renew, however many executions.
create table usance.job_workers (
  id           uuid primary key,
  processors   text[] not null,
  -- Its heartbeat holds an advisory lock, which the server frees as soon as the process is gone.
  has_lock     boolean not null,
  started_at   timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz not null
);

create table usance.processors (
  name          text primary key check (length(name) between 1 and 100),
  description   text not null,
  -- The one tenant that it serves, for a subscription; null: all.
  tenant_id     uuid references usance.tenants (id),
  announced_at  timestamptz not null default clock_timestamp(),
  last_seen_at  timestamptz not null default clock_timestamp()
);

-- Executions of a job in the present second, where it has a rate.
create table usance.job_rates (
  tenant_id uuid not null,
  job_id    uuid not null,
  second    timestamptz not null,
  used      int not null,
  primary key (tenant_id, job_id)
);

-- A UUIDv7 with the instant of another one and 74 bits of a hash (src/jobs/execution.ts has the same function).
create function usance.hashed_id(of uuid, hashed text) returns uuid language sql immutable strict parallel safe as $$
  select (left(of::text, 13) || '-7' || left(h, 3) || '-' || substr('89ab', (get_byte(d, 1) & 3) + 1, 1) || substr(h, 5, 3) || '-'
          || substr(h, 8, 12))::uuid
  from (select d, encode(d, 'hex') as h from (select sha256(convert_to(hashed, 'UTF8')) as d) s) t
$$;

create function usance.invocation_id(execution uuid, attempt int) returns uuid language sql immutable strict parallel safe as $$
  select usance.hashed_id(execution, execution::text || ' ' || attempt::text)
$$;

-- Puts failed executions back into the queue with all their attempts, and returns those that were there. Their last attempt becomes an
-- invocation. The one way out of history for a role that may not delete. Of two calls for the same execution the second finds nothing.
create function usance.requeue_executions(tenant uuid, ids uuid[], clock uuid, due timestamptz) returns setof uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  first constant uuid := (select min(i::text)::uuid from unnest(ids) i);
  last constant uuid := (select max(i::text)::uuid from unnest(ids) i);
begin
  return query
  with gone as (
    delete from usance.executions e
    where e.tenant_id = tenant and e.id = any (ids) and e.id >= first and e.id <= last and e.status = 'failed' returning e.*
  ), letters as (
    delete from usance.execution_dead_letters l using gone g where l.tenant_id = g.tenant_id and l.execution_id = g.id
  ), kept as (
    insert into usance.invocations (tenant_id, id, execution_id, attempt, worker_id, started_at, ended_at, code, error)
    select g.tenant_id, usance.invocation_id(g.id, g.attempt), g.id, g.attempt, g.worker_id, g.attempted_at, g.ended_at,
           coalesce(g.code, ''), coalesce(g.error, '')
    from gone g where g.attempted_at is not null
  )
  insert into usance.execution_queue
    (tenant_id, id, job_id, event_id, seq, clock_id, due_at, attempt, attempts_before, started_at, last_code, last_error, created_at)
  select g.tenant_id, g.id, g.job_id, g.event_id, g.seq, clock, due, g.attempt, g.attempt, g.started_at, g.code, g.error, g.created_at
  from gone g
  returning id;
end $$;

-- The months of executions and of invocations whose events are all of before an instant, and the bounds of their ids.
create function usance.months_of_executions(before timestamptz) returns table (partition text, history text, first_id uuid, end_id uuid)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select c.relname, p.relname, usance.first_id_at(m.first at time zone 'UTC'), usance.first_id_at(m.next at time zone 'UTC')
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  join pg_class p on p.oid = i.inhparent
  cross join lateral (
    select first, first + interval '1 month' as next
    from (select case when c.relname ~ '_[0-9]{4}_[0-9]{2}$' then to_date(right(c.relname, 7), 'YYYY_MM')::timestamp end as first) f) m
  where i.inhparent in ('usance.executions'::regclass, 'usance.invocations'::regclass) and m.next at time zone 'UTC' <= before
  order by p.relname, c.relname
$$;

-- Drops the first month of executions, and of invocations, whose events are all of before an instant; returns how many partitions. Kept, in
-- the default partition: dead letters, what ended later (a backfill runs on old events), and the attempts of executions that are still there. A month that
-- has more than a thousand such rows is left to thin_executions: they would be moved under the lock. Nothing of the last day can be dropped. The
-- locks are waited for shortly, and held for milliseconds; a timeout (55P03) means another time.
create function usance.drop_old_executions(before timestamptz) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  most constant int := 1000;
  month record;
  ended usance.executions[];
  attempts usance.invocations[];
  is_locked boolean;
begin
  if before > now() - interval '1 day' then
    raise exception 'executions of the last day are not dropped';
  end if;
  for month in select * from usance.months_of_executions(before)
  loop
    -- Attempts go after their executions.
    continue when month.history = 'invocations'
      and to_regclass('usance.' || quote_ident(replace(month.partition, 'invocations', 'executions'))) is not null;
    is_locked := false;
    loop
      ended := '{}';
      attempts := '{}';
      if month.history = 'executions' then
        ended := array(
          select e from usance.execution_dead_letters l
          join usance.executions e on e.tenant_id = l.tenant_id and e.id = l.execution_id
          where l.execution_id >= month.first_id and l.execution_id < month.end_id and e.id >= month.first_id and e.id < month.end_id
          limit most + 1) || array(
          select e from usance.executions e join usance.tenants t on t.id = e.tenant_id and t.kind = 'live'
          where e.id >= month.first_id and e.id < month.end_id and e.ended_at >= before
            and not exists (select from usance.execution_dead_letters l where l.tenant_id = e.tenant_id and l.execution_id = e.id)
          limit most + 1);
      else
        attempts := array(
          select v
          from (select q.tenant_id, q.id, q.attempt from usance.execution_queue q where q.id >= month.first_id and q.id < month.end_id
                union all
                select e.tenant_id, e.id, e.attempt from usance.executions e where e.id >= month.first_id and e.id < month.end_id) x
          cross join lateral generate_series(1, x.attempt) n (attempt)
          join usance.invocations v on v.tenant_id = x.tenant_id and v.id = usance.invocation_id(x.id, n.attempt)
            and v.id >= month.first_id and v.id < month.end_id
          limit most + 1);
      end if;
      exit when is_locked or cardinality(ended) > most or cardinality(attempts) > most;
      -- The parent first, as every statement does. What is kept is looked for again under the lock.
      execute format('lock table only usance.%I in access exclusive mode', month.history);
      is_locked := true;
    end loop;
    continue when cardinality(ended) > most or cardinality(attempts) > most;
    execute format('drop table usance.%I', month.partition);
    insert into usance.executions select * from unnest(ended);
    insert into usance.invocations select * from unnest(attempts);
    return 1;
  end loop;
  return 0;
end $$;

-- Deletes old rows of months that cannot be dropped yet, so many at most: the dead letters that one tenant leaves lying keep nothing of the
-- others. Returns how many were deleted. By primary key: rows that went before are not stepped over again.
create function usance.thin_executions(before timestamptz, at_most int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  month record;
  deleted int := 0;
  gone int;
begin
  if before > now() - interval '1 day' then
    raise exception 'executions of the last day are not deleted';
  end if;
  for month in select * from usance.months_of_executions(before) loop
    exit when deleted >= at_most;
    if month.history = 'executions' then
      execute format('delete from usance.%1$I where ctid = any (array(
        select e.ctid from usance.%1$I e join usance.tenants t on t.id = e.tenant_id
        where (e.ended_at < $1 or t.kind = ''test'')
          and not exists (select from usance.execution_dead_letters l where l.tenant_id = e.tenant_id and l.execution_id = e.id)
        order by e.tenant_id, e.id limit $2 for update of e skip locked))', month.partition)
      using before, at_most - deleted;
    else
      execute format('delete from usance.%1$I where ctid = any (array(
        select v.ctid from usance.%1$I v
        where not exists (select from usance.execution_queue q where q.tenant_id = v.tenant_id and q.id = v.execution_id)
          and not exists (select from usance.executions e
                          where e.tenant_id = v.tenant_id and e.id = v.execution_id and e.id >= $1 and e.id < $2)
        order by v.tenant_id, v.id limit $3 for update of v skip locked))', month.partition)
      using month.first_id, month.end_id, at_most - deleted;
    end if;
    get diagnostics gone = row_count;
    deleted := deleted + gone;
  end loop;
  return deleted;
end $$;

-- Deletes rows of the default partitions that are old: what a dropped month left there, and executions of events that had no month any
-- more. Those of test tenants, whose time is their own, are as old as their id. Returns how many were deleted.
create function usance.forget_executions(before timestamptz, at_most int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  old constant uuid := usance.first_id_at(before);
  forgotten int;
  attempts int;
begin
  if before > now() - interval '1 day' then
    raise exception 'executions of the last day are not forgotten';
  end if;
  delete from usance.executions_default where ctid = any (array(
    select e.ctid from usance.executions_default e join usance.tenants t on t.id = e.tenant_id and t.kind = 'live'
    where e.ended_at < before
      and not exists (select from usance.execution_dead_letters l where l.tenant_id = e.tenant_id and l.execution_id = e.id)
    limit at_most for update of e skip locked
  ) || array(
    select e.ctid from usance.tenants t join usance.executions_default e on e.tenant_id = t.id and e.id < old
    where t.kind = 'test'
      and not exists (select from usance.execution_dead_letters l where l.tenant_id = e.tenant_id and l.execution_id = e.id)
    limit at_most for update of e skip locked));
  get diagnostics forgotten = row_count;
  -- An attempt of a live tenant ended before its execution did.
  delete from usance.invocations_default where ctid = any (array(
    select v.ctid from usance.invocations_default v join usance.tenants t on t.id = v.tenant_id and t.kind = 'live'
    where v.ended_at < before
      and not exists (select from usance.execution_queue q where q.tenant_id = v.tenant_id and q.id = v.execution_id)
      and not exists (select from usance.executions e where e.tenant_id = v.tenant_id and e.id = v.execution_id)
    limit at_most for update of v skip locked
  ) || array(
    select v.ctid from usance.tenants t join usance.invocations_default v on v.tenant_id = t.id and v.id < old
    where t.kind = 'test'
      and not exists (select from usance.execution_queue q where q.tenant_id = v.tenant_id and q.id = v.execution_id)
      and not exists (select from usance.executions e where e.tenant_id = v.tenant_id and e.id = v.execution_id)
    limit at_most for update of v skip locked));
  get diagnostics attempts = row_count;
  return greatest(forgotten, attempts);
end $$;

-- Erases what processors returned and said about events that are erased: results, errors, and the details of dead letters. Rows of the queue are marked, so
-- that an attempt which runs now stores neither. Ids of executions and attempts begin with the instant of their event: one range for each instant. Only members of
-- usance_eraser may call it (migrate grants it to no other role).
create function usance.erase_executions(tenant uuid, ids uuid[]) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  erased constant uuid[] := array(
    select e.id from usance.events e where e.tenant_id = tenant and e.id = any (ids) and e.salt is null and e.details is not null);
  says constant text := 'the event was erased';
  instant text;
  first uuid;
  last uuid;
  executions uuid[];
  found int := 0;
begin
  for instant in select distinct left(e::text, 13) from unnest(erased) e loop
    first := (instant || '-0000-0000-000000000000')::uuid;
    last := (instant || '-ffff-ffff-ffffffffffff')::uuid;
    -- The queue first: one that ends meanwhile is in history for the next statement.
    with marked as (
      update usance.execution_queue q set last_code = 'EVENT_ERASED', last_error = says
      where q.tenant_id = tenant and q.id >= first and q.id <= last and q.event_id = any (erased) returning q.id)
    select coalesce(array_agg(id), '{}') into executions from marked;
    with cleared as (
      update usance.executions e set result = null, error = case when e.error is not null then says end
      where e.tenant_id = tenant and e.id >= first and e.id <= last and e.event_id = any (erased) returning e.id)
    select executions || coalesce(array_agg(id), '{}') into executions from cleared;
    update usance.invocations v set error = says
    where v.tenant_id = tenant and v.id >= first and v.id <= last and v.execution_id = any (executions);
    update usance.execution_dead_letters l set detail = says where l.tenant_id = tenant and l.execution_id = any (executions);
    found := found + cardinality(executions);
  end loop;
  return found;
end $$;

-- An advance of a test clock waits for executions, which may write to the tenant: until it goes on, the clock allows writes. Only while it advances does
-- the column say anything; there is no constraint, which an older worker that takes the advance up and ends it would break.
alter table usance.test_clocks add column allows_writes boolean not null default false;
