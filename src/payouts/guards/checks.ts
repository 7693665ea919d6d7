// The invariants of guards, for `usance verify` and the continuous check. $1 is a list of accounts, or null.
import type { Check } from '../../ledger/index.ts';

export const GUARD_CHECKS: readonly Check[] = [
  {
    name: 'payout-spend-is-counted',
    kind: 'bookkeeping',
    says: 'every hour of what payouts were signed for has the sum of its attempts that can land or have paid',
    counted: 'select count(*) as rows from usance.payout_spend',
    whole: true,
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('chain', s.chain, 'hour', s.hour, 'counted', s.amount::text,
                       'signed', coalesce(a.amount, 0)::text) as details
                from usance.payout_spend s
                left join (
                  select tenant_id, asset, chain, to_timestamp(floor(extract(epoch from sent_at) / 3600) * 3600) as hour,
                         sum(amount) as amount
                  from usance.payout_attempts where state in ('sent', 'finalized') group by 1, 2, 3, 4) a
                  on a.tenant_id = s.tenant_id and a.asset = s.asset and a.chain = s.chain and a.hour = s.hour
                where $1::uuid[] is null and s.amount <> coalesce(a.amount, 0)`,
  },
];
