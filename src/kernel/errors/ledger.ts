// Assets, accounts, balances, reservations and transfers.
import { conflict, missing, retryable, unprocessable } from './entry.ts';
import { ID, LARGEST, usd } from './example-values.ts';

export const LEDGER_ERRORS = {
  STATEMENT_TOO_LONG: unprocessable({
    title: 'The period has more lines than one statement can have',
    detail: 'the period has more than {max} lines; request a shorter period',
    example: { param: 'from', max: 10_000 },
    cause: 'The account has more transfers of the asset in the requested period than one statement can list.',
    remedy: 'Request several shorter periods. The closing balance of one is the opening balance of the next.',
  }),
  ASSET_NOT_FOUND: missing({
    title: 'The tenant has no such asset',
    detail: 'there is no asset "{asset}"',
    example: { param: 'asset', asset: 'EUR/2' },
    cause:
      'The request names an asset that the tenant has not created. An asset is named by its full name (USD/2) or by its code (USD).',
    remedy: 'Check the spelling, list the assets of the tenant, or create the asset first.',
  }),
  ACCOUNT_NOT_FOUND: missing({
    title: 'The tenant has no such account',
    detail: 'there is no account "{account:account}"',
    example: { param: 'to', account: 'bob' },
    cause:
      'The request names an account that the tenant does not have, by id or by ref. A caller that may see only its own account gets the same response for the accounts of others.',
    remedy:
      'Check the id or ref, and that the API key belongs to the tenant of the account. Open the account first if it is new.',
  }),
  RESERVATION_NOT_FOUND: missing({
    title: 'The tenant has no such reservation',
    detail: 'there is no reservation "{reservation:reservation}"',
    example: { param: 'reservation', reservation: ID },
    cause: 'The request names a reservation id that the tenant does not have.',
    remedy: 'Use the id that `reserve` returned, with a handle of the same tenant.',
  }),
  TRANSFER_NOT_FOUND: missing({
    title: 'The tenant has no such transfer',
    detail: 'there is no transfer "{transfer:transfer}"',
    example: { transfer: ID },
    cause: 'The request names a transfer id that the tenant does not have.',
    remedy: 'Use the id that the deposit, withdrawal or transfer returned, with a handle of the same tenant.',
  }),
  ASSET_EXISTS: conflict({
    title: 'The asset already exists with another scale',
    detail: 'the asset already exists as {existing}; its scale cannot be changed to {scale}',
    example: { param: 'asset', existing: 'USD/2', scale: 3 },
    cause:
      'The tenant has an asset with the same code and another scale. The scale of an asset is fixed, because stored amounts are whole numbers of its minor units.',
    remedy: 'Use the existing asset, or create one with another code.',
  }),
  ACCOUNT_EXISTS: conflict({
    title: 'An account with this ref already exists',
    detail: 'there is already an account with the ref "{ref}"',
    example: { param: 'ref', ref: 'alice' },
    cause:
      'A ref is unique in a tenant, and another account has it: one that was opened before, or a system account (world, fees, suspense), which every tenant has.',
    remedy: 'Read the existing account by its ref, or choose another ref.',
  }),
  ACCOUNT_NOT_EMPTY: conflict({
    title: 'The account still holds money',
    detail:
      'account "{account}" has {available:amount} available and {reserved:amount} reserved; move the money before closing the account',
    example: { account: 'alice', available: usd(5_000n), reserved: usd(2_000n) },
    cause: 'An account can be closed only when it has nothing available and nothing reserved in any asset.',
    remedy:
      'Cancel or settle the holds and scheduled payments that reserve its money, withdraw or transfer the rest, and close it then.',
  }),
  ACCOUNT_OF_WALLET: unprocessable({
    title: 'The account is a wallet of the treasury',
    detail:
      'account "{account:account}" is a wallet of the treasury; only payouts and corrections of the treasury move its money',
    example: { param: 'account', account: 'wallet:sandbox' },
    cause:
      'The balances of a wallet repeat what its address holds on its chain. A payment, deposit, withdrawal, transfer or reservation would make them differ, and the wallet would be frozen.',
    remedy:
      'Pay out over the chain instead. Coins that arrived at the address or left it otherwise are booked when the frozen wallet is unfrozen, with `book_difference`.',
  }),
  ACCOUNT_STATE_CONFLICT: conflict({
    title: 'The account is not in a state that allows this',
    detail: {
      system_account: 'the system account "{account:account}" cannot be changed',
      wallet_account:
        'account "{account:account}" is a wallet of the treasury and cannot be changed; to stop its payouts, pause the rail of its chain',
      not_reservable: 'money of the system account "{account}" cannot be reserved',
      no_daily_limit: 'the system account "{account:account}" cannot have a daily limit',
      no_forecast: 'the system account "{account}" has no forecast, because it represents money outside the ledger',
      status: 'account "{account}" is {status} and cannot become {wanted}',
      not_closed: 'account "{account}" is {status}; close it before erasing it',
    },
    example: ['not_closed', { account: 'alice', status: 'active' }],
    cause:
      'The status of the account does not allow the change: a closed account cannot be reopened, and only a closed account can be erased. Or the account is a system account (world, fees, suspense): these are always active and cannot be edited, and some have no reservations, daily limit or forecast.',
    remedy: 'Read the account and check its status and kind. To erase an account, close it first.',
  }),
  RESERVATION_RESOLVED: conflict({
    title: 'The reservation is already resolved',
    detail: 'reservation {reservation:reservation} is already fully captured or released',
    example: { reservation: ID },
    cause: 'Every part of the reserved amount was captured or released before.',
    remedy: 'Read the reservation to see its outcome. To set money aside again, make a new reservation.',
  }),
  ACCOUNT_NOT_ACTIVE: retryable(
    unprocessable({
      title: 'The account is suspended or closed',
      detail: {
        suspended: 'the account "{account:account}" is suspended',
        closed: 'the account "{account:account}" is closed',
        inactive: 'the account "{account:account}" is suspended or closed',
      },
      example: ['suspended', { account: 'bob' }],
      cause: 'The payer or the payee is suspended or closed, and such an account neither pays nor receives.',
      remedy:
        'Reactivate a suspended account and send the request again. A closed account cannot be reopened; use another one.',
    }),
  ),
  SELF_TRANSFER: unprocessable({
    title: 'Payer and payee are the same account',
    detail: 'payer and payee are the same account',
    example: { param: 'to' },
    cause: 'The request would move money from an account to itself. An id and a ref can name the same account.',
    remedy: 'Name two different accounts.',
  }),
  FUNDS_INSUFFICIENT: retryable(
    unprocessable({
      title: 'The account has insufficient funds',
      detail: 'account "{account:account}" has {available:amount} available; {required:amount} is required',
      example: { account: 'alice', available: usd(5_000n), required: usd(100_000n) },
      cause:
        'The payer has less available money than the payment, hold, transfer or refund needs. Money reserved by other holds does not count as available.',
      remedy:
        'Credit the account, or lower the amount. A scheduled payment is retried by its retry policy, and as soon as its payer receives money.',
    }),
  ),
  RESERVATION_TOO_SMALL: unprocessable({
    title: 'The reservation is smaller than the amount',
    detail: 'reservation {reservation:reservation} has {open:amount} left; {required:amount} is required',
    example: { reservation: ID, open: usd(5_000n), required: usd(8_000n) },
    cause: 'The capture or release asks for more than is left of the reserved amount.',
    remedy: 'Lower the amount to what is left. For more, reserve the difference separately.',
  }),
  BALANCE_OVERFLOW: unprocessable({
    title: 'The balance would be larger than can be stored',
    detail: 'the balance of account "{account:account}" would exceed {max:amount}',
    example: { account: 'bob', max: usd(LARGEST) },
    cause:
      'The credit would raise the balance of the payee, available and reserved together, above the largest 64-bit integer of minor units.',
    remedy: 'Check the amount and its unit: amounts are in minor units. Otherwise move money out of the account first.',
  }),
  ASSET_FROZEN: retryable(
    unprocessable({
      title: 'Outgoing payments of this asset are frozen',
      detail: 'outgoing {asset} is frozen until an operator lifts the freeze',
      example: { asset: 'USD/2' },
      cause:
        'The continuous integrity check found that the books of this asset do not add up, so money of the asset cannot leave any account of the tenant. Due payments wait.',
      remedy:
        'An operator finds the violation with `usance verify` and `usance freezes`, corrects its cause and lifts the freeze. Waiting payments then run.',
    }),
  ),
};
