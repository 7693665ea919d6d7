-- Approval of payments by a second person: the threshold, the state and its deadline, the terms that an approval is of, and what was
-- sent without one. Also an index of further payees, so that their payments are found, and refunds of what was captured before a payment
-- failed.
-- Safe for older workers until a threshold is set. They try to settle payments that await approval, which a constraint refuses, and they
-- neither count what is sent without approval nor list further payees. Their edits of terms are refused: they leave out the version.

alter table usance.payment_limits add column approval_above bigint check (approval_above >= 0);

-- What a maker sent from a payer without approval, by hour of the tenant's clock, where a threshold is set: many payments below it
-- need approval when they add up to more. Written under an advisory lock of payer and maker.
create table usance.unapproved_spend (
  tenant_id  uuid not null,
  account_id uuid not null,
  asset      text not null,
  maker      text not null,
  hour       timestamptz not null,
  amount     bigint not null check (amount >= 0),
  primary key (tenant_id, account_id, asset, maker, hour)
);

-- `awaited` until a second person has approved. No money moves before that.
alter table usance.payments
  add column approval      text check (approval in ('awaited', 'given')),
  -- While it is awaited: when the payment expires without it.
  add column approval_until timestamptz,
  -- Grows with every change of amount, payees, execute_at or expires_at: an approval names the version it saw.
  add column terms_version int not null default 1 check (terms_version >= 1),
  -- The actors beside created_by that decided its terms; null where there is none.
  add column terms_by      jsonb check (jsonb_typeof(terms_by) = 'array'),
  -- A hold captured in part that awaits approval anew may end with its rest released: that rest was never approved, nor paid.
  add constraint payments_settled_was_approved
    check (status <> 'settled' or approval is distinct from 'awaited' or captured < amount);

-- Only of those that wait for a person or did; an update that leaves `approval` alone still stays in its page.
create index payments_awaiting on usance.payments (tenant_id, id) where approval = 'awaited';

-- Of payments with legs: whom they pay besides payee_id.
create table usance.payment_payees (
  tenant_id  uuid not null,
  account_id uuid not null,
  payment_id uuid not null,
  primary key (account_id, payment_id),
  constraint payment_payees_payment_exists foreign key (tenant_id, payment_id) references usance.payments (tenant_id, id)
);

insert into usance.payment_payees (tenant_id, account_id, payment_id)
select p.tenant_id, (leg ->> 'account')::uuid, p.id
from usance.payments p cross join lateral jsonb_array_elements(p.legs) with ordinality l (leg, n)
where n > 1;

-- A refund is counted on a failed payment too, of which a part was captured; its state stays.
insert into usance.payment_moves (from_status, to_status) values ('failed', 'failed');
