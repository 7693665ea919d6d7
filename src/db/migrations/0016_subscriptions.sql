-- Subscriptions. A plan says what is charged, how often and how many times; a subscription is a schedule (0015) that somebody
-- agreed to, and this narrow row is what they agreed to: the plan, and the total they approved. It never changes.
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
  charges       int check (charges > 0),
  months        int check (months > 0),
  after_failure text not null check (after_failure in ('expire', 'pause')),
  -- Charges missed in an outage longer than a period.
  missed        text not null default 'last' check (missed in ('all', 'last', 'skip')),
  created_by    text not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (tenant_id, id),
  constraint plans_payee_exists foreign key (tenant_id, payee_id) references usance.accounts (tenant_id, id),
  constraint plans_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset),
  constraint plans_have_one_duration check ((charges is null) <> (months is null))
);

create trigger plans_stay before delete or truncate on usance.plans
  for each statement execute function usance.refuse_change();

create table usance.subscriptions (
  tenant_id   uuid not null,
  schedule_id uuid not null,
  plan_id     uuid not null,
  -- How many charges, and what they come to: the price that day times their number.
  charges     int not null check (charges > 0),
  approved    bigint not null check (approved > 0),
  primary key (tenant_id, schedule_id),
  constraint subscriptions_schedule_exists foreign key (tenant_id, schedule_id) references usance.schedules (tenant_id, id),
  constraint subscriptions_plan_exists foreign key (tenant_id, plan_id) references usance.plans (tenant_id, id),
  constraint subscriptions_approved_is_whole check (approved % charges = 0)
);

create index subscriptions_plan on usance.subscriptions (plan_id, schedule_id);
create trigger subscriptions_stay before update or delete or truncate on usance.subscriptions
  for each statement execute function usance.refuse_change();
