// Invariants of pauses, for `usance verify`: active pauses match the events of the tenant. $1 selects accounts, which pauses do not
// have.
import { READABLE_EVENTS } from '../events/index.ts';
import type { Check } from '../ledger/index.ts';
import { ACTIVE_PAUSES } from '../tenants/index.ts';

export const OPERATING_CHECKS: readonly Check[] = [
  {
    name: 'pauses-are-told',
    kind: 'bookkeeping',
    says: 'every pause matches the last event about it',
    counted: `select count(*) as rows from (${ACTIVE_PAUSES}) p`,
    whole: true,
    offenders: `with told as materialized (
                  select tenant_id, type, data, recorded_at from (${READABLE_EVENTS}) e where type in ('pause.created', 'pause.lifted')
                ), last as (
                  select distinct on (tenant_id, data ->> 'scope', data ->> 'value')
                         tenant_id, data ->> 'scope' as scope, data ->> 'value' as value, type
                  from told order by tenant_id, data ->> 'scope', data ->> 'value', recorded_at desc)
                select tenant_id, '' as asset, jsonb_build_object('scope', scope, 'value', value, 'paused', p.paused is true,
                       'event', l.type) as details
                from (select *, true as paused from (${ACTIVE_PAUSES}) a) p full join last l using (tenant_id, scope, value)
                -- An erased event no longer says what was paused.
                where $1::uuid[] is null and tenant_id not in (select tenant_id from told where data ? 'erased')
                  and (p.paused is true) <> (l.type is not distinct from 'pause.created')`,
  },
];
