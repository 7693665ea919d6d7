-- Guards of payouts, by tenant: addresses that may be paid, caps of one payout and of a day, and what was signed by the hour.
-- src/payouts/guards/README.md has the rules. Safe for older workers in that they run; they ask no guard, so stop them before one is set.

create table usance.payout_policies (
  tenant_id     uuid primary key references usance.tenants (id),
  -- Payouts go to listed addresses only.
  listed_only   boolean not null default false,
  -- How long after it was added, or approved, a new address may be paid.
  wait_ms       bigint not null default 0 check (wait_ms between 0 and 2678400000),
  -- A second person approves each new address.
  second_person boolean not null default false,
  updated_at    timestamptz not null
);

create table usance.payout_destinations (
  tenant_id   uuid not null references usance.tenants (id),
  id          uuid not null,
  chain       text not null,
  address     text not null,
  label       text check (length(label) between 1 and 100),
  added_by    text not null,
  added_at    timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  -- When it may be paid, by the tenant's clock; null while it awaits approval.
  usable_at   timestamptz,
  removed_by  text,
  removed_at  timestamptz,
  primary key (tenant_id, id),
  constraint payout_destinations_approved_by_someone check ((approved_at is null) = (approved_by is null)),
  constraint payout_destinations_removed_by_someone check ((removed_at is null) = (removed_by is null)),
  constraint payout_destinations_need_another check (approved_by is distinct from added_by or approved_by is null),
  constraint payout_destinations_usable_later check (usable_at >= added_at and usable_at >= coalesce(approved_at, added_at))
);

create unique index payout_destinations_listed on usance.payout_destinations (tenant_id, chain, address) where removed_at is null;

-- Approved once, removed once, and nothing else of it changes.
create function usance.payout_destinations_move_forward() returns trigger language plpgsql as $$
begin
  if old.removed_at is not null
     or to_jsonb(new) - '{approved_by,approved_at,usable_at,removed_by,removed_at}'::text[]
        <> to_jsonb(old) - '{approved_by,approved_at,usable_at,removed_by,removed_at}'::text[]
     or (old.usable_at is not null
         and (new.usable_at, new.approved_by, new.approved_at) is distinct from (old.usable_at, old.approved_by, old.approved_at))
     or (old.usable_at is null and new.usable_at is not null and new.approved_at is null)
  then
    raise exception 'destination % may not change like this', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger payout_destinations_move_forward before update on usance.payout_destinations
  for each row execute function usance.payout_destinations_move_forward();
create trigger payout_destinations_stay before delete or truncate on usance.payout_destinations
  for each statement execute function usance.refuse_change();

-- What one payout may be, and what may be signed in any 24 hours. A row without both leaves with the change that made it so.
create table usance.payout_caps (
  tenant_id    uuid not null,
  asset        text not null,
  -- Empty: all chains together.
  chain        text not null,
  max_amount   bigint check (max_amount > 0),
  daily_amount bigint check (daily_amount > 0),
  updated_at   timestamptz not null,
  primary key (tenant_id, asset, chain),
  constraint payout_caps_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset)
);

-- What was signed, by the hour of the tenant's clock; given back when an attempt has ended without paying. Written under the lock of the wallet's
-- balance; a daily cap is decided under the lock of its row.
create table usance.payout_spend (
  tenant_id uuid not null,
  asset     text not null,
  chain     text not null,
  hour      timestamptz not null,
  amount    bigint not null check (amount >= 0),
  primary key (tenant_id, asset, chain, hour)
) with (fillfactor = 70);
