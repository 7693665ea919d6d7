-- API keys get a role, a rotation lineage, the key that created them, the person who holds them, and the time of their last use.
-- Not safe for older workers: they create keys without a lineage, which is refused.

alter table usance.api_keys
  add column role         text check (role in ('viewer', 'operator', 'admin')),
  add column created_by   text not null default 'unknown' check (length(created_by) between 1 and 200),
  add column last_used_at timestamptz,
  add column revoked_by   text,
  -- The key it takes the place of. Unique: a key is rotated once.
  add column replaces     uuid,
  add constraint api_keys_replaces_fkey foreign key (tenant_id, replaces) references usance.api_keys (tenant_id, id),
  add constraint api_keys_replaces_key unique (tenant_id, replaces),
  -- The first key of its rotation chain: all keys of a lineage are one caller.
  add column lineage_id   uuid not null,
  -- The key that created this one, or rotated into it. Null for a key made by the library or a command.
  add column parent_id    uuid,
  -- The person who holds the key, across lineages.
  add column person       text check (length(person) between 1 and 200),
  add constraint api_keys_lineage_fkey foreign key (tenant_id, lineage_id) references usance.api_keys (tenant_id, id),
  add constraint api_keys_parent_fkey foreign key (tenant_id, parent_id) references usance.api_keys (tenant_id, id);

create index api_keys_lineage on usance.api_keys (tenant_id, lineage_id);

-- Keys that could do everything say so in the new word.
update usance.api_keys set scopes = array_replace(scopes, '*', 'admin');

alter table usance.api_keys
  add constraint api_keys_allow_something check (role is not null or cardinality(scopes) > 0);

-- A key is what it was when it was made: secret, role, scopes, lineage and person never change, a revoked key stays revoked, and an
-- expiry only moves earlier. For everyone, the owner too; `usance verify` checks that each key has its event.
create function usance.api_keys_only_end() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{expires_at,revoked_at,revoked_by,last_used_at}'::text[])
     <> (to_jsonb(old) - '{expires_at,revoked_at,revoked_by,last_used_at}'::text[])
     or (old.revoked_at is not null and (new.revoked_at, new.revoked_by) is distinct from (old.revoked_at, old.revoked_by))
     or coalesce(new.expires_at, 'infinity') > coalesce(old.expires_at, 'infinity') then
    raise exception 'API key %: only its end and its last use change', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger api_keys_only_end before update on usance.api_keys
  for each row execute function usance.api_keys_only_end();
