// Why the book refuses a movement. Pure: from a balance as the book has it at that point of the sequence.
import type { Refused } from '../kernel/index.ts';
import { MAX_AMOUNT, refused } from '../kernel/index.ts';
import type { Balance, BalanceKey, Movement, Reservation } from './book.ts';
import { derivedAccount } from './system-accounts.ts';

export const isWorld = (key: BalanceKey): boolean => derivedAccount(key.tenantId, key.accountId) === 'world';

export function sameAccount(movement: Movement): Refused | null {
  return movement.debitAccountId === movement.creditAccountId ? refused('SELF_TRANSFER') : null;
}

/** `world` and `fees` have no balance row that could say what is reserved of it. */
export function mayHold(key: BalanceKey): Refused | null {
  const name = derivedAccount(key.tenantId, key.accountId);
  return name ? refused('ACCOUNT_STATE_CONFLICT/not_reservable', { account: name }) : null;
}

export function notActive(key: BalanceKey): Refused {
  return refused('ACCOUNT_NOT_ACTIVE/inactive', { account: key.accountId });
}

function insufficient({ accountId, asset }: BalanceKey, available: bigint, required: bigint): Refused {
  return refused('FUNDS_INSUFFICIENT', {
    account: accountId,
    available: { amount: available, asset },
    required: { amount: required, asset },
  });
}

export function stillOpen(reservation: Reservation, amount: bigint): Refused | null {
  const { id, asset } = reservation;
  if (reservation.resolvedAt) return refused('RESERVATION_RESOLVED', { reservation: id });
  const open = reservation.amount - reservation.captured - reservation.released;
  if (amount <= open) return null;
  const required = { amount, asset };
  return refused('RESERVATION_TOO_SMALL', { reservation: id, open: { amount: open, asset }, required });
}

export function mayPay(key: BalanceKey, balance: Balance | null, amount: bigint): Refused | null {
  if (!balance) return isWorld(key) ? null : insufficient(key, 0n, amount);
  const { available, mayDebit } = balance;
  if (!mayDebit) return notActive(key);
  return available >= amount ? null : insufficient(key, available, amount);
}

export function mayReceive(key: BalanceKey, balance: Balance | null, amount: bigint): Refused | null {
  if (!balance) {
    if (derivedAccount(key.tenantId, key.accountId)) return null;
    return refused('ACCOUNT_NOT_FOUND', { account: key.accountId });
  }
  const { available, reserved, mayCredit } = balance;
  if (!mayCredit) return notActive(key);
  // The total must fit, or a later release could overflow what this credit did not.
  if (available + reserved + amount <= MAX_AMOUNT) return null;
  return refused('BALANCE_OVERFLOW', { account: key.accountId, max: { amount: MAX_AMOUNT, asset: key.asset } });
}
