-- A payout whose attempt a person resolved as dead waits for a comparison of the wallet with its chain before its next attempt. src/payouts/README.md, Resolving.
-- Safe for older workers: one that begins such a payout is refused at its commit, sends nothing, and another worker gives the attempt up after its lease.

create table usance.payout_awaited_comparisons (
  tenant_id  uuid not null,
  payment_id uuid not null,
  number     int not null,
  chain      text not null,
  -- The last comparison was even, but an endpoint has the transaction.
  seen       boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, payment_id, number),
  constraint payout_awaited_comparisons_attempt_exists foreign key (tenant_id, payment_id, number)
    references usance.payout_attempts (tenant_id, payment_id, number),
  constraint payout_awaited_comparisons_wallet_exists foreign key (tenant_id, chain) references usance.payout_wallets (tenant_id, chain)
);

create index payout_awaited_comparisons_wallet on usance.payout_awaited_comparisons (tenant_id, chain);

-- No bytes are committed before the comparison.
create function usance.payout_attempts_await_comparison() returns trigger language plpgsql as $$
begin
  if exists (select from usance.payout_awaited_comparisons w where w.tenant_id = new.tenant_id and w.payment_id = new.payment_id) then
    raise exception 'payout % awaits a comparison of a wallet with its chain', new.payment_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger payout_attempts_await_comparison before update on usance.payout_attempts
  for each row when (old.state = 'claimed' and new.state = 'sent') execute function usance.payout_attempts_await_comparison();
