-- Payments that wait. What is to run is in `due`, a narrow table that rows leave; a payment's own row is updated once or
-- twice in its life and no index covers what changes, so that such an update stays in its page. A payment that reserved its
-- funds is its own reservation: amount − captured − released of it is part of its payer's `reserved`.
-- Safe for older workers: new tables only.

create table usance.payments (
  tenant_id      uuid not null,
  id             uuid not null,
  status         text not null,
  rail           text not null,
  funding        text not null check (funding in ('reserve', 'at_execution')),
  payer_id       uuid not null,
  payee_id       uuid not null,
  asset          text not null,
  amount         bigint not null check (amount > 0),
  captured       bigint not null default 0 check (captured >= 0),
  released       bigint not null default 0 check (released >= 0),
  refunded       bigint not null default 0 check (refunded >= 0),
  captures       int not null default 0,
  -- Where it pays more than one account: [{"account": …, "amount": "…"}]. payee_id is the first of them.
  legs           jsonb,
  execute_at     timestamptz not null,
  expires_at     timestamptz,
  priority       smallint not null check (priority between 0 and 2),
  attempts       int not null default 0,
  retry          jsonb,
  reference      text check (length(reference) between 1 and 255),
  metadata       jsonb,
  last_code      text,
  last_detail    text,
  clock_id       uuid,
  -- What made it, where that was not a caller, and whose rules its verbs obey: the id of a schedule. The kind says what the
  -- schedule is to its tenant.
  owner_kind     text check (owner_kind in ('schedule', 'subscription', 'allowance')),
  owner_id       uuid,
  created_by     text not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  ended_at       timestamptz,
  primary key (tenant_id, id),
  constraint payments_within_amount check (captured + released <= amount),
  constraint payments_refund_what_was_paid check (refunded <= captured),
  constraint payments_pay_another check (payer_id <> payee_id),
  constraint payments_owner_is_whole check ((owner_kind is null) = (owner_id is null)),
  constraint payments_expire_after_execution check (expires_at > execute_at),
  constraint payments_ended_has_instant check ((status in ('settled', 'failed', 'cancelled', 'expired')) = (ended_at is not null)),
  constraint payments_settled_paid check (status <> 'settled' or captured > 0),
  constraint payments_ended_without_paying check (status not in ('cancelled', 'expired') or captured = 0 or funding <> 'reserve'),
  constraint payments_ended_whole check (funding <> 'reserve' or ended_at is null or captured + released = amount)
) with (fillfactor = 50);

create index payments_payer on usance.payments (payer_id, id);
create index payments_payee on usance.payments (payee_id, id);
-- References of the tenant are one namespace, and those of each end user another: an end user neither takes nor finds the tenant's.
create unique index payments_reference on usance.payments
  (tenant_id, reference, (case when created_by like 'user:%' then created_by else '' end)) where reference is not null;

-- The legal moves, as data; src/payments/payment.ts has the same and a test compares them.
create table usance.payment_moves (
  from_status text not null,
  to_status   text not null,
  primary key (from_status, to_status)
);

insert into usance.payment_moves (from_status, to_status) values
  ('scheduled', 'scheduled'), ('scheduled', 'processing'), ('scheduled', 'settled'), ('scheduled', 'failed'),
  ('scheduled', 'cancelled'), ('scheduled', 'expired'),
  ('processing', 'submitted'), ('processing', 'scheduled'), ('processing', 'review'), ('processing', 'failed'),
  ('submitted', 'settled'), ('submitted', 'review'), ('submitted', 'scheduled'),
  ('review', 'settled'), ('review', 'scheduled'), ('review', 'failed'),
  ('failed', 'scheduled'),
  -- A refund is counted on the settled payment; its state stays.
  ('settled', 'settled');

-- Whether a change erases reference and metadata and nothing else. Only texts of an end user whose account is closed, and only by
-- erase_payment_texts (0020), which runs with the rights of the owner of the tables. Its cost puts it behind every other comparison.
create function usance.only_erases_texts(was jsonb, becomes jsonb) returns boolean language sql stable cost 100000 as $$
  select becomes = was || '{"reference":null,"metadata":null}'
    and pg_has_role(current_user, (select relowner from pg_class where oid = 'usance.payments'::regclass), 'usage')
    and exists (
      select from usance.accounts a
      where a.tenant_id = (was ->> 'tenant_id')::uuid and a.id = (was ->> 'payer_id')::uuid and a.status = 'closed'
        and was ->> 'created_by' = 'user:' || a.id)
$$;

create function usance.payments_move_legally() returns trigger language plpgsql
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  stray record;
begin
  select b.id, b.status as was, a.status as becomes into stray
  from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
  where (
     a.id is null
     or not exists (select from usance.payment_moves m where m.from_status = b.status and m.to_status = a.status)
     or (a.payer_id, a.payee_id, a.legs, a.asset, a.funding, a.rail, a.reference, a.created_by, a.created_at, a.owner_kind, a.owner_id)
        is distinct from
        (b.payer_id, b.payee_id, b.legs, b.asset, b.funding, b.rail, b.reference, b.created_by, b.created_at, b.owner_kind, b.owner_id)
     or (b.ended_at is not null and (a.amount <> b.amount or a.captured <> b.captured))
     -- Approval and versions of terms are columns of 0012. Terms change only with their version, whose event `usance verify` looks for;
     -- a request for approval is never forgotten, nor is an actor that decided the terms.
     or a.terms_version <> b.terms_version
        + ((a.amount, a.execute_at, a.expires_at) is distinct from (b.amount, b.execute_at, b.expires_at))::int
     or (a.approval is null and b.approval is not null)
     or (b.terms_by is not null and (a.terms_by @> b.terms_by) is not true)
  ) and (a.id is null or not usance.only_erases_texts(to_jsonb(b), to_jsonb(a)))
  limit 1;
  if stray.id is not null then
    raise exception 'payment % may not change like this (% to %)', stray.id, stray.was, stray.becomes
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger payments_move_legally after update on usance.payments
  referencing old table as before new table as after
  for each statement execute function usance.payments_move_legally();
create trigger payments_stay before delete or truncate on usance.payments
  for each statement execute function usance.refuse_change();

-- As for transfers: one lookup for each account of a statement instead of a locking foreign-key check a row, which on a
-- hot account would make every create write to the account's row.
create function usance.payments_stay_in_tenant() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  stray text;
begin
  select t.id into stray
  from (select tenant_id, payer_id as id from created group by 1, 2
        union all
        select tenant_id, payee_id from created group by 1, 2
        union all
        select p.tenant_id, (leg ->> 'account')::uuid from created p, jsonb_array_elements(p.legs) leg where p.legs is not null) t
  left join usance.accounts a on a.tenant_id = t.tenant_id and a.id = t.id
  where a.id is null
  limit 1;
  if stray is null then
    select t.asset into stray
    from (select tenant_id, asset from created group by 1, 2) t
    left join usance.assets s on s.tenant_id = t.tenant_id and s.asset = t.asset
    where s.asset is null
    limit 1;
  end if;
  if stray is not null then
    raise exception 'a payment names the account or asset %, which its tenant does not have', stray
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create trigger payments_stay_in_tenant after insert on usance.payments
  referencing new table as created for each statement execute function usance.payments_stay_in_tenant();

-- What is to run. A claim rides due_live: one range per tenant and priority, in order of time.
create table usance.due (
  tenant_id  uuid not null,
  payment_id uuid not null,
  clock_id   uuid,
  priority   smallint not null,
  due_at     timestamptz not null,
  -- How often in a row a balance it needs was held elsewhere: such a payment no longer waits for locks.
  blocked    smallint not null default 0,
  primary key (tenant_id, payment_id),
  -- A claim reads rows of many tenants: none of them may be one that cannot be read.
  constraint due_readable check (due_at between '1900-01-01 00:00Z' and '9999-12-31 23:59Z')
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

create index due_live on usance.due (tenant_id, priority, due_at, payment_id) where clock_id is null;
create index due_test on usance.due (clock_id, due_at, payment_id) where clock_id is not null;

-- Underfunded payments, by whom they wait for. Rows leave when the payment is settled or given up.
create table usance.waiting (
  tenant_id  uuid not null,
  payment_id uuid not null,
  account_id uuid not null,
  asset      text not null,
  amount     bigint not null,
  primary key (tenant_id, payment_id)
);

create index waiting_account on usance.waiting (account_id, asset, payment_id);

-- Failed payments that nobody has dealt with. Rows leave when it is retried or discarded.
create table usance.payment_dead_letters (
  tenant_id  uuid not null,
  payment_id uuid not null,
  asset      text not null,
  amount     bigint not null,
  code       text not null,
  detail     text not null,
  failed_at  timestamptz not null,
  primary key (tenant_id, payment_id)
);

create table usance.refunds (
  tenant_id   uuid not null,
  id          uuid not null,
  payment_id  uuid not null,
  account_id  uuid not null,
  amount      bigint not null check (amount > 0),
  created_at  timestamptz not null,
  primary key (tenant_id, id),
  constraint refunds_payment_exists foreign key (tenant_id, payment_id) references usance.payments (tenant_id, id)
);

create index refunds_payment on usance.refunds (tenant_id, payment_id);

-- Limits: what one payment may be, for a whole tenant (account_id null) or one account; what one account may send in 24 hours, or
-- each account of a tenant that has no such limit of its own; and what all accounts of a tenant may send together.
create table usance.payment_limits (
  tenant_id    uuid not null,
  account_id   uuid,
  asset        text not null,
  max_amount   bigint check (max_amount > 0),
  daily_amount bigint check (daily_amount > 0),
  default_daily_amount bigint check (default_daily_amount > 0),
  tenant_daily_amount  bigint check (tenant_daily_amount > 0),
  -- When each daily limit was set after it was unset: amounts that were counted earlier are not its own.
  daily_since          timestamptz,
  default_daily_since  timestamptz,
  tenant_daily_since   timestamptz,
  constraint payment_limits_daily_is_per_account check (account_id is not null or daily_amount is null),
  constraint payment_limits_default_is_per_tenant
    check (account_id is null or (default_daily_amount is null and tenant_daily_amount is null)),
  constraint payment_limits_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset),
  constraint payment_limits_account_exists foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id)
);

create unique index payment_limits_key on usance.payment_limits (tenant_id, asset, account_id) nulls not distinct;

-- The few rows that a settlement has to know of before it locks anything.
create index payment_limits_of_tenants on usance.payment_limits (tenant_id)
  where default_daily_amount is not null or tenant_daily_amount is not null;

-- What accounts with a daily limit have sent, by hour of the tenant's clock; written under the payer's balance lock. The first bucket
-- of a limit begins when the limit was set, within the hour.
create table usance.spend_buckets (
  tenant_id  uuid not null,
  account_id uuid not null,
  asset      text not null,
  hour       timestamptz not null,
  amount     bigint not null check (amount >= 0),
  primary key (tenant_id, account_id, asset, hour)
);

-- What all accounts of a tenant with a daily total have sent, by hour of the tenant's clock. An amount is added under the lock of the
-- tenant's row in payment_limits, so that the total is exact; releases take it off without that lock.
create table usance.tenant_spend (
  tenant_id uuid not null,
  asset     text not null,
  hour      timestamptz not null,
  amount    bigint not null check (amount >= 0),
  primary key (tenant_id, asset, hour)
);
