-- Who may sign tokens for a tenant's end users. Safe for older workers: a new table only.

create table usance.token_issuers (
  tenant_id  uuid not null references usance.tenants (id),
  id         uuid not null,
  issuer     text not null check (length(issuer) between 1 and 500),
  audience   text not null check (length(audience) between 1 and 500),
  algorithm  text not null check (algorithm in ('RS256', 'PS256', 'ES256', 'ES384', 'EdDSA')),
  -- Public keys as JWKs; nothing in them is a secret.
  keys       jsonb not null check (jsonb_typeof(keys) = 'array' and jsonb_array_length(keys) between 1 and 20),
  created_by text not null check (length(created_by) between 1 and 200),
  -- Every actor that installed keys, the last one last: each could have kept the private half, and act as any end user.
  keyed_by   text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  primary key (tenant_id, id)
);

-- By issuer and audience, of all tenants: a token names these two, and the key that verifies it says whose it is.
create unique index token_issuers_live on usance.token_issuers (issuer, audience, tenant_id) where removed_at is null;

-- Tokens of an end user that no longer hold although they have not expired: those issued before `revoked_at`. One row an account.
create table usance.token_revocations (
  tenant_id  uuid not null,
  account_id uuid not null,
  revoked_at timestamptz not null,
  revoked_by text not null check (length(revoked_by) between 1 and 200),
  primary key (tenant_id, account_id),
  constraint token_revocations_account_exists foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id)
);

-- An issuer keeps its issuer, audience and algorithm, and a removed one stays removed.
create function usance.token_issuers_only_rekey() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{keys,keyed_by,updated_at,removed_at}'::text[]) <> (to_jsonb(old) - '{keys,keyed_by,updated_at,removed_at}'::text[])
     or old.removed_at is not null or not new.keyed_by @> old.keyed_by then
    raise exception 'token issuer %: only its keys change, until it is removed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger token_issuers_only_rekey before update on usance.token_issuers
  for each row execute function usance.token_issuers_only_rekey();

-- A token that was revoked stays revoked.
create function usance.token_revocations_only_move_on() returns trigger language plpgsql as $$
begin
  if (new.tenant_id, new.account_id) <> (old.tenant_id, old.account_id) or new.revoked_at < old.revoked_at then
    raise exception 'account %: revoked tokens stay revoked', old.account_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger token_revocations_only_move_on before update on usance.token_revocations
  for each row execute function usance.token_revocations_only_move_on();
