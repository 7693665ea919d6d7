-- Test clocks: the time of a test tenant, moved by hand. And on wakes whose they are, so that a processor of real time
-- leaves those of test tenants alone.
-- Safe for older workers as long as there is no test clock: an older processor takes every wake.

alter table usance.tenants add constraint tenants_kind_key unique (id, kind);

create table usance.test_clocks (
  tenant_id      uuid not null,
  id             uuid not null,
  -- The id of the tenant's first clock. Due rows carry it, so that those of a deleted clock wait for the next one.
  timeline_id    uuid not null,
  -- Always the same: with it the foreign key says that a live tenant has no clock, and that a tenant with one stays a test.
  tenant_kind    text not null default 'test' check (tenant_kind = 'test'),
  name           text not null check (length(name) between 1 and 100),
  stands_at      timestamptz not null,
  status         text not null default 'ready' check (status in ('ready', 'advancing', 'failed')),
  created_at     timestamptz not null default clock_timestamp(),
  -- Real time. A deleted clock keeps its row: the next one does not start before where it stood.
  deleted_at     timestamptz,

  -- The advance that is under way, or the last one. Instants of the tenant's time …
  advance_from   timestamptz,
  advance_to     timestamptz,
  steps          int not null default 0,
  -- … and of real time.
  requested_at   timestamptz,
  finished_at    timestamptz,
  -- The events it lies between.
  began_event_id uuid,
  ended_event_id uuid,
  code           text,
  detail         text,
  -- Ended by a caller before it arrived.
  cancelled      boolean not null default false,

  -- Who advances it: real time, and a number that only grows. `tries` counts claims since the last step that was committed.
  leased_until   timestamptz,
  fence          bigint not null default 0,
  tries          int not null default 0,

  primary key (tenant_id, id),
  constraint test_clocks_of_test_tenants foreign key (tenant_id, tenant_kind) references usance.tenants (id, kind),
  constraint test_clocks_readable check (stands_at between '1900-01-01 00:00Z' and '9999-12-31 23:59Z'
    and advance_to between '1900-01-01 00:00Z' and '9999-12-31 23:59Z'),
  -- What compares with it must not be early: instants of a tenant are whole milliseconds.
  constraint test_clocks_whole_milliseconds check (stands_at = date_trunc('milliseconds', stands_at)),
  constraint test_clocks_advance_is_whole check (
    num_nulls(advance_from, advance_to, requested_at, began_event_id) in (0, 4)
    and (status = 'ready' or advance_from is not null)
    and (finished_at is null) = (ended_event_id is null)
    and (status = 'advancing') = (advance_from is not null and finished_at is null)),
  constraint test_clocks_stay_within_advance check (
    advance_from is null or stands_at between advance_from and advance_to),
  constraint test_clocks_ready_arrived check (
    status <> 'ready' or advance_to is null or cancelled or stands_at = advance_to),
  constraint test_clocks_cancelled_ended check (not cancelled or (status = 'ready' and finished_at is not null)),
  constraint test_clocks_deleted_at_rest check (deleted_at is null or status <> 'advancing'),
  constraint test_clocks_failed_says_why check ((status = 'failed') = (code is not null)),
  constraint test_clocks_leased_while_advancing check (leased_until is null or status = 'advancing')
);

create unique index test_clocks_one_a_tenant on usance.test_clocks (tenant_id) where deleted_at is null;

-- What the loops look for, whoever had the fewest turns first.
create index test_clocks_advancing on usance.test_clocks (fence, id) where status = 'advancing';

-- Time only goes forward, a fence never goes back, and an advance ends before the next begins.
create function usance.test_clocks_go_forward() returns trigger language plpgsql as $$
begin
  if new.stands_at < old.stands_at or new.fence < old.fence
     or (new.tenant_id, new.id, new.timeline_id) is distinct from (old.tenant_id, old.id, old.timeline_id)
     or old.deleted_at is not null
     or (new.status <> old.status and 'advancing' not in (new.status, old.status))
     or (old.status = 'advancing' and new.status = 'advancing'
         and (new.advance_from, new.advance_to) is distinct from (old.advance_from, old.advance_to))
     or (old.status <> 'advancing' and new.stands_at <> old.stands_at) then
    raise exception 'test clock % would not go forward', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger test_clocks_go_forward before update on usance.test_clocks
  for each row execute function usance.test_clocks_go_forward();
-- Nor does it go back from a deleted clock to the next: all clocks of a tenant share one timeline.
create function usance.test_clocks_follow() returns trigger language plpgsql as $$
begin
  if exists (select from usance.test_clocks c where c.tenant_id = new.tenant_id
             and (c.stands_at > new.stands_at or c.timeline_id <> new.timeline_id)) then
    raise exception 'test clock % would not follow the one before it', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger test_clocks_follow before insert on usance.test_clocks
  for each row execute function usance.test_clocks_follow();
create trigger test_clocks_stay before delete or truncate on usance.test_clocks
  for each statement execute function usance.refuse_change();

alter table usance.balance_wakes add column clock_id uuid;
create index balance_wakes_clock on usance.balance_wakes (clock_id);
