-- Events that applications append, beside those of usance. src/events/own-event.ts says how they are told apart: the resource_id of one
-- begins with ff, which no id of usance does.
-- Safe for older workers: a new table and an index.

-- Own events that are not erased, by age: retention reads them in order. Events of usance are not in it.
create index events_own on usance.events (tenant_id, id)
  where resource_id >= 'ff000000-0000-0000-0000-000000000000' and salt is not null;

-- How many own events a tenant appended on a day of UTC. A call counts in a slot that no other transaction holds, or in a new one, so
-- that it waits for no transaction of a caller. Rows leave after two days.
create table usance.own_event_counts (
  tenant_id uuid not null references usance.tenants (id),
  day       date not null,
  slot      uuid not null,
  events    bigint not null check (events > 0),
  primary key (tenant_id, day, slot)
) with (fillfactor = 50);
