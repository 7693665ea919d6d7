#!/bin/sh
# Runs once, when the database of deploy/compose.yaml is made. `usance migrate` grants usance_runtime what services need;
# usance_app is the login that gets it.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set=password="$APP_PASSWORD" <<'SQL'
do $$ begin
  if not exists (select from pg_roles where rolname = 'usance_runtime') then create role usance_runtime nologin; end if;
end $$;
create role usance_app login password :'password' in role usance_runtime;
SQL
