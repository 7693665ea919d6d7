// A minute each: on a payer's balance, account and payments, and by an application that created a payment and forgot.
import { openTransactionSuite } from '../faults/open-transaction.ts';

openTransactionSuite(60_000);
