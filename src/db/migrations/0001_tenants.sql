-- Tenants: separate sets of everything, and the record of what an idempotency key has done.
-- Safe for older workers: there are none.

create table usance.tenants (
  id            uuid primary key,
  name          text not null check (length(name) between 1 and 100),
  kind          text not null check (kind in ('live', 'test')),
  default_asset text,
  created_at    timestamptz not null default now(),
  -- The first live tenant: it sees and makes tenants, JWT_SECRET signs for its end users, and the bootstrap key is its own.
  is_first      boolean not null default false,
  constraint tenants_name_key unique (name),
  constraint tenants_first_is_live check (kind = 'live' or not is_first)
);

create unique index tenants_one_is_first on usance.tenants (is_first) where is_first;

-- A tenant keeps its name and kind, and the first stays the first: it sees all tenants. Settings may change. For everyone, the owner too.
create function usance.tenants_only_change_settings() returns trigger language plpgsql as $$
begin
  if (new.id, new.name, new.kind, new.is_first, new.created_at) is distinct from
     (old.id, old.name, old.kind, old.is_first, old.created_at) then
    raise exception 'tenant %: only its settings change', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger tenants_only_change_settings before update on usance.tenants
  for each row execute function usance.tenants_only_change_settings();

-- One key → one fingerprint → one result, within a tenant and an actor. Only committed effects are here: the row is
-- written in the transaction of the effect it remembers.
create table usance.idempotency_keys (
  tenant_id   uuid not null references usance.tenants (id),
  actor       text not null check (length(actor) between 1 and 200),
  key         text not null check (length(key) between 1 and 255),
  fingerprint text not null,
  -- Text, not jsonb: a replay is the first answer to the byte, and jsonb would sort its keys.
  -- Null once it was erased with the account it showed: the request stays done, and is not replayed.
  answer      text,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, actor, key)
);

create index idempotency_keys_created_at on usance.idempotency_keys using brin (created_at);
