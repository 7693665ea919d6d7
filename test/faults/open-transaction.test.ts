import { openTransactionSuite } from './open-transaction.ts';

openTransactionSuite(0);
