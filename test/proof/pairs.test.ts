// Every pair of verbs on one row, both ways, with every stop; and every pair of verbs at once on one transaction of a caller.
import { ACCOUNTS } from '../pairs/accounts.ts';
import { PAYMENTS } from '../pairs/payments.ts';
import { SCHEDULES, SUBSCRIPTIONS } from '../pairs/schedules.ts';
import { pairSuite } from '../pairs/suite.ts';
import { withinSuite } from '../pairs/within-suite.ts';
import { banner } from './banner.ts';

pairSuite('a payment', PAYMENTS, null, (counts) => banner('pairs on a payment', { ...counts }));
pairSuite('an account', ACCOUNTS, null, (counts) => banner('pairs on an account', { ...counts }));
pairSuite('a schedule', SCHEDULES, null, (counts) => banner('pairs on a schedule', { ...counts }));
pairSuite('a subscription', SUBSCRIPTIONS, null, (counts) => banner('pairs on a subscription', { ...counts }));
withinSuite('all', (driver, counts) => banner(`pairs on one transaction of ${driver}`, counts));
