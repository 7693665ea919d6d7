-- The money invariants of usance, as plain SQL for an auditor. It reads only, needs only select on the schema, and is written
-- separately from `usance verify`, so that each checks the other (test/ledger/verified.test.ts).
--
--   psql "$DATABASE_URL" -f verify.sql
--
-- One row for each invariant that is violated, with the number of offenders and the ids of one; no rows if the books are right.
-- The schema is `usance`; if yours has another name, replace it: sed 's/usance\./yours./g' verify.sql.
with
-- Both sides of every transfer, as changes of an account.
entries as materialized (
  select tenant_id, credit_account_id as account_id, asset, amount from usance.transfers
  union all
  select tenant_id, debit_account_id, asset, -amount from usance.transfers
),
-- `world` and `fees` have no balance row: their balance is the sum of their transfers.
derived as (
  select tenant_id, id as account_id from usance.accounts where kind = 'system' and ref in ('world', 'fees')
),
payments as materialized (
  select * from usance.payments
  union all
  select * from usance.archived_payments
),
-- One row for each payee of a payment, with its share.
shares as materialized (
  select tenant_id, id, status, payer_id, asset, payee_id as account_id, captured as share from payments where legs is null
  union all
  select p.tenant_id, p.id, p.status, p.payer_id, p.asset, (leg ->> 'account')::uuid, (leg ->> 'amount')::bigint
  from payments p, jsonb_array_elements(p.legs) leg
  where not (p.captured > 0 and p.captured < p.amount)
  union all
  -- Captured in part: in the order of the legs, each payee's proportion of what is left for it and those after it, rounded half up.
  select p.tenant_id, p.id, p.status, p.payer_id, p.asset, s.account_id, s.share
  from payments p, lateral (
    with recursive split (n, captured, ahead, account_id, share) as (
      select 0, p.captured::numeric, p.amount::numeric, null::uuid, 0::numeric
      union all
      select s.n + 1, s.captured - d.share, s.ahead - l.amount, l.account_id, d.share
      from split s
      cross join lateral (
        select (p.legs -> s.n ->> 'account')::uuid as account_id, (p.legs -> s.n ->> 'amount')::bigint as amount) l
      cross join lateral (select div(2 * s.captured * l.amount + s.ahead, 2 * s.ahead) as share) d
      where s.n < jsonb_array_length(p.legs) and s.ahead > 0)
    select account_id, share::bigint as share from split where n > 0) s
  where p.legs is not null and p.captured > 0 and p.captured < p.amount
),
violations (invariant, tenant_id, asset, offender) as (
  -- No balance is negative.
  select 'balances-not-negative', tenant_id, asset, account_id from usance.balances where available < 0 or reserved < 0

  union all -- A balance is the sum of its account's transfers.
  select 'balances-equal-history', tenant_id, asset, account_id
  from (
    select tenant_id, asset, account_id, available::numeric + reserved as total from usance.balances
    union all
    select e.tenant_id, e.asset, e.account_id, -e.amount from entries e
    where (e.tenant_id, e.account_id) not in (select tenant_id, account_id from derived)
  ) t
  where (tenant_id, account_id) not in (select tenant_id, account_id from derived)
  group by 2, 3, 4 having sum(total) <> 0

  union all -- Reserved is the sum of the open amounts of reservations and holds.
  select 'reserved-equals-reservations', tenant_id, asset, account_id
  from (
    select tenant_id, asset, account_id, reserved::numeric as total from usance.balances
    union all
    select tenant_id, asset, account_id, -(amount::numeric - captured - released) from usance.reservations where resolved_at is null
    union all
    select tenant_id, asset, payer_id, -(amount::numeric - captured - released) from usance.payments
    where funding = 'reserve' and ended_at is null
    union all
    select tenant_id, asset, wallet_id, -amount::numeric from usance.payout_attempts where state = 'sent'
    union all
    select tenant_id, fee_asset, wallet_id, -fee_limit::numeric from usance.payout_attempts where state = 'sent'
  ) t
  group by 2, 3, 4 having sum(total) <> 0

  union all -- A reservation is used up exactly once, and never beyond its amount.
  select 'reservations-resolve-once', tenant_id, asset, id from usance.reservations
  where amount <= 0 or captured < 0 or released < 0 or captured::numeric + released > amount
     or (resolved_at is not null) <> (captured::numeric + released = amount)

  union all -- The captured amount of a reservation is the sum of its transfers.
  select 'captures-equal-transfers', tenant_id, asset, id
  from (
    select tenant_id, asset, id, account_id, captured::numeric as total from usance.reservations
    union all
    select tenant_id, asset, reservation_id, debit_account_id, -amount from usance.transfers where reservation_id is not null
  ) t
  group by tenant_id, asset, id, account_id having sum(total) <> 0

  union all -- A transfer is positive, between two accounts of its tenant, in an asset of its tenant.
  select 'transfers-well-formed', t.tenant_id, t.asset, t.id from usance.transfers t
  where t.amount <= 0 or t.debit_account_id = t.credit_account_id
     or not exists (select from usance.assets s where s.tenant_id = t.tenant_id and s.asset = t.asset)
     or not exists (select from usance.accounts a where a.tenant_id = t.tenant_id and a.id = t.debit_account_id)
     or not exists (select from usance.accounts a where a.tenant_id = t.tenant_id and a.id = t.credit_account_id)

  union all -- Money is neither made nor lost: all balances of an asset, with those of world and fees, sum to zero.
  select 'assets-sum-to-zero', tenant_id, asset, tenant_id
  from (
    select tenant_id, asset, available::numeric + reserved as total from usance.balances
    union all
    select e.tenant_id, e.asset, e.amount from entries e join derived using (tenant_id, account_id)
  ) t
  group by 2, 3 having sum(total) <> 0

  union all -- A balance can pay and be paid exactly if its account is active; world and fees have no balance row.
  select 'flags-follow-accounts', b.tenant_id, b.asset, b.account_id
  from usance.balances b left join usance.accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
  where a.id is null or b.may_debit <> (a.status = 'active') or b.may_credit <> (a.status = 'active')
     or (a.kind = 'system' and a.ref in ('world', 'fees'))

  union all -- Every transfer of a payment is from its payer to one of its payees, or a refund the other way round.
  select 'payments-pay-their-payees', t.tenant_id, t.asset, t.id from usance.transfers t
  where t.payment_id is not null
    and not exists (
      select from shares s
      where s.tenant_id = t.tenant_id and s.id = t.payment_id and s.asset = t.asset
        and ((t.kind in ('settlement', 'capture') and t.debit_account_id = s.payer_id and t.credit_account_id = s.account_id)
             or (t.kind = 'refund' and t.debit_account_id = s.account_id and t.credit_account_id = s.payer_id)))

  union all -- Each payee of a settled payment received its share.
  select 'payments-pay-their-payees', s.tenant_id, s.asset, s.id
  from shares s
  left join usance.transfers t on t.tenant_id = s.tenant_id and t.payment_id = s.id and t.credit_account_id = s.account_id
    and t.kind in ('settlement', 'capture')
  where s.status = 'settled'
  group by s.tenant_id, s.asset, s.id, s.account_id, s.share having coalesce(sum(t.amount), 0) <> s.share

  union all -- The refunded amount of a payment is the sum of its refunds.
  select 'refunds-equal-payments', tenant_id, max(asset), id
  from (
    select tenant_id, asset, id, refunded::numeric as total, true as known from payments
    union all
    select tenant_id, null, payment_id, -amount, false from usance.refunds
  ) t
  group by 2, 4 having sum(total) <> 0 or not bool_or(known)

  union all -- No payee gave back more than it received.
  select 'refunds-equal-payments', r.tenant_id, max(s.asset), r.payment_id
  from usance.refunds r
  left join shares s on s.tenant_id = r.tenant_id and s.id = r.payment_id and s.account_id = r.account_id
  group by r.tenant_id, r.payment_id, r.account_id having max(s.share) is null or sum(r.amount) > max(s.share)

  union all -- Captured and refunded of a payment are the sums of its transfers.
  select 'payments-equal-transfers', tenant_id, max(asset), id
  from (
    select tenant_id, asset, id, captured::numeric as paid, refunded::numeric as back, true as known from payments
    union all
    select tenant_id, null, payment_id, case when kind in ('settlement', 'capture') then -amount else 0 end,
           case when kind = 'refund' then -amount else 0 end, false
    from usance.transfers where payment_id is not null
  ) t
  group by 2, 4 having sum(paid) <> 0 or sum(back) <> 0 or not bool_or(known)

  union all -- The amounts of a payment agree with each other and with its state, and its accounts are its tenant's.
  select 'payments-well-formed', p.tenant_id, p.asset, p.id from payments p
  where p.amount <= 0 or p.captured < 0 or p.released < 0 or p.captured::numeric + p.released > p.amount
     or p.refunded < 0 or p.refunded > p.captured
     or (p.status in ('settled', 'failed', 'cancelled', 'expired')) <> (p.ended_at is not null)
     or (p.status = 'settled' and (p.captured = 0 or (p.approval = 'awaited' and p.captured = p.amount)))
     or (p.status in ('cancelled', 'expired') and p.captured > 0)
     or (p.funding = 'reserve' and p.ended_at is not null and p.captured::numeric + p.released <> p.amount)
     or p.payer_id = p.payee_id
     or not exists (select from usance.accounts a where a.tenant_id = p.tenant_id and a.id = p.payer_id)
     or not exists (select from usance.accounts a where a.tenant_id = p.tenant_id and a.id = p.payee_id)

  union all -- The legs of a payment are two or more, one for each payee, and make up its amount.
  select 'payments-well-formed', p.tenant_id, p.asset, p.id
  from payments p, jsonb_array_elements(p.legs) leg
  left join usance.accounts a on a.id = (leg ->> 'account')::uuid
  group by p.tenant_id, p.asset, p.id, p.amount, p.payee_id
  having count(*) < 2 or count(distinct leg ->> 'account') < count(*) or sum((leg ->> 'amount')::numeric) <> p.amount
      or not bool_or((leg ->> 'account')::uuid = p.payee_id) or bool_or(a.tenant_id is distinct from p.tenant_id)

  union all -- An approved payment was approved with its current terms.
  select 'approvals-are-told', p.tenant_id, p.asset, p.id
  from payments p
  left join usance.events e on e.tenant_id = p.tenant_id and e.resource_id = p.id
    and e.type in ('payment.approved', 'payment.approval_requested')
  where p.approval = 'given'
  group by p.tenant_id, p.asset, p.id
  having coalesce(max(coalesce((e.data ->> 'termsVersion')::int, 2147483647)) filter (where e.type = 'payment.approved')
                  < max((e.data ->> 'termsVersion')::int) filter (where e.type = 'payment.approval_requested'),
                  not bool_or(e.type = 'payment.approved'), true)

  union all -- A payment whose terms were changed has those that the event of the change names; an erased event names none.
  select 'terms-are-told', p.tenant_id, p.asset, p.id
  from payments p
  left join usance.events e on e.tenant_id = p.tenant_id and e.resource_id = p.id and e.type in ('payment.updated', 'payment.extended')
  where p.terms_version > 1
  group by p.tenant_id, p.asset, p.id, p.terms_version, p.amount, p.execute_at, p.expires_at
  having bool_or(e.data::text = '{"erased":true}'
                 or (e.data #>> '{new,termsVersion}', e.data #>> '{new,amount}', e.data #>> '{new,executeAt}', e.data #>> '{new,expiresAt}')
                    is not distinct from
                    (p.terms_version::text, p.amount::text, to_char(p.execute_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                     to_char(p.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) is not true

  union all -- A paid slot of a schedule has one payment from the schedule's payer, and no other slot has that payment.
  select 'slots-are-paid-once', o.tenant_id, s.asset, o.payment_id
  from usance.occurrences o
  join usance.schedules s on s.tenant_id = o.tenant_id and s.id = o.schedule_id
  left join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id and p.owner_id = s.id and p.owner_kind = s.kind
    and p.payer_id = s.payer_id and p.asset = s.asset
  where o.status = 'made'
  group by o.tenant_id, s.asset, o.payment_id having count(*) > 1 or count(p.id) <> count(*)

  union all -- A payment of a schedule belongs to one of its slots.
  select 'slots-are-paid-once', p.tenant_id, p.asset, p.id from payments p
  where p.owner_id is not null
    and not exists (
      select from usance.occurrences o join usance.schedules s on s.tenant_id = o.tenant_id and s.id = o.schedule_id
      where o.tenant_id = p.tenant_id and o.payment_id = p.id and o.status = 'made' and s.id = p.owner_id and s.kind = p.owner_kind
        and s.payer_id = p.payer_id and s.asset = p.asset)

  union all -- A subscription charges no more, no more often, and no more at once, than its payer approved.
  select 'charges-are-approved', u.tenant_id, s.asset, u.schedule_id
  from (select distinct on (tenant_id, schedule_id) * from usance.subscription_terms order by tenant_id, schedule_id, version desc) u join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
  where u.approved < (select coalesce(sum(o.amount), 0) from usance.occurrences o
                      where o.tenant_id = u.tenant_id and o.schedule_id = u.schedule_id and o.status = 'made')
     or u.charges < (select count(*) from usance.occurrences o
                     where o.tenant_id = u.tenant_id and o.schedule_id = u.schedule_id and o.status = 'made')
     or exists (select from usance.occurrences o
                where o.tenant_id = u.tenant_id and o.schedule_id = u.schedule_id and o.status = 'made'
                  and o.amount > (select t.price from usance.subscription_terms t
                                  where t.tenant_id = u.tenant_id and t.schedule_id = u.schedule_id and t.since <= o.slot
                                  order by t.version desc limit 1))
     or (select max(t.price) from usance.subscription_terms t where t.tenant_id = u.tenant_id and t.schedule_id = u.schedule_id)
        < (select max(case when p.ended_at is null then p.amount else p.captured end) from payments p
           where p.tenant_id = u.tenant_id and p.owner_id = u.schedule_id and p.owner_kind = 'subscription')
     or u.approved < (select coalesce(sum(case when p.ended_at is null then p.amount else p.captured end), 0) from payments p
                      where p.tenant_id = u.tenant_id and p.owner_id = u.schedule_id and p.owner_kind = 'subscription')

  union all -- A subscription has not used, and refunds have not taken back, more credit than its changes of plan granted.
  select 'credit-is-granted', c.tenant_id, s.asset, c.schedule_id
  from (select c.tenant_id, c.schedule_id,
               sum(c.credit - greatest(0, coalesce(p.refunded - (p.captured - c.credit_paid), 0))) as granted, sum(c.credit) as ever
        from usance.subscription_changes c
        left join usance.occurrences o on o.tenant_id = c.tenant_id and o.schedule_id = c.schedule_id and o.slot = c.ended_slot
        left join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
        group by c.tenant_id, c.schedule_id) c
  join usance.schedules s on s.tenant_id = c.tenant_id and s.id = c.schedule_id
  where c.ever > 0 and c.granted < (
    select coalesce(sum(case o.status when 'made' then (
             select t.price from usance.subscription_terms t
             where t.tenant_id = o.tenant_id and t.schedule_id = o.schedule_id and t.since <= o.slot
             order by t.version desc limit 1) - o.amount else o.amount end), 0)
    from usance.occurrences o left join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
    where o.tenant_id = c.tenant_id and o.schedule_id = c.schedule_id
      and (o.status = 'made' and (p.ended_at is null or p.captured > 0) or o.status = 'skipped' and o.reason = 'credit'))

  union all -- A change of plan has the terms that its event names; an erased event names none.
  select 'plan-changes-are-told', c.tenant_id, s.asset, c.schedule_id
  from usance.subscription_changes c
  join usance.schedules s on s.tenant_id = c.tenant_id and s.id = c.schedule_id
  left join usance.events e on e.tenant_id = c.tenant_id and e.resource_id = c.schedule_id and e.type = 'subscription.plan_changed'
  group by c.tenant_id, s.asset, c.schedule_id, c.version, c.plan_id, c.price, c.charges, c.approved, c.credit, c.credit_paid
  having bool_or(e.data::text = '{"erased":true}'
                 or (e.data #>> '{new,version}', e.data #>> '{new,planId}', e.data #>> '{new,price}', e.data #>> '{new,charges}',
                     e.data #>> '{new,approved}', e.data #>> '{new,credit}', e.data #>> '{new,creditPaid}')
                    is not distinct from
                    (c.version::text, c.plan_id::text, c.price::text, c.charges::text, c.approved::text, c.credit::text,
                     c.credit_paid::text)) is not true

  union all -- The schedule of a subscription charges the agreed price to the agreed receiver.
  select 'subscriptions-are-as-agreed', u.tenant_id, s.asset, u.schedule_id
  from (select distinct on (tenant_id, schedule_id) * from usance.subscription_terms order by tenant_id, schedule_id, version desc) u
  join usance.schedules s on s.tenant_id = u.tenant_id and s.id = u.schedule_id
  join usance.plans p on p.tenant_id = u.tenant_id and p.id = u.plan_id
  where s.amount <> u.price or s.payee_id <> p.payee_id or s.asset <> p.asset or s.kind <> 'subscription'
     or s.steps is not null or s.legs is not null or s.overlap <> 'wait' or s.after_failure = 'continue'
     or (s.timing ->> 'count' is null) <> (u.charges is null)
     or u.version = 1 and (s.timing ->> 'count')::int is distinct from u.charges

  union all -- An allowance goes from its guardian to its child, and a deleted one has ended.
  select 'allowances-pay-the-child', a.tenant_id, s.asset, a.schedule_id
  from usance.allowances a join usance.schedules s on s.tenant_id = a.tenant_id and s.id = a.schedule_id
  where s.payer_id <> a.guardian_id or s.payee_id <> a.junior_id or s.legs is not null or s.kind <> 'allowance'
     or (a.ended_at is not null and s.status in ('active', 'paused'))

  union all -- A payout that its chain has is live in one attempt, a settled one was paid by one, and no other has any of these.
  select 'payouts-have-their-attempt', p.tenant_id, p.asset, p.id
  from payments p
  left join usance.payout_attempts a
    on a.tenant_id = p.tenant_id and a.payment_id = p.id and a.state in ('claimed', 'sent', 'finalized')
  where p.rail <> 'ledger'
  group by p.tenant_id, p.asset, p.id, p.status
  having count(a.id) <> (p.status in ('processing', 'submitted', 'review', 'settled'))::int
      or max(a.state) is distinct from case p.status
           when 'processing' then 'claimed' when 'submitted' then 'sent' when 'review' then 'sent' when 'settled' then 'finalized' end

  union all -- What a chain paid, and the fee that it took, left the wallet in the books.
  select 'payouts-are-booked', a.tenant_id, a.asset, a.payment_id
  from usance.payout_attempts a
  left join usance.transfers o on o.tenant_id = a.tenant_id and o.id = a.outflow_id
  left join usance.transfers f on f.tenant_id = a.tenant_id and f.id = a.fee_id
  where (a.outflow_id is not null and (o.amount, o.asset, o.kind, o.debit_account_id) is distinct from (a.amount, a.asset, 'chain_outflow', a.wallet_id))
     or (a.fee_id is not null and (f.amount, f.asset, f.kind, f.debit_account_id) is distinct from (a.fee, a.fee_asset, 'chain_fee', a.wallet_id))

  union all -- Every transfer of a chain belongs to one attempt.
  select 'outflows-have-an-attempt', t.tenant_id, t.asset, t.id
  from usance.transfers t
  left join usance.payout_attempts a
    on a.tenant_id = t.tenant_id and t.id = case t.kind when 'chain_fee' then a.fee_id else a.outflow_id end
  where t.kind in ('chain_outflow', 'chain_fee')
  group by t.tenant_id, t.asset, t.id having count(a.id) <> 1

  union all -- A signed attempt pays its payout, to an address that the payout names, out of its tenant's wallet.
  select 'attempts-are-of-their-payout', a.tenant_id, a.asset, a.payment_id
  from usance.payout_attempts a
  left join payments p on p.tenant_id = a.tenant_id and p.id = a.payment_id
  left join usance.payout_wallets w on w.tenant_id = a.tenant_id and w.account_id = a.wallet_id and w.chain = a.chain
  where a.signed is not null
    and ((a.payer_id, a.asset) is distinct from (p.payer_id, p.asset) or p.rail = 'ledger' or w.chain is null
      or (a.state in ('sent', 'finalized') and a.amount <> p.amount) or a.address is distinct from p.payout -> 'destinations' ->> a.chain)
)
select invariant, count(*) as offenders, min(tenant_id::text) as tenant, min(asset) as asset, min(offender::text) as example
from violations group by invariant order by invariant;
