-- Chains and snapshots of their health. src/rails/README.md has the thresholds.
-- Safe for older workers: new tables.

-- Chains that some process has a rail of. A process takes the next measurement of a chain by moving `measure_at`, by the server's clock.
create table usance.chains (
  name        text primary key check (name ~ '^[a-z][a-z0-9_-]{0,31}$'),
  -- [{ code, decimals, minimum_units }]
  assets      jsonb not null check (jsonb_typeof(assets) = 'array'),
  interval_ms int not null check (interval_ms > 0),
  measure_at  timestamptz not null default clock_timestamp()
);

-- By real time, also for test tenants.
create table usance.chain_health_snapshots (
  id                       uuid primary key,
  chain                    text not null references usance.chains (name),
  status                   text not null check (status in ('healthy', 'degraded', 'unhealthy')),
  avg_confirmation_seconds double precision not null check (avg_confirmation_seconds >= 0),
  rpc_error_rate           double precision not null check (rpc_error_rate between 0 and 1),
  p95_latency_ms           double precision not null check (p95_latency_ms >= 0),
  congestion_score         double precision not null check (congestion_score between 0 and 1),
  -- Null: the fee asset had no fresh price.
  estimated_fee_usd        double precision check (estimated_fee_usd >= 0),
  -- The estimate in units of the fee asset, and the price that it was converted by. All null in a fallback snapshot.
  fee_asset                text,
  fee_units                numeric(78, 0) check (fee_units >= 0),
  fee_decimals             int check (fee_decimals between 0 and 36),
  price_usd                double precision check (price_usd > 0),
  price_observed_at        timestamptz,
  -- Why there were no metrics; null if there were.
  failure                  text,
  taken_at                 timestamptz not null,
  constraint chain_health_snapshots_fee check (num_nonnulls(fee_asset, fee_units, fee_decimals) in (0, 3)),
  constraint chain_health_snapshots_price check (num_nonnulls(price_usd, price_observed_at) in (0, 2)),
  constraint chain_health_snapshots_failed check (failure is null or status = 'unhealthy')
);

create index chain_health_snapshots_chain on usance.chain_health_snapshots (chain, taken_at desc, id desc);
create index chain_health_snapshots_taken on usance.chain_health_snapshots (taken_at);
