// The invariants of payouts, for `usance verify` and the continuous check. $1 is a list of accounts, or null.
import { lastEvents } from '../events/index.ts';
import type { Check } from '../ledger/index.ts';
import { TRANSFERS } from '../ledger/index.ts';
import { ALL_PAYMENTS } from '../payments/index.ts';
import { GUARD_CHECKS } from './guards/checks.ts';

const within = (column: string): string => `($1::uuid[] is null or ${column} = any ($1::uuid[]))`;

/** What sent attempts hold of their wallets, for the ledger's check of `reserved`: the amount, and the most that the fee can be. */
export const HELD_BY_PAYOUTS = `select tenant_id, wallet_id as account_id, asset, amount::numeric as open
  from usance.payout_attempts where state = 'sent' and ended_at is null and ${within('wallet_id')}
  union all
  select tenant_id, wallet_id, fee_asset, fee_limit::numeric
  from usance.payout_attempts where state = 'sent' and ended_at is null and ${within('wallet_id')}`;

/** What a transfer out of a wallet has to be. */
const OUT_OF_WALLET = (id: string, amount: string, asset: string, kind: string): string =>
  `select from (${TRANSFERS}) t where t.tenant_id = a.tenant_id and t.id = a.${id} and t.amount = a.${amount} and t.asset = a.${asset}
     and t.kind = '${kind}' and t.debit_account_id = a.wallet_id and t.credit_account_id = (left(a.tenant_id::text, 32) || '0001')::uuid`;

export const PAYOUT_CHECKS: readonly Check[] = [
  ...GUARD_CHECKS,
  {
    name: 'wallet-freezes-are-told',
    kind: 'bookkeeping',
    says: 'a wallet is frozen exactly if the last event about it says so',
    counted: 'select count(*) as rows from usance.payout_wallets',
    whole: true,
    offenders: `select w.tenant_id, '' as asset, jsonb_build_object('chain', w.chain, 'frozen_at', w.frozen_at, 'reason', w.frozen_reason,
                       'event', l.type) as details
                from usance.payout_wallets w
                left join ${lastEvents(`'treasury_wallet.frozen', 'treasury_wallet.unfrozen'`)} l
                  on l.tenant_id = w.tenant_id and l.resource_id = w.account_id
                where $1::uuid[] is null and (w.frozen_at is not null) <> (l.type is not distinct from 'treasury_wallet.frozen')`,
  },
  {
    name: 'payouts-have-their-attempt',
    kind: 'money',
    says: 'a payout that its chain has is live in exactly one attempt, a settled one was paid by exactly one, and no other has any of these',
    counted: 'select count(*) as rows from usance.payout_attempts',
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status, 'states', coalesce(a.states, '{}'))
                       as details
                from (${ALL_PAYMENTS}) p
                left join lateral (
                  select array_agg(o.state) filter (where o.state in ('claimed', 'sent', 'finalized')) as states
                  from usance.payout_attempts o where o.tenant_id = p.tenant_id and o.payment_id = p.id) a on true
                where p.rail <> 'ledger' and ${within('p.payer_id')}
                  and coalesce(a.states, '{}') <> case p.status
                    when 'processing' then array['claimed'] when 'submitted' then array['sent'] when 'review' then array['sent']
                    when 'settled' then array['finalized'] else '{}' end`,
  },
  {
    name: 'payouts-are-booked',
    kind: 'money',
    says: 'every transaction that paid has one transfer of its amount out of its wallet, and every fee that a chain took has one',
    counted: `select count(*) as rows from usance.payout_attempts where state in ('finalized', 'reverted')`,
    offenders: `select a.tenant_id, a.asset, jsonb_build_object('payment', a.payment_id, 'attempt', a.number, 'state', a.state,
                       'outflowTransfer', a.outflow_id, 'feeTransfer', a.fee_id) as details
                from usance.payout_attempts a
                where ${within('a.wallet_id')}
                  and (a.outflow_id is not null and not exists (${OUT_OF_WALLET('outflow_id', 'amount', 'asset', 'chain_outflow')})
                    or a.fee_id is not null and not exists (${OUT_OF_WALLET('fee_id', 'fee', 'fee_asset', 'chain_fee')}))`,
  },
  {
    name: 'outflows-have-an-attempt',
    kind: 'money',
    says: 'every transfer that a chain made belongs to exactly one attempt',
    counted: `select count(*) as rows from (${TRANSFERS}) t where t.kind in ('chain_outflow', 'chain_fee')`,
    whole: true,
    offenders: `select t.tenant_id, t.asset, jsonb_build_object('transfer', t.id, 'kind', t.kind, 'attempts', count(a.id)) as details
                from (${TRANSFERS}) t
                left join usance.payout_attempts a
                  on a.tenant_id = t.tenant_id and t.id = case t.kind when 'chain_fee' then a.fee_id else a.outflow_id end
                where t.kind in ('chain_outflow', 'chain_fee') and $1::uuid[] is null
                group by t.tenant_id, t.asset, t.id, t.kind having count(a.id) <> 1`,
  },
  {
    name: 'attempts-are-of-their-payout',
    kind: 'money',
    says: 'every attempt that was signed pays the amount and the asset of its payout to an address that the payout names, out of a wallet of its tenant',
    counted: 'select count(*) as rows from usance.payout_attempts where signed is not null',
    offenders: `select a.tenant_id, a.asset, jsonb_build_object('payment', a.payment_id, 'attempt', a.number, 'chain', a.chain,
                       'address', a.address) as details
                from usance.payout_attempts a
                left join (${ALL_PAYMENTS}) p on p.tenant_id = a.tenant_id and p.id = a.payment_id
                left join usance.payout_wallets w on w.tenant_id = a.tenant_id and w.account_id = a.wallet_id and w.chain = a.chain
                where a.signed is not null and ${within('a.payer_id')}
                  and ((a.payer_id, a.asset) is distinct from (p.payer_id, p.asset) or p.rail = 'ledger' or w.chain is null
                    or (a.state in ('sent', 'finalized') and a.amount <> p.amount)
                    or a.address is distinct from p.payout -> 'destinations' ->> a.chain)`,
  },
];
