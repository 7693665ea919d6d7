// Events about quotes of payouts, and wallets of the treasury.
import { event } from './define.ts';
import { amount, asset, instant, list, object, reason, text, word } from './fields.ts';

const chain = text('The chain.', 'sandbox');
const QUOTE = {
  asset,
  amount: amount('The amount of the payout.'),
  chain: text('The chain with the highest score.', 'sandbox'),
  priority: word(['low_fee', 'fast', 'reliable'], 'The aim of the choice.', 'low_fee'),
  expires_at: instant('When the quote expires.', '2026-11-13T09:35:00.000Z'),
};

export const PAYOUT_EVENTS = {
  'quote.created': event('A quote for a payout was created.', QUOTE),
  'quote.accepted': event('A payout was created with a quote, which cannot be accepted again.', QUOTE),
  'treasury_wallet.frozen': event(
    'The balance of a wallet on its chain differs from the books. The wallet signs nothing until it is unfrozen.',
    {
      chain,
      differences: list(
        object({
          asset,
          on_chain: amount('Balance of the wallet on the chain, in final blocks.', '990000'),
          expected: amount('Balance that the books expect there.', '1000000'),
          difference: amount('On the chain minus expected.', '-10000'),
        }),
        'The assets that differ.',
      ),
    },
  ),
  'treasury_wallet.unfrozen': event('A frozen wallet was unfrozen by an operator.', { chain, reason }),
} as const;
