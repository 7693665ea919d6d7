-- API keys, and the order of events. Safe for older workers: new tables only.

-- A key is shown once and kept as a digest; the prefix is what people recognise it by.
create table usance.api_keys (
  tenant_id    uuid not null references usance.tenants (id),
  id           uuid not null,
  name         text not null check (length(name) between 1 and 100),
  prefix       text not null,
  digest       bytea not null,
  scopes       text[] not null,
  created_at   timestamptz not null default clock_timestamp(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  primary key (tenant_id, id),
  constraint api_keys_digest_key unique (digest)
);

-- The order of events and their hash chain. One row per block, written once by the sequencer: it numbers the block's events and links
-- the block to the last one of its tenant in the same step.
--   first_position  counts events of all tenants, without gaps. It never leaves the engine. Two sequencers at once would both insert
--                   the same one, and the primary key refuses the second.
--   last_seq        the number of the block's last event among those of its tenant, without gaps. `last` and not `first`, so that
--                   "after a seq" is one range scan: last_seq > $1.
--   number          counts the tenant's blocks, 1, 2, 3 …
--   skip_seq        last_seq of an earlier block, or 0 (src/events/chain.ts says of which). The hash covers that block's hash too, so
--                   that a receipt needs a few dozen links, not all of them.
-- Partitioned by position, so that indexes and vacuum stay small; a small store uses one partition. Not to be detached: the chain of a
-- tenant that was quiet since ends in an old one.
create table usance.event_blocks (
  first_position bigint not null check (first_position > 0),
  tenant_id      uuid not null,
  last_seq       bigint not null,
  number         bigint not null check (number > 0),
  block_id       uuid not null check (block_id = usance.block_of(block_id)),
  events         int not null check (events between 1 and 8192),
  recorded_at    timestamptz not null,
  ordered_at     timestamptz not null default clock_timestamp(),
  digest         bytea not null check (octet_length(digest) = 32),
  skip_seq       bigint not null,
  hash           bytea not null check (octet_length(hash) = 32),
  primary key (first_position)
) partition by range (first_position);

create index event_blocks_seq on usance.event_blocks (tenant_id, last_seq);

-- The order grows at its end only, without gaps, over all tenants and for each. A row that does not follow would stay for good, and could stop
-- the order of its tenant or of all: it is refused, also to the runtime role, which the sequencer has.
create function usance.blocks_follow() returns trigger language plpgsql as $$
declare
  first bigint;
  last bigint;
begin
  select min(t.first_position), max(t.first_position) into first, last from told t;
  if exists (select from usance.event_blocks b where b.first_position > last) or exists (
    select from (
      select t.*, lag(t.first_position + t.events) over (order by t.first_position) as position_before,
             lag(t.last_seq) over chain as seq_before, lag(t.number) over chain as number_before
      from told t window chain as (partition by t.tenant_id order by t.first_position)
    ) t
    where t.first_position <> coalesce(t.position_before, (
            select b.first_position + b.events from usance.event_blocks b
            where b.first_position < first order by b.first_position desc limit 1), 1)
       or t.last_seq - t.events <> coalesce(t.seq_before, (
            select b.last_seq from usance.event_blocks b
            where b.tenant_id = t.tenant_id and b.first_position < first order by b.last_seq desc limit 1), 0)
       or t.number - 1 <> coalesce(t.number_before, (
            select b.number from usance.event_blocks b
            where b.tenant_id = t.tenant_id and b.first_position < first order by b.last_seq desc limit 1), 0)
  ) then
    raise exception 'a block does not follow the end of the order' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger event_blocks_follow after insert on usance.event_blocks
  referencing new table as told for each statement execute function usance.blocks_follow();

create trigger event_blocks_are_immutable before update or delete or truncate on usance.event_blocks
  for each statement execute function usance.refuse_change();

-- Makes the partitions of the given position, or of the end of the order if that is further, and of the next `ahead` ones, of 2^27
-- events each. They are attached, which waits for no reader and no writer of the others. In each a block can be ordered once; the sequencer
-- and `usance verify` compare all of them.
create function usance.ensure_block_partitions(at_position bigint, ahead int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  size constant bigint := 1 << 27;
  partition text;
  made int := 0;
  first bigint;
begin
  if at_position < 0 or ahead not between 0 and 8 or at_position > size + coalesce(
    (select b.first_position from usance.event_blocks b order by b.first_position desc limit 1), 0)
  then
    raise exception 'no partition of event_blocks has position %, or % partitions ahead', at_position, ahead;
  end if;
  perform pg_advisory_xact_lock(hashtext('usance.partitions'));
  first := greatest(at_position, (select first_position + events from usance.event_blocks order by first_position desc limit 1)) / size;
  for k in first .. first + ahead loop
    partition := 'event_blocks_' || k;
    if to_regclass('usance.' || quote_ident(partition)) is null then
      execute format('create table usance.%I (like usance.event_blocks including defaults including constraints)', partition);
      execute format('create unique index %I on usance.%I (tenant_id, block_id)', partition || '_block', partition);
      execute format('alter table usance.event_blocks attach partition usance.%I for values from (%s) to (%s)',
        partition, k * size, (k + 1) * size);
      execute format('create trigger %I before update or delete or truncate on usance.%I
        for each statement execute function usance.refuse_change()', partition || '_is_immutable', partition);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
