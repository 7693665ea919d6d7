-- Quotes, and the routes that were chosen for payouts. src/payouts/quotes/README.md has the states and the invariants.
-- Safe for older workers: new tables.

-- What a payout would cost on each chain, and the chain that would be chosen. Valid for five minutes, for one payout. Only `used_at` changes, once.
create table usance.quotes (
  tenant_id    uuid not null references usance.tenants (id),
  id           uuid not null,
  asset        text not null,
  amount       bigint not null check (amount > 0),
  priority     text not null check (priority in ('low_fee', 'fast', 'reliable')),
  -- The payee's address by chain.
  destinations jsonb not null check (jsonb_typeof(destinations) = 'object'),
  -- The chain with the highest score.
  chain        text not null,
  -- Everything that the choice was computed from, and its result. src/rails/scoring.
  inputs       jsonb not null check (jsonb_typeof(inputs) = 'object'),
  decision     jsonb not null check (jsonb_typeof(decision) = 'object'),
  created_by   text not null,
  -- By the tenant's clock.
  created_at   timestamptz not null,
  expires_at   timestamptz not null check (expires_at > created_at),
  used_at      timestamptz check (used_at < expires_at),
  primary key (tenant_id, id),
  constraint quotes_choose_the_first check (decision -> 'ranked' -> 0 ->> 'chain' = chain)
);

-- For retention: ids are of real time.
create index quotes_age on usance.quotes (id) where used_at is null;

create function usance.quotes_are_used_once() returns trigger language plpgsql as $$
begin
  if old.used_at is not null or new.used_at is null or to_jsonb(new) - 'used_at' <> to_jsonb(old) - 'used_at' then
    raise exception 'quote % may not change like this', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger quotes_are_used_once before update on usance.quotes for each row execute function usance.quotes_are_used_once();

-- The routes of a payout, numbered: the highest number is the current one. Never changed. A route that no attempt took is removed after a while.
create table usance.payout_routes (
  tenant_id  uuid not null references usance.tenants (id),
  id         uuid not null,
  payment_id uuid not null,
  number     int not null check (number > 0),
  attempt    int not null check (attempt > 0),
  -- `quote`: by the caller's quote. `due`: chosen when it was due. `requote`: the quoted chain did not hold. `retry`: the chain of an earlier attempt again.
  -- `next_best`: another chain than that of an earlier attempt, of which nothing can land any more.
  cause      text not null check (cause in ('quote', 'due', 'requote', 'retry', 'next_best')),
  quote_id   uuid,
  chain      text not null,
  -- The most that the sender pays as a fee, in units of the chain's fee asset.
  fee_limit  numeric(78, 0) not null check (fee_limit >= 0),
  inputs     jsonb not null check (jsonb_typeof(inputs) = 'object'),
  decision   jsonb not null check (jsonb_typeof(decision) = 'object'),
  -- By the tenant's clock.
  chosen_at  timestamptz not null,
  primary key (tenant_id, id),
  constraint payout_routes_of_quote check (cause <> 'quote' or quote_id is not null),
  constraint payout_routes_choose_the_first check (decision -> 'ranked' -> 0 ->> 'chain' = chain)
);

create unique index payout_routes_number on usance.payout_routes (tenant_id, payment_id, number);

create function usance.payout_routes_stay() returns trigger language plpgsql as $$
begin
  raise exception 'the route % of a payout may not change', old.id using errcode = 'restrict_violation';
end $$;

create trigger payout_routes_stay before update on usance.payout_routes for each row execute function usance.payout_routes_stay();
