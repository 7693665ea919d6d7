-- Snapshots of the health of chains, which are of the whole store. Read-only.

create view usance_docs.chain_health_snapshots as
select s.id, s.chain, s.status, s.avg_confirmation_seconds, s.rpc_error_rate, s.p95_latency_ms, s.congestion_score, s.estimated_fee_usd,
  s.taken_at as created_at
from usance.chain_health_snapshots s;
