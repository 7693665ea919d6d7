-- Lists of payouts: without these a tenant's few payouts would be looked for among all its payments. The rail of a payment never changes, so a
-- settlement does not pay for the index. Safe for older workers: they use neither.
create index payments_payouts on usance.payments (tenant_id, id) where rail <> 'ledger';
create index archived_payments_payouts on usance.archived_payments (tenant_id, id) where rail <> 'ledger';
