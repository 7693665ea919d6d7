// The variables of payouts.
export const PAYOUT_VARIABLES = [
  {
    name: 'USANCE_CONFIRM_EVERY',
    for: 'dev, worker',
    default: '15s',
    says: 'How often a transaction of a payout that is not final is looked at on its chain: 15s, PT15S; from 1 second to 5 minutes.',
  },
] as const;
