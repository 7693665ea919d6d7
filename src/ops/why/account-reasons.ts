// Reasons that lie with the accounts: status, funds, daily limits.
import type { Uuid } from '../../kernel/index.ts';
import { formatAmount, refused } from '../../kernel/index.ts';
import type { ExceededLimit } from '../../payments/index.ts';
import { countsWhenPaid, restOf } from '../../payments/index.ts';
import type { Facts } from './facts.ts';
import type { Listener, Reason } from './reason.ts';
import { change, reason } from './reason.ts';

/** Payer, funds, payees: the order in which the ledger asks. */
export function accountReasons(facts: Facts, to: Listener): Reason[] {
  const { payerId, legs } = facts.payment;
  const payees = [...new Set(legs.map((leg) => leg.accountId))];
  return [inactive(facts, payerId, to), shortOf(facts, to), ...payees.map((id) => inactive(facts, id, to))].filter(
    (each) => each !== null,
  );
}

function inactive({ accounts, payment }: Facts, id: Uuid, to: Listener): Reason | null {
  const account = accounts.get(id);
  if (!account || account.status === 'active') return null;
  const isTenant = !to.isPayer;
  const name = isTenant || id === payment.payerId ? `account "${account.ref}"` : 'the account of a payee';
  const because = isTenant && to.ledger && account.statusReason ? ` (${account.statusReason})` : '';
  if (account.status === 'closed')
    return reason('account_closed', `${name} is closed${because}, so the payment fails when it is tried`, {
      changes: [change('payments.cancel', 'Cancel the payment, and create one with another account.')],
    });
  return reason('account_suspended', `${name} is suspended${because}`, {
    changes: isTenant ? [change('accounts.reactivate', `Reactivate ${name}.`)] : [],
  });
}

/** When a payment that lacked funds is tried once they are there. */
function triedWithFunds({ payment, due, cronAt, now }: Facts): string {
  const { approval, clockId, executeAt, lastCode, attempts } = payment;
  if (approval === 'awaited') return 'it can be paid once it is approved';
  const isLater = executeAt > now;
  if (clockId !== null)
    return `it is tried when the test clock ${isLater ? `reaches ${executeAt.toISOString()}` : 'advances'}`;
  if (isLater) return `it is tried at ${executeAt.toISOString()}`;
  if (cronAt !== null) return 'it is tried when the cron of charges runs next';
  // A credit makes a payment due that lacked funds when it was tried; one that failed otherwise keeps its next attempt.
  if (due && due.dueAt > now && !(attempts > 0 && lastCode === 'FUNDS_INSUFFICIENT'))
    return `it is tried at ${due.dueAt.toISOString()}`;
  return 'it is tried as soon as the credit commits';
}

function shortOf(facts: Facts, to: Listener): Reason | null {
  const { payment, available, accounts } = facts;
  const required = restOf(payment);
  if (!countsWhenPaid(payment) || available === null || available >= required) return null;
  const ref = accounts.get(payment.payerId)?.ref ?? payment.payerId;
  const missing = required - available;
  const { asset } = payment;
  if (!to.ledger)
    return reason('funds_insufficient', `account "${ref}" has less available than the payment requires`, {
      changes: [
        change('accounts.deposit', `A credit to account "${ref}" lets the payment be paid: ${triedWithFunds(facts)}.`),
      ],
    });
  const { detail } = refused('FUNDS_INSUFFICIENT', {
    account: ref,
    available: { amount: available, asset },
    required: { amount: required, asset },
  });
  return reason('funds_insufficient', detail, {
    missing,
    changes: [
      change(
        to.isPayer ? null : 'accounts.deposit',
        `A credit of ${formatAmount(missing, asset)} or more to account "${ref}" lets the payment be paid: ${triedWithFunds(facts)}.`,
      ),
    ],
  });
}

export const limitReasons = (facts: Facts, to: Listener): Reason[] =>
  facts.limits.map((limit) => limitReason(facts, limit, to));

function limitReason({ payment, accounts }: Facts, limit: ExceededLimit, to: Listener): Reason {
  const { kind, most, used, roomAt } = limit;
  const money = (amount: bigint): string => formatAmount(amount, payment.asset);
  const name = `account "${accounts.get(payment.payerId)?.ref ?? payment.payerId}"`;
  const which = {
    account: `the daily limit of ${name}`,
    default: `the default daily limit of ${name}`,
    tenant: 'the daily total of the tenant',
  }[kind];
  // The total counts payments of other accounts. A payer sees only the limit of that payer's account.
  const isHidden = !to.ops && (kind === 'tenant' || !to.isPayer);
  const counts = isHidden ? '' : ` is ${money(most)}, and ${money(used)} of it is used`;
  const required = `${money(restOf(payment))} more would exceed it`;
  const room = roomAt && !isHidden ? `; there is room at ${roomAt.toISOString()}` : '';
  const says = isHidden ? `${money(restOf(payment))} would exceed ${which}` : `${which}${counts}; ${required}`;
  return reason('daily_limit', `${says}${room}`, {
    until: isHidden ? null : roomAt,
    changes: [
      ...(roomAt && (to.ops || to.isPayer) ? [change(null, 'The oldest amounts leave the window of 24 hours.')] : []),
      ...(to.ops ? [change('limits.set', 'Raise or remove the limit.')] : []),
    ],
  });
}
