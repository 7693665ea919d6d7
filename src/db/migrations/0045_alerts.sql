-- Alerts: thresholds that a tenant has crossed, and the floors of its wallets. src/ops/alerts/README.md has the rules.
-- Safe for older workers: new tables, and indexes. An older worker runs no alerts. The indexes on attempts are built under a lock that lets
-- reads pass and makes the ends of attempts wait.

-- The least that a wallet is to have available, in minor units. A row leaves when its floor is removed.
create table usance.treasury_floors (
  tenant_id  uuid not null,
  chain      text not null,
  asset      text not null,
  floor      bigint not null check (floor > 0),
  updated_at timestamptz not null,
  primary key (tenant_id, chain, asset),
  constraint treasury_floors_asset_exists foreign key (tenant_id, chain, asset)
    references usance.payout_wallet_assets (tenant_id, chain, asset)
);

-- When a tenant is checked next, by real time. A process takes a check by moving `next_at`, and checks while it holds the row.
create table usance.alert_checks (
  tenant_id uuid primary key references usance.tenants (id),
  next_at   timestamptz not null default clock_timestamp()
);

create index alert_checks_next on usance.alert_checks (next_at);

-- One crossing of a threshold. Open until the measurement is back.
create table usance.alerts (
  tenant_id     uuid not null references usance.tenants (id),
  id            uuid not null,
  kind          text not null check (kind in
                  ('payout_success', 'settlement_time', 'treasury_floor', 'chain_health', 'webhook_delivery', 'manual_review')),
  -- Empty: the alert is about no chain, or no asset.
  chain         text not null default '',
  asset         text not null default '',
  -- The measurement that raised it: a share, seconds, minor units or a number of payouts, by kind.
  value         numeric not null,
  threshold     numeric not null,
  -- Samples that were measured.
  count         int not null check (count >= 0),
  -- By the tenant's clock.
  raised_at     timestamptz not null,
  cleared_at    timestamptz,
  -- The measurement that cleared it; null: there was nothing left to measure.
  cleared_value numeric,
  -- By real time: cleared alerts leave 90 days later.
  ended_at      timestamptz,
  primary key (tenant_id, id),
  constraint alerts_cleared_after check (cleared_at >= raised_at),
  constraint alerts_end check ((ended_at is null) = (cleared_at is null)),
  constraint alerts_cleared_value check (cleared_value is null or cleared_at is not null)
);

-- A crossing is raised once, whatever process finds it.
create unique index alerts_open on usance.alerts (tenant_id, kind, chain, asset) where cleared_at is null;
create index alerts_cleared on usance.alerts (tenant_id, id) where cleared_at is not null;
create index alerts_ended on usance.alerts (ended_at) where ended_at is not null;

create function usance.alerts_move_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.cleared_at is null then
      raise exception 'alert % is open: DELETE refused', old.id using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if old.cleared_at is not null
     or to_jsonb(new) - '{cleared_at,cleared_value,ended_at}'::text[] <> to_jsonb(old) - '{cleared_at,cleared_value,ended_at}'::text[] then
    raise exception 'alert % may not change like this', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger alerts_move_forward before update or delete on usance.alerts
  for each row execute function usance.alerts_move_forward();
create trigger alerts_never_emptied before truncate on usance.alerts
  for each statement execute function usance.refuse_change();

-- The attempts of a window, and those in review, whatever the history of the tenant.
create index payout_attempts_ended on usance.payout_attempts (tenant_id, ended_at) where ended_at is not null;
create index payout_attempts_review on usance.payout_attempts (tenant_id, chain) where ended_at is null and reviewed_at is not null;
create index delivery_attempts_of_tenant on usance.delivery_attempts (tenant_id, ended_at);
