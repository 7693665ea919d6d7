-- Sessions of the dashboard, and the links that open one. src/access/README.md has the life cycle.
-- Safe for older workers: new tables only.

-- One row for each tenant of a cookie: a sign-in with a second key adds a row with the same digest. A session acts as its key, and ends with it.
create table usance.sessions (
  tenant_id    uuid not null,
  id           uuid not null,
  -- SHA-256 of the cookie. It changes with each sign-in of the browser; every older cookie ends then.
  digest       bytea not null check (octet_length(digest) = 32),
  key_id       uuid not null,
  created_at   timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (tenant_id, id),
  constraint sessions_key foreign key (tenant_id, key_id) references usance.api_keys (tenant_id, id),
  constraint sessions_expiry check (expires_at > created_at)
) with (fillfactor = 80);

create unique index sessions_digest on usance.sessions (digest, tenant_id) where ended_at is null;
create index sessions_expired on usance.sessions (expires_at);

-- A link that opens a session once. One row for each tenant that it opens.
create table usance.sign_in_links (
  tenant_id  uuid not null,
  id         uuid not null,
  digest     bytea not null check (octet_length(digest) = 32),
  key_id     uuid not null,
  position   smallint not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at    timestamptz,
  primary key (tenant_id, id),
  constraint sign_in_links_key foreign key (tenant_id, key_id) references usance.api_keys (tenant_id, id)
);

create unique index sign_in_links_digest on usance.sign_in_links (digest, tenant_id);
create index sign_in_links_expired on usance.sign_in_links (expires_at);

-- A session never changes its key, and an ended one stays ended.
create function usance.sessions_only_end() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{digest,last_used_at,ended_at}'::text[]) <> (to_jsonb(old) - '{digest,last_used_at,ended_at}'::text[])
     or old.ended_at is not null then
    raise exception 'session %: only its cookie, its last use and its end change', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger sessions_only_end before update on usance.sessions
  for each row execute function usance.sessions_only_end();
