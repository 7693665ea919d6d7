// A crash at every statement boundary of every verb on payments.
import { SMALL, crashSuite } from './crash-suite.ts';
import { PAYMENT_SCENARIOS } from './payment-scenarios.ts';

crashSuite(PAYMENT_SCENARIOS, SMALL);
