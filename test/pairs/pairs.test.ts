// A sample of the pairs, one stop each; `npm run proof pairs` runs all of them.
import { ACCOUNTS } from './accounts.ts';
import { PAYMENTS } from './payments.ts';
import { SCHEDULES, SUBSCRIPTIONS } from './schedules.ts';
import { pairSuite } from './suite.ts';

pairSuite('a payment', PAYMENTS, 20);
pairSuite('an account', ACCOUNTS, 20);
pairSuite('a schedule', SCHEDULES, 20);
pairSuite('a subscription', SUBSCRIPTIONS, 20);
