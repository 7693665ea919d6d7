// Events about quotes of payouts, and wallets of the treasury.
import { Type } from 'typebox';
import { event } from './define.ts';
import { amount, asset, change, instant, list, nullable, object, reason, text, word } from './fields.ts';

const chain = text('The chain.', 'sandbox');
const QUOTE = {
  asset,
  amount: amount('The amount of the payout.'),
  chain: text('The chain with the highest score.', 'sandbox'),
  priority: word(['low_fee', 'fast', 'reliable'], 'The aim of the choice.', 'low_fee'),
  expires_at: instant('When the quote expires.', '2026-11-13T09:35:00.000Z'),
};

const ADDRESS = { chain, address: text('The address.', 'sbx0f1e…') };
const flag = (description: string) => Type.Boolean({ description, examples: [true] });
const POLICY = {
  listed_only: flag('Whether payouts go to listed addresses only.'),
  wait: text('How long before a new address may be paid. ISO 8601.', 'PT86400S'),
  second_person: flag('Whether a second person approves each new address.'),
};
const floor = nullable(
  amount('The least that is to be available.', '5000000000'),
  'The least that is to be available. Minor units; null: no floor.',
);
const CAP = {
  max_amount: nullable(
    amount('The largest amount of one payout.'),
    'The largest amount of one payout. Minor units; null: no cap.',
  ),
  daily_amount: nullable(
    amount('The largest sum in 24 hours.'),
    'The largest sum in 24 hours. Minor units; null: no cap.',
  ),
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
  'payout_policy.set': event('The policy about addresses of payouts was set.', change(POLICY, POLICY)),
  'payout_destination.created': event('An address was listed for payouts.', {
    ...ADDRESS,
    label: nullable(text('For people.', 'Ana'), 'A name for people; null: none.'),
    usable_at: nullable(instant('When payouts may go there.'), 'When payouts may go there; null: it awaits approval.'),
  }),
  'payout_destination.approved': event('A second person approved a listed address.', {
    ...ADDRESS,
    usable_at: instant('When payouts may go there.'),
  }),
  'payout_destination.removed': event('A listed address was removed: nothing more is signed for it.', {
    ...ADDRESS,
    reason,
  }),
  'payout_cap.set': event('Caps of payouts were set.', {
    asset,
    chain: nullable(text('A chain.', 'sandbox'), 'The chain; null: all chains together.'),
    ...change(CAP, CAP),
  }),
  'treasury_wallet.floor_set': event('The floor of a wallet was set: the least of an asset that is to be available.', {
    chain,
    asset,
    ...change({ floor }, { floor }),
  }),
  'treasury_wallet.unfrozen': event('A frozen wallet was unfrozen by an operator.', {
    chain,
    reason,
    booked: list(
      object({
        asset,
        difference: text('Booked to the wallet, negative from it, in minor units.', '1000000000'),
      }),
      'Differences from the chain that were booked with it.',
    ),
  }),
} as const;
