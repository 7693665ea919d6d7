// What must hold of the order of events, for `usance verify`: as the checks of the books are written, with $1 for accounts,
// of which an event knows nothing.
import { NIL_UUID } from '../kernel/index.ts';

/** Everything that was told, for checks that every change was. */
export const TOLD = `select tenant_id, resource_id, type, data, recorded_at from usance.events`;

/** Of these types, the last event about each resource. `data ? 'erased'`: it no longer says what it said. */
export const lastTold = (types: string): string =>
  `(select distinct on (tenant_id, resource_id) tenant_id, resource_id, type, data from usance.events
    where type in (${types}) order by tenant_id, resource_id, recorded_at desc, id desc)`;

export const EVENT_CHECKS = [
  {
    name: 'events-have-places',
    kind: 'bookkeeping',
    says: 'every event has its position in the order, or waits for it',
    counted: 'select count(*) as rows from usance.events',
    offenders: `select e.tenant_id, '' as asset, jsonb_build_object('event', e.id, 'type', e.type) as details
                from usance.events e
                where $1::uuid[] is null
                  and not exists (select from usance.event_order o where o.event_id = e.id and o.tenant_id = e.tenant_id)
                  and not exists (select from usance.event_inbox i where i.event_id = e.id and i.tenant_id = e.tenant_id)`,
  },
  {
    name: 'places-have-events',
    kind: 'bookkeeping',
    says: 'the order of events has no gap, and an event at every position',
    counted: 'select count(*) as rows from usance.event_order',
    offenders: `select tenant_id, '' as asset, jsonb_build_object('place', seq, 'missing before it', seq - before - 1) as details
                from (select tenant_id, seq, coalesce(lag(seq) over (order by seq), 0) as before from usance.event_order) o
                where $1::uuid[] is null and seq <> before + 1
                union all
                select '${NIL_UUID}'::uuid, '',
                       jsonb_build_object('place', s.last_seq, 'last found', o.last)
                from usance.sequencer s, (select coalesce(max(seq), 0) as last from usance.event_order) o
                where $1::uuid[] is null and s.last_seq <> o.last
                union all
                select o.tenant_id, '', jsonb_build_object('place', o.seq, 'missing event', o.event_id)
                from usance.event_order o
                where $1::uuid[] is null
                  and not exists (select from usance.events e where e.tenant_id = o.tenant_id and e.id = o.event_id)`,
  },
] as const;
