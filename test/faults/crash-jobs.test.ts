// A crash at every statement boundary of the verbs of jobs and executions, and of the loops that match and rescue.
import { SMALL, crashSuite } from './crash-suite.ts';
import { JOB_SCENARIOS } from './job-scenarios.ts';

crashSuite(JOB_SCENARIOS, SMALL);
