// What the chains say of a payout before there is one: form of the address, asset, exact amount, minimum. No call to a chain.
import type { Refused } from '../kernel/index.ts';
import { parseAsset, refused } from '../kernel/index.ts';
import type { PayoutChains, WantedPayout } from '../payments/index.ts';
import { chainNotAvailable } from '../payments/index.ts';
import type { Rail } from '../rails/index.ts';
import { toChainUnits, toLedgerUnits } from '../rails/index.ts';
import type { Rails } from './ports.ts';

export function payoutChains(rails: Rails): PayoutChains {
  return {
    chains: rails.chains,
    check(payout) {
      const rail = rails.of(payout.chain, payout.tenantId);
      if (!rail) {
        const { chain } = payout;
        return { refused: chainNotAvailable('rail', chain, rails.chains) };
      }
      const found = payeeOn(rail, payout.address, payout.param);
      if ('refused' in found) return found;
      const amount = refusedAmount(rail, payout);
      return amount ? { refused: amount } : found;
    },
  };
}

/** The address as its chain writes it. Coins that a wallet sends to itself come back, and the books have them as gone: the wallet would be frozen. */
export function payeeOn(
  rail: Rail,
  given: string,
  param: string,
): { readonly address: string } | { readonly refused: Refused } {
  const { chain } = rail;
  const found = rail.validateAddress(given);
  if (!found.valid)
    return { refused: refused('DESTINATION_INVALID/form', { param, chain, explanation: found.reason }) };
  if (found.address === rail.wallet) return { refused: refused('DESTINATION_INVALID/own_wallet', { param, chain }) };
  return { address: found.address };
}

/** Why the chain can never move this amount of this asset. */
export function refusedAmount(
  { chain, assets }: Rail,
  { asset, amount }: Pick<WantedPayout, 'asset' | 'amount'>,
): Refused | null {
  const { code, scale } = parseAsset(asset);
  const found = assets.find((one) => one.code === code);
  if (!found)
    return refused('ASSET_NOT_ON_CHAIN', { param: 'asset', asset, chain, assets: assets.map((one) => one.code) });
  const units = toChainUnits(amount, scale, found.decimals);
  const shown = { amount, asset };
  if (units === null)
    return refused('PAYOUT_AMOUNT_INVALID/inexact', {
      param: 'amount',
      amount: shown,
      chain,
      code,
      decimals: found.decimals,
    });
  if (units >= found.minimumUnits) return null;
  const exact = toLedgerUnits(found.minimumUnits, scale, found.decimals);
  const minimum = { amount: exact ?? found.minimumUnits / 10n ** BigInt(found.decimals - scale) + 1n, asset };
  return refused('PAYOUT_AMOUNT_INVALID/below_minimum', { param: 'amount', amount: shown, minimum, chain });
}
