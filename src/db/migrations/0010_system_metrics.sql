-- What the processes counted, kept for a while: for questions asked in SQL, and for machines that nobody scrapes. A counter's
-- row is what was added since the row before, so that a sum over a time is the count of that time, over every process and
-- restart; a gauge's row is its value. Not about money: nothing reads it to decide anything.
-- Safe for older workers: they do not know it.

create table usance.system_metrics (
  id          uuid primary key,
  name        text not null check (name ~ '^[a-z][a-z0-9_]{0,99}$'),
  value       double precision not null,
  labels      jsonb not null default '{}' check (jsonb_typeof(labels) = 'object'),
  recorded_at timestamptz not null default clock_timestamp()
);

create index system_metrics_name on usance.system_metrics (name, recorded_at);
