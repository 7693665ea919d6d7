// Payouts: payments over a chain.
import { conflict, invalid, missing, retryable, unprocessable } from './entry.ts';
import { ID, usdc } from './example-values.ts';

export const PAYOUTS_ERRORS = {
  PAYOUT_INVALID: invalid({
    title: 'The fields of the payout do not go together',
    detail: {
      not_a_payout: '{param} is for payouts; give a chain in {rail:field}, or leave out {param}',
      has_payees: 'a payout is paid to its destination; leave out {param}',
      no_destination: 'a payout needs 1 to {max} destinations: give {destination:field}, or {param} by chain',
      chain_required: '{destination:field} is an address on one chain; name the chain in {param}',
      other_chain: '{param} has no address on {chain}; add one, or name another chain',
      plan_pays_account:
        '{param} pays an account; use a plan whose receiver is world, or leave out {rail:field} and the destinations',
    },
    example: ['no_destination', { param: 'destinations', destination: 'destination', max: 10 }],
    cause:
      'A payment with a chain in `rail`, or with destinations, is a payout: money goes to an address on a chain, and no account is paid. The request mixes the fields of the two, or has no address for the chain that it names.',
    remedy:
      'For a payout send `rail` with `destination`, or `destinations` by chain, and no `to` or `legs`. For a payment between accounts send none of them.',
  }),
  CHAIN_NOT_AVAILABLE: unprocessable({
    title: 'This installation does not pay over the chain',
    detail: {
      other: '{param} names the chain {chain}; available are: {chains:list}',
      none: '{param} names the chain {chain}, and this process has no chain; the simulated chain "sandbox" needs USANCE_SANDBOX=1, or in a library the option chains.sandbox of createUsance',
    },
    example: ['other', { param: 'rail', chain: 'solana', chains: ['sandbox'] }],
    cause:
      'The process has no adapter of the chain. The simulated chain `sandbox` is on in `usance dev` (`npm start`); elsewhere it is on with USANCE_SANDBOX=1, and in a library with `createUsance({ chains: { sandbox: true } })`. It is never available with NODE_ENV=production.',
    remedy: 'Use a chain that the message names, or configure the chain in every process.',
  }),
  DESTINATION_INVALID: unprocessable({
    title: 'The destination is no address of a payee on its chain',
    detail: {
      form: 'no valid address on {chain} in {param}: {explanation}',
      own_wallet: '{param} is the address of the wallet that pays on {chain}; give the address of the payee',
    },
    example: [
      'form',
      {
        param: 'destination',
        chain: 'sandbox',
        explanation: 'its checksum does not match, so a character is wrong',
      },
    ],
    cause:
      'The address has the form of another chain, or its checksum is wrong: coins sent to such an address are lost. Or it is the wallet of the treasury itself: the coins would come back, and the wallet would differ from the books.',
    remedy: 'Copy the address again from the wallet of the payee, and check that it is on the chain that you name.',
  }),
  ASSET_NOT_ON_CHAIN: unprocessable({
    title: 'The chain cannot move the asset',
    detail: '{asset} cannot be paid over {chain}; it has: {assets:list}',
    example: { param: 'asset', asset: 'USD', chain: 'sandbox', assets: ['USDC'] },
    cause: 'The adapter of the chain has no asset with the code of this one.',
    remedy: 'Pay in an asset of the chain, or over another chain.',
  }),
  PAYOUT_AMOUNT_INVALID: unprocessable({
    title: 'The chain cannot move exactly this amount',
    detail: {
      inexact:
        '{amount:amount} cannot be written on {chain}, whose unit of {code} has {decimals} decimals; round the amount',
      below_minimum: '{amount:amount} is below the least that {chain} moves, {minimum:amount}',
    },
    example: [
      'below_minimum',
      {
        param: 'amount',
        amount: usdc(10n),
        minimum: usdc(1_000n),
        chain: 'sandbox',
      },
    ],
    cause:
      'Amounts are converted to units of the chain exactly or not at all: this one would have to be rounded, or is too small for a transfer.',
    remedy: 'Change the amount as the message says.',
  }),
  PAYOUT_NOT_SENT: retryable(
    conflict({
      title: 'An attempt of the payout ended before anything was signed',
      detail: {
        unexpected: 'the attempt failed before anything was signed: {explanation}',
        worker_lost: 'the worker of this attempt stopped before anything was signed',
        cannot_build: 'the chain {chain} cannot build the transfer: {explanation}',
      },
      example: ['worker_lost'],
      cause: 'It is the reason of an attempt that failed, never the answer to a request. No money moved.',
      remedy:
        'Nothing: the next attempt follows. After the last one the payout is a dead letter; retry it once the cause is gone.',
    }),
  ),
  PAYOUT_NOT_LANDED: retryable(
    conflict({
      title: 'A transaction of the payout is proven not to have paid',
      detail: {
        dead: 'transaction {transaction} is not on {chain} and can no longer be included',
        reverted: 'transaction {transaction} failed in a final block of {chain}; only the fee was paid',
        invalid: 'the chain {chain} can never accept transaction {transaction}: {explanation}',
        resolved: 'an operator resolved transaction {transaction} on {chain} as not paid: {explanation}',
      },
      example: ['dead', { transaction: '5f2c…', chain: 'sandbox' }],
      cause:
        'It is the reason of an attempt that failed, never the answer to a request. The money is still reserved for the next attempt.',
      remedy:
        'Nothing: the next attempt follows. After the last one the payout is a dead letter; retry it once the cause is gone.',
    }),
  ),
  PAYOUT_DESTINATION_NOT_ALLOWED: conflict({
    title: 'The tenant does not allow payouts to the address',
    detail: {
      not_listed: 'the address {address} on {chain} is not listed; payouts go to listed addresses only',
      awaits_approval: 'the address {address} on {chain} awaits the approval of a second person',
      too_new: 'the address {address} on {chain} may be paid from {at:instant} on',
    },
    example: ['not_listed', { chain: 'sandbox', address: 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c' }],
    cause:
      'The policy of the tenant has `listed_only`. It is asked when a payout or a schedule is created, changed or retried, and again before anything is signed: a payout that waited while its address was removed fails with this code.',
    remedy:
      'List the address with POST /v1/payout-destinations, let a second person approve it if the policy asks for that, and wait for `usable_at`. Then create or retry the payout.',
  }),
  PAYOUT_CAP_EXCEEDED: conflict({
    title: 'The payout exceeds a cap of the tenant',
    detail: {
      payout: 'one payout over {chain} may be {max:amount} at most; this one is {amount:amount}',
      never: 'payouts over {chain} may be {limit:amount} in 24 hours; this one is {amount:amount} by itself',
      day: 'payouts over {chain} may be {limit:amount} in 24 hours; {used:amount} are signed, and this one is {amount:amount}',
    },
    example: [
      'payout',
      {
        chain: 'sandbox',
        max: usdc(500_000_000n),
        amount: usdc(900_000_000n),
      },
    ],
    cause:
      'A cap of one payout is asked when it is created, changed or retried, and before it is signed. A cap of 24 hours is decided when it is signed: a payout beyond it waits, with this code as its reason.',
    remedy:
      'Send less, or raise the cap with POST /v1/payout-caps and retry the payout. One that waits goes on by itself when less was signed in the last 24 hours.',
  }),
  PAYOUT_DESTINATION_NOT_FOUND: missing({
    title: 'The tenant has no such destination',
    detail: 'there is no destination {destination:payoutDestination}; it was removed, or never added',
    example: { destination: ID },
    cause: 'The id is wrong, of another tenant, or the destination was removed.',
    remedy: 'List the destinations and correct the id.',
  }),
  PAYOUT_DESTINATION_EXISTS: conflict({
    title: 'The address is listed already',
    detail: 'the address {address} on {chain} is listed already',
    example: { chain: 'sandbox', address: 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c', param: 'address' },
    cause: 'Each address of a chain is listed once.',
    remedy: 'Use the listed destination. To change its label, remove it and add it again.',
  }),
  PAYOUT_DESTINATION_APPROVED: conflict({
    title: 'The destination does not await approval',
    detail: 'destination {destination:payoutDestination} does not await approval',
    example: { destination: ID },
    cause: 'It was approved already, or was added when the policy asked for no second person.',
    remedy: 'Read the destination. Nothing is left to do.',
  }),
  PAYOUT_DESTINATIONS_TOO_MANY: conflict({
    title: 'The tenant has too many destinations',
    detail: 'a tenant lists {max} addresses at most',
    example: { max: 100_000 },
    cause: 'Listed addresses are limited.',
    remedy: 'Remove addresses that are not paid any more.',
  }),
  PAYOUT_WAITS: retryable(
    conflict({
      title: 'The payout waits until its chain or its wallet is ready',
      detail: {
        wallet_low: 'the wallet on {chain} has {available:amount} available, {required:amount} is required',
        wallet_frozen: 'the wallet on {chain} is frozen: {explanation}',
        not_here:
          'the process that tried it has no adapter of the chain {chain}; give every worker the same chains (USANCE_SANDBOX=1 for the simulated chain)',
        paused: 'payouts over {chain} are paused',
        unreadable: 'the chain {chain} could not be read ({explanation})',
        no_chain: 'no chain can take the payout now: {explanation}',
        not_compared:
          'attempt {number} was resolved as dead, and the wallet on {chain} has to be even with its chain first, because transaction {transaction} might have landed',
        seen_after_all:
          'attempt {number} was resolved as dead, but transaction {transaction} is on {chain}: cancel the payout if it has paid',
      },
      example: [
        'wallet_low',
        {
          chain: 'sandbox',
          available: usdc(0n),
          required: usdc(10_000n),
        },
      ],
      cause:
        'It is what a payout waits for, never the answer to a request. No attempt is counted and nothing was signed.',
      remedy:
        'Remove the cause: fund the wallet, unfreeze it, lift the pause, or start a worker that has the chain. The payout then goes on by itself. Cancel it if it is not to be paid.',
    }),
  ),
  PAYOUT_NOT_IN_REVIEW: conflict({
    title: 'The payout is not in review',
    detail: 'payment {payment:payment} is {status}; only a payout in review can be resolved',
    example: { payment: ID, status: 'settled' },
    cause:
      'The payment is no payout, was sent less than ten minutes ago, or has ended or begun another attempt, perhaps a moment ago.',
    remedy: 'Read the payment again. A payout that is not in review needs no decision.',
  }),
  PAYOUT_RESOLUTION_REFUSED: conflict({
    title: 'The chain does not agree with the resolution',
    detail: {
      not_found: 'transaction {transaction} is not on {chain}',
      not_final: 'transaction {transaction} is not in a final block of {chain} yet',
      failed: 'transaction {transaction} failed on {chain}, so it has paid nothing; resolve the payout as dead',
      other_payout: 'transaction {transaction} on {chain} is of another payout',
      other_destination: 'transaction {transaction} does not pay {destination} on {chain}',
      other_amount: 'transaction {transaction} on {chain} does not pay {amount:amount}',
      earlier_attempt:
        'transaction {transaction} on {chain} is of attempt {number} of the payout, which ended as {state}',
      other_transaction:
        'transaction {transaction} was not signed for the payout, whose own transaction on {chain} is {own}',
      seen: 'transaction {transaction} is on {chain}: it has paid, or still can',
      can_land:
        'transaction {transaction} can still be included by {chain}: block {finalizedHeight} is final, and the last block that can include it is {lastValidHeight}',
      unread: 'the chain {chain} could not be asked ({explanation})',
      no_adapter: 'this process has no adapter of the chain {chain}, so it cannot ask it',
    },
    example: ['seen', { param: 'outcome', transaction: '5f2c…', chain: 'sandbox' }],
    cause:
      'A resolution is compared with the chain first. `paid` requires the transaction of the payout, with its destination and amount, in a final block. `dead` is refused while the chain can still include the transaction, and if any endpoint has it. If no endpoint answers, nothing can be resolved.',
    remedy:
      'Wait: a transaction that the chain has settles the payout without a decision. If the payee was paid by another transaction, resolve the payout as dead, cancel it, and book that transaction.',
  }),
  PAYOUT_UNCONFIRMED: conflict({
    title: 'The transaction of the payout is not final, and it is not proven that it never will be',
    detail: 'transaction {transaction} on {chain} was not final {minutes} minutes after it was sent',
    example: { transaction: '5f2c…', chain: 'sandbox', minutes: 10 },
    cause:
      'The payout is in review. It is still watched: if the transaction becomes final the payout settles by itself. Its money stays reserved.',
    remedy: 'Look the transaction up on the chain. Resolve the payout only if its outcome is proven.',
  }),
};
