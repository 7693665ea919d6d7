// Withdrawals, transfers and captures of reservations are verbs of the ledger, and money leaves an account by them as it does by a
// payment. They obey the same rules: pauses, the largest amount, daily limits and totals, in which they count. They have no state in
// which they could await approval: above a threshold they are refused, and a payment, which can be approved, is to be made instead.
import type { Caller } from '../kernel/index.ts';
import { Refusal, refuse } from '../kernel/index.ts';
import type { GuardOutgoing } from '../ledger/index.ts';
import { clockUnderLock, derivedAccount } from '../ledger/index.ts';
import { readPauses } from '../tenants/index.ts';
import { amountLimits } from './amount-limits.ts';
import { ApprovalCount, makerKeys } from './approval-count.ts';
import { Spend } from './spend.ts';

export function guardOutgoing(caller: Caller): GuardOutgoing {
  return async (tx, clock, book, { tenantId, debitAccountId: payerId, asset, amount }) => {
    // Money from outside comes in.
    if (derivedAccount(tenantId, payerId) === 'world') return;
    const payer = { tenantId, accountId: payerId, asset };
    const [pauses, limits] = await tx.together([
      () => readPauses(tx, [tenantId]),
      () => amountLimits(tx, [{ tenantId, payerId, asset }]),
    ]);
    if (pauses.covers({ tenantId, asset, rail: 'ledger' })) refuse('PAUSED', { asset });
    const over = limits.refused({ tenantId, payerId, asset, amount });
    if (over) throw new Refusal(over);
    const spend = await Spend.open(tx, clockUnderLock(clock, book), book, [payer], limits.daily);
    const overDaily = spend.mayPay(payer, amount);
    if (overDaily) throw new Refusal(overDaily);
    spend.pay(payer, amount);
    await spend.write(tx);
    const threshold = limits.thresholdOf({ tenantId, payerId, asset });
    if (threshold === null) return;
    const keys = makerKeys(payer, caller);
    const approvals = await ApprovalCount.open(tx, clock, keys);
    if (approvals.needs(keys, threshold, amount))
      refuse('APPROVAL_REQUIRED', { threshold: { amount: threshold, asset } });
    await approvals.write(tx);
  };
}
