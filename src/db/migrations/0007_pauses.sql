-- Pause switches: stop what leaves, for a whole tenant, one asset or one rail. And a tenant's cap of executions a second.
-- Safe for older workers: new tables, and a column they do not read.

create table usance.pauses (
  tenant_id  uuid not null references usance.tenants (id),
  id         uuid not null,
  scope      text not null check (scope in ('tenant', 'asset', 'rail')),
  value      text not null,
  reason     text not null,
  paused_by  text not null,
  paused_at  timestamptz not null default clock_timestamp(),
  lifted_by  text,
  lifted_at  timestamptz,
  primary key (tenant_id, id),
  constraint pauses_tenant_has_no_value check ((scope = 'tenant') = (value = '')),
  constraint pauses_lifted_by_someone check ((lifted_at is null) = (lifted_by is null))
);

create unique index pauses_one_at_a_time on usance.pauses (tenant_id, scope, value) where lifted_at is null;

-- A pause is only ever lifted, once; `usance verify` checks that an event says so.
create function usance.pauses_are_only_lifted() returns trigger language plpgsql as $$
begin
  if old.lifted_at is not null or to_jsonb(new) - '{lifted_by,lifted_at}'::text[] <> to_jsonb(old) - '{lifted_by,lifted_at}'::text[] then
    raise exception 'pause %: it is lifted once, and nothing else of it changes', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger pauses_are_only_lifted before update on usance.pauses
  for each row execute function usance.pauses_are_only_lifted();

alter table usance.tenants add column executions_per_second int check (executions_per_second > 0);

create table usance.execution_rates (
  tenant_id uuid primary key references usance.tenants (id),
  second    timestamptz not null,
  used      int not null
);
