// A crash at every statement boundary of the verbs on jobs and executions.
import { SMALL, crashSuite } from './crash-suite.ts';
import { JOB_SCENARIOS } from './job-scenarios.ts';

crashSuite(JOB_SCENARIOS, SMALL);
