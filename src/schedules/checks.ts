// The invariants of schedules, for `usance verify` and the continuous check. $1 is a list of accounts (payers), or null.
import type { Check } from '../ledger/index.ts';
import { MADE_BY_SCHEDULES } from '../payments/index.ts';
import { CLOCKS_OF_TENANTS } from '../tenants/index.ts';

const within = (column: string): string => `($1::uuid[] is null or ${column} = any ($1::uuid[]))`;

export const SCHEDULE_CHECKS: readonly Check[] = [
  {
    name: 'active-schedules-are-due',
    kind: 'bookkeeping',
    says: 'every active schedule has its due row, and no other schedule has one',
    counted: 'select count(*) as rows from usance.schedules',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('schedule', s.id, 'status', s.status,
                       'due', d.schedule_id is not null) as details
                from usance.schedules s left join usance.schedule_due d on d.tenant_id = s.tenant_id and d.schedule_id = s.id
                where (s.status = 'active') <> (d.schedule_id is not null) and ${within('s.payer_id')}`,
  },
  {
    name: 'schedules-follow-their-clock',
    kind: 'bookkeeping',
    says: 'due rows of a test tenant’s schedules follow its clock, and all others real time',
    counted: 'select count(*) as rows from usance.schedule_due',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('schedule', s.id, 'follows', s.clock_id, 'due', d.clock_id,
                       'clock', c.clock_id) as details
                from usance.schedules s join usance.schedule_due d on d.tenant_id = s.tenant_id and d.schedule_id = s.id
                left join (${CLOCKS_OF_TENANTS}) c on c.tenant_id = s.tenant_id
                where (s.clock_id is distinct from c.clock_id or d.clock_id is distinct from c.clock_id)
                  and ${within('s.payer_id')}`,
  },
  {
    name: 'slot-letters-have-failed',
    kind: 'bookkeeping',
    says: 'every dead letter of a slot belongs to a failed slot',
    counted: 'select count(*) as rows from usance.occurrence_dead_letters',
    whole: true,
    offenders: `select l.tenant_id, l.asset, jsonb_build_object('occurrence', l.occurrence_id, 'status', o.status) as details
                from usance.occurrence_dead_letters l
                left join usance.occurrences o on o.tenant_id = l.tenant_id and o.id = l.occurrence_id
                where $1::uuid[] is null and o.status is distinct from 'failed'`,
  },
  {
    name: 'slots-are-paid-once',
    kind: 'money',
    says: 'every payment of a schedule belongs to one slot and has its payer and its destinations, and every paid slot has one payment of its schedule',
    counted: `select count(*) as rows from usance.occurrences where status = 'made'`,
    offenders: `with own as (
                  select o.tenant_id, o.payment_id, o.schedule_id, o.slot, o.amount, s.asset, s.payer_id, s.kind, s.rail,
                         s.payout -> 'destinations' as destinations
                  from usance.occurrences o join usance.schedules s on s.tenant_id = o.tenant_id and s.id = o.schedule_id
                  where o.status = 'made' and ${within('s.payer_id')}
                ), paired as (
                  select coalesce(o.tenant_id, p.tenant_id) as tenant_id, coalesce(o.asset, p.asset) as asset,
                         coalesce(o.schedule_id, p.schedule_id) as schedule_id, coalesce(o.payment_id, p.id) as payment_id,
                         o.slot, p.id, count(*) over (partition by coalesce(o.tenant_id, p.tenant_id), coalesce(o.payment_id, p.id)) as times
                  from own o full join (${MADE_BY_SCHEDULES}) p
                    on p.tenant_id = o.tenant_id and p.id = o.payment_id and p.schedule_id = o.schedule_id
                      and p.payer_id = o.payer_id and p.asset = o.asset and p.owner_kind = o.kind
                      and p.rail = o.rail and p.destinations is not distinct from o.destinations
                )
                select tenant_id, asset, jsonb_build_object('schedule', schedule_id, 'payment', payment_id, 'slot', slot) as details
                from paired where slot is null or id is null or times > 1`,
  },
  {
    name: 'positions-are-passed',
    kind: 'bookkeeping',
    says: 'every schedule has advanced past each slot that already has an occurrence',
    counted: 'select count(*) as rows from usance.schedule_due',
    offenders: `select s.tenant_id, s.asset, jsonb_build_object('schedule', s.id, 'stands', coalesce(d.passed_slot, s.passed_slot),
                       'slot', o.slot) as details
                from usance.occurrences o join usance.schedules s on s.tenant_id = o.tenant_id and s.id = o.schedule_id
                left join usance.schedule_due d on d.tenant_id = s.tenant_id and d.schedule_id = s.id
                where o.kind = 'rule' and coalesce(o.through, o.slot) > coalesce(d.passed_slot, s.passed_slot)
                  and ${within('s.payer_id')}`,
  },
];
