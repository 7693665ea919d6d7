-- What an import of opening balances has booked, so that running the same file again books nothing twice.
-- Safe for older workers: a new table.

create table usance.opening_balances (
  tenant_id   uuid not null,
  import      text not null check (length(import) between 1 and 100),
  account_id  uuid not null,
  asset       text not null,
  amount      bigint not null check (amount > 0),
  primary key (tenant_id, import, account_id, asset),
  constraint opening_balances_account_exists foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id),
  constraint opening_balances_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset)
);
