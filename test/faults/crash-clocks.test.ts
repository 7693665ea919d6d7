// A crash at every statement boundary of a test clock's verbs and of an advance.
import { CLOCK_SCENARIOS } from './clock-scenarios.ts';
import { SMALL, crashSuite } from './crash-suite.ts';

crashSuite(CLOCK_SCENARIOS, SMALL);
