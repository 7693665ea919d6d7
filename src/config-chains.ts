// Variables of chains.
export const CHAIN_VARIABLES = [
  {
    name: 'USANCE_SANDBOX',
    for: 'dev, api, worker, chains, payouts, test-clocks',
    default: null,
    says: '1 adds the chain "sandbox", which is simulated in the database, to try out payouts. Give every process the same value. Unset: 1 for dev, and for payouts and test-clocks on its embedded store; 0 for the other commands.',
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
    name: 'USANCE_PRICES',
    for: 'dev, worker',
    default: null,
    says: 'Fixed prices of the assets in which chains take fees, in US dollars for one whole unit. They only compare chains; nothing is posted by them. A chain whose fee asset has no price is not chosen. Unset: only SBX, the fee asset of the simulated chain, has one, of 1.',
    example: 'SBX=1,SOL=150.25',
  },
  {
    name: 'USANCE_KEEP_CHAIN_HEALTH',
    for: 'dev, worker',
    default: '7d',
    says: 'Retention of snapshots of the health of chains: 12h, 7d, P7D. The newest snapshot of each chain is always kept.',
  },
  {
    name: 'USANCE_FEE_TOLERANCE',
    for: 'dev, worker',
    default: '0.5',
    says: 'By how much of itself the fee of a chain may rise between the choice of a route and its signing: 0 to 100; 0.5 is half. A rise of at most 0.01 US dollars is always tolerated.',
  },
  {
    name: 'USANCE_FEE_POLICY',
    for: 'dev, worker',
    default: 'requote',
    says: 'Policy for a payout whose fee has risen beyond USANCE_FEE_TOLERANCE: requote (a chain is chosen again by the fees of that moment) or fail (ROUTE_FEE_EXCEEDED).',
  },
] as const;
