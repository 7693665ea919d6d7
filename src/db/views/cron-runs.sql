-- The runs of all loops, one row for each tick: RUNNING with no finished_at while it runs, then SUCCESS or FAILED. A tick serves every
-- tenant, so this view shows the whole store. Read-only.

create view usance_docs.cron_runs as
select r.id, r.job_name, r.status, r.processed_count, r.error_message, r.started_at, r.finished_at
from usance.cron_runs r;
