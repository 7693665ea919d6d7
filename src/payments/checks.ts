// The invariants of payments, for `usance verify` and the continuous check. $1 is a list of accounts (payers), or null.
import type { Check } from '../ledger/index.ts';
import { MOVED_BY_PAYMENT } from '../ledger/index.ts';
import { CLOCKS_OF_TENANTS } from '../tenants/index.ts';

const within = (column: string): string => `($1::uuid[] is null or ${column} = any ($1::uuid[]))`;

/** What payments hold of their payers' balances, for the ledger's check of `reserved`. */
export const HELD_BY_PAYMENTS = `select tenant_id, payer_id as account_id, asset, amount::numeric - captured - released as open
  from usance.payments where funding = 'reserve' and ended_at is null and ${within('payer_id')}`;

/** Payments that schedules made, for the check that each is of one slot. */
export const MADE_BY_SCHEDULES = `select tenant_id, id, payer_id, asset, amount, substr(created_by, 10)::uuid as schedule_id
  from usance.all_payments where created_by like 'schedule:%' and ${within('payer_id')}`;

export const PAYMENT_CHECKS: readonly Check[] = [
  {
    name: 'scheduled-payments-are-due',
    says: 'every scheduled payment has its due row, and no other payment has one',
    counted: 'select count(*) as rows from usance.due',
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status,
                       'due', d.payment_id is not null) as details
                from usance.payments p left join usance.due d on d.tenant_id = p.tenant_id and d.payment_id = p.id
                where (p.status = 'scheduled') <> (d.payment_id is not null) and ${within('p.payer_id')}`,
  },
  {
    name: 'payments-follow-their-clock',
    says: 'what is due of a test tenant is due by its clock, and everything else by real time',
    counted: 'select count(*) as rows from usance.due',
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'follows', p.clock_id, 'due', d.clock_id,
                       'clock', c.clock_id) as details
                from usance.payments p join usance.due d on d.tenant_id = p.tenant_id and d.payment_id = p.id
                left join (${CLOCKS_OF_TENANTS}) c on c.tenant_id = p.tenant_id
                where (p.clock_id is distinct from c.clock_id or d.clock_id is distinct from c.clock_id)
                  and ${within('p.payer_id')}`,
  },
  {
    name: 'payments-equal-transfers',
    says: 'captured and refunded of every payment are the sums of its transfers',
    counted: 'select count(*) as rows from usance.all_payments',
    // Transfers are not indexed by payment, so a slice skips this one; the payer's balance and history it does check.
    offenders: `with moved as (
                  select tenant_id, payment_id as id,
                         coalesce(sum(total) filter (where kind in ('settlement', 'capture')), 0) as paid,
                         coalesce(sum(total) filter (where kind = 'refund'), 0) as back
                  from (${MOVED_BY_PAYMENT}) m where $1::uuid[] is null group by 1, 2)
                select tenant_id, coalesce(p.asset, '') as asset, jsonb_build_object('payment', id, 'status', p.status,
                       'captured', p.captured::text, 'transfers', coalesce(m.paid, 0)::text, 'refunded', p.refunded::text,
                       'refunds', coalesce(m.back, 0)::text) as details
                from usance.all_payments p full join moved m using (tenant_id, id)
                where $1::uuid[] is null
                  and (p.id is null or p.captured <> coalesce(m.paid, 0) or p.refunded <> coalesce(m.back, 0))`,
  },
  {
    name: 'payments-well-formed',
    says: 'captured and released of every payment stay within its amount, and its state agrees with its end',
    counted: 'select count(*) as rows from usance.all_payments',
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status, 'amount', p.amount::text,
                       'captured', p.captured::text, 'released', p.released::text) as details
                from usance.all_payments p
                where (p.amount <= 0 or p.captured < 0 or p.released < 0 or p.captured::numeric + p.released > p.amount
                       or p.refunded > p.captured
                       or (p.status in ('settled', 'failed', 'cancelled', 'expired')) <> (p.ended_at is not null)
                       or (p.status = 'settled' and p.captured = 0))
                  and ${within('p.payer_id')}`,
  },
  {
    name: 'archived-payments-rest',
    says: 'an archived payment has ended, is nowhere else, and nobody waits for it',
    counted: 'select count(*) as rows from usance.archived_payments',
    offenders: `select a.tenant_id, a.asset, jsonb_build_object('payment', a.id, 'status', a.status, 'twice', p.id is not null,
                       'due', d.payment_id is not null, 'dead_letter', l.payment_id is not null) as details
                from usance.archived_payments a
                left join usance.payments p on p.tenant_id = a.tenant_id and p.id = a.id
                left join usance.due d on d.tenant_id = a.tenant_id and d.payment_id = a.id
                left join usance.payment_dead_letters l on l.tenant_id = a.tenant_id and l.payment_id = a.id
                where (a.ended_at is null or p.id is not null or d.payment_id is not null or l.payment_id is not null)
                  and ${within('a.payer_id')}`,
  },
];
