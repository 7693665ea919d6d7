-- When a payment's funds were set aside anew: at a retry, or where it was edited to more. What is given back of them is taken off
-- the hour of a daily limit that they were counted in. Null: when it was made.
-- Safe for older workers: a column they do not write; they take it off the hour it was made in, as before.

alter table usance.payments add column held_at timestamptz;
alter table usance.archived_payments add column held_at timestamptz;

-- Which daily limits counted the funds when they were set aside (1: the payer's, 2: the tenant's total, 3: both). Released amounts are
-- taken off these and no others, whatever limits there are by then.
alter table usance.payments add column counted smallint not null default 0 check (counted between 0 and 3);
alter table usance.archived_payments add column counted smallint not null default 0;

create or replace view usance.all_payments as
select * from usance.payments union all select * from usance.archived_payments;
