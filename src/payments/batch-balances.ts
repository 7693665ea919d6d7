// The balances that a batch locks: of payers and payees, and in which way.
import type { BalanceKey } from '../ledger/index.ts';
import { derivedAccount } from '../ledger/index.ts';
import type { BatchRequest, Item } from './batch.ts';
import type { Payment } from './payment.ts';

export function payerBalance(payment: Pick<Payment, 'tenantId' | 'payerId' | 'asset'>): BalanceKey {
  return { tenantId: payment.tenantId, accountId: payment.payerId, asset: payment.asset };
}

export function payeeBalances(payment: Payment): BalanceKey[] {
  const { tenantId, asset } = payment;
  return payment.legs.map(({ accountId }) => ({ tenantId, asset, accountId }));
}

/** What a verb locks. */
export function balancesOf(
  items: readonly Item[],
  request: Pick<BatchRequest, 'pays' | 'reversed' | 'holds'>,
): { debits: BalanceKey[]; credits: BalanceKey[]; impatient: BalanceKey[] } {
  const debits: BalanceKey[] = [];
  const credits: BalanceKey[] = [];
  const impatient: BalanceKey[] = [];
  for (const { payment, due } of items) {
    const payees = payeeBalances(payment);
    if (due && due.blocked > 0) {
      const paid = payees.filter((payee) => derivedAccount(payee.tenantId, payee.accountId) === null);
      impatient.push(payerBalance(payment), ...(request.pays ? paid : []));
    } else if (request.reversed) {
      debits.push(...payees);
      credits.push(payerBalance(payment));
    } else {
      debits.push(payerBalance(payment));
      if (request.pays) credits.push(...payees);
      // A payer that never held the asset gets a balance: to be watched for a first credit, and to say if it was closed.
      if ((request.pays || request.holds) && payment.funding === 'at_execution') credits.push(payerBalance(payment));
    }
  }
  return { debits, credits, impatient };
}
