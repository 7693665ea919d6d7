-- Reconciliation of the treasury's wallets with their chains. src/payouts/treasury/README.md has the rules.
-- Safe for older workers: new tables, and an index on a table that is new as well.

-- When a wallet is compared next, by real time. A process takes a comparison by moving `next_at`.
create table usance.wallet_checks (
  tenant_id uuid not null,
  chain     text not null,
  next_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, chain),
  constraint wallet_checks_wallet_exists foreign key (tenant_id, chain) references usance.payout_wallets (tenant_id, chain)
);

create index wallet_checks_next on usance.wallet_checks (next_at);

-- The last comparison of each asset of a wallet, in minor units of the ledger.
create table usance.wallet_balances_compared (
  tenant_id  uuid not null,
  chain      text not null,
  asset      text not null,
  -- `even`: the same. `open`: transfers that are not final could explain the difference. `different`: nothing can. `unread`: the chain did not answer.
  verdict    text not null check (verdict in ('even', 'open', 'different', 'unread')),
  -- Null: the chain did not answer.
  on_chain   bigint,
  expected   bigint,
  checked_at timestamptz not null,
  primary key (tenant_id, chain, asset),
  constraint wallet_balances_compared_wallet_exists foreign key (tenant_id, chain) references usance.payout_wallets (tenant_id, chain),
  constraint wallet_balances_compared_numbers check ((verdict = 'unread') = (on_chain is null) and (on_chain is null) = (expected is null)),
  constraint wallet_balances_compared_even check (verdict <> 'even' or on_chain = expected)
);

-- Attempts that ended in a block above the one that was compared.
create index payout_attempts_height on usance.payout_attempts (tenant_id, wallet_id, height) where height is not null;
