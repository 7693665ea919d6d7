#!/bin/sh
# Runs once, when the database of deploy/compose.yaml is made. `usance migrate` grants usance_runtime what services need;
# usance_app is the login that gets it.
set -eu
# psql reads the password from its environment: an argument would show it in the list of processes.
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv password APP_PASSWORD
do $$ begin
  if not exists (select from pg_roles where rolname = 'usance_runtime') then create role usance_runtime nologin; end if;
end $$;
create role usance_app login password :'password' in role usance_runtime;
SQL
