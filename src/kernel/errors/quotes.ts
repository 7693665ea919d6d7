// Quotes and routes of payouts.
import { ID } from './example-values.ts';
import { conflict, missing, retryable, unprocessable } from './entry.ts';

export const QUOTES_ERRORS = {
  QUOTE_NOT_FOUND: missing({
    title: 'The tenant has no such quote',
    detail: 'there is no quote "{quote:quote}"',
    example: { quote: ID },
    cause:
      'The tenant of the API key has no quote with this id: it belongs to another tenant, or it was not accepted and was removed after a day.',
    remedy: 'Create a quote with the API key that creates the payout.',
  }),
  QUOTE_EXPIRED: conflict({
    title: 'The quote has expired',
    detail: 'quote {quote:quote} expired at {expiredAt:instant}; create another quote',
    example: { quote: ID, expiredAt: new Date('2026-11-13T09:35:00.000Z') },
    cause: 'A quote is valid for five minutes, because fees and the health of chains change.',
    remedy: 'Create another quote and use it within five minutes. A payout without a quote is routed when it is due.',
  }),
  QUOTE_USED: conflict({
    title: 'The quote was already used',
    detail: 'quote {quote:quote} was used at {usedAt:instant}; create another quote for another payout',
    example: { quote: ID, usedAt: new Date('2026-11-13T09:31:00.000Z') },
    cause: 'A quote is for one payout, and another payout was created with it.',
    remedy:
      'If the request is a retry, send it with the idempotency key of the first one. Otherwise create another quote.',
  }),
  QUOTE_NO_ROUTE: retryable(
    unprocessable({
      title: 'No chain can take the payout',
      detail: 'no chain qualifies: {reasons:list}',
      example: { reasons: ['sandbox: the treasury has 5 USDC there and the payout needs 100 USDC'] },
      cause:
        'Each chain has a reason: the payee has no valid address there, the treasury has too little, the chain is unhealthy or was not measured recently, its fee asset has no recent price, or its wallet is frozen.',
      remedy:
        'Remove one of the reasons: add a destination, fund the wallet, unfreeze it (`POST /v1/treasury-wallets/{chain}/unfreeze`), start a worker that measures the chain, or wait until the chain is healthy (`GET /v1/chains`).',
    }),
  ),
  TREASURY_WALLET_NOT_FOUND: missing({
    title: 'The tenant has no wallet on the chain',
    detail: 'there is no wallet on the chain "{chain}"; GET /v1/treasury-wallets lists the wallets',
    example: { chain: 'sandbox' },
    cause: 'A wallet is opened by the first payout of the tenant over its chain.',
    remedy: 'List the wallets and correct the name of the chain.',
  }),
  TREASURY_WALLET_NOT_FROZEN: conflict({
    title: 'The wallet is not frozen',
    detail: 'the wallet on {chain} is not frozen',
    example: { chain: 'sandbox' },
    cause: 'The wallet was unfrozen already, or was never frozen.',
    remedy: 'Read the wallet. Nothing is left to do if it is not frozen.',
  }),
  ROUTE_NOT_CHOSEN: missing({
    title: 'No route was chosen for the payment',
    detail: 'payment {payment:payment} has no route: it is no payout, or its chain is chosen when it is due',
    example: { payment: ID },
    cause: 'Only payouts have routes. A payout without a quote is routed at its first attempt.',
    remedy: 'Read the route again once the payout is due.',
  }),
  ROUTE_FEE_EXCEEDED: conflict({
    title: 'The fee of the chain has risen beyond the tolerance',
    detail: 'the fee on {chain} was {chosen} USD when the route was chosen and is {now} USD now',
    example: { chain: 'ethereum', chosen: '1.83', now: '9.2' },
    cause:
      'It is the reason of a failed payout, never the answer to a request. With `USANCE_FEE_POLICY=fail` a payout fails if the fee has risen beyond `USANCE_FEE_TOLERANCE`. Nothing was signed.',
    remedy: 'Retry the payout, which chooses a route by the fees of that moment, or use the policy `requote`.',
  }),
};
