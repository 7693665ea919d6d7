-- Erasing the details of events: data, address, program, request id and trace. The hash chain covers only a salted digest of them, which is stored in
-- their place while the salt is deleted. Nothing else about an event can change.
-- Safe for older workers: they erase nothing.

-- A field as it is hashed: its length in four bytes before it, ffffffff for null (src/events/digest.ts).
create function usance.hashed_field(field bytea) returns bytea language sql immutable parallel safe as $$
  select case when field is null then '\xffffffff'::bytea else int4send(octet_length(field)) || field end
$$;

create function usance.details_digest(salt uuid, data text, ip text, user_agent text, request_id text, trace_context text)
returns bytea language sql stable as $$
  select sha256(usance.hashed_field(convert_to('usance details 3', 'UTF8')) || usance.hashed_field(uuid_send(salt))
    || usance.hashed_field(convert_to(data, 'UTF8')) || usance.hashed_field(convert_to(ip, 'UTF8'))
    || usance.hashed_field(convert_to(user_agent, 'UTF8')) || usance.hashed_field(convert_to(request_id, 'UTF8'))
    || usance.hashed_field(convert_to(trace_context, 'UTF8')))
$$;

create trigger events_stay before delete or truncate on usance.events
  for each statement execute function usance.refuse_change();

create function usance.events_only_forget() returns trigger language plpgsql as $$
begin
  if exists (
    select from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
    where a.id is null or a.data::text <> '{"erased":true}' or a.salt is not null
       or num_nonnulls(a.ip, a.user_agent, a.request_id, a.trace_context) > 0
       or a.details is distinct from usance.details_digest(b.salt, b.data::text, b.ip, b.user_agent, b.request_id, b.trace_context)
       or to_jsonb(a) - '{data,ip,user_agent,request_id,trace_context,salt,details}'::text[]
          <> to_jsonb(b) - '{data,ip,user_agent,request_id,trace_context,salt,details}'::text[]
  ) then
    raise exception 'events is append-only: UPDATE refused' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger events_only_forget after update on usance.events
  referencing old table as before new table as after
  for each statement execute function usance.events_only_forget();

-- Those of the events that can be erased: of the tenant, not erased yet, and no record of an erasure. Locked until the transaction
-- ends, so that two erasures at once name an event once. Needs the rights of the owner: a lock is a kind of update.
create function usance.lock_erasable(tenant uuid, ids uuid[]) returns setof uuid
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select e.id from usance.events e
  where e.tenant_id = tenant and e.id = any (ids) and e.type <> 'audit_event.erased' and e.salt is not null
  order by e.id for update
$$;

-- The one way to erase. It takes the id of an `audit_event.erased` event that this transaction appended, and erases the events which
-- that one names: nothing is erased without a record of which events, by whom, why and through which login. Only members of
-- usance_eraser may call it (migrate grants it to no other role), for at most 500 events a call. The record is never erased.
create function usance.erase_events(tenant uuid, record uuid) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  told usance.events;
  ids uuid[];
  erased int;
begin
  select * into told from usance.events e where e.tenant_id = tenant and e.id = record and e.type = 'audit_event.erased';
  if told.id is null or not exists (
    select from usance.event_inbox i where i.xid = pg_current_xact_id() and usance.block_of(record) = any (i.block_ids)
  ) then
    raise exception 'erasing needs an audit_event.erased event of the same transaction' using errcode = 'check_violation';
  end if;
  if coalesce(btrim(told.data ->> 'reason'), '') = '' or btrim(told.actor) = '' then
    raise exception 'erasing needs an actor and a reason' using errcode = 'check_violation';
  end if;
  if told.data ->> 'login' is distinct from session_user then
    raise exception 'the record names another login than %', session_user using errcode = 'check_violation';
  end if;
  select array_agg(id::uuid) into ids from json_array_elements_text(told.data -> 'events') e (id);
  if cardinality(ids) > 500 then
    raise exception 'at most 500 events are erased at once' using errcode = 'program_limit_exceeded';
  end if;
  update usance.events e
  set details = usance.details_digest(e.salt, e.data::text, e.ip, e.user_agent, e.request_id, e.trace_context), salt = null,
      data = '{"erased":true}', ip = null, user_agent = null, request_id = null, trace_context = null
  where e.tenant_id = tenant and e.id = any (ids) and e.type <> 'audit_event.erased' and e.salt is not null;
  get diagnostics erased = row_count;
  return erased;
end $$;
