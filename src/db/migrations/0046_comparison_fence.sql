-- A comparison of a wallet with its chain writes only if no other claim of the wallet and no unfreeze came since it began. src/payouts/treasury/README.md.
-- Safe for older workers: the column has a constant default, so the table is not rewritten. An older worker neither counts nor asks for the fence: until it is
-- replaced, its comparisons can still write what an unfreeze has overtaken.
alter table usance.wallet_checks add column fence bigint not null default 0;
