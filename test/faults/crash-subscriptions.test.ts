// A crash at every statement boundary of every verb on plans and subscriptions.
import { SMALL, crashSuite } from './crash-suite.ts';
import { SUBSCRIPTION_SCENARIOS } from './subscription-scenarios.ts';

crashSuite(SUBSCRIPTION_SCENARIOS, SMALL);
