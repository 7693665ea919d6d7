// A crash at every statement boundary of the verbs that run a tenant.
import { SMALL, crashSuite } from './crash-suite.ts';
import { OPERATING_SCENARIOS } from './operating-scenarios.ts';

crashSuite(OPERATING_SCENARIOS, SMALL);
