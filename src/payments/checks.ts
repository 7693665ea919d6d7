// The invariants of payments, for `usance verify` and the continuous check. $1 is a list of accounts (payers), or null.
import { READABLE_EVENTS } from '../events/index.ts';
import type { Check } from '../ledger/index.ts';
import { ACCOUNTS, MOVED_BY_PAYMENT, NOTED_ON_BALANCES, TRANSFERS_OF_PAYMENTS } from '../ledger/index.ts';
import { CLOCKS_OF_TENANTS } from '../tenants/index.ts';
import { SHARES_OF_LEGS } from './shares.ts';
import { NAMESPACE } from './store.ts';

const within = (column: string): string => `($1::uuid[] is null or ${column} = any ($1::uuid[]))`;

/** What payments hold of their payers' balances, for the ledger's check of `reserved`. */
export const HELD_BY_PAYMENTS = `select tenant_id, payer_id as account_id, asset, amount::numeric - captured - released as open
  from usance.payments where funding = 'reserve' and ended_at is null and ${within('payer_id')}`;

/** Every payment, archived or not. */
export const ALL_PAYMENTS = 'select * from usance.all_payments';

/** Payments that schedules made, for the checks that each is of one slot, and within what its payer approved. */
export const MADE_BY_SCHEDULES = `select tenant_id, id, payer_id, rail, payout -> 'destinations' as destinations, asset, amount, captured,
    ended_at is null as open, owner_kind, owner_id as schedule_id
  from usance.all_payments where owner_id is not null and ${within('payer_id')}`;

/** Whom payments pay, and how much each: one row a payee. */
const SHARES = `select p.tenant_id, p.id, p.status, p.payer_id, p.asset, p.payee_id as account_id, p.captured as share
  from usance.all_payments p where p.legs is null
  union all
  select p.tenant_id, p.id, p.status, p.payer_id, p.asset, (leg ->> 'account')::uuid, (leg ->> 'amount')::bigint
  from usance.all_payments p cross join lateral jsonb_array_elements(p.legs) leg
  where not (p.captured > 0 and p.captured < p.amount)
  union all
  select p.tenant_id, p.id, p.status, p.payer_id, p.asset, s.account_id, s.share
  from usance.all_payments p cross join lateral ${SHARES_OF_LEGS} s
  where p.legs is not null and p.captured > 0 and p.captured < p.amount`;

/** The events that end a payment. A hold that was captured in part and then cancelled, rejected or expired has payment.settled. */
const ENDINGS = `('payment.settled', 'payment.failed', 'payment.cancelled', 'payment.rejected', 'payment.expired')`;

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The terms of a payment `p`, as its events have them (termsOf). */
const TERMS = `jsonb_build_object('termsVersion', p.terms_version, 'amount', p.amount::text, 'executeAt', ${iso('p.execute_at')},
  'expiresAt', ${iso('p.expires_at')})`;

export const PAYMENT_CHECKS: readonly Check[] = [
  {
    name: 'scheduled-payments-are-due',
    kind: 'bookkeeping',
    says: 'every scheduled payment has a due row with the right instant (its expiry, if it awaits approval), and no other payment has one',
    counted: 'select count(*) as rows from usance.due',
    // An instant years after everything that the payment says is one at which no claim comes.
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status,
                       'due', d.payment_id is not null, 'at', d.due_at) as details
                from usance.payments p left join usance.due d on d.tenant_id = p.tenant_id and d.payment_id = p.id
                where ((p.status = 'scheduled') <> (d.payment_id is not null) or d.rail <> p.rail
                       or d.priority <> p.priority + case when p.rail = 'ledger' then 0 else 10 end
                       or (p.approval = 'awaited' and d.blocked = 0 and d.due_at is distinct from least(p.approval_until, p.expires_at))
                       or (p.approval is distinct from 'awaited' and d.due_at > greatest(p.execute_at, p.updated_at) + interval '6 years'))
                  and ${within('p.payer_id')}
                union all
                select d.tenant_id, '', jsonb_build_object('payment', d.payment_id, 'due', true)
                from usance.due d left join usance.all_payments p on p.tenant_id = d.tenant_id and p.id = d.payment_id
                where $1::uuid[] is null and p.id is null`,
  },
  {
    name: 'payments-pay-their-payees',
    kind: 'money',
    says: 'every transfer of a payment is from its payer to one of its payees or back, and each payee of a settled payment received its share',
    counted: `select count(*) as rows from (${TRANSFERS_OF_PAYMENTS}) t`,
    whole: true,
    offenders: `with shares as materialized (${SHARES}), moved as materialized (${TRANSFERS_OF_PAYMENTS})
                select t.tenant_id, t.asset, jsonb_build_object('transfer', t.transfer_id, 'payment', t.payment_id, 'kind', t.kind,
                       'from', t.debit_account_id, 'to', t.credit_account_id) as details
                from moved t
                where $1::uuid[] is null and not exists (
                  select from shares s
                  where s.tenant_id = t.tenant_id and s.id = t.payment_id and s.asset = t.asset
                    and case when t.kind in ('settlement', 'capture')
                             then s.payer_id = t.debit_account_id and s.account_id = t.credit_account_id
                             else t.kind = 'refund' and s.payer_id = t.credit_account_id and s.account_id = t.debit_account_id end)
                union all
                select s.tenant_id, s.asset, jsonb_build_object('payment', s.id, 'payee', s.account_id, 'share', s.share::text,
                       'got', coalesce(m.got, 0)::text)
                from shares s
                left join (select tenant_id, payment_id, credit_account_id, sum(amount) as got from moved
                           where kind in ('settlement', 'capture') group by 1, 2, 3) m
                  on m.tenant_id = s.tenant_id and m.payment_id = s.id and m.credit_account_id = s.account_id
                where $1::uuid[] is null and s.status = 'settled' and s.share <> coalesce(m.got, 0)`,
  },
  {
    name: 'refunds-equal-payments',
    kind: 'money',
    says: 'refunded of every payment is the sum of its refunds, and no payee gave back more than it received',
    counted: 'select count(*) as rows from usance.refunds',
    whole: true,
    offenders: `with back as (select tenant_id, payment_id as id, account_id, sum(amount) as total from usance.refunds group by 1, 2, 3)
                select tenant_id, coalesce(p.asset, '') as asset, jsonb_build_object('payment', id, 'refunded', p.refunded::text,
                       'refunds', coalesce(b.total, 0)::text) as details
                from usance.all_payments p
                full join (select tenant_id, id, sum(total) as total from back group by 1, 2) b using (tenant_id, id)
                where $1::uuid[] is null and (p.id is null or p.refunded <> coalesce(b.total, 0))
                union all
                select b.tenant_id, coalesce(s.asset, ''), jsonb_build_object('payment', b.id, 'payee', b.account_id,
                       'share', s.share::text, 'refunds', b.total::text)
                from back b left join (${SHARES}) s
                  on s.tenant_id = b.tenant_id and s.id = b.id and s.account_id = b.account_id
                where $1::uuid[] is null and (s.id is null or b.total > s.share)`,
  },
  {
    name: 'payments-are-told',
    kind: 'bookkeeping',
    says: 'every payment has the event of its creation, and every ended payment the event of its end',
    counted: 'select count(*) as rows from usance.all_payments',
    whole: true,
    offenders: `with told as materialized (
                  select tenant_id, resource_id, bool_or(type = 'payment.created') as made, bool_or(type in ${ENDINGS}) as ended
                  from (${READABLE_EVENTS}) e where type in ('payment.created', ${ENDINGS.slice(1)} group by 1, 2)
                select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status, 'made', coalesce(t.made, false),
                       'ended', coalesce(t.ended, false)) as details
                from usance.all_payments p left join told t on t.tenant_id = p.tenant_id and t.resource_id = p.id
                where $1::uuid[] is null and not (coalesce(t.made, false) and (p.ended_at is null or coalesce(t.ended, false)))`,
  },
  {
    name: 'approvals-are-told',
    kind: 'money',
    says: 'every approved payment has the event of its approval, and no later event that requires approval of new terms',
    counted: `select count(*) as rows from usance.all_payments where approval = 'given'`,
    // Of few payments, each looked up in events_resource. By the version of the terms: a server's clock may be set back. An erased
    // event names none.
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status, 'amount', p.amount::text) as details
                from usance.all_payments p
                where p.approval = 'given' and ${within('p.payer_id')} and not exists (
                  select from (${READABLE_EVENTS}) a
                  where a.tenant_id = p.tenant_id and a.resource_id = p.id and a.type = 'payment.approved' and not exists (
                    select from (${READABLE_EVENTS}) r
                    where r.tenant_id = a.tenant_id and r.resource_id = a.resource_id and r.type = 'payment.approval_requested'
                      and (r.data ->> 'termsVersion')::int > (a.data ->> 'termsVersion')::int))`,
  },
  {
    name: 'terms-are-told',
    kind: 'money',
    says: 'every payment whose terms changed has the amount, instant and expiry that the event of that version names',
    counted: 'select count(*) as rows from usance.all_payments where terms_version > 1',
    // A trigger lets terms change only with their version, so those of version 1 are as they were made.
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status, 'terms', ${TERMS}) as details
                from usance.all_payments p
                where p.terms_version > 1 and ${within('p.payer_id')} and not exists (
                  select from (${READABLE_EVENTS}) e
                  where e.tenant_id = p.tenant_id and e.resource_id = p.id and e.type in ('payment.updated', 'payment.extended')
                    and (e.data ? 'erased' or e.data -> 'new' @> ${TERMS}))`,
  },
  {
    name: 'waiting-payments-are-watched',
    kind: 'bookkeeping',
    says: 'every payment that waits for a credit is scheduled, waits for its own payer, and the payer is watched',
    counted: 'select count(*) as rows from usance.waiting',
    whole: true,
    offenders: `select w.tenant_id, w.asset, jsonb_build_object('payment', w.payment_id, 'account', w.account_id, 'status', p.status,
                       'watched', b.watched) as details
                from usance.waiting w
                left join usance.payments p on p.tenant_id = w.tenant_id and p.id = w.payment_id
                left join (${NOTED_ON_BALANCES}) b
                  on b.tenant_id = w.tenant_id and b.account_id = w.account_id and b.asset = w.asset
                where $1::uuid[] is null and (p.status is distinct from 'scheduled' or p.payer_id <> w.account_id
                  or p.asset <> w.asset or b.watched is not true)`,
  },
  {
    name: 'dead-letters-have-failed',
    kind: 'bookkeeping',
    says: 'every dead letter belongs to a failed payment',
    counted: 'select count(*) as rows from usance.payment_dead_letters',
    whole: true,
    offenders: `select l.tenant_id, l.asset, jsonb_build_object('payment', l.payment_id, 'status', p.status) as details
                from usance.payment_dead_letters l
                left join usance.payments p on p.tenant_id = l.tenant_id and p.id = l.payment_id
                where $1::uuid[] is null and p.status is distinct from 'failed'`,
  },
  {
    name: 'references-are-unique',
    kind: 'bookkeeping',
    says: 'no two payments of one namespace have the same reference, archived or not',
    counted: 'select count(*) as rows from usance.all_payments where reference is not null',
    whole: true,
    offenders: `select tenant_id, min(asset) as asset, jsonb_build_object('reference', reference, 'payments', jsonb_agg(id)) as details
                from usance.all_payments p where reference is not null and $1::uuid[] is null
                group by tenant_id, reference, ${NAMESPACE} having count(*) > 1`,
  },
  {
    name: 'daily-limits-are-counted',
    kind: 'bookkeeping',
    says: 'a balance is marked as limited exactly if its account has a daily limit',
    counted: 'select count(*) as rows from usance.payment_limits',
    whole: true,
    offenders: `select tenant_id, asset, jsonb_build_object('account', account_id, 'limited', b.limited, 'daily', l.daily_amount::text) as details
                from (select * from usance.payment_limits where daily_amount is not null) l
                full join (select * from (${NOTED_ON_BALANCES}) n where n.limited) b using (tenant_id, account_id, asset)
                where $1::uuid[] is null and (l.daily_amount is null or b.limited is null)`,
  },
  {
    name: 'payments-follow-their-clock',
    kind: 'bookkeeping',
    says: 'due rows of a test tenant follow its clock, and all others real time',
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
    kind: 'money',
    says: 'captured and refunded of every payment are the sums of its transfers',
    counted: 'select count(*) as rows from usance.all_payments',
    // Transfers are not indexed by payment; the payer's balance and history a slice does check.
    whole: true,
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
    kind: 'money',
    says: 'captured and released of every payment stay within its amount, its state agrees with its end, its accounts are its tenant’s',
    counted: 'select count(*) as rows from usance.all_payments',
    offenders: `select p.tenant_id, p.asset, jsonb_build_object('payment', p.id, 'status', p.status, 'amount', p.amount::text,
                       'captured', p.captured::text, 'released', p.released::text) as details
                from usance.all_payments p
                left join (${ACCOUNTS}) r on r.tenant_id = p.tenant_id and r.account_id = p.payer_id
                left join (${ACCOUNTS}) e on e.tenant_id = p.tenant_id and e.account_id = p.payee_id
                where (p.amount <= 0 or p.captured < 0 or p.released < 0 or p.captured::numeric + p.released > p.amount
                       or p.refunded < 0 or p.refunded > p.captured
                       or (p.status in ('settled', 'failed', 'cancelled', 'expired')) <> (p.ended_at is not null)
                       or (p.status = 'settled' and (p.captured = 0 or (p.approval = 'awaited' and p.captured = p.amount)))
                       or (p.status in ('cancelled', 'expired') and p.captured > 0)
                       or (p.funding = 'reserve' and p.ended_at is not null and p.captured::numeric + p.released <> p.amount)
                       or r.account_id is null or e.account_id is null or p.payer_id = p.payee_id
                       or (p.legs is not null and (
                             select count(*) < 2 or count(distinct leg ->> 'account') < count(*) or bool_or(a.account_id is null)
                                    or sum((leg ->> 'amount')::numeric) <> p.amount or not bool_or((leg ->> 'account')::uuid = p.payee_id)
                             from jsonb_array_elements(p.legs) leg
                             left join (${ACCOUNTS}) a on a.tenant_id = p.tenant_id and a.account_id = (leg ->> 'account')::uuid)))
                  and ${within('p.payer_id')}`,
  },
  {
    name: 'archived-payments-rest',
    kind: 'bookkeeping',
    says: 'an archived payment has ended, exists nowhere else, and has no due row and no dead letter',
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
  {
    name: 'limits-are-told',
    kind: 'bookkeeping',
    says: 'every limit is what the last event about it says',
    counted: 'select count(*) as rows from usance.payment_limits',
    whole: true,
    offenders: `with last as (
                  select distinct on (tenant_id, resource_id, data ->> 'asset') tenant_id, resource_id, data ->> 'asset' as asset, data -> 'new' as says
                  from (${READABLE_EVENTS}) e where type = 'limit.set' and data ? 'asset'
                  order by tenant_id, resource_id, data ->> 'asset', recorded_at desc
                ), held as (
                  select tenant_id, coalesce(account_id, tenant_id) as resource_id, asset, max_amount, daily_amount,
                         default_daily_amount, tenant_daily_amount, approval_above
                  from usance.payment_limits)
                select tenant_id, asset, jsonb_build_object('account', nullif(resource_id, tenant_id), 'limit', to_jsonb(h) - 'tenant_id' - 'resource_id' - 'asset',
                       'event', l.says) as details
                from held h full join last l using (tenant_id, resource_id, asset)
                -- An erased event says no more what it said.
                where $1::uuid[] is null and (tenant_id, resource_id) not in (
                  select tenant_id, resource_id from (${READABLE_EVENTS}) e where type = 'limit.set' and not data ? 'asset') and (
                  (h.max_amount::text, h.daily_amount::text, h.default_daily_amount::text, h.tenant_daily_amount::text, h.approval_above::text)
                  is distinct from
                  (l.says ->> 'maxAmount', l.says ->> 'dailyAmount', l.says ->> 'defaultDailyAmount', l.says ->> 'tenantDailyAmount',
                   l.says ->> 'approvalAbove'))`,
  },
];
