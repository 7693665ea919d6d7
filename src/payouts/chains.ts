// What the chains say of a payout before there is one: form of the address, asset, exact amount, minimum. No call to a chain.
import type { Refused } from '../kernel/index.ts';
import { parseAsset, refused } from '../kernel/index.ts';
import type { PayoutChains, WantedPayout } from '../payments/index.ts';
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
        return { refused: refused('CHAIN_NOT_AVAILABLE', { param: 'rail', chain, chains: rails.chains }) };
      }
      const address = rail.validateAddress(payout.address);
      if (!address.valid) {
        const { chain, param } = payout;
        return { refused: refused('DESTINATION_INVALID', { param, chain, explanation: address.reason }) };
      }
      const amount = refusedAmount(rail, payout);
      return amount ? { refused: amount } : { address: address.address };
    },
  };
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
