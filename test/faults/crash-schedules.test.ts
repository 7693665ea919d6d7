// A crash at every statement boundary of the scheduler's own work, and of every verb on schedules and allowances.
import { ALLOWANCE_SCENARIOS } from './allowance-scenarios.ts';
import { SMALL, crashSuite } from './crash-suite.ts';
import { SCHEDULE_SCENARIOS } from './schedule-scenarios.ts';

crashSuite({ ...SCHEDULE_SCENARIOS, ...ALLOWANCE_SCENARIOS }, SMALL);
