-- Subscriptions that an import brought from another system: one row each, under the reference that it has there, so that running
-- the same file again makes nothing twice. What was charged before the import is kept here; the agreement (0016) is about the charges
-- that are left. Safe for older workers: a new table.

create table usance.imported_subscriptions (
  tenant_id      uuid not null,
  reference      text not null check (length(reference) between 1 and 255),
  schedule_id    uuid not null,
  -- SHA-256 of the file, of the row's text in it, and of the row's values with the ids of plan and payer.
  file_digest    text not null check (file_digest ~ '^[0-9a-f]{64}$'),
  row_digest     text not null check (row_digest ~ '^[0-9a-f]{64}$'),
  values_digest  text not null check (values_digest ~ '^[0-9a-f]{64}$'),
  charges_before int not null check (charges_before between 0 and 1000000),
  paid_before    bigint not null check (paid_before >= 0),
  imported_at    timestamptz not null,
  primary key (tenant_id, reference),
  constraint imported_subscriptions_once unique (tenant_id, schedule_id),
  constraint imported_subscriptions_subscription_exists
    foreign key (tenant_id, schedule_id) references usance.subscriptions (tenant_id, schedule_id)
);

create trigger imported_subscriptions_stay before update or delete or truncate on usance.imported_subscriptions
  for each statement execute function usance.refuse_change();
