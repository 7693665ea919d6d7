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
