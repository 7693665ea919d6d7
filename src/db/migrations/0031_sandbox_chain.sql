-- The simulated chain `sandbox`: the outside world of a payout on machines without a chain. Its rows are not part of the books: no foreign
-- key leads here or from here, and the engine reads them only through the calls of a rail, over connections of the sandbox.
-- Safe for older workers: tables that they do not know.

-- One chain per name and clock: a test clock has its own blocks.
create table usance.sandbox_chains (
  id              uuid primary key,
  name            text not null check (name ~ '^[a-z][a-z0-9_-]{0,31}$'),
  -- Null: the chain of live tenants.
  clock_id        uuid,
  seed            text not null,
  genesis_at      timestamptz not null,
  block_ms        int not null check (block_ms > 0),
  finality_blocks int not null check (finality_blocks > 0),
  validity_blocks int not null check (validity_blocks > 0),
  -- The highest block that a call has seen. Blocks never become fewer, whatever clock a later call has.
  height          bigint not null default 0 check (height >= 0),
  -- Ordinals of calls and of submissions: faults are computed from the seed and one of these.
  calls           bigint not null default 0,
  submissions     bigint not null default 0,
  faults          jsonb not null default '{}' check (jsonb_typeof(faults) = 'object')
);

create unique index sandbox_chains_key on usance.sandbox_chains (name, clock_id) nulls not distinct;

create table usance.sandbox_balances (
  chain_id uuid not null references usance.sandbox_chains (id) on delete cascade,
  address  text not null,
  asset    text not null,
  units    numeric(78, 0) not null check (units >= 0),
  primary key (chain_id, address, asset)
);

-- The primary key is the chain's promise: one transaction id lands at most once. Two transactions with one memo can both land, so a
-- caller that signed twice is seen here as a double payment.
create table usance.sandbox_transactions (
  chain_id          uuid not null references usance.sandbox_chains (id) on delete cascade,
  tx_id             text not null,
  sender            text not null,
  recipient         text not null,
  asset             text not null,
  units             numeric(78, 0) not null check (units > 0),
  fee_limit         numeric(78, 0) not null check (fee_limit >= 0),
  memo              text not null,
  last_valid_height bigint not null,
  -- The submission that decided what happens to it.
  ordinal           bigint not null,
  state             text not null check (state in ('pooled', 'included', 'reverted', 'dropped')),
  -- Paid in the block that includes it.
  fee               numeric(78, 0),
  included_height   bigint,
  -- The next block that changes its state, and the blocks of a reorganization that is still to happen.
  next_height       bigint,
  reorg_height      bigint,
  reland_height     bigint,
  primary key (chain_id, tx_id),
  constraint sandbox_transactions_block check ((state in ('included', 'reverted')) = (included_height is not null)),
  constraint sandbox_transactions_in_time check (included_height <= last_valid_height),
  constraint sandbox_transactions_fee_paid check ((included_height is null) = (fee is null))
);

create index sandbox_transactions_next on usance.sandbox_transactions (chain_id, next_height, ordinal) where next_height is not null;
create index sandbox_transactions_memo on usance.sandbox_transactions (chain_id, memo);
