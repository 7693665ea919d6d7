-- Payouts as the design of payment intents names them: intents, their attempts, and entries of the ledger. Read-only; change things with verbs.
-- Amounts are in minor units of `asset`.

-- The words of `GET /v1/payment-intents` for the states of a payment (src/contract/resources/payout-shape.ts).
create function usance_docs.intent_status(status text) returns text language sql immutable parallel safe as $$
  select case status
           when 'scheduled' then 'route_selected'
           when 'processing' then 'broadcasting'
           when 'submitted' then 'broadcasted'
           when 'review' then 'manual_review'
           else status end
$$;

-- One row for each payment over a chain. selected_chain, transaction_id and fee are those of the attempt that paid, else of the newest.
create view usance_docs.payment_intents as
select p.id, p.payer_id as account_id, usance_docs.intent_status(p.status) as status, p.amount, p.asset,
       p.payout -> 'destinations' as destinations, p.payout ->> 'priority' as priority, (p.payout ->> 'quoteId')::uuid as quote_id,
       a.chain as selected_chain, a.tx_id as transaction_id, a.fee, a.fee_asset, p.attempts, p.last_detail as error, p.reference,
       coalesce(p.metadata, '{}'::jsonb) as metadata, p.execute_at, p.expires_at, p.created_at, p.updated_at,
       case when p.status = 'settled' then p.ended_at end as settled_at, p.tenant_id
from usance.all_payments p
join usance_docs.shown_tenants shown on shown.id = p.tenant_id
left join lateral (
  select o.chain, o.tx_id, o.fee, o.fee_asset from usance.payout_attempts o
  where o.tenant_id = p.tenant_id and o.payment_id = p.id
  order by o.state = 'finalized' desc, o.number desc limit 1) a on true
where p.rail <> 'ledger';

-- pending: leased, nothing is signed. broadcasted: the signed bytes are stored, and sent or possibly sent. confirmed: paid in a final block. failed: it has not
-- paid, and never will; `error` says why.
create view usance_docs.payment_attempts as
select a.id, a.payment_id as payment_intent_id, a.number as attempt_number,
       case a.state when 'claimed' then 'pending' when 'sent' then 'broadcasted' when 'finalized' then 'confirmed' else 'failed' end as status,
       a.chain, a.address as destination, a.tx_id as transaction_id, a.last_valid_height, a.height as block_height, a.fee, a.fee_asset,
       a.broadcasts, a.checks, a.detail as error, a.claimed_at as created_at, a.sent_at as broadcasted_at,
       case when a.state = 'finalized' then a.ended_at end as confirmed_at, a.ended_at, a.resolved_by, a.tenant_id
from usance.payout_attempts a
join usance_docs.shown_tenants shown on shown.id = a.tenant_id;

-- The entries of a payout in the order of the design, where a debit is written when the transaction is sent:
--
--   reserve    the payer's funds, when the payout is created; of one that looks for its funds when due, once it has found them
--   debit      out of the wallet, from the moment at which signed bytes are stored to be sent
--   reversal   of a debit whose transaction never paid
--   fee        that the chain took from the wallet, in the chain's own asset; also of a transaction that failed in its block
--   release    of the payer's funds, when the payout failed, expired or was cancelled
--
-- In the books of usance the wallet's amount is held at broadcast and leaves it at finality, so a debit without a reversal whose attempt is still
-- broadcasted is no transfer yet. The ids of fees are those of their transfers; the others belong to no table.
create view usance_docs.ledger_entries as
select e.id, e.entry_type, e.payment_intent_id, e.attempt_id, e.account_id, e.asset, e.amount, e.chain, e.transaction_id, e.created_at, e.tenant_id
from (
  select usance_docs.with_version(p.id, '5') as id, 'reserve' as entry_type, p.id as payment_intent_id, null::uuid as attempt_id,
         p.payer_id as account_id, p.asset, p.amount, null::text as chain, null::text as transaction_id, p.created_at, p.tenant_id
  from usance.all_payments p where p.rail <> 'ledger' and p.funding = 'reserve'
  union all
  select usance_docs.with_version(p.id, '6'), 'release', p.id, null, p.payer_id, p.asset, p.released, null, null, p.ended_at, p.tenant_id
  from usance.all_payments p where p.rail <> 'ledger' and p.released > 0
  union all
  select usance_docs.with_version(a.id, '5'), 'debit', a.payment_id, a.id, a.wallet_id, a.asset, a.amount, a.chain, a.tx_id, a.sent_at, a.tenant_id
  from usance.payout_attempts a where a.sent_at is not null
  union all
  select usance_docs.with_version(a.id, '6'), 'reversal', a.payment_id, a.id, a.wallet_id, a.asset, a.amount, a.chain, a.tx_id, a.ended_at, a.tenant_id
  from usance.payout_attempts a where a.state in ('reverted', 'dead')
  union all
  select a.fee_id, 'fee', a.payment_id, a.id, a.wallet_id, a.fee_asset, a.fee, a.chain, a.tx_id, a.ended_at, a.tenant_id
  from usance.payout_attempts a where a.fee_id is not null
) e
join usance_docs.shown_tenants shown on shown.id = e.tenant_id;
