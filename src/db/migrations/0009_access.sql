-- API keys have a role, a lineage of rotations, the key they were made by, and the time of their last use.

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
