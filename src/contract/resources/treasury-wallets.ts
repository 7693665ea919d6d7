// Wallets of the treasury: what they hold in the books and on their chains.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { TreasuryWallet as EngineWallet } from '../../engine.ts';
import { wholeList } from '../cursor.ts';
import { route } from '../route.ts';
import {
  Amount,
  AmountIn,
  AssetName,
  Instant,
  Reason,
  closed,
  idOf,
  listOf,
  nullable,
  oneOf,
  textOrNull,
} from '../schemas.ts';
import { accountId, instantOrNull } from '../wire-format.ts';
import { CREATED_AT } from './examples.ts';

const Balance = closed(
  {
    asset: AssetName,
    available: Amount,
    reserved: {
      ...Amount,
      description: 'Held for transfers that are signed and not final, with their fee limits. Minor units.',
    } as typeof Amount,
    verdict: nullable(oneOf(['even', 'open', 'different', 'unread']), {
      description:
        'The last comparison with the chain. `even`: the same. `open`: transfers that are not final could explain the difference. `different`: nothing can. ' +
        '`unread`: the chain did not answer. Null: not compared yet.',
    }),
    on_chain: nullable(Amount, {
      description: 'On the chain in final blocks, in minor units. Null if it was not read.',
    }),
    expected: nullable(Amount, {
      description:
        'Balance that the books expected there, counting transfers that were final on one side only. Null if it was not read.',
    }),
    checked_at: nullable(Instant, { description: 'When it was compared, in real time. RFC 3339, UTC.' }),
    floor: nullable(Amount, {
      description:
        'The least that is to be available, in minor units; below it the alert `treasury_floor` is raised. Null: no floor.',
    }),
  },
  { title: 'TreasuryBalance' },
);

const TreasuryWallet = closed(
  {
    account_id: idOf('account'),
    chain: Type.String({ examples: ['sandbox'] }),
    address: Type.String({
      description: 'The address that pays.',
      examples: ['sbx1017e36c840e14cb75d0846ecf145e2f16909e3c'],
    }),
    fee_asset: { ...AssetName, description: 'The asset in which the chain takes fees.' } as typeof AssetName,
    frozen_at: nullable(Instant, { description: 'Since when the wallet signs nothing; null: it is not frozen.' }),
    frozen_reason: textOrNull({ description: 'The difference that was found; null: it is not frozen.' }),
    balances: Type.Array(Balance),
  },
  { title: 'TreasuryWallet' },
);

export const showWallet = (wallet: EngineWallet): Static<typeof TreasuryWallet> => ({
  account_id: accountId(wallet.accountId),
  chain: wallet.chain,
  address: wallet.address,
  fee_asset: wallet.feeAsset,
  frozen_at: instantOrNull(wallet.frozen?.at ?? null),
  frozen_reason: wallet.frozen?.reason ?? null,
  balances: wallet.balances.map((balance) => ({
    asset: balance.asset,
    available: balance.available.toString(),
    reserved: balance.reserved.toString(),
    verdict: balance.verdict ?? null,
    on_chain: balance.onChain?.toString() ?? null,
    expected: balance.expected?.toString() ?? null,
    checked_at: instantOrNull(balance.checkedAt),
    floor: balance.floor?.toString() ?? null,
  })),
});

const EXAMPLE = {
  account_id: 'acct_01k9zt4c2tw8y0a2b4d6f8h0j2',
  chain: 'sandbox',
  address: 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c',
  fee_asset: 'SBX/9',
  frozen_at: null,
  frozen_reason: null,
  balances: [
    {
      asset: 'USDC/6',
      available: '999990000000',
      reserved: '10000000',
      verdict: 'even' as const,
      on_chain: '1000000000000',
      expected: '1000000000000',
      checked_at: CREATED_AT,
      floor: '50000000000',
    },
  ],
};

const ByChain = closed({
  chain: Type.String({ minLength: 1, maxLength: 32, description: 'Name of the chain.', examples: ['sandbox'] }),
});

export const treasuryWalletRoutes = {
  'treasuryWallets.list': route({
    method: 'GET',
    path: '/treasury-wallets',
    summary: 'List treasury wallets',
    description:
      'By chain. A wallet is an account of the tenant that is opened by the first payout over its chain. The loop `treasury` compares it with the chain; ' +
      'a difference that no open transfer explains freezes it (`treasury_wallet.frozen`).',
    scope: 'ledger:read',
    answer: listOf(TreasuryWallet, 'TreasuryWalletList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.treasuryWallets(), showWallet),
  }),

  'treasuryWallets.unfreeze': route({
    method: 'POST',
    path: '/treasury-wallets/{chain}/unfreeze',
    summary: 'Unfreeze a treasury wallet',
    description:
      'The wallet signs again. With `book_difference` the books take over what the chain had in the last comparison, by transfers from or to `world`; no other verb moves money of a wallet. ' +
      'If the wallet still differs from its chain, the next comparison freezes it again.',
    scope: 'ops:write',
    params: ByChain,
    body: closed(
      {
        reason: Reason,
        book_difference: Type.Optional(
          Type.Boolean({
            description:
              'Book what the last comparison found: coins that arrived at the address or left it otherwise. Needs the scope `ledger:money`. Default: false.',
          }),
        ),
      },
      { title: 'TreasuryWalletUnfreezeParams' },
    ),
    answer: TreasuryWallet,
    example: {
      params: { chain: 'sandbox' },
      body: { reason: 'top-up of 1,000 USDC', book_difference: true },
      answer: EXAMPLE,
    },
    handle: async ({ tenant, params, body }) =>
      showWallet(
        await tenant.unfreezeTreasuryWallet(params.chain, body.reason, { bookDifference: body.book_difference }),
      ),
  }),

  'treasuryWallets.setFloor': route({
    method: 'POST',
    path: '/treasury-wallets/{chain}/floor',
    summary: 'Set the floor of a treasury wallet',
    description:
      'The least of an asset that the wallet is to have available. Below it the alert `treasury_floor` is raised, once, and cleared when the balance is back. ' +
      'Payouts go on: a floor is no limit.',
    scope: 'ops:write',
    params: ByChain,
    body: closed(
      {
        asset: AssetName,
        floor: Type.Unsafe<string | number | null>({
          ...AmountIn,
          type: ['string', 'integer', 'null'],
          description: 'In minor units; null removes the floor.',
          examples: ['50000000000'],
        }),
      },
      { title: 'TreasuryWalletFloorParams' },
    ),
    answer: TreasuryWallet,
    example: {
      params: { chain: 'sandbox' },
      body: { asset: 'USDC/6', floor: '50000000000' },
      answer: EXAMPLE,
    },
    handle: async ({ tenant, params, body }) => showWallet(await tenant.setTreasuryFloor(params.chain, body)),
  }),
};
