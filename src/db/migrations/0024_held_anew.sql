-- When a payment's funds were last reserved, if later than its creation: at a retry, at an edit to a higher amount, or where the create
-- waited for its locks into the next hour. A release is taken off that hour of the daily limits. Null: when it was created.
-- Not safe for older workers: they write neither column, so what they reserve is never taken off a daily limit again (`counted` is 0).

alter table usance.payments add column held_at timestamptz;
alter table usance.archived_payments add column held_at timestamptz;

-- Which daily limits counted the funds when they were reserved (1: the payer's, 2: the tenant's total, 3: both). A release is taken off
-- these and no others, whatever limits there are by then.
alter table usance.payments add column counted smallint not null default 0 check (counted between 0 and 3);
alter table usance.archived_payments add column counted smallint not null default 0;

-- What those limits do not count of its amount, {"account", "tenant"}: reserved before they were set, or over a day before the last raise.
alter table usance.payments add column uncounted jsonb;
alter table usance.archived_payments add column uncounted jsonb;

create or replace view usance.all_payments as
select * from usance.payments union all select * from usance.archived_payments;
