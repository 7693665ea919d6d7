-- Events: what happened and who caused it, for consumers and for auditors. The table only grows. It is partitioned by id: ids are
-- UUIDv7, so a range of ids is a range of time, the primary key stays (tenant_id, id), and an old month can be detached whole.
-- Safe for older workers: there are none.

-- Raises for every role, the owner too; the runtime role lacks the right as well. Only a superuser who drops the trigger
-- gets past it, and `usance verify` finds what such a user changes.
create function usance.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

-- An event id is the id of its block plus an ordinal: the last 16 bits (src/kernel/id.ts has the same two functions).
create function usance.block_of(event_id uuid) returns uuid language sql immutable parallel safe as $$
  select (left(event_id::text, 32) || '0000')::uuid
$$;

create function usance.ordinal_of(event_id uuid) returns int language sql immutable parallel safe as $$
  select ('x' || right(event_id::text, 4))::bit(16)::int
$$;

-- No foreign key to tenants: its check runs once a row. A trigger below asks once a statement.
-- `data` is json and not jsonb: it keeps the exact text, which is what the appender hashed. `ip` is text for the same reason.
create table usance.events (
  tenant_id     uuid not null,
  id            uuid not null,
  type          text not null,
  version       smallint not null,
  resource      text not null,
  resource_id   uuid not null,
  data          json not null,
  actor         text not null,
  ip            text,
  user_agent    text,
  request_id    text,
  trace_context text,
  occurred_at   timestamptz not null,
  recorded_at   timestamptz not null,
  -- The details (data, ip, user_agent, request_id, trace_context) enter the hash as a salted digest only, so that they can be erased. Null once erased.
  salt          uuid,
  -- Their digest, stored when they are erased.
  details       bytea check (octet_length(details) = 32),
  primary key (tenant_id, id),
  constraint events_salted_or_erased check ((salt is null) = (details is not null)),
  -- Verify reads the events of every tenant: none of them may be one that cannot be read.
  constraint events_readable check (
    occurred_at >= '0001-01-01 00:00Z' and occurred_at < '10000-01-01 00:00Z'
    and recorded_at >= '0001-01-01 00:00Z' and recorded_at < '10000-01-01 00:00Z'
    and json_typeof(data) = 'object')
) partition by range (id);

create index events_resource on usance.events (resource_id, id);

-- What an event told, for checks over all tenants. json admits text that jsonb refuses (\u0000, 1e999999): a cast of one such row, which none
-- of our programs appends, would end the check of all. Casting in a constraint takes up to 4 µs an event.
create function usance.told_data(data json) returns jsonb language plpgsql immutable as $$
begin
  return data::jsonb;
exception when others then
  return '{"unreadable": true}';
end $$;

-- Blocks that the sequencer has not ordered yet, one row per call that appended. Rows leave when they are ordered.
--   xid  the appending transaction: the sequencer takes what its last snapshot could not see, whatever its age
--   n    counts calls in real time: a transaction that saw another's effects appended after it, and has a larger n
-- The constraints keep every row one that the sequencer can order.
create table usance.event_inbox (
  xid         xid8 not null default pg_current_xact_id(),
  n           bigint not null generated always as identity,
  tenant_ids  uuid[] not null,
  block_ids   uuid[] not null,
  counts      int[] not null,
  digests     bytea not null,
  recorded_at timestamptz not null,
  primary key (xid, n),
  constraint event_inbox_even check (
    cardinality(tenant_ids) > 0 and cardinality(block_ids) = cardinality(tenant_ids) and cardinality(counts) = cardinality(tenant_ids)
    and octet_length(digests) = 32 * cardinality(tenant_ids)),
  constraint event_inbox_whole check (
    array_position(tenant_ids, null) is null and array_position(block_ids, null) is null and array_position(counts, null) is null),
  constraint event_inbox_counted check (0 < all (counts) and 8192 >= all (counts) and cardinality(counts) <= 10000),
  constraint event_inbox_readable check (recorded_at >= '0001-01-01 00:00Z' and recorded_at < '10000-01-01 00:00Z'),
  -- The id of a block ends with four zeros: with another end it would lead to the same events a second time.
  constraint event_inbox_blocks check (array_to_string(block_ids, ' ') !~ '[^0].{0,3}( |$)')
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

-- The smallest UUIDv7 of an instant.
create function usance.first_id_at(instant timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Makes the monthly partitions of a history table from the given month on. Months that exist are left alone, and rows
-- of a month that has none go to the default partition, so being late costs tidiness, never a write. A month that has rows there
-- already, by ids of a fast clock, stays there: it is skipped, and the others are made. Those of append-only tables get the
-- trigger of their parent, which a statement that names the partition itself would not meet.
create function usance.ensure_partitions(history_table text, first_month date, months int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  month date;
  partition text;
  first_id uuid;
  end_id uuid;
  is_taken boolean;
  made int := 0;
  is_immutable constant boolean := history_table in ('events', 'transfers');
  guard constant text := 'create trigger %I before update or delete or truncate on usance.%I
    for each statement execute function usance.refuse_change()';
begin
  -- The name goes into DDL run with the owner's rights: nothing but the tables this was made for.
  if history_table not in ('events', 'transfers', 'executions', 'invocations') then
    raise exception 'no history table is called %', history_table;
  end if;
  perform pg_advisory_xact_lock(hashtext('usance.partitions'));
  partition := history_table || '_default';
  if to_regclass('usance.' || quote_ident(partition)) is null then
    execute format('create table usance.%I partition of usance.%I default', partition, history_table);
    if is_immutable then
      execute format(guard, partition || '_is_immutable', partition);
    end if;
  end if;
  for offset_months in 0 .. months - 1 loop
    month := (date_trunc('month', first_month) + make_interval(months => offset_months))::date;
    partition := history_table || to_char(month, '_YYYY_MM');
    if to_regclass('usance.' || quote_ident(partition)) is null then
      first_id := usance.first_id_at(month::timestamp at time zone 'UTC');
      end_id := usance.first_id_at((month + interval '1 month')::timestamp at time zone 'UTC');
      execute format('select exists (select from usance.%I where id >= $1 and id < $2)', history_table || '_default')
        into is_taken using first_id, end_id;
      if is_taken then
        raise warning 'the partition % is not made: rows of its month are in %_default already', partition, history_table;
        continue;
      end if;
      execute format(
        'create table usance.%I partition of usance.%I for values from (%L) to (%L)',
        partition, history_table, first_id, end_id);
      if is_immutable then
        execute format(guard, partition || '_is_immutable', partition);
      end if;
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
