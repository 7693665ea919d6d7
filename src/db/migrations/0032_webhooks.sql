-- Webhook endpoints, and the attempts of their deliveries. src/webhooks/README.md has the states and the invariants.
-- Safe for older workers: new tables, a wider list of history tables, and a function that erases more. An older worker runs no delivery.

-- An endpoint owns the job with its id, which has the pattern, the order, the rate, the retry policy and whether it is enabled.
create table usance.webhook_endpoints (
  tenant_id        uuid not null,
  id               uuid not null,
  url              text not null check (length(url) between 1 and 2000),
  description      text not null check (length(description) <= 1000),
  payload          text not null check (payload in ('full', 'thin')),
  -- Names of the custom headers, which can be shown without a key; names and values are in `headers`.
  header_names     text[] not null default '{}',
  headers          bytea check (octet_length(headers) >= 33 and get_byte(headers, 0) = 1),
  headers_key      text generated always as (usance.encryption_key_of(headers)) stored
    constraint webhook_endpoints_headers_encryption_key references usance.encryption_keys (id),
  secret           bytea check (octet_length(secret) >= 33 and get_byte(secret, 0) = 1),
  secret_key       text generated always as (usance.encryption_key_of(secret)) stored
    constraint webhook_endpoints_secret_encryption_key references usance.encryption_keys (id),
  -- Signs too until it expires, by the server's clock.
  previous_secret  bytea check (octet_length(previous_secret) >= 33 and get_byte(previous_secret, 0) = 1),
  previous_secret_key text generated always as (usance.encryption_key_of(previous_secret)) stored
    constraint webhook_endpoints_previous_secret_encryption_key references usance.encryption_keys (id),
  previous_secret_expires_at timestamptz,
  plain_signature  boolean not null,
  retry_preset     text not null check (retry_preset in ('webhook', 'webhook-quick')),
  send_test_events boolean not null,
  -- Why the job is disabled; null while it is enabled.
  disabled_reason  text check (disabled_reason in ('caller', 'gone', 'failing')),
  -- Health, by the server's clock. `failing_since` is the first failed attempt since the last success, `last_failed_at` the last one.
  last_success_at  timestamptz,
  failing_since    timestamptz,
  last_failed_at   timestamptz,
  warned_at        timestamptz,
  gone_at          timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  deleted_at       timestamptz,
  primary key (tenant_id, id),
  constraint webhook_endpoints_job foreign key (tenant_id, id) references usance.jobs (tenant_id, id),
  -- A live one has no secret after its key was given up; the next rotation makes one.
  constraint webhook_endpoints_secrets check (
    deleted_at is null or (secret is null and previous_secret is null and headers is null)),
  constraint webhook_endpoints_headers check ((headers is not null) = (cardinality(header_names) > 0)),
  constraint webhook_endpoints_rotation check ((previous_secret is null) = (previous_secret_expires_at is null))
) with (fillfactor = 80);

-- The live endpoints of a tenant, however many it has deleted.
create index webhook_endpoints_live on usance.webhook_endpoints (tenant_id, id) where deleted_at is null;
create index webhook_endpoints_failing on usance.webhook_endpoints (failing_since)
  where failing_since is not null and disabled_reason is null and deleted_at is null;
create index webhook_endpoints_disabled on usance.webhook_endpoints (tenant_id, id)
  where disabled_reason in ('gone', 'failing') and deleted_at is null;
-- Previous secrets whose grace period is over: the loop `webhooks` deletes them.
create index webhook_endpoints_previous_secret_expiry on usance.webhook_endpoints (previous_secret_expires_at)
  where previous_secret_expires_at is not null;
create index webhook_endpoints_secret_key on usance.webhook_endpoints (secret_key, id) where secret_key is not null;
create index webhook_endpoints_previous_secret_key on usance.webhook_endpoints (previous_secret_key, id) where previous_secret_key is not null;
create index webhook_endpoints_headers_key on usance.webhook_endpoints (headers_key, id) where headers_key is not null;

-- Attempts of deliveries: the request, the response and the timing. The id is that of the invocation, so that months are those of executions.
-- Rows leave with old months; bodies are deleted earlier, and by erasure. The runtime role may only insert.
create table usance.delivery_attempts (
  tenant_id          uuid not null,
  id                 uuid not null,
  execution_id       uuid not null,
  endpoint_id        uuid not null,
  attempt            int not null check (attempt > 0),
  -- By the server's clock, also in a test tenant.
  ended_at           timestamptz not null,
  -- Null: recorded and not sent.
  url                text,
  request_headers    jsonb,
  request_bytes      int,
  request_digest     bytea,
  response_status    int,
  response_headers   jsonb,
  response_body      text check (length(response_body) <= 8192),
  response_truncated boolean not null default false,
  dns_ms             real,
  connect_ms         real,
  first_byte_ms      real,
  total_ms           real,
  -- The code of a failure without a complete response.
  failure            text,
  primary key (tenant_id, id)
) partition by range (id);

-- Which months have bodies that are old; few entries are left behind once they are deleted.
create index delivery_attempts_bodies on usance.delivery_attempts (ended_at) where response_body is not null or request_digest is not null;
-- Which attempts are old, and whether a month has any that is not.
create index delivery_attempts_ended on usance.delivery_attempts (ended_at);

-- As before, for one more table.
create or replace function usance.ensure_partitions(history_table text, first_month date, months int) returns int
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
  if history_table not in ('events', 'transfers', 'executions', 'invocations', 'delivery_attempts') then
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

select usance.ensure_partitions('delivery_attempts', now()::date, 4);

-- As before, and what endpoints answered to deliveries of these events.
create or replace function usance.erase_executions(tenant uuid, ids uuid[]) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  erased constant uuid[] := array(
    select e.id from usance.events e where e.tenant_id = tenant and e.id = any (ids) and e.salt is null and e.details is not null);
  says constant text := 'the event was erased';
  instant text;
  first uuid;
  last uuid;
  executions uuid[];
  found int := 0;
begin
  for instant in select distinct left(e::text, 13) from unnest(erased) e loop
    first := (instant || '-0000-0000-000000000000')::uuid;
    last := (instant || '-ffff-ffff-ffffffffffff')::uuid;
    -- The queue first: one that ends meanwhile is in history for the next statement.
    with marked as (
      update usance.execution_queue q set last_code = 'EVENT_ERASED', last_error = says
      where q.tenant_id = tenant and q.id >= first and q.id <= last and q.event_id = any (erased) returning q.id)
    select coalesce(array_agg(id), '{}') into executions from marked;
    with cleared as (
      update usance.executions e set result = null, error = case when e.error is not null then says end
      where e.tenant_id = tenant and e.id >= first and e.id <= last and e.event_id = any (erased) returning e.id)
    select executions || coalesce(array_agg(id), '{}') into executions from cleared;
    update usance.invocations v set error = says
    where v.tenant_id = tenant and v.id >= first and v.id <= last and v.execution_id = any (executions);
    update usance.delivery_attempts a set response_body = null, response_headers = null, request_digest = null
    where a.tenant_id = tenant and a.id >= first and a.id <= last and a.execution_id = any (executions);
    update usance.execution_dead_letters l set detail = says where l.tenant_id = tenant and l.execution_id = any (executions);
    found := found + cardinality(executions);
  end loop;
  return found;
end $$;

-- Deletes what endpoints answered before an instant, and the digests of what was sent: so many rows at most. Nothing of the last hour.
-- Each row is looked up by its key: other plans read the whole table for every set.
create function usance.delete_delivery_bodies(before timestamptz, at_most int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  deleted int;
begin
  if before > now() - interval '1 hour' then
    raise exception 'bodies of the last hour are not deleted';
  end if;
  with old as materialized (
    select b.tenant_id, b.id from usance.delivery_attempts b
    where b.ended_at < before and (b.response_body is not null or b.request_digest is not null)
    order by b.ended_at limit at_most for update skip locked)
  update usance.delivery_attempts a set response_body = null, response_headers = null, request_digest = null
  from old where a.tenant_id = old.tenant_id and a.id = old.id;
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- Drops the first month of attempts whose events are all of before an instant, if none of them ended later. If there is none, deletes so many old rows at
-- most: of months that cannot be dropped, and those without a month. Others leave with their month. Returns how many rows were deleted; -1: a month was
-- dropped. The lock is waited for shortly; a timeout (55P03) means another time.
create function usance.forget_delivery_attempts(before timestamptz, at_most int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  month record;
  is_kept boolean;
  found int;
  deleted int := 0;
begin
  if before > now() - interval '1 day' then
    raise exception 'attempts of the last day are not forgotten';
  end if;
  for month in
    select c.relname as partition, c.relname <> 'delivery_attempts_default' as is_month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (
      select case when c.relname ~ '_[0-9]{4}_[0-9]{2}$' then to_date(right(c.relname, 7), 'YYYY_MM')::timestamp end as first) m
    where i.inhparent = 'usance.delivery_attempts'::regclass
      and (c.relname = 'delivery_attempts_default' or (m.first + interval '1 month') at time zone 'UTC' <= before)
    order by is_month desc, c.relname
  loop
    if month.is_month then
      execute format('select exists (select from usance.%I where ended_at >= $1)', month.partition) into is_kept using before;
      if not is_kept then
        lock table only usance.delivery_attempts in access exclusive mode;
        execute format('select exists (select from usance.%I where ended_at >= $1)', month.partition) into is_kept using before;
      end if;
      if not is_kept then
        execute format('drop table usance.%I', month.partition);
        return -1;
      end if;
    end if;
    execute format(
      'with old as materialized (
         select b.tenant_id, b.id from usance.%1$I b where b.ended_at < $1 order by b.ended_at limit $2 for update skip locked)
       delete from usance.%1$I a using old where a.tenant_id = old.tenant_id and a.id = old.id', month.partition)
      using before, at_most - deleted;
    get diagnostics found = row_count;
    deleted := deleted + found;
    exit when deleted >= at_most;
  end loop;
  return deleted;
end $$;
