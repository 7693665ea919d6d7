-- The continuous check asks for the attempts of a few accounts at a time: without these indexes it read every attempt that there ever was for each slice.
-- Safe for older workers: indexes only. They are built under a lock that lets reads pass and makes writes of attempts wait.

create index payout_attempts_booked on usance.payout_attempts (wallet_id) where outflow_id is not null or fee_id is not null;
create index payout_attempts_signed on usance.payout_attempts (payer_id) where signed is not null;
