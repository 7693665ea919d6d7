-- Subscriptions. A plan says what is charged, how often and how many times; a subscription is a schedule (0015) that a payer
-- agreed to, and this narrow row is the agreement: the plan, the price, and the total that the payer approved. It never changes;
-- a change of plan adds a row of its own.
-- Safe for older workers: new tables only.

create table usance.plans (
  tenant_id     uuid not null,
  id            uuid not null,
  name          text not null check (length(name) between 1 and 200),
  payee_id      uuid not null,
  asset         text not null,
  price         bigint not null check (price > 0),
  -- {"frequency": …, "every": …} or {"everySeconds": …}
  period        jsonb not null,
  zone          text not null,
  -- How long it is for; neither: until it is cancelled.
  charges       int check (charges > 0),
  months        int check (months > 0),
  -- Days before the first charge.
  trial_days    int not null default 0 check (trial_days between 0 and 730),
  priority      smallint not null default 1 check (priority between 0 and 2),
  -- Null: the preset `subscription`.
  retry         jsonb,
  after_failure text not null check (after_failure in ('expire', 'pause')),
  -- Charges missed in an outage longer than a period.
  missed        text not null default 'last' check (missed in ('all', 'last', 'skip')),
  created_by    text not null,
  -- The names of everyone who decided its terms: approval thresholds count its charges under each.
  counts_for    jsonb not null check (jsonb_typeof(counts_for) = 'array'),
  -- The actors that changed what its charges are, in order. Like its creator, they cannot approve the charges. Null if there are none.
  changed_by    jsonb check (jsonb_typeof(changed_by) = 'array'),
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (tenant_id, id),
  constraint plans_payee_exists foreign key (tenant_id, payee_id) references usance.accounts (tenant_id, id),
  constraint plans_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset),
  constraint plans_have_one_duration_at_most check (charges is null or months is null)
);

-- Imports look plans up by name.
create index plans_by_name on usance.plans (tenant_id, name, id);

-- The people who decided a plan's terms only become more: its charges count for them, and they cannot approve any.
create function usance.plans_keep_makers() returns trigger language plpgsql
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  stray uuid;
begin
  select b.id into stray
  from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
  where a.id is null
     or (a.payee_id, a.asset, a.created_by, a.created_at) is distinct from (b.payee_id, b.asset, b.created_by, b.created_at)
     or not a.counts_for @> b.counts_for
     or not coalesce(a.changed_by, '[]') @> coalesce(b.changed_by, '[]')
  limit 1;
  if stray is not null then
    raise exception 'plan % may not get another receiver or asset, nor lose who made it', stray using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger plans_keep_makers after update on usance.plans
  referencing old table as before new table as after
  for each statement execute function usance.plans_keep_makers();
create trigger plans_stay before delete or truncate on usance.plans
  for each statement execute function usance.refuse_change();

create table usance.subscriptions (
  tenant_id   uuid not null,
  schedule_id uuid not null,
  plan_id     uuid not null,
  -- No charge is more than this.
  price       bigint not null check (price > 0),
  -- How many charges, and what they come to: the price times their number. Both null: open-ended.
  charges     int check (charges > 0),
  approved    bigint check (approved > 0),
  -- When the first charge is due; null where it was made at once.
  trial_ends_at timestamptz,
  primary key (tenant_id, schedule_id),
  constraint subscriptions_schedule_exists foreign key (tenant_id, schedule_id) references usance.schedules (tenant_id, id),
  constraint subscriptions_plan_exists foreign key (tenant_id, plan_id) references usance.plans (tenant_id, id),
  constraint subscriptions_approve_every_charge
    check ((charges is null) = (approved is null) and approved = price::numeric * charges)
);

create index subscriptions_plan on usance.subscriptions (plan_id, schedule_id);
create trigger subscriptions_stay before update or delete or truncate on usance.subscriptions
  for each statement execute function usance.refuse_change();

-- How many charges of each subscription are paid, imported ones included. Settling a charge locks the row, and the new value is the
-- number of the charge. Only settling writes it, so that no verb on subscriptions waits for a batch.
create table usance.subscription_counts (
  tenant_id    uuid not null,
  schedule_id  uuid not null,
  charges_paid int not null check (charges_paid >= 0),
  primary key (tenant_id, schedule_id),
  constraint subscription_counts_subscription_exists
    foreign key (tenant_id, schedule_id) references usance.subscriptions (tenant_id, schedule_id)
) with (fillfactor = 70);

create trigger subscription_counts_go_up before update on usance.subscription_counts
  for each row when ((new.tenant_id, new.schedule_id) <> (old.tenant_id, old.schedule_id) or new.charges_paid <= old.charges_paid)
  execute function usance.refuse_change();
create trigger subscription_counts_stay before delete or truncate on usance.subscription_counts
  for each statement execute function usance.refuse_change();

-- Another plan: new terms from a slot on. The terms before stay as they are.
create table usance.subscription_changes (
  tenant_id   uuid not null,
  schedule_id uuid not null,
  version     int not null check (version >= 2),
  plan_id     uuid not null,
  price       bigint not null check (price > 0),
  -- Of the whole subscription: what was charged before, and all charges of the new terms. Both null: open-ended.
  charges     int check (charges > 0),
  approved    bigint check (approved > 0),
  proration   text not null check (proration in ('none', 'charge')),
  -- The slot of the period that the change ended early; null where it ended none.
  ended_slot  timestamp(3),
  -- The unused part of that period. It is taken off later charges, of whatever terms.
  credit      bigint not null check (credit >= 0),
  -- The part of the credit that the charge of that period had paid. The rest was credit before.
  credit_paid bigint not null check (credit_paid between 0 and credit),
  -- Their first slot.
  since       timestamp(3) not null,
  created_by  text not null,
  created_at  timestamptz not null,
  primary key (tenant_id, schedule_id, version),
  constraint subscription_changes_subscription_exists
    foreign key (tenant_id, schedule_id) references usance.subscriptions (tenant_id, schedule_id),
  constraint subscription_changes_plan_exists foreign key (tenant_id, plan_id) references usance.plans (tenant_id, id),
  constraint subscription_changes_approve_every_charge check ((charges is null) = (approved is null)),
  constraint subscription_changes_credit_a_period check (credit = 0 or ended_slot is not null),
  constraint subscription_changes_end_a_period_once unique (tenant_id, schedule_id, ended_slot)
);

create index subscription_changes_plan on usance.subscription_changes (plan_id, schedule_id);
create trigger subscription_changes_stay before update or delete or truncate on usance.subscription_changes
  for each statement execute function usance.refuse_change();

-- Every version of the terms of every subscription. Those of a slot are the newest that began by then.
create view usance.subscription_terms as
select tenant_id, schedule_id, 1 as version, plan_id, price, charges, approved, '-infinity'::timestamp as since
from usance.subscriptions
union all
select tenant_id, schedule_id, version, plan_id, price, charges, approved, since from usance.subscription_changes;
