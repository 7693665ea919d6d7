// A crash at every statement boundary of the verbs of quotes and of wallets of the treasury.
import { SMALL, crashSuite } from './crash-suite.ts';
import { PAYOUT_CHOICE_SCENARIOS } from './payout-choice-scenarios.ts';

crashSuite(PAYOUT_CHOICE_SCENARIOS, SMALL);
