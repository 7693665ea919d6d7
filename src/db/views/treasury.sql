-- Wallets of the treasury, one row for each asset: what the books hold for payouts, and the last comparison with the chain. Read-only.

create view usance_docs.treasury_wallets as
select w.account_id as id, w.chain, w.address, o.asset, coalesce(b.available, 0) as available, coalesce(b.reserved, 0) as reserved,
  case when w.frozen_at is null then 'active' else 'frozen' end as status, c.on_chain, c.checked_at as reconciled_at, w.created_at, w.tenant_id
from usance.payout_wallets w
join usance.payout_wallet_assets o on o.tenant_id = w.tenant_id and o.chain = w.chain
join usance_docs.shown_tenants t on t.id = w.tenant_id
left join usance.balances b on b.tenant_id = w.tenant_id and b.account_id = w.account_id and b.asset = o.asset
left join usance.wallet_balances_compared c on c.tenant_id = w.tenant_id and c.chain = w.chain and c.asset = o.asset;
