-- Token issuers whose keys are at a URL. usance fetches the key set and keeps the last good one in `keys`, so that a restart, or an
-- identity provider that does not answer, leaves tokens valid for a while.
-- Safe for older workers: they verify tokens with the keys that were fetched last, and fetch none.

alter table usance.token_issuers
  -- Null: the keys were uploaded.
  add column jwks_url text check (length(jwks_url) between 1 and 2000),
  -- The last attempt to fetch, good or bad. It is the claim of the process that fetches, and bounds attempts to one a minute.
  add column keys_tried_at timestamptz,
  -- When `keys` was last seen at the URL.
  add column keys_fetched_at timestamptz,
  -- Why the last attempt failed; null if it did not.
  add column keys_error text check (length(keys_error) between 1 and 500),
  drop constraint token_issuers_keys_check,
  -- None until they were fetched for the first time.
  add constraint token_issuers_keys_are_some check (jsonb_typeof(keys) = 'array'
    and jsonb_array_length(keys) between (case when jwks_url is null or keys_fetched_at is not null then 1 else 0 end) and 20),
  add constraint token_issuers_only_urls_are_fetched check (jwks_url is not null
    or (keys_tried_at is null and keys_fetched_at is null and keys_error is null)),
  add constraint token_issuers_fetched_was_tried check (keys_fetched_at is null or keys_tried_at is not null);

create or replace function usance.token_issuers_only_rekey() returns trigger language plpgsql as $$
declare
  free constant text[] := '{keys,jwks_url,keys_tried_at,keys_fetched_at,keys_error,keyed_by,updated_at,removed_at}';
begin
  if (to_jsonb(new) - free) <> (to_jsonb(old) - free) or old.removed_at is not null or not new.keyed_by @> old.keyed_by then
    raise exception 'token issuer %: only its keys change, until it is removed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
