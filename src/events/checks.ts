// Invariants of the order of events, for `usance verify`. They have the form of the ledger's checks, whose $1 restricts them to accounts:
// events have none, so these run only without it.

/** All events, for checks that every change has its event. Data that `jsonb` refuses is `{"unreadable": true}`. */
export const READABLE_EVENTS = `select tenant_id, resource_id, type, usance.told_data(data) as data, recorded_at from usance.events`;

/** The last event of these types about each resource. `data ? 'erased'`: its details were erased. */
export const lastEvents = (types: string): string =>
  `(select distinct on (tenant_id, resource_id) tenant_id, resource_id, type, usance.told_data(data) as data from usance.events
    where type in (${types}) order by tenant_id, resource_id, recorded_at desc, id desc)`;

/** The seq of the last event of each tenant. */
export const LAST_SEQS = 'select tenant_id, max(last_seq) as seq from usance.event_blocks group by tenant_id';

export const EVENT_CHECKS = [
  {
    name: 'events-are-ordered',
    kind: 'bookkeeping',
    says: 'every event is in a block of the order, or waits for it',
    counted: 'select count(*) as rows from usance.events',
    offenders: `select e.tenant_id, '' as asset, jsonb_build_object('event', e.id, 'type', e.type) as details
                from usance.events e
                where $1::uuid[] is null
                  and not exists (
                    select from usance.event_blocks b where b.tenant_id = e.tenant_id and b.block_id = usance.block_of(e.id))
                  and not exists (
                    select from usance.event_inbox i cross join lateral unnest(i.tenant_ids, i.block_ids) w (tenant_id, block_id)
                    where w.tenant_id = e.tenant_id and w.block_id = usance.block_of(e.id))`,
  },
  {
    name: 'order-has-no-gaps',
    kind: 'bookkeeping',
    says: 'the order of events has no gap, over all tenants and for each, and no block twice',
    counted: 'select count(*) as rows from usance.event_blocks',
    offenders: `select tenant_id, '' as asset, jsonb_build_object('position', first_position, 'expected', expected) as details
                from (select tenant_id, first_position,
                             coalesce(lag(first_position + events) over (order by first_position), first_position) as expected
                      from usance.event_blocks) b
                where $1::uuid[] is null and first_position <> expected
                union all
                select tenant_id, '', jsonb_build_object('seq', first_seq, 'expected', expected)
                from (select tenant_id, last_seq - events + 1 as first_seq,
                             coalesce(lag(last_seq) over (partition by tenant_id order by first_position) + 1, last_seq - events + 1) as expected
                      from usance.event_blocks) b
                where $1::uuid[] is null and first_seq <> expected
                union all
                select tenant_id, '', jsonb_build_object('block', block_id, 'times', count(*))
                from usance.event_blocks where $1::uuid[] is null group by tenant_id, block_id having count(*) > 1`,
  },
] as const;
