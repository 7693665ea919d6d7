-- Payouts: payments over a chain. Where such a payment may go (payments.payout), that its due row is no business of the ledger's processor,
-- its attempts with the signed bytes, and the treasury's wallets. src/payouts/README.md has the states, the postings and the invariants.
-- Safe for older workers: the due rows of payouts have priorities from 10 on, which no older claim asks for. An older process must not
-- advance the test clock of a tenant that has payouts.

alter table usance.payments add column payout jsonb;
alter table usance.archived_payments add column payout jsonb;

create or replace view usance.all_payments as
select * from usance.payments union all select * from usance.archived_payments;

-- Not valid: no payment of before is a payout, and a scan of all of them would hold the lock.
alter table usance.payments
  add constraint payments_payout_is_whole check ((rail = 'ledger') = (payout is null)) not valid,
  -- A chain pays the whole amount or nothing.
  add constraint payments_payout_pays_whole check (rail = 'ledger' or captured = 0 or (status = 'settled' and captured = amount)) not valid;

-- As in 0006, and: the states of a chain are for payouts only, a payout is settled from them only, and a payout that was to look for its
-- funds when due reserves them when it is claimed.
create or replace function usance.payments_move_legally() returns trigger language plpgsql
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  stray record;
begin
  select b.id, b.status as was, a.status as becomes into stray
  from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
  where (
     a.id is null
     or not exists (select from usance.payment_moves m where m.from_status = b.status and m.to_status = a.status)
     or (a.payer_id, a.payee_id, a.legs, a.asset, a.rail, a.payout, a.reference, a.created_by, a.created_at, a.owner_kind, a.owner_id)
        is distinct from
        (b.payer_id, b.payee_id, b.legs, b.asset, b.rail, b.payout, b.reference, b.created_by, b.created_at, b.owner_kind, b.owner_id)
     or (a.funding <> b.funding and not (b.rail <> 'ledger' and b.funding = 'at_execution' and a.status = 'processing'))
     or (b.rail = 'ledger' and a.status in ('processing', 'submitted', 'review'))
     or (b.rail <> 'ledger' and b.status = 'scheduled' and a.status = 'settled')
     or (b.ended_at is not null and (a.amount <> b.amount or a.captured <> b.captured))
     -- Approval and versions of terms are columns of 0012. Terms change only with their version, whose event `usance verify` looks for;
     -- a request for approval is never forgotten, nor is an actor that decided the terms.
     or a.terms_version <> b.terms_version
        + ((a.amount, a.execute_at, a.expires_at) is distinct from (b.amount, b.execute_at, b.expires_at))::int
     or (a.approval is null and b.approval is not null)
     or (b.terms_by is not null and (a.terms_by @> b.terms_by) is not true)
  ) and (a.id is null or not usance.only_erases_texts(to_jsonb(b), to_jsonb(a)))
  limit 1;
  if stray.id is not null then
    raise exception 'payment % may not change like this (% to %)', stray.id, stray.was, stray.becomes
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- A claim asks for one priority at a time: those of the ledger's processor end below 10.
alter table usance.due add column rail text not null default 'ledger';
alter table usance.due add constraint due_of_payouts_apart check ((rail = 'ledger') = (priority < 10)) not valid;

-- The treasury's account on a chain: its balances in the ledger repeat what its address holds, so far as everything is booked.
create table usance.payout_wallets (
  tenant_id  uuid not null,
  chain      text not null check (chain ~ '^[a-z][a-z0-9_-]{0,31}$'),
  account_id uuid not null,
  address    text not null,
  fee_asset  text not null,
  created_at timestamptz not null,
  -- While frozen nothing is signed for it.
  frozen_at     timestamptz,
  frozen_reason text,
  primary key (tenant_id, chain),
  constraint payout_wallets_frozen_with_reason check ((frozen_at is null) = (frozen_reason is null)),
  constraint payout_wallets_account unique (tenant_id, account_id),
  constraint payout_wallets_account_exists foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id)
);

-- Which of the chain's assets were entered in the books, with what the address held at that moment.
create table usance.payout_wallet_assets (
  tenant_id uuid not null,
  chain     text not null,
  asset     text not null,
  opening   bigint not null check (opening >= 0),
  height    numeric(39, 0) not null,
  opened_at timestamptz not null,
  primary key (tenant_id, chain, asset),
  constraint payout_wallet_assets_wallet_exists foreign key (tenant_id, chain) references usance.payout_wallets (tenant_id, chain)
);

create trigger payout_wallet_assets_stay before update or delete or truncate on usance.payout_wallet_assets
  for each statement execute function usance.refuse_change();

-- One try at a payout.
--   claimed     leased: a worker chooses a route and prepares. Nothing is signed that could be sent
--   sent        signed bytes are committed: sent, or possibly sent. Watched until the chain has decided
--   finalized   in a final block: the money moved
--   reverted    in a final block, but failed there: the fee was paid
--   dead        proven: not landed, and it never can
--   abandoned   nothing was signed, and nothing will be
create table usance.payout_attempts (
  tenant_id         uuid not null,
  payment_id        uuid not null,
  number            int not null check (number > 0),
  id                uuid not null,
  clock_id          uuid,
  state             text not null default 'claimed'
                    check (state in ('claimed', 'sent', 'finalized', 'reverted', 'dead', 'abandoned')),
  -- Raised by every claim; every write after a claim names it.
  fence             bigint not null default 1 check (fence > 0),
  -- When it is looked at next, by the tenant's clock; for one that is leased, the end of the lease. Null once it has ended.
  check_at          timestamptz,
  payer_id          uuid not null,
  asset             text not null,
  amount            bigint not null check (amount > 0),
  chain             text,
  address           text,
  wallet_id         uuid,
  fee_asset         text,
  -- Held of the wallet for the fee, in minor units of fee_asset.
  fee_limit         bigint check (fee_limit >= 0),
  route_id          uuid,
  tx_id             text,
  signed            bytea,
  last_valid_height numeric(39, 0),
  -- What the chain took, in minor units of fee_asset.
  fee               bigint check (fee >= 0),
  height            numeric(39, 0),
  broadcasts        int not null default 0,
  checks            int not null default 0,
  -- The last answer of the chain, in a word.
  last_seen         text,
  code              text,
  detail            text,
  claimed_at        timestamptz not null,
  sent_at           timestamptz,
  reviewed_at       timestamptz,
  ended_at          timestamptz,
  -- A person said how it ended.
  resolved_by       text,
  -- The transfers out of the wallet: of the amount, and of the fee.
  outflow_id        uuid,
  fee_id            uuid,
  primary key (tenant_id, payment_id, number),
  unique (tenant_id, id),
  constraint payout_attempts_signed_whole check (
    num_nonnulls(chain, address, wallet_id, fee_asset, fee_limit, tx_id, signed, last_valid_height, sent_at)
    = case when state in ('claimed', 'abandoned') then 0 else 9 end),
  constraint payout_attempts_end check ((state in ('claimed', 'sent')) = (ended_at is null)),
  constraint payout_attempts_watched check ((ended_at is null) = (check_at is not null)),
  constraint payout_attempts_fee_paid check ((state in ('finalized', 'reverted')) = (fee is not null)),
  constraint payout_attempts_booked check ((state = 'finalized') = (outflow_id is not null) and (coalesce(fee, 0) > 0) = (fee_id is not null))
);

-- At most one attempt that could land, and at most one that moved money.
create unique index payout_attempts_live on usance.payout_attempts (tenant_id, payment_id) where ended_at is null;
create unique index payout_attempts_finalized on usance.payout_attempts (tenant_id, payment_id) where state = 'finalized';
create unique index payout_attempts_transaction on usance.payout_attempts (chain, tx_id, clock_id) nulls not distinct where tx_id is not null;
create index payout_attempts_check on usance.payout_attempts (check_at, tenant_id, payment_id) where ended_at is null and clock_id is null;
create index payout_attempts_test on usance.payout_attempts (clock_id, check_at, tenant_id, payment_id)
  where ended_at is null and clock_id is not null;
create index payout_attempts_wallet on usance.payout_attempts (tenant_id, wallet_id) where ended_at is null and wallet_id is not null;

create function usance.payout_attempts_move_legally() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
       ('claimed', 'claimed'), ('claimed', 'sent'), ('claimed', 'abandoned'),
       ('sent', 'sent'), ('sent', 'finalized'), ('sent', 'reverted'), ('sent', 'dead'))
     or new.fence < old.fence
     or (new.tenant_id, new.payment_id, new.number, new.id, new.clock_id, new.payer_id, new.asset, new.amount, new.claimed_at)
        is distinct from
        (old.tenant_id, old.payment_id, old.number, old.id, old.clock_id, old.payer_id, old.asset, old.amount, old.claimed_at)
     or (old.signed is not null and
         (new.signed, new.tx_id, new.last_valid_height, new.chain, new.address, new.wallet_id, new.fee_asset, new.fee_limit, new.sent_at)
         is distinct from
         (old.signed, old.tx_id, old.last_valid_height, old.chain, old.address, old.wallet_id, old.fee_asset, old.fee_limit, old.sent_at))
  then
    raise exception 'attempt % of payout % may not change like this (% to %)', old.number, old.payment_id, old.state, new.state
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger payout_attempts_move_legally before update on usance.payout_attempts
  for each row execute function usance.payout_attempts_move_legally();

-- An attempt of which nothing was signed may be taken back, as if it had not begun. Every other one stays.
create function usance.payout_attempts_stay() returns trigger language plpgsql as $$
begin
  if old.state <> 'claimed' then
    raise exception 'attempt % of payout % is %: DELETE refused', old.number, old.payment_id, old.state using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

create trigger payout_attempts_stay before delete on usance.payout_attempts
  for each row execute function usance.payout_attempts_stay();
create trigger payout_attempts_never_emptied before truncate on usance.payout_attempts
  for each statement execute function usance.refuse_change();
create trigger payout_attempts_have_a_payment after insert on usance.payout_attempts
  referencing new table as written for each statement execute function usance.payments_are_there();
