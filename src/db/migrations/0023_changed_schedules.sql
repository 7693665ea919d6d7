-- Who last changed what a schedule pays: not the one to approve the payments that it makes then. Null: who made it.
-- Safe for older workers: a column they do not read; who made a schedule could approve its payments, as before.

alter table usance.schedules add column changed_by text;
