-- The reason that a caller gave with its request, beside its address, program and request id: on every event that the request appends.
-- It is one of the details that the hash covers as a salted digest and that erasing deletes. An event without a reason keeps the digest that it
-- always had ("usance details 3"); one with a reason has "usance details 4", which ends with it (docs/decisions/0044). The constraint is not
-- validated: no row that was there has a reason, and a scan of all of history would keep every append waiting.
-- Safe for older workers: they write no reason. Their comparisons do not know the digest of an event with one: until they are replaced, the loop
-- `seal-check` and `usance verify` of the older program report such an event as changed, and its receipts of such an event prove nothing.

alter table usance.events add column reason text;
alter table usance.events add constraint events_reason_length check (char_length(reason) between 1 and 500) not valid;

-- The function of 0014 stays: it is the digest of an event without a reason, and older workers call it.
create function usance.details_digest(salt uuid, data text, ip text, user_agent text, request_id text, trace_context text, reason text)
returns bytea language sql stable as $$
  select case when reason is null then usance.details_digest(salt, data, ip, user_agent, request_id, trace_context)
    else sha256(usance.hashed_field(convert_to('usance details 4', 'UTF8')) || usance.hashed_field(uuid_send(salt))
      || usance.hashed_field(convert_to(data, 'UTF8')) || usance.hashed_field(convert_to(ip, 'UTF8'))
      || usance.hashed_field(convert_to(user_agent, 'UTF8')) || usance.hashed_field(convert_to(request_id, 'UTF8'))
      || usance.hashed_field(convert_to(trace_context, 'UTF8')) || usance.hashed_field(convert_to(reason, 'UTF8'))) end
$$;

-- As in 0014, with the reason.
create or replace function usance.events_only_forget() returns trigger language plpgsql as $$
begin
  if exists (
    select from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
    where a.id is null or a.data::text <> '{"erased":true}' or a.salt is not null
       or num_nonnulls(a.ip, a.user_agent, a.request_id, a.trace_context, a.reason) > 0
       or a.details is distinct from
          usance.details_digest(b.salt, b.data::text, b.ip, b.user_agent, b.request_id, b.trace_context, b.reason)
       or to_jsonb(a) - '{data,ip,user_agent,request_id,trace_context,reason,salt,details}'::text[]
          <> to_jsonb(b) - '{data,ip,user_agent,request_id,trace_context,reason,salt,details}'::text[]
  ) then
    raise exception 'events is append-only: UPDATE refused' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- As in 0014, with the reason.
create or replace function usance.erase_events(tenant uuid, record uuid) returns int
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
  set details = usance.details_digest(e.salt, e.data::text, e.ip, e.user_agent, e.request_id, e.trace_context, e.reason), salt = null,
      data = '{"erased":true}', ip = null, user_agent = null, request_id = null, trace_context = null, reason = null
  where e.tenant_id = tenant and e.id = any (ids) and e.type <> 'audit_event.erased' and e.salt is not null;
  get diagnostics erased = row_count;
  return erased;
end $$;
