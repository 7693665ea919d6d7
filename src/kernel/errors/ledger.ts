// Assets, accounts, balances, reservations and transfers.
import { conflict, missing, retryable, unprocessable } from './entry.ts';

export const LEDGER_ERRORS = {
  STATEMENT_TOO_LONG: unprocessable({ title: 'The period has more lines than one statement can have' }),
  ASSET_NOT_FOUND: missing({ title: 'The tenant has no such asset', detail: 'there is no asset "{asset}"' }),
  ACCOUNT_NOT_FOUND: missing({
    title: 'The tenant has no such account',
    detail: 'there is no account "{account:account}"',
  }),
  RESERVATION_NOT_FOUND: missing({ title: 'The tenant has no such reservation' }),
  TRANSFER_NOT_FOUND: missing({ title: 'The tenant has no such transfer' }),
  ASSET_EXISTS: conflict({ title: 'The asset already exists with another scale' }),
  ACCOUNT_EXISTS: conflict({ title: 'An account with this ref already exists' }),
  ACCOUNT_NOT_EMPTY: conflict({ title: 'The account still holds money' }),
  ACCOUNT_STATE_CONFLICT: conflict({
    title: 'The account is not in a state that allows this',
    detail: { system_account: '"{account:account}" is a system account and cannot have a daily limit' },
  }),
  RESERVATION_RESOLVED: conflict({ title: 'The reservation is already resolved' }),
  ACCOUNT_NOT_ACTIVE: retryable(
    unprocessable({
      title: 'The account is suspended or closed',
      detail: {
        suspended: 'the account "{account:account}" is suspended',
        closed: 'the account "{account:account}" is closed',
      },
    }),
  ),
  SELF_TRANSFER: unprocessable({
    title: 'Payer and payee are the same account',
    detail: 'payer and payee are the same account',
  }),
  FUNDS_INSUFFICIENT: retryable(unprocessable({ title: 'The account has insufficient funds' })),
  RESERVATION_TOO_SMALL: unprocessable({ title: 'The reservation is smaller than the amount' }),
  BALANCE_OVERFLOW: unprocessable({ title: 'The balance would be larger than can be stored' }),
  ASSET_FROZEN: retryable(unprocessable({ title: 'Outgoing payments of this asset are frozen' })),
};
