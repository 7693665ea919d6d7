// A crash at every statement boundary of the verbs of webhook endpoints and deliveries.
import { SMALL, crashSuite } from './crash-suite.ts';
import { WEBHOOK_SCENARIOS } from './webhook-scenarios.ts';

crashSuite(WEBHOOK_SCENARIOS, SMALL);
