-- The books: assets, accounts, balances, reservations, transfers. What a constraint can say of RELIABILITY's
-- invariants, a constraint says. Safe for older workers: there are none.

create table usance.assets (
  tenant_id  uuid not null references usance.tenants (id),
  asset      text not null,
  code       text not null check (code ~ '^[A-Z][A-Z0-9]{1,15}$'),
  scale      smallint not null check (scale between 0 and 9),
  created_at timestamptz not null default now(),
  primary key (tenant_id, asset),
  constraint assets_one_scale_per_code unique (tenant_id, code),
  constraint assets_name_is_code_and_scale check (asset = code || '/' || scale)
);

alter table usance.tenants add constraint tenants_default_asset_exists
  foreign key (id, default_asset) references usance.assets (tenant_id, asset);

create table usance.accounts (
  tenant_id     uuid not null references usance.tenants (id),
  id            uuid not null,
  ref           text not null check (length(ref) between 1 and 200),
  kind          text not null check (kind in ('user', 'merchant', 'treasury', 'system')),
  status        text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  status_reason text,
  name          text,
  contact       jsonb,
  -- The accounts that answer for this one, the first given first; kept in this tenant by accounts_have_real_guardians.
  guardian_ids  uuid[] not null default '{}',
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (tenant_id, id),
  constraint accounts_ref_key unique (tenant_id, ref),
  constraint accounts_guardian_is_another check (id <> all (guardian_ids)),
  constraint accounts_few_guardians check (cardinality(guardian_ids) <= 10),
  constraint accounts_system_refs check ((kind = 'system') = (ref in ('world', 'fees', 'suspense'))),
  constraint accounts_system_is_active check (kind <> 'system' or status = 'active')
);

-- The children of a guardian. An index on the ids alone: an id is of one tenant.
create index accounts_guardians on usance.accounts using gin (guardian_ids) where guardian_ids <> '{}';
-- So that a batch over thousands of accounts asks for the few that may not pay or be paid.
create index accounts_inactive on usance.accounts (tenant_id, id) where status <> 'active';

-- The one hot table. Nothing refers to it, no index but its key, and room in every page, so that an update stays in its
-- page and touches no index. It carries what a payer or payee may do, so that the lock that reads the amount reads that
-- too; `watched` asks for a wake-up when it is next credited, `limited` says that limits exist and must be read. `world` and `fees` have no row here: every deposit and every fee would queue on it. Theirs is derived.
create table usance.balances (
  tenant_id  uuid not null,
  account_id uuid not null,
  asset      text not null,
  available  bigint not null default 0,
  reserved   bigint not null default 0,
  version    bigint not null default 0,
  may_debit  boolean not null default true,
  may_credit boolean not null default true,
  watched    boolean not null default false,
  limited    boolean not null default false,
  -- The account first: it alone tells rows apart, and every comparison on the way down is spared the tenant.
  primary key (account_id, asset, tenant_id),
  constraint balances_account_exists foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id),
  constraint balances_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset),
  constraint balances_available_not_negative check (available >= 0),
  constraint balances_reserved_not_negative check (reserved >= 0)
-- Room on the page for nine versions of each row: beside an old snapshot none may be removed, and one that has to go to
-- another page costs an index entry, and every reader a visit.
) with (fillfactor = 12, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Watched balances that were credited. Rows leave when whoever watches has looked.
create table usance.balance_wakes (
  tenant_id  uuid not null,
  account_id uuid not null,
  asset      text not null,
  primary key (tenant_id, account_id, asset)
);

-- A reservation resolves exactly once: when captured + released has reached the amount, and never beyond.
create table usance.reservations (
  tenant_id   uuid not null,
  id          uuid not null,
  account_id  uuid not null,
  asset       text not null,
  amount      bigint not null check (amount > 0),
  captured    bigint not null default 0 check (captured >= 0),
  released    bigint not null default 0 check (released >= 0),
  created_at  timestamptz not null,
  resolved_at timestamptz,
  primary key (tenant_id, id),
  constraint reservations_never_exceed check (captured + released <= amount),
  constraint reservations_resolve_when_used_up check ((resolved_at is not null) = (captured + released = amount)),
  constraint reservations_account_exists foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id),
  constraint reservations_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset)
) with (fillfactor = 80);

create index reservations_account on usance.reservations (account_id, id);

-- A resolved reservation stays as it is, and an open one only ever moves forward. Checked once a statement: a trigger a
-- row would run a thousand times a batch. A session keeps the first plan it made, which may be one for a single row: without
-- nested loops that plan is as good for a thousand (6 ms instead of 127).
create function usance.reservations_move_forward() returns trigger language plpgsql
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  stray uuid;
begin
  select b.id into stray
  from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
  where a.id is null or b.resolved_at is not null or a.captured < b.captured or a.released < b.released
     or a.account_id <> b.account_id or a.asset <> b.asset or a.amount <> b.amount or a.created_at <> b.created_at
  limit 1;
  if stray is not null then
    raise exception 'reservation % is resolved, or was changed other than by capture and release', stray
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger reservations_move_forward after update on usance.reservations
  referencing old table as before new table as after
  for each statement execute function usance.reservations_move_forward();
create trigger reservations_stay before delete or truncate on usance.reservations
  for each statement execute function usance.refuse_change();

-- One immutable double-entry posting a row: the debit and the credit are one amount, so a transfer cannot be unbalanced.
create table usance.transfers (
  tenant_id         uuid not null,
  id                uuid not null,
  debit_account_id  uuid not null,
  credit_account_id uuid not null,
  asset             text not null,
  amount            bigint not null constraint transfers_amount_positive check (amount > 0),
  kind              text not null,
  reservation_id    uuid,
  payment_id        uuid,
  description       text,
  posted_at         timestamptz not null,
  recorded_at       timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint transfers_between_two check (debit_account_id <> credit_account_id)
) partition by range (id);

create index transfers_debit on usance.transfers (debit_account_id, id);
create index transfers_credit on usance.transfers (credit_account_id, id);

create trigger transfers_are_immutable before update or delete or truncate on usance.transfers
  for each statement execute function usance.refuse_change();

-- Stands in for the foreign keys to accounts and assets. A key's check runs once a row and takes a share lock on the
-- account it finds, which at a thousand transfers a batch was a quarter of the time; this is one lookup for each account of
-- a statement, while the balances are locked. Accounts and assets are never deleted, so looking without locking is enough.
-- The settings keep its plan on the primary keys: a transition table has no statistics, and the planner would otherwise
-- hash all accounts for every statement.
create function usance.transfers_stay_in_tenant() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  stray text;
begin
  select t.id into stray
  from (select tenant_id, debit_account_id as id from posted group by 1, 2
        union all
        select tenant_id, credit_account_id from posted group by 1, 2) t
  left join usance.accounts a on a.tenant_id = t.tenant_id and a.id = t.id
  where a.id is null
  limit 1;
  if stray is null then
    select t.asset into stray
    from (select tenant_id, asset from posted group by 1, 2) t
    left join usance.assets s on s.tenant_id = t.tenant_id and s.asset = t.asset
    where s.asset is null
    limit 1;
  end if;
  if stray is not null then
    raise exception 'a transfer names the account or asset %, which its tenant does not have', stray
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create trigger transfers_stay_in_tenant after insert on usance.transfers
  referencing new table as posted for each statement execute function usance.transfers_stay_in_tenant();

-- Stands in for a foreign key, which an array cannot have. Accounts are never deleted, so looking without locking is enough.
create function usance.accounts_have_real_guardians() returns trigger language plpgsql as $$
begin
  if (select count(*) from usance.accounts a where a.tenant_id = new.tenant_id and a.id = any (new.guardian_ids))
     <> cardinality(new.guardian_ids) then
    raise exception 'account %: a guardian is named twice, or its tenant has no such account', new.id
      using errcode = 'foreign_key_violation', constraint = 'accounts_guardian_exists';
  end if;
  return new;
end $$;

create trigger accounts_have_real_guardians before insert or update of guardian_ids on usance.accounts
  for each row when (new.guardian_ids <> '{}') execute function usance.accounts_have_real_guardians();

-- Requests and tokens name an account by its ref: a ref that moved would send their money elsewhere. Only erasure of a closed account
-- takes it away.
create function usance.accounts_keep_their_ref() returns trigger language plpgsql as $$
begin
  if (new.id, new.tenant_id, new.kind, new.created_at) is distinct from (old.id, old.tenant_id, old.kind, old.created_at)
     or (new.ref <> old.ref and (old.status <> 'closed' or new.ref <> 'erased-' || old.id)) then
    raise exception 'account %: its ref and kind do not change', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger accounts_keep_their_ref before update on usance.accounts
  for each row execute function usance.accounts_keep_their_ref();
create trigger accounts_stay before delete or truncate on usance.accounts
  for each statement execute function usance.refuse_change();
create trigger assets_stay before update or delete or truncate on usance.assets
  for each statement execute function usance.refuse_change();
