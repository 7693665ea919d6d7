// A crash at every statement boundary of every verb of the ledger.
import { SMALL, crashSuite } from './crash-suite.ts';
import { LEDGER_SCENARIOS } from './ledger-scenarios.ts';

crashSuite(LEDGER_SCENARIOS, SMALL);
