// The invariants of guards, for `usance verify` and the continuous check. $1 is a list of accounts, or null.
import { READABLE_EVENTS, lastEvents } from '../../events/index.ts';
import type { Check } from '../../ledger/index.ts';

/** What an erased event said is not known any more. */
const KNOWN = (data: string): string => `not coalesce(${data} ? 'erased', false)`;

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
  {
    name: 'payout-policies-are-told',
    kind: 'bookkeeping',
    says: 'every policy about addresses of payouts is what the last event about it says',
    counted: 'select count(*) as rows from usance.payout_policies',
    whole: true,
    offenders: `select tenant_id, '' as asset, jsonb_build_object('listed_only', p.listed_only, 'wait_ms', p.wait_ms, 'second_person', p.second_person,
                       'event', l.data -> 'new') as details
                from usance.payout_policies p
                full join ${lastEvents(`'payout_policy.set'`)} l using (tenant_id)
                where $1::uuid[] is null and ${KNOWN('l.data')}
                  -- A tenant that lists an address has a row before it has set anything.
                  and (coalesce(p.listed_only, false), coalesce(p.wait_ms, 0), coalesce(p.second_person, false))
                      is distinct from
                      (coalesce((l.data #>> '{new,listedOnly}')::boolean, false),
                       coalesce(extract(epoch from (l.data #>> '{new,wait}')::interval) * 1000, 0),
                       coalesce((l.data #>> '{new,secondPerson}')::boolean, false))`,
  },
  {
    name: 'payout-caps-are-told',
    kind: 'bookkeeping',
    says: 'every cap of payouts is what the last event about it says',
    counted: 'select count(*) as rows from usance.payout_caps',
    whole: true,
    offenders: `with told as materialized (
                  select tenant_id, data, recorded_at from (${READABLE_EVENTS}) e where type = 'payout_cap.set'
                ), last as (
                  select distinct on (tenant_id, data ->> 'asset', data ->> 'chain')
                         tenant_id, data ->> 'asset' as asset, coalesce(data ->> 'chain', '') as chain, data -> 'new' as says
                  from told where ${KNOWN('data')}
                  order by tenant_id, data ->> 'asset', data ->> 'chain', recorded_at desc)
                select tenant_id, asset, jsonb_build_object('chain', chain, 'max_amount', c.max_amount, 'daily_amount', c.daily_amount,
                       'event', l.says) as details
                from usance.payout_caps c full join last l using (tenant_id, asset, chain)
                where $1::uuid[] is null and tenant_id not in (select tenant_id from told where data ? 'erased')
                  and (c.max_amount::text, c.daily_amount::text) is distinct from (l.says ->> 'maxAmount', l.says ->> 'dailyAmount')`,
  },
  {
    name: 'payout-destinations-are-told',
    kind: 'bookkeeping',
    says: 'every listed address has the events of its listing and its approval, may be paid from the instant that they say, and is removed exactly if an event says so',
    counted: 'select count(*) as rows from usance.payout_destinations',
    whole: true,
    offenders: `select d.tenant_id, '' as asset, jsonb_build_object('destination', d.id, 'chain', d.chain, 'address', d.address,
                       'usable_at', d.usable_at, 'removed_at', d.removed_at, 'event', l.data) as details
                from usance.payout_destinations d
                left join ${lastEvents(`'payout_destination.created', 'payout_destination.approved'`)} l
                  on l.tenant_id = d.tenant_id and l.resource_id = d.id
                left join ${lastEvents(`'payout_destination.removed'`)} r on r.tenant_id = d.tenant_id and r.resource_id = d.id
                where $1::uuid[] is null
                  and ((d.removed_at is not null) <> (r.resource_id is not null)
                    or ((d.approved_at is not null) <> (l.type is not distinct from 'payout_destination.approved'))
                    or (${KNOWN('l.data')}
                      and (d.chain, d.address, d.usable_at)
                          is distinct from (l.data ->> 'chain', l.data ->> 'address', (l.data ->> 'usableAt')::timestamptz)))`,
  },
];
