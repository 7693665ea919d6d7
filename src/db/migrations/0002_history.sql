-- What happened and who did it: the one record, for followers and for auditors. It only ever grows, and is partitioned by
-- id: ids are UUIDv7, so a range of ids is a range of time, the primary key stays (tenant_id, id), and an old month can be detached whole.
-- Safe for older workers: there are none.

-- Raises for everyone, the owner too; the runtime role has not even the right. Only a superuser who takes the trigger
-- off gets past it, and `usance verify` is there to notice.
create function usance.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

-- No foreign key to tenants: its check runs once a row. A trigger below asks once a statement.
create table usance.events (
  tenant_id     uuid not null,
  id            uuid not null,
  type          text not null,
  resource      text not null,
  resource_id   uuid not null,
  data          jsonb not null,
  actor         text not null,
  ip            inet,
  user_agent    text,
  request_id    text,
  trace_context text,
  occurred_at   timestamptz not null,
  recorded_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  -- A sealer reads the events of every tenant: none of them may be one that cannot be read.
  constraint events_readable check (isfinite(occurred_at) and isfinite(recorded_at))
) partition by range (id);

create index events_resource on usance.events (resource_id, id);

-- What the sequencer has not yet given a place in the order. Rows leave as soon as they are sequenced.
create table usance.event_inbox (
  event_id  uuid primary key,
  tenant_id uuid not null
);

create function usance.events_stay_in_tenant() returns trigger language plpgsql as $$
declare
  stray uuid;
begin
  select t.tenant_id into stray
  from (select distinct tenant_id from told) t left join usance.tenants k on k.id = t.tenant_id
  where k.id is null limit 1;
  if stray is not null then
    raise exception 'there is no tenant % to tell of', stray using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create trigger events_stay_in_tenant after insert on usance.events
  referencing new table as told for each statement execute function usance.events_stay_in_tenant();

create trigger events_are_immutable before update or delete or truncate on usance.events
  for each statement execute function usance.refuse_change();

-- The smallest UUIDv7 of an instant.
create function usance.first_id_at(instant timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Makes the monthly partitions of a history table from the given month on. Months that exist are left alone, and rows
-- of a month that has none go to the default partition, so being late costs tidiness, never a write. Each gets the
-- trigger of its parent, which a statement that names the partition itself would not meet.
create function usance.ensure_partitions(history_table text, first_month date, months int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  month date;
  partition text;
  made int := 0;
  guard constant text := 'create trigger %I before update or delete or truncate on usance.%I
    for each statement execute function usance.refuse_change()';
begin
  -- The name goes into DDL run with the owner's rights: nothing but the tables this was made for.
  if history_table not in ('events', 'transfers') then
    raise exception 'no history table is called %', history_table;
  end if;
  perform pg_advisory_xact_lock(hashtext('usance.partitions'));
  partition := history_table || '_default';
  if to_regclass('usance.' || quote_ident(partition)) is null then
    execute format('create table usance.%I partition of usance.%I default', partition, history_table);
    execute format(guard, partition || '_is_immutable', partition);
  end if;
  for offset_months in 0 .. months - 1 loop
    month := (date_trunc('month', first_month) + make_interval(months => offset_months))::date;
    partition := history_table || to_char(month, '_YYYY_MM');
    if to_regclass('usance.' || quote_ident(partition)) is null then
      execute format(
        'create table usance.%I partition of usance.%I for values from (%L) to (%L)',
        partition, history_table,
        usance.first_id_at(month::timestamp at time zone 'UTC'),
        usance.first_id_at((month + interval '1 month')::timestamp at time zone 'UTC'));
      execute format(guard, partition || '_is_immutable', partition);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
