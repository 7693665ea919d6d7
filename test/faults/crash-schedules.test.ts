// A crash at every statement boundary of the scheduler's own work, and of every verb on schedules.
import { SMALL, crashSuite } from './crash-suite.ts';
import { SCHEDULE_SCENARIOS } from './schedule-scenarios.ts';

crashSuite(SCHEDULE_SCENARIOS, SMALL);
