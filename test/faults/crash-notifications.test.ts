// A crash at every statement boundary of the verbs of notification channels and of e-mail.
import { SMALL, crashSuite } from './crash-suite.ts';
import { NOTIFICATION_SCENARIOS } from './notification-scenarios.ts';

crashSuite(NOTIFICATION_SCENARIOS, SMALL);
