-- Shortfalls that are expected and were told: of an account and asset the next one. Rows go when it is averted. And an index by
-- which a schedule is found by any of the accounts that it pays.
-- Safe for older workers: a new table, and an index on a table that is not hot.

create table usance.shortfalls (
  tenant_id   uuid not null,
  account_id  uuid not null,
  asset       text not null,
  expected_at timestamptz not null,
  missing     bigint not null check (missing > 0),
  told_at     timestamptz not null,
  primary key (tenant_id, account_id, asset),
  constraint shortfalls_lie_ahead check (expected_at > told_at),
  constraint shortfalls_account_exists foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id),
  constraint shortfalls_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset)
);

create index schedules_legs on usance.schedules using gin (legs jsonb_path_ops) where legs is not null;
