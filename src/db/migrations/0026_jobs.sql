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
  primary key (tenant_id, id),
  constraint jobs_backfill_ends check (backfilled_seq <= coalesce(joined_seq, after_seq))
);

-- The name of a deleted job is free again.
create unique index jobs_name on usance.jobs (tenant_id, name) where deleted_at is null;
create index jobs_matched on usance.jobs (tenant_id) where enabled and deleted_at is null;
create index jobs_to_join on usance.jobs (tenant_id, id) where enabled and deleted_at is null
  and (joined_seq is null or backfilled_seq < joined_seq);
create index jobs_deleted on usance.jobs (deleted_at) where deleted_at is not null;

-- How far the matcher has read the order of all tenants: the position of the next event. One row.
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

-- A claim rides execution_queue_due: one range for each job, in order of time.
create index execution_queue_due on usance.execution_queue (tenant_id, job_id, due_at, id) where worker_id is null and clock_id is null;
create index execution_queue_clock on usance.execution_queue (clock_id, due_at, id) where worker_id is null and clock_id is not null;
create index execution_queue_running on usance.execution_queue (worker_id, job_id) where worker_id is not null;

-- Executions that ended, with their last attempt. Partitioned by id, whose instant is that of the event.
create table usance.executions (
  tenant_id    uuid not null,
  id           uuid not null,
  job_id       uuid not null,
  event_id     uuid not null,
  seq          bigint not null,
  status       text not null check (status in ('completed', 'failed', 'cancelled')),
  attempt      int not null,
  worker_id    uuid,
  -- Of the first attempt, and of the last one; null if there was none.
  started_at   timestamptz,
  attempted_at timestamptz,
  ended_at     timestamptz not null,
  code         text,
  error        text,
  result       jsonb,
  created_at   timestamptz not null,
  primary key (tenant_id, id)
) partition by range (id);

create index executions_job on usance.executions (job_id, id);

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

-- An advance of a test clock waits for executions, which may write to the tenant: until it goes on, the clock allows writes.
alter table usance.test_clocks add column allows_writes boolean not null default false;
alter table usance.test_clocks add constraint test_clocks_write_while_waiting check (not allows_writes or status = 'advancing');
