// Variables of chains.
export const CHAIN_VARIABLES = [
  {
    name: 'USANCE_SANDBOX',
    for: 'dev, api, worker, chains',
    default: null,
    says: '1 adds the chain "sandbox", which is simulated in the database, to try out payouts. Give every process the same value. Unset: 1 for dev, 0 for the other commands.',
    example: '1',
    notInProduction: true,
  },
  {
    name: 'METRICS_INTERVAL_MS',
    for: 'dev, worker',
    default: '15000',
    says: 'Milliseconds between two snapshots of the health of a chain, from 1000 to 3600000. A snapshot older than three intervals counts as unhealthy, and payouts avoid the chain.',
  },
  {
    name: 'USANCE_KEEP_CHAIN_HEALTH',
    for: 'dev, worker',
    default: '7d',
    says: 'Retention of snapshots of the health of chains: 12h, 7d, P7D. The newest snapshot of each chain is always kept.',
  },
] as const;
