-- What is overdue at once, over all schedules of a tenant, may wait for a person: more than a set number of schedules, or more
-- than a set sum of an asset. An outage is a row: of what was due up to `through` nothing is made until somebody releases or
-- discards it. Safe for older workers: tables they do not read; they make what is due, as before.

create table usance.outage_guards (
  tenant_id uuid not null references usance.tenants (id),
  -- Of a sum; null: of the number of schedules.
  asset     text,
  most      bigint not null check (most > 0),
  constraint outage_guards_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset)
);

create unique index outage_guards_key on usance.outage_guards (tenant_id, asset) nulls not distinct;

create table usance.outages (
  tenant_id  uuid not null references usance.tenants (id),
  id         uuid not null,
  status     text not null check (status in ('waiting', 'released', 'discarded')),
  since      timestamptz not null,
  through    timestamptz not null,
  -- [{"asset", "count", "amount"}]: schedules, and what they were to pay, at a slot each.
  overdue    jsonb not null,
  reason     text,
  decided_by text,
  decided_at timestamptz,
  primary key (tenant_id, id),
  constraint outages_since_before_through check (since <= through),
  -- A scheduler reads the outages of every tenant: none of them may be one that cannot be read.
  constraint outages_readable check (since >= '1900-01-01 00:00Z' and through <= '9999-12-31 23:59Z'),
  constraint outages_decided_by_someone
    check ((status = 'waiting') = (decided_at is null) and (decided_at is null) = (decided_by is null))
);

create unique index outages_one_waits on usance.outages (tenant_id) where status = 'waiting';

-- The one change of a row is what became of it, once.
create trigger outages_are_decided_once before update on usance.outages for each row
  when (old.status <> 'waiting' or new.status = 'waiting'
        or (new.tenant_id, new.id, new.since, new.through, new.overdue)
           is distinct from (old.tenant_id, old.id, old.since, old.through, old.overdue))
  execute function usance.refuse_change();
create trigger outages_stay before delete or truncate on usance.outages
  for each statement execute function usance.refuse_change();
