-- API keys, and the order of events. Safe for older workers: new tables only.

-- A key is shown once and kept as a digest; the prefix is what people recognise it by.
create table usance.api_keys (
  tenant_id    uuid not null references usance.tenants (id),
  id           uuid not null,
  name         text not null check (length(name) between 1 and 100),
  prefix       text not null,
  digest       bytea not null,
  scopes       text[] not null,
  created_at   timestamptz not null default clock_timestamp(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  primary key (tenant_id, id),
  constraint api_keys_digest_key unique (digest)
);

-- The place of every event in the order of commits, given by the one sequencer: gapless, and never given anew. An event
-- that committed late gets a late place, whatever its id says.
create table usance.event_order (
  seq       bigint primary key,
  tenant_id uuid not null,
  event_id  uuid not null,
  constraint event_order_event_key unique (event_id)
);

create index event_order_tenant on usance.event_order (tenant_id, seq);

-- One row: who holds its lock is the sequencer.
create table usance.sequencer (
  id       boolean primary key default true check (id),
  last_seq bigint not null
);

insert into usance.sequencer (last_seq) values (0);

create trigger event_order_is_immutable before update or delete or truncate on usance.event_order
  for each statement execute function usance.refuse_change();
