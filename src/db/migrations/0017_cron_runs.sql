-- What the loops did: one row for each tick that did or failed something, and one for each one-shot run. A tick serves every tenant,
-- so the table belongs to none. Safe for older workers: a new table.

create table usance.cron_runs (
  id              uuid primary key,
  -- The loop; not unique, it runs again and again.
  job_name        text not null check (length(job_name) between 1 and 100),
  status          text not null check (status in ('RUNNING', 'SUCCESS', 'FAILED')),
  -- Payments made by the scheduler, payments claimed by the processor, and what each other loop works on.
  processed_count int not null check (processed_count >= 0),
  counts          jsonb not null,
  error_message   text,
  started_at      timestamptz not null,
  -- The last sign of life: the process renews it every few seconds. A running row that is not renewed belongs to a dead process.
  seen_at         timestamptz not null,
  finished_at     timestamptz,
  constraint cron_runs_end_after_they_start check (finished_at >= started_at),
  constraint cron_runs_running_has_no_end check ((status = 'RUNNING') = (finished_at is null)),
  constraint cron_runs_failed_says_why check ((status = 'FAILED') = (error_message is not null))
);

create index cron_runs_job on usance.cron_runs (job_name, id);
create index cron_runs_running on usance.cron_runs (seen_at) where status = 'RUNNING';

-- When each loop last ended well, in any process: a worker that nobody started shows here, and "usance doctor" says so.
create table usance.loop_runs (
  name        text primary key check (length(name) between 1 and 100),
  last_run_at timestamptz not null
) with (fillfactor = 50);
