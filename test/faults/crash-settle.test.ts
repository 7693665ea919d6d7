// A crash at every statement boundary of the processor's own work.
import { SMALL, crashSuite } from './crash-suite.ts';
import { SETTLE_SCENARIOS } from './settle-scenarios.ts';

crashSuite(SETTLE_SCENARIOS, SMALL);
