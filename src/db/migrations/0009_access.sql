-- API keys have a role, are rotated, and show when they were last used. An older API still finds and makes keys: what it
-- leaves out has a default.

alter table usance.api_keys
  add column role         text check (role in ('viewer', 'operator', 'admin')),
  add column created_by   text not null default 'unknown' check (length(created_by) between 1 and 200),
  add column last_used_at timestamptz,
  add column revoked_by   text,
  -- The key it takes the place of. Unique: a key is rotated once.
  add column replaces     uuid,
  add constraint api_keys_replaces_fkey foreign key (tenant_id, replaces) references usance.api_keys (tenant_id, id),
  add constraint api_keys_replaces_key unique (tenant_id, replaces);

-- Keys that could do everything say so in the new word.
update usance.api_keys set scopes = array_replace(scopes, '*', 'admin');

alter table usance.api_keys
  add constraint api_keys_allow_something check (role is not null or cardinality(scopes) > 0);
