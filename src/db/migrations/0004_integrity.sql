-- The continuous check: how far each balance has been proven, and which (tenant, asset) is frozen because its books do
-- not add up. Safe for older workers: there are none.

-- Everything up to `through` adds up to `total`. Only a shortcut: a mismatch is always counted again from the
-- beginning before anything is frozen.
create table usance.balance_checkpoints (
  tenant_id  uuid not null,
  account_id uuid not null,
  asset      text not null,
  through    uuid not null,
  total      numeric not null,
  checked_at timestamptz not null,
  primary key (tenant_id, account_id, asset)
);

create table usance.freezes (
  tenant_id   uuid not null,
  id          uuid not null,
  asset       text not null,
  violation   text not null,
  details     jsonb not null,
  frozen_at   timestamptz not null default clock_timestamp(),
  lifted_at   timestamptz,
  lifted_by   text,
  lift_reason text,
  primary key (tenant_id, id),
  constraint freezes_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset),
  constraint freezes_lifted_by_someone check ((lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_reason is null))
);

create unique index freezes_one_at_a_time on usance.freezes (tenant_id, asset) where lifted_at is null;

-- A freeze is lifted once, and nothing else about it changes.
create function usance.freezes_are_lifted_once() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{lifted_at,lifted_by,lift_reason}'::text[]) <> (to_jsonb(old) - '{lifted_at,lifted_by,lift_reason}'::text[])
     or old.lifted_at is not null then
    raise exception 'freeze %: it is lifted once, and nothing else about it changes', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger freezes_are_lifted_once before update on usance.freezes
  for each row execute function usance.freezes_are_lifted_once();
