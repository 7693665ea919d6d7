-- What the loops did, as the document on allowances names it: a shared record of all of them, one row a tick. Read-only.

create view usance_docs.cron_runs as
select r.id, r.job_name, r.status, r.processed_count, r.error_message, r.started_at, r.finished_at
from usance.cron_runs r;
