// Chains of payouts, and their health.
import { missing } from './entry.ts';

export const CHAINS_ERRORS = {
  CHAIN_NOT_FOUND: missing({
    title: 'The deployment has no such chain',
    detail: 'there is no chain "{chain}"; GET /v1/chains lists the chains of this deployment',
    example: { chain: 'solona' },
    cause: 'No process of this deployment has announced a chain with this name.',
    remedy:
      'List the chains and correct the name. To use a chain for the first time, enable it and run the loop `health` (`usance worker --only health`).',
  }),
};
