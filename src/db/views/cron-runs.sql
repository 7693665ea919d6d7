-- The runs of all loops, as the document on allowances names them, one row a tick. A tick serves every tenant, so that this view shows the
-- whole store. Read-only.

create view usance_docs.cron_runs as
select r.id, r.job_name, r.status, r.processed_count, r.error_message, r.started_at, r.finished_at
from usance.cron_runs r;
