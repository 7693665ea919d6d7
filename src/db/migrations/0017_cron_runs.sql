-- What the loops did: one row a tick that did or failed something, and one for every run that was asked for by itself. Of no
-- tenant: a tick serves all of them. Safe for older workers: a new table.

create table usance.cron_runs (
  id              uuid primary key,
  -- Which loop; not unique, it runs again and again.
  job_name        text not null check (length(job_name) between 1 and 100),
  status          text not null check (status in ('SUCCESS', 'FAILED')),
  -- Of the scheduler: payments made. Of the processor: payments taken up.
  processed_count int not null check (processed_count >= 0),
  counts          jsonb not null,
  error_message   text,
  started_at      timestamptz not null,
  finished_at     timestamptz not null,
  constraint cron_runs_end_after_they_start check (finished_at >= started_at),
  constraint cron_runs_failed_says_why check ((status = 'FAILED') = (error_message is not null))
);

create index cron_runs_job on usance.cron_runs (job_name, id);

-- When each loop last ended well, in any process: a worker that nobody started shows here, and "usance doctor" says so.
create table usance.loop_runs (
  name        text primary key check (length(name) between 1 and 100),
  last_run_at timestamptz not null
) with (fillfactor = 50);
