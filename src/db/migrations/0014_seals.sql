-- The chain of the record: for every event that has its place a link, per tenant without gaps, that hashes the event and the
-- link before it. And forgetting: what an event tells can be erased, and nothing else about it can change.
-- Safe for older workers: a new table; they erase nothing.

-- No foreign keys: their checks run once a row, and `usance verify` compares the whole of it.
create table usance.seals (
  tenant_id uuid not null,
  seq       bigint not null check (seq > 0),
  -- The event's place in the order of commits.
  place     bigint not null,
  event_id  uuid not null,
  -- Of what can be erased only the digest is in the hash, salted, so that nobody finds it again by trying. Null once erased.
  salt      bytea check (octet_length(salt) = 16),
  digest    bytea not null check (octet_length(digest) = 32),
  previous  bytea not null check (octet_length(previous) = 32),
  hash      bytea not null check (octet_length(hash) = 32),
  sealed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, seq),
  constraint seals_place_key unique (place),
  constraint seals_begin_with_nothing check (seq > 1 or previous = decode(repeat('00', 32), 'hex'))
);

create trigger seals_stay before delete or truncate on usance.seals
  for each statement execute function usance.refuse_change();

create function usance.seals_only_forget() returns trigger language plpgsql as $$
begin
  if exists (
    select from before b left join after a on a.tenant_id = b.tenant_id and a.seq = b.seq
    where a.seq is null or a.salt is not null or to_jsonb(a) - 'salt' <> to_jsonb(b) - 'salt'
  ) then
    raise exception 'seals is append-only: UPDATE refused' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger seals_only_forget after update on usance.seals
  referencing old table as before new table as after
  for each statement execute function usance.seals_only_forget();

drop trigger events_are_immutable on usance.events;

create trigger events_stay before delete or truncate on usance.events
  for each statement execute function usance.refuse_change();

create function usance.events_only_forget() returns trigger language plpgsql as $$
begin
  if exists (
    select from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
    where a.id is null or a.data <> '{"erased": true}' or a.ip is not null or a.user_agent is not null
       or to_jsonb(a) - '{data,ip,user_agent}'::text[] <> to_jsonb(b) - '{data,ip,user_agent}'::text[]
  ) then
    raise exception 'events is append-only: UPDATE refused' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger events_only_forget after update on usance.events
  referencing old table as before new table as after
  for each statement execute function usance.events_only_forget();

-- The one way to erase: what events told, where from, and their salts. Only members of usance_eraser may call it (migrate grants
-- it to nobody else), for at most 500 events of one tenant a call, and it appends the event that names them in the same
-- statement: nothing is erased without a record of which events, by whom and through which login. That record is never erased.
create function usance.erase_events(
  tenant uuid, ids uuid[], record uuid, why text, who text, from_ip inet, program text, request text, at timestamptz
) returns setof uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  erased uuid[];
begin
  if cardinality(ids) > 500 then
    raise exception 'at most 500 events are erased at once' using errcode = 'program_limit_exceeded';
  end if;
  if coalesce(btrim(why), '') = '' or coalesce(btrim(who), '') = '' then
    raise exception 'erasing needs an actor and a reason' using errcode = 'check_violation';
  end if;
  update usance.seals s set salt = null
  from usance.event_order o
  where o.event_id = any (ids) and o.tenant_id = tenant and s.place = o.seq and s.tenant_id = tenant
    and exists (select from usance.events e where e.tenant_id = tenant and e.id = o.event_id and e.type <> 'audit_event.erased');
  with gone as (
    update usance.events e set data = '{"erased": true}', ip = null, user_agent = null
    where e.tenant_id = tenant and e.id = any (ids) and e.type <> 'audit_event.erased' and e.data <> '{"erased": true}'
    returning e.id
  ) select array_agg(id order by id) into erased from gone;
  if erased is null then return; end if;
  insert into usance.events
    (tenant_id, id, type, resource, resource_id, data, actor, ip, user_agent, request_id, occurred_at)
  values (tenant, record, 'audit_event.erased', 'tenant', tenant,
          jsonb_build_object('events', to_jsonb(erased), 'reason', why, 'login', session_user), who, from_ip, program, request, at);
  insert into usance.event_inbox (tenant_id, event_id) values (tenant, record);
  return query select unnest(erased);
end $$;
